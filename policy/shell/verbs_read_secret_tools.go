package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

func herokuSecret(a *act) {
	switch {
	case a.sub("config:get"):
		if names := a.Operands("a", "app", "r", "remote"); len(names) > 1 && !isCredentialName(names[1]) && !strings.HasSuffix(names[1], "_URL") {
			return
		}
		a.reveals("heroku config")
	case a.sub("config") && !strings.Contains(a.Sub, ":set"), a.sub("auth:token"), a.sub("config:edit"), a.sub("pg:credentials:url"):
		a.reveals("heroku config")
	}
}

func dopplerSecret(a *act) {
	if a.sub("secrets") && !a.sub("secrets", "set|delete|upload") || a.sub("read|export") || a.sub("configure", "get", "token") {
		a.reveals(a.Name + " secrets")
	}
}

func doctlSecret(a *act) {
	if a.sub("auth", "token") || a.sub("registry", "docker-config") {
		a.reveals("doctl token")
	}
}

// vercelSecret: the variables of a project are written to a file.
func vercelSecret(a *act) {
	if a.sub("env", "pull") {
		a.reveals("vercel environment")
		file := ".env.local"
		if operands := a.Operands("environment", "scope", "t", "token"); len(operands) > 2 {
			file = operands[2]
		}
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(file), From: "https://vercel.com"})
	}
}

func flySecret(a *act) {
	if a.sub("auth", "token") || a.sub("tokens", "create") {
		a.reveals("fly token")
	}
}

func databricksSecret(a *act) {
	if a.sub("secrets", "get-secret") || a.sub("auth", "token") || a.sub("tokens", "create") {
		a.reveals("databricks secrets")
	}
}

// railsSecret shows the credentials of a project, also by an editor that prints.
func railsSecret(a *act) {
	switch {
	case a.Sub == "runner" || a.Sub == "r":
		for _, program := range a.Args[1:] {
			a.codeReads(program)
		}
	case strings.HasPrefix(a.Sub, "credentials:show"), strings.HasPrefix(a.Sub, "encrypted:show"), strings.HasPrefix(a.Sub, "secrets:show"):
		a.reveals("rails secrets")
	case strings.HasPrefix(a.Sub, "credentials:edit"), strings.HasPrefix(a.Sub, "secrets:edit"):
		for _, name := range []string{"EDITOR", "VISUAL"} {
			if editor := baseName(a.Env[name]); editor == "cat" || editor == "less" || editor == "more" || editor == "head" || editor == "tail" || editor == "bat" {
				a.reveals("rails secrets")
			}
		}
	}
}

// platformSecret are programs of platforms that print the secrets of a project if
// they are told to show them.
func platformSecret(a *act) {
	switch {
	case a.Name == "netlify" && (a.sub("env:get") || a.sub("env:list") && (a.Has("--plain") || a.Has("--json"))),
		a.Name == "railway" && (a.sub("variables") || a.sub("variable", "list")) && !a.Has("--set"),
		a.Name == "pulumi" && a.Has("--show-secrets"):
		a.reveals(a.Name + " secrets")
	case (a.Name == "terraform" || a.Name == "tofu") && a.sub("output") && a.Has("-raw"):
		if slices.ContainsFunc(a.Args, func(name string) bool { return !strings.HasPrefix(name, "-") && isCredentialWord(name) }) {
			a.reveals(a.Name + " secrets")
		}
	}
}

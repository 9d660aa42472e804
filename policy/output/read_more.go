package output

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// MayBeSecretFile reports whether a word that may also be a branch is a file.
func MayBeSecretFile(p string) bool {
	base := path.Base(p)
	return strings.HasPrefix(base, ".") && len(base) > 2 && base != ".." || path.Ext(base) != "" && !strings.Contains(p, "..") || strings.HasPrefix(p, "~") || strings.HasPrefix(p, "/")
}

// EnvFiles are the files that variables are loaded from for what a command runs.
func EnvFiles(a *invocation.Act) []string {
	files := follow.After(a, "--env-file")
	for _, arg := range a.Args {
		if file, ok := strings.CutPrefix(arg, "--env-file="); ok {
			files = append(files, file)
		}
	}
	return files
}

// privateNames are what paths of private files hold.
var privateNames = []string{"/.ssh/id_", "/.aws/credentials", ".netrc", ".pgpass", ".git-credentials", "/.docker/config.json", "/.kube/config", "/.vault-token", "/etc/shadow", ".config/gh/hosts.yml", "/.cargo/credentials"}

// codeReads notes what a program in an interpreter's arguments prints that its
// reader does not follow: private files by their names, and what libraries say
// that keep secrets.
func codeReads(a *invocation.Act, code string) {
	if len(code) > invocation.MostKnown || !CodePrints(code) {
		return
	}
	for _, name := range privateNames {
		i := strings.Index(code, name)
		if i < 0 {
			continue
		}
		start := strings.LastIndexAny(code[:i+1], "\"'`(") + 1
		end := i + strings.IndexAny(code[i:]+"\"", "\"'`)")
		p := code[start:end]
		if strings.ContainsAny(p, " \t\n;,") {
			continue
		}
		if strings.HasPrefix(p, "/.") {
			p = "~" + p
		}
		a.Looks(false, p)
	}
	switch {
	case invocation.ContainsAny(code, []string{".get_credentials()", "get_frozen_credentials"}):
		a.Does(effect.Reveal, "aws credentials")
	case invocation.ContainsAny(code, []string{"keyring.get_password", "keytar.getPassword", "keytar.findCredentials"}):
		a.Does(effect.Reveal, "keyring")
	case invocation.ContainsAny(code, []string{"get_secret_value(", "getSecretValue(", "access_secret_version(", "accessSecretVersion("}):
		a.Does(effect.Reveal, "secrets of a store")
	}
	if invocation.ContainsAny(code, []string{"dotenv_values", "dotenv/config", "require('dotenv').config().parsed", `require("dotenv").config().parsed`}) {
		a.Looks(false, ".env")
	}
	codeVariables(a, code)
	frameworkShows(a, code)
}

// readsOfVariable are the ways in which programs ask for a variable, up to its name.
var readsOfVariable = []string{"process.env.", "process.env['", `process.env["`, "os.environ['", `os.environ["`, "environ.get('", `environ.get("`, "getenv('", `getenv("`, "ENV['", `ENV["`, "$ENV{", "$ENV{'", `$ENV{"`, "$_ENV['", `$_ENV["`, "$_SERVER['", "ENV.fetch('", `ENV.fetch("`, "Bun.env.", "Deno.env.get('", `Deno.env.get("`, "import.meta.env."}

// codeVariables notes variables with secrets that a program prints as they are.
func codeVariables(a *invocation.Act, code string) {
	loads := len(EnvFiles(a)) > 0 // what is in a file of the project is its secret
	for _, form := range readsOfVariable {
		for rest, at := code, 0; ; {
			i := strings.Index(rest, form)
			if i < 0 {
				break
			}
			at += i
			name := LeadingName(code[at+len(form):])
			statement := code[strings.LastIndexAny(code[:at], ";\n")+1 : at]
			after := code[at+len(form)+len(name):]
			if end := strings.IndexAny(after, ";\n"); end >= 0 {
				after = after[:end]
			}
			if (guard.IsCredentialName(name) || loads && invocation.IsConnectionName(name)) && invocation.ContainsAny(statement, printing) && !invocation.ContainsAny(statement, checks) && !invocation.ContainsAny(after, checksBehind) {
				guard.Reveals(a, "$"+name)
			}
			at += len(form)
			rest = code[at:]
		}
	}
}

// checks and checksBehind say that a value is only looked at.
var (
	checks       = []string{"!!", "bool(", "Boolean(", "len(", "typeof", "if ", "not ", "post(", "fetch(", "get(", "Client(", "connect(", "headers"}
	checksBehind = []string{".length", " ? ", "?'", " is ", "==", "!= ", "[:", ".slice(", ".substring(", ".substr(", " in ", ".size", ".nil?", ".empty?", "if ", "hexdigest", "!== "}
)

// Sub reports whether the operands of a command begin with these words. A word
// may name several, as "get|list". Of programs that are not described that is not known.
func Sub(a *invocation.Act, words ...string) bool {
	return a.Facts().Described && command.Builtin().Program(a.Name).Calls(a.Args, words...)
}

// RailsSecret shows the credentials of a project, also by an editor that prints.
func RailsSecret(a *invocation.Act) {
	switch {
	case a.Sub == "runner" || a.Sub == "r":
		for _, program := range a.Args[1:] {
			codeReads(a, program)
		}
	case strings.HasPrefix(a.Sub, "credentials:show"), strings.HasPrefix(a.Sub, "encrypted:show"), strings.HasPrefix(a.Sub, "secrets:show"):
		guard.Reveals(a, "rails secrets")
	case strings.HasPrefix(a.Sub, "credentials:edit"), strings.HasPrefix(a.Sub, "secrets:edit"):
		for _, name := range []string{"EDITOR", "VISUAL"} {
			if editor := invocation.BaseName(a.Env[name]); editor == "cat" || editor == "less" || editor == "more" || editor == "head" || editor == "tail" || editor == "bat" {
				guard.Reveals(a, "rails secrets")
			}
		}
	}
}

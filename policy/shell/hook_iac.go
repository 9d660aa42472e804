package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// terraformLocal reports whether terraform talks to something on this machine that
// stands for Amazon, and to nothing else as far as can be told.
func terraformLocal(a *act, in *command.Reading) bool {
	endpoint := a.Env["AWS_ENDPOINT_URL"]
	switch hostOf(endpoint) {
	case "localhost", "127.0.0.1", "[::1]", "::1", "localstack", "localhost.localstack.cloud":
	default:
		return false
	}
	if !a.setsItself("AWS_ENDPOINT_URL") || a.Remote || a.Sudo || !strings.Contains(endpoint, "://") || unknown(endpoint) || a.Env["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] != "" {
		return false
	}
	for _, target := range in.Values("target") {
		if !strings.HasPrefix(target, "aws_") {
			return false
		}
	}
	return !slices.ContainsFunc(a.Args, isProduction) && !isProduction(a.Env["AWS_PROFILE"]) && !isProduction(a.Env["TF_WORKSPACE"])
}

// setsItself reports whether the command has a variable as an assignment right before
// its name, so that nothing between them can have taken it away.
func (a *act) setsItself(variable string) bool {
	found := false
	for word := range strings.FieldsSeq(a.Text) {
		name, _, assigns := strings.Cut(word, "=")
		if !assigns {
			return found && baseName(word) == a.Name
		}
		found = found || name == variable
	}
	return false
}

// isPlanOfRuin reports whether a plan was made with -destroy before in the text.
func isPlanOfRuin(a *act, in *command.Reading) bool {
	for _, plan := range in.Values("plan") {
		for i := range a.r.reading.Commands {
			c := &a.r.reading.Commands[i]
			if !a.r.pay(1 + len(c.Args)) {
				return true
			}
			if c.Sub != "plan" || !c.Is(command.Builtin().Program("terraform").Names...) {
				continue
			}
			if made := a.reading("terraform", c.Args); made != nil && made.Has("destroy") && slices.Contains(made.Values("out"), plan) {
				return true
			}
		}
	}
	return false
}

// terragruntRuns is terragrunt run -- COMMAND: what it gives to terraform.
func terragruntRuns(a *act, in *command.Reading) {
	if len(in.Values("after")) > 0 && in.Name == "terragrunt" {
		words := []string{"terraform"}
		for _, word := range in.Values("command") {
			if word != "run" && word != "run-all" && word != "stack" {
				words = append(words, word)
			}
		}
		a.argv(append(words, in.Values("after")...))
	}
}

// vagrantShares notes what a command in the machine deletes of the directory that
// it shares with this one.
func vagrantShares(a *act, _ *command.Reading) {
	if !a.r.pay(len(a.r.reading.Effects)) {
		return
	}
	for _, e := range slices.Clip(a.r.reading.Effects) {
		below, ok := strings.CutPrefix(e.Object, "/vagrant")
		if e.Verb == effect.Delete && e.Remote && ok && (below == "" || below[0] == '/') {
			a.deletes(e.Wide, "."+below)
		}
	}
}

// ansibleModule is one module on other machines.
func ansibleModule(a *act, in *command.Reading) {
	module, args := in.Value("module-name"), in.Value("args")
	hosts := in.Value("hosts")
	if hosts == "localhost" || hosts == "127.0.0.1" || in.Value("connection") == "local" {
		a.ansibleHere(module, args)
	}
	switch module[strings.LastIndexByte(module, '.')+1:] {
	case "", "shell", "command", "raw", "script", "win_shell", "win_command":
		if args != "" {
			a.remotely(args)
		}
	case "file":
		var file, state string
		for word := range strings.FieldsSeq(args) {
			name, value, _ := strings.Cut(word, "=")
			switch value = strings.Trim(value, `"'`); name {
			case "path", "dest", "name":
				file = value
			case "state":
				state = value
			}
		}
		if state == "absent" && file != "" {
			a.remotely("rm -rf " + quote(file))
		}
	case "ping", "setup", "debug":
	default:
		a.applies(hosts)
	}
}

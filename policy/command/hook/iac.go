package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// terraformLocal reports whether terraform talks to something on this machine that
// stands for Amazon, and to nothing else as far as can be told.
func terraformLocal(a *invocation.Act, in *command.Reading) bool {
	endpoint := a.Env["AWS_ENDPOINT_URL"]
	switch invocation.HostOf(endpoint) {
	case "localhost", "127.0.0.1", "[::1]", "::1", "localstack", "localhost.localstack.cloud":
	default:
		return false
	}
	if !setsItself(a, "AWS_ENDPOINT_URL") || a.Remote || a.Sudo || !strings.Contains(endpoint, "://") || invocation.Unknown(endpoint) || a.Env["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] != "" {
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
func setsItself(a *invocation.Act, variable string) bool {
	found := false
	for word := range strings.FieldsSeq(a.Text) {
		name, _, assigns := strings.Cut(word, "=")
		if !assigns {
			return found && invocation.BaseName(word) == a.Name
		}
		found = found || name == variable
	}
	return false
}

// isPlanOfRuin reports whether a plan was made with -destroy before in the text.
func isPlanOfRuin(a *invocation.Act, in *command.Reading) bool {
	for _, plan := range in.Values("plan") {
		for i := range a.R.Reading.Commands {
			c := &a.R.Reading.Commands[i]
			if !a.R.Pay(1 + len(c.Args)) {
				return true
			}
			if c.Sub != "plan" || !c.Is(command.Builtin().Program("terraform").Names...) {
				continue
			}
			if made := output.Reading(a, "terraform", c.Args); made != nil && made.Has("destroy") && slices.Contains(made.Values("out"), plan) {
				return true
			}
		}
	}
	return false
}

// vagrantShares notes what a command in the machine deletes of the directory that
// it shares with this one.
func vagrantShares(a *invocation.Act, _ *command.Reading) {
	if !a.R.Pay(len(a.R.Reading.Effects)) {
		return
	}
	for _, e := range slices.Clip(a.R.Reading.Effects) {
		below, ok := strings.CutPrefix(e.Object, "/vagrant")
		if e.Verb == effect.Delete && e.Remote && ok && (below == "" || below[0] == '/') {
			a.DeletesFiles(e.Wide, "."+below)
		}
	}
}

// isProduction reports whether a name says that others use what it names.
func isProduction(name string) bool { return effect.IsProduction(name) }

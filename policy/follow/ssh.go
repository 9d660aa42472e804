package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// SshSettings follows the options of ssh that run a command, and those by which the
// other machine gets variables.
func SshSettings(a *invocation.Act, settings []string) { //nolint:revive // ssh_config(5) is what they are called by
	for _, setting := range settings {
		i := strings.IndexAny(setting, "= \t")
		if i < 0 {
			continue
		}
		value := strings.TrimLeft(setting[i:], "= \t")
		if inner, ok := strings.CutPrefix(value, `"`); ok && (strings.Count(value, `"`)%2 == 0 || !strings.Contains(inner, `"`)) {
			value = strings.TrimSuffix(inner, `"`)
		}
		switch strings.ToLower(setting[:i]) {
		case "proxycommand", "localcommand", "knownhostscommand":
			if value != "none" {
				a.Script(value)
			}
		case "match":
			if _, test, ok := strings.Cut(value, "exec "); ok {
				a.Script(strings.Trim(test, `"`))
			}
		case "sendenv":
			for variable := range strings.FieldsSeq(value) {
				if invocation.IsSecretName(variable) || strings.Contains(variable, "*") && !strings.HasPrefix(variable, "LC_") {
					a.Add(effect.Effect{Verb: effect.Send, Object: "ssh", From: invocation.Environment})
				}
			}
		case "setenv":
			if from := ContentsGiven(a); len(from) > 0 {
				a.Gives("ssh", from)
			}
		}
	}
}

// SentVariables are the variables that settings of ssh give to the command there, as NAME of
// one from here and as NAME=value.
func SentVariables(settings []string) []string {
	var list []string
	for _, setting := range settings {
		name, value, ok := strings.Cut(strings.TrimSpace(setting), "=")
		if i := strings.IndexAny(name, " \t"); i >= 0 || !ok {
			name, value, _ = strings.Cut(strings.TrimSpace(setting), " ")
		}
		switch strings.ToLower(name) {
		case "sendenv", "setenv":
			list = append(list, strings.Fields(strings.Trim(value, `" `))...)
		}
	}
	return list
}

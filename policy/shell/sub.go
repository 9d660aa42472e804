package shell

import "github.com/sluice-project/sluice/policy/command"

// valueFlags are the flags with a value that the usual tools take before their
// subcommand: kubectl --context prod delete.
var valueFlags = map[string][]string{
	"gh": {"R", "repo", "hostname"},
}

// subcommand is that of the command.
func (a *act) subcommand() string {
	f := a.facts()
	if f.described {
		return command.Builtin().Program(f.name).Subcommand(a.invocation(a.Args))
	}
	return subcommand(a.Command, f.values)
}

// subcommand returns the first operand, where the flags have values.
func subcommand(c *Command, values []string) string {
	for i := 0; i < len(c.Args); i++ {
		body, dashes := cutDashes(c.Args[i])
		switch {
		case dashes == 0:
			return c.Args[i]
		case c.Args[i] == "--":
			if i+1 < len(c.Args) {
				return c.Args[i+1]
			}
		case values != nil && takesNext(body, dashes, values):
			i++
		}
	}
	return ""
}

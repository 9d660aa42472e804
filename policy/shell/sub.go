package shell

import "github.com/sluice-project/sluice/policy/command"

// valueFlags are the flags with a value that the usual tools take before their
// subcommand: kubectl --context prod delete.
var valueFlags = map[string][]string{
	"gh": {"R", "repo", "hostname"},
}

// subcommand is that of a command of the program.
func (f *facts) subcommand(c *Command) string {
	if f.described {
		return command.Builtin().Program(f.name).Subcommand(c.Args)
	}
	return subcommand(c, f.values)
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

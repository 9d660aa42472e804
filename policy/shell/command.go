package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// openness says how much of each argument is not known, nil if all are known.
func openness(args []invocation.Arg) []invocation.Openness {
	var open []invocation.Openness
	for i := range args {
		a := &args[i]
		unknown := a.Of != nil && invocation.Unknown(a.As)
		if !unknown && !isWild(a) {
			continue
		}
		if open == nil {
			open = make([]invocation.Openness, len(args))
		}
		if !unknown {
			open[i] = invocation.Names
			continue
		}
		if open[i] = invocation.OneWord; a.Loose || strings.Contains(a.As, "$@") || strings.Contains(a.As, "[@]") {
			open[i] = invocation.AnyWords
		}
	}
	return open
}

// isWild reports whether the shell puts the names of files in the place of an argument. An
// address is none of these, although it may have a question mark.
func isWild(a *invocation.Arg) bool {
	return a.Wild && !strings.Contains(a.As, "://")
}

// enters notes that cd has gone where it was told to. Without a word, and with one
// that is empty, it goes elsewhere and says that all is well.
func enters(a *invocation.Act, dir string) {
	if a.Name != "cd" || len(a.Args) != 1 || a.Args[0] == "" || a.Args[0] != output.MadeTemp && strings.ContainsAny(a.Text, "$`") {
		return
	}
	if _, set := a.R.Scope.Vars["CDPATH"]; !set && a.Env["CDPATH"] == "" {
		hook.Sure(a, invocation.Entered, dir)
	}
}

// subcommandOf is that of the command.
func subcommandOf(a *invocation.Act) string {
	if own := a.R.Set.Programs.Own(a.Name); own != nil {
		return own.Subcommand(output.Invocation(a, a.Args))
	}
	f := a.Facts()
	if f.Described {
		return command.Builtin().Program(f.Name).Subcommand(output.Invocation(a, a.Args))
	}
	return subcommand(a.Command, nil)
}

// exportedTo are the variables that the command is given by what ran before, and those that
// its descriptions take for options of which it is not sure.
func exportedTo(a *invocation.Act) map[string]string {
	exported := a.Exported()
	add := func(p *command.Program) {
		for _, name := range p.Variables() {
			value, set := a.Variable(name)
			_, own := a.Env[name]
			if _, known := exported[name]; own || known || !set || value == "" || a.Lacks(name) {
				continue
			}
			if exported == nil {
				exported = map[string]string{}
			}
			if exported[name] = value; value == "?" {
				exported[name] = "$" + name
			}
		}
	}
	if own := a.R.Set.Programs.Own(a.Name); own != nil {
		add(own)
	}
	if f := a.Facts(); f.Described {
		add(command.Builtin().Program(f.Name))
	}
	return exported
}

// subcommand returns the first operand, where the flags have values.
func subcommand(c *invocation.Command, values []string) string {
	for i := 0; i < len(c.Args); i++ {
		body, dashes := invocation.CutDashes(c.Args[i])
		switch {
		case dashes == 0:
			return c.Args[i]
		case c.Args[i] == "--":
			if i+1 < len(c.Args) {
				return c.Args[i+1]
			}
		case values != nil && invocation.TakesNext(body, dashes, values):
			i++
		}
	}
	return ""
}

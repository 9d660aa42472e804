package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// described is what a program of the catalogue does.
func described(name string) verb {
	return func(a *act) { a.resolve(command.Builtin().Program(name)) }
}

// resolve reads the command with the description of its program.
func (a *act) resolve(p *command.Program) {
	p.Resolve(a.invocation(a.Args), describedAct{a})
}

// invocation is the command with some arguments, for those who read descriptions.
func (a *act) invocation(args []string) *command.Invocation {
	return &command.Invocation{Name: a.Name, Args: args, Listed: a.isListed, More: a.More, Env: a.setVariable}
}

// reading is a command line by the description of a program, nil if it does not say
// what the command line is.
func (a *act) reading(program string, args []string) *command.Reading {
	return command.Builtin().Program(program).Read(a.invocation(args))
}

// isListed reports whether the shell makes any number of words of an argument: a
// wildcard, or what another command prints.
func (a *act) isListed(i int) bool {
	if i >= len(a.args) {
		return false
	}
	given := &a.args[i]
	return !given.quoted && strings.ContainsAny(given.as, "*?[`") || !given.quoted && strings.Contains(given.as, "$(")
}

// describedAct passes on what the description of a program says that it does.
type describedAct struct{ *act }

var _ command.Host = describedAct{}

func (d describedAct) Effect(e effect.Effect) { d.add(e) }

func (d describedAct) File(kind command.Kind, path string) {
	switch kind {
	case command.Read:
		d.reads(path)
	case command.Write:
		d.writes(path)
	case command.Delete:
		d.deletes(false, path)
	case command.DeleteTree:
		d.deletes(true, path)
	default:
	}
}

func (d describedAct) Run(kind command.Kind, words []string) {
	switch kind {
	case command.Shell:
		for _, text := range words {
			d.script(text)
		}
	case command.RemoteShell:
		for _, text := range words {
			d.remotely(text)
		}
	case command.Argv:
		d.argv(words)
	case command.RemoteArgv:
		d.remotely(quoted(words))
	case command.SQL:
		for _, text := range words {
			d.sql(text, standardSQL)
		}
	case command.Script:
		for _, file := range words {
			d.argv([]string{"sh", file})
		}
	default:
	}
}

func (d describedAct) Hook(name string, in *command.Reading) { hooks[name](d.act, in) }

func (d describedAct) Context(name string, in *command.Reading) bool {
	return contexts[name](d.act, in)
}

// Unknown: with a subcommand that is not described a program is as good as unknown.
func (d describedAct) Unknown(what string) {
	d.doubt(what)
	if what == command.UnknownSubcommand {
		d.r.stranger(d.act)
	}
}

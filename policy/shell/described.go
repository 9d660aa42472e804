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
	in := command.Invocation{Name: a.Name, Args: a.Args, Listed: a.isListed, More: a.More, Env: a.setVariable}
	p.Resolve(&in, describedAct{a})
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

// hooks are what descriptions cannot say by themselves.
var hooks = map[string]func(a *act, in *command.Reading){
	"install-from": func(a *act, in *command.Reading) { a.installsFrom(in.Name+" plugin", in.Value("source")) },
}

// contexts are facts about where a program runs.
var contexts = map[string]func(a *act, in *command.Reading) bool{
	"local-cluster": func(a *act, _ *command.Reading) bool { return kubeSpare(a, "") },
}

func (d describedAct) Hook(name string, in *command.Reading) { hooks[name](d.act, in) }

func (d describedAct) Context(name string, in *command.Reading) bool {
	return contexts[name](d.act, in)
}

func (d describedAct) Unknown(what string) { d.doubt(what) }

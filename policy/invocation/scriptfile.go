package invocation

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// Runs notes that a program runs a file in its own language. It returns what is
// in it, if that is known.
func (a *Act) Runs(file string) string {
	content, known := a.FileGiven(file)
	switch {
	case known:
	case file == "-" || file == "/dev/stdin":
		a.Doubt(Pipe)
	case !IsNoFile(file) && a.madeAs(file) == nil:
		a.Does(effect.Run, a.Path(file))
	}
	return content
}

// FileGiven is what is in a file that the command is given, as far as it is known: the input, what
// the shell made of a command, or what the conversation wrote. What was fetched runs.
func (a *Act) FileGiven(file string) (content string, known bool) {
	made := a.madeAs(file)
	if file == "-" || file == "/dev/stdin" || file == "/dev/fd/0" {
		made = &a.In
	}
	switch {
	case IsNoFile(file) && made == nil:
		return "", false
	case made == nil:
		return a.File(file)
	case made.Remote != "":
		a.Does(effect.RunRemote, made.Remote)
	}
	return made.Text, made.Known || made.Remote != ""
}

// madeAs is what is in a file that the shell makes of a command's output: <(command).
func (a *Act) madeAs(file string) *Flow {
	for i := range a.Mixture() {
		if made := a.Words()[i].Made; made != nil && i < len(a.Args) && file != "" && strings.HasSuffix(a.Args[i], file) {
			return made
		}
	}
	return nil
}

// Names tells a script its own name, by which it finds others beside it: $0, unless it is
// sourced, and BASH_SOURCE. What it returns takes that back.
func (s *Scope) Names(script string, sourced bool) (back func()) {
	if script == "" || Unknown(script) {
		return func() {}
	}
	variables := []string{"BASH_SOURCE", "0"}
	if sourced {
		variables = variables[:1]
	}
	before := make([]Value, len(variables))
	known := make([]bool, len(variables))
	for i, name := range variables {
		before[i], known[i] = s.Vars[name]
		s.Set(name, Literal(script))
	}
	return func() {
		for i, name := range variables {
			if known[i] {
				s.Vars[name] = before[i]
			} else {
				delete(s.Vars, name)
			}
		}
	}
}

// File is what is known of a file that the conversation wrote, for programs that
// run scripts of their own.
func (a *Act) File(p string) (content string, known bool) {
	f := a.R.File(a.Path(p))
	if f == nil {
		return "", false
	}
	if f.Remote != "" {
		a.Does(effect.RunRemote, f.Remote)
	}
	return f.Content, f.Known
}

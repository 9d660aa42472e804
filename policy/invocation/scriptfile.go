package invocation

import (
	"github.com/sluice-project/sluice/policy/effect"
)

// Runs notes that a program runs a file in its own language. It returns what is
// in it, if that is known.
func (a *Act) Runs(file string) string {
	if file == "-" || file == "/dev/stdin" {
		switch {
		case a.In.Remote != "":
			a.Does(effect.RunRemote, a.In.Remote)
		case !a.In.Known:
			a.Doubt(Pipe)
		}
		return a.In.Text
	}
	if IsNoFile(file) {
		return ""
	}
	content, known := a.File(file)
	if !known {
		a.Does(effect.Run, a.Path(file))
	}
	return content
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

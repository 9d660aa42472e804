package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// eval reads the text that eval makes of its arguments.
func (r *reader) eval(a *invocation.Act) invocation.Flow {
	for i := range a.Words() {
		w := &a.Words()[i]
		switch {
		case w.Remote != "":
			a.Does(effect.RunRemote, w.Remote)
		case w.Hidden != "":
			a.Does(effect.RunHidden, w.Hidden)
		}
	}
	script := ownHomes.Replace(strings.Join(a.Args, " "))
	if invocation.Unknown(script) {
		r.Mark(invocation.Eval)
	}
	return r.Inner(script, a.Origin(), a.In)
}

// ownHomes are the ways to ask for the home directory of whoever asks.
var ownHomes = strings.NewReplacer("~$USER", "~", "~${USER}", "~", "~$LOGNAME", "~", "~${LOGNAME}", "~", "~$(whoami)", "~", "~$(id -un)", "~", "~`whoami`", "~")

// source reads a file in the shell itself.
func (r *reader) source(a *invocation.Act) invocation.Flow {
	at := 0 // options, which the builtin does not have, stand before the file
	for at < len(a.Args)-1 && len(a.Args[at]) > 1 && a.Args[at][0] == '-' {
		at++
	}
	if at >= len(a.Args) {
		return invocation.Flow{}
	}
	if made := a.Words()[at].Made; made != nil {
		output.Loads(&r.Reader, &a.Words()[at])
		if !made.Known && made.Remote == "" && made.Hidden == "" { // source <(kubectl completion bash)
			r.Mark(invocation.Source)
			return invocation.Flow{}
		}
		a.In = *made
		return r.RunInput(a)
	}
	if invocation.IsNoFile(a.Args[at]) {
		return r.RunInput(a)
	}
	follow.Described(a, a.Args[at], a.Args[at+1:])
	p := a.Path(a.Args[at])
	r.Sourced = invocation.With(r.Sourced, p)
	f := r.File(p)
	if f == nil || !f.Known {
		r.Mark(invocation.Source)
	}
	out := follow.RunFile(&r.Reader, a, p)
	if output.Traces(&r.Reader) {
		a.Does(effect.Read, p)
		r.Heard = invocation.With(r.Heard, p)
	}
	return out
}

// alias notes aliases. They are read at once, in case they are used elsewhere.
func (r *reader) alias(a *invocation.Act) {
	for _, arg := range a.Operands() {
		name, script, ok := strings.Cut(arg, "=")
		if !ok {
			continue
		}
		if r.Scope.Aliases == nil {
			r.Scope.Aliases = map[string]string{}
		}
		if len(r.Scope.Aliases) < invocation.MostNames && !slices.Contains(r.Active, name) {
			r.Active = append(r.Active, name)
			a.Script(script)
			r.Active = r.Active[:len(r.Active)-1]
			r.Scope.Aliases[name] = script
		}
	}
}

// positional reads set -- a b.
func (r *reader) positional(a *invocation.Act) {
	if i := slices.Index(a.Args, "--"); i >= 0 {
		r.Scope.Params = follow.Values(a.Words()[i+1:])
		return
	}
	if len(a.Args) >= 2 && !strings.HasPrefix(a.Args[0], "-") && !strings.HasPrefix(a.Args[0], "+") {
		r.Scope.Params = follow.Values(a.Words())
		r.Scope.Set(a.Args[0], a.Words()[1]) // as fish has it
		return
	}
	for i, arg := range a.Args { // fish: set -gx NAME value
		if !strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "+") {
			if i > 0 && i+1 < len(a.Args) && arg != "" && !invocation.IsDigits(arg) {
				r.Scope.Set(arg, a.Words()[i+1])
				if strings.Contains(a.Args[0], "x") {
					a.Add(effect.Effect{Verb: effect.SetVariable, Object: arg, From: a.Args[i+1]})
				}
			}
			return
		}
	}
}

// input reads the input into variables.
func (r *reader) input(a *invocation.Act) {
	names := a.Operands("p", "d", "n", "N", "u", "i", "a", "O", "s", "c", "C")
	if a.Name == "read" {
		names = a.Operands("p", "d", "t", "n", "N", "u", "i", "a")
	}
	if array := a.Flag("a"); array != "" {
		names = append(names, array)
	}
	v := invocation.Value{Sources: a.In.Sources, Shows: a.In.Shows, Remote: a.In.Remote, Hidden: a.In.Hidden}
	switch {
	case a.In.Known:
		for _, line := range fileops.Lines(a.In.Text) {
			if len(v.Texts) < invocation.MostTexts {
				v.Texts = append(v.Texts, invocation.Text{As: line, Bare: line})
			}
		}
	case len(a.In.Roots) > 0:
		for _, root := range a.In.Roots {
			v.Texts = append(v.Texts, invocation.Text{As: root, Bare: root})
		}
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	fields := []string(nil)
	if len(v.Texts) == 1 && len(names) > 1 {
		fields = strings.Fields(v.Texts[0].As)
	}
	for i, name := range names {
		if guard.IsEnvironmentName(name) {
			a.Add(effect.Effect{Verb: effect.SetVariable, Object: name})
		}
		switch {
		case fields != nil && i < len(fields):
			field := invocation.Literal(fields[i])
			if i == len(names)-1 {
				field = invocation.Literal(strings.Join(fields[i:], " "))
			}
			r.Scope.Set(name, field)
		case len(v.Texts) == 0:
			made := invocation.Open("$" + name)
			if made.Taint(&v); i == 0 && len(names) > 1 && strings.Contains(a.Env["IFS"], "=") {
				made.Shows = nil // IFS== read name value
			}
			r.Scope.Set(name, made)
		default:
			r.Scope.Set(name, v)
		}
		if a.Name != "read" {
			elements := make([]invocation.Value, len(v.Texts))
			for i, t := range v.Texts {
				elements[i] = invocation.Value{Texts: []invocation.Text{t}, Sources: v.Sources, Shows: v.Shows, Remote: v.Remote}
			}
			if len(elements) > 0 {
				r.array(name, elements, false)
			}
		}
	}
}

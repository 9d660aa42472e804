package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// eval reads the text that eval makes of its arguments.
func (r *reader) eval(a *act) flow {
	for i := range a.words() {
		w := &a.words()[i]
		switch {
		case w.remote != "":
			a.does(effect.RunRemote, w.remote)
		case w.hidden != "":
			a.does(effect.RunHidden, w.hidden)
		}
	}
	script := ownHomes.Replace(strings.Join(a.Args, " "))
	if unknown(script) {
		r.mark(Eval)
	}
	return r.inner(script, a.origin(), a.in)
}

// ownHomes are the ways to ask for the home directory of whoever asks.
var ownHomes = strings.NewReplacer("~$USER", "~", "~${USER}", "~", "~$LOGNAME", "~", "~${LOGNAME}", "~", "~$(whoami)", "~", "~$(id -un)", "~", "~`whoami`", "~")

// source reads a file in the shell itself.
func (r *reader) source(a *act) flow {
	at := 0 // options, which the builtin does not have, stand before the file
	for at < len(a.Args)-1 && len(a.Args[at]) > 1 && a.Args[at][0] == '-' {
		at++
	}
	if at >= len(a.Args) {
		return flow{}
	}
	if made := a.words()[at].made; made != nil {
		r.loads(&a.words()[at])
		if !made.known && made.remote == "" && made.hidden == "" { // source <(kubectl completion bash)
			r.mark(Source)
			return flow{}
		}
		a.in = *made
		return r.runInput(a)
	}
	if isNoFile(a.Args[at]) {
		return r.runInput(a)
	}
	p := a.path(a.Args[at])
	r.sourced = with(r.sourced, p)
	f := r.file(p)
	if f == nil || !f.Known {
		r.mark(Source)
	}
	out := r.runFile(a, p)
	if r.traces() {
		a.does(effect.Read, p)
		r.heard = with(r.heard, p)
	}
	return out
}

// alias notes aliases. They are read at once, in case they are used elsewhere.
func (r *reader) alias(a *act) {
	for _, arg := range a.Operands() {
		name, script, ok := strings.Cut(arg, "=")
		if !ok {
			continue
		}
		if r.scope.aliases == nil {
			r.scope.aliases = map[string]string{}
		}
		if len(r.scope.aliases) < mostNames && !slices.Contains(r.active, name) {
			r.active = append(r.active, name)
			a.script(script)
			r.active = r.active[:len(r.active)-1]
			r.scope.aliases[name] = script
		}
	}
}

// positional reads set -- a b.
func (r *reader) positional(a *act) {
	if i := slices.Index(a.Args, "--"); i >= 0 {
		r.scope.params = values(a.words()[i+1:])
		return
	}
	if len(a.Args) >= 2 && !strings.HasPrefix(a.Args[0], "-") && !strings.HasPrefix(a.Args[0], "+") {
		r.scope.params = values(a.words())
		r.scope.set(a.Args[0], a.words()[1]) // as fish has it
		return
	}
	for i, arg := range a.Args { // fish: set -gx NAME value
		if !strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "+") {
			if i > 0 && i+1 < len(a.Args) && arg != "" && !isDigits(arg) {
				r.scope.set(arg, a.words()[i+1])
				if strings.Contains(a.Args[0], "x") {
					a.add(effect.Effect{Verb: effect.SetVariable, Object: arg, From: a.Args[i+1]})
				}
			}
			return
		}
	}
}

// input reads the input into variables.
func (r *reader) input(a *act) {
	names := a.Operands("p", "d", "n", "N", "u", "i", "a", "O", "s", "c", "C")
	if a.Name == "read" {
		names = a.Operands("p", "d", "t", "n", "N", "u", "i", "a")
	}
	if array := a.Flag("a"); array != "" {
		names = append(names, array)
	}
	v := value{sources: a.in.sources, shows: a.in.shows, remote: a.in.remote, hidden: a.in.hidden}
	switch {
	case a.in.known:
		for _, line := range lines(a.in.text) {
			if len(v.texts) < mostTexts {
				v.texts = append(v.texts, text{line, line})
			}
		}
	case len(a.in.roots) > 0:
		for _, root := range a.in.roots {
			v.texts = append(v.texts, text{root, root})
		}
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	fields := []string(nil)
	if len(v.texts) == 1 && len(names) > 1 {
		fields = strings.Fields(v.texts[0].as)
	}
	for i, name := range names {
		if isEnvironmentName(name) {
			a.add(effect.Effect{Verb: effect.SetVariable, Object: name})
		}
		switch {
		case fields != nil && i < len(fields):
			field := literal(fields[i])
			if i == len(names)-1 {
				field = literal(strings.Join(fields[i:], " "))
			}
			r.scope.set(name, field)
		case len(v.texts) == 0:
			made := open("$" + name)
			if made.taint(&v); i == 0 && len(names) > 1 && strings.Contains(a.Env["IFS"], "=") {
				made.shows = nil // IFS== read name value
			}
			r.scope.set(name, made)
		default:
			r.scope.set(name, v)
		}
		if a.Name != "read" {
			elements := make([]value, len(v.texts))
			for i, t := range v.texts {
				elements[i] = value{texts: []text{t}, sources: v.sources, shows: v.shows, remote: v.remote}
			}
			if len(elements) > 0 {
				r.array(name, elements, false)
			}
		}
	}
}

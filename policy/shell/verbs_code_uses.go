package shell

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
)

// uses notes what a program in a language other than the shell's does.
func (a *act) uses(in *interpreter, u *library.Use) {
	switch u.What {
	case library.Shell, library.Argv:
		a.commandIn(u)
	case library.DeleteFile:
		switch {
		case a.certain(u):
			p := u.Text
			if !u.Recursive && (p == "*" || strings.HasSuffix(p, "/*")) && !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "~") { // one by one, and mostly chosen
				p = strings.TrimSuffix(p, "*") + someOf
			}
			a.deletes(u.Recursive, p)
		case !isAllUnknown(u.Text):
		case a.in.known: // what comes in may name them
			a.deletes(u.Recursive, strings.Fields(a.in.text[:min(len(a.in.text), mostStatement)])...)
		default: // or list them
			a.deletes(true, a.few(a.in.roots)...)
		}
	case library.WriteFile:
		a.writesFrom(u)
	case library.ReadFile:
		switch {
		case !a.certain(u):
		case u.Recursive:
			a.looks(true, u.Text)
		default:
			a.reads(u.Text)
		}
	case library.Mode:
		if a.certain(u) {
			a.mode(u.Text, strings.TrimPrefix(u.Content, "0o"), false)
		}
	case library.RunFile:
		if a.certain(u) {
			a.programFile(in, u.Text, nil)
		}
	case library.Fetch:
		if from := a.toldBy(u.Text); len(from) > 0 {
			a.gives(knownHost(u.Text), from)
			return
		}
		a.does(effect.Fetch, u.Text)
	case library.Send:
		a.sends(u)
	case library.Connect:
		a.does(effect.Connect, u.Text)
	case library.Listen:
		if u.Dir == "" {
			a.does(effect.Listen, u.Text)
		} else {
			a.add(effect.Effect{Verb: effect.Listen, Object: u.Text, From: a.path(u.Dir), Wide: true})
		}
	case library.ReverseShell:
		a.does(effect.ReverseShell, u.Text)
	case library.Eval:
		switch {
		case u.Text != "":
			a.does(effect.RunRemote, u.Text)
		case u.Hidden != "":
			a.does(effect.RunHidden, "eval in "+in.name())
		default:
			a.evalInput(in)
		}
	case library.Kill:
		a.does(effect.Kill, u.Text)
	case library.Exhaust:
		a.does(effect.Exhaust, "fork bomb")
	case library.Query:
		if !isScratch(u.To) {
			a.sql(u.Text, standardSQL)
		}
	case library.Destroy:
		a.add(effect.Effect{Verb: effect.Destroy, Object: u.Text, Wide: u.Recursive})
	case library.Env: // matters where it goes: Send names it
	case library.Unread:
		a.doubt(Long)
	}
}

// evalInput reads a text that is run and that nobody knows: what comes in by the
// input may be it.
func (a *act) evalInput(in *interpreter) {
	from := a.in
	a.in = flow{}
	switch {
	case from.remote != "":
		a.does(effect.RunRemote, from.remote)
	case from.known:
		a.program(in, from.text, -1, nil)
	case from.hidden != "":
		a.does(effect.RunHidden, from.hidden)
	default:
		a.runsVariable()
	}
	a.in = from
	a.doubt(Eval)
}

// runsVariable notes that a program runs what the shell put into a variable for it,
// where that was fetched or decoded.
func (a *act) runsVariable() {
	for _, name := range slices.Sorted(maps.Keys(a.r.scope.vars)) {
		v := a.r.scope.vars[name]
		if v.remote == "" && v.hidden == "" || !a.says(name) {
			continue
		}
		if v.remote != "" {
			a.does(effect.RunRemote, v.remote)
		} else {
			a.does(effect.RunHidden, v.hidden)
		}
	}
	for _, name := range sortedNames(a.Env) {
		if value := a.Env[name]; strings.Contains(value, "$(") && a.says(name) {
			a.does(effect.RunHidden, "variable "+name)
		}
	}
}

// says reports whether the program that a command was given names something.
func (a *act) says(name string) bool {
	return strings.Contains(a.in.text, name) || slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, name) })
}

func (in *interpreter) name() string { return in.language.String() }

// certain reports whether a use is known, and notes a doubt if it is not.
func (a *act) certain(u *library.Use) bool {
	if !u.Known {
		a.doubt(Path)
	}
	return u.Known
}

// commandIn reads a command that a program runs. What is not known in it is no
// empty variable.
func (a *act) commandIn(u *library.Use) {
	if !u.Known && u.Hidden != "" {
		a.does(effect.RunHidden, u.Hidden)
	}
	if !u.Known && u.What == library.Shell && isAllUnknown(u.Text) {
		a.runsVariable()
	}
	outer := a.r.scope
	defer func() { a.r.scope = outer }()
	if len(u.Names) > 0 && !u.Known || u.Dir != "" {
		if !a.r.pay(outer.size() + stepCost) {
			a.doubt(Nesting)
			return
		}
		in := a.r.sub(outer)
		for _, name := range u.Names {
			in.set(name, firm("${"+name+"}"))
		}
		if u.Dir != "" {
			in.at.Cwd, in.dir = a.path(u.Dir), u.Dir
		}
		a.r.scope = in
	}
	if !u.Known {
		a.doubt(Variable)
		a.commandFrom(u)
	}
	if u.What == library.Argv {
		a.argv(u.Args)
	} else {
		a.script(u.Text)
	}
}

// commandFrom reads a command of which nothing is known but where it comes from:
// a file that was written before, or the input.
func (a *act) commandFrom(u *library.Use) {
	for _, from := range u.From {
		if from == library.Environment {
			continue
		}
		if content, _ := a.file(from); content != "" {
			a.script(content)
		}
	}
	if u.What != library.Shell || !isAllUnknown(u.Text) || !a.in.piped {
		return
	}
	switch from := a.in; {
	case from.remote != "":
		a.does(effect.RunRemote, from.remote)
	case from.known:
		a.in = flow{}
		a.script(from.text)
		a.in = from
	case from.hidden != "":
		a.does(effect.RunHidden, from.hidden)
	}
}

// isAllUnknown reports whether nothing of a text is known.
func isAllUnknown(text string) bool {
	return strings.HasPrefix(text, "${") && strings.IndexByte(text, '}') == len(text)-1
}

// variable is the value of a variable that a program is given.
func (a *act) variable(name string) (string, bool) {
	if s, ok := a.Env[name]; ok {
		return s, !unknown(s)
	}
	if v, ok := a.r.scope.vars[name]; ok && len(v.sources) == 0 {
		return v.known()
	}
	return "", false
}

// writesFrom notes a file that a program writes, with where it comes from.
func (a *act) writesFrom(u *library.Use) {
	if !a.certain(u) || isNoFile(u.Text) {
		return
	}
	e := effect.Effect{Verb: effect.Write, Object: a.path(u.Text), Content: u.Content}
	if len(u.From) == 0 {
		a.add(e)
		return
	}
	for _, from := range u.From {
		e.From = a.place(from)
		if e.From != e.Object {
			a.add(e)
		} else {
			a.does(effect.Write, e.Object)
		}
	}
}

// place is a source: a path, an address, or the environment.
func (a *act) place(from string) string {
	if from == library.Environment || strings.Contains(from, "://") || unknown(from) {
		return from
	}
	return a.path(from)
}

// sends notes that a program gives something away: what it read, or what came
// in by its input.
func (a *act) sends(u *library.Use) {
	sources := u.From
	if a.in.piped && !a.in.known {
		sources = merge(sources, a.in.sources)
	}
	for i := range a.mixture() {
		sources = merge(sources, a.words()[i].sources)
	}
	variables := slices.DeleteFunc(slices.Clone(sources), func(s string) bool { return !strings.HasPrefix(s, "$") })
	files := slices.DeleteFunc(slices.Clone(sources), func(s string) bool { return strings.HasPrefix(s, "$") })
	files = merge(files, a.toldBy(u.Text))
	to := knownHost(u.Text)
	if len(files) == 0 {
		a.gives(to, variables)
		return
	}
	for _, from := range files {
		a.add(effect.Effect{Verb: effect.Send, Object: to, From: a.place(from)})
	}
}

// toldBy are the files in variables of the shell that a program puts into an
// address.
func (a *act) toldBy(address string) []string {
	if !strings.Contains(address, "$") {
		return nil
	}
	var from []string
	for _, name := range variablesIn(address) {
		if v, ok := a.r.scope.vars[name]; ok {
			from = merge(from, v.sources)
		}
	}
	return from
}

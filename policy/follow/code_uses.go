package follow

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/library"
)

// readUse notes what a program in a language other than the shell's does.
func readUse(a *invocation.Act, in *interpreter, u *library.Use) {
	switch u.What {
	case library.Shell, library.Argv:
		commandIn(a, u)
	case library.DeleteFile:
		switch {
		case certain(a, u):
			p := u.Text
			if !u.Recursive && (p == "*" || strings.HasSuffix(p, "/*")) && !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "~") { // one by one, and mostly chosen
				p = strings.TrimSuffix(p, "*") + SomeOf
			}
			a.DeletesFiles(u.Recursive, p)
		case !isAllUnknown(u.Text):
		case a.In.Known: // what comes in may name them
			a.DeletesFiles(u.Recursive, strings.Fields(a.In.Text[:min(len(a.In.Text), MostStatement)])...)
		default: // or list them
			a.DeletesFiles(true, Few(a, a.In.Roots)...)
		}
	case library.WriteFile:
		writesFrom(a, u)
	case library.ReadFile:
		switch {
		case !certain(a, u):
		case u.Recursive:
			a.Looks(true, u.Text)
		default:
			ReadsFiles(a, u.Text)
		}
	case library.Mode:
		if certain(a, u) {
			if u.Content == "" {
				u.Content = "$mode"
			}
			if invocation.Unknown(u.Content) {
				a.Doubt(invocation.Variable)
			}
			Mode(a, u.Text, strings.TrimPrefix(u.Content, "0o"), false)
		}
	case library.RunFile:
		if certain(a, u) {
			programFile(a, in, u.Text, nil)
		}
	case library.Fetch:
		if from := toldBy(a, u.Text); len(from) > 0 {
			a.Gives(invocation.KnownHost(u.Text), from)
			return
		}
		a.Does(effect.Fetch, u.Text)
	case library.Send:
		sends(a, u)
	case library.Connect:
		a.Does(effect.Connect, u.Text)
	case library.Listen:
		if u.Dir == "" {
			a.Does(effect.Listen, u.Text)
		} else {
			serves(a, u.Text, u.Dir)
		}
	case library.ReverseShell:
		a.Does(effect.ReverseShell, u.Text)
	case library.Eval:
		switch {
		case u.Text != "":
			a.Does(effect.RunRemote, u.Text)
		case u.Hidden != "":
			a.Does(effect.RunHidden, "eval in "+in.language.String())
		default:
			evalInput(a, in)
		}
	case library.Kill:
		a.Does(effect.Kill, u.Text)
	case library.Exhaust:
		a.Does(effect.Exhaust, "fork bomb")
	case library.Query:
		if !isScratch(u.To) {
			a.SQL(u.Text, invocation.StandardSQL)
		}
	case library.Destroy:
		a.Add(effect.Effect{Verb: effect.Destroy, Object: u.Text, Wide: u.Recursive})
	case library.Apply:
		a.Does(effect.Apply, u.Text)
	case library.Print:
	case library.Env: // matters where it goes: Send names it
	case library.Unread:
		a.Doubt(invocation.Long)
	}
}

// evalInput reads a text that is run and that nobody knows: what comes in by the
// input may be it.
func evalInput(a *invocation.Act, in *interpreter) {
	if !runsInput(a, func(text string) { Program(a, in, text, -1, nil) }) {
		runsVariable(a)
	}
	a.Doubt(invocation.Eval)
}

// runsInput runs what comes in by the input, and reports whether something is known of that.
func runsInput(a *invocation.Act, run func(text string)) bool {
	from := a.In
	a.In = invocation.Flow{}
	defer func() { a.In = from }()
	switch {
	case from.Remote != "":
		a.Does(effect.RunRemote, from.Remote)
	case from.Known:
		run(from.Text)
	case from.Hidden != "":
		a.Does(effect.RunHidden, from.Hidden)
	default:
		return false
	}
	return true
}

// runsVariable notes that a program runs what the shell put into a variable for it,
// where that was fetched or decoded.
func runsVariable(a *invocation.Act) {
	for _, name := range slices.Sorted(maps.Keys(a.R.Scope.Vars)) {
		v := a.R.Scope.Vars[name]
		if v.Remote == "" && v.Hidden == "" || !says(a, name) {
			continue
		}
		if v.Remote != "" {
			a.Does(effect.RunRemote, v.Remote)
		} else {
			a.Does(effect.RunHidden, v.Hidden)
		}
	}
	for _, name := range SortedNames(a.Env) {
		if value := a.Env[name]; strings.Contains(value, "$(") && says(a, name) {
			a.Does(effect.RunHidden, "variable "+name)
		}
	}
}

// says reports whether the program that a command was given names something.
func says(a *invocation.Act, name string) bool {
	return strings.Contains(a.In.Text, name) || slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, name) })
}

// certain reports whether a use is known, and notes a doubt if it is not.
func certain(a *invocation.Act, u *library.Use) bool {
	if !u.Known {
		a.Doubt(invocation.Path)
	}
	return u.Known
}

// commandIn reads a command that a program runs. What is not known in it is no
// empty variable.
func commandIn(a *invocation.Act, u *library.Use) {
	if !u.Known && u.Hidden != "" {
		a.Does(effect.RunHidden, u.Hidden)
	}
	if !u.Known && u.What == library.Shell && isAllUnknown(u.Text) {
		runsVariable(a)
	}
	outer := a.R.Scope
	defer func() { a.R.Scope = outer }()
	if len(u.Names) > 0 && !u.Known || u.Dir != "" {
		if !a.R.Pay(outer.Size() + invocation.StepCost) {
			a.Doubt(invocation.Nesting)
			return
		}
		in := a.R.Sub(outer)
		for _, name := range u.Names {
			v := Firm("${" + name + "}")
			if of := madeFrom(a, u); of != nil {
				v.Taint(of)
			}
			in.Set(name, v)
		}
		if u.Dir != "" {
			in.At.Cwd, in.Dir = a.Path(u.Dir), u.Dir
		}
		a.R.Scope = in
	}
	if !u.Known {
		a.Doubt(invocation.Variable)
		commandFrom(a, u)
	}
	if u.What == library.Argv {
		from := a.Origin()
		from.Of = madeFrom(a, u)
		a.R.Shell.Argv(u.Args, from, a.In)
	} else {
		a.Script(u.Text)
	}
}

// madeFrom is what the unknown parts of a command were made from that a program runs, nil if
// nothing is known of that. A variable of the environment is known by its name.
func madeFrom(a *invocation.Act, u *library.Use) *invocation.Value {
	if u.Known {
		return nil
	}
	ofEnvironment := slices.ContainsFunc(append(invocation.VariablesIn(u.Text), invocation.VariablesIn(strings.Join(u.Args, " "))...), func(name string) bool {
		return name == strings.ToUpper(name)
	})
	var sources []string
	for _, from := range u.From {
		if !strings.HasPrefix(from, "$") && (from != library.Environment || !ofEnvironment) && !strings.Contains(from, "://") && !isAllUnknown(from) {
			sources = invocation.With(sources, Place(a, from))
		}
	}
	if len(sources) == 0 {
		return nil
	}
	return &invocation.Value{Sources: sources}
}

// feeding are words of programs by which they give commands that they run an input.
var feeding = []string{"input=", "input =", "stdin", "communicate(", "popen", "proc_open", "input:", `"|`, "'|"}

// feeds gives the commands that a program runs the files that it reads as their input, where
// it has a way to do that: which of them it gives them is not known.
func feeds(a *invocation.Act, text string, uses []library.Use) {
	if !invocation.ContainsAny(text, feeding) {
		return
	}
	for _, from := range readBefore(uses) {
		if from != invocation.Environment {
			a.In.Piped, a.In.Known = true, false
			a.In.Sources = invocation.With(a.In.Sources, Place(a, from))
		}
	}
}

// commandFrom reads a command of which nothing is known but where it comes from:
// a file that was written before, or the input.
func commandFrom(a *invocation.Act, u *library.Use) {
	for _, from := range u.From {
		if from == library.Environment {
			continue
		}
		if content, _ := a.File(from); content != "" {
			a.Script(content)
		}
	}
	if u.What == library.Shell && isAllUnknown(u.Text) && a.In.Piped {
		runsInput(a, a.Script)
	}
}

// isAllUnknown reports whether nothing of a text is known.
func isAllUnknown(text string) bool {
	return strings.HasPrefix(text, "${") && strings.IndexByte(text, '}') == len(text)-1
}

// writesFrom notes a file that a program writes, with where it comes from.
func writesFrom(a *invocation.Act, u *library.Use) {
	if !certain(a, u) || invocation.IsNoFile(u.Text) {
		return
	}
	e := effect.Effect{Verb: effect.Write, Object: a.Path(u.Text), Content: u.Content}
	if taken := a.Taken(); len(u.From) == 0 && u.Content == "" && len(taken) > 0 && !invocation.IsDevice(u.Text) { // it can come from all that was read
		a.PutAll(u.Text, "", taken)
		return
	}
	if len(u.From) == 0 {
		a.Add(e)
		return
	}
	for _, from := range u.From {
		e.From = Place(a, from)
		if e.From != e.Object {
			a.Add(e)
		} else {
			a.Does(effect.Write, e.Object)
		}
	}
}

// Place is a source: a path, an address, or the environment.
func Place(a *invocation.Act, from string) string {
	if from == library.Environment || strings.Contains(from, "://") || invocation.Unknown(from) {
		return from
	}
	return a.Path(from)
}

// sends notes that a program gives something away: what it read, or what came
// in by its input.
func sends(a *invocation.Act, u *library.Use) {
	sources := u.From
	if a.In.Piped && !a.In.Known {
		sources = invocation.Merge(sources, a.In.Sources)
	}
	for i := range a.Mixture() {
		sources = invocation.Merge(sources, a.Words()[i].Sources)
	}
	variables := slices.DeleteFunc(slices.Clone(sources), func(s string) bool { return !strings.HasPrefix(s, "$") })
	files := slices.DeleteFunc(slices.Clone(sources), func(s string) bool { return strings.HasPrefix(s, "$") })
	files = invocation.Merge(files, toldBy(a, u.Text))
	to := invocation.KnownHost(u.Text)
	if len(files) == 0 {
		a.Gives(to, variables)
		return
	}
	for _, from := range files {
		a.Add(effect.Effect{Verb: effect.Send, Object: to, From: Place(a, from)})
	}
}

// toldBy are the files in variables of the shell that a program puts into an
// address.
func toldBy(a *invocation.Act, address string) []string {
	if !strings.Contains(address, "$") {
		return nil
	}
	var from []string
	for _, name := range invocation.VariablesIn(address) {
		if v, ok := a.R.Scope.Vars[name]; ok {
			from = invocation.Merge(from, v.Sources)
		}
	}
	return from
}

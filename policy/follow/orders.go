package follow

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Follow reads the files and texts by which somebody tells programs what to run, as far
// as the conversation wrote them: what nobody else has seen is judged by what is in it.
func Follow(r *invocation.Reader, a *invocation.Act) {
	if strings.IndexByte(a.Text, '.') >= 0 && !r.Shell.IsProgram(a.Name) {
		ownProgram(r, a)
	}
	if len(a.Env) > 0 && r.HasFiles() {
		followEnvironment(r, a)
	}
	if a.Facts().Ordered {
		ordered(a, a.Facts().Name, a.Args)
	}
}

// ordered reads what a program is told by its orders, with some arguments.
func ordered(a *invocation.Act, program string, args []string) {
	if len(args) != len(a.Args) {
		given, c := *a, *a.Command
		c.Args, given.Command = args, &c
		a = &given
	}
	list := command.Builtin().Orders(program)
	for i := range list {
		follows(a, &list[i], program)
	}
}

// follows reads what one entry means.
func follows(a *invocation.Act, o *command.Orders, program string) {
	if !Asked(a, o.If) || !a.R.HasFiles() && o.IsInFiles() && !slices.ContainsFunc(a.Args, effect.IsAbs) {
		return
	}
	read := ways[o.As]
	text := func(content string) {
		read(a, o, &order{Name: "", File: invocation.File{Content: content, Known: true}})
	}
	texts := flagValues(a, o.Text)
	if slices.Contains(o.Text, "operand") {
		texts = slices.DeleteFunc(a.Operands(), func(s string) bool { return slices.Contains(o.If, s) })
		texts = texts[:min(1, len(texts))]
	}
	for _, content := range Few(a, texts) {
		if content != "-" && !slices.ContainsFunc(o.Endings, func(ending string) bool { return strings.HasSuffix(content, ending) }) {
			text(content)
		}
	}
	if o.Input || o.Named && slices.Contains(a.Args, "-") {
		switch {
		case a.In.Remote != "":
			a.Does(effect.RunRemote, a.In.Remote)
		case a.In.Known:
			text(a.In.Text)
		case a.In.Hidden != "":
			a.Does(effect.RunHidden, a.In.Hidden)
		}
	}
	if o.Made {
		for i := range a.Words() {
			switch made := a.Words()[i].Made; {
			case made == nil:
			case made.Remote != "":
				a.Does(effect.RunRemote, made.Remote)
			case made.Known:
				text(made.Text)
			}
		}
	}
	if len(o.Files)+len(o.Flags)+len(o.Endings)+len(o.Text) == 0 && !o.Input && !o.Named && !o.Made {
		text("") // it is in the command line
		return
	}
	outer := a.R.Scope
	defer func() { a.R.Scope = outer }()
	dir := strings.Join(flagValues(a, o.Dir), "")
	if dir != "" { // make -C: they run there
		a.R.Scope = a.R.Sub(outer)
		a.R.Scope.At.Cwd = a.Path(dir)
		a.R.Scope.Dir = a.R.Scope.At.Cwd
	}
	followFiles(a, o, dir, append(orderFiles(a, o, program), together(o.Always)...))
}

// together are the names of files, with those that have wildcards as one pattern.
func together(files []string) []string {
	var names, patterns []string
	for _, name := range files {
		if IsPattern(name) && !strings.Contains(name, "{word}") {
			patterns = append(patterns, name)
		} else {
			names = append(names, name)
		}
	}
	if len(patterns) > 0 {
		names = append(names, strings.Join(patterns, "|"))
	}
	return names
}

// followFiles reads those files of which something is known.
func followFiles(a *invocation.Act, o *command.Orders, dir string, names []string) {
	for _, name := range Few(a, names) {
		if dir != "" && !effect.IsAbs(name) {
			name = path.Join(dir, name)
		}
		if invocation.Unknown(name) {
			if a.R.HasFiles() { // it may be one of them
				a.Doubt(invocation.Path)
			}
			continue
		}
		if !a.R.HasFiles() && (IsPattern(name) || !effect.IsAbs(name)) { // only what is open can be known
			continue
		}
		if IsPattern(name) {
			if !a.R.Pay(invocation.SearchSteps) {
				break
			}
		}
		f := a.R.File(a.Path(name))
		if f == nil {
			continue
		}
		if f.Remote != "" {
			a.Does(effect.RunRemote, f.Remote)
		}
		if !f.Known && f.Remote == "" && Interpreters[o.As] != nil && !IsPattern(name) {
			a.Does(effect.Run, a.Path(name))
		}
		if f.Content == "" || !a.R.Pay(len(f.Content)) {
			continue
		}
		before := len(a.R.Reading.Effects)
		read := func() { ways[o.As](a, o, &order{name, *f}) }
		if byGoal[o.As] {
			read()
		} else { // whose commands may ask for each other: it is read as a whole the first time
			Once(a.R, a.Name+" "+o.As+"\n"+f.Content[:min(len(f.Content), 256)], read)
		}
		if o.Tests {
			ofTests(a.R, before, f.Content)
		}
	}
}

// orderFiles are the files that an entry means for a command line.
func orderFiles(a *invocation.Act, o *command.Orders, program string) []string {
	names := flagValues(a, o.Flags)
	if slices.ContainsFunc(names, invocation.Unknown) {
		a.Doubt(invocation.Path)
	}
	operands := a.Operands()
	for _, p := range operands {
		if p != "-" && slices.ContainsFunc(o.Endings, func(ending string) bool { return ending == "any" || strings.HasSuffix(p, ending) }) {
			names = append(names, p)
		}
	}
	if o.Under {
		sure := false
		for i, p := range a.Args {
			p, _, _ = strings.Cut(p, "::") // a test in a file
			p = strings.TrimSuffix(p, "...")
			first, _, deep := strings.Cut(p, "/")
			switch {
			case p == "" || p[0] == '-' || slices.Contains(o.If, p) || deep && strings.Trim(first, ".") != "" && strings.Contains(first, "."): // a package by its address
				continue
			case path.Ext(p) != "" && !strings.HasSuffix(p, "/") && path.Base(p) != "." && path.Base(p) != "..":
				names = append(names, p)
			default:
				names = append(names, strings.TrimSuffix(p, "/")+"/"+strings.Join(o.Files, "|"))
			}
			sure = sure || i == 0 || !strings.HasPrefix(a.Args[i-1], "-") || strings.Contains(a.Args[i-1], "=") // else it may be a value
		}
		if !sure {
			names = append(names, together(o.Files)...)
		}
	}
	if len(names) > 0 && !slices.Contains(o.Endings, "any") || !a.R.HasFiles() {
		return names
	}
	for _, name := range together(o.Files) {
		name = strings.ReplaceAll(name, "{program}", program)
		if !strings.Contains(name, "{word}") {
			names = append(names, name)
			continue
		}
		for _, word := range Few(a, operands) {
			if !IsPattern(word) && !invocation.Unknown(word) {
				names = append(names, strings.ReplaceAll(name, "{word}", strings.TrimSuffix(word, "/")))
			}
		}
	}
	if o.Local {
		for _, p := range Few(a, a.Args) {
			if p != "." && isLocal(p) {
				names = append(names, path.Join(strings.TrimPrefix(p, "file:"), o.Files[0]))
			}
		}
	}
	return names
}

// Asked reports whether a command line has one of some words.
func Asked(a *invocation.Act, words []string) bool {
	return words == nil || slices.ContainsFunc(words, func(word string) bool {
		if word == "none" {
			return len(a.Operands()) == 0
		}
		return slices.ContainsFunc(a.Args, func(arg string) bool {
			if !strings.Contains(word, "*") {
				return arg == word
			}
			before, behind, _ := strings.Cut(strings.TrimSuffix(word, "*"), "*")
			return strings.HasPrefix(arg, before) && strings.Contains(arg, behind)
		})
	})
}

// flagValues are the values of options, in the same word or the next.
func flagValues(a *invocation.Act, flags []string) []string {
	if len(flags) == 0 {
		return nil
	}
	list := After(a, flags...)
	for _, flag := range flags {
		if strings.HasPrefix(flag, "--") || len(flag) > 2 {
			list = append(list, Attached(a.Args, flag+"=")...)
		} else if strings.HasPrefix(flag, "-") {
			list = append(list, Attached(a.Args, flag)...)
		}
	}
	return list
}

// isLocal reports whether a package is named by its directory.
func isLocal(name string) bool {
	return name == "." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "file:")
}

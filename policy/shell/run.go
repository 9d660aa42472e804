package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// run reads a command that is about to run, without its wrappers, and what it
// runs in turn. c has what is known of it so far. It returns what it prints.
func (r *reader) run(args []invocation.Arg, c *invocation.Command, in *invocation.Flow, guess bool) invocation.Flow {
	if len(args) > invocation.MaxArguments {
		r.Mark(invocation.Long)
		args = args[:invocation.MaxArguments]
	}
	if !r.Pay(invocation.StepCost + invocation.ArgumentSteps*len(args)) {
		return invocation.Flow{Piped: true}
	}
	outer := r.Scope
	args, read := r.unwrap(args, c, in)
	if read {
		in = &invocation.Flow{}
	}
	if r.Scope != outer { // env -C: for this command alone
		defer func() { r.Scope = outer }()
	}
	c.Inherit(&r.Reader)
	if len(args) == 0 {
		if !guess {
			r.emit(c)
		}
		return invocation.Flow{}
	}
	r.runVariables(c, args[0].As, guess)
	if name := &args[0]; isSelf(name.As) {
		name.As = "bash"
	} else if name.Bare != name.As && r.firmName(name) {
		return r.run(args, c, in, guess)
	}
	name := args[0].As
	if f, ok := r.Scope.Funcs[name]; ok && !args[0].Quoted {
		return r.called(name, f, args[1:], in)
	}
	if script, ok := r.Scope.Aliases[name]; ok && !args[0].Quoted {
		return r.aliased(name, script, args[1:], in)
	}
	switch {
	case r.Facts(name).Listed: // it stands for itself
	case invocation.Unknown(name):
		r.Mark(invocation.Variable)
		r.unknownProgram(args, c)
		if of := args[0].Of; of != nil && !guess {
			a := invocation.Act{Command: c, R: &r.Reader, Number: -1}
			switch {
			case of.Remote != "":
				a.Does(effect.RunRemote, of.Remote)
			case of.Hidden != "":
				a.Does(effect.RunHidden, of.Hidden)
			}
		}
	case strings.ContainsAny(name, "*?[") && name != "[" && name != "[[":
		r.Mark(invocation.Glob)
		for _, known := range matching(name) {
			if !r.Pay(invocation.StepCost + invocation.ArgumentSteps*len(args)) {
				break
			}
			args[0].As = known
			named := *c
			r.program(args, &named, in, guess)
		}
		args[0].As = name
	}
	return r.program(args, c, in, guess)
}

// runVariables reads the variables of a command by which programs are told to run
// something. Those that are the program's own are read with its description.
func (r *reader) runVariables(c *invocation.Command, program string, guess bool) {
	if len(c.Env) == 0 {
		return
	}
	for _, name := range follow.SortedNames(c.Env) {
		value := c.Env[name]
		switch name {
		case "PROMPT_COMMAND", "PAGER", "MANPAGER", "GIT_PAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "LESSOPEN", "LESSCLOSE", "BROWSER", "SUDO_ASKPASS", "SSH_ASKPASS", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "RSYNC_RSH", "CC", "CXX", "RUSTC_WRAPPER", "FZF_DEFAULT_COMMAND", "PS1", "PS4":
			if !guess && (strings.Contains(value, " ") || strings.Contains(value, "$(")) && r.From.Env[name] == "" && !r.Facts(program).RunsVariable(name) {
				r.Inner(strings.TrimLeft(value, "|- "), invocation.Origin{Sudo: c.Sudo, Remote: r.From.Remote}, invocation.Flow{})
			}
		}
	}
}

// nameOf is what a program is called: its name without a directory, and without a version
// if it is known without one.
func (r *reader) nameOf(called string) string {
	if f := r.Facts(called); f.Listed {
		return f.Name
	}
	base := strings.TrimPrefix(invocation.BaseName(called), "=") // zsh: =rm is the program rm
	if f := r.Facts(base); f.Listed {
		return f.Name
	}
	return base
}

// program reads a command under the name that it has.
func (r *reader) program(args []invocation.Arg, c *invocation.Command, in *invocation.Flow, guess bool) invocation.Flow {
	c.Name = r.nameOf(args[0].As)
	c.Args = r.Strings.Take(len(args) - 1)
	mixed, wild := false, false
	for i := range c.Args {
		given := &args[i+1]
		c.Args[i] = given.As
		mixed, wild = mixed || given.Of != nil, wild || isWild(given)
	}
	if c.Open = nil; mixed || wild {
		c.Open = openness(args[1:])
	}
	if r.Depth > 1 { // what is run by something else may be that again
		if r.repeats(c) {
			return invocation.Flow{Piped: true, By: c.Name}
		}
		r.Running = append(r.Running, invocation.Running{Command: c, Cwd: r.Scope.At.Cwd})
		defer func() { r.Running = r.Running[:len(r.Running)-1] }()
	}
	a := &r.Acts.Take(1)[0]
	a.Command, a.R, a.Number, a.Given, a.Mixed, a.Guess = c, &r.Reader, -1, args[1:], mixed, guess
	a.At, a.In, a.First = r.Scope.At, *in, len(r.Reading.Effects)
	if !in.Piped && !guess {
		lines, sure := r.typed(c)
		switch flow := (invocation.Flow{Piped: true, Known: true, Text: lines}); {
		case lines == "":
		case sure:
			a.In = flow
		case r.Pay(invocation.StepCost + invocation.ArgumentSteps*len(args)):
			also := *c
			r.program(slices.Clone(args), &also, &flow, guess)
			a.First = len(r.Reading.Effects)
		}
	}
	c.Sub, c.Exported = subcommandOf(a), exportedTo(a)
	if !guess {
		if a.Number = r.emit(c); a.Number < 0 {
			return invocation.Flow{Piped: true}
		}
	}
	if p := r.Scope.Perhaps; p != "" && !guess && (c.Name == "rm" || c.Name == "find") {
		at := r.Scope.At
		r.Scope.At.Cwd, r.Scope.Perhaps = p, ""
		again := *c
		r.program(args, &again, in, true)
		r.Scope.At, r.Scope.Perhaps = at, p
	}
	outer := r.Heard
	r.Heard = nil
	defer func() { r.Heard = outer }()
	like := r.asLike(a)
	if r.ahead(a, args[0].As) {
		return invocation.Flow{Piped: true, By: c.Name}
	}
	if explainsItself(c) && !strings.Contains(args[0].As, "/") {
		return invocation.Flow{Piped: true, By: c.Name}
	}
	out, done := r.inside(a, args[0].As)
	if done {
		r.addsTo(a)
	} else {
		does := like
		if does == nil {
			does = r.VerbOf(c.Name)
		}
		switch {
		case r.asksForHelp(a): // whatever else it is told, it explains itself, with the viewer that is set
			hook.Resolve(a, command.Builtin().Program(c.Name))
		case asksAWSForHelp(c):
		case does != nil:
			does(a)
			follow.Follow(&r.Reader, a)
		default:
			r.Stranger(a)
			follow.Follow(&r.Reader, a)
		}
		if a.Inner == nil {
			out = output.Prints(&r.Reader, a)
			r.handed(a)
		} else {
			out = *a.Inner
		}
	}
	if out.Shows = output.Shows(&r.Reader, a); len(out.Shows) > 0 {
		out.Sources = invocation.Merge(out.Sources, output.ContentsOf(out.Shows))
	}
	hook.Tells(a)
	r.exposes(a)
	r.carried(a)
	if c.More {
		r.Mark(invocation.More)
		if follow.IsShell(c.Name) || c.Name == "eval" || c.Name == "source" || c.Name == "." {
			r.Mark(invocation.Pipe)
		}
	}
	r.move(a)
	return out
}

// mostRepeats is how often a command is read inside itself: a script that starts
// itself again does so with another environment, once.
const mostRepeats = 2

// repeats reports whether a command was read inside itself often enough.
func (r *reader) repeats(c *invocation.Command) bool {
	times := 0
	for i := range r.Running {
		if of := &r.Running[i]; of.Name == c.Name && of.Cwd == r.Scope.At.Cwd && of.Sudo == c.Sudo && slices.Equal(of.Args, c.Args) {
			times++
		}
	}
	return times >= mostRepeats
}

// asksForHelp reports whether a command only asks what it could do. That of a program that
// nobody has described may be a word like others.
func (r *reader) asksForHelp(a *invocation.Act) bool {
	if !slices.ContainsFunc(a.Args, func(arg string) bool { return strings.HasSuffix(arg, "help") || arg == "/?" }) || a.More {
		return false
	}
	if own := r.Set.Programs.Own(a.Name); own != nil && !own.AsksForHelp(output.Invocation(a, a.Args)) {
		return false
	}
	return command.Builtin().Has(a.Name) && command.Builtin().Program(a.Name).AsksForHelp(output.Invocation(a, a.Args))
}

// asksAWSForHelp reports whether the last word of aws is help behind nothing but the names of
// a service and of what it does: behind an option it would be a value.
func asksAWSForHelp(c *invocation.Command) bool {
	return c.Name == "aws" && len(c.Args) <= 3 && invocation.LastOf(c.Args) == "help" && !slices.ContainsFunc(c.Args, func(arg string) bool { return strings.HasPrefix(arg, "-") })
}

// explainsItself reports whether a command is asked for nothing but what it is.
func explainsItself(c *invocation.Command) bool {
	return len(c.Args) == 1 && (c.Args[0] == "--help" || c.Args[0] == "--version") && !c.More
}

// called runs a function with its arguments.
func (r *reader) called(name string, f invocation.Function, args []invocation.Arg, in *invocation.Flow) invocation.Flow {
	return r.call(name, f, args, in, false)
}

// aliased runs the text of an alias with the arguments behind it.
func (r *reader) aliased(name, script string, args []invocation.Arg, in *invocation.Flow) invocation.Flow {
	if slices.Contains(r.Active, name) {
		args = append([]invocation.Arg{{As: name, Bare: name, Quoted: true}}, args...)
		return r.run(args, &invocation.Command{Text: name}, in, r.From.Guess)
	}
	if len(r.Active) >= invocation.MaxDepth {
		r.Mark(invocation.Nesting)
		return invocation.Flow{Piped: true}
	}
	var b strings.Builder
	b.WriteString(script)
	for i := range args {
		b.WriteByte(' ')
		b.WriteString(invocation.Quote(args[i].As))
	}
	r.Active = append(r.Active, name)
	out := r.Inner(b.String(), r.From, *in)
	r.Active = r.Active[:len(r.Active)-1]
	return out
}

// unknownProgram notes what a program of which not even the name is known would
// do if it were one that deletes: nothing else is called with such arguments.
func (r *reader) unknownProgram(args []invocation.Arg, c *invocation.Command) {
	recursive := false
	for _, a := range args[1:] {
		if body, dashes := invocation.CutDashes(a.As); dashes == 1 && invocation.IsCluster(body) && strings.ContainsAny(body, "rR") && strings.Contains(body, "f") || a.As == "--recursive" {
			recursive = true
		}
	}
	if !recursive {
		return
	}
	a := invocation.Act{Command: c, R: &r.Reader, Number: -1, At: r.Scope.At, Guess: true}
	a.Name = args[0].As
	for _, arg := range args[1:] {
		if _, dashes := invocation.CutDashes(arg.As); dashes == 0 {
			a.DeletesFiles(true, arg.As)
		}
	}
}

// matching are the programs whose name a wildcard may stand for.
func matching(name string) []string {
	base := invocation.BaseName(name)
	var list []string
	for _, known := range []string{"rm", "dd", "sh", "bash", "zsh", "cat", "curl", "wget", "nc", "chmod", "chown", "mv", "cp", "shred", "find", "python3", "perl", "tee", "sudo", "base64", "ssh", "scp", "kill", "mkfs.ext4", "unlink", "head", "tail", "less"} {
		if ok, err := path.Match(base, known); err == nil && ok && len(list) < mostVariants {
			list = append(list, known)
		}
	}
	return list
}

// move follows a change of directory.
func (r *reader) move(a *invocation.Act) {
	s := r.Scope
	switch a.Name {
	case "popd":
		s.Lost, s.At.Cwd, s.Dir = true, "$OLDPWD", "$OLDPWD"
		return
	case "cd", "pushd", "chdir", "Set-Location", "sl":
	default:
		return
	}
	to := "~"
	for i, arg := range a.Args {
		if arg == "-" || strings.HasPrefix(arg, "+") {
			s.Lost, s.At.Cwd, s.Dir = true, "$OLDPWD", "$OLDPWD"
			return
		}
		if strings.HasPrefix(arg, "-") && arg != "--" {
			continue
		}
		if arg != "--" {
			to = a.Args[i]
			break
		}
	}
	from := s.At
	base := a.Env["CDPATH"]
	if v, ok := s.Vars["CDPATH"]; ok && base == "" {
		base = v.Texts[0].As
	}
	if base != "" && !strings.HasPrefix(to, ".") {
		from.Cwd = base
	}
	at, known := from.Resolve(to)
	if a.Guess { // cd "$X/" with X unset
		if to == "/" { // not what goes on from there
			s.Perhaps = at
		}
		return
	}
	s.Perhaps = ""
	switch {
	case len(at) > effect.MaxPlace:
		s.Lost, s.At.Cwd, s.Dir = true, "$PWD", "$PWD"
	default:
		s.Lost = !known || s.Lost && !effect.IsAbs(at) && !strings.HasPrefix(at, "~")
		s.At.Cwd, s.Dir = at, at
		enters(a, at)
	}
}

package shell

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// maxEnv is how many variables are handed on to the commands of a script.
const maxEnv = 256

// run reads a command that is about to run, without its wrappers, and what it
// runs in turn. c has what is known of it so far. It returns what it prints.
func (r *reader) run(args []arg, c *Command, in *flow, guess bool) flow {
	if len(args) > MaxArguments {
		r.mark(Long)
		args = args[:MaxArguments]
	}
	if !r.pay(stepCost + argumentSteps*len(args)) {
		return flow{piped: true}
	}
	outer := r.scope
	args, read := r.unwrap(args, c, in)
	if read {
		in = &flow{}
	}
	if r.scope != outer { // env -C: for this command alone
		defer func() { r.scope = outer }()
	}
	c.inherit(r)
	if len(args) == 0 {
		if !guess {
			r.emit(c)
		}
		return flow{}
	}
	r.hooks(c, args[0].as, guess)
	if name := &args[0]; isSelf(name.as) {
		name.as = "bash"
	} else if name.bare != name.as && r.firmName(name) {
		return r.run(args, c, in, guess)
	}
	name := args[0].as
	if f, ok := r.scope.funcs[name]; ok && !args[0].quoted {
		return r.called(name, f, args[1:], in)
	}
	if script, ok := r.scope.aliases[name]; ok && !args[0].quoted {
		return r.aliased(name, script, args[1:], in)
	}
	switch {
	case r.facts(name).listed: // it stands for itself
	case unknown(name):
		r.mark(Variable)
		r.unknownProgram(args, c)
		if of := args[0].of; of != nil && !guess {
			a := act{Command: c, r: r, number: -1}
			switch {
			case of.remote != "":
				a.does(effect.RunRemote, of.remote)
			case of.hidden != "":
				a.does(effect.RunHidden, of.hidden)
			}
		}
	case strings.ContainsAny(name, "*?[") && name != "[" && name != "[[":
		r.mark(Glob)
		for _, known := range matching(name) {
			if !r.pay(stepCost + argumentSteps*len(args)) {
				break
			}
			args[0].as = known
			named := *c
			r.program(args, &named, in, guess)
		}
		args[0].as = name
	}
	return r.program(args, c, in, guess)
}

// hooks reads the variables of a command by which programs are told to run
// something. Those that are the program's own are read with its description.
func (r *reader) hooks(c *Command, program string, guess bool) {
	if len(c.Env) == 0 {
		return
	}
	for _, name := range sortedNames(c.Env) {
		value := c.Env[name]
		switch name {
		case "PROMPT_COMMAND", "PAGER", "MANPAGER", "GIT_PAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "LESSOPEN", "LESSCLOSE", "BROWSER", "SUDO_ASKPASS", "SSH_ASKPASS", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "RSYNC_RSH", "CC", "CXX", "RUSTC_WRAPPER", "FZF_DEFAULT_COMMAND", "PS1", "PS4":
			if !guess && (strings.Contains(value, " ") || strings.Contains(value, "$(")) && r.from.env[name] == "" && !r.facts(program).runsVariable(name) {
				r.inner(strings.TrimLeft(value, "|- "), origin{sudo: c.Sudo, remote: r.from.remote}, flow{})
			}
		}
	}
}

// program reads a command under the name that it has.
func (r *reader) program(args []arg, c *Command, in *flow, guess bool) flow {
	if f := r.facts(args[0].as); f.listed {
		c.Name = f.name
	} else {
		c.Name = strings.TrimPrefix(baseName(args[0].as), "=") // zsh: =rm is the program rm
	}
	c.Args = r.strings.take(len(args) - 1)
	mixed := false
	for i := range c.Args {
		given := &args[i+1]
		c.Args[i] = given.as
		mixed = mixed || given.of != nil
	}
	if c.Open = nil; mixed {
		c.Open = openness(args[1:])
	}
	if r.depth > 1 { // what is run by something else may be that again
		if r.repeats(c) {
			return flow{piped: true, by: c.Name}
		}
		r.running = append(r.running, running{c, r.scope.at.Cwd})
		defer func() { r.running = r.running[:len(r.running)-1] }()
	}
	a := &r.acts.take(1)[0]
	a.Command, a.r, a.number, a.args, a.mixed, a.guess = c, r, -1, args[1:], mixed, guess
	a.at, a.in, a.first = r.scope.at, *in, len(r.reading.Effects)
	c.Sub = a.subcommand()
	if !guess {
		if a.number = r.emit(c); a.number < 0 {
			return flow{piped: true}
		}
	}
	if p := r.scope.perhaps; p != "" && !guess && (c.Name == "rm" || c.Name == "find") {
		at := r.scope.at
		r.scope.at.Cwd, r.scope.perhaps = p, ""
		again := *c
		r.program(args, &again, in, true)
		r.scope.at, r.scope.perhaps = at, p
	}
	outer := r.heard
	r.heard = nil
	defer func() { r.heard = outer }()
	if r.ahead(a, args[0].as) {
		return flow{piped: true, by: c.Name}
	}
	if explainsItself(c) && !strings.Contains(args[0].as, "/") {
		return flow{piped: true, by: c.Name}
	}
	out, done := r.inside(a, args[0].as)
	if !done {
		switch does := r.verbOf(c.Name); {
		case asksForHelp(c): // whatever else it is told, it explains itself
		case does != nil:
			does(a)
			r.follow(a)
		default:
			r.stranger(a)
			r.follow(a)
		}
		if a.inner == nil {
			out = r.prints(a)
			r.handed(a)
		} else {
			out = *a.inner
		}
	}
	if out.shows = r.shows(a); len(out.shows) > 0 {
		out.sources = merge(out.sources, contentsOf(out.shows))
	}
	a.tells()
	r.exposes(a)
	r.carried(a)
	if c.More {
		r.mark(More)
		if isShell(c.Name) || c.Name == "eval" || c.Name == "source" || c.Name == "." {
			r.mark(Pipe)
		}
	}
	r.move(a)
	return out
}

// running is a command that is being read, with those that it runs.
type running struct {
	*Command
	cwd string
}

// mostRepeats is how often a command is read inside itself: a script that starts
// itself again does so with another environment, once.
const mostRepeats = 2

// repeats reports whether a command was read inside itself often enough.
func (r *reader) repeats(c *Command) bool {
	times := 0
	for i := range r.running {
		if of := &r.running[i]; of.Name == c.Name && of.cwd == r.scope.at.Cwd && of.Sudo == c.Sudo && slices.Equal(of.Args, c.Args) {
			times++
		}
	}
	return times >= mostRepeats
}

// asksForHelp reports whether a command only asks what it could do.
func asksForHelp(c *Command) bool {
	return slices.Contains(c.Args, "--help") && !slices.Contains(c.Args, "--") || c.Name == "aws" && lastOf(c.Args) == "help"
}

// explainsItself reports whether a command is asked for nothing but what it is.
func explainsItself(c *Command) bool {
	return len(c.Args) == 1 && (c.Args[0] == "--help" || c.Args[0] == "--version") && !c.More
}

// called runs a function with its arguments.
func (r *reader) called(name string, f function, args []arg, in *flow) flow {
	return r.call(name, f, args, in, false)
}

// aliased runs the text of an alias with the arguments behind it.
func (r *reader) aliased(name, script string, args []arg, in *flow) flow {
	if slices.Contains(r.active, name) {
		args = append([]arg{{as: name, bare: name, quoted: true}}, args...)
		return r.run(args, &Command{Text: name}, in, r.from.guess)
	}
	if len(r.active) >= MaxDepth {
		r.mark(Nesting)
		return flow{piped: true}
	}
	var b strings.Builder
	b.WriteString(script)
	for i := range args {
		b.WriteByte(' ')
		b.WriteString(quote(args[i].as))
	}
	r.active = append(r.active, name)
	out := r.inner(b.String(), r.from, *in)
	r.active = r.active[:len(r.active)-1]
	return out
}

// quote writes a text so that a shell reads it as one word. What is not known
// in it stays what it is.
func quote(s string) string {
	if unknown(s) {
		return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// unknownProgram notes what a program of which not even the name is known would
// do if it were one that deletes: nothing else is called with such arguments.
func (r *reader) unknownProgram(args []arg, c *Command) {
	recursive := false
	for _, a := range args[1:] {
		if body, dashes := cutDashes(a.as); dashes == 1 && isCluster(body) && strings.ContainsAny(body, "rR") && strings.Contains(body, "f") || a.as == "--recursive" {
			recursive = true
		}
	}
	if !recursive {
		return
	}
	a := act{Command: c, r: r, number: -1, at: r.scope.at, guess: true}
	a.Name = args[0].as
	for _, arg := range args[1:] {
		if _, dashes := cutDashes(arg.as); dashes == 0 {
			a.deletes(true, arg.as)
		}
	}
}

// matching are the programs whose name a wildcard may stand for.
func matching(name string) []string {
	base := baseName(name)
	var list []string
	for _, known := range []string{"rm", "dd", "sh", "bash", "zsh", "cat", "curl", "wget", "nc", "chmod", "chown", "mv", "cp", "shred", "find", "python3", "perl", "tee", "sudo", "base64", "ssh", "scp", "kill", "mkfs.ext4", "unlink", "head", "tail", "less"} {
		if ok, err := path.Match(base, known); err == nil && ok && len(list) < mostVariants {
			list = append(list, known)
		}
	}
	return list
}

// inherit gives the command what the text it stands in has.
func (c *Command) inherit(r *reader) {
	c.Sudo = c.Sudo || r.from.sudo
	c.Remote = c.Remote || r.from.remote
	c.More = c.More || r.from.more
	c.Dir, c.DirUnknown = r.scope.dir, r.scope.lost
	switch {
	case r.from.env == nil:
	case len(r.from.env) > maxEnv:
		r.mark(Many)
	case c.Env == nil:
		c.Env = r.from.env
	default:
		env := maps.Clone(r.from.env)
		maps.Copy(env, c.Env)
		c.Env = env
	}
}

// move follows a change of directory.
func (r *reader) move(a *act) {
	s := r.scope
	switch a.Name {
	case "popd":
		s.lost, s.at.Cwd, s.dir = true, "$OLDPWD", "$OLDPWD"
		return
	case "cd", "pushd", "chdir", "Set-Location", "sl":
	default:
		return
	}
	to := "~"
	for i, arg := range a.Args {
		if arg == "-" || strings.HasPrefix(arg, "+") {
			s.lost, s.at.Cwd, s.dir = true, "$OLDPWD", "$OLDPWD"
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
	from := s.at
	base := a.Env["CDPATH"]
	if v, ok := s.vars["CDPATH"]; ok && base == "" {
		base = v.texts[0].as
	}
	if base != "" && !strings.HasPrefix(to, ".") {
		from.Cwd = base
	}
	at, known := from.Resolve(to)
	if a.guess { // cd "$X/" with X unset
		if to == "/" { // not what goes on from there
			s.perhaps = at
		}
		return
	}
	s.perhaps = ""
	switch {
	case len(at) > effect.MaxPlace:
		s.lost, s.at.Cwd, s.dir = true, "$PWD", "$PWD"
	default:
		s.lost = !known || s.lost && !effect.IsAbs(at) && !strings.HasPrefix(at, "~")
		s.at.Cwd, s.dir = at, at
		a.enters(at)
	}
}

// baseName is the name of a program without its directory and .exe.
func baseName(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' || name[i] == '\\' {
			name = name[i+1:]
			break
		}
	}
	if n := len(name) - 4; n > 0 && name[n] == '.' && strings.EqualFold(name[n:], ".exe") {
		name = name[:n]
	}
	return name
}

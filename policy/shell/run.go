package shell

import (
	"maps"
	"strings"
)

// finish ends the simple command that was read, if there is one.
func (r *reader) finish(cur *simple, grouped bool) {
	words := r.words[cur.base:]
	if cur.header || cur.end == 0 {
		r.words = r.words[:cur.base]
		*cur = simple{base: cur.base, piped: cur.piped}
		return
	}
	for cur.end > cur.start && (r.src[cur.end-1] == ' ' || r.src[cur.end-1] == '\t') {
		cur.end--
	}
	c := Command{
		Text:   r.src[cur.start:cur.end],
		Reads:  cur.reads,
		Writes: cur.writes,
		Input:  cur.input,
	}
	for len(words) > 0 && words[0].assign > 0 {
		c.set(words[0].text)
		words = words[1:]
	}
	docs := r.pending[len(r.pending)-min(cur.docs, len(r.pending)):]
	r.run(words, c, cur.piped, docs)
	r.words = r.words[:cur.base]
	*cur = simple{base: cur.base, piped: grouped}
}

// set notes an assignment NAME=value.
func (c *Command) set(assignment string) {
	name, value, _ := strings.Cut(assignment, "=")
	if c.Env == nil {
		c.Env = map[string]string{}
	}
	c.Env[strings.TrimSuffix(name, "+")] = value
}

// run adds the command that words start, without its wrappers, and the commands
// inside it. c has what is known of it so far; docs are its here-documents.
func (r *reader) run(words []word, c Command, piped bool, docs []heredoc) {
	words, piped = r.unwrap(words, &c, piped)
	if len(r.from.env) > maxEnv {
		r.mark(Many)
	} else {
		c.inheritEnv(r.from.env)
	}
	c.inherit(r.from)
	if len(words) == 0 {
		r.attach(r.emit(c), &c, nil, false, docs)
		return
	}
	name := &words[0]
	switch {
	case name.substitution: // marked where it was read
	case name.variable, c.More && strings.Contains(name.text, "{}"):
		r.mark(Variable)
	case name.brace, strings.HasPrefix(name.text, "="), name.glob && name.text != "[" && name.text != "[[":
		r.mark(Glob)
	}
	args := words[1:]
	c.Name = baseName(name.text)
	if len(args) > 0 {
		c.Args = r.take(len(args))
	}
	for i := range args {
		c.Args[i] = args[i].text
		if args[i].brace && args[i].text != "" && (args[i].text[0] == '-' || args[i].text[0] == '{') {
			r.mark(Glob)
		}
	}
	c.Sub = subcommand(&c)
	if c.More && c.unfinished(args) {
		r.mark(Pipe)
	}
	number := r.emit(c)
	if number < 0 {
		return
	}
	r.attach(number, &c, args, piped, docs)
	r.inside(&c, args, piped)
	r.move(&c, args)
}

// unfinished reports whether a command without its last arguments is one that
// will run what they say.
func (c *Command) unfinished(args []word) bool {
	if _, wraps := wrappers[c.Name]; wraps {
		return true
	}
	if isShell(c.Name) {
		_, _, ok := shellScript(args)
		return !ok
	}
	return isForeign(c.Name) || c.Name == "eval" || c.Name == "source" || c.Name == "."
}

// inherit gives the command what the text it stands in has.
func (c *Command) inherit(from origin) {
	c.Sudo = c.Sudo || from.sudo
	c.Remote = c.Remote || from.remote
	c.More = c.More || from.more
	c.Dir, c.DirUnknown = from.dir, from.lost
}

// maxEnv is how many variables are handed on to the commands of a script.
const maxEnv = 256

func (c *Command) inheritEnv(from map[string]string) {
	switch {
	case from == nil:
	case c.Env == nil:
		c.Env = from
	default:
		env := maps.Clone(from)
		maps.Copy(env, c.Env)
		c.Env = env
	}
}

// origin is what commands inside the command inherit.
func (c *Command) origin() origin {
	return origin{sudo: c.Sudo, remote: c.Remote, more: c.More, env: c.Env, dir: c.Dir, lost: c.DirUnknown}
}

// attach says where the command's input comes from, and notes if that is a
// program that it runs.
func (r *reader) attach(number int, c *Command, args []word, piped bool, docs []heredoc) {
	program := readsProgram(c.Name, args)
	shell := isShell(c.Name)
	for i := range docs {
		docs[i].command, docs[i].program, docs[i].shell, docs[i].from = number, program, shell, c.origin()
	}
	if c.Input != "" {
		r.feed(c.Input, program, shell, c.origin())
	}
	if program && piped && len(docs) == 0 && c.Input == "" {
		r.mark(Pipe)
	}
}

// maxDir is how long the way of several cd commands may be. Every command after
// them has it, so that it must not grow with the text.
const maxDir = 4096

// move follows a change of directory.
func (r *reader) move(c *Command, args []word) {
	switch c.Name {
	case "popd":
		r.from.lost = true
		return
	case "cd", "pushd", "chdir":
	default:
		return
	}
	for i := range args {
		to := &args[i]
		switch {
		case to.text == "-", to.substitution, to.variable && !strings.HasPrefix(to.text, "$HOME") && !strings.HasPrefix(to.text, "${HOME}"):
			r.from.lost = true
			return
		case strings.HasPrefix(to.text, "-") || strings.HasPrefix(to.text, "+"):
			continue
		case to.text != "" && strings.IndexByte("/~$", to.text[0]) >= 0 || r.from.dir == "":
			r.from.dir, r.from.lost = to.text, r.from.lost && to.text != "" && strings.IndexByte("/~$", to.text[0]) < 0
		default:
			r.from.dir += "/" + to.text
		}
		if len(r.from.dir) > maxDir {
			r.from.dir, r.from.lost = "", true
		}
		return
	}
	r.from.dir, r.from.lost = "~", false
}

// baseName is the name of a program without its directory and .exe.
func baseName(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		name = name[i+1:]
	}
	if n := len(name) - 4; n > 0 && strings.EqualFold(name[n:], ".exe") {
		name = name[:n]
	}
	return name
}

package script

import (
	"strconv"
	"strings"
)

// programsIn are the modules of Python whose members are programs, or the
// subcommands of one.
var programsIn = map[string]string{"sh.": "", "plumbum.cmd.": "", "plumbum.local.": "", ".git.": "git"}

// pythonProcess is subprocess.run and its relatives.
func pythonProcess(r *reader, c *call) value {
	args, dir := c.get(0, "args"), c.named("cwd")
	before := r.dir
	if s, ok := dir.known(); ok {
		r.dir = r.inDir(s)
	}
	defer func() { r.dir = before }()
	shell := c.named("shell")
	input := c.named("input")
	if s, ok := input.known(); ok && args.form != isString && len(args.items()) > 0 && isShell(args.items()[0].text) {
		r.shell(text(s))
	}
	if args.form == isList {
		if shell.form != isUnknown && shell.text != "False" && len(args.items()) > 0 {
			return r.shell(args.items()[0])
		}
		return r.argv(args.items())
	}
	return r.shell(args)
}

// pythonExec is os.execvp and its relatives.
func pythonExec(r *reader, c *call) value {
	args := c.values()
	name := c.name[strings.LastIndexByte(c.name, '.')+1:]
	if strings.HasPrefix(name, "spawn") && len(args) > 0 {
		args = args[1:]
	}
	if len(args) == 0 {
		return value{}
	}
	words := []value{args[0]}
	rest := args[1:]
	if len(rest) > 0 && rest[0].form == isList {
		rest = rest[0].items()
	} else if strings.Contains(name, "v") && len(rest) > 0 {
		words = append(words, rest[0])
		rest = nil
	}
	if len(rest) > 1 {
		words = append(words, rest[1:]...)
	}
	return r.argv(words)
}

func (r *reader) formatCall(c *call) value {
	if c.self.form != isString {
		return r.other(&c.self, c)
	}
	items := c.values()
	for i := range c.args {
		if c.args[i].name != "" && len(c.self.or()) == 0 && isKnown(c.self.text) { // {name}
			items = append(items, c.args[i].value)
			c.self.text = strings.ReplaceAll(c.self.text, "{"+c.args[i].name+"}", "{"+strconv.Itoa(len(items)-1)+"}")
			r.bytes -= len(c.self.text)
			if r.bytes < 0 {
				r.refuse("bytes")
				break
			}
		}
	}
	return r.format(c.self, items)
}

// programOf is a call of a member of such a module: sh.rm("-rf", "/"). It
// reports false for others.
func (r *reader) programOf(name string, c *call) (value, bool) {
	for module, program := range programsIn {
		words, ok := strings.CutPrefix(name, module)
		if !ok || words == "" || words[0] < 'a' || words[0] > 'z' {
			continue
		}
		var argv []value
		if program != "" {
			argv = append(argv, text(program))
		}
		for word := range strings.SplitSeq(words, ".") { // sh.sudo.rm
			switch word {
			case "bake", "run", "popen", "run_fg", "run_bg", "contrib":
			default:
				argv = append(argv, text(strings.ReplaceAll(strings.TrimSuffix(word, "_"), "_", "-")))
			}
		}
		return r.argv(append(argv, c.flags()...)), true
	}
	return value{}, false
}

// flags are the arguments of a call, those with names as a program has them:
// r=True is -r.
func (c *call) flags() []value {
	list := make([]value, 0, len(c.args))
	for i := range c.args {
		name, v := c.args[i].name, c.args[i].value
		if name == "" {
			list = append(list, v)
			continue
		}
		if strings.HasPrefix(name, "_") || v.text == "False" {
			continue
		}
		dashes := "--"
		if len(name) == 1 {
			dashes = "-"
		}
		list = append(list, text(dashes+name))
		if v.text != "True" {
			list = append(list, v)
		}
	}
	return list
}

// programItem is local["rm"] and rm["-rf", "/"] of plumbum. It reports false for
// other elements.
func (r *reader) programItem(v, key *value) (value, bool) {
	switch {
	case v.text == "plumbum.local", v.text == "plumbum.machines.local":
		if s, ok := key.known(); ok && s != "" {
			return ref("plumbum.cmd." + s[strings.LastIndexByte(s, '/')+1:]), true
		}
	case strings.HasPrefix(v.text, "plumbum.cmd."):
		c := call{args: []argument{{value: *key}}}
		for r.peek(0).Is(",") && len(c.args) < mostItems && r.step() {
			r.i++
			c.args = append(c.args, argument{value: r.expr(0)})
		}
		r.programOf(v.text, &c)
		return *v, true
	}
	return value{}, false
}

// gitPush is push of a remote of a repository; other things have a push, too.
func gitPush(r *reader, c *call) value {
	self := c.self
	for range mostLinks {
		if self.form != isRef || len(self.items()) != 1 {
			break
		}
		self = self.items()[0]
	}
	if self.form != isClient || self.text != "git" {
		return r.unknown(&self, c)
	}
	return r.argv(append([]value{text("git"), text("push")}, c.flags()...))
}

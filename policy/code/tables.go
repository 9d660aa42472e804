package code

import (
	"slices"
	"strings"
)

func tableOf(language Language) map[string]builtin {
	switch language {
	case Python:
		return python
	case Perl:
		return perl
	case Ruby:
		return ruby
	case PHP:
		return php
	case Lua:
		return lua
	default:
		return rlang
	}
}

// What many functions do, whatever they are called.

func deletes(recursive bool) builtin {
	return func(r *reader, c *call) value {
		for _, v := range c.values() {
			r.remove(recursive, v)
		}
		return value{}
	}
}

func deletesFirst(recursive bool, names ...string) builtin {
	return func(r *reader, c *call) value {
		r.remove(recursive, c.get(0, names...))
		return value{}
	}
}

func moves(r *reader, c *call) value {
	from, to := c.get(0, "src"), c.get(1, "dst")
	r.remove(false, from)
	for i, s := range from.pieces() {
		if i == 0 || isKnown(s) {
			to = to.madeOf(madeFrom(origin{remote: to.remote(), hidden: to.hidden()}))
			r.write(to, value{}.madeOf(fromSources(shown(s))))
		}
	}
	return to
}

func copies(r *reader, c *call) value {
	from, to := c.get(0, "src"), c.get(1, "dst")
	if from.form == isFile { // copyfileobj
		r.fill(to, value{form: isString, text: mark + "x" + mark}.madeOf(madeFrom(origin{sources: from.sources(), remote: from.remote()})))
		return value{}
	}
	if from.form == isClient {
		r.fill(to, value{}.madeOf(fromRemote(from.remote())))
		return value{}
	}
	contents := value{}
	for _, item := range r.flat(from) {
		one := r.read(item)
		contents.taint(&one)
	}
	r.write(to, contents)
	return to
}

// fill puts contents into a file that is open, or that a text names.
func (r *reader) fill(to, contents value) {
	if to.form == isString {
		r.write(to, contents)
		return
	}
	r.put(to, contents)
}

func runsShell(r *reader, c *call) value { return r.shell(c.get(0, "cmd", "command")) }

// runsList runs one text by a shell, and several as a program with arguments.
func runsList(r *reader, c *call) value {
	args := c.values()
	if len(args) > 0 && args[0].form == isList && args[0].keys() != nil { // the environment stands first
		args = args[1:]
	}
	switch {
	case len(args) == 0:
		return value{}
	case len(args) == 1:
		return r.command(args[0])
	case len(args) > 2 && r.language == Perl && args[0].form == isList && args[0].of() == "" && len(args[0].items()) == 1: // exec {program} name, ...
		r.argv(args)
		return r.argv(append([]value{args[0]}, args[2:]...))
	default:
		return r.argv(args)
	}
}

func evaluates(r *reader, c *call) value {
	v := c.get(0, "source")
	if v.form != isString && v.remote() == "" && v.hidden() == "" && len(v.sources()) == 1 && v.sources()[0] != Environment {
		return r.runFile(text(v.sources()[0]))
	}
	return r.evaluate(v)
}

func runsFile(r *reader, c *call) value { return r.runFile(c.get(0)) }

func fetches(r *reader, c *call) value { return r.fetch(c.get(0, "url")) }

func decodes(how string, decode func(string) (string, bool)) builtin {
	return func(r *reader, c *call) value {
		v := c.get(0)
		if v.form == isUnknown && c.self.form == isString {
			v = c.self
		}
		return r.decoded(v, how, decode)
	}
}

// hides are functions whose result nobody can read.
func hides(how string) builtin {
	return func(_ *reader, c *call) value {
		out := value{}.madeOf(decodedBy(how))
		for i := range c.args {
			out.taint(&c.args[i].value)
		}
		return out
	}
}

func same(_ *reader, c *call) value { return c.get(0) }

func self(_ *reader, c *call) value { return c.self }

func fixed(s string) builtin { return func(*reader, *call) value { return text(s) } }

func joinsPaths(r *reader, c *call) value {
	out := value{}
	for _, arg := range c.values() {
		for i, v := range arg.flatItems() {
			if out.form == isUnknown && i == 0 && out.text == "" && out.sources() == nil {
				out = v
				if out.form != isString {
					out = r.concat(text(""), v)
				}
				continue
			}
			out = r.pathJoin(out, v)
		}
	}
	if out.form == isUnknown {
		return text(".")
	}
	return out
}

func kills(r *reader, c *call) value {
	v := c.get(0)
	for _, s := range v.pieces() {
		r.use(Use{What: Kill, Text: shown(s), Known: isKnown(s)})
	}
	return value{}
}

func chmods(r *reader, c *call) value { return r.mode(c.get(0, "path"), c.get(1, "mode")) }

// goesOn is for calls that make something without an end to go through.
func goesOn(r *reader, _ *call) value {
	r.loops = true
	return value{}
}

// goesThrough is Python's iter: with a second argument it calls the first without
// end.
func goesThrough(r *reader, c *call) value {
	if len(c.args) > 1 {
		r.loops = true
	}
	return same(r, c)
}

func forksOff(r *reader, _ *call) value {
	r.forks = true
	return value{}
}

func queries(r *reader, c *call) value {
	v := c.get(0)
	if v.form == isString {
		for _, s := range v.pieces() {
			if strings.ContainsAny(s, " \n") {
				r.use(Use{What: Query, Text: shown(s), Known: isKnown(s)})
			}
		}
	}
	return r.other(&c.self, c)
}

// getsVariable is one variable of the environment, or all of it.
func getsVariable(r *reader, c *call) value {
	v := c.get(0)
	if len(c.args) == 0 {
		return r.environment()
	}
	if s, ok := v.known(); ok {
		return r.variable(s)
	}
	return value{}
}

func takesEnvironment(r *reader, _ *call) value { return r.environment() }

// printsAll notes that the environment is shown, if it is given to it.
func printsAll(r *reader, c *call) value {
	out := value{}
	for i := range c.args {
		if v := c.args[i].value; v.form == isRef && isEnvironment(v.text) {
			all := r.environment()
			out.taint(&all)
		}
		out.taint(&c.args[i].value)
	}
	return out
}

// openedSocket is a connection that is not made yet.
func openedSocket(*reader, *call) value { return value{form: isSocket} }

// connectsTo is for functions of a host and a port.
func connectsTo(r *reader, c *call) value {
	host := c.get(0)
	if port := c.get(1); port.form == isNum || port.form == isString {
		return r.connect(listOf(host, port))
	}
	return r.connect(host)
}

// answers is what comes over a connection.
func answers(r *reader, c *call) value {
	out := value{}
	out.taint(&c.self)
	if c.self.form == isSocket || r.sockets && c.self.form != isFile {
		from := r.connected
		if from == "" {
			from = "connection"
		}
		out = out.madeOf(fromRemote(from).and(out.origin()))
	}
	return out
}

// applies calls its first argument for each item of the second.
func applies(r *reader, c *call) value { return r.apply(c.get(0), c.get(1)) }

// callsFirst calls its first argument with the others.
func callsFirst(r *reader, c *call) value {
	f := c.get(0)
	if len(c.args) == 0 {
		return value{}
	}
	return r.call(&f, &call{args: c.args[1:]})
}

// extends adds to a list that is in a variable.
func extends(r *reader, c *call) value {
	list, more := c.self, c.values()
	if list.form != isList && len(more) > 0 { // push @list, ...
		list, more = more[0], more[1:]
	}
	if list.form != isList || list.of() == "" {
		return value{}
	}
	items := slices.Clone(list.items())
	for _, v := range more {
		if v.form == isList && c.name != ".append" {
			items = append(items, v.items()...)
		} else {
			items = append(items, v)
		}
	}
	r.bytes -= len(items)
	if len(items) > mostItems || r.bytes < 0 {
		r.refuse("bytes")
		return value{}
	}
	r.names[list.of()] = listOf(items...)
	return value{}
}

// listsIn is what lies in a directory.
func listsIn(r *reader, c *call) value {
	v := c.get(0)
	if v.form == isUnknown || v.form == isRef {
		return text("*")
	}
	return r.pathJoin(v, text("*"))
}

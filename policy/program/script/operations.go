package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// operation is what a description can say that a call does or gives.
type operation func(r *reader, c *call, o *operands) value

// operations are those that descriptions of all languages share.
var operations = map[string]operation{
	"shell":   func(r *reader, _ *call, o *operands) value { return r.shell(o.At(0)) },
	"argv":    func(r *reader, _ *call, o *operands) value { return r.argv(o.Spread(value.AsList)) },
	"program": func(r *reader, _ *call, o *operands) value { return r.argv(o.Spread(value.AsList)) },
	"command": func(r *reader, _ *call, o *operands) value { return r.command(o.At(0)) },
	"run":     func(r *reader, _ *call, o *operands) value { return r.runsWords(o.At(0).Items()) },

	"delete": func(r *reader, _ *call, o *operands) value {
		for _, v := range o.Spread(value.AsList) {
			r.remove(o.All, v)
		}
		if !o.Has(0) { // it is somewhere
			r.remove(o.All, value{})
		}
		return value{}
	},
	"write": func(r *reader, _ *call, o *operands) value { r.write(o.At(0), o.At(1)); return value{} },
	"read":  func(r *reader, _ *call, o *operands) value { return r.read(o.At(0)) },
	"open":  func(r *reader, _ *call, o *operands) value { return r.openMode(o.At(0), o.At(1), o.Has(1)) },
	"move":  func(r *reader, _ *call, o *operands) value { return r.moves(o.At(0), o.At(1)) },
	"copy":  func(r *reader, _ *call, o *operands) value { return r.copies(o.At(0), o.At(1)) },
	"link": func(r *reader, _ *call, o *operands) value {
		known := slices.DeleteFunc(o.At(0).Pieces(), func(s string) bool { return !values.IsKnown(s) })
		r.write(o.At(1), value{}.MadeOf(values.FromSources(known...)))
		return value{}
	},
	"mode":  func(r *reader, _ *call, o *operands) value { return r.mode(o.At(0), values.Octal(o.At(1)), "$mode") },
	"owner": func(r *reader, _ *call, o *operands) value { return r.mode(o.At(0), o.At(1), "$owner") },

	"eval":   func(r *reader, _ *call, o *operands) value { return r.evaluates(o.At(0)) },
	"load":   func(r *reader, _ *call, o *operands) value { return r.runFile(o.At(0)) },
	"revive": revives,

	"fetch":   func(r *reader, _ *call, o *operands) value { return r.fetch(o.At(0)) },
	"send":    func(r *reader, _ *call, o *operands) value { return r.send(o.At(0), o.Values[1:]...) },
	"request": requests,
	"request-with": func(r *reader, _ *call, o *operands) value {
		if address := o.At(0); o.Has(1) && isAddress(address.Text) {
			return r.send(address, o.At(1))
		}
		return r.read(o.At(0))
	},
	"lookup": func(r *reader, _ *call, o *operands) value {
		if v := o.At(0); len(v.Sources()) > 0 { // the name itself is told
			return r.send(v)
		}
		return value{}
	},
	"connect": connects,
	"listen":  listens,
	"tell":    func(r *reader, _ *call, o *operands) value { r.tell(o.At(0), o.Values[1:]...); return value{} },
	"tell-socket": func(r *reader, _ *call, o *operands) value { // if it is one
		data := o.At(1)
		switch made := values.MadeBy(&data); {
		case o.At(0).Form != values.IsSocket && !r.sockets:
		case o.At(0).Text == "" && r.connected == "" && len(made.Sources()) > 0: // wherever it leads
			r.send(value{}, data)
		default:
			r.tell(o.At(0), data)
		}
		return value{}
	},
	"put": func(r *reader, _ *call, o *operands) value { return r.puts(o.At(0), o.At(1)) },

	"kill": func(r *reader, _ *call, o *operands) value {
		for _, v := range o.Spread(value.AsList) {
			for _, s := range v.Pieces() {
				r.use(about(library.Kill, s))
			}
		}
		return value{}
	},
	"query":       queries,
	"chdir":       changesDir,
	"variable":    getsVariable,
	"environment": func(r *reader, _ *call, _ *operands) value { return r.environment() },
	"show":        printsAll,
	"fork":        func(r *reader, _ *call, _ *operands) value { r.forks = true; return value{} },
	"loop":        func(r *reader, _ *call, _ *operands) value { r.loops = true; return value{} },
	"hand-over":   func(r *reader, _ *call, _ *operands) value { r.handed = true; return value{} },
	"popen": func(r *reader, _ *call, o *operands) value {
		words := o.At(0).Items()
		if len(words) > 1 && words[0].Form == values.IsList && words[0].Keys() != nil { // the environment
			words = words[1:]
		}
		return r.command(values.First(values.List(words...)))
	},
	"attached": func(r *reader, _ *call, o *operands) value { // its input and output may be a connection
		r.handed = r.handed || r.sockets && library.IsShell(o.At(0).Text)
		return r.command(o.At(0))
	},
	"hidden-names": func(r *reader, _ *call, _ *operands) value {
		r.use(library.Use{What: library.Eval, Hidden: "names"})
		return value{}
	},
	"call":   func(r *reader, _ *call, o *operands) value { return r.callWith(o.At(0), o.Values[1:]) },
	"apply":  func(r *reader, _ *call, o *operands) value { return r.callWith(o.At(0), o.At(1).FlatItems()) },
	"map":    func(r *reader, _ *call, o *operands) value { return r.apply(o.At(0), o.At(1)) },
	"member": func(r *reader, _ *call, o *operands) value { return r.memberNamed(o.At(0), o.At(1)) },

	"text": textOf,
	"bytes": func(r *reader, c *call, o *operands) value {
		if v := o.At(0); v.Form == values.IsList {
			return r.Letters(v.Items())
		}
		return textOf(r, c, o)
	},

	"decode": decodesAs,
	"hidden": func(_ *reader, c *call, o *operands) value {
		out := value{}.MadeOf(values.DecodedBy(o.At(0).Text))
		out.Taint(&c.self)
		for i := range c.args {
			out.Taint(&c.args[i].value)
		}
		return out
	},

	"client": func(_ *reader, _ *call, o *operands) value {
		client := value{Form: values.IsClient}
		if v := o.At(0); o.Has(0) {
			client.Text = v.Piece()
			client = client.MadeOf(values.FromSources(v.Sources()...))
		}
		return client
	},
	"answer": func(r *reader, _ *call, o *operands) value { return r.answers(o.At(0)) },
	"body":   bodyOf,
	"other":  func(r *reader, c *call, _ *operands) value { return r.other(&c.self, c) },
	"function": func(_ *reader, _ *call, o *operands) value { // of bytes that nobody can read
		made := values.Origin{Hidden: o.At(0).Hidden(), Remote: o.At(0).Remote()}
		if made.Hidden == "" && made.Remote == "" {
			made.Hidden = "code"
		}
		return value{Form: values.IsHidden}.MadeOf(values.MadeFrom(made))
	},
	"feed": func(r *reader, _ *call, o *operands) value { // the input of a shell
		if s, ok := o.At(1).Known(); ok && o.At(0).Form == values.IsList && library.IsShell(values.First(o.At(0)).Text) {
			r.shell(values.Text(s))
		}
		return value{}
	},

	"call-first": callsFirst, "extend": extends, "import": importOf, "fill-in": fillsIn,
	"member-call": func(r *reader, c *call, _ *operands) value { return r.call(&c.self, &call{args: c.args}) },
	"ask":         asks, "client-request": clientRequests, "make-request": makesRequest, "open-request": opensRequest, "upload": uploads, "machine": machineOf,
	"named-program": namedProgram, "git-push": gitPush,
	"perl-open": perlOpen, "perl-print": perlPrint, "perl-readline": perlReadline, "perl-shift": perlShift, "perl-find": perlFind,
	"ruby-open": rubyOpen, "ruby-map": rubyMap, "ruby-send": rubySend, "ruby-send-to": rubySendTo,
	"php-option": phpOption, "php-curl": phpCurl, "lua-command": luaCommand,
}

func (r *reader) moves(from, to value) value {
	r.remove(false, from)
	for i, s := range from.Pieces() {
		if i == 0 || values.IsKnown(s) {
			to = to.MadeOf(values.MadeFrom(values.Origin{Remote: to.Remote(), Hidden: to.Hidden()}))
			r.write(to, value{}.MadeOf(values.FromSources(values.Shown(s))))
		}
	}
	return to
}

func (r *reader) copies(from, to value) value {
	switch from.Form {
	case values.IsFile: // what is open
		r.fill(to, value{Form: values.IsText, Text: values.Mark + "x" + values.Mark}.MadeOf(values.MadeFrom(values.Origin{Sources: from.Sources(), Remote: from.Remote()})))
		return value{}
	case values.IsClient:
		r.fill(to, value{}.MadeOf(values.FromRemote(from.Remote())))
		return value{}
	default:
	}
	contents := value{}
	for _, item := range r.Flat(from) {
		one := r.read(item)
		contents.Taint(&one)
	}
	r.write(to, contents)
	return to
}

// fill puts contents into a file that is open, or that a text names.
func (r *reader) fill(to, contents value) {
	if to.Form == values.IsText {
		r.write(to, contents)
		return
	}
	r.put(to, contents)
}

// puts writes to what is open: a file, a connection, or the input of a shell.
func (r *reader) puts(to, data value) value {
	switch {
	case to.Form == values.IsSocket:
		r.tell(to, data)
	case r.into(&to, data):
	case to.Form == values.IsFile:
		if data.Form == values.IsList {
			data = r.Joined(values.Text(""), data)
		}
		r.put(to, data)
	}
	return value{}
}

// runsWords runs one text by a shell, and several as a program with arguments.
func (r *reader) runsWords(args []value) value {
	if len(args) > 0 && args[0].Form == values.IsList && args[0].Keys() != nil { // the environment stands first
		args = args[1:]
	}
	switch {
	case len(args) == 0:
		return value{}
	case len(args) == 1:
		return r.command(args[0])
	case len(args) > 2 && r.language == library.Perl && args[0].Form == values.IsList && args[0].Of() == "" && len(args[0].Items()) == 1: // exec {program} name, ...
		r.argv(args)
		return r.argv(append([]value{args[0]}, args[2:]...))
	default:
		return r.argv(args)
	}
}

// evaluates runs a text, or what a file holds.
func (r *reader) evaluates(v value) value {
	if v.Form != values.IsText && v.Remote() == "" && v.Hidden() == "" && len(v.Sources()) == 1 && v.Sources()[0] != library.Environment {
		return r.runFile(values.Text(v.Sources()[0]))
	}
	return r.evaluate(v)
}

// revives makes an object of bytes, which can run what it likes.
func revives(r *reader, c *call, o *operands) value {
	if v := o.At(0); v.Hidden() != "" || v.Remote() != "" {
		r.unreadable(&v)
	}
	return r.other(&value{}, c)
}

// connects is for functions of a host and a port, or of both in one.
func connects(r *reader, _ *call, o *operands) value {
	if port := o.At(1); port.Form == values.IsNumber || port.Form == values.IsText {
		return r.connect(values.List(o.At(0), port))
	}
	return r.connect(o.At(0))
}

func listens(r *reader, _ *call, o *operands) value {
	operands := o.Spread(value.AsList)
	parts := make([]string, len(operands))
	for i := range operands {
		parts[i] = operands[i].Piece()
	}
	r.use(about(library.Listen, strings.Join(parts, ":")))
	return value{Form: values.IsSocket}
}

func queries(r *reader, c *call, o *operands) value {
	if v := o.At(0); v.Form == values.IsText {
		to := ""
		if c.self.Form == values.IsClient && values.IsKnown(c.self.Text) {
			to = c.self.Text
		}
		for _, s := range v.Pieces() {
			if strings.ContainsAny(s, " \n") {
				r.use(library.Use{What: library.Query, Text: values.Shown(s), To: to, Known: values.IsKnown(s)})
			}
		}
	}
	return r.other(&c.self, c)
}

func changesDir(r *reader, _ *call, o *operands) value {
	if s, ok := o.At(0).Known(); ok {
		r.dir = r.inDir(s)
	} else {
		r.dir = "$dir"
	}
	return value{}
}

// getsVariable is one variable of the environment, or all of it.
func getsVariable(r *reader, _ *call, o *operands) value {
	if !o.Has(0) {
		return r.environment()
	}
	if s, ok := o.At(0).Known(); ok {
		return r.variable(s)
	}
	return value{}
}

// printsAll notes that the environment is shown, if it is given to it.
func printsAll(r *reader, c *call, _ *operands) value {
	out := value{}
	for i := range c.args {
		if v := c.args[i].value; v.Form == values.IsName && values.IsEnvironment(v.Text) {
			all := r.environment()
			out.Taint(&all)
		}
		out.Taint(&c.args[i].value)
	}
	return out
}

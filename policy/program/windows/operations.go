package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/library"
)

type operands = library.Operands[value]

// operation is what a description can say that a call does or gives.
type operation func(c *call, o *operands) value

// does is an operation that gives nothing.
func does(f func(r *reader, o *operands)) operation {
	return func(c *call, o *operands) value { f(c.r, o); return value{} }
}

// notes is an operation that is one effect.
func notes(verb effect.Verb) operation {
	return does(func(r *reader, o *operands) { r.does(verb, strings.TrimSpace(o.At(0).joined())) })
}

// joined are the texts of a value in one.
func (v value) joined() string { return strings.Join(v.paths(), " ") }

// operations are those that descriptions have.
var operations = map[string]operation{
	"delete": does(func(r *reader, o *operands) {
		r.deletes(o.All, o.At(0))
		if len(o.At(0).paths()) == 0 {
			r.doubt(Variable)
		}
	}),
	"read": func(c *call, o *operands) value { return c.r.reads(o.At(0)) },
	"write": does(func(r *reader, o *operands) {
		contents := o.At(1)
		if len(o.Values) == 1 {
			contents = value{text: "$contents"}
		}
		r.writes(o.At(0), contents)
	}),
	"move": does(func(r *reader, o *operands) { r.moves(o.At(0), o.At(1)) }),
	"read-in": func(c *call, o *operands) value { // files in a directory, or all
		contents := c.r.reads(o.At(0))
		for _, p := range o.At(1).paths() {
			contents.taint(c.r.reads(literal(strings.TrimRight(o.At(0).text, `/\`) + "/" + p)))
		}
		return contents
	},
	"extract": does(func(r *reader, o *operands) {
		from, to, contents := o.At(0), o.At(1), value{}
		if to.text == "" {
			to = literal(strings.TrimSuffix(strings.TrimSuffix(from.text, ".zip"), ".ZIP"))
		}
		for _, p := range from.paths() {
			contents.remote = r.cameFrom(p)
		}
		r.writes(to, contents)
	}),
	"unwrap": does(func(r *reader, o *operands) {
		r.reads(o.At(0))
		if to := o.At(1); to.text != "" {
			r.add(effect.Effect{Verb: effect.Write, Object: r.path(to.text), From: r.path(o.At(0).text), How: Decoder})
			r.keep(r.path(to.text), Decoder)
		}
	}),
	"startup": does(func(r *reader, o *operands) { r.startup(o.At(0).text) }),
	"mode": does(func(r *reader, o *operands) {
		for _, p := range o.At(0).paths() {
			r.does(effect.Mode, r.path(p))
		}
	}),
	"chdir": does(func(r *reader, o *operands) {
		if v := o.At(0); v.text != "" {
			if !v.known {
				r.doubt(Variable)
			}
			r.at.Cwd = r.path(v.text)
		}
	}),
	"map-drive": does(func(r *reader, o *operands) { r.mapped(o.At(0).text, o.At(1).text) }),
	"path": func(c *call, o *operands) value {
		out := value{known: true}
		for i, v := range spread(o) {
			if i > 0 {
				out = c.r.concat(out, literal("/"))
			}
			v.text = strings.TrimRight(v.text, `/\`)
			out = c.r.concat(out, v)
		}
		return out
	},

	"fetch": func(c *call, o *operands) value {
		c.r.does(effect.Fetch, o.At(0).text)
		return value{remote: o.At(0).text}
	},
	"send": does(func(r *reader, o *operands) { r.sends(o.At(0).text, o.At(1)) }),
	"tell": func(c *call, o *operands) value {
		if v := o.At(0); c.r.connected != "" && len(v.sources) > 0 {
			c.r.sends(c.r.connected, v)
		}
		return made("$"+c.name, []value{c.in, o.At(0)})
	},
	"tell-name": does(func(r *reader, o *operands) {
		if v := o.At(0); len(v.sources) > 0 { // the name itself is told
			r.sends(v.text, v)
		}
	}),
	"lookup": func(c *call, o *operands) value {
		v := o.At(1)
		if len(v.sources) > 0 {
			c.r.sends(v.text, v)
		}
		return c.r.other([]value{o.At(0), v}, value{})
	},
	"download": does(func(r *reader, o *operands) { r.downloads(o.At(0), o.At(1)) }),
	"download-each": does(func(r *reader, o *operands) { // an address and a file behind it
		words := spread(o)
		for i := range words {
			if strings.Contains(words[i].text, "://") {
				r.downloads(words[i], argument(words, i+1))
				return
			}
		}
	}),
	"connect": func(c *call, o *operands) value {
		address := strings.Join(o.At(0).paths(), ":")
		if address != "" {
			c.r.does(effect.Connect, address)
			c.r.connected = address
		}
		return value{object: "socket", remote: address}
	},
	"listen": func(c *call, o *operands) value {
		c.r.does(effect.Listen, o.At(0).text)
		return value{object: "socket"}
	},
	"answer": func(c *call, o *operands) value {
		out := value{}
		out.taint(o.At(0))
		if c.r.connected != "" {
			out.remote = c.r.connected
		}
		return out
	},
	"query": func(c *call, o *operands) value { c.r.query(o.At(0)); return value{text: "$command"} },

	"eval": func(c *call, o *operands) value { return c.r.evaluate(o.At(0)) },
	"run": func(c *call, o *operands) value { // a line, or a program and the line of its arguments
		words := literals(splitWords(o.At(0).joined()))
		if len(o.Values) > 1 {
			words = append([]value{o.At(0)}, literals(splitWords(o.At(1).joined()))...)
		}
		return c.r.run(words, value{})
	},
	"run-for": does(func(r *reader, o *operands) {
		dir := o.At(1).text
		if dir == "" {
			dir = "."
		}
		line := strings.NewReplacer("@path", dir+"/*", "@file", dir+"/*", "@PATH", dir+"/*").Replace(strings.Trim(o.At(0).text, `"`))
		r.run(literals(splitWords(line)), value{})
	}),
	"open": does(func(r *reader, o *operands) {
		for _, p := range o.At(0).paths() {
			if !r.loads(p) {
				r.does(effect.Run, r.path(p))
			}
		}
	}),
	"start": func(c *call, o *operands) value {
		if v := o.At(0); v.text != "" && !c.r.loads(v.text) {
			return c.r.other([]value{v}, value{})
		}
		return value{}
	},
	"load": does(func(r *reader, o *operands) { // a module that is no path is installed already
		for _, p := range o.At(0).paths() {
			if lower := strings.ToLower(p); !r.loads(p) && (strings.HasSuffix(lower, ".psm1") || strings.HasSuffix(lower, ".ps1")) {
				r.file(p)
			}
		}
	}),
	"library": does(func(r *reader, o *operands) {
		for _, p := range o.At(0).paths() {
			r.loads(p)
		}
	}),
	"compile": does(func(r *reader, o *operands) {
		if v := o.At(0); v.remote != "" {
			r.does(effect.RunRemote, v.remote)
		}
	}),
	"assembly": does(func(r *reader, o *operands) {
		switch v := o.At(0); {
		case v.remote != "":
			r.does(effect.RunRemote, v.remote)
		case r.loads(v.text):
		case v.hidden != "" || !v.known:
			r.does(effect.RunHidden, "assembly")
		}
	}),
	"pass": func(c *call, o *operands) value { return c.r.other(append([]value{o.At(0)}, c.all...), c.in) },
	"bind": does(func(r *reader, o *operands) { r.bind(o.At(0).text, o.At(1)) }),

	"format": formats, "erase": does(func(r *reader, o *operands) {
		if v := o.At(0); Erases(v.text + v.joined()) {
			r.does(effect.Format, "disk")
		}
	}),
	"kill": does(func(r *reader, o *operands) {
		r.does(effect.Kill, strings.TrimSuffix(o.At(0).joined(), ".exe"))
	}),
	"stop": does(func(r *reader, o *operands) {
		for _, service := range o.At(0).paths() {
			r.stops(service)
		}
	}),
	"install": does(func(r *reader, o *operands) {
		for _, name := range o.At(0).paths() {
			r.does(effect.Install, name)
		}
	}),
	"shutdown": notes(effect.Shutdown), "persist": notes(effect.Persist), "disarm": notes(effect.Disarm), "grant": notes(effect.Grant), "reveal": notes(effect.Reveal),
	"reveal-named": func(c *call, _ *operands) value {
		c.r.does(effect.Reveal, "credentials of "+strings.TrimPrefix(c.name, "get-")+" "+c.named().joined())
		return value{text: "$" + c.name}
	},
	"dump": does(func(r *reader, o *operands) {
		l := strings.ToLower(o.At(0).joined())
		for _, holder := range []string{"lsass", "ntds", "config/sam", `config\sam`, "ifm", "login data"} {
			if strings.Contains(l, holder) {
				r.does(effect.Reveal, "credentials of "+holder)
				return
			}
		}
	}),
	"set-variable": does(func(r *reader, o *operands) {
		r.add(effect.Effect{Verb: effect.SetVariable, Object: o.At(0).text, From: o.At(1).text})
	}),
	"registry": func(c *call, o *operands) value {
		if key, ok := registry(o.At(0).text); ok {
			c.r.autostart(key)
		} else if strings.Contains(strings.ToLower(o.At(1).text), "amsi") {
			c.r.does(effect.Disarm, "script scanner")
		}
		return made("$"+c.name, append([]value{c.in}, c.words...))
	},
	"remove-instance": does(func(r *reader, o *operands) {
		v := o.At(0)
		r.removesInstance(strings.ToLower(v.text) + strings.TrimPrefix(v.object, "wmi "))
	}),

	"file":    func(_ *call, o *operands) value { v := o.At(0); v.object = "file"; return v },
	"process": func(_ *call, o *operands) value { return value{list: []value{o.At(0)}, object: "process"} },
	"instance": func(_ *call, o *operands) value {
		return value{text: "$instance", object: "wmi " + strings.ToLower(o.At(0).text)}
	},
	"object":      func(_ *call, o *operands) value { return value{object: o.At(0).text} },
	"code":        func(_ *call, o *operands) value { v := o.At(0); v.object = "code"; return v },
	"hidden-name": func(_ *call, o *operands) value { return value{text: "$" + strings.ToLower(o.At(0).text)} },
	"variable":    func(c *call, o *operands) value { return c.r.variable(o.At(0).text) },
	"environment": func(*call, *operands) value { return value{sources: []string{"environment"}} },
	"folder": func(_ *call, o *operands) value {
		if dir, ok := library.Of(library.PowerShell).Constant("folder." + strings.ToLower(o.At(0).text)); ok {
			return literal(dir)
		}
		return literal("~")
	},
	"hidden": func(c *call, o *operands) value {
		out := made("$stream", c.words)
		out.hidden = o.At(0).text
		return out
	},
	"reader": func(c *call, o *operands) value {
		out := made("$stream", c.words)
		if file := o.At(0); file.known && file.text != "" {
			out.taint(c.r.reads(file))
		}
		return out
	},
	"writer": func(c *call, o *operands) value {
		if to := o.At(0); to.object == "socket" || to.remote != "" {
			return to
		} else if to.known {
			c.r.writes(to, value{text: "$contents"})
		}
		return value{}
	},

	"concat":  func(c *call, o *operands) value { return c.r.concat(o.At(0), literal(o.At(1).joined())) },
	"join":    func(c *call, o *operands) value { return c.r.joined(o.At(1), o.At(0).text) },
	"replace": func(c *call, o *operands) value { return c.r.replaced(o.At(0), o.At(1).text, o.At(2).text) },
	"split":   func(c *call, o *operands) value { return c.r.split(o.At(0), o.At(1).text) },
	"base64":  func(_ *call, o *operands) value { return decoded(o.At(0)) },
	"characters": func(_ *call, o *operands) value {
		v := o.At(0)
		if v.known && strings.Contains(o.At(1).object, "unicode") {
			v.text = decode.UTF16(v.text)
		}
		return v
	},
}

// spread are the operands with the items of lists in their place.
func spread(o *operands) []value {
	var all []value
	for i := range o.Values {
		switch v := o.Values[i]; {
		case !o.Given[i]:
		case len(v.list) > 0:
			all = append(all, v.list...)
		default:
			all = append(all, v)
		}
	}
	return all
}

// formats erases a drive by its letter, or fills in the places of a text.
func formats(c *call, o *operands) value {
	if len(o.Values) > 1 {
		return c.r.format(o.At(0), o.At(1))
	}
	object := o.At(0).text
	switch {
	case len(object) == 1 && isWord(object[0]) && (object[0] < '0' || object[0] > '9'):
		object += ":/"
	case len(object) >= 2 && object[1] == ':':
		object = c.r.path(object[:2])
	case c.exact && object != "disk": // of a program, which formats drives
		return value{}
	}
	c.r.does(effect.Format, object)
	return value{}
}

func (r *reader) moves(from, to value) {
	r.deletes(false, from)
	for _, p := range from.paths() {
		r.writes(to, value{sources: []string{r.path(p)}})
	}
}

func (r *reader) downloads(from, to value) {
	r.does(effect.Fetch, from.text)
	if len(from.sources) > 0 {
		r.sends(from.text, from)
	}
	r.writes(to, value{remote: from.text})
}

// decoded is the text of base64. It may be in either of two encodings.
func decoded(v value) value {
	raw, ok := decode.Base64(v.text)
	if !ok || !v.known || len(raw) > mostText {
		return value{text: "$decoded", hidden: "base64"}
	}
	return value{text: raw, known: true, hidden: "base64"}
}

// Erases reports whether a script for diskpart destroys what is on a disk.
func Erases(script string) bool {
	for l := range strings.Lines(strings.ToLower(script)) {
		for _, word := range []string{"clean", "format", "delete", "convert", "create"} {
			if strings.HasPrefix(strings.TrimSpace(l), word) {
				return true
			}
		}
	}
	return strings.Contains(strings.ToLower(script), "clean")
}

package windows

import (
	"slices"
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
	// Files.
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
	"create": does(func(r *reader, o *operands) { // a file, or a key of the registry
		if key, ok := registry(o.At(0).text); ok {
			r.autostart(key)
			return
		}
		r.writes(o.At(0), o.At(1))
	}),
	"move":    does(func(r *reader, o *operands) { r.moves(o.At(0), o.At(1)) }),
	"items":   itemsIn,
	"source":  func(c *call, o *operands) value { return value{sources: []string{c.r.path(o.At(0).text)}} },
	"startup": each((*reader).startup),
	"read-in": func(c *call, o *operands) value { // files in a directory, or all
		contents := c.r.reads(o.At(0))
		for _, p := range o.At(1).paths() {
			contents.taint(c.r.reads(literal(strings.TrimRight(o.At(0).text, `/\`) + "/" + p)))
		}
		return contents
	},
	"extract": does(func(r *reader, o *operands) {
		from, to := o.At(0), o.At(1)
		if to.text == "" {
			to = literal(strings.TrimSuffix(strings.TrimSuffix(from.text, ".zip"), ".ZIP"))
		}
		r.writes(to, value{remote: r.cameFrom(from.text)})
	}),
	"unwrap": does(func(r *reader, o *operands) {
		r.reads(o.At(0))
		if to := r.path(o.At(1).text); o.At(1).text != "" {
			r.add(effect.Effect{Verb: effect.Write, Object: to, From: r.path(o.At(0).text), How: Decoder})
			r.keep(to, Decoder)
		}
	}),
	"mode": does(func(r *reader, o *operands) {
		for _, p := range o.At(0).paths() {
			r.add(effect.Effect{Verb: effect.Mode, Object: r.path(p), Content: o.At(1).text, Wide: o.All})
		}
		if len(o.At(0).paths()) == 0 {
			r.doubt(Variable)
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

	// Others.
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
	"tell-name": does(func(r *reader, o *operands) { r.tellsName(o.At(0)) }),
	"lookup": func(c *call, o *operands) value {
		c.r.tellsName(o.At(1))
		return c.r.other(o.Values, value{})
	},
	"download": does(func(r *reader, o *operands) { r.downloads(o.At(0), o.At(1)) }),
	"download-each": does(func(r *reader, o *operands) { // an address and a file behind it
		words := o.Spread(itemsOf)
		if i := slices.IndexFunc(words, func(w value) bool { return strings.Contains(w.text, "://") }); i >= 0 {
			r.downloads(words[i], argument(words, i+1))
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
		out := value{remote: c.r.connected}
		out.taint(o.At(0))
		return out
	},
	"query": func(c *call, o *operands) value { c.r.query(o.At(0)); return value{text: "$command"} },

	// What runs.
	"eval": func(c *call, o *operands) value { return c.r.evaluate(o.At(0)) },
	"run":  func(c *call, o *operands) value { return c.r.run(lineOf(o), value{}) },
	"run-as": func(c *call, o *operands) value { // another user
		words, before := lineOf(o), c.r.sudo
		c.r.sudo = true
		c.r.raises(words)
		out := c.r.run(words, value{})
		c.r.sudo = before
		return out
	},
	"run-remote": each(func(r *reader, address string) { r.does(effect.RunRemote, strings.ReplaceAll(address, `\`, "/")) }),
	"run-for": does(func(r *reader, o *operands) {
		dir := o.At(1).text
		if dir == "" {
			dir = "."
		}
		line := strings.NewReplacer("@path", dir+"/*", "@file", dir+"/*", "@PATH", dir+"/*").Replace(strings.Trim(o.At(0).text, `"`))
		r.run(literals(splitWords(line)), value{})
	}),
	"open": each(func(r *reader, p string) {
		if !r.loads(p) {
			r.does(effect.Run, r.path(p))
		}
	}),
	"start": func(c *call, o *operands) value {
		if v := o.At(0); v.text != "" && !c.r.loads(v.text) {
			return c.r.other([]value{v}, value{})
		}
		return value{}
	},
	"load": each(func(r *reader, p string) { // a module that is no path is installed already
		if lower := strings.ToLower(p); !r.loads(p) && (strings.HasSuffix(lower, ".psm1") || strings.HasSuffix(lower, ".ps1")) {
			r.file(p)
		}
	}),
	"library": each(func(r *reader, p string) { r.loads(p) }),
	"foreign": does(func(r *reader, o *operands) { r.foreign(&o.Values[0]) }),
	"assembly": does(func(r *reader, o *operands) {
		if v := o.At(0); v.remote != "" || !r.loads(v.text) && (v.hidden != "" || !v.known) {
			v.hidden = "assembly"
			r.foreign(&v)
		}
	}),
	"pass":        func(c *call, o *operands) value { return c.r.other(append(slices.Clone(o.Values), c.all...), c.in) },
	"bind":        does(func(r *reader, o *operands) { r.bind(o.At(0).text, o.At(1)) }),
	"powershell":  func(c *call, _ *operands) value { return c.r.powershellWith(c.all, c.in) },
	"cmd":         func(c *call, _ *operands) value { c.r.cmd(c.all, c.in); return value{} },
	"web-request": hook(webRequest), "invoke-command": hook(invokeCommand), "wmi-method": hook(wmiMethod), "new-object": hook(newObject), "for-each": hook(forEach), "set-alias": hook(setAlias), "invoke": hook(invokes),
	"services": hook(serviceControl), "network": hook(netCommand), "runs-address": hook(runsAddress), "find-text": hook(findText), "starts": hook(starts), "sets": hook(sets), "item-property": hook(itemProperty),

	// The machine.
	"format": formats, "erase": does(func(r *reader, o *operands) {
		if v := o.At(0); Erases(v.text + v.joined()) {
			r.does(effect.Format, "disk")
		}
	}),
	"kill": does(func(r *reader, o *operands) {
		r.does(effect.Kill, strings.ReplaceAll(o.At(0).joined(), ".exe", ""))
	}),
	"stop": each((*reader).stops), "install": each(func(r *reader, name string) { r.does(effect.Install, name) }),
	"shutdown": notes(effect.Shutdown), "persist": notes(effect.Persist), "disarm": notes(effect.Disarm), "grant": notes(effect.Grant), "reveal": notes(effect.Reveal),
	"reveal-named": func(c *call, _ *operands) value {
		c.r.does(effect.Reveal, "credentials of "+strings.TrimPrefix(c.name, "get-")+" "+c.named().joined())
		return value{text: "$" + c.name}
	},
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
	"drop-named": removes(func(_ *call, _ *operands, what string, _ bool) effect.Effect {
		return effect.Effect{Verb: effect.Drop, Object: "database " + what, Wide: true, Scratch: effect.PurposeOf(what) == effect.ForTests}
	}),
	"destroy-named": removes(func(c *call, o *operands, what string, many bool) effect.Effect { // with all that it holds if it is called so
		return effect.Effect{Verb: effect.Destroy, Object: what, Wide: many || o.All || strings.Contains(c.name, o.At(0).text)}
	}),
	"destroy-part": removes(func(c *call, _ *operands, what string, many bool) effect.Effect {
		small := slices.ContainsFunc(library.Of(library.PowerShell).Way("parts"), func(part string) bool { return strings.HasSuffix(c.name, part) })
		return effect.Effect{Verb: effect.Destroy, Object: what, Wide: many || !small}
	}),

	// What something is.
	"as":      func(_ *call, o *operands) value { v := o.At(0); v.object = o.At(1).text; return v },
	"process": func(_ *call, o *operands) value { return value{list: []value{o.At(0)}, object: "process"} },
	"instance": func(_ *call, o *operands) value {
		return value{text: "$instance", object: "wmi " + strings.ToLower(o.At(0).text)}
	},
	"object":      func(_ *call, o *operands) value { return value{object: o.At(0).text} },
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
	"listing": listing, "line": lineIn,
	"address-in": func(_ *call, o *operands) value { return literal(addresses.FindString(line(o.At(0).list))) },
	"last":       func(_ *call, o *operands) value { return argument(o.At(0).list, len(o.At(0).list)-1) },
	"behind": func(_ *call, o *operands) value { // words behind one
		words := o.At(0).list
		at := slices.IndexFunc(words, func(w value) bool { return strings.EqualFold(w.text, o.At(1).text) })
		return value{list: words[at+1:], known: true}
	},
	"path": func(c *call, o *operands) value {
		parts := o.Spread(itemsOf)
		for i := range parts {
			parts[i].text = strings.TrimRight(parts[i].text, `/\`)
		}
		return c.r.joined(value{list: parts}, "/")
	},
	"lower":   func(_ *call, o *operands) value { return literal(strings.ToLower(o.At(0).joined())) },
	"concat":  func(c *call, o *operands) value { return c.r.concat(o.At(0), literal(o.At(1).joined())) },
	"join":    func(c *call, o *operands) value { return c.r.joined(o.At(1), o.At(0).text) },
	"replace": func(c *call, o *operands) value { return c.r.replaced(o.At(0), o.At(1).text, o.At(2).text) },
	"split":   func(c *call, o *operands) value { return c.r.split(o.At(0), o.At(1).text) },
	"part": func(_ *call, o *operands) value {
		v, size := o.At(0), ""
		if o.Has(2) {
			size = o.At(2).text
		}
		if s, ok := decode.Cut(v.text, o.At(1).text, size); ok && v.known {
			v.text = s
			return v
		}
		return made("$part", o.Values)
	},
	"base64": func(_ *call, o *operands) value {
		v := o.At(0)
		if raw, ok := decode.Base64(v.text); ok && v.known && len(raw) <= mostText {
			return value{text: raw, known: true, hidden: "base64"}
		}
		return value{text: "$decoded", hidden: "base64"}
	},
	"characters": func(_ *call, o *operands) value {
		v := o.At(0)
		if v.known && strings.Contains(o.At(1).object, "unicode") {
			v.text = decode.UTF16(v.text)
		}
		return v
	},
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

// lineOf are the words of a line, or a program and those of its arguments.
func lineOf(o *operands) []value {
	words := literals(splitWords(strings.Trim(o.At(0).joined(), `"'`)))
	if len(o.Values) > 1 {
		words = append([]value{o.At(0)}, literals(splitWords(o.At(1).joined()))...)
	}
	return words
}

// each is an operation on every text of its first operand.
func each(f func(r *reader, s string)) operation {
	return does(func(r *reader, o *operands) {
		for _, s := range o.At(0).paths() {
			f(r, s)
		}
	})
}

// hook is an operation that only code can tell about.
func hook(f func(r *reader, c *call) value) operation {
	return func(c *call, _ *operands) value { return f(c.r, c) }
}

// itemsOf are the items of a list that has some.
func itemsOf(v value) ([]value, bool) { return v.list, len(v.list) > 0 }

// listing is what dir prints: the files in directories.
func listing(_ *call, o *operands) value {
	out := value{object: "listing"}
	for _, dir := range o.Spread(itemsOf) {
		if !strings.ContainsAny(dir.text, "*?") {
			dir = literal(strings.TrimRight(dir.text, `/\`) + "/*")
		}
		out.list = append(out.list, dir)
	}
	if out.list == nil {
		out.list = []value{literal("./*")}
	}
	return out
}

// lineIn is the words of a line in one text.
func lineIn(_ *call, o *operands) value {
	words := o.At(0).list
	out := made(line(words), words)
	out.known = !slices.ContainsFunc(words, func(w value) bool { return !w.known })
	return out
}

package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
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
	return does(func(r *reader, o *operands) { r.does(verb, strings.TrimSpace(joined(o.At(0)))) })
}

// joined are the texts of a value in one.
func joined(v value) string { return strings.Join(paths(v), " ") }

// operations are those that descriptions have.
var operations = map[string]operation{
	// Files.
	"delete": does(func(r *reader, o *operands) {
		r.deletes(o.All, o.At(0))
		if len(paths(o.At(0))) == 0 {
			r.doubt(Variable)
		}
	}),
	"read": func(c *call, o *operands) value { return c.r.reads(o.At(0)) },
	"write": does(func(r *reader, o *operands) {
		contents := o.At(1)
		if len(o.Values) == 1 {
			contents = values.Unknown("contents")
		}
		r.writes(o.At(0), contents)
	}),
	"create": does(func(r *reader, o *operands) { // a file, or a key of the registry
		if key, ok := registry(shown(o.At(0))); ok {
			r.autostart(key)
			return
		}
		r.writes(o.At(0), o.At(1))
	}),
	"move":    does(func(r *reader, o *operands) { r.moves(o.At(0), o.At(1)) }),
	"items":   itemsIn,
	"source":  func(c *call, o *operands) value { return readFrom(c.r.path(shown(o.At(0)))) },
	"startup": each((*reader).startup),
	"read-in": func(c *call, o *operands) value { // files in a directory, or all
		contents := c.r.reads(o.At(0))
		for _, p := range paths(o.At(1)) {
			taint(&contents, c.r.reads(values.Text(strings.TrimRight(shown(o.At(0)), `/\`)+"/"+p)))
		}
		return contents
	},
	"extract": does(func(r *reader, o *operands) {
		from, to := o.At(0), o.At(1)
		if shown(to) == "" {
			to = values.Text(strings.TrimSuffix(strings.TrimSuffix(shown(from), ".zip"), ".ZIP"))
		}
		r.writes(to, fetched(r.cameFrom(shown(from))))
	}),
	"unwrap": does(func(r *reader, o *operands) {
		r.reads(o.At(0))
		if to := r.path(shown(o.At(1))); shown(o.At(1)) != "" {
			r.add(effect.Effect{Verb: effect.Write, Object: to, From: r.path(shown(o.At(0))), How: Decoder})
			r.keep(to, Decoder)
		}
	}),
	"mode": does(func(r *reader, o *operands) {
		for _, p := range paths(o.At(0)) {
			r.add(effect.Effect{Verb: effect.Mode, Object: r.path(p), Content: shown(o.At(1)), Wide: o.All})
		}
		if len(paths(o.At(0))) == 0 {
			r.doubt(Variable)
		}
	}),
	"chdir": does(func(r *reader, o *operands) {
		if v := o.At(0); shown(v) != "" {
			if !known(v) {
				r.doubt(Variable)
			}
			r.at.Cwd = r.path(shown(v))
		}
	}),
	"map-drive": does(func(r *reader, o *operands) { r.mapped(shown(o.At(0)), shown(o.At(1))) }),

	// Others.
	"fetch": func(c *call, o *operands) value {
		c.r.does(effect.Fetch, shown(o.At(0)))
		return fetched(shown(o.At(0)))
	},
	"send": does(func(r *reader, o *operands) { r.sends(shown(o.At(0)), o.At(1)) }),
	"tell": func(c *call, o *operands) value {
		if v := o.At(0); c.r.connected != "" && len(v.Sources()) > 0 {
			c.r.sends(c.r.connected, v)
		}
		return made(c.name, []value{c.in, o.At(0)})
	},
	"tell-name": does(func(r *reader, o *operands) { r.tellsName(o.At(0)) }),
	"lookup": func(c *call, o *operands) value {
		c.r.tellsName(o.At(1))
		return c.r.other(o.Values, value{})
	},
	"download": does(func(r *reader, o *operands) { r.downloads(o.At(0), o.At(1)) }),
	"download-each": does(func(r *reader, o *operands) { // an address and a file behind it
		words := o.Spread(itemsOf)
		if i := slices.IndexFunc(words, func(w value) bool { return strings.Contains(shown(w), "://") }); i >= 0 {
			r.downloads(words[i], argument(words, i+1))
		}
	}),
	"connect": func(c *call, o *operands) value {
		address := strings.Join(paths(o.At(0)), ":")
		if address != "" {
			c.r.does(effect.Connect, address)
			c.r.connected = address
		}
		return fetched(address).As("socket")
	},
	"listen": func(c *call, o *operands) value {
		c.r.does(effect.Listen, shown(o.At(0)))
		return object("socket")
	},
	"answer": func(c *call, o *operands) value {
		out := fetched(c.r.connected)
		taint(&out, o.At(0))
		return out
	},
	"query": func(c *call, o *operands) value { c.r.query(o.At(0)); return values.Unknown("command") },

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
		dir := shown(o.At(1))
		if dir == "" {
			dir = "."
		}
		line := strings.NewReplacer("@path", dir+"/*", "@file", dir+"/*", "@PATH", dir+"/*").Replace(strings.Trim(shown(o.At(0)), `"`))
		r.run(literals(splitWords(line)), value{})
	}),
	"open": each(func(r *reader, p string) {
		if !r.loads(p) {
			r.does(effect.Run, r.path(p))
		}
	}),
	"start": func(c *call, o *operands) value {
		if v := o.At(0); shown(v) != "" && !c.r.loads(shown(v)) {
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
		if v := o.At(0); v.Remote() != "" || !r.loads(shown(v)) && (v.Hidden() != "" || !known(v)) {
			v = v.MadeOf(v.Origin().And(values.DecodedBy("assembly")))
			r.foreign(&v)
		}
	}),
	"pass":        func(c *call, o *operands) value { return c.r.other(append(slices.Clone(o.Values), c.all...), c.in) },
	"bind":        does(func(r *reader, o *operands) { r.bind(shown(o.At(0)), o.At(1)) }),
	"powershell":  func(c *call, _ *operands) value { return c.r.powershellWith(c.all, c.in) },
	"cmd":         func(c *call, _ *operands) value { c.r.cmd(c.all, c.in); return value{} },
	"web-request": hook(webRequest), "invoke-command": hook(invokeCommand), "wmi-method": hook(wmiMethod), "new-object": hook(newObject), "for-each": hook(forEach), "set-alias": hook(setAlias), "invoke": hook(invokes),
	"services": hook(serviceControl), "network": hook(netCommand), "runs-address": hook(runsAddress), "find-text": hook(findText), "starts": hook(starts), "sets": hook(sets), "item-property": hook(itemProperty),

	// The machine.
	"format": formats, "erase": does(func(r *reader, o *operands) {
		if v := o.At(0); Erases(shown(v) + joined(v)) {
			r.does(effect.Format, "disk")
		}
	}),
	"kill": does(func(r *reader, o *operands) {
		r.does(effect.Kill, strings.ReplaceAll(joined(o.At(0)), ".exe", ""))
	}),
	"stop": each((*reader).stops), "install": each(func(r *reader, name string) { r.does(effect.Install, name) }),
	"shutdown": notes(effect.Shutdown), "persist": notes(effect.Persist), "disarm": notes(effect.Disarm), "grant": notes(effect.Grant), "reveal": notes(effect.Reveal),
	"reveal-named": func(c *call, _ *operands) value {
		c.r.does(effect.Reveal, "credentials of "+strings.TrimPrefix(c.name, "get-")+" "+joined(c.named()))
		return values.Unknown(c.name)
	},
	"set-variable": does(func(r *reader, o *operands) {
		r.add(effect.Effect{Verb: effect.SetVariable, Object: shown(o.At(0)), From: shown(o.At(1))})
	}),
	"registry": func(c *call, o *operands) value {
		if key, ok := registry(shown(o.At(0))); ok {
			c.r.autostart(key)
		} else if strings.Contains(strings.ToLower(shown(o.At(1))), "amsi") {
			c.r.does(effect.Disarm, "script scanner")
		}
		return made(c.name, append([]value{c.in}, c.words...))
	},
	"remove-instance": does(func(r *reader, o *operands) {
		v := o.At(0)
		r.removesInstance(strings.ToLower(shown(v)) + strings.TrimPrefix(v.Kind(), "wmi "))
	}),
	"drop-named": removes(func(_ *call, _ *operands, what string, _ bool) effect.Effect {
		return effect.Effect{Verb: effect.Drop, Object: "database " + what, Wide: true, Scratch: effect.PurposeOf(what) == effect.ForTests}
	}),
	"destroy-named": removes(func(c *call, o *operands, what string, many bool) effect.Effect { // with all that it holds if it is called so
		return effect.Effect{Verb: effect.Destroy, Object: what, Wide: many || o.All || strings.Contains(c.name, shown(o.At(0)))}
	}),
	"destroy-part": removes(func(c *call, _ *operands, what string, many bool) effect.Effect {
		small := slices.ContainsFunc(library.Of(library.PowerShell).Way("parts"), func(part string) bool { return strings.HasSuffix(c.name, part) })
		return effect.Effect{Verb: effect.Destroy, Object: what, Wide: many || !small}
	}),

	// What something is.
	"as":      func(_ *call, o *operands) value { return o.At(0).As(shown(o.At(1))) },
	"process": func(_ *call, o *operands) value { return values.List(o.At(0)).As("process") },
	"instance": func(_ *call, o *operands) value {
		return values.Unknown("instance").As("wmi " + strings.ToLower(shown(o.At(0))))
	},
	"object":      func(_ *call, o *operands) value { return object(shown(o.At(0))) },
	"hidden-name": func(_ *call, o *operands) value { return values.Unknown(strings.ToLower(shown(o.At(0)))) },
	"variable":    func(c *call, o *operands) value { return c.r.variable(shown(o.At(0))) },
	"environment": func(*call, *operands) value { return readFrom("environment") },
	"folder": func(_ *call, o *operands) value {
		if dir, ok := library.Of(library.PowerShell).Constant("folder." + strings.ToLower(shown(o.At(0)))); ok {
			return values.Text(dir)
		}
		return values.Text("~")
	},
	"hidden": func(c *call, o *operands) value {
		out := made("stream", c.words)
		return out.MadeOf(out.Origin().And(values.DecodedBy(shown(o.At(0)))))
	},
	"reader": func(c *call, o *operands) value {
		out := made("stream", c.words)
		if file := o.At(0); known(file) && shown(file) != "" {
			taint(&out, c.r.reads(file))
		}
		return out
	},
	"writer": func(c *call, o *operands) value {
		if to := o.At(0); to.Kind() == "socket" || to.Remote() != "" {
			return to
		} else if known(to) {
			c.r.writes(to, values.Unknown("contents"))
		}
		return value{}
	},
	"listing": listing, "line": lineIn,
	"address-in": func(_ *call, o *operands) value { return values.Text(addresses.FindString(line(list(o.At(0))))) },
	"last":       func(_ *call, o *operands) value { return argument(list(o.At(0)), len(list(o.At(0)))-1) },
	"behind": func(_ *call, o *operands) value { // words behind one
		words := list(o.At(0))
		at := slices.IndexFunc(words, func(w value) bool { return strings.EqualFold(shown(w), shown(o.At(1))) })
		return values.List(words[at+1:]...)
	},
	"path": func(c *call, o *operands) value {
		parts := o.Spread(itemsOf)
		for i := range parts {
			parts[i].Text = strings.TrimRight(parts[i].Text, `/\`)
		}
		return c.r.joined(values.List(parts...), "/")
	},
	"concat":  func(c *call, o *operands) value { return c.r.concat(o.At(0), values.Text(joined(o.At(1)))) },
	"replace": func(c *call, o *operands) value { return c.r.replaced(o.At(0), shown(o.At(1)), shown(o.At(2))) },
	"part": func(c *call, o *operands) value { // of a text: what is in a list stays
		if v := o.At(0); len(list(v)) > 0 {
			return v
		}
		return values.Operations["part"](&c.r.Maker, o)
	},
	"split": func(c *call, o *operands) value { return c.r.split(o.At(0), o.At(1)) },
	"lower": func(_ *call, o *operands) value { return values.Text(strings.ToLower(joined(o.At(0)))) },
	"join":  func(c *call, o *operands) value { return c.r.joined(o.At(1), shown(o.At(0))) },
	"base64": func(_ *call, o *operands) value {
		v := o.At(0)
		if raw, ok := decode.Base64(shown(v)); ok && known(v) && len(raw) <= mostText {
			v := values.Text(raw).As("bytes")
			if strings.Contains(raw, values.Mark) { // of two bytes for each letter
				v = values.Text(strings.ReplaceAll(decode.UTF16(raw), values.Mark, ""))
			}
			return v.MadeOf(values.DecodedBy("base64"))
		}
		return values.Unknown("decoded").MadeOf(values.DecodedBy("base64"))
	},
	"characters": func(_ *call, o *operands) value {
		v := o.At(0)
		if v.Kind() == "bytes" && strings.Contains(o.At(1).Kind(), "unicode") {
			v.Text = decode.UTF16(v.Text)
		}
		return v.As("")
	},
}

// formats erases a drive by its letter, or fills in the places of a text.
func formats(c *call, o *operands) value {
	if len(o.Values) > 1 {
		return c.r.format(o.At(0), o.At(1))
	}
	object := shown(o.At(0))
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
	words := literals(splitWords(strings.Trim(joined(o.At(0)), `"'`)))
	if len(o.Values) > 1 {
		words = append([]value{o.At(0)}, literals(splitWords(joined(o.At(1))))...)
	}
	return words
}

// each is an operation on every text of its first operand.
func each(f func(r *reader, s string)) operation {
	return does(func(r *reader, o *operands) {
		for _, s := range paths(o.At(0)) {
			f(r, s)
		}
	})
}

// hook is an operation that only code can tell about.
func hook(f func(r *reader, c *call) value) operation {
	return func(c *call, _ *operands) value { return f(c.r, c) }
}

// itemsOf are the items of a list that has some.
func itemsOf(v value) ([]value, bool) { return list(v), len(list(v)) > 0 }

// listing is what dir prints: the files in directories.
func listing(_ *call, o *operands) value {
	dirs := o.Spread(itemsOf)
	files := make([]value, 0, max(1, len(dirs)))
	for _, dir := range dirs {
		if !strings.ContainsAny(shown(dir), "*?") {
			dir = values.Text(strings.TrimRight(shown(dir), `/\`) + "/*")
		}
		files = append(files, dir)
	}
	if len(files) == 0 {
		files = append(files, values.Text("./*"))
	}
	return values.List(files...).As("listing")
}

// lineIn is the words of a line in one text.
func lineIn(_ *call, o *operands) value {
	words := list(o.At(0))
	of := made("", words)
	return written(line(words), known(values.List(words...))).MadeOf(of.Origin())
}

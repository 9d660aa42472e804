package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/library"
)

func rubyOpen(r *reader, c *call) value {
	path := c.get(0)
	if s := path.text; path.form == isString && strings.HasPrefix(s, "|") && c.name == "open" {
		path.text = strings.TrimSpace(s[1:])
		return r.shell(path)
	}
	if path.form == isString && isAddress(path.text) {
		return r.fetch(path)
	}
	return r.openMode(path, c.get(1, "mode"), c.has("mode") || len(c.values()) > 1)
}

func rubyUnpack(r *reader, c *call) value {
	switch how, _ := c.get(0).known(); {
	case strings.HasPrefix(how, "m"):
		return r.decoded(c.self, "base64", decode.Base64)
	case strings.HasPrefix(how, "a"), strings.HasPrefix(how, "A"):
		return c.self
	default:
		out := value{}.madeOf(decodedBy("pack"))
		out.taint(&c.self)
		return out
	}
}

func rubyPack(r *reader, c *call) value {
	how, _ := c.get(0).known()
	first := firstOf(c.self)
	switch {
	case strings.HasPrefix(how, "H"):
		return r.decoded(first, "hex", decode.Hex)
	case strings.HasPrefix(how, "m"):
		out := value{}
		out.taint(&c.self)
		return out
	case strings.HasPrefix(how, "c"), strings.HasPrefix(how, "C"), strings.HasPrefix(how, "U"):
		return r.letters(c.self.items())
	}
	return value{}.madeOf(decodedBy("pack"))
}

// rubyMap is map(&:chr).
func rubyMap(r *reader, c *call) value {
	if s, ok := c.get(0).known(); ok && c.self.form == isList {
		out := slices.Grow([]value(nil), len(c.self.items()))
		for i := range c.self.items() {
			out = append(out, r.callWith(r.member(&c.self.items()[i], s), nil))
		}
		return listOf(out...)
	}
	return c.self
}

func rubyTranslate(r *reader, c *call) value {
	a, _ := c.get(0).known()
	b, _ := c.get(1).known()
	if strings.EqualFold(a, "a-za-z") && strings.EqualFold(b, "n-za-mn-za-m") {
		return r.decoded(c.self, "rot13", decode.Rot13)
	}
	out := value{}.madeOf(decodedBy("tr"))
	out.taint(&c.self)
	return out
}

func rubySend(r *reader, c *call) value { return r.sendTo(value{form: isRef, text: "Kernel"}, c) }

func rubySendTo(r *reader, c *call) value {
	if c.self.form == isSocket {
		return value{}
	}
	return r.sendTo(c.self, c)
}

func (r *reader) sendTo(to value, c *call) value {
	name := c.get(0)
	s, ok := name.known()
	if !ok {
		if name.hidden() != "" || to.form == isRef && r.table.Guarded(to.text) && name.form == isString {
			r.use(library.Use{What: library.Eval, Hidden: "names"})
		}
		return value{}
	}
	method := r.member(&to, s)
	return r.call(&method, &call{args: c.args[1:]})
}

// luaSpawn runs a program with the list of its arguments, which may be one of
// the options.
func luaSpawn(r *reader, c *call) value {
	args := c.get(1)
	for i, key := range args.keys() {
		if key == "args" && i < len(args.items()) {
			args = args.items()[i]
			break
		}
	}
	return r.argv(append([]value{c.get(0)}, r.flat(args)...))
}

// luaCommand is a command of the editor.
func luaCommand(r *reader, c *call) value {
	v := c.get(0)
	if s, ok := v.known(); ok {
		for _, word := range []string{"silent! ", "silent ", ":"} {
			s = strings.TrimPrefix(strings.TrimSpace(s), word)
		}
		if command, bang := strings.CutPrefix(s, "!"); bang {
			return r.shell(text(command))
		}
		if program, is := strings.CutPrefix(s, "lua "); is {
			return r.evaluate(text(program))
		}
	}
	return value{}
}

// rBody is a request with a body, which is sent once it is performed.
func rBody(r *reader, c *call) value {
	address, body := c.get(0, "req"), c.get(1, "path", "body", "data")
	if len(c.args) == 1 { // request(...) |> req_body_file(...)
		address, body = text(mark+"url"+mark), c.args[0].value
	}
	if c.has("path") || strings.HasSuffix(c.name, "file") {
		body = r.read(body)
	}
	return r.send(address, body)
}

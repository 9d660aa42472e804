package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

func rubyOpen(r *reader, c *call, _ *operands) value {
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

// rubyMap is map(&:chr).
func rubyMap(r *reader, c *call, _ *operands) value {
	if s, ok := c.get(0).known(); ok && c.self.form == isList {
		out := slices.Grow([]value(nil), len(c.self.items()))
		for i := range c.self.items() {
			out = append(out, r.callWith(r.member(&c.self.items()[i], s), nil))
		}
		return listOf(out...)
	}
	return c.self
}

func rubySend(r *reader, c *call, _ *operands) value {
	return r.sendTo(value{form: isRef, text: "Kernel"}, c)
}

func rubySendTo(r *reader, c *call, _ *operands) value {
	if c.self.form == isSocket {
		return value{}
	}
	return r.sendTo(c.self, c)
}

func (r *reader) sendTo(to value, c *call) value {
	name := c.get(0)
	if s, ok := name.known(); ok {
		method := r.member(&to, s)
		return r.call(&method, &call{args: c.args[1:]})
	}
	if name.hidden() != "" || to.form == isRef && r.table.Guarded(to.text) && name.form == isString {
		r.use(library.Use{What: library.Eval, Hidden: "names"})
	}
	return value{}
}

// luaCommand is a command of the editor.
func luaCommand(r *reader, c *call, _ *operands) value {
	s, _ := c.get(0).known()
	for _, word := range []string{"silent! ", "silent ", ":"} {
		s = strings.TrimPrefix(strings.TrimSpace(s), word)
	}
	if command, bang := strings.CutPrefix(s, "!"); bang {
		return r.shell(text(command))
	}
	if program, is := strings.CutPrefix(s, "lua "); is {
		return r.evaluate(text(program))
	}
	return value{}
}

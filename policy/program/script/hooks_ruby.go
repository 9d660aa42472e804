package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

func rubyOpen(r *reader, c *call, _ *operands) value {
	path := c.get(0)
	if s := path.Text; path.Form == values.IsText && strings.HasPrefix(s, "|") && c.name == "open" {
		path.Text = strings.TrimSpace(s[1:])
		return r.shell(path)
	}
	if path.Form == values.IsText && isAddress(path.Text) {
		return r.fetch(path)
	}
	mode, given := c.argument(1, []string{"mode"})
	return r.openMode(path, mode, given)
}

// rubyMap is map(&:chr).
func rubyMap(r *reader, c *call, _ *operands) value {
	if s, ok := c.get(0).Known(); ok && c.self.Form == values.IsList {
		out := slices.Grow([]value(nil), len(c.self.Items()))
		for i := range c.self.Items() {
			out = append(out, r.callWith(r.member(&c.self.Items()[i], s), nil))
		}
		return values.List(out...)
	}
	return c.self
}

func rubySend(r *reader, c *call, _ *operands) value {
	return r.sendTo(value{Form: values.IsName, Text: "Kernel"}, c)
}

func rubySendTo(r *reader, c *call, _ *operands) value {
	if c.self.Form == values.IsSocket {
		return value{}
	}
	return r.sendTo(c.self, c)
}

func (r *reader) sendTo(to value, c *call) value {
	name := c.get(0)
	if s, ok := name.Known(); ok {
		method := r.member(&to, s)
		return r.call(&method, &call{args: c.args[1:]})
	}
	if name.Hidden() != "" || to.Form == values.IsName && r.table.Guarded(to.Text) && name.Form == values.IsText {
		r.use(library.Use{What: library.Eval, Hidden: "names"})
	}
	return value{}
}

// luaCommand is a command of the editor.
func luaCommand(r *reader, c *call, _ *operands) value {
	s, _ := c.get(0).Known()
	for _, word := range []string{"silent! ", "silent ", ":"} {
		s = strings.TrimPrefix(strings.TrimSpace(s), word)
	}
	if command, bang := strings.CutPrefix(s, "!"); bang {
		return r.shell(values.Text(command))
	}
	if program, is := strings.CutPrefix(s, "lua "); is {
		return r.evaluate(values.Text(program))
	}
	return value{}
}

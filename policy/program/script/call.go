package script

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// call is a call with its arguments.
type call struct {
	name  string
	self  value
	args  []argument
	comma bool
}

type argument struct {
	name  string
	value value
}

// add gives the call an argument.
func (c *call) add(name string, v value) {
	if len(c.args) < values.MostItems {
		c.args = append(c.args, argument{name, v})
	}
}

// noPlace is the place of an argument that has a name alone.
const noPlace = 1 << 20

// argument is the one at a place or with one of the names, if there is one.
func (c *call) argument(place int, names []string) (v value, given bool) {
	for i := range c.args {
		if n := c.args[i].name; n != "" && slices.Contains(names, n) {
			return c.args[i].value, true
		}
	}
	for i := range c.args {
		if c.args[i].name == "" {
			if place == 0 {
				return c.args[i].value, true
			}
			place--
		}
	}
	return value{}, false
}

// get is the argument at a place, unknown if there is none.
func (c *call) get(place int) value {
	v, _ := c.argument(place, nil)
	return v
}

// values are the arguments without a name.
func (c *call) values() []value {
	out := make([]value, 0, len(c.args))
	for i := range c.args {
		if c.args[i].name == "" {
			out = append(out, c.args[i].value)
		}
	}
	return out
}

// list is the arguments as a list, or as a map if they have names.
func (c *call) list() value {
	items, keys, named := slices.Grow([]value(nil), len(c.args)), make([]string, len(c.args)), false
	for i := range c.args {
		items = append(items, c.args[i].value)
		keys[i] = c.args[i].name
		named = named || keys[i] != ""
	}
	if !named {
		keys = nil
	}
	return value{Form: values.IsList}.With(items, keys)
}

// arguments reads values with commas up to the limit. In a map every key is a
// name.
func (r *reader) arguments(c *call, braces bool) {
	for r.i < r.limit && r.Step() {
		start, t := r.i, r.peek(0)
		if t.Is(",") || t.Ends() || t.Closing() {
			c.comma = c.comma || t.Is(",")
			r.i++
			continue
		}
		name := r.label(braces)
		if r.language != library.Python && t.Kind == lexer.Name && name == "" && braces && r.keyword(t) {
			continue // it was a block
		}
		v := r.expr(0)
		for range 2 {
			if braces && name == "" && r.peek(0).Is(":") || r.peek(0).Is("=>") {
				name, _ = v.Known()
				r.i++
				v = r.expr(0)
			}
		}
		c.add(name, v)
		r.i = max(r.i, start+1)
	}
}

// label reads the name before an argument.
func (r *reader) label(braces bool) string {
	t, next := r.peek(0), r.peek(1)
	if t.Kind != lexer.Name {
		return ""
	}
	switch {
	case next.Is("=") && (r.language == library.Python || r.language == library.R) && !braces,
		next.Is("=>") && t.Sign() != '$',
		next.Is(":") && (r.language == library.Ruby || r.language == library.PHP) && !lexer.IsOneOf(t.Sign(), "$@"),
		next.Is("=") && r.language == library.Lua && braces:
		r.i += 2
		return t.Text
	}
	return ""
}

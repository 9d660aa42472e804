package script

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
)

// call is a call with its arguments.
type call struct {
	name  string
	self  value
	args  []argument
	comma bool
	// from is where its arguments begin on the reader's stack.
	from int
}

type argument struct {
	name  string
	value value
}

// begin begins a call. What was begun last ends first.
func (r *reader) begin() *call {
	if r.calling == len(r.calls) {
		r.calls = append(r.calls, &call{})
	}
	c := r.calls[r.calling]
	c.from = len(r.args)
	r.calling++
	return c
}

// end gives back what a call took. Nothing may use it afterwards.
func (r *reader) end(c *call) {
	clear(r.args[c.from:])
	r.args = r.args[:c.from]
	*c = call{}
	r.calling--
}

// add gives an argument to the call that was begun last.
func (r *reader) add(c *call, name string, v value) {
	if len(c.args) >= mostItems {
		return
	}
	r.args = append(r.args, argument{})
	arg := &r.args[len(r.args)-1]
	arg.name, arg.value = name, v
	c.args = r.args[c.from:len(r.args):len(r.args)]
}

// noPlace is the place of an argument that has a name alone.
const noPlace = 1 << 20

// argument is the one at a place or with one of the names, if there is one.
func (c *call) argument(place int, names []string) (v value, given bool) {
	for i := range c.args {
		for _, n := range names {
			if c.args[i].name == n && n != "" {
				return c.args[i].value, true
			}
		}
	}
	for i := range c.args {
		if c.args[i].name != "" {
			continue
		}
		if place == 0 {
			return c.args[i].value, true
		}
		place--
	}
	return value{}, false
}

// get is the argument at a place or with one of the names, unknown if there is none.
func (c *call) get(place int, names ...string) value {
	v, _ := c.argument(place, names)
	return v
}

// named is an argument by its name alone.
func (c *call) named(names ...string) value { return c.get(noPlace, names...) }

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

func (c *call) keys() []string {
	if !slices.ContainsFunc(c.args, func(a argument) bool { return a.name != "" }) {
		return nil
	}
	keys := make([]string, len(c.args))
	for i := range c.args {
		keys[i] = c.args[i].name
	}
	return keys
}

// list is the arguments as a list, or as a map if they have names.
func (c *call) list() value {
	items := slices.Grow([]value(nil), len(c.args))
	for i := range c.args {
		items = append(items, c.args[i].value)
	}
	return value{form: isList}.with(items, c.keys())
}

// arguments reads values with commas up to the limit. In a map every key is a
// name.
func (r *reader) arguments(c *call, braces bool) {
	for r.i < r.limit && r.step() {
		start, t := r.i, r.peek(0)
		switch {
		case t.Is(","):
			c.comma = true
			r.i++
			continue
		case t.Ends(), t.Closing():
			r.i++
			continue
		}
		name := r.label(braces)
		if r.language != library.Python && t.Kind == lexer.Name && name == "" && braces && r.keyword(t) {
			continue // it was a block
		}
		v := r.expr(0)
		if braces && name == "" && r.peek(0).Is(":") {
			name, _ = v.known()
			r.i++
			v = r.expr(0)
		}
		if r.peek(0).Is("=>") {
			name, _ = v.known()
			r.i++
			v = r.expr(0)
		}
		r.add(c, name, v)
		if r.i == start {
			r.i++
		}
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

package code

import "strings"

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

// get is the argument at a place or with one of the names.
func (c *call) get(place int, names ...string) value {
	for i := range c.args {
		for _, n := range names {
			if c.args[i].name == n && n != "" {
				return c.args[i].value
			}
		}
	}
	for i := range c.args {
		if c.args[i].name != "" {
			continue
		}
		if place == 0 {
			return c.args[i].value
		}
		place--
	}
	return value{}
}

// named is an argument by its name alone.
func (c *call) named(names ...string) value { return c.get(1<<20, names...) }

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
	some := false
	keys := make([]string, len(c.args))
	for i := range c.args {
		keys[i] = c.args[i].name
		some = some || keys[i] != ""
	}
	if !some {
		return nil
	}
	return keys
}

// arguments reads values with commas up to the limit. In a map every key is a
// name.
func (r *reader) arguments(braces bool) call {
	var c call
	for r.i < r.limit && r.step() {
		start, t := r.i, r.peek(0)
		switch {
		case t.is(","):
			c.comma = true
			r.i++
			continue
		case t.ends(), t.closing():
			r.i++
			continue
		}
		arg := argument{name: r.label(braces)}
		if r.language != Python && t.kind == isName && arg.name == "" && braces && r.keyword(t) {
			continue // it was a block
		}
		arg.value = r.expr(0)
		if braces && arg.name == "" && r.peek(0).is(":") {
			arg.name, _ = arg.value.known()
			r.i++
			arg.value = r.expr(0)
		}
		if r.peek(0).is("=>") {
			arg.name, _ = arg.value.known()
			r.i++
			arg.value = r.expr(0)
		}
		if len(c.args) < mostItems {
			c.args = append(c.args, arg)
		}
		if r.i == start {
			r.i++
		}
	}
	return c
}

// label reads the name before an argument.
func (r *reader) label(braces bool) string {
	t, next := r.peek(0), r.peek(1)
	if t.kind != isName {
		return ""
	}
	switch {
	case next.is("=") && (r.language == Python || r.language == R) && !braces,
		next.is("=>") && t.text[0] != '$',
		next.is(":") && (r.language == Ruby || r.language == PHP) && !strings.ContainsAny(t.text[:1], "$@"),
		next.is("=") && r.language == Lua && braces:
		r.i += 2
		return t.text
	}
	return ""
}

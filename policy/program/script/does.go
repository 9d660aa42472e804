package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// bound is a call with the description that says what its arguments are.
type bound struct {
	r *reader
	c *call
	d *library.Call
}

// operands are what an operation is given.
type operands struct {
	values []value
	given  []bool
	// all: it happens with everything below.
	all bool
}

func (o *operands) at(i int) value {
	if i < len(o.values) {
		return o.values[i]
	}
	return value{}
}

func (o *operands) has(i int) bool { return i < len(o.given) && o.given[i] }

// spread are the operands with the items of lists in their place.
func (o *operands) spread() []value {
	var list []value
	for i := range o.values {
		switch v := o.values[i]; {
		case !o.given[i]:
		case v.form == isList:
			list = append(list, v.items()...)
		default:
			list = append(list, v)
		}
	}
	return list
}

// described does what the first fitting description of a call says. It reports false
// if none fits.
func (r *reader) described(calls []*library.Call, c *call) (value, bool) {
	for _, d := range calls {
		b := bound{r, c, d}
		if b.fits() {
			return b.run(), true
		}
	}
	return value{}, false
}

// fits reports whether the description is about a method of what it is called on.
func (b *bound) fits() bool {
	if len(b.d.On) > 0 {
		form := formName(&b.c.self)
		if strings.HasPrefix(b.d.On[0], "!") {
			if slices.Contains(b.d.On, "!"+form) {
				return false
			}
		} else if !slices.Contains(b.d.On, form) {
			return false
		}
	}
	return library.Holds(b.d.If, b.holds)
}

func formName(v *value) string {
	switch v.form {
	case isString, isNum:
		return "text"
	case isList:
		return "list"
	case isClient:
		return "client"
	case isSocket:
		return "socket"
	case isFile:
		return "file"
	case isRef:
		return "name"
	default:
		return "unknown"
	}
}

func (b *bound) run() value {
	if b.d.Hook != "" {
		return b.r.hooks[b.d.Hook](b.r, b.c)
	}
	out := value{}
	for i := range b.d.Does {
		if o := &b.d.Does[i]; library.Holds(o.If, b.holds) {
			if v := b.operate(&o.Expression, len(o.All) > 0 && library.Holds(o.All, b.holds)); v != (value{}) {
				out = v
			}
		}
	}
	if b.d.Gives != nil {
		out, _ = b.value(b.d.Gives)
	}
	return out
}

func (b *bound) operate(e *library.Expression, all bool) value {
	o := operands{values: make([]value, len(e.Args)), given: make([]bool, len(e.Args)), all: all}
	for i := range e.Args {
		o.values[i], o.given[i] = b.value(&e.Args[i])
	}
	return b.r.operations[e.Name](b.r, b.c, &o)
}

func (b *bound) value(e *library.Expression) (v value, given bool) {
	switch {
	case e.Role != "":
		return b.role(e.Role)
	case e.Name != "":
		return b.operate(e, false), true
	default:
		return text(e.Text), true
	}
}

// role is the argument that a description calls so.
func (b *bound) role(name string) (v value, given bool) {
	switch name {
	case library.Self:
		return b.c.self, true
	case library.All:
		return b.c.list(), true
	}
	place := 0
	for i := range b.d.Params {
		p := &b.d.Params[i]
		switch {
		case p.Role != name:
		case p.Named:
			return b.c.argument(noPlace, p.Names)
		case p.Rest:
			rest := b.c.values()
			rest = rest[min(place, len(rest)):]
			return listOf(rest...), len(rest) > 0
		default:
			return b.c.argument(place, p.Names)
		}
		if !p.Named {
			place++
		}
	}
	return value{}, false
}

// holds reports whether a condition holds, and whether that is known.
func (b *bound) holds(c *library.Condition) (holds, known bool) {
	v, given := b.role(c.Role)
	if c.Test == library.Given || !given {
		return given, true
	}
	switch c.Test {
	case library.True:
		s, known := v.known()
		if v.form == isList {
			return len(v.items()) > 0, true
		}
		return !isFalse(s), known
	case library.Is:
		s, known := v.known()
		return s == c.Value, known
	default:
		return formName(&v) == c.Test, true
	}
}

func isFalse(s string) bool {
	switch s {
	case "False", "false", "FALSE", "F", "0", "None", "nil", "null", "NULL", "":
		return true
	}
	return false
}

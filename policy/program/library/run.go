package library

import (
	"slices"
	"strings"
)

// Reader is what reads programs of a language: it says what a call is given, and
// does what descriptions say. Its methods are about one call.
type Reader[V any] interface {
	// Given is the argument at a place, or with one of the names of the parameter:
	// for one that has no place, by its name alone.
	Given(p *Param, place int) (v V, given bool)
	// Whole is what a method is called on, for the role Self, or a list of all
	// arguments, for All.
	Whole(role string) V
	// ByName reports whether a parameter is given by one of its names: those that
	// are have no place.
	ByName(p *Param) bool
	// Text makes a value of a text, and Form says which of Forms a value has.
	Text(s string) V
	Form(v V) string
	// Known is the text of a value if it is the only one that it can be, and True
	// whether it counts as true.
	Known(v V) (text string, known bool)
	True(v V) (holds, known bool)
	// IsNothing reports whether a value is what comes out where nothing does.
	IsNothing(v V) bool
	// Do does an operation.
	Do(operation string, o *Operands[V]) V
}

// Operands are what an operation is given.
type Operands[V any] struct {
	Values []V
	Given  []bool
	// All: it happens with everything below.
	All bool
	// In is the directory in which it happens, if one was given.
	In *V
}

// At is an operand, nothing if there is none.
func (o *Operands[V]) At(i int) (v V) {
	if i < len(o.Values) {
		v = o.Values[i]
	}
	return v
}

// Has reports whether an operand was given.
func (o *Operands[V]) Has(i int) bool { return i < len(o.Given) && o.Given[i] }

// From are the operands from a place on that were given.
func (o *Operands[V]) From(place int) []V {
	var list []V
	for i := place; i < len(o.Values); i++ {
		if o.Given[i] {
			list = append(list, o.Values[i])
		}
	}
	return list
}

// Spread are the operands that were given, with the items of lists in their place.
func (o *Operands[V]) Spread(items func(V) ([]V, bool)) []V {
	var list []V
	for _, v := range o.From(0) {
		if all, is := items(v); is {
			list = append(list, all...)
		} else {
			list = append(list, v)
		}
	}
	return list
}

// Run does what the first fitting description of a call says and returns what comes
// out. It reports false if none fits.
func Run[V any](calls []*Call, r Reader[V]) (out V, done bool) {
	for _, d := range calls {
		b := binding[V]{r, d}
		if b.fits() {
			return b.run(), true
		}
	}
	return out, false
}

// binding is a call with the description that says what its arguments are.
type binding[V any] struct {
	r Reader[V]
	d *Call
}

// fits reports whether the description is about a method of what it is called on.
func (b *binding[V]) fits() bool {
	if len(b.d.On) > 0 {
		form := b.r.Form(b.r.Whole(Self))
		if strings.HasPrefix(b.d.On[0], "!") {
			if slices.Contains(b.d.On, "!"+form) {
				return false
			}
		} else if !slices.Contains(b.d.On, form) {
			return false
		}
	}
	return Holds(b.d.If, b.holds)
}

func (b *binding[V]) run() (out V) {
	for i := range b.d.Does {
		o := &b.d.Does[i]
		if !Holds(o.If, b.holds) || Certain(o.Unless, b.holds) {
			continue
		}
		var in *V
		if o.In != nil {
			if dir, given := b.value(o.In); given {
				in = &dir
			}
		}
		if v := b.operate(&o.Expression, len(o.All) > 0 && Holds(o.All, b.holds), in); !b.r.IsNothing(v) {
			out = v
		}
	}
	if b.d.Gives != nil {
		out, _ = b.value(b.d.Gives)
	}
	return out
}

func (b *binding[V]) operate(e *Expression, all bool, in *V) V {
	o := Operands[V]{Values: make([]V, len(e.Args)), Given: make([]bool, len(e.Args)), All: all, In: in}
	for i := range e.Args {
		o.Values[i], o.Given[i] = b.value(&e.Args[i])
	}
	return b.r.Do(e.Name, &o)
}

func (b *binding[V]) value(e *Expression) (v V, given bool) {
	switch {
	case e.Role != "":
		return b.role(e.Role)
	case e.Name != "":
		return b.operate(e, false, nil), true
	default:
		return b.r.Text(e.Text), true
	}
}

// role is the argument that a description calls so.
func (b *binding[V]) role(name string) (v V, given bool) {
	if name == Self || name == All {
		return b.r.Whole(name), true
	}
	place := 0
	for i := range b.d.Params {
		p := &b.d.Params[i]
		if p.Role == name {
			return b.r.Given(p, place)
		}
		if !p.Named && !b.r.ByName(p) {
			place++
		}
	}
	return v, false
}

// holds reports whether a condition holds, and whether that is known.
func (b *binding[V]) holds(c *Condition) (holds, known bool) {
	v, given := b.role(c.Role)
	if c.Test == Given || !given {
		return given, true
	}
	switch c.Test {
	case True:
		return b.r.True(v)
	case Is:
		s, known := b.r.Known(v)
		return matches(s, c.Value), known
	default:
		return b.r.Form(v) == c.Test, true
	}
}

// matches reports whether a text is another one, of which * stands for anything.
func matches(s, pattern string) bool {
	begin, rest, open := strings.Cut(pattern, "*")
	s, ok := strings.CutPrefix(s, begin)
	for ok && open {
		begin, rest, open = strings.Cut(rest, "*")
		if !open {
			return strings.HasSuffix(s, begin)
		}
		_, s, ok = strings.Cut(s, begin)
	}
	return ok && s == ""
}

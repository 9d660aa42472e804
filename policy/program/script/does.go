package script

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// described is a call as descriptions see it.
type described struct {
	r *reader
	c *call
}

// value is what is known of an expression.
type value = values.Value

// operands are what an operation is given.
type operands = values.Operands

// described does what the first fitting description of a call says. It reports false
// if none fits.
func (r *reader) described(calls []*library.Call, c *call) (value, bool) {
	return library.Run(calls, library.Reader[value](described{r, c}))
}

// Given is an argument of the call.
func (d described) Given(p *library.Param, place int) (value, bool) {
	switch {
	case p.Named:
		return d.c.argument(noPlace, p.Names)
	case p.Rest:
		rest := d.c.values()
		rest = rest[min(place, len(rest)):]
		return values.List(rest...), len(rest) > 0
	default:
		return d.c.argument(place, p.Names)
	}
}

// ByName is false: what is given by its name does not move the others.
func (described) ByName(*library.Param) bool { return false }

// Whole is all arguments, or what a method is called on.
func (d described) Whole(role string) value {
	if role == library.All {
		return d.c.list()
	}
	return d.c.self
}

func (described) Text(s string) value { return values.Text(s) }

func (described) Known(v value) (string, bool) { return v.Known() }

func (described) IsNothing(v value) bool { return v == value{} }

// Do does an operation, in a directory if one is given.
func (d described) Do(operation string, o *operands) value {
	if o.In != nil {
		before := d.r.dir
		defer func() { d.r.dir = before }()
		if s, ok := o.In.Known(); ok {
			d.r.dir = d.r.inDir(s)
		}
	}
	if f := values.Operations[operation]; f != nil {
		return f(&d.r.Maker, o)
	}
	return d.r.operations[operation](d.r, d.c, o)
}

// Form is what a value is.
func (described) Form(v value) string {
	return [...]string{values.IsUnknown: "unknown", values.IsText: "text", values.IsNumber: "text", values.IsName: "name", values.IsList: "list", values.IsFile: "file", values.IsSocket: "socket", values.IsClient: "client", values.IsHidden: "unknown"}[v.Form]
}

// True is whether a value counts as true.
func (described) True(v value) (holds, known bool) {
	if v.Form == values.IsList {
		return len(v.Items()) > 0, true
	}
	s, known := v.Known()
	return !isFalse(s), known
}

func isFalse(s string) bool { return slices.Contains(falses, s) }

var falses = []string{"False", "false", "FALSE", "F", "0", "None", "nil", "null", "NULL", ""}

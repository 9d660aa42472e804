package library

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/describe"
)

// Call is what is known of a function or method: what its arguments are, what it
// does with them and what it gives back.
type Call struct {
	Line int
	// On are the forms of what a method is called on, empty for any: a method of
	// the same name on something else is not known. A form that begins with "!" is
	// one that it is not called on.
	On []string
	// If must hold for this description to be the right one.
	If     []Condition
	Params []Param
	// Does is what happens, in this order.
	Does []Operation
	// Gives is the result; without it, that of the last operation that has one.
	Gives *Expression
}

// Param is an argument: by its place, or by one of the names.
type Param struct {
	Role  string
	Names []string
	// Rest: all arguments from this place on. Named: by its name alone.
	Rest, Named bool
}

// Operation is one thing that a call does.
type Operation struct {
	Expression
	// All: it happens with everything below, if one of the conditions holds.
	All []Condition
	If  []Condition
	// Unless: it does not happen if one of these is known to hold.
	Unless []Condition
	// In is the directory in which it happens.
	In *Expression
}

// Expression is a value: a text, that of a role, or what an operation makes of
// others.
type Expression struct {
	Text, Role string
	Name       string
	Args       []Expression
}

// Condition is about a role. What is not known holds, negated or not: only what is
// certain takes an effect away.
type Condition struct {
	Role, Test, Value string
	Not               bool
}

// Tests of conditions. A form is also a test.
const (
	Given = "given" // it is there
	True  = "true"
	Is    = "is" // it is the text that follows

	always = "always"
)

// Forms are what a value can be.
var Forms = []string{"text", "list", "client", "socket", "file", "name", "map", "function", "process", "instance", "shell", "code", "unknown"}

// Self is the role of what a method is called on, All that of all arguments.
const (
	Self = "self"
	All  = "all"
)

var callKeys = []string{"on", "if", "args", "named", "effects", "gives", "like"}

// decode reads the descriptions of one call: the first that fits counts.
// depth is how many others are like it.
func (t *Table) decode(r *describe.Reader, n *yaml.Node, depth int) ([]*Call, error) {
	if n.Kind == yaml.ScalarNode { // what it gives
		n = &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Column: n.Column, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "gives"}, n}}
	}
	var calls []*Call
	for _, e := range describe.List(n) {
		c := &Call{Line: e.Line + r.Offset}
		var like []*Call
		err := r.Pairs(e, "a call", callKeys, func(key string, _, v *yaml.Node) (err error) {
			switch key {
			case "on":
				c.On = describe.Scalars(v)
				for _, form := range c.On {
					if !slices.Contains(Forms, strings.TrimPrefix(form, "!")) {
						return r.Fail(v, "there is no form %q; the forms are %s", form, strings.Join(Forms, ", "))
					}
				}
			case "if":
				c.If, err = conditions(r, v)
			case "args", "named":
				for _, e := range describe.List(v) {
					p := Param{Named: key == "named"}
					role, rest := strings.CutSuffix(e.Value, "...")
					p.Names, p.Rest = strings.Split(role, "|"), rest
					p.Role = p.Names[0]
					c.Params = append(c.Params, p)
				}
			case "effects":
				for _, e := range describe.List(v) {
					o, err := t.operation(r, e)
					if err != nil {
						return err
					}
					c.Does = append(c.Does, o)
				}
			case "gives":
				c.Gives = &Expression{}
				*c.Gives, err = t.expression(r, v)
			case "like":
				if like, err = t.parsed(v.Value, depth+1); err == nil && like == nil {
					err = r.Fail(v, "there is no call %q to be like", v.Value)
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if like != nil {
			calls = append(calls, like...)
			continue
		}
		if err := c.check(r, e); err != nil {
			return nil, err
		}
		calls = append(calls, c)
	}
	return calls, nil
}

// check refuses roles that nothing is given to.
func (c *Call) check(r *describe.Reader, n *yaml.Node) error {
	known := append(make([]string, 0, 3+len(c.Params)), "", Self, All)
	for _, p := range c.Params {
		known = append(known, p.Role)
	}
	named, conditions := c.Gives.roles(), slices.Clone(c.If)
	for i := range c.Does {
		o := &c.Does[i]
		named = slices.Concat(named, o.roles(), o.In.roles())
		conditions = slices.Concat(conditions, o.If, o.Unless, o.All)
	}
	for i := range conditions {
		named = slices.Insert(named, 0, conditions[i].Role)
	}
	for _, role := range named {
		if !slices.Contains(known, role) {
			return r.Fail(n, "there is no argument %q", role)
		}
	}
	return nil
}

// operation reads {delete: "{path}", extent: all, if: ...}, or its name alone.
func (t *Table) operation(r *describe.Reader, n *yaml.Node) (Operation, error) {
	var o Operation
	if n.Kind == yaml.ScalarNode {
		o.Name = n.Value
		return o, t.known(r, n, n.Value)
	}
	err := r.Pairs(n, "an effect", nil, func(key string, at, v *yaml.Node) (err error) {
		switch key {
		case "if":
			o.If, err = conditions(r, v)
		case "unless":
			o.Unless, err = conditions(r, v)
		case "in":
			o.In = &Expression{}
			*o.In, err = t.expression(r, v)
		case "extent":
			if o.All = []Condition{{Role: Self, Test: always}}; v.Value != "all" {
				o.All, err = conditions(r, v)
			}
		default:
			if o.Name != "" {
				return r.Fail(at, "an effect has one verb; this has %s and %s", o.Name, key)
			}
			if err = t.known(r, at, key); err == nil {
				o.Name = key
				o.Args, err = t.expressions(r, v)
			}
		}
		return err
	})
	return o, err
}

func (t *Table) expressions(r *describe.Reader, n *yaml.Node) (list []Expression, err error) {
	for _, e := range describe.List(n) {
		x, err := t.expression(r, e)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// expression reads a text, "{role}", or {operation: arguments}.
func (t *Table) expression(r *describe.Reader, n *yaml.Node) (Expression, error) {
	if n.Kind == yaml.MappingNode {
		if len(n.Content) != 2 {
			return Expression{}, r.Fail(n, "a value is one operation")
		}
		args, err := t.expressions(r, n.Content[1])
		if err == nil {
			err = t.known(r, n.Content[0], n.Content[0].Value)
		}
		return Expression{Name: n.Content[0].Value, Args: args}, err
	}
	if role, ok := strings.CutPrefix(n.Value, "{"); ok && strings.HasSuffix(role, "}") {
		return Expression{Role: strings.TrimSuffix(role, "}")}, nil
	}
	before, after, open := strings.Cut(n.Value, "{")
	if role, rest, shut := strings.Cut(after, "}"); open && shut && rest == "" { // a text with a role at its end
		return Expression{Name: "concat", Args: []Expression{{Text: before}, {Role: role}}}, nil
	}
	return Expression{Text: n.Value}, nil
}

func (t *Table) known(r *describe.Reader, n *yaml.Node, name string) error {
	if !slices.Contains(Operations, name) {
		return r.Fail(n, "there is no operation %q%s", name, describe.Suggestion(name, Operations))
	}
	return nil
}

// conditions reads "mode given", "not self file", "flags is rf", one or several.
func conditions(r *describe.Reader, n *yaml.Node) ([]Condition, error) {
	var list []Condition
	for _, e := range describe.List(n) {
		words := strings.Fields(e.Value)
		var c Condition
		if len(words) > 0 && words[0] == "not" {
			c.Not, words = true, words[1:]
		}
		switch {
		case len(words) == 2 && (words[1] == Given || words[1] == True || slices.Contains(Forms, words[1])):
			c.Role, c.Test = words[0], words[1]
		case len(words) > 2 && words[1] == Is:
			c.Role, c.Test, c.Value = words[0], words[1], strings.Join(words[2:], " ")
		default:
			return nil, r.Fail(e, "%q is no condition; write \"role given\", \"role true\", \"role is text\" or \"role form\"", e.Value)
		}
		list = append(list, c)
	}
	return list, nil
}

// Holds reports whether one of the conditions holds, or there is none. of says of a
// condition whether it holds and whether that is known.
func Holds(list []Condition, of func(c *Condition) (holds, known bool)) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(c Condition) bool {
		holds, known := of(&c)
		return c.Test == always || !known || holds != c.Not
	})
}

// Certain reports whether one of the conditions is known to hold.
func Certain(list []Condition, of func(c *Condition) (holds, known bool)) bool {
	return slices.ContainsFunc(list, func(c Condition) bool {
		holds, known := of(&c)
		return known && holds != c.Not
	})
}

// roles are those that an expression names, and operations the operations.
func (e *Expression) roles() []string { return e.named(func(e *Expression) string { return e.Role }) }

func (e *Expression) operations() []string {
	return e.named(func(e *Expression) string { return e.Name })
}

// named are the names that an expression and those in it have.
func (e *Expression) named(of func(e *Expression) string) []string {
	if e == nil {
		return nil
	}
	list := []string{of(e)}
	for i := range e.Args {
		list = append(list, e.Args[i].named(of)...)
	}
	return list
}

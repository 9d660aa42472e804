package javascript

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// called is a call of something that the program did not make, as descriptions see
// it.
type called struct {
	e    *evaluator
	path string
	args []value
}

// described does what is known of a call and reports whether anything is.
func (e *evaluator) described(path string, args []value) (value, bool) {
	calls := find(library.Of(library.JavaScript), path)
	if calls == nil {
		return value{}, false
	}
	v, ok := library.Run(calls, library.Reader[value](&called{e, path, args}))
	for _, a := range args {
		if a.kind == function {
			e.escape(a)
		}
	}
	return v, ok
}

// find returns what is known of a path: of all of it, of what it begins with, or of
// its last name in its module.
func find(t *library.Table, path string) []*library.Call {
	module, rest, ok := strings.Cut(path, ".")
	tries := []string{path}
	if ok {
		for at := strings.LastIndexByte(path, '.'); at > len(module); at = strings.LastIndexByte(path[:at], '.') {
			tries = append(tries, path[:at]+".*")
		}
		last := strings.TrimSuffix(rest[strings.LastIndexByte(rest, '.')+1:], "Sync")
		tries = append(tries, module+"."+last)
		if module == "Deno" || module == "Bun" {
			tries = append(tries, "fs."+last)
		}
		tries = append(tries, module+".*")
	}
	for _, name := range tries {
		if calls := t.Call(name); calls != nil {
			return calls
		}
	}
	return nil
}

// arg is an argument, which is undefined if it is missing.
func arg(args []value, i int) value {
	if i < len(args) {
		return args[i]
	}
	return value{kind: undefined}
}

// Given is an argument by its place, or a member of the options among them.
func (c *called) Given(p *library.Param, place int) (value, bool) {
	switch {
	case p.Named:
		for _, a := range c.args {
			if a.kind == record && !isBytes(a) { // which are no options, nor is a URL
				if v := c.e.member(a, p.Role); v.kind != undefined {
					return v, true
				}
			}
		}
		return value{kind: undefined}, false
	case p.Rest:
		rest := c.args[min(place, len(c.args)):]
		return c.e.newList(rest), len(rest) > 0
	default:
		v := arg(c.args, place)
		return v, v.kind != undefined
	}
}

// Whole is all arguments, or what is called.
func (c *called) Whole(role string) value {
	if role == library.All {
		return c.e.newList(c.args)
	}
	return nativeValue(c.path)
}

func (c *called) Do(operation string, o *library.Operands[value]) value {
	return c.e.operations[operation](c, o)
}

// Form is what a value is.
func (c *called) Form(v value) string {
	return [...]string{unknown: "unknown", undefined: "unknown", null: "text", boolean: "text", number: "text", text: "text", list: "list", record: "map", function: "function", native: "name", pattern: "unknown", either: "unknown"}[v.kind]
}

// A call has no arguments by name: options are one argument.
func (c *called) ByName(*library.Param) bool { return false }

func (c *called) Text(s string) value { return textValue(s) }

func (c *called) Known(v value) (string, bool) { return v.whole() }

func (c *called) True(v value) (holds, known bool) { return v.truth() }

func (c *called) IsNothing(v value) bool { return v.kind == unknown }

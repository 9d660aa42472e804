package javascript

import (
	"strconv"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// member is a member of a value by its name.
func (e *evaluator) member(v value, name string) value {
	if name == "__proto__" || name == "prototype" {
		if v.kind != native && v.kind != either {
			e.doubt(syntax.Reach)
			return value{}
		}
	}
	i, numbered := index(name)
	switch v.kind {
	case text:
		switch {
		case name == "length" && v.partial:
			return value{}
		case name == "length":
			return numberValue(float64(units(v.text)))
		case name == "name" && v.text == listed: // of an entry of a directory
			return v
		case numbered && !v.partial:
			return unitAt(v.text, i)
		}
	case list:
		l := v.items()
		switch {
		case numbered && l.open:
			return e.anyMember(v)
		case numbered:
			return arg(l.all, i)
		case name == "length" && l.open:
			return value{}
		case name == "length":
			return numberValue(float64(len(l.all)))
		}
	case record:
		m := v.members()
		x, ok := m.find(name)
		switch {
		case ok && m.open:
			return oneOf(x, value{})
		case ok:
			return x
		case name != "constructor" && m.open:
			return value{}
		case name != "constructor":
			return value{kind: undefined}
		}
	case function:
		if c, ok := v.ref.(*closure); ok && c.class != nil {
			if x, ok := c.class.find(name); ok {
				return x
			}
		}
	case native:
		return e.nativeMember(v.text, name)
	case either:
		return e.each(v, func(a value) value { return e.member(a, name) })
	case unknown:
		if name == "constructor" {
			e.doubt(syntax.Reach)
		}
		return value{kind: unknown, text: name}
	case undefined, null:
		return value{}
	case number, boolean, pattern:
	}
	if name == "constructor" {
		return nativeValue(map[kind]string{text: "String", list: "Array", function: "Function", record: "Object", number: "Object", boolean: "Object", pattern: "Object"}[v.kind])
	}
	return value{kind: function, ref: &bound{method: name, this: v}} // a method that is not called at once
}

// index reads a name as the place of an element.
func index(name string) (int, bool) {
	i, err := strconv.Atoi(name)
	return i, err == nil && i >= 0 && len(name) <= 7 && strconv.Itoa(i) == name
}

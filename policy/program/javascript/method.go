package javascript

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// method calls a method of a value.
func (e *evaluator) method(v value, name string, args []value) value {
	if !e.enter() {
		return value{}
	}
	defer e.leave()
	if name == "pipe" && len(args) > 0 && args[0].kind == native && strings.HasPrefix(args[0].text, awaiting) {
		e.told = true
	}
	if out, ok := e.promised(v, name, args); ok {
		return out
	}
	switch v.kind {
	case text:
		return e.textMethod(v, name, args)
	case list:
		if _, ok := index(name); ok {
			return e.call(e.member(v, name), v, args)
		}
		return e.listMethod(v, name, args)
	case record:
		return e.recordMethod(v, name, args)
	case function, native:
		if v.kind == function || v.text != "tools" && v.text != "Reflect" {
			if out, ok := e.functionMethod(v, name, args); ok {
				return out
			}
		}
		return e.call(e.member(v, name), v, args)
	case either:
		return e.each(v, func(a value) value { return e.method(a, name, args) })
	case unknown:
		if name == "constructor" {
			e.doubt(syntax.Reach)
		}
		e.escapeAll(args)
		return e.foreign(v.text+"."+name, args)
	case number, boolean, pattern:
		return e.plainMethod(v, name, args)
	case undefined, null:
		e.escapeAll(args)
	}
	return value{}
}

// promised computes the methods of a promise, which is not told from its value.
func (e *evaluator) promised(v value, name string, args []value) (value, bool) {
	if v.kind == record || v.kind == either || v.kind == native && (v.text == "tools" || v.text == "Promise") || len(args) == 0 {
		return value{}, false
	}
	switch name {
	case "then":
		for _, a := range args[1:] {
			e.escape(a)
		}
		if args[0].kind != function && (args[0].kind != native || isTool(args[0].text)) && v.kind == unknown {
			return value{}, false
		}
		out := value{}
		e.maybe(func() { out = e.call(args[0], value{}, []value{v}) }) // later
		return out, true
	case "catch", "finally":
		e.escapeAll(args)
		return v, true
	}
	return value{}, false
}

// functionMethod computes call, apply and bind.
func (e *evaluator) functionMethod(f value, name string, args []value) (value, bool) {
	if name != "call" && name != "apply" && name != "bind" {
		return value{}, false
	}
	this, rest := value{}, args[min(1, len(args)):]
	if len(args) > 0 {
		this = args[0]
	}
	if name == "bind" {
		return value{kind: function, ref: &bound{target: f, this: this, args: rest}}, true
	}
	if name == "apply" && len(rest) > 0 {
		all, known := e.elements(rest[0], false)
		if !known {
			all = append(all, value{})
		}
		rest = all
	}
	if _, method, ok := strings.Cut(f.text, ".prototype."); ok && f.kind == native { // Array.prototype.join.call(list)
		return e.method(this, method, rest), true
	}
	return e.call(f, this, rest), true
}

func (e *evaluator) recordMethod(v value, name string, args []value) value {
	m := v.members()
	if f, ok := m.find(name); ok {
		if m.open { // or another
			e.doubt(Dynamic)
		}
		return e.call(f, v, args)
	}
	if strings.HasPrefix(name, "__") {
		e.doubt(syntax.Reach)
	}
	first := arg(args, 0)
	kv, isMap := m.find("\x00map")
	set, isSet := m.find("\x00set")
	_, isBytes := m.find("\x00bytes")
	switch {
	case name == "then" && len(args) > 0:
		return e.call(first, value{}, []value{v})
	case name == "decoded" && isBytes:
		return e.decoded(m, args)
	case name == "toString":
		return e.toText(v)
	case name == "get" && isMap && len(args) > 0:
		return e.at(kv, first)
	case name == "set" && isMap && len(args) > 1:
		k, known := e.toText(first).whole()
		e.setOn(kv, k, known, args[1], false)
		return v
	case name == "add" && isSet:
		e.listMethod(set, "push", args)
		return v
	case name == "set", name == "add", name == "delete", name == "clear":
		m.open = true
	}
	e.escapeAll(args)
	return value{}
}

// plainMethod computes a method of a number, a truth or a pattern.
func (e *evaluator) plainMethod(v value, name string, args []value) value {
	base, ok := whole(args, 0, 10)
	switch {
	case name == "valueOf":
		return v
	case name == "toString" && (v.kind != number || ok && base == 10):
		return e.toText(v)
	case name == "toString" && ok && v.num == float64(int64(v.num)) && v.num < 1<<53 && v.num > -1<<53 && base >= 2 && base <= 36:
		return textValue(strconv.FormatInt(int64(v.num), base))
	}
	e.escapeAll(args)
	return value{}
}

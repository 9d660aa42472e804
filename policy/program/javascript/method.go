package javascript

import (
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
	case number:
		return e.numberMethod(v, name, args)
	case either:
		return e.each(v, func(a value) value { return e.method(a, name, args) })
	case unknown:
		if name == "constructor" {
			e.doubt(syntax.Reach)
		}
		e.escapeAll(args)
		return e.foreign(v.text+"."+name, args)
	case boolean, pattern:
		if name == "toString" {
			return e.toText(v)
		}
		e.escapeAll(args)
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
		if args[0].kind != function && v.kind == unknown {
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
	this := value{}
	if len(args) > 0 {
		this = args[0]
	}
	switch name {
	case "call", "apply", "bind":
	default:
		return value{}, false
	}
	rest := []value(nil)
	if len(args) > 1 {
		rest = args[1:]
	}
	if f.kind == native {
		if _, method, ok := strings.Cut(f.text, ".prototype."); ok && name != "bind" { // Array.prototype.join.call(list)
			if name == "apply" && len(rest) > 0 {
				rest, _ = e.elements(rest[0], false)
			}
			return e.method(this, method, rest), true
		}
	}
	switch name {
	case "bind":
		return value{kind: function, ref: &bound{target: f, this: this, args: rest}}, true
	case "apply":
		if len(rest) > 0 {
			all, known := e.elements(rest[0], false)
			if !known {
				all = append(all, value{})
			}
			rest = all
		}
	}
	return e.call(f, this, rest), true
}

func (e *evaluator) recordMethod(v value, name string, args []value) value {
	m := v.members()
	if f, ok := m.by[name]; ok {
		if m.open { // or another
			e.doubt(Dynamic)
		}
		return e.call(f, v, args)
	}
	if strings.HasPrefix(name, "__") {
		e.doubt(syntax.Reach)
	}
	switch name {
	case "then":
		if len(args) > 0 {
			return e.call(args[0], value{}, []value{v})
		}
	case "decoded":
		if _, ok := m.by["\x00bytes"]; ok {
			return e.decoded(m, args)
		}
	case "toString":
		return e.toText(v)
	case "get":
		if kv, ok := m.by["\x00map"]; ok && len(args) > 0 {
			return e.at(kv, args[0])
		}
	case "set", "add":
		if kv, ok := m.by["\x00map"]; ok && len(args) > 1 {
			k := e.toText(args[0])
			e.setOn(kv, k.text, k.kind == text && !k.partial, args[1], false)
			return v
		}
		if set, ok := m.by["\x00set"]; ok && name == "add" {
			e.listMethod(set, "push", args)
			return v
		}
		m.open = true
	case "delete", "clear":
		m.open = true
	}
	e.escapeAll(args)
	return value{}
}

func (e *evaluator) numberMethod(v value, name string, args []value) value {
	switch name {
	case "toString":
		base, ok := whole(args, 0, 10)
		switch {
		case !ok:
			return value{}
		case base == 10:
			return e.toText(v)
		case v.num == float64(int64(v.num)) && v.num < 1<<53 && v.num > -1<<53 && base >= 2 && base <= 36:
			return textValue(formatInt(int64(v.num), base))
		}
	case "valueOf":
		return v
	}
	e.escapeAll(args)
	return value{}
}

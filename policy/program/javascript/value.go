package javascript

import (
	"math"
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

// kind is what is known of a value.
type kind uint8

const (
	unknown   kind = iota
	undefined      // also what is missing
	null
	boolean  // num is 1 or 0
	number   // num
	text     // text; partial if a part of it is unknown
	list     // ref is *items
	record   // ref is *members
	function // ref is *closure or *bound
	native   // text is its path: tools.exec_command, fs.rmSync
	pattern  // a regular expression: text, flags in ref
	either   // ref is []value: one of them
)

// value is what is known of a value.
type value struct {
	kind    kind
	partial bool
	num     float64
	text    string
	ref     any
}

// items are the elements of a list. More may be unknown.
type items struct {
	all  []value
	open bool
	kept int // branch in which it was noted as it was before
}

// members are the members of an object. If open, there may be others, and those
// that are there may have other values.
type members struct {
	names []string
	by    map[string]value
	open  bool
	kept  int // branch in which it was made
}

// closure is a function of the program.
type closure struct {
	node   *syntax.Node
	scope  *scope
	this   value
	called bool
	// methods of a class, which is a function.
	class *members
	kids  []*syntax.Node // its fields
}

// bound is a function with its first arguments, or a method with its object.
type bound struct {
	target value
	method string
	this   value
	args   []value
}

func textValue(s string) value    { return value{kind: text, text: s} }
func numberValue(n float64) value { return value{kind: number, num: n} }
func nativeValue(p string) value  { return value{kind: native, text: p} }

func boolValue(b bool) value {
	if b {
		return value{kind: boolean, num: 1}
	}
	return value{kind: boolean}
}

func (v value) items() *items {
	l, _ := v.ref.(*items)
	return l
}

func (v value) members() *members {
	m, _ := v.ref.(*members)
	return m
}

func (v value) alternatives() []value {
	if v.kind != either {
		return []value{v}
	}
	all, _ := v.ref.([]value)
	return all
}

// maxEither is how many values something may have.
const maxEither = 16

// oneOf is a value that is one of several.
func oneOf(values ...value) value {
	var all []value
	for _, v := range values {
		for _, a := range v.alternatives() {
			if !contains(all, a) {
				all = append(all, a)
			}
		}
	}
	switch {
	case len(all) == 1:
		return all[0]
	case len(all) > maxEither:
		return value{kind: either, ref: append(all[:maxEither-1:maxEither-1], value{})}
	}
	return value{kind: either, ref: all}
}

func contains(all []value, v value) bool {
	for _, a := range all {
		if a.kind == v.kind && a.text == v.text && a.partial == v.partial && (a.num == v.num || a.num != a.num && v.num != v.num) {
			switch v.kind {
			case list, record, function:
				if a.ref == v.ref {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}

func newMembers(branch int) *members { return &members{by: map[string]value{}, kept: branch} }

func (m *members) set(name string, v value) {
	if _, ok := m.by[name]; !ok {
		m.names = append(m.names, name)
	}
	m.by[name] = v
}

// truth is whether a value counts as true, if that is known.
func (v value) truth() (yes, known bool) {
	switch v.kind {
	case undefined, null:
		return false, true
	case boolean, number:
		return v.num != 0 && v.num == v.num, true
	case text:
		return v.text != "", v.text == "" || !v.partial || v.text != Unknown
	case list, record, function, native, pattern:
		return true, v.kind != native || isThere(v.text)
	case unknown, either:
	}
	return false, false
}

// isThere reports whether a native is sure to be there.
func isThere(path string) bool {
	return path == "tools" || library.Of(library.JavaScript).Harmless(path)
}

// toText is a value as a text. What is unknown is written as Unknown.
func (e *evaluator) toText(v value) value {
	switch v.kind {
	case text:
		return v
	case undefined:
		return textValue("undefined")
	case null:
		return textValue("null")
	case boolean:
		if v.num != 0 {
			return textValue("true")
		}
		return textValue("false")
	case number:
		return textValue(syntax.NumberText(v.num))
	case list:
		return e.join(v.items(), textValue(","))
	case record:
		if m := v.members(); m != nil {
			for _, name := range []string{"toString", "valueOf"} {
				if f, ok := m.by[name]; ok {
					return e.toText(e.call(f, v, nil))
				}
			}
			if !m.open {
				return textValue("[object Object]")
			}
		}
	case either:
		return e.each(v, e.toText)
	case native:
		if v.text == "process.env" {
			e.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
		}
	case unknown, function, pattern:
	}
	return value{kind: text, text: Unknown, partial: true}
}

// each applies a function to every value that v may have.
func (e *evaluator) each(v value, f func(value) value) value {
	all := v.alternatives()
	if len(all) == 1 {
		return f(all[0])
	}
	out := make([]value, 0, len(all))
	for _, a := range all {
		if !e.step(1) {
			break
		}
		out = append(out, f(a))
	}
	if len(out) == 0 {
		return value{}
	}
	return oneOf(out...)
}

// plus joins texts or adds numbers.
func (e *evaluator) plus(a, b value) value {
	if a.kind == either || b.kind == either {
		var out []value
		for _, x := range a.alternatives() {
			for _, y := range b.alternatives() {
				if !e.step(1) {
					return value{}
				}
				out = append(out, e.plus(x, y))
			}
		}
		return oneOf(out...)
	}
	if a.kind == number && b.kind == number {
		return numberValue(a.num + b.num)
	}
	if isPlain(a) && isPlain(b) {
		x, okx := toNumber(a)
		y, oky := toNumber(b)
		if okx && oky {
			return numberValue(x + y)
		}
	}
	if a.kind == unknown && b.kind == unknown {
		return value{}
	}
	if a.kind == unknown && b.kind == number || a.kind == number && b.kind == unknown {
		return value{}
	}
	x, y := e.toText(a), e.toText(b)
	if x.kind == either || y.kind == either {
		return e.plus(x, y)
	}
	if x.kind != text || y.kind != text || !e.room(len(x.text)+len(y.text)) {
		return value{}
	}
	return value{kind: text, text: x.text + y.text, partial: x.partial || y.partial}
}

// isPlain reports whether a value is no text and becomes a number in a sum.
func isPlain(v value) bool {
	return v.kind == number || v.kind == boolean || v.kind == null || v.kind == undefined
}

// toNumber is a value as a number, if that is known.
func toNumber(v value) (float64, bool) {
	switch v.kind {
	case number, boolean:
		return v.num, true
	case null:
		return 0, true
	case undefined:
		return math.NaN(), true
	case text:
		if v.partial {
			return 0, false
		}
		s := strings.TrimSpace(v.text)
		if s == "" {
			return 0, true
		}
		n, ok := syntax.ParseNumber(s)
		if !ok || strings.ContainsAny(s, "_n") {
			return math.NaN(), true
		}
		return n, true
	case unknown, list, record, function, native, pattern, either:
	}
	return 0, false
}

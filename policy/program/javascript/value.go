package javascript

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2/js"

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
	list     // ref is *cell
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

// cell is what can be changed: a variable, a member of an object, or the elements of a
// list, of which more may be unknown.
type cell struct {
	value        value
	all          []value
	open, isList bool
	kept         int // branch in which it was noted as it was before
}

// members are the members of an object. If open, there may be others, and those
// that are there may have other values.
type members struct {
	names []string
	by    map[string]*cell
	open  bool
	kept  int // branch in which it was made
}

// closure is a function of the program.
type closure struct {
	name   string
	arrow  bool // it has no this of its own
	params *js.Params
	body   *js.BlockStmt // nil of a class
	scope  *scope
	this   value
	called bool
	// methods of a class, which is a function, and its fields.
	class  *members
	fields []*js.ClassElement
}

// parameters is how many there are.
func (f *closure) parameters() int {
	if f.body == nil {
		return 0
	}
	return len(f.params.List)
}

// bound is a function with its first arguments, or a method with its object.
type bound struct {
	target value
	method string
	this   value
	args   []value
}

func textValue(s string) value { return value{kind: text, text: s} }

func numberValue(n float64) value { return value{kind: number, num: n} }

func nativeValue(p string) value { return value{kind: native, text: p} }

func boolValue(b bool) value {
	if b {
		return value{kind: boolean, num: 1}
	}
	return value{kind: boolean}
}

func (v value) items() *cell {
	l, _ := v.ref.(*cell)
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

func isEither(v value) bool { return v.kind == either }

// maxEither is how many values something may have.
const maxEither = 16

// oneOf is a value that is one of several.
func oneOf(values ...value) value {
	var all []value
	for _, v := range values {
		for _, a := range v.alternatives() {
			if !slices.ContainsFunc(all, a.same) {
				all = append(all, a)
			}
		}
	}
	switch {
	case len(all) == 1:
		return all[0]
	case len(all) > maxEither:
		all = append(all[:maxEither-1:maxEither-1], value{})
	}
	return value{kind: either, ref: all}
}

func newMembers(branch int) *members { return &members{by: map[string]*cell{}, kept: branch} }

// cell is where a member is kept.
func (m *members) cell(name string) *cell {
	if m.by[name] == nil {
		m.names = append(m.names, name)
		m.by[name] = &cell{value: value{kind: undefined}, kept: m.kept}
	}
	return m.by[name]
}

func (m *members) set(name string, v value) { m.cell(name).value = v }

func (m *members) get(name string) value {
	v, _ := m.find(name)
	return v
}

func (m *members) find(name string) (value, bool) {
	if c := m.by[name]; c != nil {
		return c.value, true
	}
	return value{}, false
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
		return textValue(strconv.FormatBool(v.num != 0))
	case number:
		return textValue(syntax.NumberText(v.num))
	case list:
		return e.join(v.items(), textValue(","))
	case record:
		m := v.members()
		for _, name := range []string{"toString", "valueOf"} {
			if f, ok := m.find(name); ok {
				return e.toText(e.call(f, v, nil))
			}
		}
		if !m.open {
			return textValue("[object Object]")
		}
	case either:
		return e.each(v, e.toText)
	default:
		e.showsEnvironment(v)
	}
	return someText()
}

// each applies a function to every value that v may have.
func (e *evaluator) each(v value, f func(value) value) value {
	if v.kind != either {
		return f(v)
	}
	var out []value
	for _, a := range v.alternatives() {
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

// eachOf applies a function to every way in which some values may be.
func (e *evaluator) eachOf(some []value, f func([]value) value) value {
	for i, v := range some {
		if v.kind == either {
			return e.each(v, func(v value) value {
				again := slices.Clone(some)
				again[i] = v
				return e.eachOf(again, f)
			})
		}
	}
	return f(some)
}

// plus joins texts or adds numbers.
func (e *evaluator) plus(a, b value) value {
	if a.kind == either || b.kind == either {
		return e.eachOf([]value{a, b}, func(v []value) value { return e.plus(v[0], v[1]) })
	}
	if isPlain(a) && isPlain(b) {
		x, _ := toNumber(a)
		y, _ := toNumber(b)
		return numberValue(x + y)
	}
	if a.kind == unknown && (b.kind == unknown || b.kind == number) || a.kind == number && b.kind == unknown {
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
		s := strings.TrimSpace(v.text)
		n, ok := syntax.ParseNumber(s)
		if s != "" && (!ok || strings.ContainsAny(s, "_n")) {
			n = math.NaN()
		}
		return n, !v.partial
	default:
		return 0, false
	}
}

// someText is a text of which nothing is known.
func someText() value { return value{kind: text, text: Unknown, partial: true} }

// whole is the text of a value, if nothing of it is unknown.
func (v value) whole() (string, bool) { return v.text, v.kind == text && !v.partial }

// same reports whether a value is another one, as far as they are known.
func (v value) same(a value) bool {
	if a.kind != v.kind || a.text != v.text || a.partial != v.partial || a.num != v.num && (a.num == a.num || v.num == v.num) {
		return false
	}
	return v.kind != list && v.kind != record && v.kind != function || a.ref == v.ref
}

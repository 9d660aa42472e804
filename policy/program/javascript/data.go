package javascript

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// emptyList is a list of n elements that are undefined.
func (e *evaluator) emptyList(n float64) value {
	if n < 0 || n > MaxSteps || !e.step(int(n)) {
		return e.openList(nil, true)
	}
	return e.newList(slices.Repeat([]value{{kind: undefined}}, int(n)))
}

// construct computes new X(...) for what the program did not make.
func (e *evaluator) construct(path string, args []value) value {
	first := arg(args, 0)
	switch path {
	case "Map", "Set", "WeakMap", "WeakSet":
		m := newMembers(e.branch)
		if path == "Map" {
			m.set("\x00map", e.fromEntries(first))
		} else {
			m.set("\x00set", e.distinct(first))
		}
		return value{kind: record, ref: m}
	case "URL":
		t := e.toText(first)
		if len(args) > 1 {
			t = e.plus(e.toText(args[1]), t)
		}
		v := e.bytes(t)
		v.members().set("href", t)
		v.members().open = true
		return v
	case "Promise":
		e.call(first, value{}, []value{nativeValue("Promise.resolve"), nativeValue("Promise.reject")})
		return value{}
	case "String", "Number", "Boolean", "Object", "Array", "Function":
		return e.native(path, args)
	case "RegExp":
		if s, ok := e.toText(first).whole(); ok {
			flags := ""
			if len(args) > 1 {
				flags = e.toText(args[1]).text
			}
			return value{kind: pattern, text: s, ref: flags}
		}
		return value{}
	}
	if v := e.native(path, args); v.kind != unknown || strings.HasPrefix(path, "Proxy") {
		return v
	}
	return nativeValue(path)
}

// distinct is a list in which every text is once.
func (e *evaluator) distinct(v value) value {
	all, known := e.elements(v, false)
	var out []value
	for _, x := range all {
		_, whole := x.whole()
		known = known && whole
		if x.kind != text || !slices.ContainsFunc(out, x.same) {
			out = append(out, x)
		}
	}
	return e.openList(out, !known)
}

// fromJSON is a value that was parsed.
func (e *evaluator) fromJSON(v any) value {
	switch v := v.(type) {
	case string:
		return textValue(v)
	case float64:
		return numberValue(v)
	case bool:
		return boolValue(v)
	case nil:
		return value{kind: null}
	case []any:
		all := make([]value, len(v))
		for i, x := range v {
			all[i] = e.fromJSON(x)
		}
		return e.newList(all)
	case map[string]any:
		m := newMembers(e.branch)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			m.set(name, e.fromJSON(v[name]))
		}
		return value{kind: record, ref: m}
	}
	return value{}
}

// entries computes Object.keys, values and entries.
func (e *evaluator) entries(path string, args []value) value {
	v, out := arg(args, 0), e.newList(nil)
	l := out.items()
	e.showsEnvironment(v)
	if v.kind == list && path == "Object.values" {
		return v
	}
	m := v.members()
	if v.kind != record || m == nil || !e.step(len(m.names)) {
		l.open = true
		return out
	}
	l.open = m.open
	for _, name := range m.names {
		switch path {
		case "Object.values":
			l.all = append(l.all, m.get(name))
		case "Object.entries":
			l.all = append(l.all, e.newList([]value{textValue(name), m.get(name)}))
		default:
			l.all = append(l.all, textValue(name))
		}
	}
	return out
}

// fromEntries is an object of pairs.
func (e *evaluator) fromEntries(v value) value {
	m := newMembers(e.branch)
	out := value{kind: record, ref: m}
	all, known := e.elements(v, false)
	m.open = !known
	for _, pair := range all {
		if pair.kind != list || len(pair.items().all) < 2 {
			m.open = true
			continue
		}
		k, known := e.toText(pair.items().all[0]).whole()
		e.setOn(out, k, known, pair.items().all[1], false)
	}
	return out
}

// stringify computes JSON.stringify.
func (e *evaluator) stringify(v value) value {
	if v.kind == undefined || v.kind == function {
		return value{kind: undefined}
	}
	e.showsEnvironment(v)
	if v.kind == either {
		return e.each(v, e.stringify)
	}
	w := writer{e: e}
	w.value(v, 0)
	if !e.room(len(w.out)) {
		return value{}
	}
	return value{kind: text, text: string(w.out), partial: w.partial}
}

// writer writes values as JSON.
type writer struct {
	e       *evaluator
	out     []byte
	pick    int // which of the values that something may have is written
	most    int // how many values something may have
	partial bool
}

// maxJSON is how deep values are nested that are written.
const maxJSON = 32

func (w *writer) unknown() {
	w.partial = true
	w.write(`"` + Unknown + `"`)
}

func (w *writer) value(v value, depth int) {
	if depth > maxJSON || len(w.out) > MaxText || !w.e.step(1+len(v.text)/256) {
		w.e.doubt(syntax.Nesting)
		w.unknown()
		return
	}
	switch v.kind {
	case text:
		w.partial = w.partial || v.partial
		w.out = jsonscan.AppendString(w.out, v.text)
	case number:
		if v.num-v.num != 0 { // no number, or without end
			w.write("null")
			return
		}
		w.write(syntax.NumberText(v.num))
	case boolean:
		w.write(strconv.FormatBool(v.num != 0))
	case null, undefined, function:
		w.write("null")
	case list:
		w.write("[")
		for i, x := range v.items().all {
			if i > 0 {
				w.write(",")
			}
			w.value(x, depth+1)
		}
		if v.items().open {
			if len(v.items().all) > 0 {
				w.write(",")
			}
			w.unknown()
		}
		w.write("]")
	case record:
		w.object(v, depth, nil)
	case either:
		w.value(w.one(v), depth+1)
	case unknown, native, pattern:
		w.unknown()
	}
}

// object writes an object and tells done which members have something unknown.
func (w *writer) object(v value, depth int, done func(name string)) {
	m := v.members()
	if b, ok := m.find("\x00bytes"); ok {
		w.value(b, depth+1)
		return
	}
	if _, ok := m.find("toJSON"); ok {
		w.unknown()
		return
	}
	w.write("{")
	before, begin := w.partial, len(w.out)
	for _, name := range m.names {
		x := w.one(m.get(name)) // one that is not there is left out
		if x.kind == undefined || x.kind == function {
			continue
		}
		if len(w.out) > begin {
			w.write(",")
		}
		w.out = append(jsonscan.AppendString(w.out, name), ':')
		w.partial = false
		w.value(x, depth+1)
		if w.partial && done != nil {
			done(name)
		}
		before = before || w.partial
	}
	if m.open {
		before = true
		if done != nil {
			done("...")
		}
	}
	w.partial = before
	w.write("}")
}

// writeText is a value that JSON writes as it is.
func (w *writer) write(s string) { w.out = append(w.out, s...) }

// one is which of the values that something may have is written.
func (w *writer) one(v value) value {
	if v.kind != either {
		return v
	}
	all := v.alternatives()
	w.most = max(w.most, len(all))
	return all[w.pick%len(all)]
}

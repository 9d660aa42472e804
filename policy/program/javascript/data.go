package javascript

import (
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

// emptyList is a list of n elements that are undefined.
func (e *evaluator) emptyList(n float64) value {
	l := &items{kept: e.branch}
	if n < 0 || n > MaxSteps || !e.step(int(n)) {
		l.open = true
		return value{kind: list, ref: l}
	}
	l.all = make([]value, int(n))
	for i := range l.all {
		l.all[i].kind = undefined
	}
	return value{kind: list, ref: l}
}

// copied is a list or an object that changes by itself.
func (e *evaluator) copied(v value) value {
	switch v.kind {
	case list:
		return e.listMethod(v, "slice", nil)
	case record:
		m := newMembers(e.branch)
		e.spreadInto(m, v)
		return value{kind: record, ref: m}
	default:
		all, known := e.elements(v, false)
		if known {
			return e.newList(all)
		}
		return value{}
	}
}

// construct computes new X(...) for what the program did not make.
func (e *evaluator) construct(path string, args []value, _ bool) value {
	arg := value{kind: undefined}
	if len(args) > 0 {
		arg = args[0]
	}
	switch path {
	case "Map", "Set", "WeakMap", "WeakSet":
		m := newMembers(e.branch)
		if path == "Map" {
			m.set("\x00map", e.fromEntries(arg))
		} else {
			m.set("\x00set", e.distinct(arg))
		}
		return value{kind: record, ref: m}
	case "URL":
		t := e.toText(arg)
		if len(args) > 1 {
			t = e.plus(e.toText(args[1]), t)
		}
		v := e.bytes(t)
		v.members().set("href", t)
		v.members().open = true
		return v
	case "Promise":
		e.call(arg, value{}, []value{nativeValue("Promise.resolve"), nativeValue("Promise.reject")})
		return value{}
	case "String", "Number", "Boolean", "Object", "Array", "Function":
		return e.native(path, args)
	case "RegExp":
		if t := e.toText(arg); t.kind == text && !t.partial {
			flags := ""
			if len(args) > 1 {
				flags = e.toText(args[1]).text
			}
			return value{kind: pattern, text: t.text, ref: flags}
		}
		return value{}
	case "Proxy":
		e.doubt(syntax.Reach)
		e.escapeAll(args)
		return value{}
	}
	if v := e.native(path, args); v.kind != unknown {
		return v
	}
	return nativeValue(path)
}

// distinct is a list in which every text is once.
func (e *evaluator) distinct(v value) value {
	l := &items{kept: e.branch}
	all, known := e.elements(v, false)
	l.open = !known
	seen := map[string]bool{}
	for _, x := range all {
		if x.kind != text || x.partial {
			l.open = true
		}
		if x.kind != text || !seen[x.text] {
			l.all = append(l.all, x)
		}
		seen[x.text] = true
	}
	return value{kind: list, ref: l}
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
		l := &items{kept: e.branch}
		for _, x := range v {
			l.all = append(l.all, e.fromJSON(x))
		}
		return value{kind: list, ref: l}
	case map[string]any:
		m := newMembers(e.branch)
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			m.set(name, e.fromJSON(v[name]))
		}
		return value{kind: record, ref: m}
	}
	return value{}
}

// entries computes Object.keys, values and entries.
func (e *evaluator) entries(path string, v value) value {
	l := &items{kept: e.branch}
	out := value{kind: list, ref: l}
	if v.kind == native && v.text == "process.env" {
		e.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
	}
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
			l.all = append(l.all, m.by[name])
		case "Object.entries":
			l.all = append(l.all, e.newList([]value{textValue(name), m.by[name]}))
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
		k := e.toText(pair.items().all[0])
		e.setOn(out, k.text, k.kind == text && !k.partial, pair.items().all[1], false)
	}
	return out
}

// stringify computes JSON.stringify.
func (e *evaluator) stringify(v value) value {
	if v.kind == undefined || v.kind == function {
		return value{kind: undefined}
	}
	if v.kind == native && v.text == "process.env" {
		e.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
	}
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
	w.out = append(w.out, `"`+Unknown+`"`...)
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
		if v.num != v.num || v.num-v.num != 0 {
			w.out = append(w.out, "null"...)
			return
		}
		w.out = append(w.out, syntax.NumberText(v.num)...)
	case boolean:
		if v.num != 0 {
			w.out = append(w.out, "true"...)
		} else {
			w.out = append(w.out, "false"...)
		}
	case null, undefined, function:
		w.out = append(w.out, "null"...)
	case list:
		w.out = append(w.out, '[')
		for i, x := range v.items().all {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.value(x, depth+1)
		}
		if v.items().open {
			if len(v.items().all) > 0 {
				w.out = append(w.out, ',')
			}
			w.unknown()
		}
		w.out = append(w.out, ']')
	case record:
		w.object(v, depth, nil)
	case either:
		all := v.alternatives()
		w.most = max(w.most, len(all))
		w.value(all[w.pick%len(all)], depth+1)
	case unknown, native, pattern:
		w.unknown()
	}
}

// object writes an object and tells done which members have something unknown.
func (w *writer) object(v value, depth int, done func(name string)) {
	m := v.members()
	if b, ok := m.by["\x00bytes"]; ok {
		w.value(b, depth+1)
		return
	}
	if _, ok := m.by["toJSON"]; ok {
		w.unknown()
		return
	}
	w.out = append(w.out, '{')
	before := w.partial
	first := true
	for _, name := range m.names {
		x := m.by[name]
		if x.kind == either { // one that is not there is left out
			all := x.alternatives()
			w.most = max(w.most, len(all))
			x = all[w.pick%len(all)]
		}
		if x.kind == undefined || x.kind == function {
			continue
		}
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
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
	w.out = append(w.out, '}')
}

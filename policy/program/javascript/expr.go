package javascript

import (
	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

// expr computes an expression.
func (e *evaluator) expr(n *syntax.Node) value {
	if !e.enter() {
		return value{}
	}
	defer e.leave()
	switch n.Op {
	case syntax.OpName:
		return e.name(n.Text)
	case syntax.OpText:
		return textValue(n.Text)
	case syntax.OpNumber:
		return numberValue(n.Num)
	case syntax.OpConst:
		switch n.Text {
		case "true", "false":
			return boolValue(n.Text == "true")
		case "null":
			return value{kind: null}
		}
		return value{kind: undefined}
	case syntax.OpRegexp:
		return value{kind: pattern, text: n.Text, ref: n.More[0]}
	case syntax.OpThis:
		return e.this
	case syntax.OpTemplate:
		return e.template(n)
	case syntax.OpTagged:
		return e.tagged(n)
	case syntax.OpArray:
		return e.listOf(n.Kids)
	case syntax.OpObject:
		return e.object(n)
	case syntax.OpFunction:
		return e.closure(n)
	case syntax.OpClass:
		return e.class(n)
	case syntax.OpUnary:
		return e.unary(n)
	case syntax.OpBinary:
		return e.binary(n)
	case syntax.OpAssign:
		return e.assignment(n)
	case syntax.OpUpdate:
		return e.update(n)
	case syntax.OpCond:
		return e.cond(n)
	case syntax.OpCall:
		return e.callNode(n)
	case syntax.OpNew:
		return e.makeNew(n)
	case syntax.OpMember:
		return e.member(e.expr(n.Kid(0)), n.Text)
	case syntax.OpIndex:
		object, key := e.expr(n.Kid(0)), e.expr(n.Kid(1))
		return e.each(key, func(k value) value { return e.at(object, k) })
	case syntax.OpAwait:
		v := e.expr(n.Kid(0))
		e.pause()
		return v
	case syntax.OpList:
		var last value
		for _, k := range n.Kids {
			last = e.expr(k)
		}
		return last
	case syntax.OpImport:
		v := e.toText(e.expr(n.Kid(0)))
		return e.each(v, e.imported)
	case syntax.OpSpread:
		return e.expr(n.Kid(0))
	case syntax.OpNone:
		return value{}
	default:
		return e.statement(n)
	}
}

func (e *evaluator) name(name string) value {
	if c := e.find(name); c != nil {
		return c.value
	}
	return e.global(name)
}

// at is a member by a key that is computed.
func (e *evaluator) at(object, key value) value {
	k := e.toText(key)
	if k.kind != text || k.partial {
		return e.anyMember(object)
	}
	return e.member(object, k.text)
}

// anyMember is a member that is not known by name.
func (e *evaluator) anyMember(object value) value {
	switch object.kind {
	case list:
		return oneOf(append([]value{{}}, object.items().all...)...)
	case record:
		all := []value{{}}
		for _, name := range object.members().names {
			if all = append(all, object.members().by[name]); len(all) > maxEither {
				break
			}
		}
		return oneOf(all...)
	case native:
		if object.text == "process.env" {
			e.use(library.Use{What: library.Env, Text: library.Environment})
			return value{}
		}
		return nativeValue(object.text + ".?")
	case either:
		return e.each(object, e.anyMember)
	default:
		return value{kind: unknown, text: "?"}
	}
}

// template joins the parts of a template.
func (e *evaluator) template(n *syntax.Node) value {
	v := textValue("")
	for _, k := range n.Kids {
		part := e.expr(k)
		if part.kind != either {
			part = e.toText(part)
		}
		v = e.plus(v, part)
	}
	return v
}

// tagged calls a function with a template: String.raw, and shells of zx and Bun.
func (e *evaluator) tagged(n *syntax.Node) value {
	tag, tmpl := e.expr(n.Kid(0)), n.Kid(1)
	raw := tag.kind == native && tag.text == "String.raw"
	v := textValue("")
	texts := 0
	for i, k := range tmpl.Kids {
		var part value
		if i%2 == 0 && raw {
			part = textValue(tmpl.More[texts])
		} else {
			part = e.expr(k)
		}
		if i%2 == 0 {
			texts++
		}
		v = e.plus(v, e.toText(part))
	}
	switch {
	case raw:
		return v
	case tag.kind == native && tag.text == "$":
		for _, a := range v.alternatives() {
			e.use(library.Use{What: library.Shell, Text: a.text, Known: known(a), Dir: e.dir})
		}
		return value{}
	case tag.kind == function:
		return e.call(tag, value{}, []value{{}})
	case tag.kind == unknown, tag.kind == native:
		e.doubt(Unseen)
		return e.foreign("."+tag.text, []value{v})
	}
	return value{}
}

func (e *evaluator) listOf(kids []*syntax.Node) value {
	l := &items{kept: e.branch}
	l.all, l.open = e.values(kids)
	return value{kind: list, ref: l}
}

// values computes a list of expressions with spreads in it. open says that
// there are more, or that they are at other places.
func (e *evaluator) values(kids []*syntax.Node) (all []value, open bool) {
	for _, k := range kids {
		if k.Op != syntax.OpSpread {
			if k.Op == syntax.OpNone {
				all = append(all, value{kind: undefined})
				continue
			}
			all = append(all, e.expr(k))
			continue
		}
		some, known := e.elements(e.expr(k.Kid(0)), false)
		if !e.step(len(some)) {
			return all, true
		}
		all = append(all, some...)
		open = open || !known
	}
	return all, open
}

func (e *evaluator) object(n *syntax.Node) value {
	m := newMembers(e.branch)
	v := value{kind: record, ref: m}
	for _, k := range n.Kids {
		if k.Op == syntax.OpSpread {
			e.spreadInto(m, e.expr(k.Kid(0)))
			continue
		}
		name, known := e.key(k)
		x := e.expr(k.Kid(0))
		if f, ok := x.ref.(*closure); ok && x.kind == function && !f.node.Arrow && k.Kid(0).Op == syntax.OpFunction {
			f.this = v
		}
		if !known {
			m.open = true
			e.escape(x)
			continue
		}
		m.set(name, x)
	}
	return v
}

// spreadInto adds the members of a value to an object.
func (e *evaluator) spreadInto(m *members, v value) {
	switch v.kind {
	case record:
		from := v.members()
		if !e.step(len(from.names)) {
			m.open = true
			return
		}
		for _, name := range from.names {
			m.set(name, from.by[name])
		}
		m.open = m.open || from.open
		if from.open {
			e.loosen(m)
		}
	case null, undefined, boolean, number:
	case list, text:
		m.open = true
	case either:
		e.loosen(m)
		for _, a := range v.alternatives() {
			if a.kind != record {
				m.open = m.open || a.kind == unknown
				continue
			}
			for _, name := range a.members().names {
				m.set(name, oneOf(m.by[name], a.members().by[name]))
			}
		}
	case unknown, function, native, pattern:
		e.loosen(m)
		m.open = true
	}
}

// loosen notes that the members of an object may have other values.
func (e *evaluator) loosen(m *members) {
	if !e.step(len(m.names)) {
		return
	}
	for _, name := range m.names {
		m.by[name] = oneOf(m.by[name], value{})
	}
}

// without is an object without some of its members.
func (e *evaluator) without(v value, taken []string) value {
	if v.kind != record {
		return value{}
	}
	m := newMembers(e.branch)
	e.spreadInto(m, v)
	for _, name := range taken {
		delete(m.by, name)
	}
	names := m.names[:0]
	for _, name := range m.names {
		if _, ok := m.by[name]; ok {
			names = append(names, name)
		}
	}
	m.names = names
	return value{kind: record, ref: m}
}

package javascript

import "github.com/sluice-project/sluice/policy/program/library"

// expr computes an expression.
func (e *evaluator) expr(n *node) value {
	if !e.enter() {
		return value{}
	}
	defer e.leave()
	switch n.op {
	case opName:
		return e.name(n.text)
	case opText:
		return textValue(n.text)
	case opNumber:
		return numberValue(n.num)
	case opConst:
		switch n.text {
		case "true", "false":
			return boolValue(n.text == "true")
		case "null":
			return value{kind: null}
		}
		return value{kind: undefined}
	case opRegexp:
		return value{kind: pattern, text: n.text, ref: n.more[0]}
	case opThis:
		return e.this
	case opTemplate:
		return e.template(n)
	case opTagged:
		return e.tagged(n)
	case opArray:
		return e.listOf(n.kids)
	case opObject:
		return e.object(n)
	case opFunction:
		return e.closure(n)
	case opClass:
		return e.class(n)
	case opUnary:
		return e.unary(n)
	case opBinary:
		return e.binary(n)
	case opAssign:
		return e.assignment(n)
	case opUpdate:
		return e.update(n)
	case opCond:
		return e.cond(n)
	case opCall:
		return e.callNode(n)
	case opNew:
		return e.makeNew(n)
	case opMember:
		return e.member(e.expr(n.kid(0)), n.text)
	case opIndex:
		object, key := e.expr(n.kid(0)), e.expr(n.kid(1))
		return e.each(key, func(k value) value { return e.at(object, k) })
	case opAwait:
		v := e.expr(n.kid(0))
		e.pause()
		return v
	case opList:
		var last value
		for _, k := range n.kids {
			last = e.expr(k)
		}
		return last
	case opImport:
		v := e.toText(e.expr(n.kid(0)))
		return e.each(v, e.imported)
	case opSpread:
		return e.expr(n.kid(0))
	case opNone:
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
func (e *evaluator) template(n *node) value {
	v := textValue("")
	for _, k := range n.kids {
		part := e.expr(k)
		if part.kind != either {
			part = e.toText(part)
		}
		v = e.plus(v, part)
	}
	return v
}

// tagged calls a function with a template: String.raw, and shells of zx and Bun.
func (e *evaluator) tagged(n *node) value {
	tag, tmpl := e.expr(n.kid(0)), n.kid(1)
	raw := tag.kind == native && tag.text == "String.raw"
	v := textValue("")
	texts := 0
	for i, k := range tmpl.kids {
		var part value
		if i%2 == 0 && raw {
			part = textValue(tmpl.more[texts])
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
	}
	return value{}
}

func (e *evaluator) listOf(kids []*node) value {
	l := &items{kept: e.branch}
	l.all, l.open = e.values(kids)
	return value{kind: list, ref: l}
}

// values computes a list of expressions with spreads in it. open says that
// there are more, or that they are at other places.
func (e *evaluator) values(kids []*node) (all []value, open bool) {
	for _, k := range kids {
		if k.op != opSpread {
			if k.op == opNone {
				all = append(all, value{kind: undefined})
				continue
			}
			all = append(all, e.expr(k))
			continue
		}
		some, known := e.elements(e.expr(k.kid(0)), false)
		if !e.step(len(some)) {
			return all, true
		}
		all = append(all, some...)
		open = open || !known
	}
	return all, open
}

func (e *evaluator) object(n *node) value {
	m := newMembers(e.branch)
	v := value{kind: record, ref: m}
	for _, k := range n.kids {
		if k.op == opSpread {
			e.spreadInto(m, e.expr(k.kid(0)))
			continue
		}
		name, known := e.key(k)
		x := e.expr(k.kid(0))
		if f, ok := x.ref.(*closure); ok && x.kind == function && !f.node.arrow && k.kid(0).op == opFunction {
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

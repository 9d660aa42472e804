package javascript

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

var constants = map[string]value{"true": {kind: boolean, num: 1}, "false": {kind: boolean}, "null": {kind: null}, "undefined": {kind: undefined}}

// expr computes an expression.
func (e *evaluator) expr(n *syntax.Node) value {
	if !e.enter() {
		return value{}
	}
	defer e.leave()
	if int(n.Op) < len(e.expressions) && e.expressions[n.Op] != nil {
		return e.expressions[n.Op](e, n)
	}
	return e.statement(n)
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
	all := []value{{}}
	switch object.kind {
	case list:
		all = append(all, object.items().all...)
	case record:
		for _, name := range object.members().names[:min(len(object.members().names), maxEither)] {
			all = append(all, object.members().get(name))
		}
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
	return oneOf(all...)
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
	for i, k := range tmpl.Kids {
		part := value{kind: text}
		if i%2 == 0 && raw {
			part.text = tmpl.More[i/2]
		} else {
			part = e.expr(k)
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
	case tag.kind == function:
		return e.call(tag, value{}, []value{{}})
	case tag.kind == unknown, tag.kind == native:
		e.doubt(Unseen)
		return e.foreign("."+tag.text, []value{v})
	}
	return value{}
}

// values computes a list of expressions with spreads in it. open says that
// there are more, or that they are at other places.
func (e *evaluator) values(kids []*syntax.Node) (all []value, open bool) {
	for _, k := range kids {
		switch k.Op {
		case syntax.OpNone:
			all = append(all, value{kind: undefined})
		case syntax.OpSpread:
			some, known := e.elements(e.expr(k.Kid(0)), false)
			if !e.step(len(some)) {
				return all, true
			}
			all = append(all, some...)
			open = open || !known
		default:
			all = append(all, e.expr(k))
		}
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
			m.set(name, from.get(name))
		}
		if from.open {
			m.open = true
			e.loosen(m)
		}
	case null, undefined, boolean, number:
	case list, text:
		m.open = true
	case either:
		e.loosen(m)
		for _, a := range v.alternatives() {
			m.open = m.open || a.kind == unknown
			if a.kind == record {
				for _, name := range a.members().names {
					m.set(name, oneOf(m.get(name), a.members().get(name)))
				}
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
		m.set(name, oneOf(m.get(name), value{}))
	}
}

// without is an object without some of its members.
func (e *evaluator) without(v value, taken []string) value {
	if v.kind != record {
		return value{}
	}
	m, from := newMembers(e.branch), newMembers(e.branch)
	e.spreadInto(from, v)
	m.open = from.open
	for _, name := range from.names {
		if !slices.Contains(taken, name) {
			m.set(name, from.get(name))
		}
	}
	return value{kind: record, ref: m}
}

// expressions compute the parts of a program that give a value.
var expressions = [...]func(e *evaluator, n *syntax.Node) value{
	syntax.OpName: func(e *evaluator, n *syntax.Node) value {
		if c := e.find(n.Text); c != nil {
			return c.value
		}
		return e.global(n.Text)
	},
	syntax.OpText:     func(_ *evaluator, n *syntax.Node) value { return textValue(n.Text) },
	syntax.OpNumber:   func(_ *evaluator, n *syntax.Node) value { return numberValue(n.Num) },
	syntax.OpConst:    func(_ *evaluator, n *syntax.Node) value { return constants[n.Text] },
	syntax.OpRegexp:   func(_ *evaluator, n *syntax.Node) value { return value{kind: pattern, text: n.Text, ref: n.More[0]} },
	syntax.OpThis:     func(e *evaluator, _ *syntax.Node) value { return e.this },
	syntax.OpTemplate: (*evaluator).template, syntax.OpTagged: (*evaluator).tagged,
	syntax.OpArray: func(e *evaluator, n *syntax.Node) value { return e.openList(e.values(n.Kids)) }, syntax.OpObject: (*evaluator).object,
	syntax.OpFunction: (*evaluator).closure, syntax.OpClass: (*evaluator).class,
	syntax.OpUnary: (*evaluator).unary, syntax.OpBinary: (*evaluator).binary, syntax.OpAssign: (*evaluator).assignment, syntax.OpUpdate: (*evaluator).update, syntax.OpCond: (*evaluator).cond,
	syntax.OpCall: (*evaluator).callNode, syntax.OpNew: (*evaluator).makeNew,
	syntax.OpMember: func(e *evaluator, n *syntax.Node) value { return e.member(e.expr(n.Kid(0)), n.Text) },
	syntax.OpIndex: func(e *evaluator, n *syntax.Node) value {
		object, key := e.expr(n.Kid(0)), e.expr(n.Kid(1))
		return e.each(key, func(k value) value { return e.at(object, k) })
	},
	syntax.OpAwait: func(e *evaluator, n *syntax.Node) value {
		v := e.expr(n.Kid(0))
		e.pause()
		return v
	},
	syntax.OpList: func(e *evaluator, n *syntax.Node) (last value) {
		for _, k := range n.Kids {
			last = e.expr(k)
		}
		return last
	},
	syntax.OpImport: func(e *evaluator, n *syntax.Node) value { return e.each(e.toText(e.expr(n.Kid(0))), e.imported) },
	syntax.OpSpread: func(e *evaluator, n *syntax.Node) value { return e.expr(n.Kid(0)) },
	syntax.OpNone:   func(*evaluator, *syntax.Node) value { return value{} },
}

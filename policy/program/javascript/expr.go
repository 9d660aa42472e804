package javascript

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

// expr computes an expression; what is missing is not known.
func (e *evaluator) expr(x js.IExpr) value {
	if x == nil || !e.enter() {
		return value{}
	}
	defer e.leave()
	switch x := x.(type) {
	case *js.Var:
		name := syntax.Name(x.Data)
		if c := e.find(name); c != nil {
			return c.value
		}
		return e.global(name)
	case *js.LiteralExpr:
		return e.literal(x)
	case *js.GroupExpr:
		return e.expr(x.X)
	case *js.CommaExpr:
		for _, part := range x.List[:len(x.List)-1] {
			e.expr(part)
		}
		return e.expr(x.List[len(x.List)-1])
	case *js.TemplateExpr:
		return e.template(x)
	case *js.ArrayExpr:
		l := e.newList(nil)
		for _, part := range x.List {
			if part.Value == nil {
				l.items().all = append(l.items().all, value{kind: undefined})
			} else {
				e.adds(l.items(), part.Value, part.Spread)
			}
		}
		return l
	case *js.ObjectExpr:
		return e.object(x)
	case *js.ArrowFunc:
		return e.closure(&closure{arrow: true, params: &x.Params, body: &x.Body, this: e.this})
	case *js.FuncDecl:
		return e.declared(x)
	case *js.ClassDecl:
		return e.class(x)
	case *js.UnaryExpr:
		return e.unary(x)
	case *js.BinaryExpr:
		return e.binary(x)
	case *js.CondExpr:
		var out []value
		e.decide(e.expr(x.Cond), func() { out = append(out, e.expr(x.X)) }, func() { out = append(out, e.expr(x.Y)) })
		return oneOf(out...)
	case *js.CallExpr:
		return e.callOf(x)
	case *js.NewExpr:
		return e.makeNew(x)
	case *js.DotExpr:
		return e.member(e.expr(x.X), syntax.Member(x))
	case *js.IndexExpr:
		object, key := e.expr(x.X), e.expr(x.Y)
		return e.each(key, func(k value) value { return e.at(object, k) })
	case *js.YieldExpr:
		v := e.expr(x.X)
		e.pause()
		return v
	case *js.VarDecl:
		e.variables(x)
	}
	return value{} // new.target, import.meta
}

// literal is a value as it is written.
func (e *evaluator) literal(x *js.LiteralExpr) value {
	text := string(x.Data)
	switch x.TokenType {
	case js.StringToken:
		return textValue(syntax.Unquoted(x.Data))
	case js.RegExpToken:
		end := strings.LastIndexByte(text, '/')
		return value{kind: pattern, text: text[min(1, end):end], ref: text[end+1:]}
	case js.TrueToken, js.FalseToken:
		return boolValue(x.TokenType == js.TrueToken)
	case js.NullToken:
		return value{kind: null}
	case js.ThisToken:
		return e.this
	case js.SuperToken:
		return e.global(text)
	default:
	}
	number, ok := syntax.ParseNumber(text)
	if !ok || strings.HasSuffix(text, "n") { // of any length, which is not computed
		return value{}
	}
	return numberValue(number)
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

// template joins the parts of a template, which may be given to a function: String.raw, and
// shells of zx and Bun.
func (e *evaluator) template(x *js.TemplateExpr) value {
	tag := e.expr(x.Tag)
	raw := tag.kind == native && tag.text == "String.raw"
	v := textValue("")
	for _, part := range x.List {
		v = e.plus(v, textValue(syntax.TemplateText(part.Value, raw)))
		v = e.plus(v, e.toText(e.expr(part.Expr)))
	}
	v = e.plus(v, textValue(syntax.TemplateText(x.Tail, raw)))
	switch {
	case raw, x.Tag == nil:
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

// adds puts a value, or what it is spread into, behind others. Of what is not known there may
// be more.
func (e *evaluator) adds(l *cell, x js.IExpr, spread bool) {
	if !spread {
		l.all = append(l.all, e.expr(x))
		return
	}
	some, known := e.elements(e.expr(x), false)
	if l.open = l.open || !known; !e.step(len(some)) {
		l.open = true
		return
	}
	l.all = append(l.all, some...)
}

func (e *evaluator) object(x *js.ObjectExpr) value {
	m := newMembers(e.branch)
	v := value{kind: record, ref: m}
	for i := range x.List {
		p := &x.List[i]
		if p.Spread {
			e.spreadInto(m, e.expr(p.Value))
			continue
		}
		name := p.Name
		method, is := p.Value.(*js.MethodDecl)
		var member value
		if is {
			name, member = &method.Name.PropertyName, e.methodOf(method)
		} else {
			member = e.expr(p.Value)
			_, is = p.Value.(*js.FuncDecl)
		}
		if f, made := member.ref.(*closure); made && is {
			f.this = v
		}
		if key, known := e.key(name); known {
			m.set(key, member)
		} else {
			m.open = true
			e.escape(member)
		}
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

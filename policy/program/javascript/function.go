package javascript

import (
	"slices"

	"github.com/tdewolff/parse/v2/js"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// closure is a function of the program, which waits to be called.
func (e *evaluator) closure(f *closure) value {
	f.scope = e.scope
	e.pending = append(e.pending, f)
	return value{kind: function, ref: f}
}

func (e *evaluator) declared(x *js.FuncDecl) value {
	f := &closure{params: &x.Params, body: &x.Body}
	if x.Name != nil {
		f.name = syntax.Name(x.Name.Data)
	}
	return e.closure(f)
}

// methodOf is a method; reading a member that computes its value runs it.
func (e *evaluator) methodOf(m *js.MethodDecl) value {
	v := e.closure(&closure{params: &m.Params, body: &m.Body})
	if m.Get || m.Set {
		return e.call(value{}, value{}, []value{v})
	}
	return v
}

// class is a function that makes objects.
func (e *evaluator) class(x *js.ClassDecl) value {
	f := &closure{scope: e.scope, class: newMembers(e.branch)}
	if x.Extends != nil {
		parent, ok := e.expr(x.Extends).ref.(*closure)
		if f.class.open = !ok || parent.class == nil; !f.class.open {
			e.spreadInto(f.class, value{kind: record, ref: parent.class})
			f.fields = slices.Clone(parent.fields)
		}
	}
	for i := range x.List {
		switch k := &x.List[i]; {
		case k.StaticBlock != nil:
			e.statement(k.StaticBlock)
		case k.Method == nil || k.Method.Get || k.Method.Set:
			f.fields = append(f.fields, k)
		default:
			name, known := e.elementName(&k.Method.Name)
			if method := e.methodOf(k.Method); known {
				f.class.set(name, method)
			} else {
				f.class.open = true
				e.escape(method)
			}
		}
	}
	return value{kind: function, ref: f}
}

// elementName is the name of a member of a class.
func (e *evaluator) elementName(name *js.ClassElementName) (string, bool) {
	if name.Private != nil {
		return syntax.Name(name.Private.Data), true
	}
	return e.key(&name.PropertyName)
}

// makeNew computes new X(...).
func (e *evaluator) makeNew(x *js.NewExpr) value {
	class, args := e.expr(x.X), []value(nil)
	if x.Args != nil {
		args = e.arguments(*x.Args)
	}
	return e.each(class, func(class value) value {
		switch f := class.ref.(type) {
		case *closure:
			return e.instance(f, args)
		case *bound:
			return e.call(class, value{}, args)
		}
		if class.kind == native {
			return e.construct(class.text, args)
		}
		e.doubt(Dynamic)
		e.escapeAll(args)
		return value{}
	})
}

func (e *evaluator) escapeAll(args []value) {
	for _, a := range args {
		e.escape(a)
	}
}

// callOf computes a call.
func (e *evaluator) callOf(x *js.CallExpr) value {
	var this, key value
	switch callee := x.X.(type) {
	case *js.DotExpr:
		this, key = e.expr(callee.X), textValue(syntax.Member(callee))
	case *js.IndexExpr:
		this = e.expr(callee.X)
		key = e.toText(e.expr(callee.Y))
	case *js.LiteralExpr:
		if callee.TokenType == js.ImportToken {
			return e.each(e.toText(arg(e.arguments(x.Args), 0)), e.imported)
		}
		return e.call(e.expr(callee), value{}, e.arguments(x.Args))
	default:
		return e.call(e.expr(callee), value{}, e.arguments(x.Args))
	}
	if key.kind == either {
		return e.each(key, func(k value) value { return e.call(e.at(this, k), this, e.arguments(x.Args)) })
	}
	name, known := key.whole()
	if !known || name == "" {
		f := e.anyMember(this)
		return e.call(f, this, e.arguments(x.Args))
	}
	args := e.arguments(x.Args)
	return e.each(this, func(this value) value { return e.method(this, name, args) })
}

// call calls a function with arguments.
func (e *evaluator) call(f, this value, args []value) value {
	if !e.enter() {
		return value{}
	}
	defer e.leave()
	switch f.kind {
	case function:
		switch f := f.ref.(type) {
		case *closure:
			return e.invoke(f, this, args)
		case *bound:
			args = slices.Concat(f.args, args)
			if f.method != "" {
				return e.method(f.this, f.method, args)
			}
			return e.call(f.target, f.this, args)
		}
	case native:
		return e.native(f.text, args)
	case either:
		var out []value
		for _, a := range f.alternatives() {
			e.maybe(func() { out = append(out, e.call(a, this, args)) })
		}
		return oneOf(out...)
	case undefined, null: // fails
	default: // a function that is not known may be any
		e.doubt(Dynamic)
	}
	e.escapeAll(args)
	return value{}
}

// invoke runs a function of the program.
func (e *evaluator) invoke(f *closure, this value, args []value) value {
	f.called = true
	switch {
	case f.body == nil:
		e.escapeAll(args)
		return value{}
	case e.calls >= maxCallDepth:
		e.doubt(syntax.Nesting)
		return value{}
	}
	scope, outerThis, result, branch, marks, begun := e.scope, e.this, e.result, e.branch, len(e.marks), e.begun
	e.calls++
	e.scope, e.this, e.result, e.begun = newScope(f.scope), this, nil, marks
	if f.arrow {
		e.this = f.this
	}
	e.bind(f, args)
	e.block(f.body.List)
	out := value{kind: undefined}
	if len(e.result) > 0 {
		if e.end != returned { // it may also fall off its end
			e.result = append(e.result, out)
		}
		out = oneOf(e.result...)
	}
	e.end = goesOn
	e.settle(marks)
	e.scope, e.this, e.result, e.branch, e.begun = scope, outerThis, result, branch, begun
	e.calls--
	return out
}

// bind gives the parameters of a function their values.
func (e *evaluator) bind(f *closure, args []value) {
	if !f.arrow {
		e.declare("let", "arguments", e.newList(slices.Clip(args)))
		if f.name != "" && e.scope.outer.vars[f.name] == nil {
			e.declare("let", f.name, value{kind: function, ref: f})
		}
	}
	for i := range f.params.List {
		e.assign("let", &f.params.List[i], arg(args, i))
	}
	if f.params.Rest != nil {
		e.assign("let", f.params.Rest, e.newList(slices.Clone(args[min(len(f.params.List), len(args)):])))
	}
}

// instance is an object of a class, or of a function that is used as one.
func (e *evaluator) instance(f *closure, args []value) value {
	m := newMembers(e.branch)
	this := value{kind: record, ref: m}
	if f.class == nil {
		e.invoke(f, this, args)
		return this
	}
	m.open = f.class.open
	for _, name := range f.class.names {
		m.set(name, f.class.get(name))
	}
	outer := e.this
	e.this = this
	for _, k := range f.fields {
		name := &k.Name
		var v value
		if k.Method != nil {
			name, v = &k.Method.Name, e.methodOf(k.Method)
		} else {
			v = e.expr(k.Init)
		}
		if key, known := e.elementName(name); known {
			m.set(key, v)
		}
	}
	e.this = outer
	if init, ok := f.class.find("constructor"); ok {
		e.call(init, this, args)
	}
	return this
}

// arguments are those of a call, with one that is not known where there are more.
func (e *evaluator) arguments(args js.Args) []value {
	var l cell
	for _, a := range args.List {
		e.adds(&l, a.Value, a.Rest)
	}
	return l.some()
}

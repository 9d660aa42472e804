package javascript

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// closure is a function of the program, which waits to be called.
func (e *evaluator) closure(n *syntax.Node) value {
	f := &closure{node: n, scope: e.scope, this: value{}}
	if n.Arrow {
		f.this = e.this
	}
	e.pending = append(e.pending, f)
	return value{kind: function, ref: f}
}

// class is a function that makes objects.
func (e *evaluator) class(n *syntax.Node) value {
	f := &closure{node: &syntax.Nothing, scope: e.scope, class: newMembers(e.branch)}
	if n.Kid(0).Op != syntax.OpNone {
		parent, ok := e.expr(n.Kid(0)).ref.(*closure)
		if f.class.open = !ok || parent.class == nil; !f.class.open {
			e.spreadInto(f.class, value{kind: record, ref: parent.class})
			f.kids = slices.Clone(parent.kids)
		}
	}
	for _, k := range n.Kids[1:] {
		switch k.Kid(0).Op {
		case syntax.OpFunction:
			name, known := e.key(k)
			method := e.expr(k.Kid(0))
			if known {
				f.class.set(name, method)
			} else {
				f.class.open = true
				e.escape(method)
			}
		case syntax.OpBlock:
			e.statement(k.Kid(0))
			fallthrough
		default:
			f.kids = append(f.kids, k)
		}
	}
	return value{kind: function, ref: f}
}

// makeNew computes new X(...).
func (e *evaluator) makeNew(n *syntax.Node) value {
	class := e.expr(n.Kid(0))
	args, _ := e.values(n.Kids[1:])
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

// callNode computes a call.
func (e *evaluator) callNode(n *syntax.Node) value {
	callee := n.Kid(0)
	if callee.Op != syntax.OpMember && callee.Op != syntax.OpIndex {
		return e.call(e.expr(callee), value{}, e.arguments(n))
	}
	this, key := e.expr(callee.Kid(0)), textValue(callee.Text)
	if callee.Op == syntax.OpIndex {
		key = e.toText(e.expr(callee.Kid(1)))
	}
	if key.kind == either {
		return e.each(key, func(k value) value { return e.call(e.at(this, k), this, e.arguments(n)) })
	}
	name, known := key.whole()
	if !known || name == "" {
		f := e.anyMember(this)
		return e.call(f, this, e.arguments(n))
	}
	args := e.arguments(n)
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
	case f.node.Op != syntax.OpFunction:
		e.escapeAll(args)
		return value{}
	case e.calls >= maxCallDepth:
		e.doubt(syntax.Nesting)
		return value{}
	}
	scope, outerThis, result, branch, marks, begun := e.scope, e.this, e.result, e.branch, len(e.marks), e.begun
	e.calls++
	e.scope, e.this, e.result, e.begun = newScope(f.scope), this, nil, marks
	if f.node.Arrow {
		e.this = f.this
	}
	e.bind(f, args)
	if body := f.node.Kid(1); body.Op == syntax.OpBlock {
		e.block(body.Kids)
	} else {
		e.statement(body)
	}
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
	if !f.node.Arrow {
		e.declare("let", "arguments", e.newList(slices.Clip(args)))
		if f.node.Text != "" && e.scope.outer.vars[f.node.Text] == nil {
			e.declare("let", f.node.Text, value{kind: function, ref: f})
		}
	}
	for i, param := range f.node.Kid(0).Kids {
		if param.Op == syntax.OpSpread {
			e.assign("let", param.Kid(0), e.newList(slices.Clone(args[min(i, len(args)):])))
			return
		}
		e.assign("let", param, arg(args, i))
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
	for _, k := range f.kids {
		if name, known := e.key(k); known {
			m.set(name, e.expr(k.Kid(0)))
		}
	}
	e.this = outer
	if init, ok := f.class.find("constructor"); ok {
		e.call(init, this, args)
	}
	return this
}

// arguments are those of a call, with one that is not known where there are more.
func (e *evaluator) arguments(n *syntax.Node) []value {
	args, open := e.values(n.Kids[1:])
	if open {
		args = append(args, value{})
	}
	return args
}

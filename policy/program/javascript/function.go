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
	v := value{kind: function, ref: f}
	if n.Kid(0).Op != syntax.OpNone {
		if parent, ok := e.expr(n.Kid(0)).ref.(*closure); ok && parent.class != nil {
			for _, name := range parent.class.names {
				f.class.set(name, parent.class.by[name])
			}
			f.kids = append(f.kids, parent.kids...)
		} else {
			f.class.open = true
		}
	}
	for _, k := range n.Kids[1:] {
		if k.Kid(0).Op != syntax.OpFunction {
			f.kids = append(f.kids, k)
			if k.Kid(0).Op == syntax.OpBlock {
				e.statement(k.Kid(0))
			}
			continue
		}
		name, known := e.key(k)
		method := e.expr(k.Kid(0))
		if !known {
			f.class.open = true
			e.escape(method)
			continue
		}
		f.class.set(name, method)
	}
	return v
}

// makeNew computes new X(...).
func (e *evaluator) makeNew(n *syntax.Node) value {
	class := e.expr(n.Kid(0))
	args, open := e.values(n.Kids[1:])
	return e.each(class, func(class value) value {
		switch f := class.ref.(type) {
		case *closure:
			m := newMembers(e.branch)
			this := value{kind: record, ref: m}
			if f.class == nil { // a function that is used as a class
				e.invoke(f, this, args)
				return this
			}
			m.open = f.class.open
			for _, name := range f.class.names {
				m.set(name, f.class.by[name])
			}
			outer := e.this
			e.this = this
			for _, k := range f.kids {
				if name, known := e.key(k); known {
					m.set(name, e.expr(k.Kid(0)))
				}
			}
			e.this = outer
			if init, ok := f.class.by["constructor"]; ok {
				e.call(init, this, args)
			}
			return this
		case *bound:
			return e.call(class, value{}, args)
		}
		if class.kind == native {
			return e.construct(class.text, args, open)
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
	var this, f value
	name := ""
	switch callee.Op {
	case syntax.OpMember:
		this = e.expr(callee.Kid(0))
		name = callee.Text
	case syntax.OpIndex:
		this = e.expr(callee.Kid(0))
		key := e.toText(e.expr(callee.Kid(1)))
		switch {
		case key.kind == text && !key.partial:
			name = key.text
		case key.kind == either:
			return e.each(key, func(k value) value {
				args, _ := e.values(n.Kids[1:])
				return e.call(e.at(this, k), this, args)
			})
		default:
			f = e.anyMember(this)
		}
	default:
		f = e.expr(callee)
	}
	args, open := e.values(n.Kids[1:])
	if open { // more arguments than are known
		args = append(args, value{})
	}
	if name != "" {
		return e.each(this, func(this value) value { return e.method(this, name, args) })
	}
	return e.call(f, this, args)
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
			args = append(append([]value(nil), f.args...), args...)
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
		e.escapeAll(args)
		return value{}
	default:
	}
	// A function that is not known may be any.
	e.doubt(Dynamic)
	e.escapeAll(args)
	return value{}
}

// invoke runs a function of the program.
func (e *evaluator) invoke(f *closure, this value, args []value) value {
	f.called = true
	if f.node.Op != syntax.OpFunction {
		e.escapeAll(args)
		return value{}
	}
	if e.calls >= maxCallDepth {
		e.doubt(syntax.Nesting)
		return value{}
	}
	e.calls++
	scope, outerThis, result, branch, marks := e.scope, e.this, e.result, e.branch, len(e.marks)
	begun := e.begun
	e.begun = marks
	e.scope = newScope(f.scope)
	e.result = nil
	e.this = this
	if f.node.Arrow {
		e.this = f.this
	}
	e.bind(f, args)
	body := f.node.Kid(1)
	if body.Op == syntax.OpBlock {
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
	e.begun = begun
	e.scope, e.this, e.result, e.branch = scope, outerThis, result, branch
	e.calls--
	return out
}

func newScope(outer *scope) *scope {
	return &scope{vars: map[string]*cell{}, outer: outer, function: true}
}

// bind gives the parameters of a function their values.
func (e *evaluator) bind(f *closure, args []value) {
	if !f.node.Arrow {
		e.declare("let", "arguments", value{kind: list, ref: &items{all: slices.Clip(args), kept: e.branch}})
		if f.node.Text != "" && e.scope.outer.vars[f.node.Text] == nil {
			e.declare("let", f.node.Text, value{kind: function, ref: f})
		}
	}
	for i, param := range f.node.Kid(0).Kids {
		if param.Op == syntax.OpSpread {
			rest := []value(nil)
			if i < len(args) {
				rest = append(rest, args[i:]...)
			}
			e.assign("let", param.Kid(0), value{kind: list, ref: &items{all: rest, kept: e.branch}})
			return
		}
		v := value{kind: undefined}
		if i < len(args) {
			v = args[i]
		}
		e.assign("let", param, v)
	}
}

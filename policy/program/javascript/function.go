package javascript

import "slices"

// closure is a function of the program, which waits to be called.
func (e *evaluator) closure(n *node) value {
	f := &closure{node: n, scope: e.scope, this: value{}}
	if n.arrow {
		f.this = e.this
	}
	e.pending = append(e.pending, f)
	return value{kind: function, ref: f}
}

// class is a function that makes objects.
func (e *evaluator) class(n *node) value {
	f := &closure{node: &nothing, scope: e.scope, class: newMembers(e.branch)}
	v := value{kind: function, ref: f}
	if n.kid(0).op != opNone {
		if parent, ok := e.expr(n.kid(0)).ref.(*closure); ok && parent.class != nil {
			for _, name := range parent.class.names {
				f.class.set(name, parent.class.by[name])
			}
			f.kids = append(f.kids, parent.kids...)
		} else {
			f.class.open = true
		}
	}
	for _, k := range n.kids[1:] {
		if k.kid(0).op != opFunction {
			f.kids = append(f.kids, k)
			if k.kid(0).op == opBlock {
				e.statement(k.kid(0))
			}
			continue
		}
		name, known := e.key(k)
		method := e.expr(k.kid(0))
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
func (e *evaluator) makeNew(n *node) value {
	class := e.expr(n.kid(0))
	args, open := e.values(n.kids[1:])
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
					m.set(name, e.expr(k.kid(0)))
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
func (e *evaluator) callNode(n *node) value {
	callee := n.kid(0)
	var this, f value
	name := ""
	switch callee.op {
	case opMember:
		this = e.expr(callee.kid(0))
		name = callee.text
	case opIndex:
		this = e.expr(callee.kid(0))
		key := e.toText(e.expr(callee.kid(1)))
		switch {
		case key.kind == text && !key.partial:
			name = key.text
		case key.kind == either:
			return e.each(key, func(k value) value {
				args, _ := e.values(n.kids[1:])
				return e.call(e.at(this, k), this, args)
			})
		default:
			f = e.anyMember(this)
		}
	default:
		f = e.expr(callee)
	}
	args, open := e.values(n.kids[1:])
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
	if f.node.op != opFunction {
		e.escapeAll(args)
		return value{}
	}
	if e.calls >= maxCallDepth {
		e.doubt(Nesting)
		return value{}
	}
	e.calls++
	scope, outerThis, result, branch, marks := e.scope, e.this, e.result, e.branch, len(e.marks)
	begun := e.begun
	e.begun = marks
	e.scope = newScope(f.scope)
	e.result = nil
	e.this = this
	if f.node.arrow {
		e.this = f.this
	}
	e.bind(f, args)
	body := f.node.kid(1)
	if body.op == opBlock {
		e.block(body.kids)
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
	if !f.node.arrow {
		e.declare("let", "arguments", value{kind: list, ref: &items{all: slices.Clip(args), kept: e.branch}})
		if f.node.text != "" && e.scope.outer.vars[f.node.text] == nil {
			e.declare("let", f.node.text, value{kind: function, ref: f})
		}
	}
	for i, param := range f.node.kid(0).kids {
		if param.op == opSpread {
			rest := []value(nil)
			if i < len(args) {
				rest = append(rest, args[i:]...)
			}
			e.assign("let", param.kid(0), value{kind: list, ref: &items{all: rest, kept: e.branch}})
			return
		}
		v := value{kind: undefined}
		if i < len(args) {
			v = args[i]
		}
		e.assign("let", param, v)
	}
}

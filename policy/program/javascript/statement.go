package javascript

import "github.com/sluice-project/sluice/policy/program/javascript/syntax"

// block runs statements and returns what the last of them gives.
func (e *evaluator) block(list []*syntax.Node) (last value) {
	for _, n := range list { // functions are there before their line
		if n.Op == syntax.OpFunction && n.Text != "" && !n.Arrow {
			e.declare("var", n.Text, e.closure(n))
		}
	}
	for _, n := range list {
		last = e.statement(n)
		if e.end != goesOn || e.steps < 0 {
			break
		}
	}
	return last
}

// statement runs one statement.
func (e *evaluator) statement(n *syntax.Node) (last value) {
	if !e.enter() {
		return value{}
	}
	defer e.leave()
	switch n.Op {
	case syntax.OpBlock:
		e.inScope(func() { last = e.block(n.Kids) })
	case syntax.OpVar:
		e.variables(n)
	case syntax.OpFunction:
		if n.Text == "" || n.Arrow {
			return e.expr(n)
		}
	case syntax.OpClass:
		if v := e.expr(n); n.Text != "" {
			e.declare("let", n.Text, v)
		}
	case syntax.OpIf:
		e.decide(e.expr(n.Kid(0)), func() { e.statement(n.Kid(1)) }, func() { e.statement(n.Kid(2)) })
	case syntax.OpWhile:
		e.repeat(n.Kid(0), nil, n.Kid(1))
	case syntax.OpDo:
		e.statement(n.Kid(0))
		if e.end == broke || e.end == continued {
			e.end = goesOn
		}
		if e.end == goesOn {
			e.repeat(n.Kid(1), nil, n.Kid(0))
		}
	case syntax.OpFor:
		e.inScope(func() {
			e.statement(n.Kid(0))
			e.repeat(n.Kid(1), n.Kid(2), n.Kid(3))
		})
	case syntax.OpEach:
		e.inScope(func() { e.forEach(n) })
	case syntax.OpSwitch:
		e.expr(n.Kid(0))
		e.inScope(func() {
			for _, branch := range n.Kids[1:] {
				e.maybe(func() {
					e.expr(branch.Kid(0))
					e.block(branch.Kids[1:])
				})
			}
		})
	case syntax.OpTry:
		e.tries++
		e.maybe(func() { e.statement(n.Kid(0)) })
		e.tries--
		if n.Kid(2).Op != syntax.OpNone {
			e.maybe(func() {
				e.inScope(func() {
					e.assign("let", n.Kid(1), value{})
					e.statement(n.Kid(2))
				})
			})
		}
		e.statement(n.Kid(3))
	case syntax.OpReturn, syntax.OpThrow, syntax.OpBreak, syntax.OpContinue:
		e.leaves(n)
	case syntax.OpUse:
		module := e.require(n.Text)
		for _, k := range n.Kids {
			v := module
			if k.Text != "" {
				v = e.member(module, k.Text)
			}
			e.assign("const", k.Kid(0), v)
		}
	case syntax.OpNone:
	default:
		return e.expr(n)
	}
	return last
}

// decide goes one way if the condition is known, and both ways if not.
func (e *evaluator) decide(condition value, then, otherwise func()) {
	switch yes, known := condition.truth(); {
	case !known:
		e.fork(then, otherwise)
	case yes:
		then()
	default:
		otherwise()
	}
}

func (e *evaluator) variables(n *syntax.Node) {
	for _, k := range n.Kids {
		switch {
		case k.Op == syntax.OpAssign:
			e.assign(n.Text, k.Kid(0), e.expr(k.Kid(1)))
		case n.Text == "var" && k.Op == syntax.OpName && e.find(k.Text) != nil: // says again that it is there
		default:
			e.assign(n.Text, k, value{kind: undefined})
		}
	}
}

// leaves ends a function or a loop.
func (e *evaluator) leaves(n *syntax.Node) {
	switch n.Op {
	case syntax.OpReturn, syntax.OpThrow:
		v := value{kind: undefined}
		if len(n.Kids) > 0 {
			v = e.expr(n.Kid(0))
		}
		if n.Op == syntax.OpReturn {
			if e.result = append(e.result, v); len(e.result) > maxEither {
				e.result = []value{oneOf(e.result...)}
			}
		}
		e.end = returned
		return
	case syntax.OpContinue:
		e.end = continued
	default:
		e.end = broke
	}
	if n.Text != "" { // of an outer loop: what follows this one may not happen
		e.newBranch()
		e.marks = append(e.marks, len(e.log))
	}
}

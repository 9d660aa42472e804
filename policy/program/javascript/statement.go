package javascript

// block runs statements and returns what the last of them gives.
func (e *evaluator) block(list []*node) (last value) {
	for _, n := range list { // functions are there before their line
		if n.op == opFunction && n.text != "" && !n.arrow {
			e.declare("var", n.text, e.closure(n))
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
func (e *evaluator) statement(n *node) (last value) {
	if !e.enter() {
		return value{}
	}
	defer e.leave()
	switch n.op {
	case opBlock:
		e.inScope(func() { last = e.block(n.kids) })
	case opVar:
		e.variables(n)
	case opFunction:
		if n.text == "" || n.arrow {
			return e.expr(n)
		}
	case opClass:
		v := e.expr(n)
		if n.text != "" {
			e.declare("let", n.text, v)
		}
	case opIf:
		e.decide(e.expr(n.kid(0)), func() { e.statement(n.kid(1)) }, func() { e.statement(n.kid(2)) })
	case opWhile:
		e.repeat(n.kid(0), nil, n.kid(1))
	case opDo:
		e.statement(n.kid(0))
		if e.end == broke || e.end == continued {
			e.end = goesOn
		}
		if e.end == goesOn {
			e.repeat(n.kid(1), nil, n.kid(0))
		}
	case opFor:
		e.inScope(func() {
			e.statement(n.kid(0))
			e.repeat(n.kid(1), n.kid(2), n.kid(3))
		})
	case opEach:
		e.inScope(func() { e.forEach(n) })
	case opSwitch:
		e.expr(n.kid(0))
		e.inScope(func() {
			for _, branch := range n.kids[1:] {
				e.maybe(func() {
					e.expr(branch.kid(0))
					e.block(branch.kids[1:])
				})
			}
		})
	case opTry:
		e.tries++
		e.maybe(func() { e.statement(n.kid(0)) })
		e.tries--
		if n.kid(2).op != opNone {
			e.maybe(func() {
				e.inScope(func() {
					e.assign("let", n.kid(1), value{})
					e.statement(n.kid(2))
				})
			})
		}
		e.statement(n.kid(3))
	case opReturn, opThrow:
		v := value{kind: undefined}
		if len(n.kids) > 0 {
			v = e.expr(n.kid(0))
		}
		if n.op == opReturn {
			e.result = append(e.result, v)
			if len(e.result) > maxEither {
				e.result = []value{oneOf(e.result...)}
			}
		}
		e.end = returned
	case opBreak, opContinue:
		if n.text != "" { // of an outer loop: what follows this one may not happen
			e.newBranch()
			e.marks = append(e.marks, len(e.log))
		}
		e.end = broke
		if n.op == opContinue {
			e.end = continued
		}
	case opUse:
		module := e.require(n.text)
		for _, k := range n.kids {
			v := module
			if k.text != "" {
				v = e.member(module, k.text)
			}
			e.assign("const", k.kid(0), v)
		}
	case opNone:
	default:
		return e.expr(n)
	}
	return last
}

func (e *evaluator) variables(n *node) {
	for _, k := range n.kids {
		if k.op == opAssign {
			e.assign(n.text, k.kid(0), e.expr(k.kid(1)))
			continue
		}
		if n.text == "var" && k.op == opName && e.find(k.text) != nil {
			continue // says again that it is there
		}
		e.assign(n.text, k, value{kind: undefined})
	}
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

package javascript

import (
	"slices"

	"github.com/tdewolff/parse/v2/js"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// repeat runs a loop as long as its condition is known, and then once more for
// all the rounds that are not.
func (e *evaluator) repeat(condition js.IExpr, step func(), body js.IStmt) {
	defer e.leaveLoop(len(e.marks))
	for round := 0; e.step(1); round++ {
		yes, known := true, true
		if condition != nil {
			yes, known = e.expr(condition).truth()
		}
		if known && !yes {
			return
		}
		if !known || round >= maxRounds {
			e.rounds(func() {
				e.statement(body)
				if step != nil {
					step()
				}
				e.expr(condition)
			})
			return
		}
		marks := len(e.marks)
		e.statement(body)
		end := e.end
		if end != returned {
			e.end = goesOn
		}
		if end == broke || end == returned {
			return
		}
		if len(e.marks) > marks { // it may have been left
			e.rounds(func() { e.statement(body) })
			return
		}
		if step != nil {
			e.scope = e.scope.again() // functions keep the variables of their round
			step()
		}
	}
}

// elements are the values a loop goes over, as far as they are known.
func (e *evaluator) elements(over value, keys bool) (all []value, known bool) {
	switch over.kind {
	case list:
		l := over.items()
		if !keys {
			return slices.Clone(l.all), !l.open
		}
		for i := range l.all {
			all = append(all, textValue(syntax.NumberText(float64(i))))
		}
		return all, !l.open
	case record:
		m := over.members()
		if keys {
			for _, name := range m.names {
				all = append(all, textValue(name))
			}
			return all, !m.open
		}
		if set, ok := m.find("\x00set"); ok {
			all, known = e.elements(set, false)
			return all, known && !m.open
		}
	case text:
		if over.partial || keys || !e.step(len(over.text)) {
			return nil, false
		}
		for _, r := range over.text {
			all = append(all, textValue(string(r)))
		}
		return all, true
	case either:
		for _, a := range over.alternatives() {
			some, _ := e.elements(a, keys)
			all = append(all, some...)
		}
	case null, undefined:
		return nil, true
	default:
	}
	return all, false
}

// rounds runs what happens any number of times: once as things are, and once
// with everything unknown that the first time has changed.
func (e *evaluator) rounds(round func()) {
	e.maybe(func() {
		mark := len(e.log)
		round()
		e.end = goesOn
		if mark > len(e.log) || !e.step(len(e.log)-mark) {
			return
		}
		for _, c := range e.log[mark:] {
			c.cell.value, c.cell.open = oneOf(c.cell.value, value{}), true
		}
		round()
	})
}

// forEach runs for (x of list) and for (x in object).
func (e *evaluator) forEach(init, list js.IExpr, keys bool, body js.IStmt) {
	defer e.leaveLoop(len(e.marks))
	over := e.expr(list)
	how, target := "", any(init)
	if decl, is := init.(*js.VarDecl); is && len(decl.List) > 0 {
		how, target = decl.TokenType.String(), decl.List[0].Binding
	}
	round := func(v value) {
		e.inScope(func() {
			e.assign(how, target, v)
			e.statement(body)
		})
	}
	elements, known := e.elements(over, keys)
	for i, v := range elements {
		if i >= maxRounds {
			known = false
			break
		}
		round(v)
		end := e.end
		if end != returned {
			e.end = goesOn
		}
		if end == broke || end == returned {
			return
		}
	}
	if !known {
		e.rounds(func() { round(value{}) })
	}
}

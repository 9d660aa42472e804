package javascript

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// assign gives a target its value: a name, a member, or a pattern of them.
func (e *evaluator) assign(how string, target *syntax.Node, v value) {
	if !e.enter() {
		return
	}
	defer e.leave()
	switch target.Op {
	case syntax.OpName:
		if how != "" {
			e.declare(how, target.Text, v)
		} else {
			e.set(target.Text, v)
		}
	case syntax.OpAssign: // with a default
		switch v.kind {
		case undefined:
			v = e.expr(target.Kid(1))
		case unknown:
			v = oneOf(v, e.expr(target.Kid(1)))
		default:
		}
		e.assign(how, target.Kid(0), v)
	case syntax.OpObject:
		var taken []string
		for _, k := range target.Kids {
			name, ok := e.key(k)
			switch {
			case k.Op == syntax.OpSpread:
				e.assign(how, k.Kid(0), e.without(v, taken))
			case !ok:
				e.assign(how, k.Kid(0), e.anyMember(v))
			default:
				taken = append(taken, name)
				e.assign(how, k.Kid(0), e.member(v, name))
			}
		}
	case syntax.OpArray:
		for i, k := range target.Kids {
			if k.Op == syntax.OpSpread {
				e.assign(how, k.Kid(0), e.method(v, "slice", []value{numberValue(float64(i))}))
			} else {
				e.assign(how, k, e.member(v, syntax.NumberText(float64(i))))
			}
		}
	case syntax.OpMember, syntax.OpIndex:
		e.setMember(target, v)
	case syntax.OpNone:
	default:
		e.doubt(syntax.Syntax)
	}
}

func (e *evaluator) setOn(o value, name string, known bool, v value, perhaps bool) {
	if known && (name == "__proto__" || name == "constructor" || name == "prototype") {
		e.doubt(syntax.Reach)
	}
	switch o.kind {
	case record:
		m := o.members()
		if !known {
			m.open = true
			break
		}
		c := m.cell(name)
		e.keep(c)
		if perhaps {
			v = oneOf(c.value, v)
		}
		c.value = v
		return
	case list:
		l := o.items()
		i, ok := index(name)
		if !known || !ok || perhaps || i > len(l.all) || i == len(l.all) && l.open || !e.step(len(l.all)/8) {
			l.open = true
			break
		}
		e.keep(l)
		l.all = append(slices.Clone(l.all[:i]), append([]value{v}, l.all[min(i+1, len(l.all)):]...)...)
		return
	case native:
		switch {
		case o.text == global && known:
			e.set(name, v)
			return
		case o.text == "module" || o.text == "exports" || o.text == "module.exports" || o.text == "process" && name == "exitCode" || o.text == "process.env":
		default: // a built-in is replaced, which changes what the rest means
			e.doubt(syntax.Reach)
		}
	case function:
		if c, ok := o.ref.(*closure); ok && known {
			if c.class == nil {
				c.class = newMembers(e.branch)
			}
			c.class.set(name, v)
			return
		}
	default:
	}
	e.escape(v)
}

// escape notes that a value goes where the program is not followed: functions
// may be called there, and objects changed.
func (e *evaluator) escape(v value) {
	if !e.enter() {
		return
	}
	defer e.leave()
	switch ref := v.ref.(type) {
	case *closure:
		if !ref.called {
			ref.called = true
			e.maybe(func() {
				e.invoke(ref, ref.this, make([]value, len(ref.node.Kid(0).Kids)))
				ref.called = true
			})
		}
	case *bound:
		if ref.method == "" {
			e.doubt(Dynamic)
			e.maybe(func() { e.call(ref.target, ref.this, ref.args) })
		}
	case *cell:
		if !ref.open {
			ref.open = true
			e.escapeAll(ref.all)
		}
	case *members:
		if !ref.open {
			ref.open = true
			for _, name := range ref.names {
				e.escape(ref.get(name))
			}
		}
	case []value:
		e.escapeAll(ref)
	}
	switch {
	case v.kind != native:
	case isTool(v.text):
		e.doubt(Dynamic)
	case v.text == "eval", v.text == "Function", strings.HasPrefix(v.text, "vm.run"), strings.HasPrefix(v.text, "child_process.exec"):
		e.call(v, value{kind: undefined}, []value{{}}) // with what nobody knows
	}
}

// enter counts a level of work and reports whether there may be another.
func (e *evaluator) enter() bool {
	if e.depth >= maxEvalDepth {
		e.doubt(syntax.Nesting)
		return false
	}
	if !e.step(1) {
		return false
	}
	e.depth++
	return true
}

func (e *evaluator) leave() { e.depth-- }

// key is the name of an entry, if it is known.
func (e *evaluator) key(k *syntax.Node) (string, bool) {
	if len(k.Kids) < 2 {
		return k.Text, true
	}
	return e.toText(e.expr(k.Kids[1])).whole()
}

// setMember gives a member of an object its value.
func (e *evaluator) setMember(target *syntax.Node, v value) {
	object := e.expr(target.Kid(0))
	name, known := target.Text, true
	if target.Op == syntax.OpIndex {
		name, known = e.toText(e.expr(target.Kid(1))).whole()
	}
	for _, o := range object.alternatives() {
		e.setOn(o, name, known, v, object.kind == either)
	}
}

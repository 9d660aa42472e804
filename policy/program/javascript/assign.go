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
		if v.kind == undefined || v.kind == unknown {
			v = oneOf(v, e.expr(target.Kid(1)))
			if v.kind == either && v.alternatives()[0].kind == undefined {
				v = oneOf(v.alternatives()[1:]...)
			}
		}
		e.assign(how, target.Kid(0), v)
	case syntax.OpObject:
		var taken []string
		for _, k := range target.Kids {
			if k.Op == syntax.OpSpread {
				e.assign(how, k.Kid(0), e.without(v, taken))
				continue
			}
			name, ok := e.key(k)
			if !ok {
				e.assign(how, k.Kid(0), e.anyMember(v))
				continue
			}
			taken = append(taken, name)
			e.assign(how, k.Kid(0), e.member(v, name))
		}
	case syntax.OpArray:
		for i, k := range target.Kids {
			if k.Op == syntax.OpSpread {
				e.assign(how, k.Kid(0), e.method(v, "slice", []value{numberValue(float64(i))}))
				continue
			}
			e.assign(how, k, e.member(v, syntax.NumberText(float64(i))))
		}
	case syntax.OpMember, syntax.OpIndex:
		e.setMember(target, v)
	case syntax.OpNone:
	default:
		e.doubt(syntax.Syntax)
	}
}

// key is the name of an entry, if it is known.
func (e *evaluator) key(k *syntax.Node) (string, bool) {
	if len(k.Kids) < 2 {
		return k.Text, true
	}
	v := e.toText(e.expr(k.Kids[1]))
	return v.text, v.kind == text && !v.partial
}

// setMember gives a member of an object its value.
func (e *evaluator) setMember(target *syntax.Node, v value) {
	object := e.expr(target.Kid(0))
	name, known := target.Text, true
	if target.Op == syntax.OpIndex {
		key := e.toText(e.expr(target.Kid(1)))
		name, known = key.text, key.kind == text && !key.partial
	}
	for _, o := range object.alternatives() {
		e.setOn(o, name, known, v, object.kind == either)
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
			e.escape(v)
			return
		}
		e.keepMember(m, name)
		if old, ok := m.by[name]; perhaps {
			if !ok {
				old.kind = undefined
			}
			v = oneOf(old, v)
		}
		m.set(name, v)
	case list:
		l := o.items()
		i, ok := index(name)
		switch {
		case known && ok && i < len(l.all) && !perhaps && e.step(len(l.all)/8):
			e.keepList(l)
			l.all = slices.Clone(l.all)
			l.all[i] = v
		case known && ok && i == len(l.all) && !perhaps && !l.open:
			e.keepList(l)
			l.all = append(l.all, v)
		default:
			l.open = true
			e.escape(v)
		}
	case native:
		switch {
		case o.text == global && known:
			e.set(name, v)
		case o.text == "module" || o.text == "exports" || o.text == "module.exports" || o.text == "process" && name == "exitCode" || o.text == "process.env":
			e.escape(v)
		default: // a built-in is replaced, which changes what the rest means
			e.doubt(syntax.Reach)
			e.escape(v)
		}
	case function:
		if c, ok := o.ref.(*closure); ok && known {
			if c.class == nil {
				c.class = newMembers(e.branch)
			}
			c.class.set(name, v)
			return
		}
		e.escape(v)
	default:
		e.escape(v)
	}
}

// escape notes that a value goes where the program is not followed: functions
// may be called there, and objects changed.
func (e *evaluator) escape(v value) {
	if !e.enter() {
		return
	}
	defer e.leave()
	switch v.kind {
	case function:
		switch f := v.ref.(type) {
		case *closure:
			if f.called {
				return
			}
			f.called = true
			e.maybe(func() {
				args := make([]value, len(f.node.Kid(0).Kids))
				e.invoke(f, f.this, args)
				f.called = true
			})
		case *bound:
			if f.method == "" {
				e.doubt(Dynamic)
				e.maybe(func() { e.call(f.target, f.this, f.args) })
			}
		}
	case native:
		switch {
		case isTool(v.text):
			e.doubt(Dynamic)
		case v.text == "eval", v.text == "Function", strings.HasPrefix(v.text, "vm.run"), strings.HasPrefix(v.text, "child_process.exec"):
			e.call(v, value{kind: undefined}, []value{{}}) // with what nobody knows
		}
	case list:
		if l := v.items(); !l.open {
			l.open = true
			for _, x := range l.all {
				e.escape(x)
			}
		}
	case record:
		if m := v.members(); !m.open {
			m.open = true
			for _, name := range m.names {
				e.escape(m.by[name])
			}
		}
	case either:
		for _, x := range v.alternatives() {
			e.escape(x)
		}
	case unknown, undefined, null, boolean, number, text, pattern:
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

package javascript

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

// assign gives a target its value: a name, a member, or a pattern of them, which is declared
// or looks like a value.
func (e *evaluator) assign(how string, target any, v value) {
	if !e.enter() {
		return
	}
	defer e.leave()
	switch t := target.(type) {
	case nil:
	case *js.Var:
		if how != "" {
			e.declare(how, syntax.Name(t.Data), v)
		} else {
			e.set(syntax.Name(t.Data), v)
		}
	case *js.GroupExpr:
		e.assign(how, t.X, v)
	case *js.BindingElement:
		e.assign(how, t.Binding, e.orElse(v, t.Default))
	case *js.BinaryExpr: // with a default
		e.assign(how, t.X, e.orElse(v, t.Y))
	case *js.BindingObject:
		var taken []string
		for i := range t.List {
			item := &t.List[i]
			if name, is := item.Value.Binding.(*js.Var); is && item.Key == nil {
				taken = append(taken, syntax.Name(name.Data))
				e.assign(how, &item.Value, e.member(v, syntax.Name(name.Data)))
			} else {
				taken = e.assignMember(how, item.Key, &item.Value, v, taken)
			}
		}
		if t.Rest != nil {
			e.assign(how, t.Rest, e.without(v, taken))
		}
	case *js.ObjectExpr:
		var taken []string
		for i := range t.List {
			switch p := &t.List[i]; {
			case p.Spread:
				e.assign(how, p.Value, e.without(v, taken))
			case p.Init != nil:
				taken = e.assignMember(how, p.Name, &js.BinaryExpr{Op: js.EqToken, X: p.Value, Y: p.Init}, v, taken)
			default:
				taken = e.assignMember(how, p.Name, p.Value, v, taken)
			}
		}
	case *js.BindingArray:
		for i := range t.List {
			e.assign(how, &t.List[i], e.member(v, syntax.NumberText(float64(i))))
		}
		if t.Rest != nil {
			e.assign(how, t.Rest, e.method(v, "slice", []value{numberValue(float64(len(t.List)))}))
		}
	case *js.ArrayExpr:
		for i, x := range t.List {
			if x.Spread {
				e.assign(how, x.Value, e.method(v, "slice", []value{numberValue(float64(i))}))
			} else {
				e.assign(how, x.Value, e.member(v, syntax.NumberText(float64(i))))
			}
		}
	case *js.DotExpr, *js.IndexExpr:
		e.setMember(t, v)
	default:
		e.doubt(syntax.Syntax)
	}
}

// assignMember gives a target a member of a value, and adds its name to those that were taken.
func (e *evaluator) assignMember(how string, key *js.PropertyName, target any, v value, taken []string) []string {
	name, known := e.key(key)
	if !known {
		e.assign(how, target, e.anyMember(v))
		return taken
	}
	e.assign(how, target, e.member(v, name))
	return append(taken, name)
}

// orElse is a value, or what it is where it is missing.
func (e *evaluator) orElse(v value, without js.IExpr) value {
	switch {
	case without == nil:
	case v.kind == undefined:
		return e.expr(without)
	case v.kind == unknown:
		return oneOf(v, e.expr(without))
	}
	return v
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
				e.invoke(ref, ref.this, make([]value, ref.parameters()))
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

// key is the name of a member, if it is known.
func (e *evaluator) key(name *js.PropertyName) (string, bool) {
	if name.Computed != nil {
		return e.toText(e.expr(name.Computed)).whole()
	}
	return syntax.Key(name.Literal), true
}

// setMember gives a member of an object its value.
func (e *evaluator) setMember(target any, v value) {
	var object value
	var name string
	known := true
	switch t := target.(type) {
	case *js.DotExpr:
		object, name = e.expr(t.X), syntax.Member(t)
	case *js.IndexExpr:
		object = e.expr(t.X)
		name, known = e.toText(e.expr(t.Y)).whole()
	default:
		return
	}
	for _, o := range object.alternatives() {
		e.setOn(o, name, known, v, object.kind == either)
	}
}

package rule

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/internal/celvalue"
)

// holds evaluates a condition. What is not there is equal to nothing: whatever is asked of it
// is false, and the negation of that true. So c.args[0] == "install" is false for a program
// without arguments, and c.args[0] != "install" is true.
func (n *node) holds(f *frame) answer {
	if !f.spend(1) {
		return tooMuch
	}
	switch n.op {
	case opConst:
		return n.answer
	case opAnd:
		return n.joined(f, no)
	case opOr:
		return n.joined(f, yes)
	case opNot:
		return n.kids[0].holds(f).not()
	default:
	}
	if a := n.asked(f); !a.isMissing() {
		return a
	}
	return no
}

// asked evaluates a condition that is not made of others by and, or and not.
func (n *node) asked(f *frame) answer {
	switch n.op {
	case opSome, opAll:
		return n.quantified(f)
	case opSize:
		return n.sized(f)
	case opIs, opHas, opTold:
		c, a := f.command(n.kids[0])
		switch {
		case a != yes:
			return a
		case n.op == opIs:
			return n.isOneOf(f, c)
		case n.op == opTold:
			return n.told(f, c)
		default:
			return n.has(f, c)
		}
	case opTouches, opAround, opCarries, opWithin:
		e, a := f.effect(n.kids[0])
		switch {
		case a != yes:
			return a
		case n.op == opWithin:
			return n.lies(f, e)
		default:
			return n.reaches(f, e)
		}
	case opKnows:
		v, a := n.subject(f)
		if a != yes || n.get == nil {
			return a
		}
		return answerOf(n.get(v).is == yes)
	case opEqual, opPrefix, opSuffix, opContains, opUnder, opGlob:
		return n.compared(f)
	case opIn:
		return n.isIn(f)
	case opMatches:
		return n.matched(f)
	default:
		v := n.eval(f)
		if is, ok := v.of.(types.Bool); ok && v.is == yes {
			return answerOf(bool(is))
		}
		if v.is == yes {
			return f.fail(errOtherType)
		}
		return f.whole(v)
	}
}

// joined is && and ||, of which one answer decides. The order in which its kids are
// evaluated does not matter: of several failures, it is the first in the source.
func (n *node) joined(f *frame, decides answer) answer {
	all, failed := decides.not(), 0 // failed is which kid failed, if all is a failure
	for late := range 2 {
		for i, kid := range n.kids {
			if n.mixed && kid.late != (late == 1) {
				continue
			}
			a := kid.holds(f)
			switch {
			case a == decides:
				return a
			case a.isFailed() && (!all.isFailed() || i < failed):
				if failed = i; !all.isUnknown() {
					all = a
				}
			default:
				all = merge(all, a, decides.not())
			}
		}
		if !n.mixed {
			break
		}
	}
	return all
}

// eval evaluates an expression of any type.
func (n *node) eval(f *frame) value {
	if n.op.isCondition() {
		return decided(n.holds(f))
	}
	if !f.spend(1) {
		return value{is: tooMuch}
	}
	switch n.op {
	case opText:
		return known(n.text)
	case opLocal:
		return f.locals[n.slot]
	default:
	}
	v := n.evaluated(f)
	if v.is.isMissing() && n.typ != nil && n.typ.Kind() == types.BoolKind {
		return truth(false)
	}
	return v
}

// evaluated is eval for what is no condition.
func (n *node) evaluated(f *frame) value {
	switch n.op {
	case opField, opGlobal:
		v, a := n.subject(f)
		if a != yes {
			return value{is: a}
		}
		return n.get(v)
	case opOfOne:
		return n.ofOne(f)
	case opSub:
		c, a := f.command(n.kids[0])
		if a != yes {
			return value{is: a}
		}
		return n.sub(f, c)
	case opFlag:
		c, a := f.command(n.kids[0])
		if a != yes {
			return value{is: a}
		}
		return n.flag(f, c)
	case opArea:
		return n.area(f)
	case opJoined:
		l, r := n.texts(f)
		if a := inOrder(f.whole(l), f.whole(r)); a != yes {
			return value{is: a}
		}
		if !f.spend((len(l.text) + len(r.text)) / 10) {
			return value{is: tooMuch}
		}
		return known(l.text + r.text)
	case opElement, opPresent:
		return n.element(f)
	case opHost:
		return n.host(f)
	case opCount:
		size, more, a := n.size(f)
		return value{is: merge(a, more, yes), of: types.Int(size)}
	case opSuspicious, opPast:
		return n.ofText(f)
	case opChoice:
		switch a := n.kids[0].holds(f); a {
		case yes:
			return n.kids[1].eval(f)
		case no:
			return n.kids[2].eval(f)
		default:
			return value{is: a}
		}
	default:
	}
	v, a := n.general(f)
	if a != yes {
		return value{is: a}
	}
	return f.fromCEL(v)
}

// general evaluates what is a value of CEL.
func (n *node) general(f *frame) (ref.Val, answer) {
	switch n.op {
	case opValue:
		return n.value, yes
	case opVariable:
		return f.variable(n)
	case opEnv:
		c, a := f.command(n.kids[0])
		if a != yes {
			return nil, a
		}
		all := yes
		for name := range variables(c) {
			all = merge(all, f.whole(f.variableOf(c, name)), yes)
		}
		return types.NewStringStringMap(celvalue.Adapter{}, variables(c)), all
	case opMap:
		return n.entries(f)
	case opCall:
		return n.call(f)
	default:
		return n.whole(f, false)
	}
}

// subject is the subject whose variables have a field.
func (n *node) subject(f *frame) (*view, answer) {
	if f.view == nil {
		return nil, unknownOf(anything)
	}
	if len(n.kids) > 0 {
		if v := n.kids[0].eval(f); v.is != yes {
			return nil, v.is
		}
	}
	return f.view, yes
}

package javascript

import (
	"math"
	"strings"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
)

func (e *evaluator) unary(n *syntax.Node) value {
	v := e.expr(n.Kid(0))
	switch n.Text {
	case "!":
		return e.each(v, func(v value) value {
			if yes, known := v.truth(); known {
				return boolValue(!yes)
			}
			return value{}
		})
	case "-", "+", "~":
		x, ok := toNumber(v)
		switch {
		case !ok:
			return value{}
		case n.Text == "-":
			return numberValue(-x)
		case n.Text == "~":
			return numberValue(float64(^toInt32(x)))
		}
		return numberValue(x)
	case "typeof":
		switch v.kind {
		case text:
			return textValue("string")
		case number, boolean:
			return textValue(v.kind.String())
		case list, record, null:
			return textValue("object")
		case function:
			return textValue("function")
		case undefined:
			return textValue("undefined")
		case unknown, native, pattern, either:
		}
	case "delete":
		e.setMember(n.Kid(0), value{kind: undefined})
		return value{}
	case "void":
		return value{kind: undefined}
	}
	return value{}
}

// String is what typeof says.
func (k kind) String() string {
	if k == boolean {
		return "boolean"
	}
	return "number"
}

func (e *evaluator) cond(n *syntax.Node) value {
	var a, b value
	condition := e.expr(n.Kid(0))
	yes, known := condition.truth()
	switch {
	case known && yes:
		return e.expr(n.Kid(1))
	case known:
		return e.expr(n.Kid(2))
	}
	e.fork(func() { a = e.expr(n.Kid(1)) }, func() { b = e.expr(n.Kid(2)) })
	return oneOf(a, b)
}

func (e *evaluator) binary(n *syntax.Node) value {
	switch n.Text {
	case "&&", "||", "??":
		return e.logic(n)
	case "+":
		return e.sum(n)
	}
	v := e.expr(n.Kids[0])
	for _, k := range n.Kids[1:] {
		v = e.operate(n.Text, v, e.expr(k))
	}
	return v
}

// sum adds a row of values. Texts that follow each other are joined in one go.
func (e *evaluator) sum(n *syntax.Node) value {
	v := e.expr(n.Kids[0])
	for i := 1; i < len(n.Kids); i++ {
		next := e.expr(n.Kids[i])
		if v.kind != text || next.kind != text {
			v = e.plus(v, next)
			continue
		}
		var b strings.Builder
		b.WriteString(v.text)
		for next.kind == text && b.Len()+len(next.text) <= MaxText {
			v.partial = v.partial || next.partial
			b.WriteString(next.text)
			if i++; i == len(n.Kids) {
				break
			}
			next = e.expr(n.Kids[i])
		}
		if v.text = b.String(); !e.room(len(v.text)) {
			return value{}
		}
		if i < len(n.Kids) { // one that is no text, or too much
			v = e.plus(v, next)
		}
	}
	return v
}

func (e *evaluator) logic(n *syntax.Node) value {
	v := e.expr(n.Kids[0])
	for _, k := range n.Kids[1:] {
		var yes, known bool
		if n.Text == "??" {
			yes = v.kind != null && v.kind != undefined
			known = v.kind != unknown && v.kind != either && (v.kind != native || isThere(v.text))
		} else {
			yes, known = v.truth()
		}
		goes := yes == (n.Text == "&&")
		switch {
		case known && goes:
			v = e.expr(k)
		case known:
		default:
			left := v
			e.maybe(func() { v = oneOf(left, e.expr(k)) })
		}
	}
	return v
}

// operate computes an operator that gives a number or a truth.
func (e *evaluator) operate(operator string, a, b value) value {
	switch operator {
	case "===", "==", "!==", "!=":
		if a.kind == b.kind && (a.kind == number || a.kind == boolean || a.kind == text && !a.partial && !b.partial) {
			same := a.num == b.num && a.text == b.text
			return boolValue(same == (operator[0] == '='))
		}
		return value{}
	case "in", "instanceof":
		return value{}
	}
	x, okx := toNumber(a)
	y, oky := toNumber(b)
	if !okx || !oky || a.kind == text && b.kind == text {
		return value{}
	}
	switch operator {
	case "-":
		return numberValue(x - y)
	case "*":
		return numberValue(x * y)
	case "/":
		return numberValue(x / y)
	case "%":
		return numberValue(math.Mod(x, y))
	case "**":
		return numberValue(math.Pow(x, y))
	case "<":
		return boolValue(x < y)
	case ">":
		return boolValue(x > y)
	case "<=":
		return boolValue(x <= y)
	case ">=":
		return boolValue(x >= y)
	}
	i, j := toInt32(x), toInt32(y)
	switch operator {
	case "&":
		return numberValue(float64(i & j))
	case "|":
		return numberValue(float64(i | j))
	case "^":
		return numberValue(float64(i ^ j))
	case "<<":
		return numberValue(float64(i << (uint32(j) & 31)))
	case ">>":
		return numberValue(float64(i >> (uint32(j) & 31)))
	case ">>>":
		return numberValue(float64(uint32(i) >> (uint32(j) & 31)))
	}
	return value{}
}

func toInt32(x float64) int32 {
	if x != x || math.IsInf(x, 0) {
		return 0
	}
	m := math.Mod(math.Trunc(x), 1<<32)
	return int32(uint32(int64(m)))
}

func (e *evaluator) assignment(n *syntax.Node) value {
	target := n.Kid(0)
	switch n.Text {
	case "=":
		v := e.expr(n.Kid(1))
		e.assign("", target, v)
		return v
	case "&&=", "||=", "??=":
		old := e.expr(target)
		e.maybe(func() { e.assign("", target, e.expr(n.Kid(1))) })
		return oneOf(old, e.expr(target))
	}
	old := e.expr(target)
	right := e.expr(n.Kid(1))
	var v value
	if n.Text == "+=" {
		v = e.plus(old, right)
	} else {
		v = e.operate(strings.TrimSuffix(n.Text, "="), old, right)
	}
	e.assign("", target, v)
	return v
}

func (e *evaluator) update(n *syntax.Node) value {
	v := e.expr(n.Kid(0))
	x, ok := toNumber(v)
	next := value{}
	if ok && n.Text == "++" {
		next = numberValue(x + 1)
	} else if ok {
		next = numberValue(x - 1)
	}
	e.assign("", n.Kid(0), next)
	if n.Optional { // ++x
		return next
	}
	return v
}

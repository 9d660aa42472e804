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
		if name := types[v.kind]; name != "" {
			return textValue(name)
		}
	case "delete":
		e.setMember(n.Kid(0), value{kind: undefined})
	case "void":
		return value{kind: undefined}
	}
	return value{}
}

func (e *evaluator) cond(n *syntax.Node) value {
	var out []value
	e.decide(e.expr(n.Kid(0)), func() { out = append(out, e.expr(n.Kid(1))) }, func() { out = append(out, e.expr(n.Kid(2))) })
	return oneOf(out...)
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
		if v.kind == text && next.kind == text {
			var b strings.Builder
			for b.WriteString(v.text); next.kind == text && b.Len()+len(next.text) <= MaxText; next = e.expr(n.Kids[i]) {
				v.partial = v.partial || next.partial
				b.WriteString(next.text)
				if i++; i == len(n.Kids) {
					break
				}
			}
			if v.text = b.String(); !e.room(len(v.text)) {
				return value{}
			}
			if i == len(n.Kids) {
				break
			}
		}
		v = e.plus(v, next) // one that is no text, or too much
	}
	return v
}

func (e *evaluator) logic(n *syntax.Node) value {
	v := e.expr(n.Kids[0])
	for _, k := range n.Kids[1:] {
		yes, known := v.truth()
		if n.Text == "??" {
			yes = v.kind != null && v.kind != undefined
			known = v.kind != unknown && v.kind != either && (v.kind != native || isThere(v.text))
		}
		switch left := v; {
		case !known:
			e.maybe(func() { v = oneOf(left, e.expr(k)) })
		case yes == (n.Text == "&&"):
			v = e.expr(k)
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
	}
	x, okx := toNumber(a)
	y, oky := toNumber(b)
	if !okx || !oky || a.kind == text && b.kind == text {
		return value{}
	}
	if f := arithmetic[operator]; f != nil {
		return numberValue(f(x, y))
	}
	if f := orders[operator]; f != nil {
		return boolValue(f(x, y))
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
	target, right := n.Kid(0), n.Kid(1)
	var v value
	switch n.Text {
	case "=":
		v = e.expr(right)
	case "&&=", "||=", "??=":
		old := e.expr(target)
		e.maybe(func() { e.assign("", target, e.expr(right)) })
		return oneOf(old, e.expr(target))
	case "+=":
		v = e.expr(target)
		v = e.plus(v, e.expr(right))
	default:
		v = e.expr(target)
		v = e.operate(strings.TrimSuffix(n.Text, "="), v, e.expr(right))
	}
	e.assign("", target, v)
	return v
}

// types are what typeof says.
var types = [...]string{text: "string", number: "number", boolean: "boolean", list: "object", record: "object", null: "object", function: "function", undefined: "undefined", either: ""}

// arithmetic are the operators that give a number, orders those that give a truth.
var (
	arithmetic = map[string]func(x, y float64) float64{
		"-": func(x, y float64) float64 { return x - y }, "*": func(x, y float64) float64 { return x * y }, "/": func(x, y float64) float64 { return x / y },
		"%": math.Mod, "**": math.Pow,
		"&": func(x, y float64) float64 { return float64(toInt32(x) & toInt32(y)) }, "|": func(x, y float64) float64 { return float64(toInt32(x) | toInt32(y)) }, "^": func(x, y float64) float64 { return float64(toInt32(x) ^ toInt32(y)) },
		"<<":  func(x, y float64) float64 { return float64(toInt32(x) << (uint32(toInt32(y)) & 31)) },
		">>":  func(x, y float64) float64 { return float64(toInt32(x) >> (uint32(toInt32(y)) & 31)) },
		">>>": func(x, y float64) float64 { return float64(uint32(toInt32(x)) >> (uint32(toInt32(y)) & 31)) },
	}
	orders = map[string]func(x, y float64) bool{
		"<": func(x, y float64) bool { return x < y }, ">": func(x, y float64) bool { return x > y }, "<=": func(x, y float64) bool { return x <= y }, ">=": func(x, y float64) bool { return x >= y },
	}
)

func (e *evaluator) update(n *syntax.Node) value {
	v := e.expr(n.Kid(0))
	next := value{}
	if x, ok := toNumber(v); ok && n.Text == "++" {
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

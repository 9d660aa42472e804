package javascript

import (
	"math"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

func (e *evaluator) unary(x *js.UnaryExpr) value {
	v := e.expr(x.X)
	switch x.Op {
	case js.NotToken:
		return e.each(v, func(v value) value {
			if yes, known := v.truth(); known {
				return boolValue(!yes)
			}
			return value{}
		})
	case js.NegToken, js.PosToken, js.BitNotToken:
		n, ok := toNumber(v)
		switch {
		case !ok:
			return value{}
		case x.Op == js.NegToken:
			return numberValue(-n)
		case x.Op == js.BitNotToken:
			return numberValue(float64(^toInt32(n)))
		}
		return numberValue(n)
	case js.TypeofToken:
		if name := types[v.kind]; name != "" {
			return textValue(name)
		}
	case js.DeleteToken:
		e.setMember(x.X, value{kind: undefined})
	case js.VoidToken:
		return value{kind: undefined}
	case js.AwaitToken:
		e.pause()
		return v
	case js.PreIncrToken, js.PostIncrToken, js.PreDecrToken, js.PostDecrToken:
		next, by := value{}, 1.0
		if x.Op == js.PreDecrToken || x.Op == js.PostDecrToken {
			by = -1
		}
		if n, ok := toNumber(v); ok {
			next = numberValue(n + by)
		}
		e.assign("", x.X, next)
		if x.Op == js.PreIncrToken || x.Op == js.PreDecrToken {
			return next
		}
		return v
	default:
	}
	return value{}
}

// binary computes an operator. A row of the same operator is one, so that a long sum is not
// deep.
func (e *evaluator) binary(x *js.BinaryExpr) value {
	operator := x.Op.String()
	if x.Op == js.EqToken || strings.HasSuffix(operator, "=") && orders[operator] == nil && !strings.HasSuffix(operator, "==") && operator != "!=" {
		return e.assignment(operator, x.X, x.Y)
	}
	row := []js.IExpr{x.Y}
	var first = x.X
	for b, is := first.(*js.BinaryExpr); is && b.Op == x.Op && x.Op != js.ExpToken; b, is = first.(*js.BinaryExpr) {
		row, first = append(row, b.Y), b.X
	}
	row = append(row, first)
	slices.Reverse(row)
	switch operator {
	case "&&", "||", "??":
		return e.logic(operator, row)
	case "+":
		return e.sum(row)
	}
	v := e.expr(row[0])
	for _, k := range row[1:] {
		v = e.operate(operator, v, e.expr(k))
	}
	return v
}

// sum adds a row of values. Texts that follow each other are joined in one go.
func (e *evaluator) sum(row []js.IExpr) value {
	v := e.expr(row[0])
	for i := 1; i < len(row); i++ {
		next := e.expr(row[i])
		if v.kind == text && next.kind == text {
			var b strings.Builder
			for b.WriteString(v.text); next.kind == text && b.Len()+len(next.text) <= MaxText; next = e.expr(row[i]) {
				v.partial = v.partial || next.partial
				b.WriteString(next.text)
				if i++; i == len(row) {
					break
				}
			}
			if v.text = b.String(); !e.room(len(v.text)) {
				return value{}
			}
			if i == len(row) {
				break
			}
		}
		v = e.plus(v, next) // one that is no text, or too much
	}
	return v
}

func (e *evaluator) logic(operator string, row []js.IExpr) value {
	v := e.expr(row[0])
	for _, k := range row[1:] {
		yes, known := v.truth()
		if operator == "??" {
			yes = v.kind != null && v.kind != undefined
			known = v.kind != unknown && v.kind != either && (v.kind != native || isThere(v.text))
		}
		switch left := v; {
		case !known:
			e.maybe(func() { v = oneOf(left, e.expr(k)) })
		case yes == (operator == "&&"):
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

func (e *evaluator) assignment(operator string, target, right js.IExpr) value {
	var v value
	switch operator {
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
		v = e.operate(strings.TrimSuffix(operator, "="), v, e.expr(right))
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

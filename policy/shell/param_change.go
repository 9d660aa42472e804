package shell

import (
	"regexp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// withText is a value of which only is known what it was made from.
func withText(v invocation.Value, written string) invocation.Value {
	made := invocation.Open(written)
	made.Taint(&v)
	return made
}

// matchSteps is what it costs for each byte.
const matchSteps = 10

// trimmed removes what a pattern matches at the beginning or the end.
func (r *reader) trimmed(op syntax.ParExpOperator, v invocation.Value, pat, written string) invocation.Value {
	mode := pattern.Mode(0)
	if op == syntax.RemSmallPrefix || op == syntax.RemSmallSuffix {
		mode = pattern.Shortest
	}
	expr, err := pattern.Regexp(pat, mode)
	if err != nil || len(pat) > 256 || !r.Pay(invocation.CompileSteps) {
		return withText(v, written)
	}
	switch op {
	case syntax.RemSmallSuffix: // what matches as late as possible
		expr = "(?s)^.*(" + expr + ")$"
	case syntax.RemLargeSuffix:
		expr = "(?s)(" + expr + ")$"
	default:
		expr = "(?s)^(" + expr + ")"
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return withText(v, written)
	}
	return v.Each(func(s string) string {
		if len(s) > follow.MostMatched || !r.Pay(matchSteps*len(s)) {
			return s
		}
		if at := re.FindStringSubmatchIndex(s); at != nil {
			return s[:at[2]] + s[at[3]:]
		}
		return s
	})
}

// replaced is ${x/a/b}.
func (r *reader) replaced(p *syntax.Replace, v invocation.Value, written string) invocation.Value {
	orig, with := r.value(p.Orig), invocation.Literal("")
	if p.With != nil {
		with = r.value(p.With)
	}
	from, ok := orig.Known()
	to, okTo := with.Known()
	if !ok || !okTo || from == "" {
		return withText(v, written)
	}
	if strings.ContainsAny(from, "*?[") {
		expr, err := pattern.Regexp(from, 0)
		if err != nil || len(from) > 256 || !r.Pay(invocation.CompileSteps) {
			return withText(v, written)
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return withText(v, written)
		}
		return v.Each(func(s string) string {
			if len(s) > follow.MostMatched || !r.Pay(matchSteps*len(s)) {
				return s
			}
			if p.All {
				return re.ReplaceAllLiteralString(s, to)
			}
			if at := re.FindStringIndex(s); at != nil {
				return s[:at[0]] + to + s[at[1]:]
			}
			return s
		})
	}
	n := 1
	if p.All {
		n = -1
	}
	return v.Each(func(s string) string {
		if len(s)*(1+len(to)) > invocation.MostKnown || !r.Pay(len(s)/16) {
			return s
		}
		return strings.Replace(s, from, to, n)
	})
}

// sliced is ${x:1:2}.
func (r *reader) sliced(p *syntax.Slice, v invocation.Value, written string) invocation.Value {
	if _, ok := v.Known(); !ok && len(v.Texts) == 1 {
		return withText(v, written)
	}
	from, n, ok := r.slice(p, invocation.MostKnown)
	if !ok {
		return withText(v, written)
	}
	return v.Each(func(s string) string {
		at := from
		if at < 0 {
			at = max(len(s)+at, 0)
		}
		at = min(at, len(s))
		end := at + n
		if n < 0 {
			end = max(len(s)+n, at)
		}
		return s[at:min(end, len(s))]
	})
}

// slice is the offset and length of a slice.
func (r *reader) slice(p *syntax.Slice, all int) (from, n int, ok bool) {
	n = all
	s, ok := r.number(p.Offset)
	if !ok {
		r.arithmetic(p.Offset)
		return 0, 0, false
	}
	from, err := strconv.Atoi(s)
	if err != nil {
		return 0, 0, false
	}
	if p.Length != nil {
		if s, ok = r.number(p.Length); !ok {
			return 0, 0, false
		}
		if n, err = strconv.Atoi(s); err != nil {
			return 0, 0, false
		}
	}
	return from, n, true
}

// number evaluates arithmetic of numbers and known variables.
func (r *reader) number(x syntax.ArithmExpr) (string, bool) {
	n, ok := r.integer(x, 0)
	return strconv.Itoa(n), ok
}

func (r *reader) integer(x syntax.ArithmExpr, depth int) (int, bool) {
	if depth > 16 {
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.Word:
		v := r.value(x)
		s, ok := v.Known()
		if !ok {
			return 0, false
		}
		n, err := strconv.ParseInt(s, 0, 32)
		if err != nil {
			if named, set := r.Scope.Vars[s]; set {
				if s, ok := named.Known(); ok {
					n, err = strconv.ParseInt(s, 0, 32)
				}
			}
		}
		return int(n), err == nil
	case *syntax.ParenArithm:
		return r.integer(x.X, depth+1)
	case *syntax.UnaryArithm:
		n, ok := r.integer(x.X, depth+1)
		switch x.Op {
		case syntax.Minus:
			return -n, ok
		case syntax.Plus:
			return n, ok
		default:
		}
	case *syntax.BinaryArithm:
		a, okA := r.integer(x.X, depth+1)
		b, okB := r.integer(x.Y, depth+1)
		if !okA || !okB {
			return 0, false
		}
		switch x.Op {
		case syntax.Add:
			return a + b, true
		case syntax.Sub:
			return a - b, true
		case syntax.Mul:
			return a * b, true
		case syntax.Quo:
			if b != 0 {
				return a / b, true
			}
		case syntax.Rem:
			if b != 0 {
				return a % b, true
			}
		default:
		}
	}
	return 0, false
}

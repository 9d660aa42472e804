package shell

import (
	"regexp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

// isListName reports whether an expansion is one of a list: $@, ${a[@]}.
func isListName(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Length || p.Excl {
		return false
	}
	if p.Param.Value == "@" || p.Param.Value == "*" {
		return true
	}
	return wholeArray(p)
}

func wholeArray(p *syntax.ParamExp) bool {
	if w, ok := p.Index.(*syntax.Word); ok {
		lit := w.Lit()
		return lit == "@" || lit == "*"
	}
	return false
}

// list is the elements of a list expansion, if p is one of a list that is known.
func (r *reader) list(part syntax.WordPart) ([]value, bool) {
	p, ok := part.(*syntax.ParamExp)
	if !ok || !isListName(p) || p.Exp != nil || p.Repl != nil {
		return nil, false
	}
	elements := r.scope.params
	if p.Param.Value != "@" && p.Param.Value != "*" {
		elements, ok = r.scope.arrays[p.Param.Value]
		if !ok {
			if v, set := r.scope.vars[p.Param.Value]; set {
				elements, ok = []value{v}, true
			}
		}
	} else {
		ok = elements != nil
	}
	if !ok {
		return nil, false
	}
	if p.Slice != nil {
		from, n, known := r.slice(p.Slice, len(elements)+1)
		if !known {
			return nil, false
		}
		if p.Param.Value == "@" || p.Param.Value == "*" {
			from = max(from-1, 0)
		}
		from = min(from, len(elements))
		elements = elements[from:min(from+n, len(elements))]
	}
	return elements, true
}

// parameters is $@ or $* as one value.
func (r *reader) parameters(written string) value {
	if r.scope.params == nil {
		return open(written)
	}
	v := value{}
	for i := range r.scope.params {
		v.texts = append(v.texts, r.scope.params[i].texts...)
		v.taint(&r.scope.params[i])
	}
	if len(v.texts) > mostTexts {
		v.texts = v.texts[:mostTexts]
		r.mark(Variable)
	}
	if len(v.texts) == 0 {
		v.texts = []text{{}}
	}
	return v
}

// parameter is the value of $x or ${x...}.
func (r *reader) parameter(p *syntax.ParamExp) value {
	written := r.written(p)
	switch {
	case p.Param == nil || p.NestedParam != nil || p.Flags != nil:
		r.substitutions2(p)
		return open(written)
	case p.Length || p.IsSet || p.Width:
		return firm(written)
	case p.Names != 0:
		return open(written)
	}
	if p.Index != nil {
		r.substitutions(p.Index)
	}
	v, set := r.lookup(p, written)
	if p.Excl {
		name, ok := v.known()
		if !ok || !set {
			return r.named(&v, written)
		}
		if v, set = r.variable(name, written); !set {
			return open(written)
		}
	}
	if p.Slice != nil || p.Repl != nil || p.Exp != nil {
		v = r.spelled(v)
	}
	switch {
	case p.Slice != nil:
		cut := r.sliced(p.Slice, v, written)
		if _, n, ok := r.slice(p.Slice, mostKnown); ok && n >= 0 && n <= mostGlimpse {
			cut.shows = nil
		}
		return cut
	case p.Repl != nil:
		return r.replaced(p.Repl, v, written)
	case p.Exp != nil:
		return r.expanded(p, v, set, written)
	}
	return v
}

// spelled writes the home directory out, for those who take it apart. Where it
// is not known, it is one like those of most people.
func (r *reader) spelled(v value) value {
	if len(v.texts) != 1 || v.texts[0].as != "$HOME" && v.texts[0].as != "$PWD" {
		return v
	}
	home := r.scope.at.Home
	if v.texts[0].as == "$PWD" {
		if home = r.scope.at.Cwd; home == "" || unknown(home) {
			home = "/home/user/work/projects/project"
		}
	}
	if home == "" {
		home = "/home/user"
	}
	v.texts = literal(home).texts
	return v
}

// substitutions2 runs the commands in an expansion that is not followed.
func (r *reader) substitutions2(p *syntax.ParamExp) {
	for _, part := range []syntax.WordPart{p.NestedParam} {
		if part != nil {
			r.substitutions(part)
		}
	}
	if p.Exp != nil && p.Exp.Word != nil {
		r.value(p.Exp.Word)
	}
}

// lookup is the value of the named parameter or array element.
func (r *reader) lookup(p *syntax.ParamExp, written string) (value, bool) {
	name := p.Param.Value
	if elements, ok := r.scope.arrays[name]; ok && (p.Index != nil || r.scope.vars[name].texts == nil) {
		if wholeArray(p) {
			v := literal("")
			for i := range elements {
				if i > 0 {
					v = r.append(v, literal(" "))
				}
				v = r.append(v, elements[i])
			}
			return v, true
		}
		index := 0
		if p.Index != nil {
			s, ok := r.number(p.Index)
			n, err := strconv.Atoi(s)
			if !ok || err != nil {
				v := value{}
				for i := range elements {
					v.texts = append(v.texts, elements[i].texts...)
				}
				if len(v.texts) == 0 || len(v.texts) > mostTexts {
					return open(written), false
				}
				return v, true
			}
			if index = n; index < 0 {
				index += len(elements)
			}
		}
		if index < 0 || index >= len(elements) {
			return literal(""), true
		}
		return elements[index], true
	}
	return r.variable(name, written)
}

// variable is the value of a variable, and whether something is known of it.
func (r *reader) variable(name, written string) (value, bool) {
	if of, ok := r.scope.refs[name]; ok {
		name = of
	}
	if v, ok := r.scope.vars[name]; ok {
		return v, true
	}
	if v, ok := r.from.env[name]; ok {
		return literal(v), true
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 {
		switch {
		case r.scope.params == nil:
			return open(written), false
		case n <= len(r.scope.params):
			return r.scope.params[n-1], true
		default:
			return literal(""), true
		}
	}
	switch name {
	case "IFS":
		return literal(" \t\n"), true
	case "HOME", "PWD":
		return firm("$" + name), true
	case "TMPDIR", "TMP", "TEMP":
		return literal("/tmp"), true
	case "SHELL", "BASH", "ZSH_NAME":
		return literal("/bin/bash"), true
	case "0", "BASH_SOURCE":
		if written != "$0" && written != "${0}" {
			return firm(written), true
		}
		return literal("bash"), true
	case "@", "*":
		return r.parameters(written), r.scope.params != nil
	case "USER", "LOGNAME", "UID", "EUID", "PPID", "RANDOM", "HOSTNAME", "PATH", "$", "!", "?", "#", "-", "SECONDS", "LINENO", "EPOCHSECONDS", "_":
		return firm(written), true
	}
	v := open(written)
	if isSecretName(name) {
		v.sources = []string{"$" + name}
	}
	if isCredentialName(name) {
		v.shows = []string{"$" + name}
	}
	return v, false
}

// expanded is ${x:-word}, ${x#pattern} and the like.
func (r *reader) expanded(p *syntax.ParamExp, v value, set bool, written string) value {
	word := value{texts: []text{{}}}
	if p.Exp.Word != nil {
		word = r.value(p.Exp.Word)
	}
	_, known := v.known()
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if s, ok := v.known(); ok && set && s != "" {
			if r.isAssumed(p.Param.Value) { // nobody has said that it is set
				return v.or(word)
			}
			return v
		}
		other := word
		if !known || set {
			other = word.or(firm(written))
			if s, ok := v.known(); ok && s == "" {
				other = word
			}
			other.taint(&v)
		} else if len(word.texts) > 0 {
			other = word.or(firm(written))
		}
		if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
			r.scope.set(p.Param.Value, other)
		}
		return other
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return word.or(literal(""))
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if known || set && len(v.texts) == 1 && v.texts[0].as == v.texts[0].bare {
			return v
		}
		return value{texts: []text{{written, written}}, sources: v.sources, shows: v.shows, remote: v.remote, hidden: v.hidden}
	default:
	}
	with, ok := word.known()
	if !set || !ok {
		return withText(v, written)
	}
	switch p.Exp.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return r.trimmed(p.Exp.Op, v, with, written)
	case syntax.UpperFirst:
		return v.each(func(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] })
	case syntax.UpperAll:
		return v.each(strings.ToUpper)
	case syntax.LowerFirst:
		return v.each(func(s string) string { return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):] })
	case syntax.LowerAll:
		return v.each(strings.ToLower)
	default:
	}
	return withText(v, written)
}

// isAssumed reports whether a variable has the value that it mostly has, without
// anything in the text that sets it.
func (r *reader) isAssumed(name string) bool {
	switch name {
	case "TMPDIR", "TMP", "TEMP", "SHELL":
		_, set := r.scope.vars[name]
		_, given := r.from.env[name]
		return !set && !given
	}
	return false
}

// withText is a value of which only is known what it was made from.
func withText(v value, written string) value {
	made := open(written)
	made.taint(&v)
	return made
}

// mostMatched is the longest text that is matched with a pattern.
const mostMatched = 4096

// matchSteps is what it costs for each byte.
const matchSteps = 10

// trimmed removes what a pattern matches at the beginning or the end.
func (r *reader) trimmed(op syntax.ParExpOperator, v value, pat, written string) value {
	mode := pattern.Mode(0)
	if op == syntax.RemSmallPrefix || op == syntax.RemSmallSuffix {
		mode = pattern.Shortest
	}
	expr, err := pattern.Regexp(pat, mode)
	if err != nil || len(pat) > 256 || !r.pay(compileSteps) {
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
	return v.each(func(s string) string {
		if len(s) > mostMatched || !r.pay(matchSteps*len(s)) {
			return s
		}
		if at := re.FindStringSubmatchIndex(s); at != nil {
			return s[:at[2]] + s[at[3]:]
		}
		return s
	})
}

// replaced is ${x/a/b}.
func (r *reader) replaced(p *syntax.Replace, v value, written string) value {
	orig, with := r.value(p.Orig), literal("")
	if p.With != nil {
		with = r.value(p.With)
	}
	from, ok := orig.known()
	to, okTo := with.known()
	if !ok || !okTo || from == "" {
		return withText(v, written)
	}
	if strings.ContainsAny(from, "*?[") {
		expr, err := pattern.Regexp(from, 0)
		if err != nil || len(from) > 256 || !r.pay(compileSteps) {
			return withText(v, written)
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return withText(v, written)
		}
		return v.each(func(s string) string {
			if len(s) > mostMatched || !r.pay(matchSteps*len(s)) {
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
	return v.each(func(s string) string {
		if len(s)*(1+len(to)) > mostKnown || !r.pay(len(s)/16) {
			return s
		}
		return strings.Replace(s, from, to, n)
	})
}

// sliced is ${x:1:2}.
func (r *reader) sliced(p *syntax.Slice, v value, written string) value {
	if _, ok := v.known(); !ok && len(v.texts) == 1 {
		return withText(v, written)
	}
	from, n, ok := r.slice(p, mostKnown)
	if !ok {
		return withText(v, written)
	}
	return v.each(func(s string) string {
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
		s, ok := v.known()
		if !ok {
			return 0, false
		}
		n, err := strconv.ParseInt(s, 0, 32)
		if err != nil {
			if named, set := r.scope.vars[s]; set {
				if s, ok := named.known(); ok {
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

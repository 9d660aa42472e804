package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
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
func (r *reader) list(part syntax.WordPart) ([]invocation.Value, bool) {
	p, ok := part.(*syntax.ParamExp)
	if !ok || !isListName(p) || p.Exp != nil || p.Repl != nil {
		return nil, false
	}
	elements := r.Scope.Params
	if p.Param.Value != "@" && p.Param.Value != "*" {
		elements, ok = r.Scope.Arrays[p.Param.Value]
		if !ok {
			if v, set := r.Scope.Vars[p.Param.Value]; set {
				elements, ok = []invocation.Value{v}, true
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
func (r *reader) parameters(written string) invocation.Value {
	if r.Scope.Params == nil {
		return invocation.Open(written)
	}
	v := invocation.Value{}
	for i := range r.Scope.Params {
		v.Texts = append(v.Texts, r.Scope.Params[i].Texts...)
		v.Taint(&r.Scope.Params[i])
	}
	if len(v.Texts) > invocation.MostTexts {
		v.Texts = v.Texts[:invocation.MostTexts]
		r.Mark(invocation.Variable)
	}
	if len(v.Texts) == 0 {
		v.Texts = []invocation.Text{{}}
	}
	return v
}

// parameter is the value of $x or ${x...}.
func (r *reader) parameter(p *syntax.ParamExp) invocation.Value {
	written := r.written(p)
	switch {
	case p.Param == nil || p.NestedParam != nil || p.Flags != nil:
		r.substitutions2(p)
		return invocation.Open(written)
	case p.Length || p.IsSet || p.Width:
		return follow.Firm(written)
	case p.Names != 0:
		return invocation.Open(written)
	}
	if p.Index != nil {
		r.arithmetic(p.Index)
	}
	v, set := r.lookup(p, written)
	if p.Excl {
		name, ok := v.Known()
		if !ok || !set {
			return output.Named(&v, written)
		}
		if v, set = r.variable(name, "$"+name); !set {
			return v // of which the name may say what it holds
		}
	}
	if r.isParent(p, &v) {
		return invocation.Literal("..")
	}
	if p.Slice != nil || p.Repl != nil || p.Exp != nil {
		v = r.spelled(v)
	}
	switch {
	case p.Slice != nil:
		cut := r.sliced(p.Slice, v, written)
		if _, n, ok := r.slice(p.Slice, invocation.MostKnown); ok && n >= 0 && n <= output.MostGlimpse {
			cut.Shows = nil
		}
		return cut
	case p.Repl != nil:
		changed := r.replaced(p.Repl, v, written)
		changed.TaintAbout(&v)
		return changed
	case p.Exp != nil:
		changed := r.expanded(p, v, set, written)
		changed.TaintAbout(&v)
		return changed
	}
	return v
}

// spelled writes the home directory out, for those who take it apart. Where it
// is not known, it is one like those of most people.
func (r *reader) spelled(v invocation.Value) invocation.Value {
	if len(v.Texts) != 1 || v.Texts[0].As != "$HOME" && v.Texts[0].As != "$PWD" {
		return v
	}
	home := r.Scope.At.Home
	if v.Texts[0].As == "$PWD" {
		if home = r.Scope.At.Cwd; home == "" || invocation.Unknown(home) {
			home = "/home/user/work/projects/project"
		}
	}
	if home == "" {
		home = "/home/user"
	}
	v.Texts = invocation.Literal(home).Texts
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
func (r *reader) lookup(p *syntax.ParamExp, written string) (invocation.Value, bool) {
	name := p.Param.Value
	if elements, ok := r.Scope.Arrays[name]; ok && (p.Index != nil || r.Scope.Vars[name].Texts == nil) {
		if wholeArray(p) {
			v := invocation.Literal("")
			for i := range elements {
				if i > 0 {
					v = r.append(v, invocation.Literal(" "))
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
				v := invocation.Value{}
				for i := range elements {
					v.Texts = append(v.Texts, elements[i].Texts...)
				}
				if len(v.Texts) == 0 || len(v.Texts) > invocation.MostTexts {
					return invocation.Open(written), false
				}
				return v, true
			}
			if index = n; index < 0 {
				index += len(elements)
			}
		}
		if index < 0 || index >= len(elements) {
			return invocation.Literal(""), true
		}
		return elements[index], true
	}
	return r.variable(name, written)
}

// variable is the value of a variable, and whether something is known of it.
func (r *reader) variable(name, written string) (invocation.Value, bool) {
	if of, ok := r.Scope.Refs[name]; ok {
		name, written = of, "$"+of
	}
	if v, ok := r.Scope.Vars[name]; ok {
		return v, true
	}
	if v, ok := r.From.Env[name]; ok {
		return invocation.Literal(v), true
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 {
		switch {
		case r.Scope.Params == nil:
			return invocation.Open(written), false
		case n <= len(r.Scope.Params):
			return r.Scope.Params[n-1], true
		default:
			return invocation.Literal(""), true
		}
	}
	switch name {
	case "IFS":
		return invocation.Literal(" \t\n"), true
	case "PWD":
		if cwd := r.Scope.At.Cwd; cwd != "" && !invocation.Unknown(cwd) && effect.IsAbs(cwd) {
			return invocation.Literal(cwd), true // as $(pwd) is
		}
		return follow.Firm("$PWD"), true
	case "HOME":
		return follow.Firm("$HOME"), true
	case "TMPDIR", "TMP", "TEMP":
		return invocation.Literal("/tmp"), true
	case "SHELL", "BASH", "ZSH_NAME":
		return invocation.Literal("/bin/bash"), true
	case "0", "BASH_SOURCE":
		if written != "$0" && written != "${0}" {
			return follow.Firm(written), true
		}
		return invocation.Literal("bash"), true
	case "@", "*":
		return r.parameters(written), r.Scope.Params != nil
	case "USER", "LOGNAME", "UID", "EUID", "PPID", "RANDOM", "HOSTNAME", "PATH", "$", "!", "?", "#", "-", "SECONDS", "LINENO", "EPOCHSECONDS", "_":
		return follow.Firm(written), true
	}
	v := invocation.Open(written)
	if guard.IsGuardVariable(name) {
		v.About = invocation.GuardName // whoever takes its port from there looks for the guard
	}
	if invocation.IsSecretOf(name) {
		v.Sources = []string{"$" + name}
	}
	if guard.IsCredentialName(name) {
		v.Shows = []string{"$" + name}
	} else if len(r.Sourced) > 0 && invocation.IsConnectionName(name) {
		v.Shows = r.Sourced
	}
	return v, false
}

// expanded is ${x:-word}, ${x#pattern} and the like.
func (r *reader) expanded(p *syntax.ParamExp, v invocation.Value, set bool, written string) invocation.Value {
	word := invocation.Value{Texts: []invocation.Text{{}}}
	if p.Exp.Word != nil {
		word = r.value(p.Exp.Word)
	}
	_, known := v.Known()
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if s, ok := v.Known(); ok && set && s != "" {
			if r.isAssumed(p.Param.Value) { // nobody has said that it is set
				return v.Or(word)
			}
			return v
		}
		other := word
		if !known || set {
			other = word.Or(follow.Firm(written))
			if s, ok := v.Known(); ok && s == "" {
				other = word
			}
			other.Taint(&v)
		} else if len(word.Texts) > 0 {
			other = word.Or(follow.Firm(written))
		}
		if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
			r.Scope.Set(p.Param.Value, other)
		}
		return other
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return word.Or(invocation.Literal(""))
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if known || set && len(v.Texts) == 1 && v.Texts[0].As == v.Texts[0].Bare {
			return v
		}
		return invocation.Value{Texts: []invocation.Text{{As: written, Bare: written}}, Sources: v.Sources, Shows: v.Shows, Remote: v.Remote, Hidden: v.Hidden}
	default:
	}
	with, ok := word.Known()
	if !set || !ok {
		return withText(v, written)
	}
	switch p.Exp.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return r.trimmed(p.Exp.Op, v, with, written)
	case syntax.UpperFirst:
		return v.Each(func(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] })
	case syntax.UpperAll:
		return v.Each(strings.ToUpper)
	case syntax.LowerFirst:
		return v.Each(func(s string) string { return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):] })
	case syntax.LowerAll:
		return v.Each(strings.ToLower)
	case syntax.OtherParamOps:
		if with == "P" {
			for _, t := range v.Texts {
				r.again(t.As)
			}
		}
	default:
	}
	return withText(v, written)
}

// isAssumed reports whether a variable has the value that it mostly has, without
// anything in the text that sets it.
func (r *reader) isAssumed(name string) bool {
	switch name {
	case "TMPDIR", "TMP", "TEMP", "SHELL":
		_, set := r.Scope.Vars[name]
		_, given := r.From.Env[name]
		return !set && !given
	}
	return false
}

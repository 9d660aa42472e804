package shell

import (
	"strconv"
	"strings"

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
		r.arithmetic(p.Index)
	}
	v, set := r.lookup(p, written)
	if p.Excl {
		name, ok := v.known()
		if !ok || !set {
			return r.named(&v, written)
		}
		if v, set = r.variable(name, "$"+name); !set {
			return v // of which the name may say what it holds
		}
	}
	if r.isParent(p, &v) {
		return literal("..")
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
		changed := r.replaced(p.Repl, v, written)
		changed.taintAbout(&v)
		return changed
	case p.Exp != nil:
		changed := r.expanded(p, v, set, written)
		changed.taintAbout(&v)
		return changed
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
		name, written = of, "$"+of
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
	if isGuardVariable(name) {
		v.about = guardName // whoever takes its port from there looks for the guard
	}
	if isSecretName(name) {
		v.sources = []string{"$" + name}
	}
	if isCredentialName(name) {
		v.shows = []string{"$" + name}
	} else if len(r.sourced) > 0 && isConnectionName(name) {
		v.shows = r.sourced
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
	case syntax.OtherParamOps:
		if with == "P" {
			for _, t := range v.texts {
				r.again(t.as)
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
		_, set := r.scope.vars[name]
		_, given := r.from.env[name]
		return !set && !given
	}
	return false
}

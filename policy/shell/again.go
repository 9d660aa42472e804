package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// again runs the commands in a text that the shell expands a second time: in
// ${x@P}, in what a variable holds that arithmetic looks into, in compgen -W.
func (r *reader) again(text string) {
	if !strings.Contains(text, "$(") && !strings.Contains(text, "`") && !strings.Contains(text, "${") {
		return
	}
	if strings.Contains(text, againEnds) {
		r.mark(Eval)
		return
	}
	r.inner(": <<"+againEnds+"\n"+text+"\n"+againEnds+"\n", r.from, flow{})
}

// againEnds ends the document that such a text is read as: in one, quotes mean
// nothing and expansions what they mean elsewhere.
const againEnds = "SLUICE_END"

// mostAgain is how many variables that name each other are followed.
const mostAgain = 4

// evaluated is a value that arithmetic takes for an expression: of names it asks
// what they hold, and in subscripts it runs what is to be run.
func (r *reader) evaluated(v *value, depth int) {
	if r.full {
		return
	}
	for _, t := range v.texts {
		if at := strings.IndexByte(t.as, '['); at > 0 && (strings.Contains(t.as[at:], "$(") || strings.Contains(t.as[at:], "`")) {
			r.again(t.as)
			continue
		}
		if depth >= mostAgain || len(r.scope.vars) == 0 || len(t.as) > mostMatched {
			continue
		}
		for name := range strings.FieldsFuncSeq(t.as, func(c rune) bool { return c >= 0x80 || !isNameByte(byte(c)) }) {
			if held, ok := r.scope.vars[name]; ok && r.pay(stepCost+len(held.texts[0].as)) {
				r.evaluated(&held, depth+1)
			}
		}
	}
}

// arithmetic runs the commands in an expression, and in what its variables hold.
func (r *reader) arithmetic(n syntax.Node) {
	if n == nil {
		return
	}
	r.substitutions(n)
	syntax.Walk(n, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok {
			if text, plain := plain(w); plain {
				v := literal(text)
				r.evaluated(&v, 0)
			} else if p, ok := w.Parts[0].(*syntax.ParamExp); ok && len(w.Parts) == 1 && p.Param != nil {
				if v, set := r.scope.vars[p.Param.Value]; set {
					r.evaluated(&v, 1)
				}
			}
			return false
		}
		return !r.full
	})
}

// zshAgain reads what only zsh runs: the commands in qualifiers of wildcards and
// in expansions with a flag for it, and its own programs for files.
func (r *reader) zshAgain(a *act, script string) {
	rest := script
	for range mostCalls { // *(e:'command':), *(+function)
		_, after, ok := strings.Cut(rest, "(e")
		if !ok || len(after) < 2 {
			break
		}
		rest = after
		switch sign := after[0]; {
		case sign == ')': // ${(e)x}
			text, _, _ := strings.Cut(after[1:], "}")
			r.again(strings.ReplaceAll(strings.TrimPrefix(text, ":-"), `\`, ""))
			if held, ok := r.scope.vars[text]; ok {
				r.again(held.texts[0].as)
			}
		case strings.IndexByte(`:'"|^{[,/`, sign) >= 0:
			end := strings.LastIndexByte(after, closing(sign))
			if end < 1 {
				continue
			}
			a.script(strings.Trim(after[1:end], `'"`))
		}
	}
}

func closing(sign byte) byte {
	switch sign {
	case '{':
		return '}'
	case '[':
		return ']'
	}
	return sign
}

// isSelf reports whether a program is the one that runs it, by the name that the
// kernel has for that: for a shell another shell.
func isSelf(called string) bool {
	return strings.HasPrefix(called, "/proc/") && strings.HasSuffix(called, "/exe")
}

// firmName is the name of a program in which variables stand that nobody has set:
// cu$@rl. It is only taken where it is one that is known.
func (r *reader) firmName(name *arg) bool {
	if name.bare == "" || name.bare == name.as || strings.ContainsAny(name.bare, "/$`") {
		return false
	}
	if r.wrapper(name.bare) == nil && !isShell(name.bare) && r.verbOf(name.bare) == nil {
		return false
	}
	name.as = name.bare
	return true
}

// startTexts reads what a shell is told to run before anything else: the file of
// --rcfile, and the commands of fish -C.
func (r *reader) startTexts(a *act) {
	for i, arg := range a.Args {
		name, text, inline := strings.Cut(arg, "=")
		switch name {
		case "--rcfile", "--init-file", "--rc":
			if !inline && i+1 < len(a.Args) {
				i++
				text = a.Args[i]
			}
			if made := a.words()[i].made; made != nil {
				given := *a
				given.in = *made
				r.runInput(&given)
			} else if p := a.path(text); text != "" && r.file(p) != nil {
				r.runFile(a, p)
			}
		case "-C", "--init-command":
			if !inline && i+1 < len(a.Args) {
				text = a.Args[i+1]
			}
			if a.Name == "fish" && text != "" {
				a.script(fromFish(text))
			}
		}
	}
}

// nushell notes what nu does to each of the files that it lists.
func (a *act) nushell(script string) {
	listed, does, ok := strings.Cut(script, "| each")
	if !ok || !strings.Contains(does, "rm ") {
		return
	}
	for _, word := range []string{"ls ", "glob "} {
		if _, what, ok := strings.Cut(listed, word); ok {
			for _, p := range a.few(strings.Fields(what)) {
				if !strings.HasPrefix(p, "-") && p != "|" {
					a.deletes(true, strings.TrimSuffix(strings.Trim(p, `"'`), "/")+"/*")
					break
				}
			}
		}
	}
}

// isParent reports whether an expansion is the directory above the current one,
// where nobody knows which that is: ${PWD%/*}.
func (r *reader) isParent(p *syntax.ParamExp, v *value) bool {
	return p.Exp != nil && p.Exp.Op == syntax.RemSmallSuffix && p.Exp.Word != nil && p.Exp.Word.Lit() == "/*" &&
		len(v.texts) == 1 && v.texts[0].as == "$PWD" && (r.scope.at.Cwd == "" || unknown(r.scope.at.Cwd))
}

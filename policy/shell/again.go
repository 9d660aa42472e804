package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// again runs the commands in a text that the shell expands a second time: in
// ${x@P}, in what a variable holds that arithmetic looks into, in compgen -W.
func (r *reader) again(text string) {
	if !strings.Contains(text, "$(") && !strings.Contains(text, "`") && !strings.Contains(text, "${") {
		return
	}
	if strings.Contains(text, againEnds) {
		r.Mark(invocation.Eval)
		return
	}
	r.Inner(": <<"+againEnds+"\n"+text+"\n"+againEnds+"\n", r.From, invocation.Flow{})
}

// againEnds ends the document that such a text is read as: in one, quotes mean
// nothing and expansions what they mean elsewhere.
const againEnds = "SLUICE_END"

// mostAgain is how many variables that name each other are followed.
const mostAgain = 4

// evaluated is a value that arithmetic takes for an expression: of names it asks
// what they hold, and in subscripts it runs what is to be run.
func (r *reader) evaluated(v *invocation.Value, depth int) {
	if r.Full {
		return
	}
	for _, t := range v.Texts {
		if at := strings.IndexByte(t.As, '['); at > 0 && (strings.Contains(t.As[at:], "$(") || strings.Contains(t.As[at:], "`")) {
			r.again(t.As)
			continue
		}
		if depth >= mostAgain || len(r.Scope.Vars) == 0 || len(t.As) > follow.MostMatched {
			continue
		}
		for name := range strings.FieldsFuncSeq(t.As, func(c rune) bool { return c >= 0x80 || !invocation.IsNameByte(byte(c)) }) {
			if held, ok := r.Scope.Vars[name]; ok && r.Pay(invocation.StepCost+len(held.Texts[0].As)) {
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
				v := invocation.Literal(text)
				r.evaluated(&v, 0)
			} else if p, ok := w.Parts[0].(*syntax.ParamExp); ok && len(w.Parts) == 1 && p.Param != nil {
				if v, set := r.Scope.Vars[p.Param.Value]; set {
					r.evaluated(&v, 1)
				}
			}
			return false
		}
		return !r.Full
	})
}

// zshAgain reads what only zsh runs: the commands in qualifiers of wildcards and
// in expansions with a flag for it, and its own programs for files.
func (r *reader) zshAgain(a *invocation.Act, script string) {
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
			if held, ok := r.Scope.Vars[text]; ok {
				r.again(held.Texts[0].As)
			}
		case strings.IndexByte(`:'"|^{[,/`, sign) >= 0:
			end := strings.LastIndexByte(after, closing(sign))
			if end < 1 {
				continue
			}
			a.Script(strings.Trim(after[1:end], `'"`))
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
func (r *reader) firmName(name *invocation.Arg) bool {
	if name.Bare == "" || name.Bare == name.As || strings.ContainsAny(name.Bare, "/$`") {
		return false
	}
	if r.wrapper(name.Bare) == nil && !follow.IsShell(name.Bare) && r.VerbOf(name.Bare) == nil {
		return false
	}
	name.As = name.Bare
	return true
}

// startTexts reads what a shell is told to run before anything else: the file of
// --rcfile, and the commands of fish -C.
func (r *reader) startTexts(a *invocation.Act) {
	for i, arg := range a.Args {
		name, text, inline := strings.Cut(arg, "=")
		switch name {
		case "--rcfile", "--init-file", "--rc":
			if !inline && i+1 < len(a.Args) {
				i++
				text = a.Args[i]
			}
			if made := a.Words()[i].Made; made != nil {
				given := *a
				given.In = *made
				r.RunInput(&given)
			} else if p := a.Path(text); text != "" && r.File(p) != nil {
				follow.RunFile(&r.Reader, a, p)
			}
		case "-C", "--init-command":
			if !inline && i+1 < len(a.Args) {
				text = a.Args[i+1]
			}
			if a.Name == "fish" && text != "" {
				a.Script(fromFish(text))
			}
		}
	}
}

// isParent reports whether an expansion is the directory above the current one,
// where nobody knows which that is: ${PWD%/*}.
func (r *reader) isParent(p *syntax.ParamExp, v *invocation.Value) bool {
	return p.Exp != nil && p.Exp.Op == syntax.RemSmallSuffix && p.Exp.Word != nil && p.Exp.Word.Lit() == "/*" &&
		len(v.Texts) == 1 && v.Texts[0].As == "$PWD" && (r.Scope.At.Cwd == "" || invocation.Unknown(r.Scope.At.Cwd))
}

package shell

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// expansion is what the shell makes of a word: in each reading a list of
// arguments.
type expansion struct {
	alts  [][]invocation.Arg
	value invocation.Value // what it was made from
}

// word expands a word. Braces make several words of it.
func (r *reader) word(w *syntax.Word) []expansion {
	if w == nil {
		return nil
	}
	if text, ok := plain(w); ok {
		return []expansion{{alts: [][]invocation.Arg{{{As: text, Bare: text, Wild: hasWildcard(w)}}}}}
	}
	if !hasBrace(w) {
		return []expansion{r.expand(w)}
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if braces(w) > follow.MostReadings*4 || w.End().Offset()-w.Pos().Offset() > follow.MostMatched {
		r.Mark(invocation.Glob)
		return []expansion{r.expand(w)}
	}
	if !r.Pay(invocation.StepCost) || !syntax.SplitBraces(split) {
		return []expansion{r.expand(w)}
	}
	var list []expansion
	for word, err := range expand.BracesSeq(nil, split) {
		if err != nil || len(list) >= follow.MostBraces || !r.Pay(invocation.StepCost) {
			r.Mark(invocation.Glob)
			break
		}
		list = append(list, r.expand(word))
	}
	return list
}

// plain is the text of a word in which nothing stands for something else.
func plain(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		for i := range len(p.Value) { // most are short
			if c := p.Value[i]; c == '\\' || c == '{' {
				return "", false
			}
		}
		return p.Value, true
	case *syntax.SglQuoted:
		if !p.Dollar {
			return p.Value, true
		}
	case *syntax.DblQuoted:
		if len(p.Parts) == 0 {
			return "", true
		}
		if lit, ok := p.Parts[0].(*syntax.Lit); ok && len(p.Parts) == 1 && strings.IndexByte(lit.Value, '\\') < 0 {
			return lit.Value, true
		}
	}
	return "", false
}

// hasWildcard reports whether a plain word has a wildcard that is not in quotes.
func hasWildcard(w *syntax.Word) bool {
	lit, ok := w.Parts[0].(*syntax.Lit)
	return ok && strings.ContainsAny(lit.Value, "*?[")
}

func isPlain(w *syntax.Word) bool {
	_, ok := plain(w)
	return ok
}

func hasBrace(w *syntax.Word) bool { return braces(w) > 0 }

// braces counts the braces that open something in a word.
func braces(w *syntax.Word) int {
	n := 0
	for _, p := range w.Parts {
		if lit, ok := p.(*syntax.Lit); ok {
			n += strings.Count(lit.Value, "{")
		}
	}
	return n
}

// value is a word as one text, as in an assignment: it is not split.
func (r *reader) value(w *syntax.Word) invocation.Value {
	if w == nil {
		return invocation.Literal("")
	}
	if text, ok := plain(w); ok {
		return invocation.Literal(text)
	}
	v := invocation.Value{Texts: []invocation.Text{{}}}
	for _, p := range w.Parts {
		v = r.append(v, r.part(p))
	}
	return v
}

// append puts a value behind another one, in all their readings.
func (r *reader) append(v, more invocation.Value) invocation.Value {
	joined := v
	joined.Texts = make([]invocation.Text, 0, len(v.Texts)*len(more.Texts))
	for _, a := range v.Texts {
		for _, b := range more.Texts {
			if len(joined.Texts) >= invocation.MostTexts || len(a.As)+len(b.As) > invocation.MostKnown+1024 || !r.Pay((len(a.As)+len(b.As))/64) {
				r.Mark(invocation.Variable)
				continue
			}
			joined.Texts = append(joined.Texts, invocation.Text{As: a.As + b.As, Bare: a.Bare + b.Bare})
		}
	}
	if len(joined.Texts) == 0 {
		joined.Texts = []invocation.Text{{As: "$", Bare: ""}}
	}
	joined.Taint(&more)
	return joined
}

// expand makes arguments of a word without braces.
func (r *reader) expand(w *syntax.Word) expansion {
	b := builder{r: r, readings: []reading{{}}}
	b.parts(w.Parts, false)
	e := expansion{value: b.value}
	for i := range b.readings {
		e.alts = append(e.alts, b.readings[i].end())
	}
	if !b.expands {
		return e
	}
	for i := range e.alts {
		for j := range e.alts[i] {
			e.alts[i][j].Of = &e.value
		}
	}
	return e
}

// unescape removes the backslashes that quote something.
func unescape(s string, inQuotes bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		switch {
		case s[i] == '\n':
		case inQuotes && strings.IndexByte("$`\"\\", s[i]) < 0:
			b = append(b, '\\', s[i])
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// part is what a part of a word can be.
func (r *reader) part(p syntax.WordPart) invocation.Value {
	switch p := p.(type) {
	case *syntax.Lit:
		return invocation.Literal(unescape(p.Value, false))
	case *syntax.SglQuoted:
		if p.Dollar {
			return invocation.Literal(follow.Ansi(p.Value))
		}
		return invocation.Literal(p.Value)
	case *syntax.DblQuoted:
		in := invocation.Value{Texts: []invocation.Text{{}}}
		for _, q := range p.Parts {
			if lit, ok := q.(*syntax.Lit); ok {
				in = r.append(in, invocation.Literal(unescape(lit.Value, true)))
				continue
			}
			in = r.append(in, r.part(q))
		}
		return in
	case *syntax.ParamExp:
		return r.parameter(p)
	case *syntax.CmdSubst:
		out := r.subshell(func() invocation.Flow { return r.stmts(p.Stmts, &invocation.Flow{}) })
		return r.output(p, &out)
	case *syntax.ProcSubst:
		return r.process(p)
	case *syntax.ArithmExp:
		if n, ok := r.number(p.X); ok {
			return invocation.Literal(n)
		}
		r.arithmetic(p.X)
		return follow.Firm(r.written(p))
	case *syntax.ExtGlob:
		if p.Op == syntax.GlobExcept {
			return invocation.Literal("*")
		}
		v := invocation.Value{}
		for name := range strings.SplitSeq(p.Pattern.Value, "|") {
			if len(v.Texts) < follow.MostReadings {
				v.Texts = append(v.Texts, invocation.Text{As: name, Bare: name})
			}
		}
		return v
	case *syntax.BraceExp:
		return follow.Firm(r.written(p))
	}
	return invocation.Open(r.written(p))
}

// output is a command's output as a part of a word.
func (r *reader) output(n syntax.Node, out *invocation.Flow) invocation.Value {
	v := invocation.Value{Sources: out.Sources, Shows: out.Shows, Remote: out.Remote, Hidden: out.Hidden, About: out.About}
	switch {
	case out.Known && out.Either != nil:
		for _, s := range out.Either {
			s = strings.TrimRight(s, "\n")
			v.Texts = append(v.Texts, invocation.Text{As: s, Bare: s})
		}
	case out.Known:
		s := strings.TrimRight(out.Text, "\n")
		v.Texts = []invocation.Text{{As: s, Bare: s}}
	case len(out.Roots) > 0:
		for _, root := range out.Roots {
			v.Texts = append(v.Texts, invocation.Text{As: root, Bare: root})
		}
		if len(v.Texts) > invocation.MostTexts {
			v.Texts = v.Texts[:invocation.MostTexts]
		}
	default:
		r.Mark(invocation.Substitution)
		written := r.substituted(n)
		v.Texts = invocation.Open(written).Texts
		if prints(out.By) {
			v.Texts = follow.Firm(written).Texts
		}
	}
	return v
}

// prints reports whether a program always prints something.
func prints(name string) bool {
	switch name {
	case "dirname", "basename", "realpath", "readlink", "pwd", "mktemp", "date", "whoami", "hostname", "uname", "id", "nproc", "git", "npm", "go":
		return true
	}
	return false
}

// process is the file that the shell makes of <( ) or >( ).
func (r *reader) process(p *syntax.ProcSubst) invocation.Value {
	in := invocation.Flow{}
	if p.Op == syntax.CmdOut {
		in = r.Stdin
		in.Piped = true
	}
	out := r.subshell(func() invocation.Flow { return r.stmts(p.Stmts, &in) })
	v := invocation.Literal("/dev/fd/63")
	if p.Op != syntax.CmdOut {
		out.Piped = true
		r.made(&v, &out)
		v.Made, v.Sources, v.Shows, v.Remote, v.Hidden = &out, out.Sources, out.Shows, out.Remote, out.Hidden
	}
	return v
}

package shell

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// arg is an argument of a command, with what it was made from.
type arg struct {
	as, bare string
	of       *value // nil for a plain one
	quoted   bool
	loose    bool // something unknown in it is not in quotes, so the shell splits it
}

// value is the argument as a value.
func (a *arg) value() value {
	v := value{texts: []text{{a.as, a.bare}}}
	if a.of != nil {
		v.taint(a.of)
	}
	return v
}

// expansion is what the shell makes of a word: in each reading a list of
// arguments.
type expansion struct {
	alts  [][]arg
	value value // what it was made from
}

// Limits of what a word becomes.
const (
	mostReadings = 8   // of one word
	mostBraces   = 256 // words that braces make of one
)

// word expands a word. Braces make several words of it.
func (r *reader) word(w *syntax.Word) []expansion {
	if w == nil {
		return nil
	}
	if text, ok := plain(w); ok {
		return []expansion{{alts: [][]arg{{{as: text, bare: text}}}}}
	}
	if !hasBrace(w) {
		return []expansion{r.expand(w)}
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if braces(w) > mostReadings*4 || w.End().Offset()-w.Pos().Offset() > mostMatched {
		r.mark(Glob)
		return []expansion{r.expand(w)}
	}
	if !r.pay(stepCost) || !syntax.SplitBraces(split) {
		return []expansion{r.expand(w)}
	}
	var list []expansion
	for word, err := range expand.BracesSeq(nil, split) {
		if err != nil || len(list) >= mostBraces || !r.pay(stepCost) {
			r.mark(Glob)
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
func (r *reader) value(w *syntax.Word) value {
	if w == nil {
		return literal("")
	}
	if text, ok := plain(w); ok {
		return literal(text)
	}
	v := value{texts: []text{{}}}
	for _, p := range w.Parts {
		v = r.append(v, r.part(p))
	}
	return v
}

// append puts a value behind another one, in all their readings.
func (r *reader) append(v, more value) value {
	joined := v
	joined.texts = make([]text, 0, len(v.texts)*len(more.texts))
	for _, a := range v.texts {
		for _, b := range more.texts {
			if len(joined.texts) >= mostTexts || len(a.as)+len(b.as) > mostKnown+1024 || !r.pay((len(a.as)+len(b.as))/64) {
				r.mark(Variable)
				continue
			}
			joined.texts = append(joined.texts, text{a.as + b.as, a.bare + b.bare})
		}
	}
	if len(joined.texts) == 0 {
		joined.texts = []text{{"$", ""}}
	}
	joined.taint(&more)
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
			e.alts[i][j].of = &e.value
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
func (r *reader) part(p syntax.WordPart) value {
	switch p := p.(type) {
	case *syntax.Lit:
		return literal(unescape(p.Value, false))
	case *syntax.SglQuoted:
		if p.Dollar {
			return literal(ansi(p.Value))
		}
		return literal(p.Value)
	case *syntax.DblQuoted:
		in := value{texts: []text{{}}}
		for _, q := range p.Parts {
			if lit, ok := q.(*syntax.Lit); ok {
				in = r.append(in, literal(unescape(lit.Value, true)))
				continue
			}
			in = r.append(in, r.part(q))
		}
		return in
	case *syntax.ParamExp:
		return r.parameter(p)
	case *syntax.CmdSubst:
		out := r.subshell(func() flow { return r.stmts(p.Stmts, &flow{}) })
		return r.output(p, &out)
	case *syntax.ProcSubst:
		return r.process(p)
	case *syntax.ArithmExp:
		if n, ok := r.number(p.X); ok {
			return literal(n)
		}
		r.arithmetic(p.X)
		return firm(r.written(p))
	case *syntax.ExtGlob:
		if p.Op == syntax.GlobExcept {
			return literal("*")
		}
		v := value{}
		for name := range strings.SplitSeq(p.Pattern.Value, "|") {
			if len(v.texts) < mostReadings {
				v.texts = append(v.texts, text{name, name})
			}
		}
		return v
	case *syntax.BraceExp:
		return firm(r.written(p))
	}
	return open(r.written(p))
}

// output is a command's output as a part of a word.
func (r *reader) output(n syntax.Node, out *flow) value {
	v := value{sources: out.sources, shows: out.shows, remote: out.remote, hidden: out.hidden, about: out.about}
	switch {
	case out.known && out.either != nil:
		for _, s := range out.either {
			s = strings.TrimRight(s, "\n")
			v.texts = append(v.texts, text{s, s})
		}
	case out.known:
		s := strings.TrimRight(out.text, "\n")
		v.texts = []text{{s, s}}
	case len(out.roots) > 0:
		for _, root := range out.roots {
			v.texts = append(v.texts, text{root, root})
		}
		if len(v.texts) > mostTexts {
			v.texts = v.texts[:mostTexts]
		}
	default:
		r.mark(Substitution)
		written := r.substituted(n)
		v.texts = open(written).texts
		if prints(out.by) {
			v.texts = firm(written).texts
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
func (r *reader) process(p *syntax.ProcSubst) value {
	in := flow{}
	if p.Op == syntax.CmdOut {
		in = r.stdin
		in.piped = true
	}
	out := r.subshell(func() flow { return r.stmts(p.Stmts, &in) })
	v := literal("/dev/fd/63")
	if p.Op != syntax.CmdOut {
		out.piped = true
		r.made(&v, &out)
		v.made, v.sources, v.shows, v.remote, v.hidden = &out, out.sources, out.shows, out.remote, out.hidden
	}
	return v
}

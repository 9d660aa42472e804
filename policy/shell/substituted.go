package shell

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
)

// takesEach reports whether xargs takes each line of its input for an argument, and
// all of them are some of what was listed.
func takesEach(by *command.Reading, each []string) bool {
	if len(each) == 0 || strings.HasSuffix(each[0], "**") {
		return false
	}
	return !slices.ContainsFunc(by.Options(), func(option string) bool {
		switch option {
		case "r", "t", "no-run-if-empty", "n", "I", "P", "L":
			return false
		}
		return true
	})
}

// substituted is the source of a command whose output stands in a word, written in one
// way whatever its spelling: one blank between words, words without quotes that need
// none, and without what makes no difference to what it prints. It stands in paths,
// addresses and names, which are compared with others.
func (r *reader) substituted(n syntax.Node) string {
	written := r.written(n)
	sub, ok := n.(*syntax.CmdSubst)
	if !ok || !isSpelled(written) || !r.Pay(len(written)/64) {
		return written
	}
	cut := stretches{source: r.Src}
	syntax.Walk(sub, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			cut.call(n)
		case *syntax.Redirect:
			if n.N != nil && n.N.Value == "2" && n.Op == syntax.RdrOut && n.Word.Lit() == "/dev/null" {
				cut.replace(n.Pos().Offset(), n.End().Offset(), "")
				cut.blanksBefore(n.Pos().Offset())
			}
		}
		return true
	})
	return cut.text(sub.Pos().Offset(), sub.End().Offset())
}

// isSpelled reports whether a text has something that can be written in another way.
func isSpelled(text string) bool {
	return strings.ContainsAny(text, `'"=`) || strings.Contains(text, "  ") || strings.Contains(text, "2>") || strings.ContainsAny(text, "\t\n")
}

// stretches are the parts of a source that are written in another way, in their order.
type stretches struct {
	source string
	list   []stretch
}

type stretch struct {
	from, to uint
	as       string
}

func (s *stretches) replace(from, to uint, as string) {
	s.list = append(s.list, stretch{from, to, as})
}

// blanksBefore leaves out the blanks before a place.
func (s *stretches) blanksBefore(at uint) {
	from := at
	for from > 0 && s.source[from-1] == ' ' {
		from--
	}
	if from < at {
		s.replace(from, at, "")
	}
}

// call writes the words of a command in one way. Variables that are set for it alone to
// what is written there are left out.
func (s *stretches) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	start := c.Args[0].Pos().Offset()
	for _, a := range slices.Backward(c.Assigns) {
		if a.Value == nil || !isPlain(a.Value) {
			break
		}
		s.replace(a.Pos().Offset(), start, "")
		start = a.Pos().Offset()
	}
	for i, w := range c.Args {
		if i > 0 && isBlank(s.source[c.Args[i-1].End().Offset():w.Pos().Offset()]) {
			s.replace(c.Args[i-1].End().Offset(), w.Pos().Offset(), " ")
		}
		if text, ok := unquotedText(w); ok {
			s.replace(w.Pos().Offset(), w.End().Offset(), text)
		}
	}
}

// isBlank reports whether words are apart by more than one blank, or by another.
func isBlank(text string) bool { return text != " " && strings.Trim(text, " \t\\\n") == "" }

// unquotedText is a word in quotes that needs none.
func unquotedText(w *syntax.Word) (string, bool) {
	if w.Lit() != "" {
		return "", false
	}
	var b strings.Builder
	for _, part := range w.Parts {
		known, ok := plain(&syntax.Word{Parts: []syntax.WordPart{part}})
		if !ok {
			return "", false
		}
		b.WriteString(known)
	}
	text := b.String()
	for i := range len(text) {
		if !invocation.IsNameByte(text[i]) && strings.IndexByte("-./", text[i]) < 0 {
			return "", false
		}
	}
	return text, text != ""
}

// text is the source between two places with the stretches in it written anew.
func (s *stretches) text(from, to uint) string {
	slices.SortStableFunc(s.list, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	for _, t := range s.list {
		if t.from >= from && t.to <= to {
			b.WriteString(s.source[from:t.from])
			b.WriteString(t.as)
			from = t.to
		}
	}
	b.WriteString(s.source[from:to])
	return b.String()
}

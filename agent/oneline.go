package agent

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
)

// longestLogged is the most bytes of a text that a line of a log has.
const longestLogged = 500

// oneLine is the beginning of a text that anyone may have written, for a line of a
// log: without what ends lines, moves a cursor or turns the direction of text.
func oneLine(s string, most int) string {
	cut := len(s) > most
	if cut {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		s = s[:most]
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs):
			return '?'
		default:
			return r // utf8.RuneError for what is no text
		}
	}, s)
	if cut {
		s += "…"
	}
	return s
}

// said is the beginning of what blocks say, in a line and without thinking.
func said(blocks []llm.Block) string {
	var b strings.Builder
	for i := range blocks {
		if b.Len() > longestLogged {
			break
		}
		if blocks[i].Kind == llm.Thinking {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if block := &blocks[i]; block.Kind == llm.ToolCall {
			b.WriteString(start(block.Name) + "(" + start(block.Arguments) + ")")
		} else {
			b.WriteString(start(block.Text))
		}
	}
	return oneLine(b.String(), longestLogged)
}

// start is no less of a text than can be logged, and not much more.
func start(s string) string { return s[:min(len(s), longestLogged+utf8.UTFMax)] }

package agent

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
)

// longestLogged is the maximum length in bytes of a text in a log line.
const longestLogged = 500

// oneLine is the beginning of an untrusted text, for a log line: without
// characters that end lines, move the cursor or change the direction of text.
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
			return r // utf8.RuneError for invalid UTF-8
		}
	}, s)
	if cut {
		s += "…"
	}
	return s
}

// said is the beginning of the blocks' text, on one line and without thinking.
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

// start is at least as much of a text as can be logged, and not much more.
func start(s string) string { return s[:min(len(s), longestLogged+utf8.UTFMax)] }

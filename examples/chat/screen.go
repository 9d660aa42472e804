package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
)

// screen is what the person sees. Models, tools and files do not write to it
// themselves: their text is shown without terminal control sequences.
type screen struct {
	out     io.Writer
	colours bool
	// mid: the cursor is in the middle of a line. style is that line's style.
	mid   bool
	style colour
	// denied are blocks that policies denied and that have not been shown yet.
	denied []denial
}

type denial struct{ id, name, arguments, policy, reason string }

type colour string

const (
	plain  colour = ""
	dim    colour = "2"
	red    colour = "31"
	yellow colour = "33"
	cyan   colour = "36"
)

func newScreen(out io.Writer, colours bool) *screen { return &screen{out: out, colours: colours} }

func (s *screen) write(text string) { _, _ = io.WriteString(s.out, text) }

func (s *screen) paint(c colour, text string) string {
	if !s.colours || c == plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// line shows a line of its own. An empty one only ends the line before.
func (s *screen) line(c colour, text string) {
	if s.mid {
		s.write("\n")
		s.mid = false
	}
	if text != "" {
		s.write(s.paint(c, text) + "\n")
	}
}

// prompt shows the input prompt.
func (s *screen) prompt(text string) {
	s.line(plain, "")
	s.write(s.paint(cyan, text))
	s.mid = true
}

// taken echoes what was typed where there is no terminal to do so.
func (s *screen) taken(text string, seen bool) {
	if !seen {
		s.write(clean(text) + "\n")
	}
	s.mid = false
}

// flow continues a text.
func (s *screen) flow(c colour, text string) {
	if s.mid && s.style != c {
		s.line(plain, "")
	}
	s.style = c
	s.write(s.paint(c, clean(text)))
	s.mid = !strings.HasSuffix(text, "\n")
}

// show shows an event of a run.
func (s *screen) show(ev agent.Event) {
	switch ev.Type {
	case agent.EventText, agent.EventRefusal:
		s.flow(plain, ev.Text)
	case agent.EventThinking:
		s.flow(dim, ev.Text)
	case agent.EventToolEnd:
		s.line(cyan, "→ "+oneLine(ev.Call.Name, 64)+" "+oneLine(ev.Call.Arguments, 200))
	case agent.EventToolResult:
		s.result(ev)
	default: // beginnings, pieces of arguments, and ends
	}
}

// result shows the result of a call.
func (s *screen) result(ev agent.Event) {
	for i, d := range s.denied {
		if d.id == ev.ID {
			s.denied = append(s.denied[:i], s.denied[i+1:]...)
			s.deny(d)
			return
		}
	}
	if ev.Result.Failed {
		s.line(red, "✗ "+ev.Name+": "+oneLine(ev.Text, 200))
		return
	}
	s.line(dim, "← "+ev.Name+": "+oneLine(ev.Text, 200))
}

// deny shows a denial.
func (s *screen) deny(d denial) {
	s.line(red, fmt.Sprintf("✗ DENIED by the policy %s: %s %s", d.policy, oneLine(d.name, 64), oneLine(d.arguments, 200)))
	if d.reason != "" {
		s.line(dim, "  "+oneLine(d.reason, 400))
	}
}

// sum ends a turn: denials that have not been shown, why it ended, and what it
// cost.
func (s *screen) sum(r *agent.Result) {
	for _, d := range s.denied {
		s.deny(d)
	}
	s.denied = nil
	switch {
	case r.Limit != nil:
		s.line(yellow, "(ended: "+r.Limit.String()+")")
	case r.Reason != agent.Done && r.Reason != agent.Cancelled && r.Reason != agent.Failed:
		s.line(yellow, "(ended: "+string(r.Reason)+")")
	}
	s.line(dim, "("+cost(len(r.Rounds), r.Usage)+")")
}

func cost(rounds int, u llm.Usage) string {
	text := fmt.Sprintf("%d rounds", rounds)
	if rounds == 1 {
		text = "1 round"
	}
	if u.Input+u.Output == 0 {
		return text
	}
	text += fmt.Sprintf(", %d tokens in, %d out", u.Input, u.Output)
	if u.CacheRead > 0 {
		text += fmt.Sprintf(", %d of them from the cache", u.CacheRead)
	}
	return text
}

// clean is a text without characters that control a terminal.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
			return unicode.ReplacementChar
		default:
			return r
		}
	}, text)
}

// oneLine is the beginning of a text, on one line.
func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(clean(text[:min(len(text), 8*most)])), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

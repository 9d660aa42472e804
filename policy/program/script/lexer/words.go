package lexer

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/library"
)

// words finds the ends of the functions that words begin and end, as in Ruby and Lua.
func (l *lexer) words() {
	if l.language != library.Ruby && l.language != library.Lua {
		return
	}
	l.open = l.open[:0]
	loop := false // whose do begins nothing further
	for at := range l.tokens {
		t := &l.tokens[at]
		begins := t.First || at == 0 || l.tokens[at-1].Ends() || l.tokens[at-1].Word("then") || l.tokens[at-1].Word("do") || l.tokens[at-1].Is("=")
		switch {
		case t.Ends():
			loop = false
		case t.Kind != Name || at > 0 && l.tokens[at-1].Is("."):
		case t.Text == "end":
			if n := len(l.open); n > 0 {
				if open := &l.tokens[l.open[n-1]]; open.Text == "def" || open.Text == "function" {
					open.Match = int32(at)
				}
				l.open = l.open[:n-1]
			}
		case t.Text == "do" && loop:
			loop = false
		case t.Text == "do", l.language == library.Lua && (t.Text == "function" || t.Text == "if"),
			l.language == library.Ruby && (slices.Contains(opening, t.Text) || begins && slices.Contains(openingFirst, t.Text)):
			l.open = append(l.open, int32(at))
			loop = l.language == library.Ruby && (t.Text == "while" || t.Text == "until" || t.Text == "for")
		}
	}
	for _, at := range l.open {
		if t := &l.tokens[at]; t.Text == "def" || t.Text == "function" {
			t.Match = int32(len(l.tokens) - 1)
		}
	}
}

// opening are the words of Ruby that an end ends, openingFirst those that it ends if
// they begin a statement.
var (
	opening      = []string{"def", "class", "module", "begin", "case"}
	openingFirst = []string{"if", "unless", "while", "until", "for"}
)

package pattern

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// chain is a part of a regular expression in which words follow one another
// with nothing but certain characters in between: `open\s*\(`.
type chain []link

// link is a word and what may precede it. The first has no gap.
type link struct {
	gap   [utf8.RuneSelf]bool
	least int // minimum length of the gap, 0 or 1
	word  string
}

// longestChain returns the chain with the most words in a sequence, nil if
// there is none of at least two.
func longestChain(parts []*syntax.Regexp) chain {
	var longest, now chain
	var gap *link // what follows the last word
	end := func() {
		if len(now) > max(len(longest), 1) {
			longest = now
		}
		now, gap = nil, nil
	}
	for _, part := range parts {
		switch part.Op {
		case syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpWordBoundary,
			syntax.OpNoWordBoundary, syntax.OpEmptyMatch: // zero width
		case syntax.OpLiteral:
			word := string(part.Rune)
			if part.Flags&syntax.FoldCase != 0 || strings.ContainsRune(word, utf8.RuneError) {
				end()
				continue
			}
			switch {
			case len(now) == 0:
				now = append(now, link{word: word})
			case gap == nil: // there was an assertion between them
				now[len(now)-1].word += word
			case word[0] < utf8.RuneSelf && gap.gap[word[0]]:
				end()
				now = append(now, link{word: word})
			default:
				gap.word = word
				now = append(now, *gap)
			}
			gap = nil
		case syntax.OpStar, syntax.OpPlus:
			if len(now) == 0 {
				continue
			}
			if gap != nil || !now.opens(part, &gap) {
				end()
			}
		default:
			end()
		}
	}
	end()
	return longest
}

// opens makes the gap for a repetition. It must not contain the chain's first
// character, so that each position of a text is visited only as often as the
// chain has words.
func (c chain) opens(part *syntax.Regexp, gap **link) bool {
	class := part.Sub[0]
	if class.Op != syntax.OpCharClass {
		return false
	}
	var next link
	for i := 0; i+1 < len(class.Rune); i += 2 {
		for r := class.Rune[i]; r <= class.Rune[i+1]; r++ {
			if r >= utf8.RuneSelf || byte(r) == c[0].word[0] {
				return false
			}
			next.gap[r] = true
		}
	}
	if part.Op == syntax.OpPlus {
		next.least = 1
	}
	*gap = &next
	return true
}

// in reports whether a text contains the chain.
func (c chain) in(text string) bool {
	first := c[0].word
	for {
		at := strings.Index(text, first)
		if at < 0 {
			return false
		}
		if c.follows(text[at+len(first):]) {
			return true
		}
		text = text[at+1:]
	}
}

func (c chain) follows(text string) bool {
	for i := range c[1:] {
		l := &c[i+1]
		n := 0
		for n < len(text) && text[n] < utf8.RuneSelf && l.gap[text[n]] {
			n++
		}
		if n < l.least || !strings.HasPrefix(text[n:], l.word) {
			return false
		}
		text = text[n+len(l.word):]
	}
	return true
}

package partial

import "strings"

// Text is a text of which parts are not known: "prod-$X". What is known of it are
// the pieces between the holes; a hole can be any text, also none. There is one
// piece more than there are holes.
type Text struct {
	Pieces []string
	// Holes are what is written in their place.
	Holes []string
}

// Answer is what can be said of such a text.
type Answer uint8

const (
	// No: whatever the holes are.
	No Answer = iota
	// Yes: whatever the holes are.
	Yes
	// Open: it depends on the holes.
	Open
)

// mostHoles is how many holes of a text are told apart. The last one takes the rest.
const mostHoles = 16

// New finds the holes of a text: variables, substitutions, backticks and what [Wild] marks. Where
// their end is not clear, a hole takes too much and never too little.
func New(text string) Text {
	var h Text
	for {
		at := strings.IndexAny(text, "$`"+mark)
		if at < 0 {
			break
		}
		n := holeLength(text[at:])
		if len(h.Holes) == mostHoles-1 {
			n = len(text) - at
		}
		h.Pieces, h.Holes = append(h.Pieces, text[:at]), append(h.Holes, text[at:at+n])
		text = text[at+n:]
	}
	h.Pieces = append(h.Pieces, text)
	return h
}

// holeLength is the length of a hole that a text begins with.
func holeLength(text string) int {
	if text[0] == '`' || text[:1] == mark {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return end + 2
		}
		return len(text)
	}
	if len(text) == 1 {
		return 1
	}
	switch c := text[1]; {
	case c == '{' || c == '(':
		depth := 0
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '{', '(':
				depth++
			case '}', ')':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return len(text)
	case isNameByte(c):
		n := 2
		for n < len(text) && (isNameByte(text[n]) || text[n] == ':') { // $env:NAME
			n++
		}
		return n
	default:
		return 2
	}
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// First is what the text certainly begins with.
func (h *Text) First() string { return h.Pieces[0] }

// Last is what it certainly ends with.
func (h *Text) Last() string { return h.Pieces[len(h.Pieces)-1] }

// Could reports whether the text can be another one.
func (h *Text) Could(text string) bool {
	if len(h.Holes) == 0 {
		return text == h.First()
	}
	if len(text) < len(h.First())+len(h.Last()) || !strings.HasPrefix(text, h.First()) || !strings.HasSuffix(text, h.Last()) {
		return false
	}
	text = text[len(h.First()) : len(text)-len(h.Last())]
	for i, hole := range h.Holes {
		least := leastOf(hole)
		if len(text) < least {
			return false
		}
		if i == len(h.Holes)-1 {
			break
		}
		piece := h.Pieces[i+1]
		at := strings.Index(text[least:], piece)
		if at < 0 {
			return false
		}
		text = text[least+at+len(piece):]
	}
	return true
}

// leastOf is how many bytes a hole has at the least: a wildcard other than * stands for a character.
func leastOf(hole string) int {
	if strings.HasPrefix(hole, mark+"?") || strings.HasPrefix(hole, mark+"[") {
		return 1
	}
	return 0
}

// Begins says whether the text begins with another one.
func (h *Text) Begins(with string) Answer {
	switch first := h.First(); {
	case strings.HasPrefix(first, with):
		return Yes
	case strings.HasPrefix(with, first):
		return Open
	default:
		return No
	}
}

// Ends says whether the text ends with another one.
func (h *Text) Ends(with string) Answer {
	switch last := h.Last(); {
	case strings.HasSuffix(last, with):
		return Yes
	case strings.HasSuffix(with, last):
		return Open
	default:
		return No
	}
}

// Has says whether the text contains another one; it never certainly does not.
func (h *Text) Has(text string) Answer {
	for _, piece := range h.Pieces {
		if strings.Contains(piece, text) {
			return Yes
		}
	}
	return Open
}

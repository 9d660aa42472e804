package rule

import (
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/effect"
)

// holed is a text of which parts are not known: "prod-$X". What is known of it are
// the pieces between the holes; a hole can be any text, also none. There is one
// piece more than there are holes.
type holed struct {
	pieces []string
	// holes are what stands in their place in the text of the call.
	holes []string
}

// mostHoles is how many holes of a text are told apart. The last one takes the rest.
const mostHoles = 16

// newHoled finds the holes of a text: variables, substitutions and backticks. Where
// their end is not clear, a hole takes too much and never too little.
func newHoled(text string) holed {
	var h holed
	for {
		at := strings.IndexAny(text, "$`")
		if at < 0 {
			break
		}
		n := holeLength(text[at:])
		if len(h.holes) == mostHoles-1 {
			n = len(text) - at
		}
		h.pieces, h.holes = append(h.pieces, text[:at]), append(h.holes, text[at:at+n])
		text = text[at+n:]
	}
	h.pieces = append(h.pieces, text)
	return h
}

// holeLength is the length of a hole that a text begins with.
func holeLength(text string) int {
	if text[0] == '`' {
		if end := strings.IndexByte(text[1:], '`'); end >= 0 {
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

// first and last are what the text certainly begins and ends with.
func (h *holed) first() string { return h.pieces[0] }
func (h *holed) last() string  { return h.pieces[len(h.pieces)-1] }

// could reports whether the text can be another one.
func (h *holed) could(text string) bool {
	if len(text) < len(h.first())+len(h.last()) || !strings.HasPrefix(text, h.first()) || !strings.HasSuffix(text, h.last()) {
		return false
	}
	text = text[len(h.first()) : len(text)-len(h.last())]
	for _, piece := range h.pieces[1 : len(h.pieces)-1] {
		at := strings.Index(text, piece)
		if at < 0 {
			return false
		}
		text = text[at+len(piece):]
	}
	return true
}

// begins says whether the text begins with another one, or unknown.
func (h *holed) begins(with string) Outcome {
	switch first := h.first(); {
	case strings.HasPrefix(first, with):
		return True
	case strings.HasPrefix(with, first):
		return Unknown
	default:
		return False
	}
}

// ends says whether the text ends with another one, or unknown.
func (h *holed) ends(with string) Outcome {
	switch last := h.last(); {
	case strings.HasSuffix(last, with):
		return True
	case strings.HasSuffix(with, last):
		return Unknown
	default:
		return False
	}
}

// has says whether the text contains another one; it never certainly does not.
func (h *holed) has(text string) Outcome {
	for _, piece := range h.pieces {
		if strings.Contains(piece, text) {
			return True
		}
	}
	return Unknown
}

// openText is the variable by which a text with holes is told from other unknown
// values. Expressions cannot spell it.
const openText = "@text"

// textOf is a text of a call: as it is if all of it is known, else an unknown value
// that carries what is known. To functions that do not look into it, it is unknown.
func textOf(text string) any {
	if !effect.Expands(text) {
		return text
	}
	return types.NewUnknown(int64(textPart), types.QualifyAttribute(types.NewAttributeTrail(openText), text))
}

// holedOf returns the text that an unknown value carries, if it does.
func holedOf(value ref.Val) (text string, ok bool) {
	u, ok := value.(*types.Unknown)
	if !ok || len(u.IDs()) != 1 {
		return "", false
	}
	trails, ok := u.GetAttributeTrails(int64(textPart))
	if !ok || len(trails) != 1 || trails[0].Variable() != openText || len(trails[0].QualifierPath()) != 1 {
		return "", false
	}
	text, ok = trails[0].QualifierPath()[0].(string)
	return text, ok
}

// mostShown is how much of a hole is shown to people.
const mostShown = 40

// openWord is the unknown value of a word that may be any argument, or several.
func openWord(text string) *types.Unknown {
	return types.NewUnknown(int64(commandArgs), types.QualifyAttribute(types.NewAttributeTrail(openText), text))
}

// shownHoles are the holes of the texts that made a value unknown, for people.
func shownHoles(u *types.Unknown, of attribute) string {
	trails, _ := u.GetAttributeTrails(int64(of))
	var list []string
	for _, trail := range trails {
		if len(trail.QualifierPath()) != 1 {
			continue
		}
		text, _ := trail.QualifierPath()[0].(string)
		for _, hole := range newHoled(text).holes {
			if len(hole) > mostShown {
				hole = strings.ToValidUTF8(hole[:mostShown], "") + "..."
			}
			if len(list) < 4 && !strings.Contains(strings.Join(list, " "), hole) {
				list = append(list, hole)
			}
		}
	}
	if len(list) == 0 {
		return attributeNames[of]
	}
	return "the value of " + strings.Join(list, " and ")
}

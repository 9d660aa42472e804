package rule

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/internal/partial"
)

// answer is what is known of a part of an expression: no, yes, a failure, or the set of
// what would have to be known. For a text, yes says that it is known, and partly that a
// part of it is known.
//
// An unknown answer has a bit for each attribute, and one for each text of the
// frame that made it unknown; a failure has its number in the frame, and a mark if it
// is that something is not there.
type answer uint64

const (
	no  answer = 0
	yes answer = 1
	// partly is only for texts.
	partly answer = 2
	// unknownBits and textBits are where the unknown attributes begin, and the
	// texts that are known in part.
	unknownBits = 2
	textBits    = unknownBits + int(attributes)
	failedBit   = 63
	missingBit  = 62
	mostTexts   = missingBit - textBits
)

// unknownOf is the answer that depends on an attribute.
func unknownOf(a attribute) answer { return 1 << (unknownBits + a) }

func (a answer) isUnknown() bool { return a>>unknownBits != 0 && !a.isFailed() }
func (a answer) isFailed() bool  { return a>>failedBit != 0 }

// isMissing reports whether the failure is that something is not there: a key of a map,
// an element of a list.
func (a answer) isMissing() bool { return a>>missingBit == 3 }

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

// not is CEL's "!".
func (a answer) not() answer {
	if a == no || a == yes {
		return a ^ yes
	}
	return a
}

// weight orders the answers of which one counts for several: that something is not there, what is
// unknown, a failure, and what is known.
func (a answer) weight() int {
	switch {
	case a.isMissing():
		return 3
	case a.isUnknown():
		return 2
	case a.isFailed():
		return 1
	default:
		return 0
	}
}

// merge combines two answers of which neither decides by itself: the one that weighs more, what is
// unknown of both, or else rest.
func merge(a, b, rest answer) answer {
	if a <= yes && b <= yes {
		return rest
	}
	switch l, r := a.weight(), b.weight(); {
	case l == 2 && r == 2:
		return a | b
	case l == 0 && r == 0:
		return rest
	case r > l:
		return b
	default:
		return a
	}
}

// failsFirst combines the answers of two operands that are both needed, as CEL's
// operators == and != do: a failure comes before what is unknown.
func failsFirst(a, b answer) answer {
	if b.isFailed() && !b.isMissing() && a.isUnknown() {
		return b
	}
	return inOrder(a, b)
}

// inOrder is the same as CEL's functions do it: a failure of the first one comes before what is
// unknown of the second, and what is unknown of it before a failure.
func inOrder(a, b answer) answer {
	if a.isFailed() && !b.isMissing() {
		return a
	}
	return merge(a, b, yes)
}

// partText is a text that is known in part and the attribute that it leaves open.
type partText struct {
	of   attribute
	text string
}

// note is the answer of what depends on the rest of a text: a text that is known
// in part, or a word that can be any argument or several.
func (f *frame) note(of attribute, text string) answer {
	at := slices.Index(f.texts, partText{of, text})
	if at < 0 {
		if at = len(f.texts); at == mostTexts {
			return unknownOf(of)
		}
		f.texts = append(f.texts, partText{of, text})
	}
	return unknownOf(of) | 1<<(textBits+at)
}

// what names the unknown attributes of an answer.
func (f *frame) what(a answer) string {
	all := ""
	for i := range attributes {
		if a&unknownOf(i) == 0 {
			continue
		}
		name := f.holes(a, i)
		if name == "" {
			name = attributeNames[i].name
		}
		if all != "" {
			all += ", "
		}
		all += name
	}
	return all
}

// mostShown is how much of a hole is shown to people.
const mostShown = 40

// holes are the holes of the texts that left an attribute open, for people.
func (f *frame) holes(a answer, of attribute) string {
	var list []string
	for i, t := range f.texts {
		if t.of != of || a&(1<<(textBits+i)) == 0 {
			continue
		}
		for _, hole := range partial.New(t.text).Holes {
			hole = partial.Plain(hole)
			if len(hole) > mostShown {
				hole = strings.ToValidUTF8(hole[:mostShown], "") + "..."
			}
			if len(list) < 4 && !strings.Contains(strings.Join(list, " "), hole) {
				list = append(list, hole)
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "the value of " + strings.Join(list, " and ")
}

// fail records a failure.
func (f *frame) fail(err error) answer {
	if last := len(f.failures) - 1; last < 0 || f.failures[last].Error() != err.Error() {
		f.failures = append(f.failures, err)
	}
	return 1<<failedBit | answer(len(f.failures)-1)
}

// failure is the error of an answer that is one.
func (f *frame) failure(a answer) error {
	if f.steps < 0 {
		return ErrCost
	}
	return f.failures[a&^(1<<failedBit|1<<missingBit)]
}

// mostSaid is how much of a message of CEL's functions is kept: it can quote what
// is judged.
const mostSaid = 300

// failed records the failure of a function of CEL.
func (f *frame) failed(err *types.Err) answer {
	said := err.Error()
	if strings.HasPrefix(said, "no such overload") {
		return f.fail(errOtherType)
	}
	if len(said) > mostSaid {
		said = strings.ToValidUTF8(said[:mostSaid], "") + "..."
	}
	if key, ok := strings.CutPrefix(said, "no such key: "); ok { // CEL has no type for it
		return f.missing(key)
	}
	return f.fail(errors.New("rule: " + said))
}

// missing is the failure of a key that a map does not have, or an element that a list
// does not have.
func (f *frame) missing(key string) answer {
	if len(key) > mostSaid {
		key = strings.ToValidUTF8(key[:mostSaid], "") + "..."
	}
	return f.fail(fmt.Errorf("%w: %s", ErrMissingKey, key)) | 1<<missingBit
}

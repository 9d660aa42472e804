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

// ofLists are the attributes that are lists of which a part may not be known.
const ofLists answer = 1<<(unknownBits+someCommands) | 1<<(unknownBits+someEffects) | 1<<(unknownBits+someReads) |
	1<<(unknownBits+someWrites) | 1<<(unknownBits+someURLs) | 1<<(unknownBits+commandArgs)

// isOfLists reports whether an incomplete list is among what is unknown.
func (a answer) isOfLists() bool { return a.isUnknown() && a&ofLists != 0 }

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

// merge combines two answers of which neither decides by itself: that something is not
// there, else what is unknown of both, else the first failure, else rest.
func merge(a, b, rest answer) answer {
	switch {
	case a.isMissing():
		return a
	case b.isMissing():
		return b
	case a.isUnknown() && b.isUnknown():
		return a | b
	case a.isUnknown():
		return a
	case b.isUnknown():
		return b
	case a.isFailed():
		return a
	case b.isFailed():
		return b
	default:
		return rest
	}
}

// failsFirst combines the answers of two operands that are both needed, as CEL's
// operators == and != do: a failure, else what is unknown of both, else yes.
func failsFirst(a, b answer) answer {
	switch {
	case a.isMissing() || b.isMissing():
		return merge(a, b, yes)
	case a.isFailed():
		return a
	case b.isFailed():
		return b
	default:
		return merge(a, b, yes)
	}
}

// inOrder is the same as CEL's functions do it: what is unknown of the first one
// comes before a failure of the second.
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

// whole is the answer of what needs all of a text.
func (f *frame) whole(text string, a answer) answer {
	if a == partly {
		return f.note(textPart, text)
	}
	return a
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
			name = attributeNames[i]
		}
		switch {
		case all == "":
			all = name
		case !strings.Contains(all+",", name+","): // of a value, one thing is as unknown as another
			all += ", " + name
		}
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

var errOtherType = errors.New("rule: a value has another type than the one that it is compared or used with: ask for it first, as in type(call.args.n) == int")

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

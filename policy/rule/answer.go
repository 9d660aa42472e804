package rule

import (
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// answer is the value of a part of an expression that is evaluated without CEL:
// no, yes, open (only CEL can tell), or the set of unknown attributes that it
// depends on.
type answer uint32

const (
	no  answer = 0
	yes answer = 1
	// open: it may be anything, including an error.
	open answer = 2
	// unknownBits is where the set of unknown attributes begins.
	unknownBits = 2
)

// unknownOf is the answer that depends on an attribute.
func unknownOf(a attribute) answer { return 1 << (unknownBits + a) }

func (a answer) isUnknown() bool { return a >= 1<<unknownBits }

// what names the unknown attributes, in the order of whatWasUnknown.
func (a answer) what() string {
	var names []string
	for i := range attributes {
		if a&unknownOf(i) != 0 {
			names = append(names, attributeNames[i])
		}
	}
	return strings.Join(names, ", ")
}

// isOfLists reports whether an incomplete list is among what is unknown.
func (a answer) isOfLists() bool {
	return a.isUnknown() && a&(unknownOf(someCommands)|unknownOf(someEffects)|unknownOf(someReads)|unknownOf(someWrites)|unknownOf(someURLs)|unknownOf(commandArgs)) != 0
}

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

// not is CEL's "!".
func (a answer) not() answer {
	switch a {
	case no:
		return yes
	case yes:
		return no
	default:
		return a
	}
}

// merge combines two answers of which neither decides by itself: open if one
// is, else the unknown attributes of both, else rest.
func merge(a, b, rest answer) answer {
	switch {
	case a == open || b == open:
		return open
	case a.isUnknown() && b.isUnknown():
		return a | b
	case a.isUnknown():
		return a
	case b.isUnknown():
		return b
	default:
		return rest
	}
}

// answerFrom turns a CEL value into an answer.
func answerFrom(value ref.Val) answer {
	switch v := value.(type) {
	case types.Bool:
		return answerOf(bool(v))
	case *types.Unknown:
		return unknownFrom(v)
	default:
		return open
	}
}

func unknownFrom(u *types.Unknown) answer {
	var all answer
	for _, id := range u.IDs() {
		all |= unknownOf(attribute(id))
	}
	return all
}

package rule

import "github.com/sluice-project/sluice/policy/effect"

// CEL can express anything but is slow. The common constructs of conditions
// (commands by name, flags, comparisons of texts with constants) are translated
// to a tree of nodes when a condition is compiled, and evaluated without CEL. A
// part that has no such form is open; CEL is used only if the answer depends on
// one. So a tree can be incomplete, and its answers are always those of CEL.

// op is what a node does.
type op uint8

const (
	// Conditions.
	opOpen op = iota // only CEL can tell
	opConst
	opAnd
	opOr
	opNot
	opSome // an element of a list for which the condition kids[0] holds
	opAll
	opIs       // the command is one of names
	opHas      // the command has the flag text
	opSudo     // the command runs as another user
	opRemote   // the command runs on another machine
	opEffectIs // the effect in slot has the mark
	opTouches  // the effect in slot touches one of the paths
	opAround   // one of the paths is inside the object of the effect in slot
	opTold     // an argument of the command is one of the paths
	opCarries  // the effect in slot takes or sends one of the paths
	opWithin   // all of the effect in slot is in one of the directories
	opKnows    // has(session.field)
	opEqual    // two texts
	opIn       // a text is in a list
	opPrefix   // a text starts with another
	opSuffix   // ... ends
	opContains // ... contains
	opMatches  // a text matches the pattern
	opUnder    // a path is in another
	opGlob     // a path matches a glob
	opSize     // the size of a list is compared with the number
	opLength   // the length of a text is compared with the number

	// Texts.
	opText     // a constant
	opLocal    // the local variable in slot
	opField    // a field of the call
	opOfSlot   // a field of the command in slot
	opOfEffect // a field of the effect in slot
	opFlag     // the value of a flag of the command in slot
	opSession  // a field of the session
	opJoined   // one text after another
	opElement  // the element of a list with a number; -1 is the last
	opHost     // the host of a URL

	// Lists.
	opNames    // constants
	opFiles    // a list of the call
	opArgs     // the arguments of the command in slot
	opEnv      // the variables of the command in slot
	opCommands // the commands of the call
	opEffects  // the effects of the call
)

// node is a part of a condition.
type node struct {
	op     op
	answer answer // of opConst, and of opSession if the field is empty
	slot   int    // of the command or variable that it refers to
	kids   []*node
	text   string   // a constant, or the name of a flag or field
	names  []string // constants
	number int      // of an element, or that a size is compared with
	// compare compares a size with the number.
	compare func(size, number int) bool
	// get and list are a field of the call or the session, effectText and
	// effectMark one of an effect.
	get        func(*view) string
	list       func(*view) ([]string, answer)
	effectText func(*effect.Effect) string
	effectMark func(*effect.Effect) bool
	// pattern is what a text must match. If it is not a constant, patterns are
	// the possible ones, by the value of the local variable in slot.
	pattern  *pattern
	patterns patterns
	byName   *byName       // of opSome and opAll over commands and effects
	paths    *effect.Paths // of opTouches, opAround, opTold and opCarries
	dirs     *effect.Dirs  // of opWithin
	// written: texts of which a part is not known are compared as they are
	// written. Otherwise CEL is asked where there is one.
	written bool
}

package rule

import (
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/pattern"
	"github.com/sluice-project/sluice/policy/invocation"
)

// An expression that CEL has parsed and checked is translated to a tree of nodes,
// which is what evaluates it. Conditions, texts and lists, which is what policies
// are made of, have nodes that allocate nothing; all other values are those of
// CEL, and the functions on them are those of its library.

// op is what a node does.
type op uint8

const (
	// Conditions.
	opConst op = iota
	opAnd
	opOr
	opNot
	opSome // an element of a list for which the condition kids[0] holds
	opAll
	opOne
	opIs        // the command is one of names
	opHas       // the command has a flag
	opCommandIs // the command has the mark
	opEffectIs  // the effect has the mark
	opTouches   // the effect touches one of the paths
	opAround    // one of the paths is inside the object of the effect
	opTold      // an argument of the command is one of the paths
	opCarries   // the effect takes or sends one of the paths
	opWithin    // all of the effect is in one of the directories
	opKnows     // has(session.field)
	opEqual     // two texts
	opIn        // a value is in a list
	opPrefix    // a text starts with another
	opSuffix    // ... ends
	opContains  // ... contains
	opMatches   // a text matches the pattern
	opUnder     // a path is in another
	opGlob      // a path matches a glob
	opSize      // the size of a list is compared with the number
	opLength    // the length of a text is compared with the number

	// Texts.
	opText     // a constant
	opLocal    // the local variable in slot, which need not be a text
	opField    // a field of a global variable
	opOfSlot   // a field of a command
	opOfEffect // a field of an effect
	opArea     // where an effect takes place
	opFlag     // the value of a flag of a command
	opJoined   // one text after another
	opElement  // the element of a list with a number; -1 is the last
	opOfEnv    // a variable of a command
	opHost     // the host of a URL

	// Lists.
	opNames    // constants
	opFiles    // a list of texts of a global variable
	opArgs     // the arguments of a command
	opOperands // those that are no options
	opFlags    // the values of a flag of a command
	opCommands // the commands of the call
	opBelow    // the effects of a command
	opEffects  // the effects of the call

	// Other values, and conditions that are rare or expensive.
	opValue    // a constant
	opVariable // a global variable
	opMark     // a field of a global variable
	opGlobal   // the same, of any type
	opEnv      // the variables of a command
	opMessage  // a field of a message
	opSelect   // the value of a key
	opPresent  // whether there is a value of a key
	opIndex    // an element of a list, or the value of a key
	opList     // a list of the kids
	opMap      // a map of keys and values
	opMapped   // what kids[2] is for the elements for which kids[0], if any, holds
	opCount    // the size of a list
	opSame     // two values are equal
	opChoice   // kids[0] ? kids[1] : kids[2]
	opSuspicious
	opPast // what the past says of a text
	opCall // a function of CEL
)

// node is a part of an expression.
type node struct {
	op     op
	answer answer // of opConst
	slot   int    // of the command, effect or variable that it refers to, -1 if of is it
	of     *node  // the object that it is a field of, nil if that is in a slot or global
	kids   []*node
	// mixed: of the kids of opAnd and opOr, some are late: evaluated last, for what
	// is cheap often decides.
	mixed, late bool
	isBool      bool     // its type is that of conditions
	ofTool      bool     // of opEqual, opIn and opSame: names of tools or servers are compared, whose spelling does not count
	ofPath      bool     // of opUnder and opGlob: it is a path of the call, in which wildcards stand for names
	path        side     // of opEqual, opPrefix and opIn: the side that is a path, so that ~/ means the home to the other
	text        string   // a constant, or the name of a flag or field
	names       []string // constants
	number      int      // of an element, or that a size is compared with
	// compare compares a size with the number.
	compare func(size, number int) bool
	*field  // that it is
	// pattern is what a text must match. If it is not a constant, patterns are
	// the possible ones, by the value of the local variable in slot.
	pattern  *pattern.Pattern
	patterns map[string]*pattern.Pattern
	byName   *byName       // of opSome and opAll over commands and effects
	paths    *effect.Paths // of opTouches, opAround, opTold and opCarries, if they are constants
	dirs     *effect.Dirs  // of opWithin, if they are constants
	value    ref.Val       // of opValue
	past     pastFunction  // of opPast
	function *functions.Overload
}

// mostSlots is how many local variables can be in scope at once.
const mostSlots = mostNesting

// slot is a local variable: a command, an effect, a text or another value.
type slot struct {
	command *invocation.Command
	effect  *effect.Effect
	value   ref.Val
	text    string
	// It is partly for a text that is known in part, and unknown for an element
	// about which nothing is known.
	is answer
	// subs are the subcommands that a command may have, nil if nobody asked; each is set
	// while they are looked at one by one, reading is the one in turn.
	subs    []string
	each    bool
	reading int
	// operands are the ways to read the operands, and way is the one in turn.
	operands [][]int
	way      int
}

// frame is one evaluation.
type frame struct {
	view           *view // nil if nothing is known
	params         ref.Val
	known, written bool // use the known part of incomplete lists, and texts as they are written
	steps          int  // remaining budget
	slots          [mostSlots]slot
	// path is a cache of the last path looked up: usually several sets are
	// asked about the same one.
	path     effect.Path
	texts    []partText
	failures []error
}

// spend uses up steps, and reports whether there were enough. If not, all that is
// evaluated fails from then on.
func (f *frame) spend(n int) bool {
	f.steps -= n
	return f.steps >= 0
}

// tooMuch is the answer of what costs too much.
const tooMuch answer = 1 << failedBit

// place is where the client is.
func (f *frame) place() effect.Place {
	return effect.Place{Cwd: f.view.exchange.Session.Cwd, Home: f.view.exchange.Session.Home}
}

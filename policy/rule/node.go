package rule

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/pattern"
)

// An expression that CEL has parsed and checked is translated to a tree of nodes,
// which is what evaluates it. Conditions, texts and lists, which is what policies
// are made of, have nodes that allocate nothing; all other values are those of
// CEL, and the functions on them are those of its library.

// op is what a node does with its kids. A method has what it is called on as its first
// kid, and so has a field of a command, an effect or a message.
type op uint8

const (
	// Conditions.
	opConst op = iota
	opAnd
	opOr
	opNot
	opSome // an element of the list kids[0] for which the condition kids[1] holds
	opAll
	opIs       // the command is one of names
	opHas      // the command has a flag
	opTouches  // the effect touches one of the paths
	opAround   // one of the paths is inside the object of the effect
	opCarries  // the effect takes or sends one of the paths
	opWithin   // all of the effect is in one of the directories
	opTold     // an argument of the command is one of the paths
	opKnows    // has(session.field)
	opEqual    // two values
	opIn       // a value is in a list, or is the key of a map
	opPrefix   // a text starts with another
	opSuffix   // ... ends
	opContains // ... contains
	opMatches  // a text matches a pattern
	opUnder    // a path is in another
	opGlob     // a path matches a glob
	opSize     // the size of a list or a text is compared with the number

	// Texts and other values that cost little.
	opText     // a constant
	opLocal    // the local variable in slot
	opField    // a field of a global variable
	opOfOne    // a field of a command, an effect or a message
	opSub      // the subcommand of a command
	opArea     // where an effect takes place
	opFlag     // the value of a flag of a command
	opJoined   // one text after another
	opElement  // an element of a list, or the value of a key
	opHost     // the host of a URL
	opNames    // a list of constants
	opFiles    // a list of texts of a global variable
	opArgs     // the arguments of a command
	opOperands // those that are no options
	opFlags    // the values of a flag of a command
	opCommands // the commands of the call
	opBelow    // the effects of a command
	opEffects  // the effects of the call

	// What is rare or expensive.
	opValue    // a constant
	opVariable // a global variable
	opGlobal   // a field of one that takes time
	opEnv      // the variables of a command
	opPresent  // whether there is a value of a key
	opList     // a list of the kids
	opMap      // a map of keys and values
	opMapped   // what kids[2] is for the elements of kids[0] for which kids[1] holds
	opCount    // the size of a list or a text
	opChoice   // kids[0] ? kids[1] : kids[2]
	opSuspicious
	opPast // what the past says of a text
	opCall // a function of CEL
)

func (o op) isCondition() bool { return o < opText }
func (o op) isRare() bool      { return o >= opValue }

// isList reports whether a node is a list of which a part may not be known.
func (o op) isList() bool {
	return opNames <= o && o <= opEffects || o == opEnv || o == opList || o == opMapped
}

// node is a part of an expression.
type node struct {
	op   op
	kids []*node
	expr ast.Expr // as it was checked
	typ  *types.Type

	answer answer   // of opConst
	slot   int      // of a local variable
	text   string   // a constant, or the name of a field or function
	names  []string // constants
	number int      // that a size is compared with
	// mixed: of the kids of opAnd and opOr, some are late: evaluated last, for what
	// is cheap often decides.
	mixed, late bool
	isPath      bool // it is a path of the call, or a list of them
	plain       bool // of opEqual and opIn: it compares no paths and no names of tools
	affirmed    bool // of opHas: see affirm
	*field           // that it is

	byName   *byName          // of opSome and opAll over commands and effects
	pattern  *pattern.Pattern // of opMatches, if it is a constant
	paths    *effect.Paths    // of opTouches, opAround, opCarries and opTold, if they are constants
	dirs     *effect.Dirs     // of opWithin, if they are constants
	value    ref.Val          // of opValue
	function *functions.Overload
}

// isOf reports whether a node is a method or a field of a local variable, and so depends on
// nothing else of the call.
func (n *node) isOf(slot int) bool {
	return len(n.kids) > 0 && n.kids[0].op == opLocal && n.kids[0].slot == slot
}

// mostSlots is how many local variables can be in scope at once.
const mostSlots = mostNesting

// readings are the ways in which a command can be read: its subcommand and its operands can depend
// on options that are not described.
type readings struct {
	each     bool     // they are looked at one by one
	subs     []string // nil if nobody asked
	operands [][]int
	sub, way int // the ones in turn
}

// frame is one evaluation.
type frame struct {
	view    *view // nil if nothing is known
	params  ref.Val
	written bool // use texts as they are written
	steps   int  // remaining budget
	// locals are the local variables, readings those of the commands among them.
	locals   [mostSlots]value
	readings [mostSlots]readings
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

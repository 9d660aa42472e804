package javascript

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/javascript/syntax"
	"github.com/sluice-project/sluice/policy/program/library"
)

// Limits. Each has a doubt of its own.
const (
	// MaxText is the length of the longest program that is read, in bytes, and
	// of the longest text that is computed.
	MaxText = 256 << 10
	// MaxSteps bounds the parts of a program and how often they are evaluated.
	MaxSteps = 50_000
	// MaxDepth is how deep expressions and statements may be nested.
	MaxDepth = syntax.MaxDepth
	// MaxCalls is how many calls and uses are collected.
	MaxCalls = 1000
)

// Reasons why something may be missing.
const (
	// Syntax: the text is no program, or uses grammar that is not read.
	Syntax = syntax.Syntax
	// Dynamic: a name or an argument is computed from something unknown.
	Dynamic = "dynamic"
	// Reach: code is made from text, or built-in objects are changed.
	Reach = syntax.Reach
	// Unseen: code runs that is not in the program.
	Unseen = "unseen"
	// Long: a text is longer than MaxText.
	Long = "long"
	// Steps: the program does more than MaxSteps.
	Steps = syntax.Steps
	// Nesting: it is nested deeper than what is read, or calls itself too deeply.
	Nesting = syntax.Nesting
	// Many: it makes more than MaxCalls calls.
	Many = "many"
)

// Unknown stands in texts for a part that is not known. A shell reads it as a
// variable that nobody sets.
const Unknown = "${__unknown}"

// Program is what a program does, in the order in which it is seen.
type Program struct {
	// Calls are calls of the client's tools: tools.name(argument).
	Calls []ToolCall
	// Uses are what else it does to the machine.
	Uses []library.Use
	// Doubt are the reasons why something may be missing, each once.
	Doubt []string
}

// ToolCall is a call of one of the client's tools.
type ToolCall struct {
	// Tool is its name, empty if it is not known.
	Tool string
	// Arguments is a JSON value, or a text if Freeform is set. What is unknown
	// in it is written as Unknown.
	Arguments string
	Freeform  bool
	// Known says that nothing in the call is unknown.
	Known bool
	// Partial are the members of the arguments with something unknown in them;
	// "..." stands for members whose names are not known.
	Partial []string
}

// Read says what a program does. It never fails; what it cannot read is in
// doubt.
func Read(text string) Program { return ReadWith(text, nil) }

// ReadWith is Read for a program that is given arguments: what process.argv
// holds behind the interpreter.
func ReadWith(text string, args []string) Program {
	e := newEvaluator()
	e.args = args
	if len(text) > MaxText {
		e.doubt(Long)
		return e.out
	}
	e.program(text)
	e.finish()
	return e.out
}

// Prints is what a program prints. shows: what its last statement gives is printed, too.
func Prints(text string, shows bool) []library.Use {
	e := newEvaluator()
	e.prints = library.Of(library.JavaScript).Way("prints")
	if last := e.program(text); shows {
		e.out.Uses = append(e.out.Uses, e.about(library.Print, last))
	}
	return e.out.Uses
}

// doubt notes a reason once.
func (e *evaluator) doubt(reason string) {
	if !slices.Contains(e.out.Doubt, reason) {
		e.out.Doubt = append(e.out.Doubt, reason)
	}
}

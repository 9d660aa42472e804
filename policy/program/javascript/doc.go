// Package javascript says what a JavaScript program would do, without running it.
//
// Models write programs as the input of a tool, and as one-liners of node, bun
// and deno. [Read] is a partial evaluator: what is known from the text alone is
// computed (variables, concatenation, templates, the usual methods of texts and
// lists, functions that are called, text that is decoded), and everything else
// is unknown. It returns the calls of the client's tools and the visible uses of
// the machine: programs that are started, files, addresses and variables.
//
// # Doubt
//
// Unknown is never harmless. A call with an argument that cannot be computed is
// returned with what is known of it, the rest written as [Unknown], and is not
// [ToolCall.Known]; [Program.Doubt] names the reasons why something may be
// missing. Both branches of a condition that is not known are read, a variable
// that has been assigned in one of them has two values, and a function that
// nobody is seen to call is read as if it were called.
//
// # Limits
//
// The work is bounded by [MaxText], [MaxSteps], [MaxDepth] and [MaxCalls]. A program that
// exceeds one of them is read up to that point, and its reading is in doubt.
package javascript

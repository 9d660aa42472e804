package javascript

// op is what a part of a program is.
type op uint8

const (
	opNone op = iota // nothing, or something that is not read

	// Expressions.
	opName     // text
	opText     // text
	opNumber   // num
	opRegexp   // text, flags in more
	opConst    // text: true, false, null, undefined
	opThis     //
	opTemplate // kids: text, expression, text, ...; raw texts in more
	opTagged   // kids: tag, template
	opArray    // kids: elements
	opObject   // kids: opEntry, opSpread
	opEntry    // text is the key, or kids[1] computes it; kids[0] is the value
	opSpread   // kids: what is spread
	opFunction // text is its name; kids: parameters (opList), body
	opClass    // text is its name; kids: parent, entries
	opUnary    // text is the operator
	opBinary   // text is the operator; two or more kids, from left to right
	opAssign   // text is the operator; kids: target, value
	opUpdate   // text is the operator
	opCond     // kids: condition, then, else
	opCall     // kids: callee, arguments
	opNew      // kids: class, arguments
	opMember   // kids: object; text is the name
	opIndex    // kids: object, key
	opAwait    // kids: promise
	opList     // expressions one after the other
	opImport   // kids: the module's name, as an expression

	// Statements.
	opBlock    // kids: statements
	opVar      // text is var, let or const; kids: opAssign or a target
	opIf       // kids: condition, then, else
	opWhile    // kids: condition, body
	opDo       // kids: body, condition
	opFor      // kids: start, condition, step, body
	opEach     // text is of or in; kids: target, list, body
	opSwitch   // kids: value, then opList of test and statements each
	opTry      // kids: body, name, handler, final
	opReturn   // kids: value
	opThrow    // kids: value
	opBreak    // text is its label
	opContinue //
	opUse      // import: text is the module; kids: opEntry with the local name
)

// node is a part of a program.
type node struct {
	op       op
	arrow    bool // a function that has no this of its own
	optional bool // ?. or ++ before its target
	text     string
	more     []string
	num      float64
	kids     []*node
}

// kid returns a part of a node, which is nothing if it is missing.
func (n *node) kid(i int) *node {
	if i < len(n.kids) && n.kids[i] != nil {
		return n.kids[i]
	}
	return &nothing
}

var nothing = node{op: opNone}

package syntax

// op is what a part of a program is.
type op uint8

const (
	OpNone op = iota // nothing, or something that is not read

	OpName     // text
	OpText     // text
	OpNumber   // num
	OpRegexp   // text, flags in more
	OpConst    // text: true, false, null, undefined
	OpThis     //
	OpTemplate // kids: text, expression, text, ...; raw texts in more
	OpTagged   // kids: tag, template
	OpArray    // kids: elements
	OpObject   // kids: opEntry, opSpread
	opEntry    // text is the key, or kids[1] computes it; kids[0] is the value
	OpSpread   // kids: what is spread
	OpFunction // text is its name; kids: parameters (opList), body
	OpClass    // text is its name; kids: parent, entries
	OpUnary    // text is the operator
	OpBinary   // text is the operator; two or more kids, from left to right
	OpAssign   // text is the operator; kids: target, value
	OpUpdate   // text is the operator
	OpCond     // kids: condition, then, else
	OpCall     // kids: callee, arguments
	OpNew      // kids: class, arguments
	OpMember   // kids: object; text is the name
	OpIndex    // kids: object, key
	OpAwait    // kids: promise
	OpList     // expressions one after the other
	OpImport   // kids: the module's name, as an expression

	OpBlock    // kids: statements
	OpVar      // text is var, let or const; kids: opAssign or a target
	OpIf       // kids: condition, then, else
	OpWhile    // kids: condition, body
	OpDo       // kids: body, condition
	OpFor      // kids: start, condition, step, body
	OpEach     // text is of or in; kids: target, list, body
	OpSwitch   // kids: value, then opList of test and statements each
	OpTry      // kids: body, name, handler, final
	OpReturn   // kids: value
	OpThrow    // kids: value
	OpBreak    // text is its label
	OpContinue //
	OpUse      // import: text is the module; kids: opEntry with the local name
)

// Node is a part of a program.
type Node struct {
	Op       op
	Arrow    bool // a function that has no this of its own
	Optional bool // ?. or ++ before its target
	Text     string
	More     []string
	Num      float64
	Kids     []*Node
}

// Kid returns a part of a node, which is nothing if it is missing.
func (n *Node) Kid(i int) *Node {
	if i < len(n.Kids) && n.Kids[i] != nil {
		return n.Kids[i]
	}
	return &Nothing
}

// Nothing is a part that is missing.
var Nothing = Node{Op: OpNone}

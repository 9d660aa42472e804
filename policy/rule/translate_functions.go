package rule

import (
	"slices"

	"cel.dev/cel-go/common/ast"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/vocabulary"
)

// own is a function that this package declares, nil if it is none.
func (t *translator) own(c ast.CallExpr) *node {
	args := c.Args()
	switch name := c.FunctionName(); name {
	case "@touches", "@carries", "@around", "@names":
		op := map[string]op{"@touches": opTouches, "@carries": opCarries, "@around": opAround, "@names": opTold}[name]
		return t.ofPaths(op, args)
	case "@within", "@outside":
		n := t.ofPaths(opWithin, args)
		if name == "@outside" {
			return &node{op: opNot, kids: []*node{n}}
		}
		return n
	case "@under":
		return &node{op: opUnder, ofPath: t.isPath(args[0]), kids: t.nodes(args[0], args[1])}
	case "@glob":
		return &node{op: opGlob, ofPath: t.isPath(args[0]), kids: t.nodes(args[0], args[1])}
	}
	if !c.IsMemberFunction() {
		return nil
	}
	switch name := c.FunctionName(); name {
	case "is", "has", "flag", "flags":
		op := map[string]op{"is": opIs, "has": opHas, "flag": opFlag, "flags": opFlags}[name]
		return t.ofCommand(op, c)
	case "startsWith", "endsWith", "contains":
		op := map[string]op{"startsWith": opPrefix, "endsWith": opSuffix, "contains": opContains}[name]
		n := &node{op: op, kids: t.nodes(c.Target(), args[0])}
		if op == opPrefix {
			return t.withPath(n, c.Target(), args[0])
		}
		return n
	case "host":
		return &node{op: opHost, kids: t.nodes(c.Target())}
	case "suspicious":
		return &node{op: opSuspicious, kids: t.nodes(c.Target())}
	case "copied", "leaks":
		return t.about(&node{op: opPast, past: pastFunctions[name], kids: t.nodes(args[0])}, c.Target(), advice.PastType)
	}
	return nil
}

// ofCommand is a function of a command with names.
func (t *translator) ofCommand(op op, c ast.CallExpr) *node {
	n := t.about(&node{op: op, field: openField}, c.Target(), advice.CommandType)
	for _, arg := range c.Args() {
		names, ok := celtree.StringLiterals(arg)
		if !ok {
			n.names, n.kids = nil, t.nodes(c.Args()...)
			return n
		}
		for _, name := range names {
			n.names = append(n.names, name)
			if op == opIs {
				n.names = append(n.names, vocabulary.Versions(name)...)
			}
		}
	}
	if op != opIs {
		n.text = n.names[0]
		return n
	}
	for _, name := range n.names {
		for _, same := range t.programs.SameAs(name) {
			if !slices.Contains(n.names, same) {
				n.names = append(n.names, same)
			}
		}
	}
	return n
}

// openField is what the texts of flags are: they may be known in part.
var openField = &field{open: true}

// ofPaths is a test of an effect or a command against paths.
func (t *translator) ofPaths(op op, args []ast.Expr) *node {
	of := advice.EffectType
	if op == opTold {
		of = advice.CommandType
	}
	n := t.about(&node{op: op}, args[0], of)
	switch patterns, constant := celtree.StringLiterals(args[1]); {
	case !constant:
		n.kids = t.nodes(args[1])
	case op == opWithin:
		n.dirs = effect.NewDirs(patterns)
	default:
		n.paths = effect.NewPaths(patterns)
	}
	return n
}

// library is a function of CEL's library.
func (t *translator) library(e ast.Expr) *node {
	c := e.AsCall()
	n := &node{op: opCall, text: c.FunctionName()}
	if c.IsMemberFunction() {
		n.kids = append(n.kids, t.node(c.Target()))
	}
	n.kids = append(n.kids, t.nodes(c.Args()...)...)
	known, err := functionsOfCEL()
	if err != nil {
		return t.refuse(e, "", "%v", err)
	}
	if reference := t.ast.ReferenceMap()[e.ID()]; reference != nil && len(reference.OverloadIDs) == 1 {
		n.function = known[reference.OverloadIDs[0]]
	}
	if n.function == nil {
		n.function = known[n.text]
	}
	if n.function == nil {
		return t.refuse(e, "", "there is no function %q", n.text)
	}
	return n
}

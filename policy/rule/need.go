package rule

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/shell"
)

// Most calls have nothing to do with most expressions. A need is something
// without which an expression is certainly false: not unknown, and no error.
// Needs are read off the expression once and tested without CEL.
type need struct {
	what  what
	names []string // for kind, name and program
}

type what uint8

const (
	hasKind     what = iota // call.kind is one of the names
	hasName                 // call.name is one of the names
	hasProgram              // a command's name is one of the names
	hasCommands             // call.commands has elements
	hasReads
	hasWrites
	hasURLs
)

var listNeeds = map[string]what{"commands": hasCommands, "reads": hasReads, "writes": hasWrites, "urls": hasURLs}

// met reports whether a need is met or, as a list is incomplete, may be.
func (n *need) met(v *view) bool {
	c := v.read()
	switch n.what {
	case hasKind:
		return slices.Contains(n.names, string(c.Kind))
	case hasName:
		return slices.Contains(n.names, c.Name)
	case hasProgram:
		return c.Incomplete.Commands || slices.ContainsFunc(c.Commands, func(command shell.Command) bool {
			return slices.Contains(n.names, command.Name)
		})
	case hasCommands:
		return c.Incomplete.Commands || len(c.Commands) > 0
	case hasReads:
		return c.Incomplete.Reads || len(c.Reads) > 0
	case hasWrites:
		return c.Incomplete.Writes || len(c.Writes) > 0
	case hasURLs:
		return c.Incomplete.URLs || len(c.URLs) > 0
	default:
		return true
	}
}

// needsOf returns what a boolean expression needs to be anything but false.
func needsOf(a *ast.AST, e ast.Expr) []need {
	if list, local, predicate, ok := exists(e); ok {
		return needsOfExists(a, list, local, predicate)
	}
	if e.Kind() != ast.CallKind {
		return nil
	}
	c := e.AsCall()
	args := c.Args()
	switch c.FunctionName() {
	case operators.LogicalAnd:
		var all []need
		for _, arg := range args {
			all = append(all, needsOf(a, arg)...)
		}
		return all
	case operators.LogicalOr:
		common := needsOf(a, args[0])
		for _, arg := range args[1:] {
			common = inCommon(common, needsOf(a, arg))
		}
		return common
	case operators.Equals:
		if n, ok := oneOf(a, args[0], args[1]); ok {
			return n
		}
		n, _ := oneOf(a, args[1], args[0])
		return n
	case operators.In:
		if field, ok := callField(a, args[1]); ok {
			return listNeed(field)
		}
		n, _ := oneOf(a, args[0], args[1])
		return n
	case operators.Greater, operators.GreaterEquals:
		if list, ok := sizeOf(args[0]); ok && isAtLeast(args[1], c.FunctionName()) {
			if field, ok := callField(a, list); ok {
				return listNeed(field)
			}
		}
	}
	return nil
}

// needsOfExists: an element must exist, and the predicate must hold for it.
// That is only said of ranges that are never unknown as a whole nor an error.
func needsOfExists(a *ast.AST, list ast.Expr, local string, predicate ast.Expr) []need {
	field, isField := callField(a, list)
	if !isField && list.Kind() != ast.ListKind {
		return nil
	}
	if list.Kind() == ast.ListKind && slices.ContainsFunc(list.AsList().Elements(), func(e ast.Expr) bool {
		return e.Kind() != ast.LiteralKind
	}) {
		return nil
	}
	needs := needsOf(a, predicate)
	if isField {
		needs = append(needs, listNeed(field)...)
		if names, ok := programs(a, predicate, local); ok && field == "commands" {
			needs = append(needs, need{hasProgram, names})
		}
	}
	return needs
}

// programs returns the names of which a command needs one for a predicate
// about it to be anything but false.
func programs(a *ast.AST, e ast.Expr, local string) ([]string, bool) {
	if e.Kind() != ast.CallKind {
		return nil, false
	}
	c := e.AsCall()
	switch c.FunctionName() {
	case operators.LogicalAnd:
		for _, arg := range c.Args() {
			if names, ok := programs(a, arg, local); ok {
				return names, true
			}
		}
	case operators.LogicalOr:
		var all []string
		for _, arg := range c.Args() {
			names, ok := programs(a, arg, local)
			if !ok {
				return nil, false
			}
			all = append(all, names...)
		}
		return all, true
	case "is":
		if !c.IsMemberFunction() || !isGlobal(c.Target(), local) {
			return nil, false
		}
		var all []string
		for _, arg := range c.Args() {
			names, ok := stringLiterals(arg)
			if !ok {
				return nil, false
			}
			all = append(all, names...)
		}
		return all, true
	case operators.Equals, operators.In:
		if field, ok := selectOf(a, c.Args()[0], commandType); ok && field == "name" &&
			isGlobal(c.Args()[0].AsSelect().Operand(), local) {
			return stringLiterals(c.Args()[1])
		}
	}
	return nil, false
}

// oneOf: a field of the call must be one of some constants.
func oneOf(a *ast.AST, left, right ast.Expr) ([]need, bool) {
	field, ok := callField(a, left)
	if !ok || field != "kind" && field != "name" {
		return nil, false
	}
	names, ok := stringLiterals(right)
	if !ok {
		return nil, false
	}
	if field == "kind" {
		return []need{{hasKind, names}}, true
	}
	return []need{{hasName, names}}, true
}

func listNeed(field string) []need {
	if what, ok := listNeeds[field]; ok {
		return []need{{what: what}}
	}
	return nil
}

// sizeOf returns the list whose size an expression is.
func sizeOf(e ast.Expr) (ast.Expr, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "size" {
		return nil, false
	}
	if c := e.AsCall(); c.IsMemberFunction() {
		return c.Target(), len(c.Args()) == 0
	}
	return e.AsCall().Args()[0], len(e.AsCall().Args()) == 1
}

// isAtLeast reports whether being greater than a constant, or greater or
// equal, means to be at least one.
func isAtLeast(e ast.Expr, operator string) bool {
	if e.Kind() != ast.LiteralKind {
		return false
	}
	n, ok := e.AsLiteral().(types.Int)
	return ok && (n >= 1 || n == 0 && operator == operators.Greater)
}

// inCommon returns what both alternatives need.
func inCommon(some, others []need) []need {
	var common []need
	for _, n := range some {
		for _, o := range others {
			if both, ok := either(n, o); ok {
				common = append(common, both)
			}
		}
	}
	return common
}

// either returns what is needed if one of two needs must be met.
func either(n, o need) (need, bool) {
	switch {
	case n.what == o.what:
		return need{n.what, slices.Concat(n.names, o.names)}, true
	case n.what == hasProgram && o.what == hasCommands, n.what == hasCommands && o.what == hasProgram:
		return need{what: hasCommands}, true
	default:
		return need{}, false
	}
}

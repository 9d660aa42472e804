package params

import (
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
	"github.com/sluice-project/sluice/policy/internal/vocabulary"
)

// mostInlined is the maximum length of a list that is inlined into an expression.
const mostInlined = 1024

// Nested returns the parameters as a map in which "git.protected" can also
// be reached as params.git.protected, unless that is another parameter.
func Nested(params map[string]any) map[string]any {
	all := maps.Clone(params)
	if all == nil {
		all = map[string]any{}
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		parts := strings.Split(name, ".")
		inner := all
		for _, part := range parts[:len(parts)-1] {
			next, taken := inner[part]
			if !taken {
				next = nested{}
				inner[part] = next
			}
			deeper, ok := next.(nested)
			if !ok {
				inner = nil
				break
			}
			inner = deeper
		}
		if last := parts[len(parts)-1]; inner != nil && len(parts) > 1 {
			if _, taken := inner[last]; !taken {
				inner[last] = params[name]
			}
		}
	}
	return flatten(all)
}

// nested is a level made by a dotted name, as opposed to a parameter that is a
// map itself.
type nested map[string]any

// flatten converts the levels to plain maps.
func flatten(level map[string]any) map[string]any {
	for name, value := range level {
		if inner, ok := value.(nested); ok {
			level[name] = flatten(inner)
		}
	}
	return level
}

// Inline inlines the values of params.name and params["name"] into a
// parsed expression, so that their types are checked with it and patterns and
// lists are prepared once. Values other than scalars and lists of scalars are
// not inlined. A parameter that does not exist is an error. used reports
// whether there are any.
func Inline(a *ast.AST, params map[string]any) (used bool, failure *advice.Error) {
	nextID := ast.MaxID(a) + 1
	factory := ast.NewExprFactory()
	var visit func(e ast.Expr)
	visit = func(e ast.Expr) {
		path, presence, ok := paramPath(e)
		if !ok {
			for _, child := range celtree.Children(e) {
				visit(child)
			}
			return
		}
		used = true
		value, missing, level := lookUp(params, path)
		switch {
		case presence:
			e.SetKindCase(factory.NewLiteral(e.ID(), types.Bool(missing == "")))
		case missing != "" && failure == nil:
			failure = advice.ErrorAt(a, e.ID(), vocabulary.DidYouMean(missing, slices.Collect(maps.Keys(level))), "there is no parameter %q", missing)
		case missing == "":
			written, ok := literal(factory, e.ID(), &nextID, a.SourceInfo(), celvalue.Adapter{}.NativeToValue(value))
			if ok {
				e.SetKindCase(written)
			}
		}
	}
	visit(a.Expr())
	return used, failure
}

// paramPath returns the names by which an expression reaches into params.
func paramPath(e ast.Expr) (path []string, presence, ok bool) {
	for {
		switch e.Kind() {
		case ast.IdentKind:
			slices.Reverse(path)
			return path, presence, len(path) > 0 && e.AsIdent() == "params"
		case ast.SelectKind:
			s := e.AsSelect()
			presence = presence || s.IsTestOnly()
			path = append(path, s.FieldName())
			e = s.Operand()
		case ast.CallKind:
			c := e.AsCall()
			if c.FunctionName() != operators.Index || len(c.Args()) != 2 {
				return nil, false, false
			}
			key, isText := celtree.StringLiteral(c.Args()[1])
			if !isText {
				return nil, false, false
			}
			path = append(path, key)
			e = c.Args()[0]
		default:
			return nil, false, false
		}
	}
}

// lookUp follows a path; missing is the name that does not exist and level what
// exists next to it. Fields of a parameter that is not a map are left to the
// type check.
func lookUp(params map[string]any, path []string) (value any, missing string, level map[string]any) {
	value = params
	for _, name := range path {
		inner, ok := value.(map[string]any)
		if !ok {
			return nil, name, nil
		}
		if value, ok = inner[name]; !ok {
			return nil, name, inner
		}
	}
	return value, "", nil
}

// literal writes a value as an expression.
func literal(factory ast.ExprFactory, id int64, nextID *int64, info *ast.SourceInfo, value ref.Val) (ast.Expr, bool) {
	switch v := value.(type) {
	case types.String, types.Bool, types.Int, types.Double:
		return factory.NewLiteral(id, v), true
	case traits.Lister:
		var elements []ast.Expr
		at, _ := info.GetOffsetRange(id)
		for it := v.Iterator(); it.HasNext() == types.True; {
			element := it.Next()
			if _, nestedList := element.(traits.Lister); nestedList || len(elements) == mostInlined {
				return nil, false
			}
			elementID := *nextID
			*nextID++
			info.SetOffsetRange(elementID, at)
			written, ok := literal(factory, elementID, nextID, info, element)
			if !ok || len(elements) > 0 && elements[0].AsLiteral().Type() != element.Type() {
				return nil, false
			}
			elements = append(elements, written)
		}
		return factory.NewList(id, elements, nil), true
	default:
		return nil, false
	}
}

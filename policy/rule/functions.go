package rule

import (
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celfunc"
)

// methods are the functions that expressions can call beyond CEL's own functions, and that nodes
// of their own evaluate: what they are called on, what they are given and what they return. What
// those of paths return depends on where the client is.
var methods = []struct {
	name, overload string
	of, with, is   *cel.Type
	op             op
	ofPaths        bool
}{
	{"has", "command_has", advice.CommandType, cel.StringType, cel.BoolType, opHas, false}, // a CEL macro for one argument; as a method the name is free
	{"flag", "command_flag", advice.CommandType, cel.StringType, cel.StringType, opFlag, false},
	{"flags", "command_flags", advice.CommandType, cel.StringType, advice.StringsType, opFlags, false},
	{"names", "command_names", advice.CommandType, advice.StringsType, cel.BoolType, opTold, true},
	{"touches", "effect_touches", advice.EffectType, advice.StringsType, cel.BoolType, opTouches, true},
	{"around", "effect_around", advice.EffectType, advice.StringsType, cel.BoolType, opAround, true},
	{"carries", "effect_carries", advice.EffectType, advice.StringsType, cel.BoolType, opCarries, true},
	{"within", "effect_within", advice.EffectType, advice.StringsType, cel.BoolType, opWithin, true},
	{"outside", "effect_outside", advice.EffectType, advice.StringsType, cel.BoolType, opWithin, true}, // negated
	{"under", "path_under", cel.StringType, cel.StringType, cel.BoolType, opUnder, true},
	{"glob", "path_glob", cel.StringType, cel.StringType, cel.BoolType, opGlob, true},
	{"host", "url_host", cel.StringType, nil, cel.StringType, opHost, false},
	{"suspicious", "text_suspicious", cel.StringType, nil, cel.BoolType, opSuspicious, false},
	{"leaks", "past_leaks", advice.PastType, cel.StringType, cel.BoolType, opPast, false},
	{"copied", "past_copied", advice.PastType, cel.StringType, cel.BoolType, opPast, false},
}

// nodesOf are the functions and operators that have nodes of their own. Those of CEL have them
// for texts.
var nodesOf = func() map[string]op {
	all := map[string]op{
		operators.LogicalAnd: opAnd, operators.LogicalOr: opOr, operators.LogicalNot: opNot, operators.Conditional: opChoice,
		operators.Equals: opEqual, operators.NotEquals: opEqual, operators.In: opIn, operators.Index: opElement,
		"startsWith": opPrefix, "endsWith": opSuffix, "contains": opContains, "matches": opMatches, "is": opIs,
	}
	for _, m := range methods {
		name := m.name
		if m.ofPaths {
			name = "@" + name
		}
		all[name] = m.op
	}
	return all
}()

// mostNames is how many program names c.is() takes.
const mostNames = 12

// ownFunctions declares the functions.
func ownFunctions() []cel.EnvOption {
	text, command := cel.StringType, advice.CommandType
	is := []cel.FunctionOpt{cel.MemberOverload("command_is_list", []*cel.Type{command, advice.StringsType}, cel.BoolType)}
	signature := []*cel.Type{command}
	for n := 1; n <= mostNames; n++ {
		signature = append(signature, text)
		is = append(is, cel.MemberOverload(fmt.Sprintf("command_is_%d", n), signature[:n+1:n+1], cel.BoolType))
	}
	options := []cel.EnvOption{
		cel.Function("is", is...),
		cel.Function("finds", cel.MemberOverload("text_finds", []*cel.Type{text, text}, cel.BoolType, cel.BinaryBinding(celfunc.Finds))),
		cel.Function("sum", cel.MemberOverload("numbers_sum", []*cel.Type{cel.ListType(cel.DynType)}, cel.DynType, cel.UnaryBinding(celfunc.Sum))),

		// The same as in CEL's strings extension, with a limit on the result:
		// CEL counts its cost only afterwards.
		cel.Function("replace",
			cel.MemberOverload("string_replace_string_string", []*cel.Type{text, text, text}, text,
				cel.FunctionBinding(celfunc.Replace)),
			cel.MemberOverload("string_replace_string_string_int", []*cel.Type{text, text, text, cel.IntType}, text,
				cel.FunctionBinding(celfunc.Replace))),
		cel.Function("join",
			cel.MemberOverload("list_join", []*cel.Type{advice.StringsType}, text,
				cel.UnaryBinding(func(list ref.Val) ref.Val { return celfunc.Join(list, types.String("")) })),
			cel.MemberOverload("list_join_string", []*cel.Type{advice.StringsType, text}, text, cel.BinaryBinding(celfunc.Join))),
	}
	for _, m := range methods {
		switch {
		case m.ofPaths:
			options = append(options, cel.Macros(withSession(m.name)),
				cel.Function("@"+m.name, cel.Overload(m.overload, []*cel.Type{m.of, m.with, advice.SessionType}, m.is)))
		case m.with == nil:
			options = append(options, cel.Function(m.name, cel.MemberOverload(m.overload, []*cel.Type{m.of}, m.is)))
		default:
			options = append(options, cel.Function(m.name, cel.MemberOverload(m.overload, []*cel.Type{m.of, m.with}, m.is)))
		}
	}
	return options
}

// withSession turns p.name(q) into a call of @name(p, q, session): the meaning
// of a path depends on the client.
func withSession(name string) cel.Macro {
	return cel.ReceiverMacro(name, 1,
		func(factory cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
			return factory.NewCall("@"+name, target, args[0], factory.NewIdent("session")), nil
		})
}

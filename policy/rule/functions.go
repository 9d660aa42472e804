package rule

import (
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celfunc"
)

// mostNames is how many program names c.is() takes.
const mostNames = 12

// ownFunctions declares what expressions can call beyond CEL's own functions. Those
// without a binding have nodes of their own.
func ownFunctions() []cel.EnvOption {
	text, command := cel.StringType, advice.CommandType
	is := make([]cel.FunctionOpt, 0, mostNames+1)
	signature := []*cel.Type{command}
	for n := 1; n <= mostNames; n++ {
		signature = append(signature, text)
		is = append(is, cel.MemberOverload(fmt.Sprintf("command_is_%d", n), signature[:n+1:n+1], cel.BoolType))
	}
	is = append(is, cel.MemberOverload("command_is_list", []*cel.Type{command, advice.StringsType}, cel.BoolType))
	options := []cel.EnvOption{ //nolint:prealloc // a list of declarations reads best as one
		cel.Function("is", is...),
		cel.Function("flag", cel.MemberOverload("command_flag", []*cel.Type{command, text}, text)),
		cel.Function("flags", cel.MemberOverload("command_flags", []*cel.Type{command, text}, advice.StringsType)),
		// has is a CEL macro for one argument; as a method the name is free.
		cel.Function("has", cel.MemberOverload("command_has", []*cel.Type{command, text}, cel.BoolType)),
		cel.Function("suspicious", cel.MemberOverload("text_suspicious", []*cel.Type{text}, cel.BoolType)),
		cel.Function("leaks", cel.MemberOverload("past_leaks", []*cel.Type{advice.PastType, text}, cel.BoolType)),
		cel.Function("copied", cel.MemberOverload("past_copied", []*cel.Type{advice.PastType, text}, cel.BoolType)),
		cel.Function("host", cel.MemberOverload("url_host", []*cel.Type{text}, text)),

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
	for _, f := range []struct {
		name, overload string
		of, with       *cel.Type
	}{
		{"under", "path_under", text, text}, {"glob", "path_glob", text, text},
		{"touches", "effect_touches", advice.EffectType, advice.StringsType}, {"around", "effect_around", advice.EffectType, advice.StringsType},
		{"carries", "effect_carries", advice.EffectType, advice.StringsType}, {"within", "effect_within", advice.EffectType, advice.StringsType},
		{"outside", "effect_outside", advice.EffectType, advice.StringsType}, {"names", "command_names", advice.CommandType, advice.StringsType},
	} {
		options = append(options, cel.Macros(withSession(f.name)),
			cel.Function("@"+f.name, cel.Overload(f.overload, []*cel.Type{f.of, f.with, advice.SessionType}, cel.BoolType)))
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

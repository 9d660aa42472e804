package rule

import (
	"fmt"
	"regexp"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/internal/advice"
)

const (
	// mostNames is how many program names c.is() takes.
	mostNames = 12
	// mostText is the longest text that a function may produce.
	mostText = 8 << 20
)

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

		cel.Function("finds", cel.MemberOverload("text_finds", []*cel.Type{text, text}, cel.BoolType, cel.BinaryBinding(finds))),
		cel.Function("sum", cel.MemberOverload("numbers_sum", []*cel.Type{cel.ListType(cel.DynType)}, cel.DynType, cel.UnaryBinding(sum))),

		// The same as in CEL's strings extension, with a limit on the result:
		// CEL counts its cost only afterwards.
		cel.Function("replace",
			cel.MemberOverload("string_replace_string_string", []*cel.Type{text, text, text}, text,
				cel.FunctionBinding(replace)),
			cel.MemberOverload("string_replace_string_string_int", []*cel.Type{text, text, text, cel.IntType}, text,
				cel.FunctionBinding(replace))),
		cel.Function("join",
			cel.MemberOverload("list_join", []*cel.Type{advice.StringsType}, text,
				cel.UnaryBinding(func(list ref.Val) ref.Val { return join(list, types.String("")) })),
			cel.MemberOverload("list_join_string", []*cel.Type{advice.StringsType, text}, text, cel.BinaryBinding(join))),
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

// mostPattern is the longest pattern of a call that is compiled.
const mostPattern = 1 << 10

// finds searches a text for a pattern of a call, as pgrep and pkill do: an extended
// regular expression that ignores case. A pattern that is not a valid one, or is too
// long, is searched for literally.
func finds(pattern, in ref.Val) ref.Val {
	p, isPattern := pattern.(types.String)
	text, isText := in.(types.String)
	if !isPattern || !isText {
		return types.NoSuchOverloadErr()
	}
	written := strings.TrimLeft(string(p), "*+?")
	if len(written) <= mostPattern {
		if expression, err := regexp.Compile("(?i)" + written); err == nil {
			return types.Bool(expression.MatchString(string(text)))
		}
	}
	return types.Bool(strings.Contains(strings.ToLower(string(text)), strings.ToLower(written)))
}

// sum adds the numbers of a list: an int if all are, else a double. What is not there adds
// nothing, so that an element without an amount hides none of the others.
func sum(list ref.Val) ref.Val {
	l, ok := list.(traits.Lister)
	if !ok {
		return types.NoSuchOverloadErr()
	}
	var total ref.Val = types.Int(0)
	for it := l.Iterator(); it.HasNext() == types.True; {
		switch n := it.Next().(type) {
		case absent:
		case types.Int:
			if whole, isInt := total.(types.Int); isInt {
				total = whole.Add(n)
			} else {
				total = total.(types.Double).Add(types.Double(n))
			}
		case types.Double:
			total = total.ConvertToType(types.DoubleType).(types.Double).Add(n)
		default:
			return types.NewErr("sum needs a list of numbers, and %v is none", n.Type())
		}
		if types.IsError(total) {
			return total
		}
	}
	return total
}

var errTooLong = types.NewErr("the text would be longer than %d MiB", mostText>>20)

func replace(args ...ref.Val) ref.Val {
	text, isText := args[0].(types.String)
	old, isOld := args[1].(types.String)
	by, isNew := args[2].(types.String)
	if !isText || !isOld || !isNew {
		return types.NoSuchOverloadErr()
	}
	n := -1
	if len(args) == 4 {
		limit, isInt := args[3].(types.Int)
		if !isInt {
			return types.NoSuchOverloadErr()
		}
		n = int(limit)
	}
	count := strings.Count(string(text), string(old))
	if n >= 0 && n < count {
		count = n
	}
	if grow := len(by) - len(old); grow > 0 && (len(text) > mostText || count > (mostText-len(text))/grow) {
		return errTooLong
	}
	return types.String(strings.Replace(string(text), string(old), string(by), n))
}

func join(list, separator ref.Val) ref.Val {
	l, isList := list.(traits.Lister)
	sep, isText := separator.(types.String)
	if !isList || !isText {
		return types.NoSuchOverloadErr()
	}
	var b strings.Builder
	first := true
	for it := l.Iterator(); it.HasNext() == types.True; {
		s, ok := it.Next().(types.String)
		if !ok {
			return types.NewErr("join needs a list of strings")
		}
		if !first {
			b.WriteString(string(sep))
		}
		first = false
		b.WriteString(string(s))
		if b.Len() > mostText {
			return errTooLong
		}
	}
	return types.String(b.String())
}

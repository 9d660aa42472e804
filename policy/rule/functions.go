package rule

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/flow"
)

const (
	// mostNames is how many program names c.is() takes.
	mostNames = 12
	// mostText is the longest text that a function may produce.
	mostText = 8 << 20
)

// functions declares what expressions can call beyond CEL's own functions.
func functions() []cel.EnvOption {
	text, command := cel.StringType, commandType
	is := make([]cel.FunctionOpt, 0, mostNames+1)
	signature := []*cel.Type{command}
	for n := 1; n <= mostNames; n++ {
		signature = append(signature, text)
		is = append(is, cel.MemberOverload(fmt.Sprintf("command_is_%d", n), signature[:n+1:n+1], cel.BoolType,
			cel.FunctionBinding(commandIs)))
	}
	is = append(is, cel.MemberOverload("command_is_list", []*cel.Type{command, stringsType}, cel.BoolType,
		cel.BinaryBinding(commandIsOneOf)))

	return []cel.EnvOption{
		cel.Function("is", is...),
		cel.Function("flag", cel.MemberOverload("command_flag", []*cel.Type{command, text}, text,
			cel.BinaryBinding(func(c, name ref.Val) ref.Val { return onCommand(c, name, (*commandView).flag) }))),
		cel.Function("flags", cel.MemberOverload("command_flags", []*cel.Type{command, text}, stringsType,
			cel.BinaryBinding(func(c, name ref.Val) ref.Val { return onCommand(c, name, (*commandView).flags) }))),
		// has is a CEL macro for one argument; as a method the name is free.
		cel.Function("has", cel.MemberOverload("command_has", []*cel.Type{command, text}, cel.BoolType,
			cel.BinaryBinding(func(c, flag ref.Val) ref.Val { return onCommand(c, flag, (*commandView).has) }))),

		cel.Macros(withSession("under"), withSession("glob"), withSession("touches"), withSession("around"), withSession("carries"), withSession("names"),
			withSession("within"), withSession("outside")),
		cel.Function("@touches", cel.Overload("effect_touches", []*cel.Type{effectType, stringsType, sessionType}, cel.BoolType,
			cel.FunctionBinding(func(args ...ref.Val) ref.Val { return onEffect(args, objectTouches) }))),
		cel.Function("@carries", cel.Overload("effect_carries", []*cel.Type{effectType, stringsType, sessionType}, cel.BoolType,
			cel.FunctionBinding(func(args ...ref.Val) ref.Val { return onEffect(args, carries) }))),
		cel.Function("@around", cel.Overload("effect_around", []*cel.Type{effectType, stringsType, sessionType}, cel.BoolType,
			cel.FunctionBinding(func(args ...ref.Val) ref.Val { return onEffect(args, around) }))),
		cel.Function("@names", cel.Overload("command_names", []*cel.Type{commandType, stringsType, sessionType}, cel.BoolType,
			cel.FunctionBinding(commandNames))),
		cel.Function("@within", cel.Overload("effect_within", []*cel.Type{effectType, stringsType, sessionType}, cel.BoolType,
			cel.FunctionBinding(func(args ...ref.Val) ref.Val { return onDirs(args, false) }))),
		cel.Function("@outside", cel.Overload("effect_outside", []*cel.Type{effectType, stringsType, sessionType}, cel.BoolType,
			cel.FunctionBinding(func(args ...ref.Val) ref.Val { return onDirs(args, true) }))),
		cel.Function("@under", cel.Overload("path_under", []*cel.Type{text, text, sessionType}, cel.BoolType,
			cel.FunctionBinding(func(args ...ref.Val) ref.Val { return onPaths(args, under) }))),
		cel.Function("@glob", cel.Overload("path_glob", []*cel.Type{text, text, sessionType}, cel.BoolType,
			cel.FunctionBinding(func(args ...ref.Val) ref.Val { return onPaths(args, glob) }))),
		cel.Function("suspicious", cel.MemberOverload("text_suspicious", []*cel.Type{text}, cel.BoolType,
			cel.UnaryBinding(func(v ref.Val) ref.Val {
				s, ok := v.(types.String)
				if !ok {
					return types.MaybeNoSuchOverloadErr(v)
				}
				return types.Bool(len(flow.Suspicious(string(s))) > 0)
			}))),
		cel.Function("leaks", cel.MemberOverload("past_leaks", []*cel.Type{pastType, text}, cel.BoolType,
			cel.BinaryBinding(func(past, what ref.Val) ref.Val { return onPast(past, what, (*flow.Past).Leaks) }))),
		cel.Function("copied", cel.MemberOverload("past_copied", []*cel.Type{pastType, text}, cel.BoolType,
			cel.BinaryBinding(func(past, what ref.Val) ref.Val { return onPast(past, what, (*flow.Past).Copied) }))),
		cel.Function("host", cel.MemberOverload("url_host", []*cel.Type{text}, text,
			cel.UnaryBinding(func(raw ref.Val) ref.Val {
				s, ok := raw.(types.String)
				if !ok {
					return types.MaybeNoSuchOverloadErr(raw)
				}
				return host(string(s))
			}))),

		// The same as in CEL's strings extension, with a limit on the result:
		// CEL counts its cost only afterwards.
		cel.Function("replace",
			cel.MemberOverload("string_replace_string_string", []*cel.Type{text, text, text}, text,
				cel.FunctionBinding(replace)),
			cel.MemberOverload("string_replace_string_string_int", []*cel.Type{text, text, text, cel.IntType}, text,
				cel.FunctionBinding(replace))),
		cel.Function("join",
			cel.MemberOverload("list_join", []*cel.Type{stringsType}, text,
				cel.UnaryBinding(func(list ref.Val) ref.Val { return join(list, types.String("")) })),
			cel.MemberOverload("list_join_string", []*cel.Type{stringsType, text}, text, cel.BinaryBinding(join))),
	}
}

// withSession turns p.name(q) into a call of @name(p, q, session): the meaning
// of a path depends on the client.
func withSession(name string) cel.Macro {
	return cel.ReceiverMacro(name, 1,
		func(factory cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
			return factory.NewCall("@"+name, target, args[0], factory.NewIdent("session")), nil
		})
}

func commandIs(args ...ref.Val) ref.Val {
	c, ok := args[0].Value().(*commandView)
	if !ok {
		return types.MaybeNoSuchOverloadErr(args[0])
	}
	for _, arg := range args[1:] {
		name, ok := arg.(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		if c.Is(string(name)) {
			return types.True
		}
	}
	return types.False
}

func commandIsOneOf(command, names ref.Val) ref.Val {
	c, ok := command.Value().(*commandView)
	if !ok {
		return types.MaybeNoSuchOverloadErr(command)
	}
	list, ok := names.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(names)
	}
	return list.Contains(types.String(c.Name))
}

func onCommand(command, word ref.Val, method func(*commandView, string) ref.Val) ref.Val {
	c, ok := command.Value().(*commandView)
	if !ok {
		return types.MaybeNoSuchOverloadErr(command)
	}
	s, ok := word.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(word)
	}
	return method(c, string(s))
}

// onEffect compares an effect with some paths.
func onEffect(args []ref.Val, holds func(*effect.Effect, effect.Place) (path string, wide, ok bool)) ref.Val {
	e, patterns, at, failure := effectAndPaths(args)
	if failure != nil {
		return failure
	}
	text, wide, ok := holds(e.Effect, at)
	if !ok {
		return types.False
	}
	var path effect.Path
	path.Set(text, at)
	paths := effect.NewPaths(patterns)
	switch {
	case paths.Touched(&path, wide):
		return types.True
	case !e.written && couldTouch(e.Effect, paths, text, wide, at):
		return leftOpen(text).unknown()
	default:
		return types.False
	}
}

// leftOpen is what would have to be known of a path that could touch others.
func leftOpen(path string) attribute {
	if effect.Expands(path) {
		return effectPath
	}
	return effectInside
}

// objectTouches, around and carries are the path of an effect that a function is
// about, whether it stands for everything in it, and whether there is one.
func objectTouches(e *effect.Effect, _ effect.Place) (path string, wide, ok bool) {
	return e.Object, e.Wide, true
}

func around(e *effect.Effect, _ effect.Place) (path string, wide, ok bool) {
	return e.Object, true, true
}

func carries(e *effect.Effect, at effect.Place) (path string, wide, ok bool) {
	return e.From, e.FromWide(at), e.From != ""
}

// couldTouch reports whether an effect that touches none of the paths could. Objects
// that are no files do not: addresses, branches, tables.
func couldTouch(e *effect.Effect, paths *effect.Paths, path string, wide bool, at effect.Place) bool {
	return (e.Verb.OfFile() || path == e.From && e.From != "") && paths.Could(path, wide, at)
}

// onDirs says whether an effect is in some directories or, if outside is set,
// not.
func onDirs(args []ref.Val, outside bool) ref.Val {
	e, patterns, at, failure := effectAndPaths(args)
	if failure != nil {
		return failure
	}
	lies := effect.NewDirs(patterns).Within(e.Effect, at)
	if missing, unknown := missingOf(lies); unknown {
		return missing.unknown()
	}
	return types.Bool((lies == effect.Inside) != outside)
}

// missingOf is what would have to be known to say where an effect is.
func missingOf(lies effect.Lies) (attribute, bool) {
	switch lies {
	case effect.NoCwd:
		return sessionCwd, true
	case effect.NoHome:
		return sessionHome, true
	case effect.NoPath:
		return effectPath, true
	default:
		return 0, false
	}
}

// effectAndPaths are the arguments of a function about an effect and paths.
func effectAndPaths(args []ref.Val) (e *effectView, patterns []string, at effect.Place, failure ref.Val) {
	e, isEffect := args[0].Value().(*effectView)
	list, isList := args[1].(traits.Lister)
	s, isSession := args[2].Value().(*sessionView)
	if !isEffect || !isList || !isSession {
		return nil, nil, at, types.NoSuchOverloadErr()
	}
	patterns, ok := patternsOf(list)
	if !ok {
		return nil, nil, at, errNoPaths
	}
	return e, patterns, s.place(), nil
}

// commandNames reports whether a command names one of some paths.
func commandNames(args ...ref.Val) ref.Val {
	c, isCommand := args[0].Value().(*commandView)
	list, isList := args[1].(traits.Lister)
	s, isSession := args[2].Value().(*sessionView)
	if !isCommand || !isList || !isSession {
		return types.NoSuchOverloadErr()
	}
	patterns, ok := patternsOf(list)
	if !ok {
		return errNoPaths
	}
	return c.names(effect.NewPaths(patterns), s.place())
}

var errNoPaths = types.NewErr("the paths must be a list of strings")

func patternsOf(list traits.Lister) (texts []string, ok bool) {
	for it := list.Iterator(); it.HasNext() == types.True; {
		text, ok := it.Next().(types.String)
		if !ok {
			return nil, false
		}
		texts = append(texts, string(text))
	}
	return texts, true
}

// onPast asks the past of a call about a text.
func onPast(past, what ref.Val, holds func(*flow.Past, string) (flow.Source, bool)) ref.Val {
	p, isPast := past.Value().(*pastView)
	s, isText := what.(types.String)
	if !isPast || !isText {
		return types.NoSuchOverloadErr()
	}
	_, ok := holds(p.past(), string(s))
	return types.Bool(ok)
}

func (s *sessionView) place() effect.Place { return effect.Place{Cwd: s.Cwd, Home: s.Home} }

func onPaths(args []ref.Val, judge func(p, q string, s *sessionView) ref.Val) ref.Val {
	p, isText := args[0].(types.String)
	q, isTextToo := args[1].(types.String)
	s, isSession := args[2].Value().(*sessionView)
	if !isText || !isTextToo || !isSession {
		return types.NoSuchOverloadErr()
	}
	return judge(string(p), string(q), s)
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

package rule

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// A text of a call can be known in part: in kubectl --context "prod-$X" the flag
// begins with prod-. To CEL such a text is unknown, and so is whatever depends on
// it. Where that leaves a condition unknown, it is evaluated once more by a program
// in which the usual comparisons look into the text: startsWith("staging") is false
// whatever $X is.

// possibly returns the program that looks into such texts.
func (p *Program) possibly() cel.Program {
	p.looking.once.Do(func() {
		env, err := environment()
		if err != nil {
			return
		}
		options := append(programOptions(patterns{}), cel.CustomDecoratorV2(looksInto(sourcesOf(p.checked))))
		if program, err := env.PlanProgram(p.checked, options...); err == nil {
			p.looking.program = program
		}
	})
	return p.looking.program
}

// sources are the calls of an expression that compare texts of the call, by their
// ids, each with the arguments that come straight from it. Others may be derived: of
// lowerAscii() no more is known than that it is unknown.
type sources map[int64][]bool

// sourcesOf finds the comparisons of an expression.
func sourcesOf(a *ast.AST) sources {
	s := sources{}
	s.visit(a, a.Expr(), map[string]bool{})
	return s
}

func (s sources) visit(a *ast.AST, e ast.Expr, texts map[string]bool) {
	switch e.Kind() {
	case ast.CallKind:
		c := e.AsCall()
		args := c.Args()
		if c.IsMemberFunction() {
			args = append([]ast.Expr{c.Target()}, args...)
		}
		if _, compares := comparing[c.FunctionName()]; compares && len(args) >= 1 {
			from := make([]bool, len(args))
			some := false
			for i, arg := range args {
				from[i] = isSource(a, arg, texts)
				some = some || from[i]
			}
			if some {
				s[e.ID()] = from
			}
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		s.visit(a, c.IterRange(), texts)
		s.visit(a, c.AccuInit(), texts)
		inner := make(map[string]bool, len(texts)+1)
		for name := range texts {
			inner[name] = texts[name]
		}
		inner[c.IterVar()] = isSourceList(a, c.IterRange())
		delete(inner, c.AccuVar())
		for _, part := range []ast.Expr{c.LoopCondition(), c.LoopStep(), c.Result()} {
			s.visit(a, part, inner)
		}
		return
	default:
	}
	for _, child := range children(e) {
		s.visit(a, child, texts)
	}
}

// isSource reports whether an expression is a text of the call itself.
func isSource(a *ast.AST, e ast.Expr, texts map[string]bool) bool {
	switch e.Kind() {
	case ast.IdentKind:
		return texts[e.AsIdent()]
	case ast.SelectKind:
		if field, ok := selectOf(a, e, commandType); ok {
			return field == "sub"
		}
		field, ok := selectOf(a, e, effectType)
		return ok && (field == "object" || field == "from")
	case ast.CallKind:
		c := e.AsCall()
		if c.FunctionName() == operators.Index {
			return isSourceList(a, c.Args()[0])
		}
		return c.FunctionName() == "flag" && c.IsMemberFunction()
	default:
		return false
	}
}

// isSourceList reports whether an expression is a list of such texts.
func isSourceList(a *ast.AST, e ast.Expr) bool {
	if e.Kind() == ast.CallKind {
		return e.AsCall().FunctionName() == "flags" && e.AsCall().IsMemberFunction()
	}
	if field, ok := selectOf(a, e, commandType); ok {
		return field == "args" || field == openPrefix+"args"
	}
	field, ok := callField(a, e)
	return ok && (field == "reads" || field == "writes" || field == "urls")
}

// looksInto lets the comparisons look into texts that are known in part.
func looksInto(s sources) interpreter.InterpretableDecoratorV2 {
	return func(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
		call, ok := i.(interpreter.InterpretableCall)
		if !ok || s[call.ID()] == nil || len(s[call.ID()]) != len(call.Args()) {
			return i, nil
		}
		c := &comparison{InterpretableV2: i, args: call.Args(), from: s[call.ID()], decide: comparing[call.Function()]}
		if call.Function() == "matches" {
			// CEL limits the size of patterns that are not constants, behind
			// this one.
			if _, constant := c.args[1].(interpreter.InterpretableConst); !constant {
				return i, nil
			}
		}
		return c, nil
	}
}

// comparison is a call of a function that compares a text of a call.
type comparison struct {
	interpreter.InterpretableV2

	args   []interpreter.InterpretableV2
	from   []bool
	decide func(args []ref.Val, from []bool) ref.Val
}

// Exec implements interpreter.InterpretableV2.
func (c *comparison) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := c.InterpretableV2.Exec(frame)
	if !types.IsUnknown(value) {
		return value
	}
	args := make([]ref.Val, len(c.args))
	for i, arg := range c.args {
		args[i] = arg.Exec(frame)
	}
	if decided := c.decide(args, c.from); decided != nil {
		return decided
	}
	return value
}

// Eval implements interpreter.Interpretable.
func (c *comparison) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, c.Exec)
}

// comparing are the functions that look into texts with holes. They return nil if
// the answer depends on the holes, or on something else that is not known.
var comparing = map[string]func(args []ref.Val, from []bool) ref.Val{
	operators.Equals: func(args []ref.Val, from []bool) ref.Val {
		if h, text, ok := holedAndText(args, from); ok && !h.could(text) {
			return types.False
		}
		return nil
	},
	operators.NotEquals: func(args []ref.Val, from []bool) ref.Val {
		if h, text, ok := holedAndText(args, from); ok && !h.could(text) {
			return types.True
		}
		return nil
	},
	operators.In: isIn,
	"startsWith": onHoled((*holed).begins),
	"endsWith":   onHoled((*holed).ends),
	"contains":   onHoled((*holed).has),
	"matches": onHoled(func(h *holed, source string) Outcome {
		p, err := newHoledPattern(source)
		if err != nil {
			return Unknown
		}
		return p.match(h)
	}),
	"host": func(args []ref.Val, from []bool) ref.Val {
		text, ok := holedOf(args[0])
		if !from[0] || !ok {
			return nil
		}
		if name, known := holedHost(text); known {
			return types.String(name)
		}
		return nil
	},
	"@under": onPath(underHoled),
	"@glob":  onPath(globHoled),
}

// holedAndText are the operands of a comparison in either order.
func holedAndText(args []ref.Val, from []bool) (h *holed, text string, ok bool) {
	for i := range 2 {
		other, isText := args[1-i].(types.String)
		if written, isHoled := holedOf(args[i]); from[i] && isHoled && isText {
			h := newHoled(written)
			return &h, string(other), true
		}
	}
	return nil, "", false
}

func onHoled(say func(h *holed, with string) Outcome) func([]ref.Val, []bool) ref.Val {
	return func(args []ref.Val, from []bool) ref.Val {
		written, ok := holedOf(args[0])
		with, isText := args[1].(types.String)
		if !ok || !isText || !from[0] {
			return nil
		}
		h := newHoled(written)
		switch say(&h, string(with)) {
		case True:
			return types.True
		case False:
			return types.False
		default:
			return nil
		}
	}
}

// isIn is false if a text with holes can be none of the elements.
func isIn(args []ref.Val, from []bool) ref.Val {
	list, isList := args[1].(traits.Lister)
	written, isHoled := holedOf(args[0])
	if !isList || !isHoled || !from[0] {
		return nil
	}
	h := newHoled(written)
	for it := list.Iterator(); it.HasNext() == types.True; {
		text, ok := it.Next().(types.String)
		if !ok || h.could(string(text)) {
			return nil
		}
	}
	return types.False
}

func onPath(say func(written, with string, s *sessionView) Outcome) func([]ref.Val, []bool) ref.Val {
	return func(args []ref.Val, from []bool) ref.Val {
		written, ok := holedOf(args[0])
		with, isText := args[1].(types.String)
		s, isSession := args[2].Value().(*sessionView)
		if !ok || !isText || !isSession || !from[0] {
			return nil
		}
		switch say(written, string(with), s) {
		case True:
			return types.True
		case False:
			return types.False
		default:
			return nil
		}
	}
}

package advice

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/pattern"
	"github.com/sluice-project/sluice/policy/internal/vocabulary"
)

// A comparison with a text that a member never has is always false and yet
// looks like a rule: e.verb == "remove". Package vocabulary says which values the
// texts of an expression can have; checkClosed checks every place where they are
// Compared with constants.

// scope is what is known about the local variables of an expression.
type scope map[string]binding

// binding is a local variable: the constants that it can be, or which texts it
// can be.
type binding struct {
	constants []ast.Expr
	texts     *vocabulary.Texts
	verbs     []string // those of an effect, as far as the condition limits them; nil for any
}

// closedCheck looks for constants that can never match.
type closedCheck struct {
	ast     *ast.AST
	failure *Error
	warn    func(*Error)
}

// checkClosed rejects comparisons with constants that can never match.
func checkClosed(a *ast.AST, warn func(*Error)) *Error {
	c := closedCheck{ast: a, warn: warn}
	c.visit(a.Expr(), nil)
	return c.failure
}

func (c *closedCheck) visit(e ast.Expr, in scope) {
	switch e.Kind() {
	case ast.CallKind:
		c.call(e.AsCall(), in)
		if e.AsCall().FunctionName() == operators.LogicalAnd {
			in = c.limited(e, in)
		}
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		inner := scope{}
		maps.Copy(inner, in)
		inner[loop.IterVar()] = binding{constants: constants(loop.IterRange(), in), texts: c.elements(loop.IterRange())}
		c.visit(loop.IterRange(), in)
		for _, part := range []ast.Expr{loop.AccuInit(), loop.LoopCondition(), loop.LoopStep(), loop.Result()} {
			c.visit(part, inner)
		}
		return
	default:
	}
	for _, child := range celtree.Children(e) {
		c.visit(child, in)
	}
}

func (c *closedCheck) call(call ast.CallExpr, in scope) {
	args := call.Args()
	switch name := call.FunctionName(); name {
	case operators.Equals, operators.NotEquals:
		c.compare(args[0], args[1], in)
		c.compare(args[1], args[0], in)
	case operators.Greater, operators.GreaterEquals, operators.Less, operators.LessEquals:
		c.order(name, args[0], args[1])
		c.order(turned[name], args[1], args[0])
	case operators.In:
		c.compare(args[0], args[1], in)
		if of := c.elements(args[1]); of != nil {
			c.refuse(of, constants(args[0], in))
		}
	case "startsWith", "endsWith", "contains", "matches":
		if call.IsMemberFunction() && len(args) == 1 {
			if of := c.texts(call.Target(), in); of != nil {
				c.part(of, name, constants(args[0], in))
			}
		}
	default:
		if _, ofTime := vocabulary.Numbers[name]; ofTime && call.IsMemberFunction() && len(args) == 1 {
			c.zones(constants(args[0], in))
		}
		if of, ok := vocabulary.Arguments[name]; ok && (call.IsMemberFunction() || strings.HasPrefix(name, "@")) {
			if strings.HasPrefix(name, "@") {
				args = args[1:2] // without the path itself and the session
			}
			for _, arg := range args {
				c.refuse(of, constants(arg, in))
				c.unclear(of, constants(arg, in))
			}
		}
	}
}

// compare rejects constants that an expression can never equal.
func (c *closedCheck) compare(e, with ast.Expr, in scope) {
	if of := c.texts(e, in); of != nil {
		c.refuse(of, constants(with, in))
		c.unclear(of, constants(with, in))
	}
	if least, most, ok := c.numbers(e); ok {
		for _, k := range numberConstants(with) {
			if n, _ := celtree.IntLiteral(k); n < least || n > most {
				c.fail(ErrorAt(c.ast, k.ID(), fmt.Sprintf("it is a number from %d to %d", least, most),
					"%s is never %d", e.AsCall().FunctionName(), n))
			}
		}
	}
}

// turned are the comparisons with their sides exchanged.
var turned = map[string]string{
	operators.Greater: operators.Less, operators.GreaterEquals: operators.LessEquals,
	operators.Less: operators.Greater, operators.LessEquals: operators.GreaterEquals,
}

// order rejects constants that a number is never above or below.
func (c *closedCheck) order(operator string, e, with ast.Expr) {
	least, most, ok := c.numbers(e)
	if !ok {
		return
	}
	for _, k := range numberConstants(with) {
		n, _ := celtree.IntLiteral(k)
		never := map[string]bool{
			operators.Greater: n >= most, operators.GreaterEquals: n > most, operators.Less: n <= least, operators.LessEquals: n < least,
		}
		if never[operator] {
			c.fail(ErrorAt(c.ast, k.ID(), fmt.Sprintf("it is a number from %d to %d", least, most),
				"%s is never %s %d", e.AsCall().FunctionName(), strings.Trim(operator, "_"), n))
		}
	}
}

func (c *closedCheck) refuse(of *vocabulary.Texts, list []ast.Expr) {
	for _, k := range list {
		text, ok := celtree.StringLiteral(k)
		if !ok {
			continue
		}
		if message, suggestion := of.Never(text); message != "" {
			c.found(of, ErrorAt(c.ast, k.ID(), suggestion, "%s", message))
		}
	}
}

// zones rejects names of time zones that do not exist, with which a condition fails
// whenever it is asked.
func (c *closedCheck) zones(list []ast.Expr) {
	for _, k := range list {
		name, ok := celtree.StringLiteral(k)
		if !ok || offset.MatchString(name) {
			continue
		}
		if _, err := time.LoadLocation(name); err != nil && isComplete() {
			c.fail(ErrorAt(c.ast, k.ID(), `write one like "Europe/Berlin", "UTC" or "+02:00"`, "there is no time zone %q", name))
		}
	}
}

// offset is a time zone as its distance from UTC.
var offset = regexp.MustCompile(`^[+-]?\d\d:\d\d$`)

// isComplete reports whether this machine knows the usual time zones.
func isComplete() bool {
	_, err := time.LoadLocation("Europe/Berlin")
	return err == nil
}

// unclear warns about constants that probably were to mean something else.
func (c *closedCheck) unclear(of *vocabulary.Texts, list []ast.Expr) {
	var beside []string
	for _, k := range list {
		if text, ok := celtree.StringLiteral(k); ok {
			beside = append(beside, text)
		}
	}
	for _, k := range list {
		if text, ok := celtree.StringLiteral(k); ok {
			if message, suggestion := of.Unclear(text, beside); message != "" {
				c.warn(ErrorAt(c.ast, k.ID(), suggestion, "%s", message))
			}
		}
	}
}

// part rejects constants that none of the texts starts with, ends with,
// contains or matches.
func (c *closedCheck) part(of *vocabulary.Texts, function string, list []ast.Expr) {
	for _, k := range list {
		text, ok := celtree.StringLiteral(k)
		if ok && of.Values == nil {
			if message, suggestion := of.NeverPart(function, text); message != "" {
				if found := ErrorAt(c.ast, k.ID(), suggestion, "%s", message); of.PartsOpen {
					c.warn(found)
				} else {
					c.found(of, found)
				}
			}
		}
		if !ok || of.Values == nil {
			continue
		}
		if slices.ContainsFunc(of.Values, func(v string) bool { return hasPart(v, function, text) }) {
			if dead := deadAlternative(text, of.Values); function == "matches" && dead != "" {
				c.found(of, ErrorAt(c.ast, k.ID(), "use one of "+strings.Join(of.Values, ", "), "no %s matches %q, one of the alternatives", of.Noun, dead))
			}
			continue
		}
		c.found(of, ErrorAt(c.ast, k.ID(), "use one of "+strings.Join(of.Values, ", "),
			"no %s %s %q", of.Noun, map[string]string{
				"startsWith": "starts with", "endsWith": "ends with", "contains": "contains", "matches": "matches",
			}[function], text))
	}
}

func hasPart(value, function, text string) bool {
	switch function {
	case "startsWith":
		return strings.HasPrefix(value, text)
	case "endsWith":
		return strings.HasSuffix(value, text)
	case "contains":
		return strings.Contains(value, text)
	default:
		re, err := pattern.New(text)
		return err != nil || re.Matches(value)
	}
}

func (c *closedCheck) found(of *vocabulary.Texts, e *Error) {
	if of.Open {
		c.warn(e)
		return
	}
	c.fail(e)
}

func (c *closedCheck) fail(e *Error) {
	if c.failure == nil {
		c.failure = e
	}
}

// texts is the vocabulary of a text, nil if it can be anything.
func (c *closedCheck) texts(e ast.Expr, in scope) *vocabulary.Texts {
	switch e.Kind() {
	case ast.IdentKind:
		return in[e.AsIdent()].texts
	case ast.SelectKind:
		return c.ofEffect(e, in)
	case ast.CallKind:
		if call := e.AsCall(); call.IsMemberFunction() {
			return vocabulary.Results[call.FunctionName()]
		}
	default:
	}
	return nil
}

// elements is what the texts in a list can be.
func (c *closedCheck) elements(e ast.Expr) *vocabulary.Texts {
	switch e.Kind() {
	case ast.SelectKind:
		return c.member(e, vocabulary.Lists)
	case ast.ComprehensionKind: // list.map(x, text) and list.filter(x, condition)
		loop := e.AsComprehension()
		step := loop.LoopStep()
		if step.Kind() == ast.CallKind && step.AsCall().FunctionName() == operators.Conditional {
			step = step.AsCall().Args()[1]
		}
		if step.Kind() != ast.CallKind || step.AsCall().FunctionName() != operators.Add || step.AsCall().Args()[1].Kind() != ast.ListKind {
			return nil
		}
		inner := scope{loop.IterVar(): {texts: c.elements(loop.IterRange())}}
		made := step.AsCall().Args()[1].AsList().Elements()
		if len(made) != 1 {
			return nil
		}
		return c.texts(made[0], inner)
	default:
		return nil
	}
}

func (c *closedCheck) member(e ast.Expr, of map[string]map[string]*vocabulary.Texts) *vocabulary.Texts {
	s := e.AsSelect()
	typ := c.ast.GetType(s.Operand().ID())
	if typ == nil || s.IsTestOnly() {
		return nil
	}
	return of[typ.TypeName()][s.FieldName()]
}

// constants are the constants that an expression is, or is a list of.
func constants(e ast.Expr, in scope) []ast.Expr {
	switch e.Kind() {
	case ast.LiteralKind:
		return []ast.Expr{e}
	case ast.ListKind:
		return e.AsList().Elements()
	case ast.MapKind:
		var list []ast.Expr
		for _, entry := range e.AsMap().Entries() {
			list = append(list, entry.AsMapEntry().Key())
		}
		return list
	case ast.IdentKind:
		return in[e.AsIdent()].constants
	case ast.CallKind: // one of two
		if c := e.AsCall(); c.FunctionName() == operators.Conditional {
			return slices.Concat(constants(c.Args()[1], in), constants(c.Args()[2], in))
		}
	default:
	}
	return nil
}

// numbers are the minimum and maximum of a part of a time.
func (c *closedCheck) numbers(e ast.Expr) (least, most int, ok bool) {
	if e.Kind() != ast.CallKind || !e.AsCall().IsMemberFunction() {
		return 0, 0, false
	}
	if of := c.ast.GetType(e.AsCall().Target().ID()); of == nil || of.Kind() != types.TimestampKind { // of a duration there is no limit
		return 0, 0, false
	}
	r, ok := vocabulary.Numbers[e.AsCall().FunctionName()]
	return r[0], r[1], ok
}

func numberConstants(e ast.Expr) []ast.Expr {
	list := constants(e, nil)
	return slices.DeleteFunc(slices.Clone(list), func(k ast.Expr) bool {
		if k.Kind() != ast.LiteralKind {
			return true
		}
		_, isInt := k.AsLiteral().(types.Int)
		return !isInt
	})
}

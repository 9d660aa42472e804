package advice

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/pattern"
	"github.com/sluice-project/sluice/policy/internal/vocabulary"
)

// Error says why an expression is rejected. Line and Column are positions in
// the expression's source, counted from 1; columns count characters.
type Error struct {
	Line, Column int
	// Message says what is wrong, Suggestion what to write instead; the
	// latter can be empty.
	Message, Suggestion string
}

// Error returns the position, the message and the suggestion.
func (e *Error) Error() string {
	text := fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	if e.Suggestion != "" {
		text += " (" + e.Suggestion + ")"
	}
	return text
}

// ErrorAt returns an error at a part of an expression.
func ErrorAt(a *ast.AST, id int64, suggestion, format string, args ...any) *Error {
	at := a.SourceInfo().GetStartLocation(id)
	return &Error{
		Line: max(at.Line(), 1), Column: max(1, max(at.Column(), 0)+1+nameOffset(celtree.Find(a, id))),
		Message: fmt.Sprintf(format, args...), Suggestion: suggestion,
	}
}

// FirstIssue turns the first problem that CEL found into an Error. parsed is
// nil if the source has no syntax tree.
func FirstIssue(issues *cel.Issues, members Members, parsed *ast.AST) *Error {
	list := issues.Errors()
	if len(list) == 0 {
		return &Error{Line: 1, Column: 1, Message: issues.Err().Error()}
	}
	first := slices.MinFunc(list, func(a, b *common.Error) int {
		if a.Location.Line() != b.Location.Line() {
			return a.Location.Line() - b.Location.Line()
		}
		return a.Location.Column() - b.Location.Column()
	})
	e := &Error{Line: max(first.Location.Line(), 1), Column: max(first.Location.Column(), 0) + 1}
	e.Column = max(1, e.Column+nameOffset(celtree.Find(parsed, first.ExprID)))
	e.Message, e.Suggestion = explain(first, members, parsed)
	return e
}

// nameOffset is the distance of the name of a field or method from the position
// that CEL reports: the dot before a field, and the parenthesis after a method.
func nameOffset(e ast.Expr) int {
	switch {
	case e == nil:
		return 0
	case e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly():
		return 1
	case e.Kind() == ast.CallKind && e.AsCall().IsMemberFunction():
		return -utf8.RuneCountInString(e.AsCall().FunctionName())
	case e.Kind() == ast.CallKind && strings.HasPrefix(e.AsCall().FunctionName(), "@"):
		return -len(e.AsCall().FunctionName()) + 1
	default:
		return 0
	}
}

// explain rewords CEL's messages for authors of policies.
func explain(issue *common.Error, members Members, parsed *ast.AST) (message, suggestion string) {
	text := issue.Message
	if name, ok := quoted(text, "undefined field "); ok {
		known := fieldsAround(parsed, members, issue.ExprID)
		return fmt.Sprintf("there is no field %q", name), otherNamesOr(name, known)
	}
	if name, ok := quoted(text, "undeclared reference to "); ok {
		if isMethod(parsed, issue.ExprID) || functionNames[name] {
			if isQuantifier(name) {
				return name + " takes two things: a name for the element and what is asked about it", usageOf(name, "")
			}
			if functionNames[name] {
				return name + " is used differently", usageOf(name, "")
			}
			return fmt.Sprintf("there is no function %q here", name), otherNamesOr(name, keys(functionNames))
		}
		names := make([]string, 0, len(Variables))
		for _, v := range Variables {
			names = append(names, v.Name)
		}
		return fmt.Sprintf("%q is not known", name), vocabulary.DidYouMean(name, names)
	}
	if name, ok := quoted(text, "found no matching overload for "); ok {
		_, applied, _ := strings.Cut(text, "applied to ")
		applied = strings.Trim(applied, "'")
		if e := celtree.Find(parsed, issue.ExprID); name == operators.LogicalNot && e.Kind() == ast.CallKind {
			found := strings.Trim(applied, "()")
			return "! is for true or false, and this is " + typeWord(found), asCondition(e.AsCall().Args()[0], "bool", found)
		}
		return mismatch(name, applied)
	}
	if rest, ok := strings.CutPrefix(text, "Syntax error: "); ok { // in plain words once the source is known
		rest, _, _ = strings.Cut(rest, " expecting ")
		return "syntax: " + rest, ""
	}
	e := celtree.Find(parsed, issue.ExprID)
	if found, ok := quoted(text, "type "); ok && strings.HasSuffix(text, "does not support field selection") && typeWords[found] != "" {
		return noMembers(e, found)
	}
	if wanted, ok := quoted(text, "expected type "); ok {
		_, found, _ := strings.Cut(text, " but found ")
		found = strings.Trim(found, "'")
		return fmt.Sprintf("this is %s, where %s is wanted", typeWord(found), typeWord(wanted)), asCondition(e, wanted, found)
	}
	literal, _ := celtree.StringLiteral(e)
	switch {
	case strings.HasPrefix(text, "invalid matches argument"):
		return pattern.Refused(literal)
	case strings.HasPrefix(text, "invalid timestamp argument"):
		return fmt.Sprintf("timestamp(%q) is not a time", literal), wholeTime(literal)
	case strings.HasPrefix(text, "invalid duration argument"):
		return fmt.Sprintf("duration(%q) is not a length of time", literal), `write it with h, m and s, such as duration("24h") or duration("1h30m")`
	}
	return text, ""
}

// mismatch explains an operator or a function that is given the wrong types.
func mismatch(function, applied string) (message, suggestion string) {
	applied = strings.ReplaceAll(applied, ", Session)", ")")
	function = strings.TrimPrefix(function, "@")
	operator := strings.Trim(function, "_")
	list := strings.HasPrefix(applied, "list(") || strings.HasPrefix(applied, "(list(")
	switch {
	case operator != function && operator != "":
		message = fmt.Sprintf("%s cannot be used with %s", operator, applied)
		if list && operator != "[_]" {
			suggestion = `ask about its elements: list.exists(x, ...), or "a" in list`
		}
		if strings.Contains(applied, "timestamp") && (strings.Contains(applied, "string") || strings.Contains(applied, "int")) {
			suggestion = `write timestamp("2026-01-31T22:15:00Z") for a time, or now.getHours("Europe/Berlin") >= 18 for one of every day`
		}
		return message, suggestion
	case list && slices.Contains([]string{"contains", "matches", "startsWith", "endsWith", "glob", "under", "host"}, function):
		return fmt.Sprintf("%s is for strings, not for %s", function, applied),
			fmt.Sprintf("ask about the elements: list.exists(x, x.%s(...))", function)
	case strings.HasPrefix(applied, "list(Command)"):
		return function + "() is for one command, not for a list",
			fmt.Sprintf("call.commands.exists(c, c.%s(...))", function)
	}
	return fmt.Sprintf("%s cannot be used with %s", function, applied), ""
}

// quoted returns the name in single quotes that follows a prefix.
func quoted(text, prefix string) (string, bool) {
	rest, ok := strings.CutPrefix(text, prefix+"'")
	if !ok {
		return "", false
	}
	name, _, ok := strings.Cut(rest, "'")
	return name, ok
}

// fieldsAround returns the fields that could have been meant by a failed
// selection: those of the variable it starts from, or those of list elements,
// which local variables refer to.
func fieldsAround(parsed *ast.AST, members Members, id int64) []string {
	types := []string{CommandType.TypeName(), EffectType.TypeName(), MessageType.TypeName()}
	if e := celtree.Find(parsed, id); e != nil && e.Kind() == ast.SelectKind {
		if operand := e.AsSelect().Operand(); operand.Kind() == ast.IdentKind {
			for _, v := range Variables {
				if v.Name == operand.AsIdent() {
					types = []string{v.Type.TypeName()}
				}
			}
			if typ := elementType(parsed, operand.AsIdent()); typ != "" {
				types = []string{typ}
			}
		}
	}
	var names []string
	for _, typ := range types {
		names = slices.AppendSeq(names, maps.Keys(members[typ]))
	}
	return names
}

// elementType is the type of a variable that stands for the elements of a list of a
// call or a request, empty if it is not known.
func elementType(parsed *ast.AST, name string) (found string) {
	lists := map[string]string{"commands": CommandType.TypeName(), "effects": EffectType.TypeName(), "messages": MessageType.TypeName()}
	celtree.Walk(parsed.Expr(), func(e ast.Expr) {
		if e.Kind() != ast.ComprehensionKind || e.AsComprehension().IterVar() != name {
			return
		}
		if list := e.AsComprehension().IterRange(); list.Kind() == ast.SelectKind {
			found = lists[list.AsSelect().FieldName()]
		}
	})
	return found
}

// isMethod reports whether an expression is a function call.
func isMethod(parsed *ast.AST, id int64) bool {
	e := celtree.Find(parsed, id)
	return e != nil && e.Kind() == ast.CallKind
}

package advice

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/shell"
)

// warnPrograms warns about names of programs that are mistyped or are one of several, and
// about commands that are looked for in the text that somebody wrote.
func warnPrograms(a *ast.AST, programs *command.Catalogue, warn func(*Error)) {
	if programs == nil {
		programs = command.Builtin()
	}
	w := programWarnings{a, programs, warn}
	celtree.Walk(a.Expr(), func(e ast.Expr) {
		if e.Kind() != ast.CallKind {
			return
		}
		c := e.AsCall()
		switch args := c.Args(); c.FunctionName() {
		case "is":
			for _, arg := range args {
				for _, k := range constants(arg, nil) {
					w.mistyped(k)
				}
			}
		case operators.Equals, operators.NotEquals, operators.In:
			w.compared(args[0], args[1])
			if c.FunctionName() != operators.In {
				w.compared(args[1], args[0])
			}
		case "contains", "startsWith", "matches":
			if c.IsMemberFunction() && len(args) == 1 {
				w.inText(c, args[0])
			}
		}
	})
}

type programWarnings struct {
	ast      *ast.AST
	programs *command.Catalogue
	warn     func(*Error)
}

// mistyped warns about a name that no program has, and a known one almost has. It reports
// whether it did.
func (w *programWarnings) mistyped(k ast.Expr) bool {
	name, ok := celtree.StringLiteral(k)
	if !ok || len(name) < 4 || shell.Understands(name, w.programs) {
		return false
	}
	near := words.Typo(name, w.programs.Names())
	if near == "" {
		return false
	}
	w.warn(ErrorAt(w.ast, k.ID(), fmt.Sprintf("did you mean %q?", near), "no program that is known has the name %q", name))
	return true
}

// Compared warns about the name of a program that it is compared with, which has others.
func (w *programWarnings) compared(e, with ast.Expr) {
	isHow := isMember(w.ast, e, "how")
	if !isHow && !isMemberOf(w.ast, e, CommandType.TypeName(), "name") {
		return
	}
	list := constants(with, nil)
	var beside []string
	for _, k := range list {
		if name, ok := celtree.StringLiteral(k); ok {
			beside = append(beside, name)
		}
	}
	for _, k := range list {
		name, ok := celtree.StringLiteral(k)
		if !ok {
			continue
		}
		if isHow && call.IsKnown(name) || w.mistyped(k) {
			continue
		}
		if isHow {
			if first := firstName(w.programs, name); first != name {
				w.warn(ErrorAt(w.ast, k.ID(), fmt.Sprintf("write e.how == %q", first), "%q is another name of %s, and e.how is the usual one", name, first))
			}
			continue
		}
		others := slices.DeleteFunc(w.programs.SameAs(name), func(other string) bool { return other == name })
		if len(others) > 0 && !slices.ContainsFunc(others, func(other string) bool { return slices.Contains(beside, other) }) {
			w.warn(ErrorAt(w.ast, k.ID(), fmt.Sprintf("write c.is(%q)", name), "%s has other names, such as %s", name, others[0]))
		}
	}
}

// firstName is the name that the description of a program begins with.
func firstName(programs *command.Catalogue, name string) string {
	if p := programs.Program(name); p != nil {
		for _, first := range p.Names {
			if slices.Contains(programs.SameAs(name), first) {
				return first
			}
		}
	}
	return name
}

// gaps are what stands for a space in patterns.
var gaps = regexp.MustCompile(`\\s[+*]?|\[ [^\]]*\][+*]?| [+*]|\.\*|\\b|\^|\$`)

// inText warns about a command that is looked for in the source of commands or in the
// arguments: the same command can be written in other ways.
func (w *programWarnings) inText(c ast.CallExpr, arg ast.Expr) {
	var of string
	switch target := c.Target(); {
	case isMemberOf(w.ast, target, CommandType.TypeName(), "text"):
		of = "c.text is the command as it is written"
	case isMemberOf(w.ast, target, CallType.TypeName(), "raw"):
		of = "call.raw is the call as the model wrote it"
	default:
		return
	}
	text, ok := celtree.StringLiteral(arg)
	if !ok {
		return
	}
	if c.FunctionName() == "matches" {
		text = gaps.ReplaceAllString(text, " ")
	}
	list := strings.Fields(text)
	if len(list) < 2 || !w.programs.Has(list[0]) || !plainWord.MatchString(list[1]) {
		return
	}
	parts := []string{fmt.Sprintf("c.is(%q)", list[0])}
	for i, word := range list[1:] {
		switch {
		case !plainWord.MatchString(word):
		case strings.HasPrefix(word, "-"):
			parts = append(parts, "c.has("+strconv.Quote(word)+")")
		case i == 0:
			parts = append(parts, "c.sub == "+strconv.Quote(word))
		default:
			parts = append(parts, strconv.Quote(word)+" in c.args")
		}
	}
	w.warn(ErrorAt(w.ast, arg.ID(), "write call.commands.exists(c, "+strings.Join(parts, " && ")+")", "%s, so %s with an option or a space in between passes", of, list[0]))
}

var plainWord = regexp.MustCompile(`^-{0,2}[A-Za-z][A-Za-z0-9-]*$`)

// isMemberOf reports whether an expression is a member of a type.
func isMemberOf(a *ast.AST, e ast.Expr, typ, name string) bool {
	if e == nil || e.Kind() != ast.SelectKind || e.AsSelect().IsTestOnly() || e.AsSelect().FieldName() != name {
		return false
	}
	of := a.GetType(e.AsSelect().Operand().ID())
	return of != nil && of.TypeName() == typ
}

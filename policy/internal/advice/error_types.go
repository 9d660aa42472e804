package advice

import (
	"fmt"
	"regexp"
	"strings"

	"cel.dev/cel-go/common/ast"

	"github.com/sluice-project/sluice/policy/internal/celtree"
)

// typeWords are what CEL's plain types are to people.
var typeWords = map[string]string{
	"string": "a text", "bool": "true or false", "int": "a number", "uint": "a number", "double": "a number",
	"timestamp": "a time", "duration": "a length of time", "bytes": "bytes",
}

func typeWord(name string) string {
	switch {
	case typeWords[name] != "":
		return typeWords[name]
	case strings.HasPrefix(name, "list("):
		return "a list"
	case strings.HasPrefix(name, "map("):
		return "a map"
	default:
		return "a " + name
	}
}

// asCondition says how to make a condition of what is none.
func asCondition(e ast.Expr, wanted, found string) string {
	switch {
	case wanted != "bool" || e == nil:
		return ""
	case isCallOf(e, "flag"):
		name, _ := celtree.StringLiteral(e.AsCall().Args()[0])
		return fmt.Sprintf("flag gives a text: write has(%q) to ask whether it is given, or compare it", name)
	case isCallOf(e, "flags"):
		return `flags gives a list: write flags(NAME).exists(v, v == "VALUE")`
	case strings.HasPrefix(found, "list("):
		return "ask about its elements: list.exists(x, CONDITION)"
	case found == "string":
		return `compare it: == "VALUE", or .contains("PART")`
	case found == "timestamp":
		return now("hours")
	default:
		return "compare it"
	}
}

func isCallOf(e ast.Expr, name string) bool {
	return e.Kind() == ast.CallKind && e.AsCall().FunctionName() == name && len(e.AsCall().Args()) > 0
}

// noMembers explains a member of a plain value.
func noMembers(e ast.Expr, typ string) (message, suggestion string) {
	of, member := "this", ""
	if e != nil && e.Kind() == ast.SelectKind {
		if member = e.AsSelect().FieldName(); e.AsSelect().Operand().Kind() == ast.IdentKind {
			of = e.AsSelect().Operand().AsIdent()
		}
	}
	if typ == "string" {
		message = "a text has no members"
		switch {
		case member == "host":
			suggestion = "host is a function: write .host()"
		case functionNames[member]:
			suggestion = fmt.Sprintf("%[1]s is a function: write .%[1]s(...)", member)
		}
		return message, suggestion
	}
	if typ == "timestamp" {
		suggestion = now(member)
	}
	return fmt.Sprintf("%s is %s, which has no members", of, typeWord(typ)), suggestion
}

// partsOfTime are the functions for parts of a time, by how people begin their names.
var partsOfTime = []struct{ begin, write string }{
	{"hour", "now.getHours()"}, {"minute", "now.getMinutes()"}, {"second", "now.getSeconds()"},
	{"week", "now.getDayOfWeek(), with 0 for Sunday"}, {"dayofw", "now.getDayOfWeek(), with 0 for Sunday"}, {"day", "now.getDate(), or now.getDayOfWeek() with 0 for Sunday"},
	{"date", "now.getDate()"}, {"month", "now.getMonth(), with 0 for January"}, {"year", "now.getFullYear()"},
}

// now says how to ask for a part of the time.
func now(member string) string {
	member = strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(member, "_", ""), "get"))
	for _, part := range partsOfTime {
		if strings.HasPrefix(member, part.begin) {
			return "write " + part.write
		}
	}
	return "write now.getHours(), now.getDayOfWeek() with 0 for Sunday, now.getDate(), now.getMonth() with 0 for January, or now.getFullYear()"
}

var dateAlone = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

// wholeTime is how a time is written.
func wholeTime(text string) string {
	if dateAlone.MatchString(text) {
		return fmt.Sprintf("write timestamp(%q)", text+"T00:00:00Z")
	}
	return `write timestamp("2026-01-31T22:15:00Z")`
}

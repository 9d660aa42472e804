package syntax

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/sluice-project/sluice/policy/program/decode"
)

// Name is a name, perhaps with letters by their numbers.
func Name(data []byte) string { return decode.Escapes(string(data), decode.JavaScript) }

// Unquoted is what stands between quotes.
func Unquoted(data []byte) string {
	if len(data) < 2 {
		return ""
	}
	return Name(data[1 : len(data)-1])
}

// Member is the name of a member.
func Member(x *js.DotExpr) string {
	switch name := x.Y.(type) {
	case js.LiteralExpr:
		return Name(name.Data)
	case *js.Var:
		return Name(name.Data)
	}
	return ""
}

// Key is the name of a member of an object, as it is written there.
func Key(name js.LiteralExpr) string {
	if name.TokenType == js.StringToken {
		return Unquoted(name.Data)
	}
	key := Name(name.Data)
	if v, ok := ParseNumber(key); ok && IsDigit(key[0]) {
		key = NumberText(v)
	}
	return key
}

// TemplateText is a piece of a template with the signs around it, raw or with its escapes read.
func TemplateText(data []byte, raw bool) string {
	text := strings.TrimSuffix(strings.TrimSuffix(string(data[min(1, len(data)):]), "${"), "`")
	if raw {
		return text
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text) // every end of a line is one sign
	return decode.Escapes(text, decode.JavaScript)
}

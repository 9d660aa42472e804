package advice

import (
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// Documented names a type for authors of conditions.
func Documented(t *types.Type) string {
	switch t.Kind() {
	case types.StringKind:
		return "text"
	case types.BoolKind:
		return "true or false"
	case types.ListKind:
		return "list of " + Documented(t.Parameters()[0])
	case types.MapKind:
		return "map"
	case types.TimestampKind:
		return "time"
	case types.StructKind:
		return t.TypeName()
	default:
		return cel.FormatCELType(t)
	}
}

// TypeName names a type as in the documentation.
func TypeName(t *types.Type) string {
	if t.Kind() == types.DynKind {
		return "a value of any type"
	}
	name := cel.FormatCELType(t)
	if strings.ContainsAny(name[:1], "aeioAEIO") {
		return "an " + name
	}
	return "a " + name
}

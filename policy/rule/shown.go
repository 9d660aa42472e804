package rule

import (
	"fmt"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// How much of a value an explanation shows.
const (
	mostShownText = 160
	mostShownList = 8
)

// shown formats a value.
func shown(value ref.Val) string {
	switch v := value.(type) {
	case *types.Unknown:
		if written, ok := holedOf(v); ok {
			return strconv.Quote(clipped(written)) + ", known in part"
		}
		return "not known"
	case types.String:
		return strconv.Quote(clipped(string(v)))
	case *object:
		return shownObject(v)
	case *openList:
		return shownList(v.Lister)
	case traits.Mapper:
		return fmt.Sprintf("a map with %v keys", v.Size())
	case traits.Lister:
		return shownList(v)
	default:
		return clipped(fmt.Sprint(value.Value()))
	}
}

func shownObject(o *object) string {
	switch v := o.Value().(type) {
	case *effectView:
		return clipped(v.String())
	case *commandView:
		return clipped(v.Text)
	case *messageView:
		return clipped(string(v.Role) + ": " + v.text())
	default:
		return o.typ.TypeName()
	}
}

func shownList(list traits.Lister) string {
	var parts []string
	for it := list.Iterator(); it.HasNext() == types.True; {
		element := it.Next()
		if len(parts) == mostShownList {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, shown(element))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func clipped(text string) string {
	if runes := []rune(text); len(runes) > mostShownText {
		return string(runes[:mostShownText]) + "…"
	}
	return text
}

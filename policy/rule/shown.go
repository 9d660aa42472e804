package rule

import (
	"fmt"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/asked"
	"github.com/sluice-project/sluice/policy/internal/partial"
	"github.com/sluice-project/sluice/policy/invocation"
)

// How much of a value an explanation shows.
const (
	mostShownList = 8
)

// notKnown is how a value is shown that is not known.
const notKnown = "not known"

// shownNode formats what a part of an expression is, unless it fails.
func shownNode(f *frame, n *node) (string, bool) {
	if opNames <= n.op && n.op < opValue {
		var s span
		if a := n.span(f, &s); a != yes || s.more != yes && s.size() == 0 {
			return notKnown, !a.isFailed()
		}
		return shownSpan(f, &s), true
	}
	value, _, a := n.valueOrText(f)
	switch {
	case a.isFailed():
		return "", false
	case a == partly:
		return shown(value) + ", known in part", true
	case a != yes:
		return notKnown, true
	default:
		return shown(value), true
	}
}

// shown formats a value.
func shown(value ref.Val) string {
	switch v := value.(type) {
	case types.String:
		return strconv.Quote(advice.Clipped(partial.Plain(string(v))))
	case *object:
		return shownObject(v)
	case traits.Mapper:
		if v.Size() == types.IntOne {
			return "a map with 1 key"
		}
		return fmt.Sprintf("a map with %v keys", v.Size())
	case traits.Lister:
		return shownList(v)
	default:
		return advice.Clipped(fmt.Sprint(value.Value()))
	}
}

func shownObject(o *object) string {
	switch v := o.native.(type) {
	case *effect.Effect:
		return advice.Clipped(v.String())
	case *invocation.Command:
		return advice.Clipped(v.Text)
	case *asked.Message:
		return advice.Clipped(string(v.Role) + ": " + v.Text())
	default:
		return o.typ.TypeName()
	}
}

// shownElement formats an element of a list.
func shownElement(f *frame, s *span, i int) string {
	if s.texts != nil {
		switch text, a := s.text(f, i); a {
		case yes:
			return shown(types.String(text))
		case partly:
			return shown(types.String(text)) + ", known in part"
		default:
			return notKnown
		}
	}
	value, _ := s.value(f, i)
	return shown(value)
}

func shownSpan(f *frame, s *span) string {
	var parts []string
	for i := range s.size() {
		if len(parts) == mostShownList {
			return "[" + strings.Join(append(parts, "…"), ", ") + "]"
		}
		parts = append(parts, shownElement(f, s, i))
	}
	if s.more != yes {
		parts = append(parts, notKnown)
	}
	return "[" + strings.Join(parts, ", ") + "]"
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

package rule

import (
	"strings"

	"cel.dev/cel-go/common/ast"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celtree"
	"github.com/sluice-project/sluice/policy/internal/partial"
)

// The paths of a call are absolute where the working directory and the home are known,
// and begin with ~/ or are relative where they are not. A text that begins with ~/ and
// is compared with one of them means the home in both cases; where that depends on a
// directory that is not known, the comparison is unknown, as under() and glob() are.

// pathMembers are the members whose texts are paths, by type; those of an effect can be
// something else as well, which never begins with ~/.
var pathMembers = map[string][]string{
	advice.CallType.TypeName():    {"reads", "writes"},
	advice.EffectType.TypeName():  {"object", "from"},
	advice.SessionType.TypeName(): {"cwd"},
}

// isPath reports whether an expression is a path, or a list of paths.
func (t *translator) isPath(e ast.Expr) bool {
	switch e.Kind() {
	case ast.SelectKind:
		s := e.AsSelect()
		for _, name := range pathMembers[t.typeOf(s.Operand()).TypeName()] {
			if name == s.FieldName() {
				return true
			}
		}
	case ast.IdentKind:
		at, local := t.slotOf(e)
		return local && t.locals[at].path
	case ast.CallKind: // call.reads[0]
		args := e.AsCall().Args()
		return t.isText(e) && len(args) == 2 && t.isTexts(args[0]) && t.isPath(args[0])
	case ast.ComprehensionKind:
		list, _, _, _, ok := celtree.Mapped(e)
		return ok && t.isPath(list)
	default:
	}
	return false
}

// isAtHome reports whether a text begins with the home.
func isAtHome(text string) bool {
	return text != "" && text[0] == '~' && (len(text) == 1 || text[1] == '/')
}

// atHome compares a path with a text that begins with the home, for which the answer to
// the comparison of the texts as they are is known.
func (n *node) atHome(f *frame, path, text string, a, b, literal answer) answer {
	switch {
	case literal == yes || !isAtHome(text) || isAtHome(path) || b != yes || a != yes && a != partly:
		return literal
	case f.view == nil:
		return merge(literal, unknownOf(anything), no)
	}
	at := f.place()
	switch {
	case a == yes && !effect.IsAbs(path):
		if at.Cwd != "" || !n.isOfFile(f) || n.op == opEqual && !strings.HasSuffix(text, "/"+path) {
			return literal
		}
		return merge(literal, unknownOf(sessionCwd), no)
	case at.Home != "":
		text = strings.TrimRight(at.Home, "/") + text[1:]
	case n.op == opEqual && !couldEnd(path, text[1:], a), a == yes && !strings.Contains(path, text[1:]):
		return literal
	default:
		return merge(literal, unknownOf(sessionHome), no)
	}
	there := n.compared(f, path, text, a, b)
	if there == yes {
		return yes
	}
	return merge(literal, there, no)
}

// couldEnd reports whether a path that may be known in part could end with a text.
func couldEnd(path, end string, is answer) bool {
	if is == partly {
		h := partial.New(path)
		return h.Ends(end) != partial.No
	}
	return strings.HasSuffix(path, end)
}

// isOfFile reports whether the path of a comparison is one, and not a branch or a table.
func (n *node) isOfFile(f *frame) bool {
	for _, kid := range n.kids {
		if kid.op == opOfEffect {
			e, a := kid.effect(f)
			return a == yes && (e.Verb.OfFile() || e.Verb == effect.Send && kid.text == "from")
		}
	}
	return true
}

// side is a side of a comparison.
type side uint8

const (
	neither side = iota
	leftSide
	rightSide
)

// withPath notes which side of a comparison is a path.
func (t *translator) withPath(n *node, left, right ast.Expr) *node {
	switch {
	case t.isPath(left):
		n.path = leftSide
	case t.isPath(right) && n.op != opPrefix && (t.isText(left) || n.op == opEqual):
		n.path = rightSide
	}
	return n
}

// sameAtHome is atHome for a text and an element of a list.
func (n *node) sameAtHome(f *frame, text string, s *span, i int, a, literal answer) answer {
	element, is := s.text(f, i)
	same := node{op: opEqual, kids: n.kids[:1]}
	if n.path == rightSide {
		return same.atHome(f, element, text, is, a, literal)
	}
	return same.atHome(f, text, element, a, is, literal)
}

package rule

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/partial"
	"github.com/sluice-project/sluice/policy/internal/pattern"
	"github.com/sluice-project/sluice/policy/internal/where"
)

// texts evaluates two texts. That one of them is something else matters only if the
// other one is known.
func (n *node) texts(f *frame) (l, r value) {
	l, r = n.kids[0].eval(f), n.kids[1].eval(f)
	if (l.is == yes || l.is == partly) && (r.is == yes || r.is == partly) && !(l.isText() && r.isText()) {
		l.is = f.fail(errOtherType)
	}
	return l, r
}

// compared compares two values. A path of the call is also compared with what a text that
// begins with the home means.
func (n *node) compared(f *frame) answer {
	var l, r value
	if n.op == opEqual {
		l, r = n.kids[0].eval(f), n.kids[1].eval(f)
		if n.plain && l.is == yes && r.is == yes && l.of == nil && r.of == nil {
			return answerOf(l.text == r.text)
		}
	} else {
		l, r = n.texts(f)
	}
	return n.orAtHome(f, l, r, n.kids[1].isPath && n.op != opPrefix)
}

// orAtHome compares two values, of which the right one can be a path, if the left one is none.
func (n *node) orAtHome(f *frame, l, r value, right bool) answer {
	literal := n.asWritten(f, l, r)
	switch {
	case n.op == opUnder || n.op == opGlob: // which know the home
		return literal
	case n.kids[0].isPath:
		return n.atHome(f, l, r, literal)
	case right:
		return n.atHome(f, r, l, literal)
	default:
		return literal
	}
}

// asWritten compares two values as they are.
func (n *node) asWritten(f *frame, l, r value) answer {
	switch {
	case n.op == opEqual || n.op == opIn:
		return n.same(f, l, r)
	case l.is == partly && r.is == yes:
		return n.ofPart(f, l.text, r.text)
	case l.is != yes || r.is != yes:
		return inOrder(f.whole(l), f.whole(r))
	case !f.spend(min(len(l.text), len(r.text)) / 10):
		return tooMuch
	}
	switch n.op {
	case opPrefix:
		return answerOf(strings.HasPrefix(l.text, r.text))
	case opSuffix:
		return answerOf(strings.HasSuffix(l.text, r.text))
	case opContains:
		if !f.spend(len(l.text) / 10) {
			return tooMuch
		}
		return answerOf(strings.Contains(l.text, r.text))
	default:
		return n.ofPaths(f, l.text, r.text)
	}
}

// same reports whether two values are equal.
func (n *node) same(f *frame, l, r value) answer {
	ofTool := n.kids[0].isTool() || n.kids[1].isTool()
	switch {
	case l.is == yes && r.is == yes && l.of == nil && r.of == nil:
		if !f.spend(min(len(l.text), len(r.text)) / 10) {
			return tooMuch
		}
		return answerOf(l.text == r.text || ofTool && call.SameName(l.text, r.text))
	case ofTool: // how it is spelled does not count
	case l.is == partly && r.is == yes && r.of == nil:
		return f.equalsPart(l.text, r.text)
	case r.is == partly && l.is == yes && l.of == nil:
		return f.equalsPart(r.text, l.text)
	}
	left, a := f.inCEL(l)
	right, b := f.inCEL(r)
	if a = failsFirst(a, b); a != yes {
		return a
	}
	if !f.spend(min(weight(left), weight(right))) {
		return tooMuch
	}
	return answerOf(types.Equal(left, right) == types.True)
}

// ofPart asks about a text that is known in part. That can be enough: "staging-$X" does not
// start with prod, whatever $X is.
func (n *node) ofPart(f *frame, text, with string) answer {
	if f.view == nil && (n.op == opUnder || n.op == opGlob) {
		return unknownOf(anything)
	}
	h := partial.New(text)
	switch n.op {
	case opPrefix:
		return f.said(h.Begins(with), text)
	case opSuffix:
		return f.said(h.Ends(with), text)
	case opContains:
		return f.said(h.Has(with), text)
	case opUnder:
		return n.orWild(f, text, with, f.said(where.UnderPartly(text, with, f.place()), text))
	default:
		return n.orWild(f, text, with, f.said(where.GlobPartly(text, with, f.place()), text))
	}
}

// equalsPart says whether a text that is known in part is another one.
func (f *frame) equalsPart(text, other string) answer {
	if h := partial.New(text); !h.Could(other) {
		return no
	}
	return f.note(textPart, text)
}

// said is the answer about a text that is known in part.
func (f *frame) said(a partial.Answer, text string) answer {
	if a == partial.Open {
		return f.note(textPart, text)
	}
	return answerOf(a == partial.Yes)
}

// isIn reports whether a value is an element of a list, or the key of a map.
func (n *node) isIn(f *frame) answer {
	v := n.kids[0].eval(f)
	over := n.kids[1]
	if over.op == opEnv {
		c, a := f.command(over.kids[0])
		if a = inOrder(f.whole(v), a); a != yes {
			return a
		}
		if v.of != nil {
			return no
		}
		return f.hasVariable(c, v.text)
	}
	if n.plain && over.op == opNames && v.is == yes && v.of == nil {
		return answerOf(f.spend(len(over.names)) && slices.Contains(over.names, v.text))
	}
	s := list{more: yes}
	var a answer
	if over.op.isList() || over.op == opChoice {
		a = over.elements(f, &s)
	} else {
		in := over.eval(f)
		if keys, isMap := in.of.(traits.Mapper); isMap && v.is == yes && n.plain {
			key, _ := f.inCEL(v)
			_, has := keys.Find(key)
			return answerOf(has)
		}
		a = f.iterate(in, &s)
	}
	if v.is != yes && v.is != partly || a != yes {
		return inOrder(f.whole(v), a)
	}
	if !f.spend(s.size()) {
		return tooMuch
	}
	rest := no
	for i := range s.size() {
		a := n.orAtHome(f, v, s.at(f, i), over.isPath)
		if a == yes {
			return yes
		}
		if rest == no && !a.isMissing() {
			rest = a
		}
	}
	if rest == no && s.more != yes {
		return s.more
	}
	return rest
}

// matched reports whether a text matches a pattern.
func (n *node) matched(f *frame) answer {
	var text value
	source := value{is: yes}
	if n.pattern != nil {
		text = f.asText(n.kids[0].eval(f))
	} else {
		text, source = n.texts(f)
	}
	if text.is != yes && text.is != partly || source.is != yes {
		return inOrder(f.whole(text), f.whole(source))
	}
	p := n.pattern
	if p == nil {
		if !f.spend((1 + len(text.text)/10) * (1 + len(source.text)/4)) {
			return tooMuch
		}
		var err error
		if p, err = compiled(source.text); err != nil {
			return f.fail(err)
		}
	}
	switch {
	case text.is == partly:
		h := partial.New(text.text)
		return f.said(p.MatchPartial(&h), text.text)
	case !f.spend(len(text.text) / 20):
		return tooMuch
	case !p.CouldMatch(text.text):
		return no
	case !f.spend(p.Cost(text.text)):
		return tooMuch
	default:
		return answerOf(p.Matches(text.text))
	}
}

// compiled compiles a pattern that is not too large.
func compiled(source string) (*pattern.Pattern, error) {
	if size, err := types.RegexProgramSize(source); err != nil || size > mostRegexp {
		return nil, errPattern
	}
	return pattern.New(source)
}

// ofPaths compares two paths.
func (n *node) ofPaths(f *frame, p, with string) answer {
	if f.view == nil {
		return unknownOf(anything)
	}
	if n.op == opUnder {
		if !f.spend(max(len(p), len(with)) / 10) {
			return tooMuch
		}
		return n.orWild(f, p, with, f.placed(where.Under(p, with, f.place())))
	}
	if !f.spend(len(p) / 10 * (1 + len(with)/4)) {
		return tooMuch
	}
	a, err := where.Glob(p, with, f.place())
	if err != nil {
		return f.fail(fmt.Errorf("rule: %w", err))
	}
	return n.orWild(f, p, with, f.placed(a))
}

// placed is the answer about a path.
func (f *frame) placed(a where.Answer) answer {
	switch a {
	case where.NoBegin:
		return unknownOf(pathBegin)
	case where.NoCwd:
		return unknownOf(sessionCwd)
	case where.NoHome:
		return unknownOf(sessionHome)
	default:
		return answerOf(a == where.Yes)
	}
}

// orWild is the answer about a path of the call, where the one about the text as it is
// written is given: a wildcard in it stands for names that are not known.
func (n *node) orWild(f *frame, path, with string, as answer) answer {
	if as != no || !n.kids[0].isPath || f.written || !strings.ContainsAny(path, "*?[") || !n.isOfFile(f) {
		return as
	}
	patterns := []string{with, strings.TrimRight(with, "/") + "/**"}
	if n.op == opGlob {
		if patterns = patterns[:1]; !strings.Contains(with, "/") {
			patterns[0] = "**/" + with
		}
	}
	if !f.spend(16 + len(path) + len(with)) {
		return tooMuch
	}
	if effect.NewPaths(patterns).MayBe(path, f.place()) {
		return unknownOf(effectPath)
	}
	return no
}

// The paths of a call are absolute where the working directory and the home are known,
// and begin with ~/ or are relative where they are not. A text that begins with ~/ and
// is compared with one of them means the home in both cases; where that depends on a
// directory that is not known, the comparison is unknown, as under() and glob() are.

// isAtHome reports whether a text begins with the home.
func isAtHome(text string) bool {
	return text != "" && text[0] == '~' && (len(text) == 1 || text[1] == '/')
}

// atHome compares a path with a text that begins with the home, for which the answer to
// the comparison of the texts as they are is known.
func (n *node) atHome(f *frame, path, with value, literal answer) answer {
	switch {
	case literal == yes || with.is != yes || with.of != nil || !isAtHome(with.text) || !path.isText() || isAtHome(path.text):
		return literal
	case f.view == nil:
		return merge(literal, unknownOf(anything), no)
	}
	at, text, isPrefix := f.place(), with.text, n.op == opPrefix
	switch {
	case path.is == yes && !effect.IsAbs(path.text):
		if at.Cwd != "" || !n.isOfFile(f) || !isPrefix && !strings.HasSuffix(text, "/"+path.text) {
			return literal
		}
		return merge(literal, unknownOf(sessionCwd), no)
	case at.Home != "":
		with.text = strings.TrimRight(at.Home, "/") + text[1:]
	case !isPrefix && !couldEnd(path, text[1:]), path.is == yes && !strings.Contains(path.text, text[1:]):
		return literal
	default:
		return merge(literal, unknownOf(sessionHome), no)
	}
	there := n.asWritten(f, path, with)
	if there == yes {
		return yes
	}
	return merge(literal, there, no)
}

// couldEnd reports whether a path that may be known in part could end with a text.
func couldEnd(path value, end string) bool {
	if path.is == partly {
		h := partial.New(path.text)
		return h.Ends(end) != partial.No
	}
	return strings.HasSuffix(path.text, end)
}

// isOfFile reports whether the path of a comparison is one, and not a branch or a table.
func (n *node) isOfFile(f *frame) bool {
	for _, kid := range n.kids {
		if kid.op == opOfOne && kid.ofEffect != nil {
			e, a := f.effect(kid.kids[0])
			return a == yes && (e.Verb.OfFile() || e.Verb == effect.Send && kid.text == "from")
		}
	}
	return true
}

// host is the host of an address.
func (n *node) host(f *frame) value {
	v := f.asText(n.kids[0].eval(f))
	switch {
	case v.is == partly:
		if name, is := where.PartlyHost(v.text, false); is {
			return known(name)
		}
		return value{is: f.whole(v)}
	case v.is != yes:
		return v
	case !f.spend(len(v.text) / 10):
		return value{is: tooMuch}
	}
	name, is := where.Host(v.text)
	if !is && f.written {
		name, is = where.PartlyHost(v.text, true)
	}
	if !is {
		return value{is: unknownOf(urlHost)}
	}
	return known(name)
}

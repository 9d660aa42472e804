package rule

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/partial"
	"github.com/sluice-project/sluice/policy/internal/where"
)

// holds evaluates a condition.
func (n *node) holds(f *frame) answer {
	if !f.spend(1) {
		return tooMuch
	}
	switch n.op {
	case opConst:
		return n.answer
	case opAnd:
		return n.joined(f, no)
	case opOr:
		return n.joined(f, yes)
	case opNot:
		return n.kids[0].holds(f).not()
	default:
		if a := n.asked(f); !a.isMissing() {
			return a
		}
		return no
	}
}

// asked evaluates a condition that is not made of others by and, or and not. What is not
// there is equal to nothing: whatever is asked of it is false, and the negation of that
// true. So c.args[0] == "install" is false for a program without arguments, and
// c.args[0] != "install" is true.
func (n *node) asked(f *frame) answer {
	switch n.op {
	case opSome, opAll:
		return n.quantified(f)
	case opOne:
		return n.one(f)
	case opIs, opHas, opCommandIs, opTold:
		return n.ofCommand(f)
	case opEffectIs, opTouches, opAround, opCarries, opWithin:
		return n.ofEffect(f)
	case opKnows:
		return n.knows(f)
	case opSize:
		size, a := n.kids[0].count(f)
		if a != yes {
			return a
		}
		return answerOf(n.compare(size, n.number))
	case opMatches:
		return n.matched(f)
	case opLength:
		return n.lengthCompared(f)
	case opEqual, opPrefix, opSuffix, opContains, opUnder, opGlob:
		return n.ofTexts(f)
	case opIn:
		return n.isIn(f)
	default:
		value, a := n.general(f)
		if a != yes {
			return a
		}
		b, ok := value.(types.Bool)
		if !ok {
			return f.fail(errOtherType)
		}
		return answerOf(bool(b))
	}
}

// joined is && and ||, of which one answer decides. The order in which its kids are
// evaluated does not matter: of several failures, it is the first in the source.
func (n *node) joined(f *frame, decides answer) answer {
	all, failed := decides.not(), 0 // failed is which kid failed, if all is a failure
	for late := range 2 {
		for i, kid := range n.kids {
			if n.mixed && kid.late != (late == 1) {
				continue
			}
			a := kid.holds(f)
			switch {
			case a == decides:
				return a
			case a.isFailed() && (!all.isFailed() || i < failed):
				if failed = i; !all.isUnknown() {
					all = a
				}
			default:
				all = merge(all, a, decides.not())
			}
		}
		if !n.mixed {
			break
		}
	}
	return all
}

// knows is has() of a field, which may be empty if it is a text.
func (n *node) knows(f *frame) answer {
	v, a := n.subject(f)
	if a != yes || n.textOf == nil {
		return a
	}
	_, a = n.textOf(v)
	return answerOf(a == yes)
}

func (n *node) matched(f *frame) answer {
	if len(n.kids) == 2 {
		return n.matchedMade(f)
	}
	text, a := n.kids[0].asText(f)
	p := n.pattern
	switch {
	case a == partly && p != nil:
		h := partial.New(text)
		return f.said(p.MatchPartial(&h), text)
	case a != yes:
		return f.whole(text, a)
	case p == nil:
		p = n.patterns[f.slots[n.slot].text]
	}
	if !f.spend(len(text) / 20) {
		return tooMuch
	}
	if !p.CouldMatch(text) {
		return no
	}
	if !f.spend(p.Cost(text)) {
		return tooMuch
	}
	return answerOf(p.Matches(text))
}

// matchedMade is matched for a pattern that is not a constant.
func (n *node) matchedMade(f *frame) answer {
	text, source, a, b := n.texts(f)
	if a = inOrder(f.whole(text, a), f.whole(source, b)); a != yes {
		return a
	}
	if !f.spend((1 + len(text)/10) * (1 + len(source)/4)) {
		return tooMuch
	}
	p, err := compiled(source)
	if err != nil {
		return f.fail(err)
	}
	return answerOf(p.Matches(text))
}

// said is the answer about a text that is known in part.
func (f *frame) said(a partial.Answer, text string) answer {
	switch a {
	case partial.Yes:
		return yes
	case partial.No:
		return no
	default:
		return f.note(textPart, text)
	}
}

// ofTexts compares two texts.
func (n *node) ofTexts(f *frame) answer {
	left, right, a, b := n.texts(f)
	literal := n.compared(f, left, right, a, b)
	switch n.path {
	case leftSide:
		return n.atHome(f, left, right, a, b, literal)
	case rightSide:
		return n.atHome(f, right, left, b, a, literal)
	default:
		return literal
	}
}

// compared compares two texts as they are.
func (n *node) compared(f *frame, left, right string, a, b answer) answer {
	if a != yes || b != yes {
		return n.ofParts(f, left, right, a, b)
	}
	if !f.spend(min(len(left), len(right)) / 10) {
		return tooMuch
	}
	switch n.op {
	case opEqual:
		return answerOf(n.equal(left, right))
	case opPrefix:
		return answerOf(strings.HasPrefix(left, right))
	case opSuffix:
		return answerOf(strings.HasSuffix(left, right))
	case opContains:
		if !f.spend(len(left) / 10) {
			return tooMuch
		}
		return answerOf(strings.Contains(left, right))
	default:
		return n.ofPaths(f, left, right)
	}
}

// equal reports whether two known texts are equal.
func (n *node) equal(left, right string) bool {
	return left == right || n.ofTool && call.SameName(left, right)
}

// ofPaths compares two paths.
func (n *node) ofPaths(f *frame, left, right string) answer {
	if f.view == nil {
		return unknownOf(anything)
	}
	if n.op == opUnder {
		if !f.spend(max(len(left), len(right)) / 10) {
			return tooMuch
		}
		return n.orWild(f, left, right, f.placed(where.Under(left, right, f.place())))
	}
	if !f.spend(len(left) / 10 * (1 + len(right)/4)) {
		return tooMuch
	}
	a, err := where.Glob(left, right, f.place())
	if err != nil {
		return f.fail(fmt.Errorf("rule: %w", err))
	}
	return n.orWild(f, left, right, f.placed(a))
}

// orWild is the answer about a path of the call, where the one about the text as it is
// written is given: a wildcard in it stands for names that are not known.
func (n *node) orWild(f *frame, path, pattern string, as answer) answer {
	if as != no || !n.ofPath || f.written || !strings.ContainsAny(path, "*?[") || !n.isOfFile(f) {
		return as
	}
	patterns := []string{pattern, strings.TrimRight(pattern, "/") + "/**"}
	if n.op == opGlob {
		if patterns = patterns[:1]; !strings.Contains(pattern, "/") {
			patterns[0] = "**/" + pattern
		}
	}
	if !f.spend(16 + len(path) + len(pattern)) {
		return tooMuch
	}
	if effect.NewPaths(patterns).MayBe(path, f.place()) {
		return unknownOf(effectPath)
	}
	return no
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

// ofParts compares two texts of which not all is known. Where one of them is known
// in part, that can be enough: "staging-$X" does not start with prod, whatever $X
// is.
func (n *node) ofParts(f *frame, left, right string, a, b answer) answer {
	switch {
	case n.op == opEqual && n.ofTool:
		return failsFirst(f.whole(left, a), f.whole(right, b))
	case n.op == opEqual && a == yes && b == partly:
		return f.equalsPart(right, left)
	case n.op == opEqual && a == partly && b == yes:
		return f.equalsPart(left, right)
	case n.op == opEqual:
		return failsFirst(f.whole(left, a), f.whole(right, b))
	case a != partly || b != yes:
		return inOrder(f.whole(left, a), f.whole(right, b))
	case f.view == nil && (n.op == opUnder || n.op == opGlob):
		return unknownOf(anything)
	}
	h := partial.New(left)
	switch n.op {
	case opPrefix:
		return f.said(h.Begins(right), left)
	case opSuffix:
		return f.said(h.Ends(right), left)
	case opContains:
		return f.said(h.Has(right), left)
	case opUnder:
		return n.orWild(f, left, right, f.said(where.UnderPartly(left, right, f.place()), left))
	default:
		return n.orWild(f, left, right, f.said(where.GlobPartly(left, right, f.place()), left))
	}
}

// equalsPart says whether a text that is known in part is another one.
func (f *frame) equalsPart(text, other string) answer {
	if h := partial.New(text); !h.Could(other) {
		return no
	}
	return f.note(textPart, text)
}

// lengthCompared compares the length of a text in characters. Its length in
// bytes is usually enough to decide.
func (n *node) lengthCompared(f *frame) answer {
	text, a := n.kids[0].asText(f)
	if a != yes {
		return f.whole(text, a)
	}
	least, most := (len(text)+utf8.UTFMax-1)/utf8.UTFMax, len(text)
	if n.number < least || n.number > most {
		return answerOf(n.compare(most, n.number))
	}
	if !f.spend(len(text) / 10) {
		return tooMuch
	}
	return answerOf(n.compare(utf8.RuneCountInString(text), n.number))
}

// isIn reports whether a text is in a list of texts, or one of the variables of a
// command. What is no text is not.
func (n *node) isIn(f *frame) answer {
	text, isText, a := n.kids[0].textOr(f)
	list := n.kids[1]
	if list.op == opEnv {
		c, b := list.command(f)
		if a = inOrder(f.whole(text, a), b); a != yes {
			return a
		}
		if !isText {
			return no
		}
		return f.hasVariable(c, text)
	}
	var s span
	b := list.span(f, &s)
	if a != yes && a != partly || b != yes {
		return inOrder(f.whole(text, a), b)
	}
	if !f.spend(s.size()) {
		return tooMuch
	}
	rest := no
	for i := range s.size() {
		same := no
		switch element, is := s.text(f, i); {
		case is == yes && a == yes:
			same = answerOf(isText && n.equal(element, text))
		case is == yes && !n.ofTool:
			same = f.equalsPart(text, element)
		case is == partly && a == yes && isText && !n.ofTool:
			same = f.equalsPart(element, text)
		case isText || is != partly:
			same = inOrder(f.whole(text, a), f.whole(element, is))
		}
		if n.path != neither && isText {
			same = n.sameAtHome(f, text, &s, i, a, same)
		}
		if same == yes {
			return yes
		}
		if rest == no {
			rest = same
		}
	}
	if rest == no && s.more != yes {
		return s.more
	}
	return rest
}

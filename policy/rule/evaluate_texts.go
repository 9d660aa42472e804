package rule

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
	"github.com/sluice-project/sluice/policy/internal/partial"
	"github.com/sluice-project/sluice/policy/internal/where"
	"github.com/sluice-project/sluice/policy/invocation"
)

// asText evaluates an expression that must be a text. The answer is yes if it is
// known, and partly if the text has parts that are not.
func (n *node) asText(f *frame) (string, answer) {
	if n.isText(f) {
		return n.ownText(f)
	}
	text, isText, a := n.textOr(f)
	if a == yes && !isText {
		return "", f.fail(errOtherType)
	}
	return text, a
}

// texts evaluates two texts. That one of them is something else matters only if the
// other one is known.
func (n *node) texts(f *frame) (left, right string, a, b answer) {
	left, isText, a := n.kids[0].textOr(f)
	right, isTextToo, b := n.kids[1].textOr(f)
	if !(isText && isTextToo) && (a == yes || a == partly) && (b == yes || b == partly) {
		a = f.fail(errOtherType)
	}
	return left, right, a, b
}

// isText reports whether a node is evaluated as a text.
func (n *node) isText(f *frame) bool {
	return opText <= n.op && n.op <= opHost && (n.op != opLocal || f.slots[n.slot].value == nil)
}

// textOr is asText for an expression that may be something else.
func (n *node) textOr(f *frame) (text string, isText bool, a answer) {
	if n.isText(f) {
		text, a = n.ownText(f)
		return text, true, a
	}
	value, a := n.general(f)
	if a != yes {
		return "", true, a
	}
	s, isText := value.(types.String)
	return string(s), isText, yes
}

// ownText evaluates a node that is a text.
func (n *node) ownText(f *frame) (string, answer) {
	if !f.spend(1) {
		return "", tooMuch
	}
	switch n.op {
	case opText:
		return n.text, yes
	case opLocal:
		at := &f.slots[n.slot]
		return at.text, at.is
	case opField:
		return n.global(f)
	case opOfSlot:
		return n.commandText(f)
	case opFlag:
		return n.flag(f)
	case opOfEffect:
		e, a := n.effect(f)
		if a != yes && e != nil && n.text == "how" { // all that is known of what a stranger does
			return e.How, yes
		}
		if a != yes {
			return "", a
		}
		if e.IsDefault() && n.text == "object" {
			return "", unknownOf(effectObject)
		}
		text := n.effectText(e)
		if n.open && !f.written && effect.Expands(text) {
			return text, partly
		}
		return text, yes
	case opArea:
		return n.area(f)
	case opJoined:
		left, right, a, b := n.texts(f)
		if a = inOrder(f.whole(left, a), f.whole(right, b)); a != yes {
			return "", a
		}
		if !f.spend((len(left) + len(right)) / 10) {
			return "", tooMuch
		}
		return left + right, yes
	case opElement:
		return n.element(f)
	case opOfEnv:
		return n.environment(f)
	default:
		return n.host(f)
	}
}

// global is a text of a global variable.
func (n *node) global(f *frame) (string, answer) {
	v, a := n.subject(f)
	if a != yes {
		return "", a
	}
	return n.textOf(v)
}

// subject is the subject whose variables have a field.
func (n *node) subject(f *frame) (*view, answer) {
	if f.view == nil {
		return nil, unknownOf(anything)
	}
	if n.of != nil {
		if _, a := n.of.general(f); a != yes {
			return nil, a
		}
	}
	return f.view, yes
}

// element is an element of a list of texts.
func (n *node) element(f *frame) (string, answer) {
	var s span
	a := n.kids[0].span(f, &s)
	if a == yes {
		a = merge(a, s.more, yes)
	}
	at := n.number
	if len(n.kids) == 2 {
		index, b := n.kids[1].general(f)
		if a = inOrder(a, b); a != yes {
			return "", a
		}
		i, err := types.GetOrError(index)
		if err != nil {
			return "", f.fail(fmt.Errorf("rule: %w", err))
		}
		at = i
	}
	if a != yes && (at < 0 || at >= s.sure || a.isFailed()) {
		return "", a
	}
	if at < 0 || at >= s.size() {
		return "", f.missing(strconv.Itoa(at))
	}
	return s.text(f, at)
}

func (n *node) host(f *frame) (string, answer) {
	raw, a := n.kids[0].asText(f)
	switch {
	case a == partly:
		if name, known := where.PartlyHost(raw, false); known {
			return name, yes
		}
		return "", f.note(textPart, raw)
	case a != yes:
		return "", a
	case !f.spend(len(raw) / 10):
		return "", tooMuch
	}
	name, known := where.Host(raw)
	if !known && f.written {
		name, known = where.PartlyHost(raw, true)
	}
	if !known {
		return "", unknownOf(urlHost)
	}
	return name, yes
}

// span is what a list consists of: one of commands, effects, texts and values.
type span struct {
	commands []invocation.Command
	effects  []effect.Effect
	texts    []string
	values   []ref.Val
	// open is how much of each text is not known, if that is told; otherwise it
	// is known in part if expands is set and it has variables.
	open    []invocation.Openness
	expands bool
	// strange are the programs that may have the further effects, nil if anything may.
	strange []string
	// sure is how many of the texts surely come first, also if there is more.
	sure int
	// more is yes if the list is complete, else what is unknown of it: it counts
	// as going on with an element about which nothing is known.
	more answer
}

func (s *span) size() int { return len(s.commands) + len(s.effects) + len(s.texts) + len(s.values) }

// load puts an element into a slot.
func (s *span) load(f *frame, i int, at *slot) {
	switch {
	case s.commands != nil:
		*at = slot{command: &s.commands[i], is: yes}
	case s.effects != nil:
		*at = slot{effect: &s.effects[i], is: yes}
	case i < len(s.values) && absenceOf(s.values[i]) != yes:
		*at = slot{is: absenceOf(s.values[i])}
	case s.values != nil:
		*at = slot{value: s.values[i], is: yes}
		if o, ok := s.values[i].(*object); ok {
			at.command, _ = o.native.(*invocation.Command)
			at.effect, _ = o.native.(*effect.Effect)
		}
	default:
		*at = slot{}
		at.text, at.is = s.text(f, i)
	}
}

// text is an element of a list of texts.
func (s *span) text(f *frame, i int) (string, answer) {
	if s.values != nil {
		if a := absenceOf(s.values[i]); a != yes {
			return "", a
		}
		text, ok := s.values[i].(types.String)
		if !ok {
			return "", f.fail(errOtherType)
		}
		return string(text), yes
	}
	text := s.texts[i]
	switch {
	case i < len(s.open) && s.open[i] == invocation.AnyWords:
		return "", f.note(commandArgs, text)
	case i < len(s.open) && s.open[i] == invocation.Names:
		return partial.Wild(text), partly
	case (s.expands || i < len(s.open) && s.open[i] == invocation.OneWord) && effect.Expands(text):
		return text, partly
	default:
		return text, yes
	}
}

// span evaluates a list, or the keys of a map. The answer is yes if it is known.
func (n *node) span(f *frame, s *span) answer {
	if !f.spend(1) {
		return tooMuch
	}
	s.more = yes
	switch n.op {
	case opNames:
		s.texts = n.names
		return yes
	case opFiles:
		v, a := n.subject(f)
		if a != yes {
			return a
		}
		if s.texts, s.more = n.listOf(v); s.more == unknownOf(requestAll) {
			return s.more
		}
		s.expands = n.open && !f.written
		if f.known {
			s.more = yes
		}
		return yes
	case opCommands, opEffects:
		v, a := n.subject(f)
		if a != yes {
			return a
		}
		c := v.read()
		if n.op == opCommands {
			s.commands, s.more = c.Commands, complete(f.known || !c.Incomplete.Commands, someCommands)
		} else {
			s.effects, s.more = c.Effects, complete(f.known || !c.Incomplete.Commands, someEffects)
			if s.more == yes && !f.known && !f.written && len(c.Strange) > 0 {
				s.strange, s.more = c.Strange, unknownOf(someEffects)
			}
		}
		return yes
	case opBelow:
		return n.effectsOf(f, s)
	case opArgs:
		return n.args(f, s)
	case opOperands:
		return n.operands(f, s)
	case opFlags:
		return n.flags(f, s)
	case opEnv:
		c, a := n.command(f)
		if a == yes {
			s.texts = slices.Sorted(maps.Keys(variables(c)))
		}
		return a
	default:
		return n.iterated(f, s)
	}
}

// iterated is the span of a list or a map that has a general value.
func (n *node) iterated(f *frame, s *span) answer {
	value, a := n.general(f)
	if a != yes {
		return a
	}
	list, ok := value.(traits.Iterable)
	if !ok {
		return f.fail(errOtherType)
	}
	for it := list.Iterator(); it.HasNext() == types.True; {
		if !f.spend(1) {
			return tooMuch
		}
		s.values = append(s.values, it.Next())
	}
	return yes
}

// count is the size of a list, which must be known as a whole.
func (n *node) count(f *frame) (int, answer) {
	if opNames <= n.op && n.op <= opEffects || n.op == opEnv {
		var s span
		if a := n.span(f, &s); a != yes {
			return 0, a
		}
		return s.size(), s.more
	}
	value, a := n.general(f)
	if a != yes {
		return 0, a
	}
	list, ok := value.(traits.Sizer)
	if !ok {
		return 0, f.fail(errOtherType)
	}
	size, _ := list.Size().(types.Int)
	return int(size), yes
}

// list is a list as a value: it must be known as a whole.
func (n *node) list(f *frame) (ref.Val, answer) {
	var s span
	if a := n.span(f, &s); a != yes || s.more != yes {
		return nil, merge(a, s.more, yes)
	}
	if !f.spend(s.size()) {
		return nil, tooMuch
	}
	if s.texts != nil && s.open == nil && !s.expands {
		return types.NewStringList(celvalue.Adapter{}, s.texts), yes
	}
	values := make([]ref.Val, s.size())
	for i := range values {
		value, a := s.value(f, i)
		if a != yes {
			return nil, a
		}
		values[i] = value
	}
	return types.NewRefValList(celvalue.Adapter{}, values), yes
}

// value is an element as a value.
func (s *span) value(f *frame, i int) (ref.Val, answer) {
	switch {
	case s.commands != nil:
		return &object{advice.CommandType, &s.commands[i]}, yes
	case s.effects != nil:
		return &object{advice.EffectType, &s.effects[i]}, yes
	case s.values != nil:
		return s.values[i], absenceOf(s.values[i])
	default:
		text, a := s.text(f, i)
		return types.String(text), f.whole(text, a)
	}
}

// strings are the texts of a list that a function takes.
func (n *node) strings(f *frame) ([]string, answer) {
	var s span
	if a := n.span(f, &s); a != yes || s.more != yes {
		return nil, merge(a, s.more, yes)
	}
	if s.values == nil && s.open == nil && !s.expands {
		return s.texts, yes
	}
	list := make([]string, 0, s.size())
	for i := range s.size() {
		text, a := s.text(f, i)
		if a != yes {
			return nil, f.whole(text, a)
		}
		list = append(list, text)
	}
	return slices.Clip(list), yes
}

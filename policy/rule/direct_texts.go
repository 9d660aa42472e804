package rule

import (
	"slices"
	"unicode/utf8"

	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/sluice-project/sluice/policy/effect"
)

// value evaluates a text. The answer is yes if it is known.
func (n *node) value(f *frame) (string, answer) {
	if !f.spend(1) {
		return "", open
	}
	at := &f.slots[n.slot]
	switch n.op {
	case opText:
		return n.text, yes
	case opLocal:
		if at.unknown != no {
			return "", at.unknown
		}
		if !n.written && effect.Expands(at.text) {
			return "", open
		}
		return at.text, yes
	case opField:
		return n.get(f.view), yes
	case opSession:
		if text := n.get(f.view); text != "" {
			return text, yes
		}
		return "", n.answer
	case opOfSlot, opFlag:
		return n.ofSlot(f)
	case opOfEffect:
		if at.effect == nil {
			return "", at.unknown
		}
		if n.text == "object" && at.effect.IsDefault() {
			return "", unknownOf(effectObject)
		}
		text := n.effectText(at.effect)
		if !n.written && effect.Expands(text) {
			return "", open
		}
		return text, yes
	case opJoined:
		left, a := n.kids[0].value(f)
		right, b := n.kids[1].value(f)
		if a = merge(a, b, yes); a != yes {
			return "", a
		}
		if !f.spend((len(left) + len(right)) / 10) {
			return "", open
		}
		return left + right, yes
	case opElement:
		list, more, a := n.kids[0].elements(f)
		if a = merge(a, more, yes); a != yes {
			return "", a
		}
		at := n.number
		if at < 0 {
			at += len(list)
		}
		if at < 0 || at >= len(list) {
			return "", open // an error
		}
		return list[at], yes
	case opHost:
		raw, a := n.kids[0].value(f)
		if a != yes {
			return "", a
		}
		if !f.spend(len(raw) / 10) {
			return "", open
		}
		switch name := host(raw).(type) {
		case types.String:
			return string(name), yes
		case *types.Unknown:
			return "", unknownFrom(name)
		default:
			return "", open
		}
	default:
		return "", open
	}
}

// ofSlot is a field of a command, or the value of one of its flags.
func (n *node) ofSlot(f *frame) (string, answer) {
	at := &f.slots[n.slot]
	c := at.command
	if c == nil {
		return "", at.unknown
	}
	if isFlag := n.op == opFlag; !n.written && (isFlag && (c.Open != nil || c.More) || !isFlag && n.text == "sub" && c.Open != nil) {
		return "", open
	}
	var text string
	switch {
	case n.op == opFlag:
		if !f.spend(len(c.Args)) {
			return "", open
		}
		text = c.Flag(n.text)
	case n.text == "name":
		return c.Name, yes
	case n.text == "text":
		return c.Line(), yes
	default:
		text = c.Sub
	}
	if text == "" && c.More && !f.known {
		return "", unknownOf(commandArgs)
	}
	return text, yes
}

// elements evaluates a list of texts. The answer is yes if it is known; more is
// yes if the list is complete, else the value of an element about which nothing
// is known.
func (n *node) elements(f *frame) (list []string, more, a answer) {
	if !f.spend(1) {
		return nil, yes, open
	}
	switch n.op {
	case opNames:
		return n.names, yes, yes
	case opFiles:
		list, more = n.list(f.view)
		if !n.written && slices.ContainsFunc(list, effect.Expands) {
			return nil, yes, open
		}
		if f.known {
			more = yes
		}
		return list, more, yes
	case opArgs:
		at := &f.slots[n.slot]
		switch {
		case at.command == nil:
			return nil, yes, at.unknown
		case !n.written && at.command.Open != nil:
			return nil, yes, open
		case at.command.More && !f.known:
			return at.command.Args, unknownOf(commandArgs), yes
		default:
			return at.command.Args, yes, yes
		}
	default:
		return nil, yes, open
	}
}

// lengthCompared compares the length of a text in characters. Its length in
// bytes is usually enough to decide.
func (n *node) lengthCompared(f *frame, text string) answer {
	least, most := (len(text)+utf8.UTFMax-1)/utf8.UTFMax, len(text)
	if n.number < least || n.number > most {
		return n.compared(f, most)
	}
	if !f.spend(len(text) / 10) {
		return open
	}
	return n.compared(f, utf8.RuneCountInString(text))
}

// comparisons of numbers, by CEL's operators.
var comparisons = map[string]func(a, b int) bool{
	operators.Less:          func(a, b int) bool { return a < b },
	operators.LessEquals:    func(a, b int) bool { return a <= b },
	operators.Greater:       func(a, b int) bool { return a > b },
	operators.GreaterEquals: func(a, b int) bool { return a >= b },
	operators.Equals:        func(a, b int) bool { return a == b },
	operators.NotEquals:     func(a, b int) bool { return a != b },
}

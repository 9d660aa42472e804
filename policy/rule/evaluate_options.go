package rule

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Options and subcommands are those that the descriptions of programs find in a command
// line, in all of its readings.

// programs are the descriptions that the condition knows.
func (f *frame) programs() *command.Catalogue {
	if f.view != nil && f.view.programs != nil {
		return f.view.programs
	}
	return command.Builtin()
}

// flagName is the name of a flag that a function is about.
func (n *node) flagName(f *frame) (string, answer) {
	if n.kids == nil {
		return n.text, yes
	}
	text, a := n.kids[0].asText(f)
	return text, f.whole(text, a)
}

// options are those of a command with a name, and the argument from which on it has none.
func (n *node) options(f *frame, c *invocation.Command) (found []command.Option, end int, a answer) {
	name, a := n.flagName(f)
	if a != yes {
		return nil, 0, a
	}
	if !f.spend(len(c.Args)) {
		return nil, 0, tooMuch
	}
	found, end = f.programs().Options(c.Name, c.Args, name)
	return found, end, yes
}

// has reports whether a command has a flag.
func (n *node) has(f *frame, c *invocation.Command) answer {
	found, end, a := n.options(f, c)
	if a != yes {
		return a
	}
	if slices.ContainsFunc(found, func(o command.Option) bool { return !o.Maybe || f.known || f.written }) {
		return yes
	}
	if s := (span{}); n.byVariable(f, c, &s) {
		return yes
	}
	if len(found) > 0 {
		return unknownOf(commandArgs)
	}
	if f.written || f.known {
		return no
	}
	for i, arg := range c.Args[:end] {
		if f.couldBeFlag(c, i) {
			return f.note(commandArgs, arg)
		}
	}
	return no
}

// flag is the value of a flag: the last, if there are several. Words that may add options
// do not take it back: it stays what was found.
func (n *node) flag(f *frame) (string, answer) {
	var s span
	latest, a := n.flagValues(f, &s)
	if a != yes {
		return "", a
	}
	last := len(s.texts) - 1
	switch {
	case f.written && last >= 0:
		return s.texts[last], yes
	case latest != yes:
		return "", latest
	case last >= 0:
		return s.text(f, last)
	case s.more != yes:
		return "", s.more
	default:
		return "", yes
	}
}

// flags are all values of a flag, in order, and whether there may be more of them.
func (n *node) flags(f *frame, s *span) answer {
	_, a := n.flagValues(f, s)
	return a
}

// flagValues are all values of a flag, whether there may be more of them, and whether the
// last one is surely given, and followed by none of its own.
func (n *node) flagValues(f *frame, s *span) (latest, a answer) {
	c, a := n.command(f)
	if a != yes {
		return a, a
	}
	found, end, a := n.options(f, c)
	if a != yes {
		return a, a
	}
	if !slices.ContainsFunc(found, func(o command.Option) bool { return o.Valued && !o.Maybe }) {
		n.byVariable(f, c, s)
	}
	maybe := false
	latest = yes
	for _, o := range found {
		maybe = maybe || o.Maybe
		if latest = yes; o.Maybe {
			latest = unknownOf(commandArgs)
		}
		if o.Valued {
			s.texts, s.open = append(s.texts, o.Value), append(s.open, f.openness(c, o.At))
		} else if c.More && o.At == len(c.Args)-1 { // the first of the further arguments is its value
			maybe, latest = true, unknownOf(commandArgs)
		}
	}
	if s.more = yes; f.known {
		return yes, yes
	}
	if maybe {
		s.more = unknownOf(commandArgs)
	}
	for i, arg := range c.Args[:end] {
		if f.couldBeFlag(c, i) {
			s.more = f.note(commandArgs, arg)
			break
		}
	}
	return latest, yes
}

// subcommand is that of a command. Where words that stand in front of it may be values of
// options that are not known, it is the one of the reading that the slot is in.
func (n *node) subcommand(f *frame, c *invocation.Command) (string, answer) {
	if f.written || f.known || !slices.ContainsFunc(c.Args, func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		return c.Sub, yes
	}
	if n.slot < 0 {
		return only(f.programs().Subcommands(c.Name, c.Args))
	}
	at := &f.slots[n.slot]
	if at.subs == nil {
		at.subs = f.programs().Subcommands(c.Name, c.Args)
	}
	if at.each {
		return at.subs[at.reading], yes
	}
	return only(at.subs)
}

// only is the one of some texts.
func only(texts []string) (string, answer) {
	if len(texts) > 1 {
		return "", unknownOf(commandArgs)
	}
	return texts[0], yes
}

// inEach evaluates a condition on what is in a slot in all readings of it. If they
// disagree, it is not known.
func (n *node) inEach(f *frame, at *slot) answer {
	if at.command == nil {
		return n.holds(f)
	}
	at.each, at.reading, at.way = true, 0, 0
	a := n.holds(f)
	for f.steps >= 0 {
		if at.reading++; at.reading >= len(at.subs) {
			at.reading, at.way = 0, at.way+1
		}
		if at.way > 0 && at.way >= len(at.operands) {
			break
		}
		if b := n.holds(f); a != b {
			a = merge(a, merge(b, unknownOf(commandArgs), no), no)
		}
	}
	at.each = false
	return a
}

package rule

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/partial"
	"github.com/sluice-project/sluice/policy/invocation"
)

// A command with More arguments may get further ones when it runs, and an argument
// can be known in part, or become any number of arguments.

// command is the command that a node is about.
func (n *node) command(f *frame) (*invocation.Command, answer) {
	if n.slot >= 0 {
		at := &f.slots[n.slot]
		return at.command, at.is
	}
	value, a := n.of.general(f)
	if a != yes {
		return nil, a
	}
	if o, ok := value.(*object); ok {
		if c, ok := o.native.(*invocation.Command); ok {
			return c, yes
		}
	}
	return nil, f.fail(errOtherType)
}

// more reports whether further arguments may follow.
func (f *frame) more(c *invocation.Command) bool { return c.More && !f.known }

// openness is how much of an argument is not known.
func (f *frame) openness(c *invocation.Command, i int) invocation.Openness {
	if f.written || i >= len(c.Open) {
		return invocation.Whole
	}
	return c.Open[i]
}

// couldBeFlag reports whether an argument may be a flag that is not visible in it.
func (f *frame) couldBeFlag(c *invocation.Command, i int) bool {
	switch f.openness(c, i) {
	case invocation.Whole:
		return false
	case invocation.AnyWords:
		return true
	default:
		h := partial.New(c.Args[i])
		first := h.First()
		return first == "" || first[0] == '-' && !strings.Contains(first, "=")
	}
}

// ofCommand is a condition on a command.
func (n *node) ofCommand(f *frame) answer {
	c, a := n.command(f)
	if a != yes {
		return a
	}
	switch n.op {
	case opCommandIs:
		return answerOf(n.commandMark(c))
	case opIs:
		if n.names == nil {
			return n.isOneOf(f, c)
		}
		return answerOf(slices.Contains(n.names, c.Name))
	case opTold:
		return n.told(f, c)
	default:
		return n.has(f, c)
	}
}

// isOneOf is command.is with names that are not constants: texts, or a list.
func (n *node) isOneOf(f *frame, c *invocation.Command) answer {
	found, all := no, yes
	for _, kid := range n.kids {
		value, a := kid.general(f)
		if all = inOrder(all, a); a != yes {
			continue
		}
		switch v := value.(type) {
		case types.String:
			found |= answerOf(string(v) == c.Name)
		case traits.Lister:
			found |= answerOf(v.Contains(types.String(c.Name)) == types.True)
		default:
			all = inOrder(all, f.fail(errOtherType))
		}
	}
	if all != yes {
		return all
	}
	return found
}

// flagName is the name of a flag that a function is about.
func (n *node) flagName(f *frame) (string, answer) {
	if n.kids == nil {
		return n.text, yes
	}
	text, a := n.kids[0].asText(f)
	return text, f.whole(text, a)
}

// otherNames are the other names of a flag of a command, as far as the program is
// described: whoever asks for --force means -f, too.
func (f *frame) otherNames(c *invocation.Command, name string) []string {
	programs := command.Builtin()
	if f.view != nil && f.view.programs != nil {
		programs = f.view.programs
	}
	if !slices.ContainsFunc(c.Args, func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		return nil
	}
	if p := programs.Program(c.Name); p != nil {
		return p.FlagNames(c.Args, name)
	}
	return nil
}

// has reports whether a command has a flag.
func (n *node) has(f *frame, c *invocation.Command) answer {
	name, a := n.flagName(f)
	if a != yes {
		return a
	}
	if !f.spend(len(c.Args)) {
		return tooMuch
	}
	if c.Has(name) || slices.ContainsFunc(f.otherNames(c, name), c.Has) {
		return yes
	}
	if c.Open != nil && !f.written && !f.known {
		for i, arg := range c.Args {
			if arg == "--" {
				return no
			}
			if f.couldBeFlag(c, i) {
				return f.note(commandArgs, arg)
			}
		}
	}
	if f.more(c) && !slices.Contains(c.Args, "--") {
		return unknownOf(commandArgs)
	}
	return no
}

// told reports whether an argument of a command is one of some paths.
func (n *node) told(f *frame, c *invocation.Command) answer {
	paths, a := n.pathsOf(f)
	if a != yes {
		return a
	}
	for _, arg := range c.Args {
		if !f.spend(paths.Steps(arg)) {
			return tooMuch
		}
	}
	if f.view == nil {
		return unknownOf(anything)
	}
	at := f.place()
	if names(c, paths, at, &f.path) {
		return yes
	}
	if f.written || f.known {
		return no
	}
	for i, arg := range c.Args {
		if _, value, joined := strings.Cut(arg, "="); joined {
			arg = value
		}
		if f.openness(c, i) != invocation.Whole && paths.Could(arg, false, at) {
			return f.note(commandArgs, arg)
		}
	}
	if f.more(c) {
		return unknownOf(commandArgs)
	}
	return no
}

// pathsOf are the paths that a node compares with.
func (n *node) pathsOf(f *frame) (*effect.Paths, answer) {
	if n.paths != nil {
		return n.paths, yes
	}
	list, a := n.kids[0].strings(f)
	if a != yes {
		return nil, a
	}
	if !f.spend(8 * len(list)) {
		return nil, tooMuch
	}
	return effect.NewPaths(list), yes
}

// commandText is a text of a command.
func (n *node) commandText(f *frame) (string, answer) {
	c, a := n.command(f)
	if a != yes {
		return "", a
	}
	switch n.text {
	case "name":
		return c.Name, yes
	case "text":
		return c.Line(), yes
	}
	if c.Sub == "" && f.more(c) {
		return "", unknownOf(commandArgs)
	}
	if c.Open == nil || f.written {
		return c.Sub, yes
	}
	for i, arg := range c.Args {
		switch open := f.openness(c, i); {
		case open == invocation.AnyWords:
			return "", f.note(commandArgs, arg)
		case arg == c.Sub && open == invocation.OneWord && effect.Expands(arg):
			return arg, partly
		case arg == c.Sub:
			return arg, yes
		}
	}
	return c.Sub, yes
}

// args are the arguments of a command.
func (n *node) args(f *frame, s *span) answer {
	c, a := n.command(f)
	if a != yes {
		return a
	}
	s.texts, s.more = c.Args, complete(!f.more(c), commandArgs)
	if c.Open == nil || f.written {
		return yes
	}
	s.open = c.Open
	if !slices.Contains(c.Open, invocation.AnyWords) {
		return yes
	}
	s.texts, s.open = nil, nil
	for i, arg := range c.Args {
		open := f.openness(c, i)
		if open != invocation.AnyWords {
			s.texts, s.open = append(s.texts, arg), append(s.open, open)
		} else if s.more == yes && !f.known {
			s.more = f.note(commandArgs, arg)
		}
	}
	return yes
}

// flag is the value of a flag: the last, if there are several.
func (n *node) flag(f *frame) (string, answer) {
	c, a := n.command(f)
	if a != yes {
		return "", a
	}
	name, a := n.flagName(f)
	if a != yes {
		return "", a
	}
	if !f.spend(len(c.Args)) {
		return "", tooMuch
	}
	var s span
	f.flagValues(c, name, &s)
	if f.written && len(s.texts) > 0 {
		return s.texts[len(s.texts)-1], yes
	}
	switch last := len(s.texts) - 1; {
	case s.more != yes:
		return "", s.more
	case last < 0:
		return "", yes
	default:
		return s.text(f, last)
	}
}

// flags are all values of a flag, in order.
func (n *node) flags(f *frame, s *span) answer {
	c, a := n.command(f)
	if a != yes {
		return a
	}
	name, a := n.flagName(f)
	if a != yes {
		return a
	}
	if !f.spend(len(c.Args)) {
		return tooMuch
	}
	f.flagValues(c, name, s)
	return yes
}

// flagValues are the values of a flag, and whether there may be more of them.
func (f *frame) flagValues(c *invocation.Command, name string, s *span) {
	found, ended := c.Values(name)
	if others := f.otherNames(c, name); len(others) > 0 {
		for _, other := range others {
			more, _ := c.Values(other)
			found = append(found, more...)
		}
		slices.SortStableFunc(found, func(a, b invocation.FlagValue) int { return a.At - b.At })
	}
	for _, v := range found {
		s.texts, s.open = append(s.texts, v.Text), append(s.open, f.openness(c, v.At))
	}
	s.more = yes
	if f.known {
		return
	}
	for i, arg := range c.Args[:ended] {
		isValue := f.openness(c, i) == invocation.OneWord && slices.ContainsFunc(found, func(v invocation.FlagValue) bool { return v.At == i })
		if f.couldBeFlag(c, i) && !isValue {
			s.more = f.note(commandArgs, arg)
			return
		}
	}
	if c.More && ended == len(c.Args) {
		s.more = unknownOf(commandArgs)
	}
}

// names reports whether an argument of a command, or the value of one, is one of
// some paths: if it is not known what a program does with its arguments, there is
// nothing else to judge.
func names(c *invocation.Command, paths *effect.Paths, at effect.Place, buf *effect.Path) bool {
	if c.DirUnknown {
		at.Cwd = ""
	} else if c.Dir != "" {
		at.Cwd, _ = at.Resolve(c.Dir)
	}
	for _, arg := range c.Args {
		if _, value, joined := strings.Cut(arg, "="); joined && value != "" {
			arg = value
		}
		listed, inFile := strings.CutPrefix(arg, "@") // a file with further arguments, or with what is sent
		for _, path := range [...]string{arg, listed} {
			if path == "" || path[0] == '-' || len(path) > effect.MaxPlace {
				continue
			}
			resolved, _ := at.Resolve(path)
			if buf.Set(resolved, at); paths.Touched(buf, false) {
				return true
			}
			if !inFile {
				break
			}
		}
	}
	return false
}

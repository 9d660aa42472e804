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

// couldBeFlag reports whether an argument may be a flag that is not visible in it. A word
// in quotes is one word, and taken for no option unless it begins with a dash; so is one
// that begins otherwise, and a path. What else may be split into words can be any of them.
func (f *frame) couldBeFlag(c *invocation.Command, i int) bool {
	open := f.openness(c, i)
	if open == invocation.Whole || open == invocation.Names {
		return false
	}
	h := partial.New(c.Args[i])
	switch first := h.First(); {
	case strings.HasPrefix(first, "-"):
		return open == invocation.AnyWords || !strings.Contains(first, "=") && !f.isGlued(c, i, first)
	case first != "" || open == invocation.OneWord:
		return false
	default:
		return !slices.ContainsFunc(h.Pieces, func(piece string) bool { return strings.Contains(piece, "/") })
	}
}

// isGlued reports whether what is not known of an argument is the value of a letter in what
// is known of it: -p"$PASSWORD".
func (f *frame) isGlued(c *invocation.Command, i int, first string) bool {
	if strings.HasPrefix(first, "--") {
		return false
	}
	for at := 1; at < len(first); at++ {
		found, _ := f.programs().Options(c.Name, c.Args, first[at:at+1])
		if slices.ContainsFunc(found, func(o command.Option) bool { return o.Valued && !o.Maybe && o.At == i }) {
			return true
		}
	}
	return false
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
	names := f.programs().SameAs(c.Name)
	for _, kid := range n.kids {
		value, a := kid.general(f)
		if all = inOrder(all, a); a != yes {
			continue
		}
		switch v := value.(type) {
		case types.String:
			found |= answerOf(slices.Contains(names, string(v)))
		case traits.Lister:
			found |= answerOf(slices.ContainsFunc(names, func(name string) bool { return v.Contains(types.String(name)) == types.True }))
		default:
			all = inOrder(all, f.fail(errOtherType))
		}
	}
	if all != yes {
		return all
	}
	return found
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
	sub, a := n.subcommand(f, c)
	switch {
	case a != yes:
		return "", a
	case sub == "" && f.more(c):
		return "", unknownOf(commandArgs)
	case c.Open == nil || f.written:
		return sub, yes
	}
	for i, arg := range c.Args {
		switch open := f.openness(c, i); {
		case open == invocation.AnyWords:
			return "", f.note(commandArgs, arg)
		case arg == sub && open == invocation.OneWord && effect.Expands(arg):
			return arg, partly
		case arg == sub && open == invocation.Names:
			return partial.Wild(arg), partly
		case arg == sub:
			return arg, yes
		}
	}
	return sub, yes
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

package rule

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/shell"
)

// commandView is a command as expressions see it. A command with More arguments
// may get further ones when it runs, and an argument can be known in part, or become
// any number of arguments.
type commandView struct {
	*shell.Command

	known, written bool
}

// open reports whether further arguments may follow.
func (c *commandView) open() bool { return c.More && !c.known }

// openness is how much of an argument is not known.
func (c *commandView) openness(i int) shell.Openness {
	if c.written || i >= len(c.Open) {
		return shell.Whole
	}
	return c.Open[i]
}

// couldBeFlag reports whether an argument may be a flag that is not visible in it.
func (c *commandView) couldBeFlag(i int) bool {
	if c.openness(i) == shell.Whole {
		return false
	}
	if c.openness(i) == shell.AnyWords {
		return true
	}
	h := newHoled(c.Args[i])
	first := h.first()
	return first == "" || first[0] == '-' && !strings.Contains(first, "=")
}

// sub is the subcommand.
func (c *commandView) sub() any {
	if c.Sub == "" && c.open() {
		return commandArgs.unknown()
	}
	for i, arg := range c.Args {
		switch open := c.openness(i); {
		case open == shell.AnyWords:
			return openWord(arg)
		case arg == c.Sub && open == shell.OneWord:
			return textOf(c.Sub)
		case arg == c.Sub:
			return c.Sub
		}
	}
	return c.Sub
}

// args are the arguments.
func (c *commandView) args(open bool) any {
	if c.Open == nil || c.written {
		switch {
		case !c.open():
			return c.Args
		case !open:
			return commandArgs.unknown()
		default:
			return newOpenList(values(c.Args), commandArgs.unknown())
		}
	}
	var more *types.Unknown
	if c.open() {
		more = commandArgs.unknown()
	}
	var list []ref.Val
	for i, arg := range c.Args {
		switch c.openness(i) {
		case shell.AnyWords:
			if more == nil && !c.known {
				more = openWord(arg)
			}
		case shell.OneWord:
			list = append(list, adapter{}.NativeToValue(textOf(arg)))
		default:
			list = append(list, types.String(arg))
		}
	}
	switch {
	case more == nil:
		return newHoledList(list)
	case !open:
		return more
	default:
		return newOpenList(list, more)
	}
}

// has reports whether the command has a flag.
func (c *commandView) has(flag string) ref.Val {
	if c.Has(flag) {
		return types.True
	}
	for i, arg := range c.Args {
		if arg == "--" {
			return types.False
		}
		if c.couldBeFlag(i) && !c.known {
			return openWord(arg)
		}
	}
	if c.open() {
		return commandArgs.unknown()
	}
	return types.False
}

// flag is the value of a flag: the last, if there are several.
func (c *commandView) flag(name string) ref.Val {
	if c.written {
		value := c.Flag(name)
		if value == "" && c.open() {
			return commandArgs.unknown()
		}
		return types.String(value)
	}
	values, more := c.flagValues(name)
	if more != nil {
		return more
	}
	if len(values) == 0 {
		return types.String("")
	}
	return values[len(values)-1]
}

// flags are all values of a flag, in order.
func (c *commandView) flags(name string) ref.Val {
	values, more := c.flagValues(name)
	if more != nil {
		return newOpenList(values, more)
	}
	return newHoledList(values)
}

// flagValues are the values of a flag, and what is unknown if there may be more of
// them; nil if there are not.
func (c *commandView) flagValues(name string) (list []ref.Val, more *types.Unknown) {
	found, ended := c.Values(name)
	for _, v := range found {
		switch c.openness(v.At) {
		case shell.AnyWords:
			list = append(list, openWord(v.Text))
		case shell.OneWord:
			list = append(list, adapter{}.NativeToValue(textOf(v.Text)))
		default:
			list = append(list, types.String(v.Text))
		}
	}
	if c.known {
		return list, nil
	}
	for i, arg := range c.Args[:ended] {
		isValue := c.openness(i) == shell.OneWord && slices.ContainsFunc(found, func(v shell.FlagValue) bool { return v.At == i })
		if c.couldBeFlag(i) && !isValue {
			return list, openWord(arg)
		}
	}
	if c.open() && ended == len(c.Args) {
		more = commandArgs.unknown()
	}
	return list, more
}

// names reports whether an argument of the command is one of some paths.
func (c *commandView) names(paths *effect.Paths, at effect.Place) ref.Val {
	var path effect.Path
	if names(c.Command, paths, at, &path) {
		return types.True
	}
	if c.written || c.known {
		return types.False
	}
	for i, arg := range c.Args {
		if _, value, joined := strings.Cut(arg, "="); joined {
			arg = value
		}
		if open := c.openness(i); open != shell.Whole && paths.Could(arg, false, at) {
			return openWord(arg)
		}
	}
	if c.open() {
		return commandArgs.unknown()
	}
	return types.False
}

package rule

import (
	"sync"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/shell"
)

// callView is a call as expressions see it. If known is set, the known part of
// incomplete lists is shown; otherwise they are unknown or, in their open form,
// followed by an unknown element.
type callView struct {
	*view

	known                                                 bool
	commandList, effectList, readList, writeList, urlList list
}

func (c *callView) name() string      { return c.read().Name }
func (c *callView) rawName() string   { return c.read().RawName }
func (c *callView) kind() string      { return string(c.read().Kind) }
func (c *callView) server() string    { return c.read().Server }
func (c *callView) raw() string       { return c.read().Raw }
func (c *callView) reasons() []string { return c.read().Unknown }

// args are the parsed arguments. Calls that take free text and blocks that are
// not calls have none; arguments that are not one JSON object are unknown.
func (c *callView) args() any {
	if c.subject == nil || !callKinds.Has(c.subject.Block.Kind) {
		return map[string]any{}
	}
	if args := c.read().Args(); args != nil {
		return args
	}
	if c.subject.Block.Freeform() {
		return map[string]any{}
	}
	return callArgs.unknown()
}

func (c *callView) reads(open bool) any {
	r := c.read()
	return c.readList.show(c.known || !r.Incomplete.Reads, open, someReads, func() []ref.Val { return values(r.Reads) })
}

func (c *callView) writes(open bool) any {
	r := c.read()
	return c.writeList.show(c.known || !r.Incomplete.Writes, open, someWrites, func() []ref.Val { return values(r.Writes) })
}

func (c *callView) urls(open bool) any {
	r := c.read()
	return c.urlList.show(c.known || !r.Incomplete.URLs, open, someURLs, func() []ref.Val { return values(r.URLs) })
}

func (c *callView) commands(open bool) any {
	r := c.read()
	return c.commandList.show(c.known || !r.Incomplete.Commands, open, someCommands,
		func() []ref.Val { return newCommandObjects(r.Commands, c.known) })
}

func (c *callView) effects(open bool) any {
	r := c.read()
	return c.effectList.show(c.known || !r.Incomplete.Commands, open, someEffects, func() []ref.Val { return newEffectObjects(r.Effects) })
}

// list is a list of a call, converted once for all expressions. In a loop it
// costs no more than a field.
type list struct {
	once sync.Once
	val  ref.Val
}

// show returns the list if it is complete. Otherwise it is unknown as a whole
// or, in its open form, its known elements are followed by an unknown one.
func (l *list) show(complete, open bool, name attribute, elements func() []ref.Val) any {
	if !complete && !open {
		return name.unknown()
	}
	l.once.Do(func() {
		if complete {
			l.val = types.NewRefValList(adapter{}, elements())
		} else {
			l.val = newOpenList(elements(), name.unknown())
		}
	})
	return l.val
}

func values(list []string) []ref.Val {
	vals := make([]ref.Val, 0, len(list))
	for _, s := range list {
		vals = append(vals, types.String(s))
	}
	return vals
}

func newCommandObjects(commands []shell.Command, known bool) []ref.Val {
	views := make([]commandView, len(commands))
	objects := make([]object, len(commands))
	list := make([]ref.Val, len(commands))
	for i := range commands {
		views[i] = commandView{Command: &commands[i], known: known}
		objects[i] = object{commandType, &views[i]}
		list[i] = &objects[i]
	}
	return list
}

func newEffectObjects(effects []effect.Effect) []ref.Val {
	objects := make([]object, len(effects))
	list := make([]ref.Val, len(effects))
	for i := range effects {
		objects[i] = object{effectType, &effects[i]}
		list[i] = &objects[i]
	}
	return list
}

// commandView is a command as expressions see it. A command with More arguments
// may get further ones when it runs.
type commandView struct {
	*shell.Command

	known bool
}

func (c *commandView) open() bool { return c.More && !c.known }

func (c *commandView) sub() any {
	if c.Sub == "" && c.open() {
		return commandArgs.unknown()
	}
	return c.Sub
}

func (c *commandView) args(open bool) any {
	switch {
	case !c.open():
		return c.Args
	case !open:
		return commandArgs.unknown()
	default:
		return newOpenList(values(c.Args), commandArgs.unknown())
	}
}

func (c *commandView) has(flag string) ref.Val {
	if c.Has(flag) {
		return types.True
	}
	if c.open() {
		return commandArgs.unknown()
	}
	return types.False
}

func (c *commandView) flag(name string) ref.Val {
	value := c.Flag(name)
	if value == "" && c.open() {
		return commandArgs.unknown()
	}
	return types.String(value)
}

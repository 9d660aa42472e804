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
// followed by an unknown element. If written is set, texts of which a part is not
// known are shown as they are written.
type callView struct {
	*view

	known, written                                        bool
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
	return c.readList.show(c.known || !r.Incomplete.Reads, open, someReads, func() []ref.Val { return c.texts(r.Reads) })
}

func (c *callView) writes(open bool) any {
	r := c.read()
	return c.writeList.show(c.known || !r.Incomplete.Writes, open, someWrites, func() []ref.Val { return c.texts(r.Writes) })
}

func (c *callView) urls(open bool) any {
	r := c.read()
	return c.urlList.show(c.known || !r.Incomplete.URLs, open, someURLs, func() []ref.Val { return c.texts(r.URLs) })
}

func (c *callView) commands(open bool) any {
	r := c.read()
	return c.commandList.show(c.known || !r.Incomplete.Commands, open, someCommands,
		func() []ref.Val { return newCommandObjects(r.Commands, c.known, c.written) })
}

func (c *callView) effects(open bool) any {
	r := c.read()
	return c.effectList.show(c.known || !r.Incomplete.Commands, open, someEffects, func() []ref.Val { return newEffectObjects(r.Effects, c.written) })
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

// texts are the elements of a list of the call.
func (c *callView) texts(list []string) []ref.Val {
	vals := values(list)
	for i := range list {
		if !c.written {
			vals[i] = adapter{}.NativeToValue(textOf(list[i]))
		}
	}
	return vals
}

func values(list []string) []ref.Val {
	vals := make([]ref.Val, 0, len(list))
	for _, s := range list {
		vals = append(vals, types.String(s))
	}
	return vals
}

func newCommandObjects(commands []shell.Command, known, written bool) []ref.Val {
	views := make([]commandView, len(commands))
	objects := make([]object, len(commands))
	list := make([]ref.Val, len(commands))
	for i := range commands {
		views[i] = commandView{Command: &commands[i], known: known, written: written}
		objects[i] = object{commandType, &views[i]}
		list[i] = &objects[i]
	}
	return list
}

func newEffectObjects(effects []effect.Effect, written bool) []ref.Val {
	views := make([]effectView, len(effects))
	objects := make([]object, len(effects))
	list := make([]ref.Val, len(effects))
	for i := range effects {
		views[i] = effectView{Effect: &effects[i], written: written}
		objects[i] = object{effectType, &views[i]}
		list[i] = &objects[i]
	}
	return list
}

// effectView is an effect as expressions see it.
type effectView struct {
	*effect.Effect

	written bool
}

// object is the object of an effect, unknown if the text leaves it to a default.
func (e *effectView) object() any {
	if e.IsDefault() {
		return effectObject.unknown()
	}
	return e.text(e.Object)
}

func (e *effectView) from() any { return e.text(e.From) }

func (e *effectView) text(text string) any {
	if e.written {
		return text
	}
	return textOf(text)
}

package command

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// tell says what the command does.
func (r *Reading) tell(h Host) {
	if asksForHelp(&r.line) || r.isDry() {
		return
	}
	if r.program.place != "" {
		h.Hook(r.program.place, r)
	}
	for _, o := range r.command.places {
		for _, v := range r.values(o.Role) {
			h.Where(o.Kind, v.text, !v.maybe)
		}
	}
	r.options(h)
	if c := r.command; c.input != Text && c.inputUnless.holds(r) != yes {
		h.Input(c.input)
	}
	for i := range r.program.always {
		r.effect(&r.program.always[i], h)
	}
	for i := range r.command.effects {
		r.effect(&r.command.effects[i], h)
	}
	for i := range r.command.hooks {
		if hook := &r.command.hooks[i]; hook.applies(r) {
			h.Hook(hook.name, r)
		}
	}
}

// options says what becomes of values with a kind.
func (r *Reading) options(h Host) {
	for i := range r.line.options {
		if o := &r.line.options[i]; o.flag != nil && o.valued && o.kind != Text && !r.command.gives(o.role, o.kind) {
			give(h, o.kind, []string{o.value})
		}
	}
	for _, v := range r.variables {
		if given, set := r.variable(v.name); v.kind != Text && set && given != "" {
			give(h, v.kind, []string{given})
		}
	}
	for _, o := range r.command.operands {
		r.give(h, &o)
	}
	if r.command.after != nil {
		r.give(h, r.command.after)
	}
}

// gives reports whether a role has the kind as that of an operand, too: the values of
// both are given together.
func (c *Command) gives(role string, kind Kind) bool {
	return slices.ContainsFunc(c.operands, func(o Operand) bool { return o.Role == role && o.Kind == kind })
}

func (r *Reading) give(h Host, o *Operand) {
	if o.Kind == Text {
		return
	}
	switch o.Kind {
	case Argv, RemoteArgv:
		for words := range r.Begins(o.Role) {
			give(h, o.Kind, words)
		}
	default:
		give(h, o.Kind, r.Values(o.Role))
	}
}

func give(h Host, kind Kind, words []string) {
	if len(words) == 0 {
		return
	}
	switch kind {
	case Read, ReadTree, Write, WriteTree, Delete, DeleteTree, Format, Load:
		for _, w := range words {
			h.File(kind, w)
		}
	case Assign:
		for _, w := range words {
			if name, value, ok := strings.Cut(w, "="); ok {
				h.Effect(effect.Effect{Verb: effect.SetVariable, Object: name, From: value})
			}
		}
	case Fetch, Connect:
		for _, w := range words {
			h.Effect(effect.Effect{Verb: effect.Verb(kind), Object: w})
		}
	case Server, Database, Credential: // told before, and not at all
	default:
		h.Run(kind, words)
	}
}

// effect says an effect, if its conditions hold. Of a role with several values each is
// asked for by itself.
func (r *Reading) effect(t *template, h Host) {
	if t.object.lacks(r) && (!r.More || t.verb.OfFile()) { // of files, what follows has a name of its own
		return
	}
	each := t.object.each(r)
	if each == "" {
		r.say(t, h)
		return
	}
	for _, v := range r.values(each) {
		r.each, r.one = each, v
		r.say(t, h)
	}
	r.each = ""
}

// say says an effect for one value. What cannot be told counts against the call: it
// happens if it may, and is spared only if it surely is.
func (r *Reading) say(t *template, h Host) {
	if len(t.when) > 0 {
		switch t.when.holds(r) {
		case no:
			return
		case perhaps:
			h.Unknown(UnknownValue)
		case yes:
		}
	}
	if len(t.unless) > 0 && t.unless.holds(r) == yes {
		return
	}
	e := effect.Effect{Verb: t.verb, Wide: t.wide.holds(r) != no, Scratch: t.scratch.holds(r) == yes}
	e.From, e.Content = r.first(&t.from), r.first(&t.content)
	e.Object = t.object.fill(r, r.each, r.one)
	if t.verb == effect.Format && t.object.lone() && !e.Wide {
		h.File(Format, e.Object)
		return
	}
	if role := t.from.each(r); t.verb == effect.Send && role != "" && role != r.each { // each file by itself
		for _, v := range r.values(role) {
			e.From = t.from.fill(r, role, v)
			h.Effect(e)
		}
		return
	}
	h.Effect(e)
}

// first writes a template with the value that the effect is about, or with the first of
// a role that has several.
func (r *Reading) first(t *text) string {
	role := t.each(r)
	if role == "" || role == r.each {
		return t.fill(r, r.each, r.one)
	}
	return t.fill(r, role, r.values(role)[0])
}

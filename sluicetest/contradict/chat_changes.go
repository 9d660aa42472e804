package contradict

import "slices"

// each calls change with the objects of a list: with all of them or with some.
func (d *draft) each(objects []*node, change func(*node) bool) bool {
	changed := false
	most := d.one(2)
	for _, o := range objects {
		if o.kind == object && (most || d.one(2)) {
			changed = change(o) || changed
		}
	}
	return changed
}

func (d *draft) eachCall(change func(*node) bool) bool   { return d.each(d.chatCalls(), change) }
func (d *draft) eachChoice(change func(*node) bool) bool { return d.each(d.entries(), change) }

// eachFunction is about the function or the custom tool of calls.
func (d *draft) eachFunction(change func(*node) bool) bool {
	var found []*node
	for _, c := range d.chatCalls() {
		for _, name := range []string{"function", "custom"} {
			if f := c.get(name); f != nil {
				found = append(found, f)
			}
		}
	}
	return d.each(found, change)
}

func (d *draft) chunk(choice int, delta *node) *event {
	return &event{block: -1, data: chatChunk(choice, delta)}
}

// chatForbidden is a whole entry of tool_calls, which has no index.
func (d *draft) chatForbidden() *node {
	s := d.forbidden(anyOf(d, []string{"function", "function", "custom"}))
	_, body := chatBodyOf(s)
	return chatCall(s, body)
}

// chatLate moves a member of a call from its first piece to a later one.
func chatLate(d *draft, name string) bool {
	first := d.pick(start)
	if first == nil {
		return false
	}
	events := slices.DeleteFunc(d.of(first.block), func(ev *event) bool { return ev == first })
	later := anyOf(d, events)
	if later == nil {
		return false
	}
	from, to := callsIn(first), callsIn(later)
	if from == nil || to == nil {
		return false
	}
	if name == "name" {
		for _, kind := range []string{"function", "custom"} {
			if from.get(kind) != nil && to.get(kind) != nil {
				from, to = from.get(kind), to.get(kind)
				break
			}
		}
	}
	value := from.get(name)
	if value == nil {
		return false
	}
	from.drop(name)
	to.set(name, value)
	return true
}

// callsIn returns the first entry of tool_calls in an event, nil if there is none.
func callsIn(ev *event) (call *node) {
	ev.data.walk(func(o *node) {
		if calls := o.get("tool_calls"); call == nil && calls != nil && len(calls.items) > 0 && calls.items[0].kind == object {
			call = calls.items[0]
		}
	})
	return call
}

// nameInPieces sends the name of a call in two deltas, sometimes with more of it
// after arguments.
func nameInPieces(d *draft) bool {
	ev := d.pick(start)
	if ev == nil || callsIn(ev) == nil {
		return false
	}
	call := callsIn(ev)
	for _, kind := range []string{"function", "custom"} {
		f := call.get(kind)
		name := f.str("name")
		if len(name) < 2 {
			continue
		}
		rest := name[1:]
		if d.one(2) {
			rest += "_" + d.badName()
		}
		f.set("name", name[:1])
		more := ev.clone()
		next := callsIn(more).get(kind)
		next.set("name", rest)
		callsIn(more).drop("id")
		at := d.place(ev) + 1
		if d.one(3) {
			at += d.IntN(len(d.of(ev.block)))
		}
		d.insert(at, more)
		return true
	}
	return false
}

// chatOddPlace puts calls where the dialect has none.
func chatOddPlace(d *draft) bool {
	calls := list(with(d.chatForbidden(), "index", 0))
	var to *node
	switch d.IntN(3) {
	case 0:
		to = anyOf(d, d.entries())
	case 1:
		if ev := d.pick(); ev != nil {
			to = ev.data
		}
	default:
		if m := anyOf(d, d.messages()); m != nil {
			to = obj()
			m.set(anyOf(d, []string{"provider_specific_fields", "extra", "message", "delta", "audio", "annotations"}), to)
		}
	}
	if to == nil || to.kind != object {
		return false
	}
	to.set(anyOf(d, []string{"tool_calls", "toolCalls", "tool_call", "Tool_Calls"}), calls)
	return true
}

// chatMessage puts a whole message with a call beside a delta.
func chatMessage(d *draft, atEnd bool) bool {
	roles := []role{start, delta, head}
	if atEnd {
		roles = []role{finish}
	}
	ev := d.pick(roles...)
	if ev == nil || ev.data.get("choices") == nil || len(ev.data.get("choices").items) == 0 || ev.data.get("choices").items[0].kind != object {
		return false
	}
	c := ev.data.get("choices").items[0]
	c.set("message", obj("role", "assistant", "content", "so ", "tool_calls", list(d.chatForbidden())))
	if d.one(3) {
		c.drop("delta")
	}
	return true
}

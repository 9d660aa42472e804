package contradict

import "strings"

// unknownCall is a call of a type that nobody knows, without a name, and with what it acts
// on in a member that nobody knows either.
func (d *draft) unknownCall() *node {
	s := d.forbidden("")
	call := obj("type", anyOf(d, []string{"gadget_call", "agent_tool_use"}), "id", s.id, "call_id", s.callID)
	call.set(anyOf(d, []string{"payload", "commands", "what", "actions"}), anyOf(d, []*node{raw(s.args), from(s.args), list(raw(s.args))}))
	if d.one(4) {
		call.set("function", obj("name", "", "arguments", s.args))
	}
	return call
}

// anthropicUnknown makes a block such a call. What follows in the block stays.
func anthropicUnknown(d *draft) bool {
	return d.each(d.contents(), func(b *node) bool {
		if b.kind != object || providerRuns(b) {
			return false
		}
		call := d.unknownCall()
		b.keys, b.items = call.keys, call.items
		return true
	})
}

// responsesUnknown puts such a call where an item begins, or where it ends.
func responsesUnknown(d *draft) bool {
	for _, place := range d.copies(anyOf(d, d.blocks())) {
		if !providerRuns(*place) && d.one(2) {
			call := d.unknownCall()
			call.set("id", (*place).get("id").clone())
			*place = call
			return true
		}
	}
	return false
}

// inOtherLetters spells a name with letters that some clients take for an s and a k, or in
// another case.
func (d *draft) inOtherLetters(name string) string {
	var spelled []rune
	changed := false
	for _, c := range name {
		switch c {
		case 's':
			c, changed = 'ſ', true
		case 'k':
			c, changed = '\u212a', true
		}
		spelled = append(spelled, c)
	}
	if !changed || d.one(2) {
		return anyOf(d, []string{strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:]})
	}
	return string(spelled)
}

// endSaysNothing leaves the arguments out of the event that repeats them.
func endSaysNothing(d *draft) bool {
	for _, ev := range d.all(full) {
		if !ev.data.drop("arguments") && !ev.data.drop("input") {
			continue
		}
		if d.one(2) {
			ev.data.drop("output_index")
			ev.data.drop("item_id")
		}
		return true
	}
	return false
}

// addedWhole sends a message in full when it begins, and nothing of it in between.
func addedWhole(d *draft) bool {
	for _, ev := range d.all(start) {
		if ev.data.get("item").str("type") != "message" {
			continue
		}
		for _, end := range d.of(ev.block) {
			if end.role != stop || end.data.get("item").str("type") != "message" {
				continue
			}
			ev.data.set("item", end.data.get("item").clone())
			for _, other := range d.of(ev.block) {
				if other != ev && other != end {
					d.remove(other)
				}
			}
			return true
		}
	}
	return false
}

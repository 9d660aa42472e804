package contradict

import (
	"slices"
	"strings"
)

// deltaOfAnother lets a piece of one item say that it is another's.
func deltaOfAnother(d *draft) bool {
	a, b, ok := d.twoBlocks()
	if !ok {
		return false
	}
	changed := false
	for _, ev := range d.of(a) {
		if ev.role != delta && ev.role != full || d.one(2) {
			continue
		}
		for _, name := range []string{"item_id", "output_index"} {
			for _, other := range d.of(b) {
				if v := other.data.get(name); v != nil && d.one(2) {
					ev.data.set(name, v.clone())
					changed = true
					break
				}
			}
		}
	}
	return changed
}

// itemAgain repeats an item's beginning or end with another item in it.
func (d *draft) itemAgain(r role) bool {
	ev := d.pick(r)
	if ev == nil || ev.data.at("item") < 0 {
		return false
	}
	again := ev.clone()
	item := d.other()
	if id := ev.data.get("item").get("id"); id != nil && d.one(2) {
		item.set("id", id.clone())
	}
	if !d.one(4) {
		again.data.set("item", item)
	}
	at := d.place(ev) + d.IntN(2)
	if d.one(3) {
		at += d.IntN(len(d.events) - at + 1)
	}
	d.insert(at, again)
	return true
}

// textDiffers makes the pieces of a call, or its whole text, other ones.
func (d *draft) textDiffers(r role) bool {
	ev := d.pick(r)
	if ev == nil {
		return false
	}
	// What is said, and what the provider runs, is never forbidden.
	if kind := ev.data.str("type"); !strings.HasPrefix(kind, "response.function_call_arguments") && !strings.HasPrefix(kind, "response.custom_tool_call_input") {
		return false
	}
	for _, member := range []string{"arguments", "input", "delta"} {
		if ev.data.at(member) < 0 {
			continue
		}
		ev.data.set(member, d.forbidden("").args)
		if member == "delta" { // it is all that comes
			d.events = slices.DeleteFunc(d.events, func(x *event) bool { return x != ev && x.block == ev.block && x.role == delta })
		}
		return true
	}
	return false
}

// isCall reports whether a block was planned as a call.
func (d *draft) isCall(block int) bool {
	for _, ev := range d.of(block) {
		if slices.Contains(responsesCalls, ev.data.get("item").str("type")) {
			return true
		}
	}
	return false
}

// itemDiffers makes what a call would do another thing in one of its copies.
func itemDiffers(d *draft) bool {
	place := anyOf(d, d.copies(anyOf(d, d.blocks())))
	if place == nil || providerRuns(*place) {
		return false
	}
	other := responsesItem(d.forbidden((*place).str("type")))
	changed := false
	for _, member := range []string{"arguments", "input", "action", "operation"} {
		if (*place).at(member) >= 0 {
			(*place).set(member, other.get(member))
			changed = true
		}
	}
	return changed
}

// memberChanges gives one or two copies of a call another member.
func (d *draft) memberChanges(name string, value *node) bool {
	places := slices.DeleteFunc(d.copies(anyOf(d, d.blocks())), func(place **node) bool {
		return (*place).at(name) < 0 || !slices.Contains(responsesCalls, (*place).str("type"))
	})
	if len(places) == 0 {
		return false
	}
	for range 1 + d.IntN(2) {
		(*anyOf(d, places)).set(name, value.clone())
	}
	return true
}

// builtInNamed gives copies of a call that is known by its type the name of another tool.
func builtInNamed(d *draft) bool {
	changed := false
	for _, o := range d.objectsWith("type") {
		if slices.Contains(nameless, o.str("type")) && !d.one(3) {
			o.set("name", anyOf(d, []string{"lookup", "Bash", ""}))
			changed = true
		}
	}
	return changed
}

// piecesWithoutEnd sends pieces of a call of a built-in tool that no item ends with.
func piecesWithoutEnd(d *draft) bool {
	for _, ev := range d.all(start) {
		family := map[string]string{
			"shell_call": "response.shell_call_command", "apply_patch_call": "response.apply_patch_call_operation_diff",
		}[ev.data.get("item").str("type")]
		if family == "" || !d.deltaOfBlock(ev.block, family) {
			continue
		}
		d.events = slices.DeleteFunc(d.events, func(x *event) bool { return x.block == ev.block && x.role == stop })
		if output := d.output(); output != nil {
			output.items = nil
		}
		return true
	}
	return false
}

// opensAsMessage announces a message which never ends at the place of a call.
func opensAsMessage(d *draft) bool {
	ev := d.pick(start)
	if ev == nil || ev.data.get("item") == nil {
		return false
	}
	item := ev.data.get("item")
	if !slices.Contains(responsesCalls, item.str("type")) && d.one(2) {
		return false
	}
	message := obj("id", item.str("id"), "type", "message", "status", "in_progress", "role", "assistant", "content", list())
	if d.one(2) {
		message.set("id", "item_opened")
	}
	opened := &event{block: -1, role: start, data: obj("type", "response.output_item.added", "output_index", d.indexOf(ev.block).clone(), "item", message)}
	events := []*event{opened}
	if !d.one(3) {
		events = append(events, &event{block: -1, role: part, data: obj("type", "response.content_part.added", "item_id", message.str("id"),
			"output_index", d.indexOf(ev.block).clone(), "content_index", 0, "part", obj("type", "output_text", "text", "", "annotations", list()))})
	}
	if d.one(4) {
		events = append(events, &event{block: -1, role: delta, data: obj("type", "response.output_text.delta", "item_id", message.str("id"),
			"output_index", d.indexOf(ev.block).clone(), "content_index", 0, "delta", "so ")})
	}
	if d.one(3) {
		for _, ev := range events {
			ev.data.drop("output_index")
		}
	}
	at := d.place(ev)
	d.insert(at, events...)
	if d.one(3) { // the call itself never begins
		d.remove(ev)
	}
	return true
}

// partOfCall sends events of a text for an item that is a call.
func partOfCall(d *draft) bool {
	ev := d.pick(start)
	if ev == nil || !d.isCall(ev.block) {
		return false
	}
	item := ev.data.get("item")
	at := obj("type", "response.content_part.added", "item_id", item.str("id"), "output_index", d.indexOf(ev.block).clone(),
		"content_index", 0, "part", obj("type", "output_text", "text", "", "annotations", list()))
	events := []*event{{block: ev.block, role: part, data: at}}
	if d.one(2) {
		events = append(events, &event{block: ev.block, role: part, data: obj("type", "response.output_text.delta", "item_id", item.str("id"),
			"output_index", d.indexOf(ev.block).clone(), "content_index", 0, "delta", "so ")})
	}
	if d.one(2) {
		done := at.clone()
		done.set("type", "response.content_part.done")
		events = append(events, &event{block: ev.block, role: part, data: done})
	}
	d.insert(d.place(ev)+1+d.IntN(len(d.of(ev.block))), events...)
	return true
}

// messageHasCall gives a message what a call has.
func messageHasCall(d *draft) bool {
	call := responsesItem(d.forbidden(anyOf(d, responsesCalls)))
	call.drop("type")
	changed := false
	for _, o := range d.objectsWith("role") {
		if o.str("type") == "message" && !d.one(3) {
			merge(o, call)
			changed = true
		}
	}
	return changed
}

// partIsCall puts a call into the content of a message.
func partIsCall(d *draft) bool {
	call := responsesItem(d.forbidden(anyOf(d, responsesCalls)))
	changed := false
	for _, o := range d.objectsWith("content") {
		if content := o.get("content"); content.kind == array && o.str("type") == "message" && !d.one(3) {
			content.items = append(content.items, call.clone())
			changed = true
		}
	}
	for _, ev := range d.all(part) {
		if ev.data.at("part") < 0 || !d.one(3) {
			continue
		}
		if changed = true; d.one(2) {
			ev.data.set("part", call.clone())
		} else {
			merge(ev.data.get("part"), call)
		}
	}
	return changed
}

// unknownItemEvent brings a call in an event that the dialect does not have.
func unknownItemEvent(d *draft) bool {
	name := anyOf(d, []string{
		"response.output_item.updated", "response.output_item", "response.item.done", "response.tool_call.done", "output_item.done",
		"response.output_item.done ", "Response.Output_Item.Done", "response.function_call.done", "conversation.item.created", "",
	})
	call := responsesItem(d.forbidden(anyOf(d, responsesCalls)))
	data := obj("type", name, "output_index", d.IntN(3), "item", call)
	switch d.IntN(4) {
	case 0:
		data = obj("type", name, "response", obj("output", list(call)))
	case 1:
		data = obj("type", name, "output_index", d.IntN(3), "delta", call)
	default:
	}
	d.insert(d.IntN(len(d.events)+1), &event{block: -1, data: data})
	return true
}

// wordsOfChat brings a call in the form of another dialect.
func wordsOfChat(d *draft) bool {
	ev := d.pick()
	if ev == nil || ev.data.kind != object {
		return false
	}
	call := d.forbidden("function")
	calls := list(obj("index", 0, "id", call.callID, "type", "function", "function", obj("name", call.name, "arguments", call.args)))
	to := ev.data
	if item := ev.data.get("item"); item != nil && item.kind == object && d.one(2) {
		to = item
	}
	switch d.IntN(4) {
	case 0:
		to.set("tool_calls", calls)
	case 1:
		to.set("function_call", obj("name", call.name, "arguments", call.args))
	case 2:
		to.set("choices", list(obj("index", 0, "delta", obj("tool_calls", calls))))
	default:
		to.set("content_block", obj("type", "tool_use", "id", call.callID, "name", call.name, "input", raw(call.args)))
	}
	return true
}

// deltaOf sends arguments in the events of a family that need not be the item's.
func (d *draft) deltaOf(family string) bool { return d.deltaOfBlock(anyOf(d, d.blocks()), family) }

func (d *draft) deltaOfBlock(block int, family string) bool {
	events := d.of(block)
	if len(events) == 0 || d.providers(block) {
		return false
	}
	args := d.forbidden("").args
	at := d.place(events[0]) + 1 + d.IntN(len(events))
	head := func(step string) *node {
		o := obj("type", family+step, "output_index", d.indexOf(block).clone())
		if id := events[0].data.get("item").str("id"); id != "" && !d.one(3) {
			o.add("item_id", id)
		}
		return o
	}
	more := []*event{{block: block, role: delta, data: head(".delta").add("delta", args)}}
	if d.one(2) {
		member := "arguments"
		for ending, name := range map[string]string{"_input": "input", "_command": "command", "_diff": "diff"} {
			if strings.HasSuffix(family, ending) {
				member = name
			}
		}
		more = append(more, &event{block: block, role: full, data: head(".done").add(member, args)})
	}
	d.insert(at, more...)
	return true
}

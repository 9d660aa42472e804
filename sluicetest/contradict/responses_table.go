package contradict

import (
	"fmt"
	"slices"
)

var responsesTable = []entry{
	{"item type changes", "s", itemTypeChanges},
	{"item has members of another type", "swn", itemHasMore},
	{"body of an unknown call anywhere", "s", responsesUnknown},
	{"end of arguments says nothing", "s", endSaysNothing},
	{"message whole when added", "su", addedWhole},
	{"output_index reused", "s", func(d *draft) bool {
		a, b, ok := d.twoBlocks()
		return ok && d.reindex(a, d.indexOf(b))
	}},
	{"output_index missing", "s", func(d *draft) bool { return d.reindex(anyOf(d, d.blocks()), nil) }},
	{"output_index missing everywhere", "s", func(d *draft) bool {
		changed := false
		for _, b := range d.blocks() {
			for _, ev := range d.of(b) {
				changed = ev.data.drop("output_index") || changed
			}
		}
		return changed
	}},
	{"output_index odd", "s", func(d *draft) bool {
		odd := anyOf(d, []*node{from("0"), from(-1), raw("9007199254740993"), raw("0.0"), raw("1e0"), from(nil), list(), from(7), from(true)})
		return d.reindex(anyOf(d, d.blocks()), odd)
	}},
	{"item_id missing", "s", func(d *draft) bool { return d.rename(nil) }},
	{"item_id empty", "s", func(d *draft) bool { return d.rename(from("")) }},
	{"item_id changes", "s", func(d *draft) bool { return d.rename(from("item_other")) }},
	{"item_id shared", "s", func(d *draft) bool { return d.rename(from("item_1")) }},
	{"delta of another item", "s", deltaOfAnother},
	{"added missing", "s", func(d *draft) bool { return d.without(start) }},
	{"done missing", "s", func(d *draft) bool { return d.without(stop) }},
	{"text done missing", "s", func(d *draft) bool { return d.without(full) }},
	{"part missing", "s", func(d *draft) bool { return d.without(part) }},
	{"deltas missing", "s", func(d *draft) bool {
		b := anyOf(d, d.blocks())
		n := len(d.events)
		d.events = slices.DeleteFunc(d.events, func(ev *event) bool { return ev.block == b && ev.role == delta })
		return len(d.events) < n
	}},
	{"added twice", "s", func(d *draft) bool { return d.itemAgain(start) }},
	{"done twice", "s", func(d *draft) bool { return d.itemAgain(stop) }},
	{"text done differs", "s", func(d *draft) bool { return d.textDiffers(full) }},
	{"deltas differ", "s", func(d *draft) bool { return d.textDiffers(delta) }},
	{"item differs", "s", itemDiffers},
	{"output has more", "s", func(d *draft) bool {
		output := d.output()
		if output == nil {
			return false
		}
		more := responsesItem(d.forbidden(anyOf(d, responsesCalls)))
		if d.one(3) {
			more.drop("id")
		}
		output.items = slices.Insert(output.items, d.IntN(len(output.items)+1), more)
		return true
	}},
	{"output has less", "s", func(d *draft) bool {
		output := d.output()
		if output == nil || len(output.items) == 0 {
			return false
		}
		output.items = slices.Delete(output.items, 0, 1+d.IntN(len(output.items)))
		return true
	}},
	{"output in another order", "s", func(d *draft) bool {
		output := d.output()
		if output == nil || len(output.items) < 2 {
			return false
		}
		slices.Reverse(output.items)
		return true
	}},
	{"name changes", "s", func(d *draft) bool { return d.memberChanges("name", from(d.badName())) }},
	{"call_id changes", "s", func(d *draft) bool { return d.memberChanges("call_id", from("call_other")) }},
	{"call_id shared", "s", func(d *draft) bool { return d.memberChanges("call_id", from("call_1")) }},
	{"built-in tool has a name", "sw", builtInNamed},
	{"pieces without an end", "s", piecesWithoutEnd},
	{"status changes", "s", func(d *draft) bool {
		return d.memberChanges("status", from(anyOf(d, []string{"incomplete", "in_progress", "failed"})))
	}},
	{"call opens as a message", "s", opensAsMessage},
	{"part of a call", "s", partOfCall},
	{"message has members of a call", "swn", messageHasCall},
	{"part is a call", "swn", partIsCall},
	{"unknown event with an item", "s", unknownItemEvent},
	{"more after the end", "s", func(d *draft) bool {
		d.events = append(d.events, d.itemEvents(-1, d.IntN(3), responsesItem(d.forbidden(anyOf(d, responsesCalls))))...)
		return true
	}},
	{"second end", "s", func(d *draft) bool {
		ev := d.pick(last)
		if ev == nil || ev.data.get("response", "output") == nil {
			return false
		}
		again := ev.clone()
		if d.one(2) {
			again.data.set("type", anyOf(d, []string{"response.incomplete", "response.failed", "response.done"}))
		}
		again.data.get("response").set("output", list(responsesItem(d.forbidden(anyOf(d, responsesCalls)))))
		d.insert(d.place(ev)+d.IntN(2), again)
		return true
	}},
	{"bad end with output", "s", func(d *draft) bool {
		ev := d.pick(last)
		if ev == nil {
			return false
		}
		word := anyOf(d, []string{"incomplete", "failed", "cancelled"})
		ev.data.set("type", "response."+word)
		if response := ev.data.get("response"); response != nil {
			response.set("status", word)
			if output := response.get("output"); output != nil && output.kind == array && d.one(2) {
				output.items = append(output.items, responsesItem(d.forbidden(anyOf(d, responsesCalls))))
			}
		}
		return true
	}},
	{"head with output", "s", func(d *draft) bool {
		ev := d.pick(head)
		if ev == nil || ev.data.get("response") == nil {
			return false
		}
		ev.data.get("response").set("output", list(responsesItem(d.forbidden(anyOf(d, responsesCalls)))))
		return true
	}},
	{"words of Chat", "sn", wordsOfChat},
	{"delta of another family", "s", func(d *draft) bool {
		return d.deltaOf(anyOf(d, []string{
			"response.function_call_arguments", "response.custom_tool_call_input", "response.shell_call_command",
			"response.apply_patch_call_operation_diff",
		}))
	}},
	{"delta of an unknown family", "sn", func(d *draft) bool { return d.deltaOf("response.tool_call_arguments") }},
	{"item is no object", "sn", func(d *draft) bool {
		ev := d.pick(start, stop)
		if ev == nil || ev.data.at("item") < 0 {
			return false
		}
		item := ev.data.get("item")
		ev.data.set("item", anyOf(d, []*node{from(nil), list(item), from(item.String()), obj("item", item)}))
		return true
	}},
	{"place of a shell changes", "s", func(d *draft) bool {
		block := anyOf(d, d.blocks())
		places := d.copies(block)
		if len(places) == 0 || (*places[0]).str("type") != "shell_call" || d.hasDeltas(block) {
			return false
		}
		call := responsesItem(d.forbidden("shell_call"))
		sure := d.IntN(len(places)) // somewhere it is the client's
		for i, place := range places {
			if i == sure || d.one(2) {
				call.set("id", (*place).get("id").clone())
				*place = call.clone()
			} else {
				(*place).set("environment", obj("type", "container_auto"))
				(*place).set("action", obj("commands", list(from("ls")))) // it has run
			}
		}
		return true
	}},
	{"arguments as an object", "sw", func(d *draft) bool {
		changed := false
		for _, o := range d.objectsWith("arguments") {
			if v := o.get("arguments"); v.kind == text && v.text != "" && d.one(2) {
				o.set("arguments", raw(v.text))
				changed = true
			}
		}
		return changed
	}},
	{"no sequence numbers", "su", func(d *draft) bool { d.unnumbered = true; return true }},
	{"empty output", "su", func(d *draft) bool {
		output := d.output()
		if output == nil {
			return false
		}
		output.items = nil
		return true
	}},
	{"an unknown event that says nothing", "su", func(d *draft) bool {
		return d.between(obj("type", "response.rate_limits", "remaining", 3))
	}},
}

// twoBlocks returns two different blocks.
func (d *draft) twoBlocks() (a, b int, ok bool) {
	blocks := d.blocks()
	if len(blocks) < 2 {
		return 0, 0, false
	}
	d.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	return blocks[0], blocks[1], true
}

// indexOf is the output_index that the first event of a block has.
func (d *draft) indexOf(block int) *node {
	for _, ev := range d.of(block) {
		if index := ev.data.get("output_index"); index != nil {
			return index
		}
	}
	return from(0)
}

// reindex gives events of a block another output_index, or none.
func (d *draft) reindex(block int, index *node) bool {
	changed := false
	for _, ev := range d.some(block) {
		if ev.data.at("output_index") < 0 {
			continue
		}
		changed = true
		if index == nil {
			ev.data.drop("output_index")
		} else {
			ev.data.set("output_index", index.clone())
		}
	}
	return changed
}

// rename gives events and copies of an item another id, or none.
func (d *draft) rename(id *node) bool {
	block := anyOf(d, d.blocks())
	changed := false
	put := func(o *node, name string) {
		if o.at(name) < 0 || d.one(3) {
			return
		}
		changed = true
		if id == nil {
			o.drop(name)
		} else {
			o.set(name, id.clone())
		}
	}
	for _, place := range d.copies(block) {
		put(*place, "id")
	}
	for _, ev := range d.some(block) {
		put(ev.data, "item_id")
	}
	return changed
}

// without leaves out the events of a role, of one block or of all.
func (d *draft) without(r role) bool {
	block, all := anyOf(d, d.blocks()), d.one(4)
	n := len(d.events)
	d.events = slices.DeleteFunc(d.events, func(ev *event) bool { return ev.role == r && ev.block >= 0 && (all || ev.block == block) })
	return len(d.events) < n
}

// other is an item that may replace another: mostly a call.
func (d *draft) other() *node {
	if d.one(4) {
		d.ids++
		typ := anyOf(d, []string{"message", "reasoning", "web_search_call", "mcp_call", "compaction"})
		return responsesItem(spec{typ: typ, id: fmt.Sprint("item_", d.ids), name: "lookup", args: "{}", command: "ls"})
	}
	return responsesItem(d.forbidden(anyOf(d, responsesCalls)))
}

// itemTypeChanges changes the item in some of the places that have all of it.
func itemTypeChanges(d *draft) bool {
	places := d.copies(anyOf(d, d.blocks()))
	if len(places) == 0 {
		return false
	}
	other := d.other()
	if callID := (*places[0]).get("call_id"); callID != nil && other.at("call_id") >= 0 && d.one(2) {
		other.set("call_id", callID.clone())
	}
	how, sure := d.IntN(3), d.IntN(len(places))
	if !slices.Contains(responsesCalls, other.str("type")) {
		how = 0 // a call that says it is none is another contradiction
	}
	for i, place := range places {
		if i != sure && d.one(2) {
			continue
		}
		changed := other.clone()
		if id := (*place).get("id"); id != nil && !d.one(4) {
			changed.set("id", id.clone())
		}
		switch how {
		case 0:
			*place = changed
		case 1: // the members of the one, the type of the other
			merge(changed, *place)
			*place = changed
		default:
			merge(*place, changed)
			(*place).set("type", changed.get("type").clone())
		}
	}
	return true
}

// merge adds the members that an object does not have.
func merge(o, from *node) {
	for i, k := range from.keys {
		if o.at(k.name) < 0 {
			o.add(k.name, from.items[i].clone())
		}
	}
}

// itemHasMore adds the members of another type to copies of an item.
func itemHasMore(d *draft) bool {
	other := responsesItem(d.forbidden(anyOf(d, responsesCalls)))
	changed := false
	put := func(item *node) {
		if providerRuns(item) {
			return
		}
		merge(item, other)
		changed = true
	}
	if d.whole {
		if output := d.output(); output != nil && len(output.items) > 0 {
			put(anyOf(d, output.items))
		}
		return changed
	}
	for _, place := range d.copies(anyOf(d, d.blocks())) {
		if !d.one(4) {
			put(*place)
		}
	}
	return changed
}

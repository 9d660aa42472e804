package contradict

import "slices"

var anthropicTable = []entry{
	{"delta of another type", "s", func(d *draft) bool {
		args := d.forbidden("").args
		return anthropicDelta(d, anyOf(d, []*node{
			obj("type", "input_json_delta", "partial_json", args),
			obj("partial_json", args),
			obj("type", "input_json_delta", "partial_json", raw(args)),
		}))
	}},
	{"delta of an unknown type", "sn", func(d *draft) bool {
		args := d.forbidden("").args
		return anthropicDelta(d, anyOf(d, []*node{
			obj("type", "tool_use_delta", "partial_json", args),
			obj("type", "input_delta", "input", raw(args)),
			obj("type", "text_delta", "partial_json", args),
			obj("type", "text_delta", "text", "so ", "partial_json", args),
		}))
	}},
	{"block type changes", "sw", func(d *draft) bool {
		b := anyOf(d, d.contents())
		if b == nil || b.kind != object {
			return false
		}
		b.set("type", anyOf(d, []any{"tool_use", "gadget_tool_use", "", nil}))
		return true
	}},
	{"call says that it is none", "swn", func(d *draft) bool {
		return d.each(d.contents(), func(b *node) bool {
			return b.str("type") == "tool_use" && put(b, "type", anyOf(d, []any{"text", "thinking", "gadget", "redacted_thinking"}))
		})
	}},
	{"body of an unknown call anywhere", "sw", anthropicUnknown},
	{"start twice", "s", func(d *draft) bool {
		ev := d.pick(start)
		if ev == nil {
			return false
		}
		again := ev.clone()
		call := d.anthropicForbidden()
		if id := ev.data.get("content_block").get("id"); id != nil && d.one(2) {
			call.set("id", id.clone())
		}
		again.data.set("content_block", call)
		at := d.place(ev) + d.IntN(2)
		if d.one(3) {
			at += d.IntN(len(d.of(ev.block)))
		}
		d.insert(at, again)
		return true
	}},
	{"name changes", "s", func(d *draft) bool {
		ev := d.pick(start)
		if ev == nil || ev.data.get("content_block").str("type") != "tool_use" {
			return false
		}
		again := ev.clone()
		again.data.get("content_block").set("name", d.badName())
		d.insert(d.place(ev)+1, again)
		return true
	}},
	{"input in the start, too", "s", func(d *draft) bool {
		s := d.forbidden("tool_use")
		return d.each(d.contents(), func(b *node) bool {
			return b.str("type") == "tool_use" && put(b, "input", anyOf(d, []*node{raw(s.args), from(s.args), list(raw(s.args))}))
		})
	}},
	{"input is no object", "w", func(d *draft) bool {
		s := d.forbidden("tool_use")
		return d.each(d.contents(), func(b *node) bool {
			return b.str("type") == "tool_use" && put(b, "input", anyOf(d, []*node{from(s.args), list(raw(s.args)), from(nil)}))
		})
	}},
	{"text has members of a call", "swn", func(d *draft) bool {
		call := d.anthropicForbidden()
		call.drop("type")
		return d.each(d.contents(), func(b *node) bool {
			if b.str("type") != "text" && b.str("type") != "thinking" {
				return false
			}
			merge(b, call)
			return true
		})
	}},
	{"block within a block", "swn", func(d *draft) bool {
		call := d.anthropicForbidden()
		return d.each(d.contents(), func(b *node) bool {
			if providerRuns(b) {
				return false
			}
			b.set(anyOf(d, []string{"content", "tool_use", "citations", "block", "content_block"}), anyOf(d, []*node{call.clone(), list(call.clone())}))
			return true
		})
	}},
	{"index reused", "s", func(d *draft) bool { return blockIndex(d, from(0)) }},
	{"index missing", "s", func(d *draft) bool { return blockIndex(d, nil) }},
	{"index odd", "s", func(d *draft) bool {
		return blockIndex(d, anyOf(d, []*node{from("0"), from(-1), raw("9007199254740993"), from(nil), raw("0.0"), from(7), list()}))
	}},
	{"index of another block", "s", func(d *draft) bool {
		a, b := d.pick(delta, stop), d.pick(start)
		if a == nil || b == nil || a.block == b.block || b.data.get("index") == nil {
			return false
		}
		a.data.set("index", b.data.get("index").clone())
		return true
	}},
	{"start missing", "s", func(d *draft) bool { return d.without(start) }},
	{"stop missing", "s", func(d *draft) bool { return d.without(stop) }},
	{"stop early", "s", func(d *draft) bool {
		ev := d.pick(stop)
		if ev == nil {
			return false
		}
		to := d.place(d.of(ev.block)[0]) + 1
		d.remove(ev)
		d.insert(to+d.IntN(2), ev)
		return true
	}},
	{"message_start has content", "s", func(d *draft) bool {
		ev := d.pick(head)
		if ev == nil || ev.data.get("message") == nil {
			return false
		}
		ev.data.get("message").set("content", list(d.anthropicForbidden()))
		return true
	}},
	{"message_start twice", "s", func(d *draft) bool {
		ev := d.pick(head)
		if ev == nil || ev.data.get("message") == nil {
			return false
		}
		again := ev.clone()
		if d.one(2) {
			again.data.get("message").set("content", list(d.anthropicForbidden()))
		}
		d.insert(1+d.IntN(len(d.events)), again)
		return true
	}},
	{"message_delta has content", "sn", func(d *draft) bool {
		ev := d.pick(finish)
		if ev == nil || ev.data.get("delta") == nil {
			return false
		}
		to := anyOf(d, []*node{ev.data, ev.data.get("delta")})
		to.set(anyOf(d, []string{"content", "content_block", "tool_use", "message"}), anyOf(d, []*node{d.anthropicForbidden(), list(d.anthropicForbidden()), obj("content", list(d.anthropicForbidden()))}))
		return true
	}},
	{"stop has a block", "sn", func(d *draft) bool {
		ev := d.pick(stop, last)
		if ev == nil {
			return false
		}
		ev.data.set(anyOf(d, []string{"content_block", "message", "snapshot"}), anyOf(d, []*node{d.anthropicForbidden(), obj("content", list(d.anthropicForbidden()))}))
		return true
	}},
	{"event of another type", "sn", func(d *draft) bool {
		d.insert(d.IntN(len(d.events)+1), &event{block: -1, data: obj("type", anyOf(d, []string{"content_block", "message", "ping", "content_block_start ", "Content_Block_Start", "tool_use", ""}),
			"index", d.IntN(3), "content_block", d.anthropicForbidden())})
		return true
	}},
	{"more after the end", "s", func(d *draft) bool {
		at := len(d.events)
		if d.one(2) { // after the stop reason
			at = max(0, at-1)
		}
		d.insert(at, d.blockEvents(-1, d.IntN(4), d.anthropicForbidden())...)
		return true
	}},
	{"stop reason changes", "sw", func(d *draft) bool {
		changed := false
		for _, o := range d.objectsWith("stop_reason") {
			if o.get("stop_reason").kind == text {
				o.set("stop_reason", anyOf(d, []any{"end_turn", "tool_use", "max_tokens", "refusal", "pause_turn", "", 1}))
				changed = true
			}
		}
		return changed
	}},
	{"end missing", "s", func(d *draft) bool {
		n := len(d.events)
		d.events = slices.DeleteFunc(d.events, func(ev *event) bool { return ev.role == last || ev.role == finish && d.one(2) })
		return len(d.events) < n
	}},
	{"blocks overlap", "s", overlap},
	{"id shared", "sw", func(d *draft) bool { return d.each(d.contents(), func(b *node) bool { return put(b, "id", "call_1") }) }},
	{"id missing", "sw", func(d *draft) bool { return d.each(d.contents(), func(b *node) bool { return b.drop("id") }) }},
	{"ping", "su", func(d *draft) bool { return d.between(obj("type", "ping")) }},
}

// anthropicDelta puts a delta into a block.
func anthropicDelta(d *draft, piece *node) bool {
	ev := d.pick(start, delta)
	if ev == nil || d.providers(ev.block) {
		return false
	}
	more := &event{block: ev.block, role: delta, data: obj("type", "content_block_delta", "delta", piece)}
	if index := ev.data.get("index"); index != nil {
		more.data.set("index", index.clone())
	}
	d.insert(d.place(ev)+1, more)
	return true
}

// providerRuns reports whether a block or item is of a type that the provider runs
// itself. What it has done passes, so that nothing forbidden is put there.
func providerRuns(o *node) bool {
	switch o.str("type") {
	case "server_tool_use", "mcp_tool_use", "web_search_call", "mcp_call":
		return true
	case "shell_call":
		return o.get("environment").str("type") != "local"
	}
	return false
}

// providers reports whether some event says that the provider runs a block.
func (d *draft) providers(block int) bool {
	return slices.ContainsFunc(d.of(block), func(ev *event) bool {
		return providerRuns(ev.data.get("content_block")) || providerRuns(ev.data.get("item"))
	})
}

// blockIndex gives events of a block another index, or none.
func blockIndex(d *draft, index *node) bool {
	changed := false
	for _, ev := range d.some(anyOf(d, d.blocks())) {
		if ev.data.at("index") < 0 {
			continue
		}
		changed = true
		if index == nil {
			ev.data.drop("index")
		} else {
			ev.data.set("index", index.clone())
		}
	}
	return changed
}

// overlap mixes the events of two blocks, each in its own order.
func overlap(d *draft) bool {
	a, b, ok := d.twoBlocks()
	if !ok {
		return false
	}
	var places []int
	queues := [2][]*event{}
	for i, ev := range d.events {
		switch ev.block {
		case a:
			places, queues[0] = append(places, i), append(queues[0], ev)
		case b:
			places, queues[1] = append(places, i), append(queues[1], ev)
		}
	}
	for _, place := range places {
		q := d.IntN(2)
		if len(queues[q]) == 0 {
			q = 1 - q
		}
		d.events[place], queues[q] = queues[q][0], queues[q][1:]
	}
	return true
}

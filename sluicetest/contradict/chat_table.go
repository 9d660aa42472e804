package contradict

import "slices"

var chatTable = []entry{
	{"tool index missing", "s", func(d *draft) bool { return d.eachCall(func(c *node) bool { return c.drop("index") }) }},
	{"tool index reused", "s", func(d *draft) bool { return d.eachCall(func(c *node) bool { return put(c, "index", 0) }) }},
	{"tool index odd", "s", func(d *draft) bool {
		odd := anyOf(d, []*node{from("0"), from(-1), raw("9007199254740993"), raw("0.0"), from(nil), from(5), list(), raw("1e0")})
		return d.eachCall(func(c *node) bool { return put(c, "index", odd.clone()) })
	}},
	{"tool index in a body", "w", func(d *draft) bool {
		return d.eachCall(func(c *node) bool { c.set("index", d.IntN(3)-1); return true })
	}},
	{"tool id missing", "sw", func(d *draft) bool { return d.eachCall(func(c *node) bool { return c.drop("id") }) }},
	{"tool id empty", "sw", func(d *draft) bool { return d.eachCall(func(c *node) bool { return put(c, "id", "") }) }},
	{"tool id changes", "s", func(d *draft) bool {
		return d.eachCall(func(c *node) bool { c.set("id", anyOf(d, []string{"call_a", "call_b", "call_1"})); return true })
	}},
	{"tool id shared", "sw", func(d *draft) bool { return d.eachCall(func(c *node) bool { return put(c, "id", "call_1") }) }},
	{"tool id late", "s", func(d *draft) bool { return chatLate(d, "id") }},
	{"name late", "s", func(d *draft) bool { return chatLate(d, "name") }},
	{"name changes", "s", func(d *draft) bool {
		name := d.badName()
		return d.eachFunction(func(f *node) bool { f.set("name", name); return true })
	}},
	{"name repeated", "s", func(d *draft) bool {
		name := ""
		return d.eachFunction(func(f *node) bool {
			if f.at("name") >= 0 {
				name = f.str("name")
				return false
			}
			f.set("name", name)
			return name != ""
		})
	}},
	{"name empty", "sw", func(d *draft) bool { return d.eachFunction(func(f *node) bool { return put(f, "name", "") }) }},
	{"name missing", "sw", func(d *draft) bool { return d.eachFunction(func(f *node) bool { return f.drop("name") }) }},
	{"name in pieces", "s", nameInPieces},
	{"type changes", "sw", func(d *draft) bool {
		typ := anyOf(d, []any{"custom", "function", "gadget", "", nil, 1})
		return d.eachCall(func(c *node) bool { c.set("type", typ); return true })
	}},
	{"custom and function", "sw", func(d *draft) bool {
		s := d.forbidden("custom")
		return d.eachCall(func(c *node) bool {
			if c.at("custom") >= 0 {
				c.set("function", obj("name", s.name, "arguments", s.args))
			} else {
				c.set("custom", obj("name", s.name, "input", s.command))
			}
			return true
		})
	}},
	{"arguments as an object", "sw", func(d *draft) bool {
		s := d.forbidden("function")
		return d.eachFunction(func(f *node) bool {
			return f.at("arguments") >= 0 && put(f, "arguments", anyOf(d, []*node{raw(s.args), list(raw(s.args)), from(nil), from(1)}))
		})
	}},
	{"arguments under another name", "swn", func(d *draft) bool {
		s, member := d.forbidden("function"), anyOf(d, []string{"input", "args", "parameters", "partial_json", "arguments_delta"})
		return d.eachFunction(func(f *node) bool { f.set(member, s.args); return true })
	}},
	{"call with flat members", "swn", func(d *draft) bool {
		s := d.forbidden("function")
		return d.eachCall(func(c *node) bool { merge(c, obj("name", s.name, "arguments", s.args)); return true })
	}},
	{"tool_calls as an object", "sw", func(d *draft) bool {
		changed := false
		for _, m := range d.messages() {
			if calls := m.get("tool_calls"); calls != nil && len(calls.items) > 0 && !d.one(3) {
				m.set("tool_calls", anyOf(d, []*node{calls.items[0], obj("0", calls.items[0]), list(calls.clone())}))
				changed = true
			}
		}
		return changed
	}},
	{"function_call beside tool_calls", "sw", func(d *draft) bool {
		s := d.forbidden("function_call")
		m := anyOf(d, d.messages())
		if m == nil {
			return false
		}
		m.set("function_call", obj("name", s.name, "arguments", s.args))
		return true
	}},
	{"tool_calls in an odd place", "swn", chatOddPlace},
	{"message beside delta", "s", func(d *draft) bool { return chatMessage(d, false) }},
	{"message at the end", "s", func(d *draft) bool { return chatMessage(d, true) }},
	{"delta beside message", "w", func(d *draft) bool {
		c := anyOf(d, d.entries())
		if c == nil {
			return false
		}
		c.set("delta", obj("tool_calls", list(d.chatForbidden())))
		return true
	}},
	{"choice index missing", "sw", func(d *draft) bool { return d.eachChoice(func(c *node) bool { return c.drop("index") }) }},
	{"choice index reused", "sw", func(d *draft) bool { return d.eachChoice(func(c *node) bool { return put(c, "index", 0) }) }},
	{"choice index odd", "sw", func(d *draft) bool {
		odd := anyOf(d, []*node{from("0"), from(-1), raw("9007199254740993"), from(nil), from(3), raw("0.0")})
		return d.eachChoice(func(c *node) bool { return put(c, "index", odd.clone()) })
	}},
	{"calls in another choice", "s", func(d *draft) bool {
		ev := d.chunk(anyOf(d, []int{0, 1, 2}), obj("role", "assistant", "tool_calls", list(with(d.chatForbidden(), "index", 0))))
		d.insert(d.IntN(len(d.events)), ev)
		return true
	}},
	{"two entries of a choice", "sw", func(d *draft) bool {
		choices := anyOf(d, d.lists("choices"))
		if choices == nil || choices.items[0].kind != object {
			return false
		}
		again := choices.items[0].clone()
		member := "delta"
		if d.whole {
			member = "message"
		}
		again.set(member, obj("role", "assistant", "content", nil, "tool_calls", list(with(d.chatForbidden(), "index", d.IntN(3)))))
		choices.items = slices.Insert(choices.items, d.IntN(2), again)
		return true
	}},
	{"choices as an object", "sw", func(d *draft) bool {
		o := anyOf(d, d.objectsWith("choices"))
		if o == nil || len(o.get("choices").items) == 0 {
			return false
		}
		o.set("choices", anyOf(d, []*node{o.get("choices").items[0], obj("0", o.get("choices").items[0])}))
		return true
	}},
	{"finish early", "s", func(d *draft) bool {
		ev := d.pick(delta, start, head)
		if ev == nil || ev.data.get("choices") == nil || ev.data.get("choices").kind != array {
			return false
		}
		for _, c := range ev.data.get("choices").items {
			c.set("finish_reason", anyOf(d, []string{"stop", "tool_calls", "length", "content_filter"}))
		}
		return true
	}},
	{"finish missing", "s", func(d *draft) bool {
		ev := d.pick(finish)
		if ev != nil {
			d.remove(ev)
		}
		return ev != nil
	}},
	{"finish is another word", "sw", func(d *draft) bool {
		return d.eachChoice(func(c *node) bool {
			if v := c.get("finish_reason"); v == nil || v.kind != text {
				return false
			}
			c.set("finish_reason", anyOf(d, []any{"function_call", "length", "", "tool_use", 1, nil}))
			return true
		})
	}},
	{"finish stop with calls", "swu", func(d *draft) bool {
		return d.eachChoice(func(c *node) bool { return c.str("finish_reason") == "tool_calls" && put(c, "finish_reason", "stop") })
	}},
	{"role is another", "sw", func(d *draft) bool {
		m := anyOf(d, d.messages())
		if m == nil {
			return false
		}
		m.set("role", anyOf(d, []any{"tool", "user", "", "system", "Assistant", 1}))
		return true
	}},
	{"more after the end", "s", func(d *draft) bool {
		d.events = append(d.events, d.chunk(0, obj("tool_calls", list(with(d.chatForbidden(), "index", d.IntN(3))))))
		if d.one(2) {
			end := d.chunk(0, obj())
			end.data.get("choices").items[0].set("finish_reason", "tool_calls")
			d.events = append(d.events, end, &event{raw: "[DONE]", block: -1, role: last})
		}
		return true
	}},
	{"end missing", "s", func(d *draft) bool {
		n := len(d.events)
		d.events = slices.DeleteFunc(d.events, func(ev *event) bool { return ev.role == last })
		return len(d.events) < n
	}},
	{"content is a list with a call", "sw", func(d *draft) bool {
		s := d.forbidden("tool_use")
		m := anyOf(d, d.messages())
		if m == nil {
			return false
		}
		m.set("content", list(obj("type", "text", "text", "so "), anyOf(d, []*node{
			obj("type", "tool_use", "id", s.callID, "name", s.name, "input", raw(s.args)),
			obj("type", "function_call", "call_id", s.callID, "name", s.name, "arguments", s.args),
		})))
		return true
	}},
	{"object is another word", "sw", func(d *draft) bool {
		ev := d.pick()
		if ev == nil || ev.data.at("object") < 0 {
			return false
		}
		ev.data.set("object", anyOf(d, []any{"chat.completion", "chat.completion.chunk", "response", "", nil}))
		return true
	}},
	{"usage at the end", "su", func(d *draft) bool {
		at := slices.IndexFunc(d.events, func(ev *event) bool { return ev.role == last })
		if at < 0 {
			return false
		}
		usage := d.chunk(0, obj())
		usage.data.set("choices", list())
		usage.data.set("usage", raw(`{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}`))
		d.insert(at, usage)
		return true
	}},
}

// put gives an object another value of a member that it has.
func put(o *node, name string, value any) bool {
	if o.at(name) < 0 {
		return false
	}
	o.set(name, value)
	return true
}

// with sets a member and returns the object.
func with(o *node, name string, value any) *node {
	o.set(name, value)
	return o
}

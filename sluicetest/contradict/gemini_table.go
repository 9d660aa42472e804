package contradict

import "slices"

var geminiTable = []entry{
	{"call beside text", "sw", func(d *draft) bool {
		call := d.geminiForbidden()
		return d.each(d.parts(), func(p *node) bool {
			if p.at("text") >= 0 {
				p.set("functionCall", call.clone())
			} else {
				p.set("text", "so ")
			}
			return true
		})
	}},
	{"call beside something else", "sw", func(d *draft) bool {
		call := d.geminiForbidden()
		return d.each(d.parts(), func(p *node) bool {
			if p.at("functionCall") >= 0 {
				p.set(anyOf(d, []string{"executableCode", "inlineData", "functionResponse", "thought"}), anyOf(d, []any{obj(), true}))
			} else {
				p.set("functionCall", call.clone())
			}
			return true
		})
	}},
	{"call twice in a part", "sw", func(d *draft) bool {
		call := d.geminiForbidden()
		return d.each(d.parts(), func(p *node) bool {
			if p.at("functionCall") < 0 {
				return false
			}
			p.add(anyOf(d, []string{"functionCall", "function_call"}), call.clone())
			return true
		})
	}},
	{"call in snake case", "sw", func(d *draft) bool {
		return d.each(d.parts(), func(p *node) bool {
			if i := p.at("functionCall"); i >= 0 {
				p.keys[i] = key{name: "function_call"}
				return true
			}
			return false
		})
	}},
	{"call is a list", "sw", func(d *draft) bool {
		call := d.geminiForbidden()
		return d.each(d.parts(), func(p *node) bool {
			return put(p, "functionCall", anyOf(d, []*node{list(call.clone()), from(call.String()), obj("functionCall", call.clone())}))
		})
	}},
	{"call under another name", "swn", func(d *draft) bool {
		p := anyOf(d, d.parts())
		if p == nil || p.kind != object {
			return false
		}
		p.set(anyOf(d, []string{"functionCalls", "function", "FunctionCall", "tool_call", "toolUse", "extra"}),
			anyOf(d, []*node{d.geminiForbidden(), list(d.geminiForbidden()), obj("functionCall", d.geminiForbidden())}))
		return true
	}},
	{"call in another candidate", "s", func(d *draft) bool {
		c := geminiCandidate(anyOf(d, []int{0, 1, 2}), obj("functionCall", d.geminiForbidden()))
		if ev := d.pick(); ev != nil && ev.data.get("candidates") != nil && ev.data.get("candidates").kind == array && d.one(2) {
			candidates := ev.data.get("candidates")
			candidates.items = slices.Insert(candidates.items, d.IntN(len(candidates.items)+1), c)
			return true
		}
		d.insert(d.IntN(len(d.events)+1), &event{block: -1, data: geminiPayload(c)})
		return true
	}},
	{"candidate index missing", "sw", func(d *draft) bool { return d.each(d.candidates(), func(c *node) bool { return c.drop("index") }) }},
	{"candidate index reused", "sw", func(d *draft) bool {
		return d.each(d.candidates(), func(c *node) bool { return put(c, "index", 0) })
	}},
	{"candidate index odd", "sw", func(d *draft) bool {
		odd := anyOf(d, []*node{from("0"), from(-1), raw("9007199254740993"), from(nil), from(3), raw("0.0")})
		return d.each(d.candidates(), func(c *node) bool { return put(c, "index", odd.clone()) })
	}},
	{"candidate twice", "sw", func(d *draft) bool {
		candidates := anyOf(d, d.lists("candidates"))
		if candidates == nil {
			return false
		}
		again := candidates.items[0].clone()
		again.set("content", obj("parts", list(obj("functionCall", d.geminiForbidden())), "role", "model"))
		candidates.items = slices.Insert(candidates.items, d.IntN(2), again)
		return true
	}},
	{"args missing", "sw", func(d *draft) bool { return d.each(d.functionCalls(), func(c *node) bool { return c.drop("args") }) }},
	{"args are no object", "sw", func(d *draft) bool {
		s := d.forbidden("")
		return d.each(d.functionCalls(), func(c *node) bool {
			return put(c, "args", anyOf(d, []*node{from(s.args), list(raw(s.args)), from(nil), from(1)}))
		})
	}},
	{"args under another name", "sw", func(d *draft) bool {
		s := d.forbidden("")
		return d.each(d.functionCalls(), func(c *node) bool {
			c.set(anyOf(d, []string{"arguments", "input", "parameters", "Args"}), raw(s.args))
			return true
		})
	}},
	{"args beside pieces", "s", func(d *draft) bool {
		s := d.forbidden("")
		return d.each(d.functionCalls(), func(c *node) bool {
			if c.at("args") >= 0 {
				c.set("partialArgs", list(obj("jsonPath", "$.command", "stringValue", s.command)))
			} else {
				c.set("args", raw(s.args))
			}
			return true
		})
	}},
	{"a call goes on", "s", func(d *draft) bool {
		return d.each(d.functionCalls(), func(c *node) bool {
			c.set("willContinue", anyOf(d, []any{true, false, "true", nil}))
			return true
		})
	}},
	{"pieces come again", "s", func(d *draft) bool {
		ev := d.pick(delta)
		if ev == nil {
			return false
		}
		s := d.forbidden("")
		path := anyOf(d, []string{"$.command", "$['command']", "$.command[0]", "$", "$.other", "command"})
		p := obj("functionCall", obj("partialArgs", list(obj("jsonPath", path, "stringValue", s.command)), "willContinue", d.one(2)))
		d.insert(d.place(ev)+1, &event{block: ev.block, role: delta, data: geminiPayload(geminiCandidate(0, p))})
		return true
	}},
	{"name changes", "s", func(d *draft) bool {
		name := d.badName()
		return d.each(d.functionCalls(), func(c *node) bool { c.set("name", name); return true })
	}},
	{"name missing", "sw", func(d *draft) bool { return d.each(d.functionCalls(), func(c *node) bool { return c.drop("name") }) }},
	{"id shared", "sw", func(d *draft) bool {
		return d.each(d.functionCalls(), func(c *node) bool { c.set("id", "call_1"); return true })
	}},
	{"parts as an object", "sw", func(d *draft) bool {
		return d.each(d.objectsWith("parts"), func(o *node) bool {
			parts := o.get("parts")
			if len(parts.items) == 0 {
				return false
			}
			o.set("parts", anyOf(d, []*node{parts.items[0], obj("0", parts.items[0]), list(parts.clone())}))
			return true
		})
	}},
	{"parts in another place", "sw", func(d *draft) bool {
		c := anyOf(d, d.candidates())
		if c == nil || c.kind != object {
			return false
		}
		parts := list(obj("functionCall", d.geminiForbidden()))
		switch d.IntN(4) {
		case 0:
			c.set("parts", parts)
		case 1:
			c.set("message", obj("parts", parts))
		case 2:
			c.set("content", list(obj("parts", parts, "role", "model")))
		default:
			c.set("delta", obj("content", obj("parts", parts)))
		}
		return true
	}},
	{"calls beside candidates", "swn", func(d *draft) bool {
		ev := d.pick()
		if ev == nil || ev.data.kind != object {
			return false
		}
		ev.data.set(anyOf(d, []string{"functionCalls", "functionCall", "content", "serverContent", "toolCall"}),
			anyOf(d, []*node{d.geminiForbidden(), list(d.geminiForbidden()), obj("functionCalls", list(d.geminiForbidden())), obj("parts", list(obj("functionCall", d.geminiForbidden())))}))
		return true
	}},
	{"role is another", "sw", func(d *draft) bool {
		o := anyOf(d, d.objectsWith("role"))
		if o == nil {
			return false
		}
		o.set("role", anyOf(d, []any{"user", "", "function", 1, nil}))
		return true
	}},
	{"finish early", "s", func(d *draft) bool {
		ev := d.pick(delta)
		if ev == nil || ev.data.get("candidates") == nil || ev.data.get("candidates").kind != array {
			return false
		}
		for _, c := range ev.data.get("candidates").items {
			c.set("finishReason", anyOf(d, []string{"STOP", "MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL", "FINISH_REASON_UNSPECIFIED"}))
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
	{"more after the end", "s", func(d *draft) bool {
		c := geminiCandidate(0, obj("functionCall", d.geminiForbidden()))
		if d.one(2) {
			c.set("finishReason", "STOP")
		}
		d.events = append(d.events, &event{block: -1, data: geminiPayload(c)})
		return true
	}},
	{"prompt blocked with a call", "sw", func(d *draft) bool {
		ev := d.pick()
		if ev == nil || ev.data.kind != object {
			return false
		}
		ev.data.set("promptFeedback", obj("blockReason", "SAFETY"))
		return true
	}},
	{"a list of answers", "sw", func(d *draft) bool {
		ev := d.pick()
		if ev == nil || ev.data.kind != object {
			return false
		}
		ev.data = list(ev.data, geminiPayload(geminiCandidate(0, obj("functionCall", d.geminiForbidden()))))
		return true
	}},
	{"finish with the last part", "su", func(d *draft) bool {
		ends := d.all(finish)
		parts := d.all(delta)
		if len(ends) != 1 || len(parts) == 0 || parts[len(parts)-1].data.get("candidates") == nil {
			return false
		}
		for _, c := range parts[len(parts)-1].data.get("candidates").items {
			c.set("finishReason", "STOP")
		}
		d.remove(ends[0])
		return true
	}},
}

func (d *draft) geminiForbidden() *node { return geminiCall(d.forbidden("functionCall")) }

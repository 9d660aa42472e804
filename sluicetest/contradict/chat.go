package contradict

var chatShape = shape{
	kinds:   []Kind{Text, Text, Thinking, Refusal, ToolCall, ToolCall, ToolCall, ToolCall, ToolCall},
	types:   map[Kind][]string{ToolCall: {"function", "function", "function", "custom"}},
	choices: true,
	build:   buildChat,
}

func buildChat(d *draft, blocks []Block) {
	if d.whole {
		d.chatBody(blocks)
		return
	}
	begun, calls := map[int]bool{}, map[int]int{}
	word := map[int]string{}
	for i, b := range blocks {
		d.Rand = random(b.Seed)
		if !begun[b.Choice] {
			begun[b.Choice], word[b.Choice] = true, "stop"
			d.add(-1, head, chatChunk(b.Choice, obj("role", "assistant", "content", nil)))
		}
		if b.Kind != ToolCall {
			for _, piece := range d.pieces(d.say(b)) {
				d.add(i, delta, chatChunk(b.Choice, obj(chatMember(b.Kind), piece)))
			}
			continue
		}
		s := d.planned(b)
		index := calls[b.Choice]
		calls[b.Choice]++
		word[b.Choice] = "tool_calls"
		first := chatCall(s, "")
		first.set("index", index)
		d.add(i, start, chatChunk(b.Choice, obj("tool_calls", list(first))))
		member, said := chatBodyOf(s)
		for _, piece := range d.pieces(said) {
			d.add(i, delta, chatChunk(b.Choice, obj("tool_calls", list(obj("index", index, s.typ, obj(member, piece))))))
		}
	}
	for choice := range 2 {
		if begun[choice] {
			end := chatChunk(choice, obj())
			end.get("choices").items[0].set("finish_reason", word[choice])
			d.add(-1, finish, end)
		}
	}
	d.events = append(d.events, &event{raw: "[DONE]", block: -1, role: last})
}

// chatMember is where the text of a kind stands.
func chatMember(k Kind) string {
	switch k {
	case Thinking:
		return "reasoning_content"
	case Refusal:
		return "refusal"
	default:
		return "content"
	}
}

func chatChunk(choice int, delta *node) *node {
	return obj("id", "chatcmpl-1", "object", "chat.completion.chunk", "created", 1700000000, "model", "m",
		"choices", list(obj("index", choice, "delta", delta, "finish_reason", nil)))
}

// chatBodyOf is the member with the body of a call, and the body.
func chatBodyOf(s spec) (member, body string) {
	if s.typ == "custom" {
		return "input", s.command
	}
	return "arguments", s.args
}

// chatCall is an entry of tool_calls.
func chatCall(s spec, body string) *node {
	member, _ := chatBodyOf(s)
	return obj("id", s.callID, "type", s.typ, s.typ, obj("name", s.name, member, body))
}

func (d *draft) chatBody(blocks []Block) {
	var choices []*node
	for choice := range 2 {
		said := map[Kind]string{}
		var calls []*node
		has := false
		for _, b := range blocks {
			if b.Choice != choice {
				continue
			}
			has = true
			d.Rand = random(b.Seed)
			if b.Kind != ToolCall {
				said[b.Kind] += d.say(b)
				continue
			}
			s := d.planned(b)
			_, body := chatBodyOf(s)
			calls = append(calls, chatCall(s, body))
		}
		if !has {
			continue
		}
		message := obj("role", "assistant")
		for _, k := range []Kind{Text, Refusal, Thinking} {
			if said[k] != "" {
				message.add(chatMember(k), said[k])
			} else if k != Thinking {
				message.add(chatMember(k), nil)
			}
		}
		word := "stop"
		if len(calls) > 0 {
			message.add("tool_calls", list(calls...))
			word = "tool_calls"
		}
		choices = append(choices, obj("index", choice, "message", message, "finish_reason", word))
	}
	d.add(-1, finish, obj("id", "chatcmpl-1", "object", "chat.completion", "created", 1700000000, "model", "m", "choices", list(choices...),
		"usage", raw(`{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}`)))
}

// chatCalls returns the entries of tool_calls, in the whole answer.
func (d *draft) chatCalls() []*node {
	var found []*node
	for _, o := range d.objectsWith("tool_calls") {
		if calls := o.get("tool_calls"); calls.kind == array {
			for _, call := range calls.items {
				if call.kind == object {
					found = append(found, call)
				}
			}
		}
	}
	return found
}

// messages returns the deltas and messages of all choices.
func (d *draft) messages() []*node {
	var found []*node
	for _, name := range []string{"delta", "message"} {
		for _, o := range d.objectsWith(name) {
			if m := o.get(name); m.kind == object {
				found = append(found, m)
			}
		}
	}
	return found
}

// entries returns the entries of choices.
func (d *draft) entries() []*node {
	var found []*node
	for _, o := range d.objectsWith("choices") {
		for _, c := range o.get("choices").items {
			if c.kind == object {
				found = append(found, c)
			}
		}
	}
	return found
}

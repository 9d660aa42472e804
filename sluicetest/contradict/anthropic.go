package contradict

import "fmt"

var anthropicShape = shape{
	kinds: []Kind{Text, Text, Thinking, ToolCall, ToolCall, ToolCall, ToolCall, Server, Opaque},
	types: map[Kind][]string{
		ToolCall: {"tool_use"},
		Server:   {"server_tool_use", "mcp_tool_use"},
		Opaque:   {"redacted_thinking", "container_upload"},
	},
	build: buildAnthropic,
}

func buildAnthropic(d *draft, blocks []Block) {
	message := obj("id", "msg_1", "type", "message", "role", "assistant", "model", "m", "content", list(),
		"stop_reason", nil, "stop_sequence", nil, "usage", raw(`{"input_tokens":11,"output_tokens":1}`))
	d.add(-1, head, obj("type", "message_start", "message", message))
	reason := "end_turn"
	var content []*node
	for i, b := range blocks {
		d.Rand = random(b.Seed)
		if b.Kind == ToolCall {
			reason = "tool_use"
		}
		whole := d.anthropicBlock(b)
		content = append(content, whole)
		d.events = append(d.events, d.blockEvents(i, len(content)-1, whole)...)
	}
	if d.whole {
		message.set("content", list(content...))
		message.set("stop_reason", reason)
		d.events = nil
		d.add(-1, finish, message)
		return
	}
	d.add(-1, finish, obj("type", "message_delta", "delta", obj("stop_reason", reason, "stop_sequence", nil), "usage", obj("output_tokens", 7)))
	d.add(-1, last, obj("type", "message_stop"))
}

// anthropicBlock is a block with all it has.
func (d *draft) anthropicBlock(b Block) *node {
	switch b.Kind {
	case Text:
		return obj("type", "text", "text", d.say(b))
	case Thinking:
		return obj("type", "thinking", "thinking", d.say(b), "signature", "c2ln")
	case ToolCall:
		return anthropicCall(d.planned(b))
	case Server:
		d.ids++
		block := obj("type", b.Type, "id", fmt.Sprint("srvtoolu_", d.ids), "name", "lookup", "input", raw(`{"q":"ok"}`))
		if b.Type == "mcp_tool_use" {
			block.add("server_name", "files")
		}
		return block
	default:
		if b.Type == "redacted_thinking" {
			return obj("type", b.Type, "data", "eA==")
		}
		return obj("type", b.Type, "file_id", "file_1")
	}
}

func anthropicCall(s spec) *node {
	return obj("type", s.typ, "id", s.callID, "name", s.name, "input", raw(s.args))
}

// anthropicForbidden is a call of a type that clients execute, or may.
func (d *draft) anthropicForbidden() *node {
	return anthropicCall(d.forbidden(anyOf(d, []string{"tool_use", "tool_use", "tool_use", "client_tool_use", "gadget_tool_use", "widget"})))
}

// blockEvents returns the events of a block from its beginning to its end.
func (d *draft) blockEvents(block, index int, whole *node) []*event {
	begun := whole.clone()
	var deltas []*node
	add := func(kind, member, said string) {
		for _, piece := range d.pieces(said) {
			deltas = append(deltas, obj("type", kind, member, piece))
		}
	}
	switch {
	case whole.at("input") >= 0 && !d.one(6):
		begun.set("input", obj())
		add("input_json_delta", "partial_json", whole.get("input").text)
	case whole.str("type") == "text":
		begun.set("text", "")
		add("text_delta", "text", whole.str("text"))
	case whole.str("type") == "thinking":
		begun.set("thinking", "")
		begun.set("signature", "")
		add("thinking_delta", "thinking", whole.str("thinking"))
		add("signature_delta", "signature", whole.str("signature"))
	}
	events := []*event{{block: block, role: start, data: obj("type", "content_block_start", "index", index, "content_block", begun)}}
	for _, piece := range deltas {
		events = append(events, &event{block: block, role: delta, data: obj("type", "content_block_delta", "index", index, "delta", piece)})
	}
	return append(events, &event{block: block, role: stop, data: obj("type", "content_block_stop", "index", index)})
}

// contents returns the blocks of an answer: those of its starts, or of the body.
func (d *draft) contents() []*node {
	var found []*node
	for _, ev := range d.all(start) {
		if b := ev.data.get("content_block"); b != nil && b.kind == object {
			found = append(found, b)
		}
	}
	if d.whole {
		for _, ev := range d.all(finish) {
			if content := ev.data.get("content"); content != nil && content.kind == array {
				found = append(found, content.items...)
			}
		}
	}
	return found
}

package contradict

import "fmt"

// responsesCalls are the types of items that a client executes, and such that
// only look like it.
var responsesCalls = []string{
	"function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call",
	"mcp_approval_request", "gadget_call", "widget",
}

var responsesShape = shape{
	kinds: []Kind{Text, Text, Thinking, Refusal, ToolCall, ToolCall, ToolCall, ToolCall, Server, Opaque},
	types: map[Kind][]string{
		ToolCall: responsesCalls[:7],
		Server:   {"web_search_call", "mcp_call", "shell_call"},
		Opaque:   {"compaction", "mcp_list_tools"},
	},
	build: buildResponses,
}

func buildResponses(d *draft, blocks []Block) {
	response := func(kind, status string, output ...*node) *node {
		r := obj("id", "resp_1", "object", "response", "created_at", 1700000000, "status", status, "model", "m",
			"output", list(output...), "error", nil, "incomplete_details", nil)
		if status == "completed" {
			r.add("usage", raw(`{"input_tokens":11,"output_tokens":7,"total_tokens":18}`))
		}
		return obj("type", kind, "response", r)
	}
	d.add(-1, head, response("response.created", "in_progress"))
	d.add(-1, head, response("response.in_progress", "in_progress"))
	var output []*node
	for i, b := range blocks {
		d.Rand = random(b.Seed)
		output = append(output, d.responsesBlock(i, len(output), b))
	}
	end := response("response.completed", "completed", output...)
	if d.whole {
		d.events = nil
		d.add(-1, finish, end.get("response"))
		return
	}
	d.add(-1, last, end)
}

// responsesBlock adds the events of an item and returns its last form.
func (d *draft) responsesBlock(block, index int, b Block) *node {
	var item *node
	switch b.Kind {
	case Text, Refusal:
		item = d.message(b.Kind, d.say(b))
	case Thinking:
		d.ids++
		item = obj("id", fmt.Sprint("item_", d.ids), "type", "reasoning", "summary", list(obj("type", "summary_text", "text", d.say(b))))
	case ToolCall:
		item = responsesItem(d.planned(b))
	default:
		d.ids++
		item = responsesItem(spec{typ: b.Type, id: fmt.Sprint("item_", d.ids), callID: fmt.Sprint("call_", d.ids), name: "lookup", args: `{"q":"ok"}`, command: "ls"})
		if b.Type == "shell_call" {
			item.set("environment", obj("type", "container_reference", "container_id", "cntr_1"))
		}
	}
	d.events = append(d.events, d.itemEvents(block, index, item)...)
	return item.clone()
}

// message is an item that says something.
func (d *draft) message(kind Kind, said string) *node {
	d.ids++
	part := obj("type", "output_text", "text", said, "annotations", list())
	if kind == Refusal {
		part = obj("type", "refusal", "refusal", said)
	}
	return obj("id", fmt.Sprint("item_", d.ids), "type", "message", "status", "completed", "role", "assistant", "content", list(part))
}

// responsesItem returns the completed item of a call, or of another type.
func responsesItem(s spec) *node {
	item := obj("id", s.id, "type", s.typ, "status", "completed")
	switch s.typ {
	case "function_call":
		return item.add("call_id", s.callID).add("name", s.name).add("arguments", s.args)
	case "custom_tool_call":
		return item.add("call_id", s.callID).add("name", s.name).add("input", s.command)
	case "local_shell_call":
		return item.add("call_id", s.callID).add("action", obj("type", "exec", "command", list(from("bash"), from("-lc"), from(s.command)), "env", obj()))
	case "shell_call":
		return item.add("call_id", s.callID).add("action", obj("commands", list(from(s.command)), "timeout_ms", nil)).add("environment", obj("type", "local"))
	case "apply_patch_call":
		return item.add("call_id", s.callID).add("operation", obj("type", "delete_file", "path", s.command))
	case "computer_call":
		return item.add("call_id", s.callID).add("action", obj("type", "type", "text", s.command)).add("pending_safety_checks", list())
	case "mcp_approval_request":
		return obj("id", s.id, "type", s.typ, "server_label", "files", "name", s.name, "arguments", s.args)
	case "message":
		return item.add("role", "assistant").add("content", list())
	case "reasoning":
		return obj("id", s.id, "type", s.typ, "summary", list())
	case "web_search_call":
		return item.add("action", obj("type", "search", "query", s.command))
	case "mcp_call":
		return item.add("server_label", "files").add("name", s.name).add("arguments", s.args).add("output", "ok")
	case "compaction":
		return obj("id", s.id, "type", s.typ, "encrypted_content", "x")
	case "mcp_list_tools":
		return obj("id", s.id, "type", s.typ, "server_label", "files", "tools", list())
	default:
		return item.add("name", s.name).add("input", raw(s.args))
	}
}

// streamed says how the texts of items stream: the family of the events, and
// the member that has the text.
var streamed = map[string][2]string{
	"function_call":    {"response.function_call_arguments", "arguments"},
	"custom_tool_call": {"response.custom_tool_call_input", "input"},
	"mcp_call":         {"response.mcp_call_arguments", "arguments"},
	"output_text":      {"response.output_text", "text"},
	"refusal":          {"response.refusal", "refusal"},
	"summary_text":     {"response.reasoning_summary_text", "text"},
}

// itemEvents returns the events of an item from its beginning to its end.
func (d *draft) itemEvents(block, index int, item *node) []*event {
	var events []*event
	id := item.str("id")
	add := func(r role, kind string, pairs ...any) {
		data := obj("type", kind, "item_id", id, "output_index", index)
		for i := 0; i+1 < len(pairs); i += 2 {
			name, _ := pairs[i].(string)
			data.add(name, pairs[i+1])
		}
		events = append(events, &event{data: data, block: block, role: r})
	}
	begun := item.clone()
	events = append(events, &event{block: block, role: start, data: obj("type", "response.output_item.added", "output_index", index, "item", begun)})
	if i := begun.at("status"); i >= 0 {
		begun.items[i] = from("in_progress")
	}
	how, streams := streamed[item.str("type")]
	if streams {
		begun.set(how[1], "")
		for _, piece := range d.pieces(item.str(how[1])) {
			add(delta, how[0]+".delta", "delta", piece)
		}
		add(full, how[0]+".done", how[1], item.str(how[1]))
	}
	for _, parts := range []struct{ list, family, index string }{
		{"content", "response.content_part", "content_index"}, {"summary", "response.reasoning_summary_part", "summary_index"},
	} {
		said := item.get(parts.list)
		if said == nil {
			continue
		}
		begun.set(parts.list, list())
		for i, p := range said.items {
			how := streamed[p.str("type")]
			empty := p.clone()
			empty.set(how[1], "")
			add(part, parts.family+".added", parts.index, i, "part", empty)
			for _, piece := range d.pieces(p.str(how[1])) {
				add(delta, how[0]+".delta", parts.index, i, "delta", piece)
			}
			add(full, how[0]+".done", parts.index, i, how[1], p.str(how[1]))
			add(part, parts.family+".done", parts.index, i, "part", p.clone())
		}
	}
	return append(events, &event{block: block, role: stop, data: obj("type", "response.output_item.done", "output_index", index, "item", item)})
}

// output is the list of items in the last event, nil if there is none.
func (d *draft) output() *node {
	for _, ev := range d.all(last, finish) {
		output := ev.data.get("response", "output")
		if d.whole {
			output = ev.data.get("output")
		}
		if output != nil && output.kind == array {
			return output
		}
	}
	return nil
}

// copies returns the places that have the whole item of a block: its beginning,
// its end and the answer's end.
func (d *draft) copies(block int) []**node {
	var places []**node
	id := ""
	for _, ev := range d.of(block) {
		if i := ev.data.at("item"); i >= 0 {
			places = append(places, &ev.data.items[i])
			id = ev.data.items[i].str("id")
		}
	}
	if output := d.output(); output != nil {
		for i, item := range output.items {
			if id != "" && item.str("id") == id {
				places = append(places, &output.items[i])
			}
		}
	}
	return places
}

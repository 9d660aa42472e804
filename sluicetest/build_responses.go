package sluicetest

import (
	"encoding/json"
	"strconv"

	"github.com/sluice-project/sluice/llm"
)

const responsesUsage = `{"input_tokens":11,"input_tokens_details":{"cached_tokens":0},"output_tokens":7,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":18}`

func (b *builder) responses() {
	b.responsesEvent("response.created", "response", b.response("in_progress", "[]"))
	b.responsesEvent("response.in_progress", "response", b.response("in_progress", "[]"))
	items := []string{}
	for i := range b.choices[0] {
		if item := b.responsesItem(&b.choices[0][i], len(items)); item != "" {
			items = append(items, item)
		}
	}
	if b.Error != "" {
		b.responsesEvent("error", "code", `"server_error"`, "message", b.quote(b.Error), "param", "null")
		return
	}
	status := orDefault(b.Finish, "completed")
	b.responsesEvent("response."+status, "response", b.response(status, array(items...)))
}

func (b *builder) responsesEvent(kind string, pairs ...string) {
	number := ""
	if !b.has(QuirkNoNumbers) {
		number = strconv.Itoa(b.number)
		b.number++
	}
	all := append([]string{"type", strconv.Quote(kind), "sequence_number", number}, pairs...)
	if b.chance(6) { // the order of members is not fixed
		all = append(append([]string{}, pairs...), "sequence_number", number, "type", strconv.Quote(kind))
	}
	b.out = append(b.out, members(all...))
}

// response writes the response object of a life cycle event.
func (b *builder) response(status, output string) string {
	usage, details, failure := "null", "null", "null"
	switch status {
	case "completed":
		usage = responsesUsage
	case "incomplete":
		usage, details = responsesUsage, `{"reason":"max_output_tokens"}`
	case "failed":
		failure = `{"code":"server_error","message":"built"}`
	}
	return members("id", b.quote(b.ID), "object", `"response"`, "created_at", "1700000000", "status", strconv.Quote(status),
		"model", b.quote(b.Model), "output", output, "error", failure, "incomplete_details", details, "usage", usage)
}

// responsesItem writes the events of one item and returns the item as it is
// when done, "" if the block is left out.
func (b *builder) responsesItem(block *llm.Block, index int) string {
	e := itemBuilder{builder: b, index: strconv.Itoa(index)}
	switch {
	case block.Kind == llm.Content && block.Text != "":
		return e.message(block, "output_text", "text")
	case block.Kind == llm.Refusal && block.Text != "":
		return e.message(block, "refusal", "refusal")
	case block.Kind == llm.Thinking && (block.Text != "" || block.Signature != ""):
		return e.reasoning(block)
	case block.Kind == llm.ToolCall && (block.Type == "" || block.Type == "function" || block.Type == "function_call"):
		return e.call(block, "function_call", "arguments", "response.function_call_arguments", "fc_")
	case block.Kind == llm.ToolCall && block.Freeform():
		return e.call(block, "custom_tool_call", "input", "response.custom_tool_call_input", "ctc_")
	case block.Kind == llm.ToolCall, block.Kind == llm.ServerTool, block.Kind == llm.ToolResult, block.Kind == llm.Opaque:
		return e.whole(block)
	default:
		return ""
	}
}

// itemBuilder writes the events of one item.
type itemBuilder struct {
	*builder
	index, id string
}

// event writes an event inside the item.
func (e *itemBuilder) event(kind string, pairs ...string) {
	if e.has(QuirkPadding) && len(kind) > 6 && kind[len(kind)-6:] == ".delta" {
		pairs = append(pairs, "obfuscation", `"xxxx"`)
	}
	e.responsesEvent(kind, append([]string{"item_id", e.id, "output_index", e.index}, pairs...)...)
}

func (e *itemBuilder) added(item string) {
	e.responsesEvent("response.output_item.added", "output_index", e.index, "item", item)
}

func (e *itemBuilder) done(item string) string {
	e.responsesEvent("response.output_item.done", "output_index", e.index, "item", item)
	return item
}

func (e *itemBuilder) message(block *llm.Block, kind, member string) string {
	e.id = e.quote(e.mint(block.ID, "msg_"))
	item := func(status, content string) string {
		return members("id", e.id, "type", `"message"`, "status", status, "role", `"assistant"`, "content", content)
	}
	part := func(text string) string {
		annotations := ""
		if kind == "output_text" {
			annotations = "[]"
		}
		return members("type", strconv.Quote(kind), member, e.quote(text), "annotations", annotations)
	}
	e.added(item(`"in_progress"`, "[]"))
	e.event("response.content_part.added", "content_index", "0", "part", part(""))
	for _, piece := range e.pieces(block.Text) {
		e.event("response."+kind+".delta", "content_index", "0", "delta", e.quote(piece))
	}
	e.event("response."+kind+".done", "content_index", "0", member, e.quote(block.Text))
	e.event("response.content_part.done", "content_index", "0", "part", part(block.Text))
	return e.done(item(`"completed"`, array(part(block.Text))))
}

func (e *itemBuilder) reasoning(block *llm.Block) string {
	e.id = e.quote(e.mint(block.ID, "rs_"))
	encrypted := ""
	if block.Signature != "" {
		encrypted = e.quote(block.Signature)
	}
	raw := block.Type == "reasoning_text"
	item := func(parts string) string {
		if raw {
			return members("id", e.id, "type", `"reasoning"`, "summary", "[]", "content", parts, "encrypted_content", encrypted)
		}
		return members("id", e.id, "type", `"reasoning"`, "summary", parts, "encrypted_content", encrypted)
	}
	e.added(item("[]"))
	if block.Text == "" {
		return e.done(item("[]"))
	}
	family, part, index, kind := "response.reasoning_summary_text", "response.reasoning_summary_part", "summary_index", `"summary_text"`
	if raw {
		family, part, index, kind = "response.reasoning_text", "response.content_part", "content_index", `"reasoning_text"`
	}
	e.event(part+".added", index, "0", "part", members("type", kind, "text", `""`))
	for _, piece := range e.pieces(block.Text) {
		e.event(family+".delta", index, "0", "delta", e.quote(piece))
	}
	e.event(family+".done", index, "0", "text", e.quote(block.Text))
	whole := members("type", kind, "text", e.quote(block.Text))
	e.event(part+".done", index, "0", "part", whole)
	return e.done(item(array(whole)))
}

func (e *itemBuilder) call(block *llm.Block, kind, member, family, prefix string) string {
	e.id = e.quote(e.mint("", prefix))
	callID := e.quote(e.mint(block.ID, "call_"))
	item := func(status, arguments string) string {
		return members("id", e.id, "type", strconv.Quote(kind), "status", status, "call_id", callID,
			"name", e.quote(block.Name), member, e.quote(arguments))
	}
	e.added(item(`"in_progress"`, ""))
	for _, piece := range e.callPieces(block.Arguments) {
		e.event(family+".delta", "delta", e.quote(piece))
	}
	e.event(family+".done", member, e.quote(block.Arguments))
	return e.done(item(`"completed"`, block.Arguments))
}

// whole writes an item that has no deltas.
func (e *itemBuilder) whole(block *llm.Block) string {
	item := e.wholeItem(block)
	e.added(item)
	if block.Kind == llm.ServerTool && block.Type == "web_search_call" {
		e.event("response.web_search_call.in_progress")
		e.event("response.web_search_call.completed")
	}
	return e.done(item)
}

func (e *itemBuilder) wholeItem(block *llm.Block) string {
	if len(block.Raw) > 0 {
		var named struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(block.Raw, &named) == nil {
			e.id = e.quote(named.ID)
		}
		return string(block.Raw)
	}
	switch block.Kind {
	case llm.ToolCall:
		member := orDefault(clientCalls[block.Type], "action")
		arguments := e.orEmptyObject(block.Arguments)
		if member == "arguments" {
			arguments = e.quote(block.Arguments)
		}
		e.id = e.quote(e.mint("", "item_"))
		name := ""
		if block.Name != "" {
			name = e.quote(block.Name)
		}
		return members("id", e.id, "type", e.quote(block.Type), "status", `"completed"`,
			"call_id", e.quote(e.mint(block.ID, "call_")), "name", name, member, arguments)
	case llm.ServerTool:
		e.id = e.quote(e.mint(block.ID, "ws_"))
		return members("id", e.id, "type", e.quote(orDefault(block.Type, "web_search_call")), "status", `"completed"`,
			"action", e.orEmptyObject(block.Arguments))
	case llm.ToolResult:
		e.id = e.quote(e.mint(block.ID, "sho_"))
		return members("id", e.id, "type", e.quote(orDefault(block.Type, "shell_call_output")), "status", `"completed"`,
			"call_id", e.quote(orDefault(block.ToolUseID, "call_built")), "output", array(members("stdout", e.quote(block.Text), "stderr", `""`)))
	default:
		e.id = e.quote(e.mint(block.ID, "cmp_"))
		return members("id", e.id, "type", e.quote(orDefault(block.Type, "compaction")), "encrypted_content", `"built"`)
	}
}

func (b *builder) responsesBody() string {
	items := []string{}
	for i := range b.choices[0] {
		if item := b.responsesItem(&b.choices[0][i], len(items)); item != "" {
			items = append(items, item)
		}
	}
	return b.response(orDefault(b.Finish, "completed"), array(items...))
}

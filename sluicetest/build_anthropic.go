package sluicetest

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

const (
	anthropicStartUsage = `{"input_tokens":11,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}`
	anthropicEndUsage   = `{"output_tokens":7}`
)

func (b *builder) anthropic() {
	blocks := b.choices[0]
	message := members("id", b.quote(b.ID), "type", `"message"`, "role", `"assistant"`, "model", b.quote(b.Model),
		"content", "[]", "stop_reason", "null", "stop_sequence", "null", "usage", anthropicStartUsage)
	b.anthropicEvent("message_start", "message", message)
	index := 0
	for i := range blocks {
		start, deltas := b.anthropicBlock(&blocks[i])
		if start == "" {
			continue
		}
		n := strconv.Itoa(index)
		index++
		b.anthropicEvent("content_block_start", "index", n, "content_block", start)
		for _, delta := range deltas {
			b.anthropicEvent("content_block_delta", "index", n, "delta", delta)
		}
		b.anthropicEvent("content_block_stop", "index", n)
	}
	if b.Error != "" {
		b.anthropicEvent("error", "error", members("type", `"api_error"`, "message", b.quote(b.Error)))
		return
	}
	reason := strconv.Quote(b.finishWord(blocks, "end_turn", "tool_use"))
	b.anthropicEvent("message_delta", "delta", members("stop_reason", reason, "stop_sequence", "null"), "usage", anthropicEndUsage)
	b.anthropicEvent("message_stop")
}

func (b *builder) anthropicEvent(kind string, pairs ...string) {
	if b.has(QuirkPing) && kind != "message_start" && (b.Rand == nil || b.chance(6)) {
		b.out = append(b.out, `{"type":"ping"}`)
	}
	payload := members(append([]string{"type", strconv.Quote(kind)}, pairs...)...)
	if b.has(QuirkPadding) && kind == "content_block_delta" {
		payload = strings.TrimSuffix(payload, "}") + "      }"
	}
	b.out = append(b.out, payload)
}

// anthropicBlock returns the content_block of a start and the deltas that
// follow, "" if the block is left out.
func (b *builder) anthropicBlock(block *llm.Block) (start string, deltas []string) {
	delta := func(kind, member string, pieces ...string) {
		for _, piece := range pieces {
			deltas = append(deltas, members("type", strconv.Quote(kind), member, b.quote(piece)))
		}
	}
	switch block.Kind {
	case llm.Content, llm.Refusal:
		if block.Text == "" {
			return "", nil
		}
		delta("text_delta", "text", b.pieces(block.Text)...)
		return `{"type":"text","text":""}`, deltas
	case llm.Thinking:
		if block.Type == "redacted_thinking" {
			return b.anthropicWhole(block), nil
		}
		delta("thinking_delta", "thinking", b.pieces(block.Text)...)
		if block.Signature != "" {
			delta("signature_delta", "signature", block.Signature)
		}
		return `{"type":"thinking","thinking":"","signature":""}`, deltas
	case llm.ToolCall, llm.ServerTool:
		if b.Rand == nil || !b.chance(3) {
			delta("input_json_delta", "partial_json", "")
		}
		delta("input_json_delta", "partial_json", b.callPieces(b.anthropicArguments(block))...)
		if len(block.Raw) > 0 && block.Kind == llm.ServerTool {
			return string(block.Raw), deltas
		}
		return b.anthropicCall(block, "{}"), deltas
	default:
		return b.anthropicWhole(block), nil
	}
}

// anthropicArguments is the input as it streams. The format does not allow free text,
// so it is wrapped.
func (b *builder) anthropicArguments(block *llm.Block) string {
	if block.Freeform() {
		return members("input", b.quote(block.Arguments))
	}
	return block.Arguments
}

func (b *builder) anthropicCall(block *llm.Block, input string) string {
	kind, prefix := "tool_use", "toolu_"
	server := ""
	if block.Kind == llm.ServerTool {
		kind, prefix = orDefault(block.Type, "server_tool_use"), "srvtoolu_"
		if kind == "mcp_tool_use" {
			server = `"built-server"`
		}
	}
	return members("type", strconv.Quote(kind), "id", b.quote(b.mint(block.ID, prefix)), "name", b.quote(block.Name),
		"input", input, "server_name", server)
}

// anthropicWhole returns a block with all of its content, "" if it is left out.
func (b *builder) anthropicWhole(block *llm.Block) string {
	switch {
	case block.Kind == llm.Content, block.Kind == llm.Refusal:
		if block.Text == "" {
			return ""
		}
		return members("type", `"text"`, "text", b.quote(block.Text))
	case block.Kind == llm.Thinking && block.Type == "redacted_thinking":
		return members("type", `"redacted_thinking"`, "data", b.quote(orDefault(block.Signature, "built")))
	case block.Kind == llm.Thinking:
		return members("type", `"thinking"`, "thinking", b.quote(block.Text), "signature", b.quote(block.Signature))
	case len(block.Raw) > 0 && block.Kind != llm.ToolCall:
		return string(block.Raw)
	case block.Kind == llm.ToolCall, block.Kind == llm.ServerTool:
		return b.anthropicCall(block, b.orEmptyObject(b.anthropicArguments(block)))
	case block.Kind == llm.ToolResult:
		return members("type", b.quote(orDefault(block.Type, "mcp_tool_result")), "tool_use_id", b.quote(orDefault(block.ToolUseID, "srvtoolu_built")),
			"is_error", strconv.FormatBool(block.Failed), "content", array(members("type", `"text"`, "text", b.quote(block.Text))))
	default:
		return members("type", b.quote(orDefault(block.Type, "container_upload")), "file_id", `"file_built"`)
	}
}

func (b *builder) anthropicBody() string {
	blocks := b.choices[0]
	content := []string{}
	for i := range blocks {
		if whole := b.anthropicWhole(&blocks[i]); whole != "" {
			content = append(content, whole)
		}
	}
	return members("id", b.quote(b.ID), "type", `"message"`, "role", `"assistant"`, "model", b.quote(b.Model),
		"content", array(content...), "stop_reason", strconv.Quote(b.finishWord(blocks, "end_turn", "tool_use")),
		"stop_sequence", "null", "usage", `{"input_tokens":11,"output_tokens":7}`)
}

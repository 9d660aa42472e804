package anthropic

import (
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// The types of events.
const (
	messageStart = "message_start"
	blockStart   = "content_block_start"
	blockDelta   = "content_block_delta"
	blockStop    = "content_block_stop"
	messageDelta = "message_delta"
	messageStop  = "message_stop"
	ping         = "ping"
	errorEvent   = "error"
	wholeMessage = "message"
)

// eventName returns the type of an event as a string, without an allocation for known
// types.
func eventName(kind []byte) string {
	switch string(kind) {
	case blockDelta:
		return blockDelta
	case blockStart:
		return blockStart
	case blockStop:
		return blockStop
	case messageStart:
		return messageStart
	case messageDelta:
		return messageDelta
	case messageStop:
		return messageStop
	case ping:
		return ping
	case errorEvent:
		return errorEvent
	case wholeMessage:
		return wholeMessage
	}
	return string(kind)
}

// member is a member of a delta that carries a part of a block. It is a bit, so
// that a set of them fits in one value.
type member uint8

const (
	memberText member = 1 << iota
	memberJSON
	memberThinking
	memberSignature
	memberContent

	anyMember = memberText | memberJSON | memberThinking | memberSignature | memberContent
)

// deltaMember returns the member that a delta of a type carries, 0 if the type
// is not known or carries nothing that belongs to a block's body.
func deltaMember(kind []byte) member {
	switch string(kind) {
	case "text_delta":
		return memberText
	case "input_json_delta":
		return memberJSON
	case "thinking_delta":
		return memberThinking
	case "signature_delta":
		return memberSignature
	case "compaction_delta":
		return memberContent
	}
	return 0
}

// blockType returns the meaning of a content block's type: the type as a string, the
// block's kind, and which members its deltas may carry. An unknown type may carry
// anything.
func blockType(kind []byte) (string, llm.Kind, member) {
	switch string(kind) {
	case "text":
		return "text", llm.Content, memberText
	case "tool_use":
		return "tool_use", llm.ToolCall, memberJSON
	case "thinking":
		return "thinking", llm.Thinking, memberThinking | memberSignature
	case "server_tool_use":
		return "server_tool_use", llm.ServerTool, memberJSON
	case "mcp_tool_use":
		return "mcp_tool_use", llm.ServerTool, memberJSON
	case "redacted_thinking":
		return "redacted_thinking", llm.Opaque, 0
	case "compaction":
		return "compaction", llm.Opaque, memberContent
	case "fallback":
		return "fallback", llm.Opaque, 0
	case "container_upload":
		return "container_upload", llm.Opaque, 0
	}
	name := string(kind)
	if isResult(name) {
		return name, llm.ToolResult, 0
	}
	return name, llm.Opaque, anyMember
}

// isResult reports whether a block of a type is a tool result.
func isResult(name string) bool {
	return name == "tool_result" || strings.HasSuffix(name, "_tool_result")
}

// The stop reasons that Sluice writes itself.
const (
	endTurn = "end_turn"
	toolUse = "tool_use"
)

// finishReason returns the meaning of a stop_reason.
func finishReason(word string) llm.FinishReason {
	switch word {
	case "":
		return llm.FinishNone
	case endTurn, "stop_sequence":
		return llm.FinishStop
	case toolUse:
		return llm.FinishToolCalls
	case "max_tokens", "model_context_window_exceeded":
		return llm.FinishLength
	case "refusal":
		return llm.FinishFiltered
	case "pause_turn", "compaction":
		// Both ask the client to send the message back to continue.
		return llm.FinishPaused
	}
	return llm.FinishOther
}

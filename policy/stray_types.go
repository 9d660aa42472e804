package policy

import "bytes"

// bodyOf is the member with the input of calls of a type, empty if the type is not
// known, or providers differ in it.
func bodyOf(kind []byte) string {
	switch string(kind) {
	case "function_call", "mcp_approval_request", "mcp_call", "tool_search_call":
		return "arguments"
	case "custom_tool_call", "tool_use", "server_tool_use", "mcp_tool_use":
		return "input"
	case "local_shell_call", "shell_call", "computer_call":
		return "action"
	case "apply_patch_call":
		return "operation"
	}
	return ""
}

// isHosted reports whether the provider runs calls of a type. Its name is not that of a
// tool, unlike those of MCP servers.
func isHosted(kind []byte) bool {
	switch string(kind) {
	case "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call":
		return true
	}
	return false
}

// isHostedBody reports whether a provider has the input of what it runs in a member:
// OpenAI has an action, xAI the name of its own tool with arguments or an input.
func isHostedBody(key []byte) bool {
	switch string(key) {
	case "action", "arguments", "input":
		return true
	}
	return false
}

// isResult reports whether a type is that of what came out of a call.
func isResult(kind []byte) bool {
	return bytes.HasSuffix(kind, []byte("_output")) || bytes.HasSuffix(kind, []byte("_result"))
}

// isTypedCall reports whether a type, at its place, is that of a call.
func (p *place) isTypedCall(kind []byte) bool {
	return namesCall(kind) && p.event == isResponsesEvent(kind)
}

// holdsBody reports whether a member of an event about a call holds the call's body. The
// event is named after it, and a piece is in another member: nothing else of it is read.
func holdsBody(event, member []byte) bool {
	_, after, _ := bytes.Cut(event, []byte("_call_"))
	return bytes.HasPrefix(after, member) && !bytes.HasSuffix(after, []byte(".delta"))
}

// isDetail reports whether an event repeats a part of a call that its item ends with:
// the decoder compares the two.
func isDetail(event []byte) bool {
	return bytes.HasPrefix(event, []byte("response.shell_call_command."))
}

func isResponsesEvent(kind []byte) bool { return bytes.HasPrefix(kind, []byte("response.")) }

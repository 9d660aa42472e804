package wire

// EventName returns the event name of a payload as a string. The names that the
// dialects use do not allocate.
func EventName(name []byte) string {
	switch string(name) {
	case "":
		return ""
	case "content_block_delta":
		return "content_block_delta"
	case "content_block_start":
		return "content_block_start"
	case "content_block_stop":
		return "content_block_stop"
	case "ping":
		return "ping"
	case "response.output_text.delta":
		return "response.output_text.delta"
	case "response.function_call_arguments.delta":
		return "response.function_call_arguments.delta"
	case "response.custom_tool_call_input.delta":
		return "response.custom_tool_call_input.delta"
	case "response.reasoning_summary_text.delta":
		return "response.reasoning_summary_text.delta"
	case "response.reasoning_text.delta":
		return "response.reasoning_text.delta"
	case "message_start":
		return "message_start"
	case "message_delta":
		return "message_delta"
	case "message_stop":
		return "message_stop"
	case "error":
		return "error"
	case "response.created":
		return "response.created"
	case "response.in_progress":
		return "response.in_progress"
	case "response.queued":
		return "response.queued"
	case "response.completed":
		return "response.completed"
	case "response.incomplete":
		return "response.incomplete"
	case "response.failed":
		return "response.failed"
	case "response.output_item.added":
		return "response.output_item.added"
	case "response.output_item.done":
		return "response.output_item.done"
	case "response.content_part.added":
		return "response.content_part.added"
	case "response.content_part.done":
		return "response.content_part.done"
	case "response.output_text.done":
		return "response.output_text.done"
	case "response.function_call_arguments.done":
		return "response.function_call_arguments.done"
	case "response.reasoning_summary_part.added":
		return "response.reasoning_summary_part.added"
	case "response.reasoning_summary_part.done":
		return "response.reasoning_summary_part.done"
	case "response.reasoning_summary_text.done":
		return "response.reasoning_summary_text.done"
	case "response.custom_tool_call_input.done":
		return "response.custom_tool_call_input.done"
	}
	return string(name)
}

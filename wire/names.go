package wire

// EventName returns the event name of a payload as a string. The names that
// answers are made of cost no allocation.
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
	}
	return string(name)
}

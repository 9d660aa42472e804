package openairesponses

import "strings"

// eventType is what a payload's type requires of the decoder and the writer. Types with
// the same handling share one value.
type eventType uint8

const (
	typeUnknown       eventType = iota
	typeCreated                 // the response begins
	typeSnapshot                // the response object again, not at its end
	typeTerminal                // the response object at its end
	typeError                   // the provider's error
	typeItemAdded               // an item begins
	typeItemDone                // an item in full
	typePartAdded               // a part of a message begins
	typePartDone                // a part of a message in full
	typeTextDelta               // output_text grows
	typeTextDone                // output_text in full
	typeRefusalDelta            // refusal grows
	typeRefusalDone             // refusal in full
	typeSummaryAdded            // a part of a reasoning summary begins
	typeSummaryDone             // a part of a reasoning summary in full
	typeThinkingDelta           // summary or raw reasoning grows
	typeThinkingDone            // summary or raw reasoning of one part in full
	typeArgsDelta               // arguments of a function or MCP call grow
	typeArgsDone                // arguments of a function or MCP call in full
	typeInputDelta              // free-form input of a custom call grows
	typeInputDone               // free-form input of a custom call in full
	typeProgress                // a hosted tool is at work
	typeDetail                  // a piece of an item that its done event repeats
)

// Event names, where a writer needs them.
const (
	nameCreated      = "response.created"
	nameInProgress   = "response.in_progress"
	nameQueued       = "response.queued"
	nameCompleted    = "response.completed"
	nameIncomplete   = "response.incomplete"
	nameFailed       = "response.failed"
	nameCancelled    = "response.cancelled"
	nameError        = "error"
	nameItemAdded    = "response.output_item.added"
	nameItemDone     = "response.output_item.done"
	namePartAdded    = "response.content_part.added"
	namePartDone     = "response.content_part.done"
	nameTextDelta    = "response.output_text.delta"
	nameTextDone     = "response.output_text.done"
	nameRefusalDelta = "response.refusal.delta"
	nameRefusalDone  = "response.refusal.done"
	nameSummaryAdded = "response.reasoning_summary_part.added"
	nameSummaryDone  = "response.reasoning_summary_part.done"
	nameSummaryDelta = "response.reasoning_summary_text.delta"
	nameSummaryText  = "response.reasoning_summary_text.done"
	nameThinkDelta   = "response.reasoning_text.delta"
	nameThinkDone    = "response.reasoning_text.done"
	nameArgsDelta    = "response.function_call_arguments.delta"
	nameArgsDone     = "response.function_call_arguments.done"
	nameMCPArgsDelta = "response.mcp_call_arguments.delta"
	nameMCPArgsDone  = "response.mcp_call_arguments.done"
	nameInputDelta   = "response.custom_tool_call_input.delta"
	nameInputDone    = "response.custom_tool_call_input.done"
	nameAnnotation   = "response.output_text.annotation.added"
)

// classify returns the event type of a payload, and its name without an allocation for
// known names. The name of an unknown type is empty.
func classify(name []byte) (eventType, string) {
	switch string(name) {
	case nameTextDelta:
		return typeTextDelta, nameTextDelta
	case nameArgsDelta:
		return typeArgsDelta, nameArgsDelta
	case nameInputDelta:
		return typeInputDelta, nameInputDelta
	case nameSummaryDelta:
		return typeThinkingDelta, nameSummaryDelta
	case nameThinkDelta:
		return typeThinkingDelta, nameThinkDelta
	case nameMCPArgsDelta:
		return typeArgsDelta, nameMCPArgsDelta
	case nameRefusalDelta:
		return typeRefusalDelta, nameRefusalDelta
	case nameCreated:
		return typeCreated, nameCreated
	case nameInProgress:
		return typeSnapshot, nameInProgress
	case nameQueued:
		return typeSnapshot, nameQueued
	case nameCompleted:
		return typeTerminal, nameCompleted
	case nameIncomplete:
		return typeTerminal, nameIncomplete
	case nameFailed:
		return typeTerminal, nameFailed
	case nameCancelled:
		return typeTerminal, nameCancelled
	case nameError:
		return typeError, nameError
	case nameItemAdded:
		return typeItemAdded, nameItemAdded
	case nameItemDone:
		return typeItemDone, nameItemDone
	case namePartAdded:
		return typePartAdded, namePartAdded
	case namePartDone:
		return typePartDone, namePartDone
	case nameTextDone:
		return typeTextDone, nameTextDone
	case nameRefusalDone:
		return typeRefusalDone, nameRefusalDone
	case nameSummaryAdded:
		return typeSummaryAdded, nameSummaryAdded
	case nameSummaryDone:
		return typeSummaryDone, nameSummaryDone
	case nameSummaryText:
		return typeThinkingDone, nameSummaryText
	case nameThinkDone:
		return typeThinkingDone, nameThinkDone
	case nameArgsDone:
		return typeArgsDone, nameArgsDone
	case nameMCPArgsDone:
		return typeArgsDone, nameMCPArgsDone
	case nameInputDone:
		return typeInputDone, nameInputDone
	}
	return classifyRare(name)
}

// classifyRare knows the events of hosted tools. Pure progress is a keepalive; a piece
// of the item is a detail, because the item's done event has it whole.
func classifyRare(name []byte) (eventType, string) {
	for i := range progressNames {
		if progressNames[i] == string(name) {
			return typeProgress, progressNames[i]
		}
	}
	for i := range detailNames {
		if detailNames[i] == string(name) {
			return typeDetail, detailNames[i]
		}
	}
	return typeUnknown, ""
}

var progressNames = [...]string{
	"response.web_search_call.in_progress",
	"response.web_search_call.searching",
	"response.web_search_call.completed",
	"response.file_search_call.in_progress",
	"response.file_search_call.searching",
	"response.file_search_call.completed",
	"response.code_interpreter_call.in_progress",
	"response.code_interpreter_call.interpreting",
	"response.code_interpreter_call.completed",
	"response.image_generation_call.in_progress",
	"response.image_generation_call.generating",
	"response.image_generation_call.completed",
	"response.mcp_call.in_progress",
	"response.mcp_call.completed",
	"response.mcp_call.failed",
	"response.mcp_list_tools.in_progress",
	"response.mcp_list_tools.completed",
	"response.mcp_list_tools.failed",
}

// detailOf is the type of the item that a detail of a client's call can belong to,
// empty for details of items that no client executes.
func detailOf(name string) string {
	switch {
	case strings.HasPrefix(name, "response.shell_call_command."):
		return itemShell
	case strings.HasPrefix(name, "response.apply_patch_call_operation_diff."):
		return itemApplyPatch
	}
	return ""
}

var detailNames = [...]string{
	nameAnnotation,
	"response.shell_call_command.added",
	"response.shell_call_command.delta",
	"response.shell_call_command.done",
	"response.shell_call_output_content.delta",
	"response.shell_call_output_content.done",
	"response.apply_patch_call_operation_diff.delta",
	"response.apply_patch_call_operation_diff.done",
	"response.code_interpreter_call_code.delta",
	"response.code_interpreter_call_code.done",
	"response.image_generation_call.partial_image",
	"response.audio.delta",
	"response.audio.done",
	"response.audio.transcript.delta",
	"response.audio.transcript.done",
}

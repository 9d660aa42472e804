package sluicetest

import (
	"fmt"
	"strings"
)

// The formats that the kit knows, named as their providers' endpoints are.
const (
	OpenAIChat      = "openai-chat"
	Anthropic       = "anthropic"
	OpenAIResponses = "openai-responses"
	Gemini          = "gemini"
)

// Formats lists the known formats. The slice is the caller's own.
func Formats() []string { return []string{OpenAIChat, Anthropic, OpenAIResponses, Gemini} }

// Options loosens or tightens the rules. The zero value asks for what Sluice
// promises of the streams it writes, and accepts what the official providers
// send.
type Options struct {
	// AllowMissingRole tolerates Chat streams whose choices never say
	// "assistant".
	AllowMissingRole bool
	// AllowMissingDone tolerates Chat streams that stop after every choice has
	// finished, without [DONE].
	AllowMissingDone bool
	// ForbidStopWithCalls refuses a natural end (stop, end_turn) of an answer
	// that has client tool calls. Some upstreams say so, and then it passes.
	ForbidStopWithCalls bool
	// ForbidTextAfterCalls refuses Anthropic text blocks that follow a
	// tool_use block: legal to receive, but refused when replayed.
	ForbidTextAfterCalls bool
	// RequireJSONArguments refuses a tool finish with a call whose arguments
	// are not JSON. Without it they are a warning in the report, because a
	// model may write them and a gateway must not repair them.
	RequireJSONArguments bool
	// RequireOutput refuses a response.completed whose output is empty although
	// items were sent. Some servers trim it, so it passes by default.
	RequireOutput bool
}

// Report says what a strict client understood from an answer.
type Report struct {
	// Ended: the answer ended normally.
	Ended bool
	// Failed: the answer ended with an error of its dialect. Never true together with
	// Ended.
	Failed bool
	// Calls are the calls that the client is to execute, in order of their
	// first appearance.
	Calls []Call
	// Texts are the texts meant for the reader: one for each run (Chat,
	// Gemini), block (Anthropic) or part (Responses), refusals included.
	Texts []string
	// Thinking are the texts of the model's reasoning, split like Texts.
	Thinking []string
	// Finish is the provider's finish reason of the first choice: a finish_reason,
	// stop_reason, response status or finishReason.
	Finish string
	// Finishes has the finish reason of every choice that finished, by its number.
	Finishes map[int]string
	// Warnings are deviations that a client tolerates.
	Warnings []string
}

// Call is a tool call as the client would execute it.
type Call struct {
	Choice int
	// ID is what the client's tool result would refer to.
	ID   string
	Name string
	// Type is the provider's word: function, tool_use, custom_tool_call.
	Type string
	// Arguments is the text of the arguments, input or action, never repaired.
	Arguments string
}

// Violation says which payload of a stream, or what in a history, breaks which rule.
type Violation struct { //nolint:errname // a test reads "a violation", not "a violation error"
	Format string
	// Payload is the number of the payload, counted from 0 without comments; -1 for the
	// whole stream or a history.
	Payload int
	// Rule is a short stable name: tool-index, block-open, finish-once.
	Rule string
	// Reason describes the problem for people.
	Reason string
	// Data is the invalid payload, nil if there is none.
	Data []byte
}

// excerpt is how much of a payload an error message shows.
const excerpt = 200

// Error names the payload, the rule and what is wrong, and shows the beginning
// of the payload.
func (v *Violation) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: ", v.Format)
	if v.Payload >= 0 {
		fmt.Fprintf(&text, "payload %d: ", v.Payload)
	}
	fmt.Fprintf(&text, "%s: %s", v.Rule, v.Reason)
	if len(v.Data) > excerpt {
		fmt.Fprintf(&text, " in %q...", v.Data[:excerpt])
	} else if len(v.Data) > 0 {
		fmt.Fprintf(&text, " in %q", v.Data)
	}
	return text.String()
}

var _ error = (*Violation)(nil)

package agent

import (
	"github.com/sluice-project/sluice/llm"
)

// EventType is the type of an event in a run.
type EventType uint8

// The types of events.
const (
	// EventText is a piece of the answer: Text. So is each complete result of
	// tools that return directly to the caller.
	EventText EventType = iota + 1
	// EventThinking is a piece of the model's reasoning: Text.
	EventThinking
	// EventRefusal is a piece of the model's statement that it will not answer.
	EventRefusal
	// EventToolStart begins a call: ID and Name. Either can still be empty if a
	// provider sends them late. Call has the provider's type, if it has one.
	EventToolStart
	// EventToolDelta is a piece of a call's arguments: Text.
	EventToolDelta
	// EventToolEnd is a complete call: Call. It has not been run yet, and may
	// never be.
	EventToolEnd
	// EventToolResult is the result of a call: Call and Result. Text is
	// everything the tool returned, while a result that is too long for the
	// model is cut.
	EventToolResult
	// EventAsk is a question that a person must answer before the run goes on:
	// Ask.
	EventAsk
	// EventRoundEnd ends the model's answer in one round: Answer, with its
	// cost.
	EventRoundEnd
	// EventFinal is the last event of a run that did not fail: Result.
	EventFinal
)

var eventNames = [...]string{
	EventText: "text", EventThinking: "thinking", EventRefusal: "refusal",
	EventToolStart: "tool_start", EventToolDelta: "tool_delta", EventToolEnd: "tool_end", EventToolResult: "tool_result",
	EventAsk: "ask", EventRoundEnd: "round_end", EventFinal: "final",
}

// String returns the type's name.
func (t EventType) String() string {
	if int(t) < len(eventNames) && eventNames[t] != "" {
		return eventNames[t]
	}
	return "unknown"
}

// Outcome says what happened to a call.
type Outcome uint8

const (
	// Ran: the tool was run. Whether it failed is in the result.
	Ran Outcome = iota + 1
	// Denied: an advisor, such as a policy, denied it.
	Denied
	// Refused: a person said no.
	Refused
	// Invalid: there is no such tool, or its arguments are wrong.
	Invalid
	// OverLimit: one of the Limits was reached.
	OverLimit
	// NotRun: the run ended first, or the answer was incomplete.
	NotRun
)

var outcomeNames = [...]string{Ran: "ran", Denied: "denied", Refused: "refused", Invalid: "invalid", OverLimit: "over_limit", NotRun: "not_run"}

// String returns the outcome's name.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return "unknown"
}

// Event is one event in a run. Which fields are set depends on its Type. It owns
// its data: keep it as long as you like. What its pointers refer to is shared
// with the run, and only advisors may change it.
type Event struct {
	Type EventType
	// Round counts the answers of the model from 1.
	Round int
	// Block is the index of the block in its answer; -1 if the event belongs to
	// no block.
	Block int
	// ID is the call's id, Name its tool.
	ID, Name string
	// Text is what was added.
	Text string
	// Outcome is the outcome of the call, for an EventToolResult.
	Outcome Outcome

	Call   *llm.Block
	Result *llm.Block
	Answer *Answer
	Ask    *Ask
	Final  *Result
}

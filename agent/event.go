package agent

import (
	"github.com/sluice-project/sluice/llm"
)

// EventType says what happened in a run.
type EventType uint8

// The types of events.
const (
	// EventText is a piece of the answer: Text. So is each result of tools that
	// return directly to the caller, whole.
	EventText EventType = iota + 1
	// EventThinking is a piece of the model's reasoning: Text.
	EventThinking
	// EventRefusal is a piece of the model's statement that it will not answer.
	EventRefusal
	// EventToolStart begins a call: ID and Name. Either can still be empty where
	// a provider tells them late. Call has the provider's type, if it has one.
	EventToolStart
	// EventToolDelta is a piece of a call's arguments: Text.
	EventToolDelta
	// EventToolEnd is a whole call: Call. Nobody has run it yet, and it is not
	// certain that somebody will.
	EventToolEnd
	// EventToolResult is what came of a call: Call and Result. Text is all that
	// the tool returned, which is not what the model is told if it is too much.
	EventToolResult
	// EventAsk is a question that a person must answer before the run goes on:
	// Ask.
	EventAsk
	// EventRoundEnd ends what the model said in one round: Answer, with what it
	// cost.
	EventRoundEnd
	// EventFinal is the last event of a run that came to its end: Result.
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

// Outcome is what became of a call.
type Outcome uint8

const (
	// Ran: the tool was run. Whether it failed is in the result.
	Ran Outcome = iota + 1
	// Denied: an advisor, such as a policy, decided against it.
	Denied
	// Refused: a person said no.
	Refused
	// Invalid: there is no such tool, or its arguments are wrong.
	Invalid
	// OverLimit: one of the Limits was reached.
	OverLimit
	// NotRun: the run ended before, or the answer was not whole.
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

// Event is one thing that happened in a run. Which fields are set depends on its
// Type. It owns its data: keep it as long as you like. What its pointers lead to
// is shared with the run, and only advisors may change it.
type Event struct {
	Type EventType
	// Round counts the answers of the model from 1.
	Round int
	// Block is the number of the block in its answer, from 0; -1 for what is no
	// block of an answer.
	Block int
	// ID is the call's id, Name its tool.
	ID, Name string
	// Text is what was added.
	Text string
	// Outcome is what became of the call, for an EventToolResult.
	Outcome Outcome

	Call   *llm.Block
	Result *llm.Block
	Answer *Answer
	Ask    *Ask
	Final  *Result
}

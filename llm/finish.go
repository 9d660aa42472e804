package llm

import "fmt"

// FinishReason is the meaning of a provider's finish reason.
type FinishReason uint8

const (
	// FinishNone: the answer has not finished, or ended without a reason.
	FinishNone FinishReason = iota
	// FinishStop: the model stopped by itself or at a stop sequence.
	FinishStop
	// FinishToolCalls: the model waits for the results of its calls.
	FinishToolCalls
	// FinishLength: a token or context limit truncated the answer.
	FinishLength
	// FinishFiltered: the answer was refused or filtered.
	FinishFiltered
	// FinishPaused: the provider paused a server-side loop; the client sends the answer
	// back to continue.
	FinishPaused
	// FinishBadCall: the provider dropped a malformed call.
	FinishBadCall
	// FinishFailed: the provider failed.
	FinishFailed
	// FinishOther: a reason that Sluice does not know.
	FinishOther
)

var finishNames = [...]string{
	"none", "stop", "tool_calls", "length", "filtered", "paused", "bad_call", "failed", "other",
}

// String returns the name of the reason.
func (f FinishReason) String() string {
	if int(f) < len(finishNames) {
		return finishNames[f]
	}
	return fmt.Sprintf("finish(%d)", uint8(f))
}

// Truncates reports whether an answer that ended this way may have a truncated last
// block: such a call is only whole if its JSON is.
func (f FinishReason) Truncates() bool {
	return f == FinishLength || f == FinishFiltered || f == FinishFailed
}

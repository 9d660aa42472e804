package llm

import "fmt"

// FinishReason is what a provider's word for the end of an answer means.
type FinishReason uint8

const (
	// FinishNone: the answer has not finished, or never said why.
	FinishNone FinishReason = iota
	// FinishStop: the model came to its natural end or to a stop string.
	FinishStop
	// FinishToolCalls: the model waits for the results of its calls.
	FinishToolCalls
	// FinishLength: a token or context limit cut the answer.
	FinishLength
	// FinishFiltered: the answer was refused or filtered.
	FinishFiltered
	// FinishPaused: the provider paused a server-side loop; the client sends
	// the answer back to go on.
	FinishPaused
	// FinishBadCall: the provider dropped a call that the model wrote wrongly.
	FinishBadCall
	// FinishFailed: the provider gave up.
	FinishFailed
	// FinishOther: a word whose meaning is not known.
	FinishOther
)

var finishNames = [...]string{
	"none", "stop", "tool_calls", "length", "filtered", "paused", "bad_call", "failed", "other",
}

// String returns the meaning's name.
func (f FinishReason) String() string {
	if int(f) < len(finishNames) {
		return finishNames[f]
	}
	return fmt.Sprintf("finish(%d)", uint8(f))
}

// Truncates reports whether an answer that ended so may have cut its last
// block: such a call must not be trusted to be whole unless its JSON is.
func (f FinishReason) Truncates() bool {
	return f == FinishLength || f == FinishFiltered || f == FinishFailed
}

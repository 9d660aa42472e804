package agent

import (
	"encoding/json"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// State is an interrupted run: all that another process needs to continue it.
// Its JSON form is stable. Whoever can change it can have calls run that no
// model asked for, so store it where nobody else can write, or use Sign.
type State struct {
	Conversation string
	Created      time.Time
	// Round is the round that was interrupted.
	Round int
	// Question are the messages that were asked; Messages what the run has added
	// so far, the answer with the interrupted calls last. Kept is how many of
	// both are stored in the memories.
	Question, Messages []llm.Message
	Kept               int
	// Version is that of the conversation in the memory.
	Version int64
	// Instructions are what the model was asked in the round, if
	// LoopConfig.NextInstructions made that differ from the conversation.
	Instructions []llm.Message
	// Done are the results of calls of the last answer that have run.
	Done []llm.Block
	// Pending are its calls that wait for a person.
	Pending []Pending
	// Waiting are the ids of its calls that were not started.
	Waiting []string
	Rounds  []Round
	// Counts are the calls so far, for the limits.
	Counts map[string]int

	// Model, System, MaxTokens and Temperature are those of the request.
	Model       string
	System      string
	MaxTokens   int
	Temperature *float64
	Extra       map[string]json.RawMessage
}

// Pending is a call that waits for a person.
type Pending struct {
	// ID is the id of the call in the last answer, Name its tool.
	ID, Name  string
	Arguments string
	// Question is what the person is asked, in JSON.
	Question json.RawMessage
	// Held is true if a policy asks whether the call may be run at all, so that
	// the answer is an Approval; otherwise the tool asks, and gets the answer.
	Held bool
}

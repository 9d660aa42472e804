package agent

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// Answer is what the model said in one round, put together once. Advisors may
// change it while its EventRoundEnd passes them; what they make of it is what the
// tool loop runs and what is remembered. What has been streamed by then cannot be
// changed any more.
type Answer struct {
	// Round counts the answers from 1.
	Round int
	// ID and Model are the provider's.
	ID, Model string
	Blocks    []llm.Block
	// Finish is why the model stopped; Word is the provider's own for it.
	Finish llm.FinishReason
	Word   string
	Usage  llm.Usage

	denied map[int]string
	held   map[int]*Ask
	// before is how many blocks came in an earlier answer, which was paused.
	before int
}

// continues puts the blocks of an answer that was paused before those of the one
// that went on with it.
func (a *Answer) continues(paused []llm.Block) {
	n := len(paused)
	if n == 0 {
		return
	}
	a.Blocks = slices.Concat(paused, a.Blocks)
	a.before = n
	a.denied = shifted(a.denied, n)
	a.held = shifted(a.held, n)
}

func shifted[V any](m map[int]V, n int) map[int]V {
	if len(m) == 0 {
		return nil
	}
	moved := make(map[int]V, len(m))
	for at, v := range m {
		moved[at+n] = v
	}
	return moved
}

// Calls returns the positions of the tool calls in Blocks.
func (a *Answer) Calls() []int {
	var calls []int
	for i := range a.Blocks {
		if a.Blocks[i].Kind == llm.ToolCall {
			calls = append(calls, i)
		}
	}
	return calls
}

// HasCalls reports whether the model called a tool.
func (a *Answer) HasCalls() bool {
	return slices.ContainsFunc(a.Blocks, func(b llm.Block) bool { return b.Kind == llm.ToolCall })
}

// Text returns the text of the answer, without thinking.
func (a *Answer) Text() string { return textOf(a.Blocks) }

// Deny decides that the call at a position of Blocks is not run: the model is
// told reason as its failed result.
func (a *Answer) Deny(at int, reason string) {
	if a.denied == nil {
		a.denied = make(map[int]string)
	}
	a.denied[at] = reason
}

// Denied returns the reason for which the call at a position is not run.
func (a *Answer) Denied(at int) (reason string, denied bool) {
	reason, denied = a.denied[at]
	return reason, denied
}

// Held returns the question that the call at a position waits for, nil if it does not.
func (a *Answer) Held(at int) *Ask { return a.held[at] }

// Hold decides that the call at a position of Blocks waits for a person: the run
// is interrupted, and goes on when it is resumed with an answer.
func (a *Answer) Hold(at int, ask *Ask) {
	if a.held == nil {
		a.held = make(map[int]*Ask)
	}
	a.held[at] = ask
}

// usable reports whether the calls of the answer may be run at all: the model
// came to its end and wrote them whole.
func (a *Answer) usable() bool {
	switch a.Finish {
	case llm.FinishStop, llm.FinishToolCalls:
		return true
	default:
		return false
	}
}

// textOf joins the text that a reader is meant to see.
func textOf(blocks []llm.Block) string {
	var text strings.Builder
	for i := range blocks {
		if b := &blocks[i]; b.Kind == llm.Content {
			text.WriteString(b.Text)
		}
	}
	return text.String()
}

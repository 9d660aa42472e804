package agent

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// Answer is what the model said in one round. Advisors may change it while its
// EventRoundEnd passes them; the result is what the tool loop runs and the memory
// stores. What has been streamed by then can no longer be changed.
type Answer struct {
	// Round counts the answers from 1.
	Round int
	// ID and Model are the provider's.
	ID, Model string
	Blocks    []llm.Block
	// Finish is why the model stopped; Word is the provider's own term for it.
	Finish llm.FinishReason
	Word   string
	Usage  llm.Usage
	// Withheld is what an advisor put in place of something the model said that must
	// not be shown, such as a policy's notice; empty if there is nothing.
	Withheld string
	// Live: its text and thinking were shown as they arrived (FinalLive, All).
	// Changing it then changes what is stored and returned, not what was shown.
	Live bool

	rulings []ruling
	// came are the blocks as they arrived, if their provider refers to blocks by
	// ids that are valid for all of them together.
	came []llm.Block
}

// ruling is an advisor's decision about a call: that it is not run and why, or what
// it waits for.
type ruling struct {
	at     int
	call   llm.Block
	why    Outcome
	reason string
	ask    *Ask
}

// isAbout reports whether the ruling applies to a call. It follows the call if blocks
// are moved, and stays at its position if the call was changed.
func (r *ruling) isAbout(a *Answer, at int) bool {
	if sameCall(&r.call, &a.Blocks[at]) {
		return true
	}
	return r.at == at && !slices.ContainsFunc(a.Blocks, func(b llm.Block) bool { return sameCall(&r.call, &b) })
}

func sameCall(a, b *llm.Block) bool {
	return a.Kind == b.Kind && a.ID == b.ID && a.Name == b.Name && a.Arguments == b.Arguments
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

// Refusal returns what the model said instead of an answer, empty if it did not
// refuse. A provider that filters an answer says nothing: see Result.Reason.
func (a *Answer) Refusal() string {
	var text strings.Builder
	for i := range a.Blocks {
		if b := &a.Blocks[i]; b.Kind == llm.Refusal {
			text.WriteString(b.Text)
		}
	}
	return strings.TrimSpace(text.String())
}

// refused reports whether the provider filtered the answer or the model refused,
// whatever else the answer contains and whatever its finish reason is.
func (a *Answer) refused() bool {
	if a.Finish == llm.FinishFiltered {
		return true
	}
	return slices.ContainsFunc(a.Blocks, func(b llm.Block) bool {
		return b.Kind == llm.Refusal && strings.TrimSpace(b.Text) != ""
	})
}

// Deny decides that the call at a position of Blocks is not run: the model gets
// reason as its failed result.
func (a *Answer) Deny(at int, reason string) { a.rule(ruling{at: at, why: Denied, reason: reason}) }

// Refuse is Deny where a person said no.
func (a *Answer) Refuse(at int, reason string) {
	a.rule(ruling{at: at, why: Refused, reason: reason})
}

// Hold decides that the call at a position of Blocks waits for a person: the run
// is interrupted, and continues when it is resumed with an answer. A call that
// was denied does not wait.
func (a *Answer) Hold(at int, ask *Ask) { a.rule(ruling{at: at, ask: ask}) }

func (a *Answer) rule(r ruling) {
	if r.at < 0 || r.at >= len(a.Blocks) {
		return
	}
	r.call = a.Blocks[r.at]
	a.rulings = append(a.rulings, r)
}

// Denied returns the reason why the call at a position is not run.
func (a *Answer) Denied(at int) (reason string, denied bool) {
	if r := a.denial(at); r != nil {
		return r.reason, true
	}
	return "", false
}

// Held returns the question that the call at a position waits for, nil if it does not.
func (a *Answer) Held(at int) *Ask {
	for i := range a.rulings {
		if r := &a.rulings[i]; r.ask != nil && r.isAbout(a, at) && a.denial(at) == nil {
			return r.ask
		}
	}
	return nil
}

func (a *Answer) denial(at int) *ruling {
	for i := range a.rulings {
		if r := &a.rulings[i]; r.ask == nil && r.isAbout(a, at) {
			return r
		}
	}
	return nil
}

// usable reports whether the calls of the answer may be run at all: the model
// finished, the calls are complete and it did not refuse.
func (a *Answer) usable() bool {
	if a.refused() {
		return false
	}
	switch a.Finish {
	case llm.FinishStop, llm.FinishToolCalls:
		return true
	default:
		return false
	}
}

// textOf joins the text that a reader is meant to see.
func textOf(blocks []llm.Block) string { return (&llm.Choice{Blocks: blocks}).Text() }

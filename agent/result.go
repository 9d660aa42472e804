package agent

import (
	"fmt"
	"math"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// Reason says why a run ended.
type Reason string

// The reasons.
const (
	// Done: the model answered.
	Done Reason = "done"
	// ReturnedDirectly: all tools of the last round return directly.
	ReturnedDirectly Reason = "return_direct"
	// CallsLeft: the model called tools that the loop was told not to run.
	CallsLeft Reason = "calls_left"
	// Truncated: the answer was cut off by a limit of the provider. Its calls
	// were not run.
	Truncated Reason = "truncated"
	// Filtered: the provider or the model refused, whatever else was said. Calls
	// were not run. See Answer.Refusal.
	Filtered Reason = "filtered"
	// Unfinished: the provider stopped for a reason other than the natural end.
	// Calls were not run.
	Unfinished Reason = "unfinished"
	// Interrupted: a person must answer. See Result.State.
	Interrupted Reason = "interrupted"
	// LimitRounds, LimitCalls, LimitToolCalls, LimitIdentical and LimitTokens:
	// one of the Limits was reached. See Result.Limit.
	LimitRounds    Reason = "limit_rounds"
	LimitCalls     Reason = "limit_calls"
	LimitToolCalls Reason = "limit_tool_calls"
	LimitIdentical Reason = "limit_identical"
	LimitTokens    Reason = "limit_tokens"
	// Cancelled: the caller cancelled, or left the loop over the events.
	Cancelled Reason = "cancelled"
	// Failed: an error ended the run.
	Failed Reason = "failed"
)

// Result is the result of a run, even if it failed or its consumer left.
type Result struct {
	Reason Reason
	// Answer is the model's last answer, complete or not; nil if there was none.
	Answer *Answer
	// Messages are what the run added after the question: answers and results,
	// in an order that every provider accepts.
	Messages []llm.Message
	// Kept is how many of the question's messages and of Messages, in this
	// order, the memories of the run have stored.
	Kept int
	// NotKept is why the memories have not stored what the run did, nil if they
	// have. It is also the run's error, unless the run had ended already.
	NotKept error
	// Direct are the results of tools that return directly.
	Direct []llm.Block
	// Rounds are the answers of the model, in order; Usage is their sum.
	Rounds []Round
	Usage  llm.Usage
	// Limit is the limit that was reached, nil if none was.
	Limit *LimitReached
	// State is what an interrupted run continues from, nil if it was not
	// interrupted.
	State *State
}

// Text returns the answer's text, or what tools returned directly, one below the
// other.
func (r *Result) Text() string {
	if r == nil {
		return ""
	}
	if len(r.Direct) > 0 {
		texts := make([]string, len(r.Direct))
		for i := range r.Direct {
			texts[i] = r.Direct[i].Text
		}
		return strings.Join(texts, "\n")
	}
	if r.Answer == nil {
		return ""
	}
	return r.Answer.Text()
}

// Round is the cost of one answer of the model.
type Round struct {
	Usage llm.Usage
	// Calls is how many tools the model called in it, Ran how many of them ran.
	Calls, Ran int
	Finish     llm.FinishReason
}

// LimitReached is a limit that ended a run.
type LimitReached struct {
	Reason Reason
	// Tool is the tool that was called too often, if the limit is for one tool.
	Tool string
	Max  int64
}

// String says which limit it is.
func (l *LimitReached) String() string {
	switch l.Reason {
	case LimitRounds:
		return fmt.Sprintf("the limit of %d rounds is reached", l.Max)
	case LimitToolCalls:
		return fmt.Sprintf("the limit of %d calls of %s is reached", l.Max, l.Tool)
	case LimitIdentical:
		return fmt.Sprintf("%s was called with the same arguments %d times", l.Tool, l.Max)
	case LimitTokens:
		return fmt.Sprintf("the limit of %d tokens is reached", l.Max)
	default:
		return fmt.Sprintf("the limit of %d calls is reached", l.Max)
	}
}

// addUsage adds the cost of a round to a sum. The provider's own object is
// meaningful for a single answer only.
func addUsage(sum *llm.Usage, u llm.Usage) {
	sum.Input = plus(sum.Input, u.Input)
	sum.Output = plus(sum.Output, u.Output)
	sum.CacheRead = plus(sum.CacheRead, u.CacheRead)
	sum.CacheWrite = plus(sum.CacheWrite, u.CacheWrite)
	sum.Reasoning = plus(sum.Reasoning, u.Reasoning)
}

// plus adds counts of a provider, which may be arbitrary.
func plus(a, b int64) int64 {
	a, b = max(a, 0), max(b, 0)
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

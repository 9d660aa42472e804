package scripted

import (
	"fmt"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// Round is what the model answers to one request.
type Round []Step

// Step is a part of a round. Make one with the functions of this package; the
// zero Step does nothing.
type Step struct {
	kind   stepKind
	block  llm.Block
	match  func(*llm.Request) bool
	usage  llm.Usage
	reason llm.FinishReason
	word   string
	pause  time.Duration
	err    error
}

type stepKind uint8

const (
	stepNothing stepKind = iota
	stepBlock
	stepWhen
	stepUsage
	stepFinish
	stepPause
	stepFail
	stepCut
	stepGarbage
)

// Text sends text.
func Text(text string) Step {
	return Step{kind: stepBlock, block: llm.Block{Kind: llm.Content, Text: text}}
}

// Thinking sends reasoning.
func Thinking(text string) Step { return SignedThinking(text, "") }

// SignedThinking sends signed reasoning, as providers do whose thinking must be sent
// back.
func SignedThinking(text, signature string) Step {
	return Step{kind: stepBlock, block: llm.Block{Kind: llm.Thinking, Text: text, Signature: signature}}
}

// Refusal sends a refusal.
func Refusal(text string) Step {
	return Step{kind: stepBlock, block: llm.Block{Kind: llm.Refusal, Text: text}}
}

// Call calls a tool with arguments, which are usually a JSON object but are sent
// unchanged. Its id is made of the numbers of the answer and of the call in it:
// call_1_1.
func Call(name, arguments string) Step { return CallID("", name, arguments) }

// CallID is Call with an id of your own.
func CallID(id, name, arguments string) Step {
	return Step{kind: stepBlock, block: llm.Block{Kind: llm.ToolCall, ID: id, Name: name, Arguments: arguments}}
}

// When restricts the round to requests that match. match is called without a lock held
// and must not change the request. It may be anywhere in the round; several of them
// must all match.
func When(match func(*llm.Request) bool) Step { return Step{kind: stepWhen, match: match} }

// Usage sets the token usage of the answer.
func Usage(input, output int64) Step {
	return Step{kind: stepUsage, usage: llm.Usage{Input: input, Output: output}}
}

// Finish ends the round with a reason: llm.FinishLength for an answer that was too
// long. Later steps of the round are not played.
func Finish(reason llm.FinishReason) Step {
	return Step{kind: stepFinish, reason: reason, word: chatWord(reason)}
}

// chatWord is the finish reason in the vocabulary that most models use.
func chatWord(reason llm.FinishReason) string {
	switch reason {
	case llm.FinishStop, llm.FinishPaused:
		return "stop"
	case llm.FinishToolCalls:
		return "tool_calls"
	case llm.FinishLength:
		return "length"
	case llm.FinishFiltered:
		return "content_filter"
	case llm.FinishNone, llm.FinishBadCall, llm.FinishFailed, llm.FinishOther:
	}
	return reason.String()
}

// Pause lets time pass before the next step.
func Pause(d time.Duration) Step { return Step{kind: stepPause, pause: d} }

// Fail ends the round with an error. A *stream.ProviderError is reported inside the
// answer, as a provider would; any other error ends the sequence.
func Fail(err error) Step { return Step{kind: stepFail, err: err} }

// Cut truncates the answer in the middle of the block before it: the second half of
// that, and its end, never arrive. With a Pause in between the answer stalls first.
func Cut() Step { return Step{kind: stepCut} }

// Garbage sends something that no decoder can read.
func Garbage() Step { return Step{kind: stepGarbage} }

// ExhaustedError is a request for which the script has no round left.
type ExhaustedError struct {
	// Asked counts the requests, including this one; Rounds are those of the script.
	Asked, Rounds int
}

// Error says how many rounds the script has.
func (e *ExhaustedError) Error() string {
	return fmt.Sprintf("scripted: no round for request %d: the script has %d; add a Round, or one with When", e.Asked, e.Rounds)
}

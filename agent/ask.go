package agent

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/sluice-project/sluice/llm"
)

// Ask is a question to a person about a call. In a loop over events it is answered
// with Approve or Deny, in the loop or from any goroutine; the run waits until
// somebody does, or its time is over.
type Ask struct {
	// Call is what the model wants to do.
	Call llm.Block
	// Policy is who asks, Reason why.
	Policy, Reason string

	once   sync.Once
	answer Approval
	done   chan struct{}
}

// Approval is a person's answer.
type Approval struct {
	Approved bool `json:"approved"`
	// By is who answered. Comment is told to the model if it is no.
	By      string `json:"by,omitempty"`
	Comment string `json:"comment,omitempty"`
}

// NewAsk returns a question that nobody has answered.
func NewAsk(call llm.Block, policy, reason string) *Ask {
	return &Ask{Call: call, Policy: policy, Reason: reason, done: make(chan struct{})}
}

// Approve lets the call be run. Only the first answer counts.
func (a *Ask) Approve(by string) { a.decide(Approval{Approved: true, By: by}) }

// Deny keeps the call from being run. Only the first answer counts.
func (a *Ask) Deny(by, comment string) { a.decide(Approval{By: by, Comment: comment}) }

func (a *Ask) decide(answer Approval) {
	a.once.Do(func() {
		a.answer = answer
		close(a.done)
	})
}

// Wait returns the answer. It returns when there is one or ctx is done.
func (a *Ask) Wait(ctx context.Context) (Approval, error) {
	select {
	case <-a.done:
		return a.answer, nil
	default:
	}
	select {
	case <-a.done:
		return a.answer, nil
	case <-ctx.Done():
		return Approval{}, context.Cause(ctx)
	}
}

// ErrNotAnswered is the resumption of a run without an answer to its question.
var ErrNotAnswered = errors.New("agent: the interrupted call has no answer")

// question is what a person is asked about a held call, as it stands in a State.
func (a *Ask) question() json.RawMessage {
	raw, err := json.Marshal(struct {
		Policy string `json:"policy"`
		Reason string `json:"reason,omitempty"`
	}{a.Policy, a.Reason})
	if err != nil {
		return nil // two strings have a form in JSON
	}
	return raw
}

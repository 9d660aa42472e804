package agent

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/sluice-project/sluice/llm"
)

// Ask is a question to a person about a call. A loop over events answers it with
// Approve or Deny, in the loop or from any goroutine; the run waits for the answer
// or until the time is up.
type Ask struct {
	// Call is what the model wants to do.
	Call llm.Block
	// Policy is the policy that asks, Reason why.
	Policy, Reason string

	once   sync.Once
	answer Approval
	late   error // why there is no answer
	done   chan struct{}
}

// Approval is a person's answer.
type Approval struct {
	Approved bool `json:"approved"`
	// By is who answered. The model is told the Comment of a denial.
	By      string `json:"by,omitempty"`
	Comment string `json:"comment,omitempty"`
}

// NewAsk returns an open question.
func NewAsk(call llm.Block, policy, reason string) *Ask {
	return &Ask{Call: call, Policy: policy, Reason: reason, done: make(chan struct{})}
}

// Approve lets the call be run. It reports whether that counted: only the first
// answer does, and only if it is in time.
func (a *Ask) Approve(by string) bool { return a.decide(Approval{Approved: true, By: by}, nil) }

// Deny keeps the call from being run. It reports whether that counted.
func (a *Ask) Deny(by, comment string) bool {
	return a.decide(Approval{By: by, Comment: comment}, nil)
}

// Done is closed when the question is closed: somebody answered, or nobody did
// in time.
func (a *Ask) Done() <-chan struct{} { return a.done }

func (a *Ask) decide(answer Approval, late error) (counted bool) {
	a.once.Do(func() {
		a.answer, a.late, counted = answer, late, true
		close(a.done)
	})
	return counted
}

// Wait returns the answer. It returns when there is one or ctx is done, which
// closes the question.
func (a *Ask) Wait(ctx context.Context) (Approval, error) {
	select {
	case <-a.done:
	case <-ctx.Done():
		a.decide(Approval{}, context.Cause(ctx))
		<-a.done
	}
	return a.answer, a.late
}

// ErrNotAnswered is returned when a run is resumed without an answer to its
// question.
var ErrNotAnswered = errors.New("agent: the interrupted call has no answer")

// question is what a person is asked about a held call, as stored in a State.
func (a *Ask) question() json.RawMessage {
	raw, err := json.Marshal(struct {
		Policy string `json:"policy"`
		Reason string `json:"reason,omitempty"`
	}{a.Policy, a.Reason})
	if err != nil {
		return nil // two strings can always be marshalled
	}
	return raw
}

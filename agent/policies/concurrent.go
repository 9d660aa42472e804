package policies

import (
	"context"
	"sync"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// questionsAtOnce is how many asynchronous policies are asked concurrently.
const questionsAtOnce = 64

// concurrent is what runs concurrently with the range: the questions to asynchronous
// policies and to people. Nothing of it outlives the range.
type concurrent struct {
	ctx    context.Context //nolint:containedctx // it lives as long as the range
	cancel context.CancelFunc
	// answers are those to questions; asks are questions to people that must be
	// reported.
	answers chan policy.Answer
	asks    chan asking
	slots   chan struct{}
	running sync.WaitGroup
}

// asking is a question to a person about the block at a position of the engine.
type asking struct {
	ask       *agent.Ask
	position  int
	ofRequest bool
}

// open sets up what questions need, when there is one.
func (b *concurrent) open(ctx context.Context) {
	if b.answers == nil {
		b.ctx, b.cancel = context.WithCancel(ctx)
		b.answers, b.asks = make(chan policy.Answer), make(chan asking)
		b.slots = make(chan struct{}, questionsAtOnce)
	}
}

// ask starts answering questions, each in a goroutine of its own, and returns how
// many of them are for people.
func (b *concurrent) ask(ctx context.Context, questions []*policy.Question) (people int) {
	if len(questions) > 0 {
		b.open(ctx)
	}
	for _, q := range questions {
		if q.Person() {
			people++
		}
		b.running.Go(func() { b.answer(q) })
	}
	return people
}

func (b *concurrent) answer(q *policy.Question) {
	if !q.Person() { // waiting for people takes no resources
		select {
		case b.slots <- struct{}{}:
			defer func() { <-b.slots }()
		case <-b.ctx.Done():
			return
		}
	}
	a := q.Ask(b.ctx)
	select {
	case b.answers <- a:
	case <-b.ctx.Done():
	}
}

// end waits until nothing runs concurrently any more.
func (b *concurrent) end() {
	if b.cancel != nil {
		b.cancel()
		b.running.Wait()
	}
}

// person is a policy.Approver that lets the agent ask.
type person struct {
	concurrent *concurrent
	how        Asking
	loops      bool
}

// Approve reports the question to the range. If people are asked with events it
// waits for an answer. An interrupted call is let pass here, and the tool loop
// keeps it from being run.
func (p *person) Approve(ctx context.Context, a policy.Approval) (policy.Decision, error) {
	s := a.Subject
	q := asking{agent.NewAsk(s.Block, a.Policy, a.Reason), s.Position, s.Stage == policy.StageRequest}
	if p.how == Interrupts && q.ofRequest {
		return policy.Decision{}, policy.ErrNobodyToAsk
	}
	// Whoever asked waits for the report, even when the time is up.
	select {
	case p.concurrent.asks <- q:
	case <-p.concurrent.ctx.Done():
		return policy.Decision{}, policy.ErrNobodyToAsk // the range is over
	}
	if p.how == Interrupts {
		if !p.loops || s.Block.Kind != llm.ToolCall { // only a call can wait
			return policy.Decision{}, policy.ErrNobodyToAsk
		}
		return policy.Decision{Approved: true}, nil
	}
	answer, err := q.ask.Wait(ctx)
	return policy.Decision{Approved: answer.Approved, By: answer.By, Comment: answer.Comment}, err
}

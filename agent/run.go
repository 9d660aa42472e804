package agent

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/sluice-project/sluice/llm"
)

// ErrConsumed is returned by a second range over a run's events.
var ErrConsumed = errors.New("agent: a run can be ranged over only once: call Client.Run again")

// ErrCancelled is the error of a run that was cancelled with Run.Cancel.
var ErrCancelled = errors.New("agent: the run was cancelled")

// Run is one run of an agent. Nothing happens until its events are ranged over,
// which can be done once:
//
//	run := client.Run(ctx, &agent.Request{Text: "What is the weather in Paris?"})
//	for ev, err := range run.Events() {
//		…
//	}
//	result := run.Result()
//
// Only Cancel may be called from another goroutine.
type Run struct {
	client *Client
	ctx    context.Context //nolint:containedctx // a run is the one call that it is for
	req    *Request
	resume *resumption
	failed error // why it cannot be started

	turn  turn
	begun bool
	over  bool
	// final is the result, once there is one.
	final *Result
	stop  atomic.Pointer[context.CancelCauseFunc]
}

// CancelAt is a point at which a run can be cancelled.
type CancelAt int32

// The points.
const (
	// Now cancels at once. The run ends with ErrCancelled.
	Now CancelAt = iota + 1
	// AfterModel lets the model finish its answer. If it calls tools they are not
	// run, and the run ends with the reason Cancelled.
	AfterModel
	// AfterTools lets the tools of the round finish too.
	AfterTools
)

// Cancel ends the run at the given point, or at an earlier one given before. A run
// that ends before that is not affected. It may be called at any time, from any
// goroutine, and does not wait.
func (r *Run) Cancel(at CancelAt) {
	if at < Now || at > AfterTools {
		return
	}
	for {
		was := r.turn.when.Load()
		if was != 0 && was <= int32(at) {
			return
		}
		if r.turn.when.CompareAndSwap(was, int32(at)) {
			break
		}
	}
	if at == Now {
		if stop := r.stop.Load(); stop != nil {
			(*stop)(ErrCancelled)
		}
	}
}

// Events starts the run and yields its events. An error is the last thing that a
// loop sees; a loop that ends without one has seen EventFinal. Leaving the loop
// cancels the run: when the range is over, everything that the run started has
// ended, and the history in the memories is one that a provider accepts.
func (r *Run) Events() Events {
	return func(yield func(Event, error) bool) {
		if r.begun {
			yield(Event{}, ErrConsumed)
			return
		}
		r.begun = true
		r.run(yield)
	}
}

// Text starts the run and yields the text of the answer as it arrives: the
// EventText of Events.
func (r *Run) Text() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for ev, err := range r.Events() {
			if err != nil {
				yield("", err)
				return
			}
			if ev.Type == EventText && !yield(ev.Text, nil) {
				return
			}
		}
	}
}

// Result is the result of the run. It is valid when the range over the events
// is over, however that ended; before, it is nil.
func (r *Run) Result() *Result {
	if !r.over {
		return nil
	}
	return r.final
}

// run is the range over the events.
func (r *Run) run(yield func(Event, error) bool) {
	ctx, stop := context.WithCancelCause(r.ctx)
	r.stop.Store(&stop)
	reason := Cancelled // unless something else is known: the consumer left
	defer r.turn.end()
	defer func() {
		stop(ErrCancelled)
		if r.final == nil {
			r.final = r.turn.result(nil)
			if r.final.Answer == nil {
				r.final.Answer = r.turn.last
			}
			r.final.Reason = reason
		}
		r.over = true
	}()
	if r.turn.when.Load() == int32(Now) {
		stop(ErrCancelled)
	}
	req, err := r.begin(ctx)
	if err != nil {
		reason = Failed
		yield(Event{}, err)
		return
	}
	for ev, err := range r.client.chain[0](ctx, req) {
		switch {
		case err != nil:
			reason = whyFailed(ctx)
			yield(Event{}, err)
			return
		case ev.Type == EventFinal && ev.Final == nil:
			reason = Failed
			yield(Event{}, ErrNoFinal)
			return
		case ev.Type != EventFinal:
			if !yield(ev, nil) {
				return
			}
		default:
			r.final = r.turn.result(ev.Final)
			r.final.fill()
			if err := r.keepAnswer(ctx); err != nil {
				yield(Event{}, err)
				return
			}
			yield(ev, nil)
			return
		}
	}
	reason = Failed
	yield(Event{}, ErrNoFinal)
}

// begin makes the request that goes into the chain.
func (r *Run) begin(ctx context.Context) (*Request, error) {
	if r.failed != nil {
		return nil, r.failed
	}
	req, err := r.client.prepare(r.req, &r.turn)
	if err != nil {
		return nil, err
	}
	r.turn.question, r.turn.asked, r.turn.system = req.Messages, len(req.Messages), r.req.System
	if r.resume == nil {
		return req, nil
	}
	if !r.client.loops() {
		return nil, errors.New("agent: there is no tool loop to resume the run in")
	}
	r.turn.resumed = r.resume
	r.turn.rounds = slices.Clone(r.resume.state.Rounds)
	r.turn.progress.Kept = r.resume.state.Kept
	// The memory takes part from the start: there are rounds to store before the
	// model is asked.
	if m, outside := r.client.memory(); m != nil {
		r.turn.outside = outside
		return req, m.resume(ctx, req)
	}
	return req, nil
}

// ErrNoFinal means that an advisor ended without an EventFinal or an error.
var ErrNoFinal = errors.New("agent: an advisor ended its turn without EventFinal: it must pass on what next returns")

// keepAnswer stores the answer that ends the run. Anything else was stored with
// its round.
func (r *Run) keepAnswer(ctx context.Context) error {
	switch r.final.Reason {
	case Done, Truncated, Filtered, Unfinished:
	default:
		return nil
	}
	said, ok := finalMessage(r.final.Answer)
	if !ok {
		return nil
	}
	if err := r.turn.keep(ctx, []llm.Message{said}); err != nil {
		r.final.Reason, r.final.NotKept = Failed, err
		return err
	}
	r.final.Kept = r.turn.countKept(len(r.final.Messages))
	return nil
}

// fill adds the messages to a result that only has an answer, because it was not
// made by a tool loop.
func (r *Result) fill() {
	if r.Messages != nil || r.Answer == nil {
		return
	}
	if r.Reason == CallsLeft {
		r.Messages = []llm.Message{roundMessage(r.Answer, &ids{})}
	} else if said, ok := finalMessage(r.Answer); ok {
		r.Messages = []llm.Message{said}
	}
}

// countKept is how many messages are stored when all that were added are.
func (t *turn) countKept(added int) int {
	if len(t.keepers) == 0 {
		return 0
	}
	return t.asked + added
}

// whyFailed distinguishes a run that was cancelled from one that failed.
func whyFailed(ctx context.Context) Reason {
	if ctx.Err() != nil {
		return Cancelled
	}
	return Failed
}

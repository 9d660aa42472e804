package agent

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// turn is the state shared by the parts of one run. Only the goroutine that ranges
// over the run touches it, except for when.
type turn struct {
	// rounds are the answers so far.
	rounds []Round
	// progress is the result so far, for runs that end early.
	progress Result
	// notKept is why something was not stored.
	notKept error
	// last is the model's last answer, complete or not.
	last *Answer
	// question is what was asked, and asked how many messages that is; system is
	// the caller's system prompt.
	question []llm.Message
	asked    int
	system   string
	// outside: a memory is outside the tool loop.
	outside bool
	// recalled is the history that a memory put before the question.
	recalled []llm.Message
	keepers  []keeper
	ends     []func()
	// quiet: only questions are of interest, because the run is a Call and no
	// advisor sees the events; mute: nor does an advisor close to the model.
	quiet, mute bool
	// repairs are the invalid answers of advisors for structured output.
	repairs map[*Structured]*repairs
	// declared are tools as declared to the model, the same in most rounds.
	declared []llm.Tool
	of       []*Tool
	// when says at which safe point the run was cancelled.
	when atomic.Int32
	// resumed is the interrupted run that this one continues.
	resumed *resumption
}

// keeper stores what a run adds.
type keeper struct {
	owner any
	keep  func(ctx context.Context, messages []llm.Message) error
	part  *keeping // of a Memory
}

// Keep registers f to store what the run adds: it is called with the messages of
// each round when all its results are there, and at the end with the answer. The
// messages of one call are a unit: it is complete, and what was stored so far can be
// sent to a model. An error ends the run. The context is not cancelled with the run,
// but has a deadline.
//
// Owner identifies who stores: a second call with the same owner does nothing, and
// returns false. Keep is for advisors, in Advise, and does nothing for a request
// outside a run.
func (r *Request) Keep(owner any, f func(ctx context.Context, messages []llm.Message) error) bool {
	if r.run == nil {
		return false
	}
	for _, k := range r.run.keepers {
		if k.owner == owner {
			return false
		}
	}
	r.run.keepers = append(r.run.keepers, keeper{owner: owner, keep: f})
	return true
}

// OnEnd registers f to be called once when the run is over, however it ended.
// It is for advisors, in Advise.
func (r *Request) OnEnd(f func()) {
	if r.run != nil {
		r.run.ends = append(r.run.ends, f)
	}
}

// storeTimeout is how long storing may take when a run was cancelled.
const storeTimeout = 30 * time.Second

// keep passes a unit of messages to all keepers.
func (t *turn) keep(ctx context.Context, messages []llm.Message) error {
	if len(messages) == 0 || len(t.keepers) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	var errs []error
	for _, k := range t.keepers {
		if err := k.keep(ctx, messages); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// version is that of the conversation in the memory, 0 if there is none.
func (t *turn) version() int64 {
	for _, k := range t.keepers {
		if k.part != nil {
			return k.part.version
		}
	}
	return 0
}

// end calls what was deferred to the end, last first.
func (t *turn) end() {
	if len(t.ends) == 0 {
		return
	}
	last := t.ends[len(t.ends)-1]
	t.ends = t.ends[:len(t.ends)-1]
	defer t.end() // also if it panics
	last()
}

// usage is the cost of all rounds together. A single round keeps the provider's
// own object.
func (t *turn) usage() llm.Usage {
	if len(t.rounds) == 1 {
		return t.rounds[0].Usage
	}
	var sum llm.Usage
	for i := range t.rounds {
		addUsage(&sum, t.rounds[i].Usage)
	}
	return sum
}

// result is the result of the run, with r if it did not fail.
func (t *turn) result(r *Result) *Result {
	if r == nil {
		r = &Result{}
		*r = t.progress
	}
	r.Rounds, r.Usage, r.Kept, r.NotKept = t.rounds, t.usage(), t.progress.Kept, t.notKept
	return r
}

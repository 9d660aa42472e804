package agent

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// RetryConfig configures when and how often the model is asked again. The zero
// value is ready to use.
type RetryConfig struct {
	// Attempts is the maximum number of attempts, including the first; 0 means
	// DefaultAttempts.
	Attempts int
	// Backoff is how long to wait after an attempt, counted from 1. Nil means a
	// random time up to half a second that doubles with each attempt, at most 8
	// seconds. A model.StatusError that asks for a longer wait gets it.
	Backoff func(attempt int) time.Duration
	// Retryable says whether an error may be transient. Nil means
	// RetryableError. It is not called when the run is over.
	Retryable func(error) bool
	// Order is the advisor's order; 0 means RetryOrder, directly around the model.
	Order int
}

// The defaults of RetryConfig.
const (
	DefaultAttempts = 3
	RetryOrder      = Innermost - 1000
)

// The wait before an attempt.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 8 * time.Second
	// longestAsked is the longest wait that a provider may ask for.
	longestAsked = time.Minute
)

// Retry is the advisor that asks again if the model failed before any of its answer
// was passed on. After the first event nothing is repeated: an error is final then.
// Nothing of a failed attempt is left in the run. An error after several attempts
// says how many there were, and wraps the last one.
//
// The models of model.New retry failed requests themselves. This is for other
// models; with those of model.New, set Retry.Max of the model's Config to a negative
// number first, or the attempts multiply.
//
// Outside the tool loop it asks again only as long as the model has not answered
// even once, so that no tool is run twice.
type Retry struct{ cfg RetryConfig }

// NewRetry returns the advisor. A negative number of attempts is an error.
func NewRetry(cfg RetryConfig) (*Retry, error) {
	if cfg.Attempts < 0 {
		return nil, fmt.Errorf("agent: a model cannot be asked %d times", cfg.Attempts)
	}
	if cfg.Attempts == 0 {
		cfg.Attempts = DefaultAttempts
	}
	if cfg.Backoff == nil {
		cfg.Backoff = backoff
	}
	if cfg.Retryable == nil {
		cfg.Retryable = RetryableError
	}
	if cfg.Order == 0 {
		cfg.Order = RetryOrder
	}
	return &Retry{cfg}, nil
}

// Name is "retry".
func (r *Retry) Name() string { return "retry" }

// Order is the advisor's order.
func (r *Retry) Order() int { return r.cfg.Order }

// Advise asks until there is an answer, or no more attempt.
func (r *Retry) Advise(ctx context.Context, req *Request, next Next) Events {
	return func(yield func(Event, error) bool) {
		before := reachedBy(req)
		for attempt := 1; ; attempt++ {
			passed, failed := forward(next(ctx, req), yield)
			if failed == nil {
				return
			}
			if passed || reachedBy(req) != before || !r.again(ctx, attempt, failed) {
				yield(Event{}, afterAttempts(failed, attempt))
				return
			}
			if req.run != nil {
				req.run.last = nil // what arrived of an attempt that does not count
			}
			if err := r.wait(ctx, attempt, failed); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// forward passes events on until an error, and reports whether there were any. The
// error is nil if there was none, or the consumer left.
func forward(events Events, yield func(Event, error) bool) (passed bool, failed error) {
	for ev, err := range events {
		if err != nil {
			return passed, err
		}
		passed = true
		if !yield(ev, nil) {
			return passed, nil
		}
	}
	return passed, nil
}

// reached is how far a run has got.
type reached struct {
	rounds, kept int
	resumed      *resumption
}

func reachedBy(req *Request) reached {
	if req.run == nil {
		return reached{}
	}
	return reached{len(req.run.rounds), req.run.progress.Kept, req.run.resumed}
}

// again says whether there is another attempt.
func (r *Retry) again(ctx context.Context, attempt int, err error) bool {
	return attempt < r.cfg.Attempts && ctx.Err() == nil && askedToWait(err) <= longestAsked && r.cfg.Retryable(err)
}

// wait waits before another attempt.
func (r *Retry) wait(ctx context.Context, attempt int, failed error) error {
	timer := time.NewTimer(max(r.cfg.Backoff(attempt), askedToWait(failed)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w while waiting to retry after an error: %w", context.Cause(ctx), failed)
	}
}

func askedToWait(err error) time.Duration {
	if status, ok := errors.AsType[*model.StatusError](err); ok {
		return status.RetryAfter
	}
	return 0
}

// backoff is a random time that grows, so that clients that failed together do not
// retry together.
func backoff(attempt int) time.Duration {
	most := firstWait
	for range min(attempt-1, 10) {
		most *= 2
	}
	return rand.N(min(most, longestWait)) //nolint:gosec // jitter is no secret
}

// RetryableError reports whether an error of a model may be transient: the provider
// is overloaded, limits the rate, has an internal error or could not be reached, or
// its answer broke off. Timeouts are not retried: the next attempt would probably
// take as long.
func RetryableError(err error) bool {
	if status, ok := errors.AsType[*model.StatusError](err); ok {
		return status.Retryable()
	}
	if said, ok := errors.AsType[*stream.ProviderError](err); ok {
		return passing(said)
	}
	if _, ok := errors.AsType[*model.TimeoutError](err); ok || errors.Is(err, context.Canceled) {
		return false
	}
	_, connection := errors.AsType[*model.ConnectionError](err)
	return connection || errors.Is(err, stream.ErrIncomplete)
}

// passing reports whether a provider's error may be transient.
func passing(e *stream.ProviderError) bool {
	if status, err := strconv.Atoi(e.Code); err == nil && (&model.StatusError{Status: status}).Retryable() {
		return true
	}
	for _, word := range []string{e.Type, e.Code} {
		switch strings.ToLower(word) {
		case "overloaded_error", "overloaded", "api_error", "rate_limit_error", "timeout_error", "server_error",
			"rate_limit_exceeded", "internal_server_error", "service_unavailable",
			"resource_exhausted", "unavailable", "internal", "deadline_exceeded":
			return true
		}
	}
	return false
}

// afterAttempts adds the number of attempts to an error.
func afterAttempts(err error, attempts int) error {
	if attempts == 1 {
		return err
	}
	return fmt.Errorf("agent: asked %d times: %w", attempts, err)
}

var _ Ordered = (*Retry)(nil)

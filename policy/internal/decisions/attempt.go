package decisions

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"time"
)

// transient marks a failure that may be temporary.
type transient struct {
	err  error
	wait time.Duration
}

func (t *transient) Error() string { return t.err.Error() }

func (t *transient) Unwrap() error { return t.err }

// RetryNow marks a failure after which another attempt may be made at once.
func RetryNow(err error) error { return &transient{err: err} }

// RetryLater marks a failure after which the other side needs some time: as
// long as it asks for, or a random delay if wait is not positive.
func RetryLater(err error, wait time.Duration) error {
	if wait <= 0 {
		wait = 100*time.Millisecond + rand.N(400*time.Millisecond) //nolint:gosec // jitter is no secret
	}
	return &transient{err: err, wait: wait}
}

// try asks until there is an answer, a permanent failure, or no attempt left.
func (a *Asker[T]) try(ctx context.Context, f *flight[T], question Question[T]) (T, error) {
	for left := a.cfg.Retries; ; left-- {
		value, err := a.attempt(ctx, f, left, question)
		if err == nil || ctx.Err() != nil {
			return value, err
		}
		passing, again := errors.AsType[*transient](err)
		if again {
			err = passing.err
		}
		a.failed(f, err)
		if !again || left == 0 || !pause(ctx, passing.wait) {
			return value, err
		}
	}
}

// attempt asks once. If more attempts may follow, it gets an equal share of the
// remaining time, so that one that hangs does not use it all.
func (a *Asker[T]) attempt(ctx context.Context, f *flight[T], left int, question Question[T]) (T, error) {
	a.mu.Lock()
	f.attempts++
	a.mu.Unlock()
	if left == 0 {
		return guarded(ctx, question)
	}
	deadline, _ := ctx.Deadline()
	share := time.Until(deadline) / time.Duration(left+1)
	bounded, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	value, err := guarded(bounded, question)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		err = RetryNow(&TimeoutError{After: share})
	}
	return value, err
}

// failed records why an attempt failed, for callers that give up later.
func (a *Asker[T]) failed(f *flight[T], err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f.last = err
}

// guarded asks and turns a panic into an error.
func guarded[T any](ctx context.Context, question Question[T]) (value T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &PanicError{Value: r, Stack: debug.Stack()}
		}
	}()
	return question(ctx)
}

// pause waits and reports whether another attempt can follow. It does not start
// a wait that is longer than the remaining time.
func pause(ctx context.Context, wait time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

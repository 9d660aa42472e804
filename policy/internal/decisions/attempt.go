package decisions

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"time"
)

// transient marks a failure that may pass.
type transient struct {
	err  error
	wait time.Duration
}

func (t *transient) Error() string { return t.err.Error() }

func (t *transient) Unwrap() error { return t.err }

// RetryNow marks a failure after which another attempt may be made at once.
func RetryNow(err error) error { return &transient{err: err} }

// RetryLater marks a failure after which the other side needs some time: as
// long as it asks for, or a random moment if wait is not positive.
func RetryLater(err error, wait time.Duration) error {
	if wait <= 0 {
		wait = 100*time.Millisecond + rand.N(400*time.Millisecond) //nolint:gosec // jitter is no secret
	}
	return &transient{err: err, wait: wait}
}

// try asks until there is an answer, a failure that stays, or no attempt left.
func (d *Desk[T]) try(ctx context.Context, f *flight[T], question Question[T]) (T, error) {
	for left := d.cfg.Retries; ; left-- {
		value, err := d.attempt(ctx, f, left, question)
		if err == nil || ctx.Err() != nil {
			return value, err
		}
		passing, again := errors.AsType[*transient](err)
		if again {
			err = passing.err
		}
		d.failed(f, err)
		if !again || left == 0 || !pause(ctx, passing.wait) {
			return value, err
		}
	}
}

// attempt asks once. An attempt that others may follow gets an equal share of
// the time that is left, so that one that hangs does not use it all.
func (d *Desk[T]) attempt(ctx context.Context, f *flight[T], left int, question Question[T]) (T, error) {
	d.mu.Lock()
	f.attempts++
	d.mu.Unlock()
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

// failed remembers why an attempt failed, for those who give up later.
func (d *Desk[T]) failed(f *flight[T], err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
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

// pause waits and reports whether another attempt can follow. It does not begin
// to wait for longer than there is time.
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

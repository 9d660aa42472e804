package gateway

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// The limits on time, told apart by clients and records.
var (
	// ErrFirstByte is an upstream that did not begin its answer in time.
	ErrFirstByte = errors.New("the upstream did not begin to answer in time")
	// ErrIdle is an upstream that was silent for too long within its answer.
	ErrIdle = errors.New("the upstream was silent for too long")
	// ErrTotal is an exchange that lasted too long.
	ErrTotal = errors.New("the exchange took too long")
	// ErrStopping is an exchange that was cut off because the gateway stops.
	ErrStopping = errors.New("the gateway is stopping")
	// ErrClientGone is a client that went away before the answer was over.
	ErrClientGone = errors.New("the client went away")
	// ErrClientSlow is a client that did not read its answer.
	ErrClientSlow = errors.New("the client did not read its answer in time")
)

// timeError is a limit on time with its value.
type timeError struct {
	error

	after time.Duration
}

func (l *timeError) Error() string { return fmt.Sprintf("%v (limit %v)", l.error, l.after) }

func (l *timeError) Unwrap() error { return l.error }

// clock watches the time of one exchange: it cancels it at its limits and keeps
// its client alive. It has one timer, which is set anew only when it fires, so
// that a payload costs it nothing but the time of day.
type clock struct {
	limits  *Limits
	cancel  context.CancelCauseFunc
	started time.Time
	// heard is when the upstream was heard last, in nanoseconds since started;
	// waits is false while it is not the upstream that is waited for.
	heard atomic.Int64
	first atomic.Int64 // when it was heard first
	begun atomic.Bool
	waits atomic.Bool
	// alive sends a sign of life if the client needs one, and says when it may
	// need the next; nil where none can be sent.
	alive func(now time.Time) time.Duration
	look  time.Duration
	timer *time.Timer
	done  atomic.Bool
}

// start begins to watch. alive can be nil. The clock must not have been used before.
func (c *clock) start(limits *Limits, cancel context.CancelCauseFunc, alive func(time.Time) time.Duration) *clock {
	c.limits, c.cancel, c.started, c.alive, c.look = limits, cancel, time.Now(), alive, min(limits.FirstEvent, limits.Keepalive)
	c.waits.Store(true)
	c.timer = time.AfterFunc(limits.Total, c.fire)
	c.timer.Reset(c.next(c.started)) // not before the clock has its timer
	return c
}

// hear notes that the upstream said something.
func (c *clock) hear() {
	now := int64(time.Since(c.started))
	c.heard.Store(now)
	if !c.begun.Load() {
		c.first.Store(now)
		c.begun.Store(true)
	}
}

// rest says that the upstream has said everything: what takes time from now on
// has limits of its own.
func (c *clock) rest() { c.waits.Store(false) }

// stop ends the watch.
func (c *clock) stop() {
	c.done.Store(true)
	c.timer.Stop()
}

// fire looks at the time.
func (c *clock) fire() {
	now := time.Now()
	if c.done.Load() {
		return
	}
	if err := c.over(now); err != nil {
		c.cancel(err)
		return
	}
	if c.alive != nil {
		c.look = c.alive(now)
	}
	if c.timer.Reset(c.next(now)); c.done.Load() {
		c.timer.Stop() // it was stopped in between
	}
}

// over returns the limit that was reached.
func (c *clock) over(now time.Time) error {
	ran := now.Sub(c.started)
	silent := ran - time.Duration(c.heard.Load())
	switch {
	case ran >= c.limits.Total:
		return &timeError{ErrTotal, c.limits.Total}
	case !c.waits.Load():
		return nil
	case !c.begun.Load() && ran >= c.limits.FirstByte:
		return &timeError{ErrFirstByte, c.limits.FirstByte}
	case c.begun.Load() && silent >= c.limits.Idle:
		return &timeError{ErrIdle, c.limits.Idle}
	}
	return nil
}

// next is how long nothing can happen.
func (c *clock) next(now time.Time) time.Duration {
	ran := now.Sub(c.started)
	wait := c.limits.Total - ran
	if c.waits.Load() {
		if c.begun.Load() {
			wait = min(wait, c.limits.Idle-(ran-time.Duration(c.heard.Load())))
		} else {
			// Once it has begun, which sets no timer, it must not be idle.
			wait = min(wait, c.limits.FirstByte-ran, c.limits.Idle)
		}
	}
	if c.alive != nil {
		wait = min(wait, c.look)
	}
	return max(wait, time.Millisecond)
}

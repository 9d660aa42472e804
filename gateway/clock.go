package gateway

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// The time limits, which clients and records distinguish.
var (
	// ErrFirstByte means that the upstream did not start its answer in time.
	ErrFirstByte = errors.New("the upstream did not begin to answer in time")
	// ErrIdle means that the upstream was silent for too long during its
	// answer.
	ErrIdle = errors.New("the upstream was silent for too long")
	// ErrTotal means that the exchange lasted too long.
	ErrTotal = errors.New("the exchange took too long")
	// ErrStopping means that the exchange was cut off because the gateway is
	// stopping.
	ErrStopping = errors.New("the gateway is stopping")
	// ErrClientGone means that the client disconnected before the answer was
	// over.
	ErrClientGone = errors.New("the client disconnected")
	// ErrClientSlow means that the client did not read its answer.
	ErrClientSlow = errors.New("the client did not read its answer in time")
)

// timeError is a time limit with its value.
type timeError struct {
	error

	after time.Duration
}

func (l *timeError) Error() string { return fmt.Sprintf("%v (limit %v)", l.error, l.after) }

func (l *timeError) Unwrap() error { return l.error }

// clock enforces the time limits of one exchange and sends keepalives to its
// client. It has one timer, which is reset only when it fires, so that a
// payload costs no more than reading the time.
type clock struct {
	limits  *Limits
	cancel  context.CancelCauseFunc
	started time.Time
	// lastRead is when bytes last arrived from the upstream, in nanoseconds
	// since started; waits is false while the exchange does not wait for the
	// upstream.
	lastRead atomic.Int64
	first    atomic.Int64 // when bytes first arrived
	begun    atomic.Bool
	waits    atomic.Bool
	// alive sends a keepalive if the client needs one, and returns when it may
	// need the next; nil if none can be sent.
	alive func(now time.Time) time.Duration
	look  time.Duration
	timer *time.Timer
	done  atomic.Bool
}

// start starts the clock. alive can be nil. The clock must not have been used
// before.
func (c *clock) start(limits *Limits, cancel context.CancelCauseFunc, alive func(time.Time) time.Duration) *clock {
	c.limits, c.cancel, c.started, c.alive, c.look = limits, cancel, time.Now(), alive, min(limits.FirstEvent, limits.Keepalive)
	c.waits.Store(true)
	c.timer = time.AfterFunc(limits.Total, c.fire)
	c.timer.Reset(c.next(c.started)) // not before the clock has its timer
	return c
}

// noteRead notes that bytes arrived from the upstream.
func (c *clock) noteRead() {
	now := int64(time.Since(c.started))
	c.lastRead.Store(now)
	if !c.begun.Load() {
		c.first.Store(now)
		c.begun.Store(true)
	}
}

// upstreamEnded notes that the upstream has sent everything: what takes time
// from now on has limits of its own.
func (c *clock) upstreamEnded() { c.waits.Store(false) }

// stop stops the clock.
func (c *clock) stop() {
	c.done.Store(true)
	c.timer.Stop()
}

// fire checks the limits.
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

// over returns the limit that was reached, if any.
func (c *clock) over(now time.Time) error {
	ran := now.Sub(c.started)
	silent := ran - time.Duration(c.lastRead.Load())
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

// next is the time until the next limit or keepalive.
func (c *clock) next(now time.Time) time.Duration {
	ran := now.Sub(c.started)
	wait := c.limits.Total - ran
	if c.waits.Load() {
		if c.begun.Load() {
			wait = min(wait, c.limits.Idle-(ran-time.Duration(c.lastRead.Load())))
		} else {
			// The answer may start at any time, without a reset of the timer,
			// and is then subject to the idle limit.
			wait = min(wait, c.limits.FirstByte-ran, c.limits.Idle)
		}
	}
	if c.alive != nil {
		wait = min(wait, c.look)
	}
	return max(wait, time.Millisecond)
}

package decisions

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Config says how patiently questions are asked. Zero fields mean the defaults.
type Config struct {
	// Timeout bounds everything from the question to its answer: waiting for a
	// place, all attempts and the pauses between them. Default 10 s.
	Timeout time.Duration
	// Retries is how many attempts may follow the first. Default 1, negative
	// for none.
	Retries int
	// Keep is how long an answer is remembered. Default 10 minutes, negative
	// for not at all.
	Keep time.Duration
	// Entries is how many answers are remembered at most; the oldest makes
	// room. Default 10,000.
	Entries int
	// Concurrency is how many questions are asked at once. Default 16.
	Concurrency int
	// Now is the clock of what is remembered, nil for time.Now.
	Now func() time.Time
}

func (c Config) withDefaults() Config {
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Second
	}
	switch {
	case c.Retries == 0:
		c.Retries = 1
	case c.Retries < 0:
		c.Retries = 0
	}
	if c.Keep == 0 {
		c.Keep = 10 * time.Minute
	}
	if c.Entries <= 0 {
		c.Entries = 10_000
	}
	if c.Concurrency <= 0 {
		c.Concurrency = 16
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Question is one attempt to get an answer. It must return when ctx is done. An
// error that may pass is marked with RetryNow or RetryLater.
type Question[T any] func(ctx context.Context) (T, error)

// Source says where an answer came from.
type Source uint8

// The sources.
const (
	// Asked: the question was asked for this caller.
	Asked Source = iota
	// Shared: somebody else was asking it already.
	Shared
	// Remembered: it was answered before.
	Remembered
)

// Answer is an answer and how it was come by.
type Answer[T any] struct {
	Value  T
	Source Source
	// Attempts is how often the question was asked to get it.
	Attempts int
}

// Desk is where questions are asked. It is safe for concurrent use. It has
// goroutines only while somebody waits for an answer, except for those of
// questions that do not return when they should.
type Desk[T any] struct {
	cfg   Config
	slots chan struct{}

	mu      sync.Mutex
	flights map[Key]*flight[T]
	shelf   shelf[T]
}

// NewDesk returns a desk.
func NewDesk[T any](cfg Config) *Desk[T] {
	cfg = cfg.withDefaults()
	return &Desk[T]{
		cfg:     cfg,
		slots:   make(chan struct{}, cfg.Concurrency),
		flights: make(map[Key]*flight[T]),
		shelf:   newShelf[T](cfg.Keep, cfg.Entries),
	}
}

// Timeout is the time within which every question ends.
func (d *Desk[T]) Timeout() time.Duration { return d.cfg.Timeout }

// flight is a question that is being asked.
type flight[T any] struct {
	cancel context.CancelFunc

	// These belong to the desk's lock.
	waiters  int
	attempts int
	last     error // of the last attempt that failed
	settled  bool

	// These are set before done is closed and never changed after.
	done    chan struct{}
	answer  Answer[T]
	err     error
	expired bool // it took too long, rather than failed
}

// errSlow is why a desk's own deadlines end a context.
var errSlow = errors.New("decisions: out of time")

// Ask returns the answer to the question that the key stands for: a remembered
// one, that of somebody who is asking it already, or that of question. It
// returns when ctx is done or the desk's timeout is over, whatever the question
// does. That a caller gives up is nothing to others who wait for the same
// answer; when nobody waits any more, the question's own context is cancelled.
// The question gets the values of the first caller's context.
//
// The error is a *TimeoutError, a *PanicError, the cause of ctx, or that of the
// question's last attempt.
func (d *Desk[T]) Ask(ctx context.Context, key Key, question Question[T]) (Answer[T], error) {
	ctx, cancel := context.WithTimeoutCause(ctx, d.cfg.Timeout, errSlow)
	defer cancel()
	for {
		if ctx.Err() != nil {
			return Answer[T]{}, d.gaveUp(ctx, nil)
		}
		f, source, value := d.join(ctx, key, question)
		if source == Remembered {
			return Answer[T]{Value: value, Source: Remembered}, nil
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			if left, last := d.leave(key, f); left {
				return Answer[T]{}, d.gaveUp(ctx, last)
			}
		}
		if f.expired && source == Shared && d.hasTime(ctx) {
			continue // it was old already when this caller came
		}
		answer := f.answer
		answer.Source = source
		return answer, f.err
	}
}

// hasTime reports whether a caller who waited in vain for somebody else's
// answer has time for a question of its own.
func (d *Desk[T]) hasTime(ctx context.Context) bool {
	deadline, _ := ctx.Deadline()
	return ctx.Err() == nil && time.Until(deadline) >= d.cfg.Timeout/2
}

// join finds what to wait for; without any, it begins.
func (d *Desk[T]) join(ctx context.Context, key Key, question Question[T]) (f *flight[T], source Source, value T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if value, ok := d.shelf.get(key, d.cfg.Now()); ok {
		return nil, Remembered, value
	}
	if f = d.flights[key]; f != nil {
		f.waiters++
		return f, Shared, value
	}
	own, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), d.cfg.Timeout, errSlow)
	f = &flight[T]{done: make(chan struct{}), cancel: cancel, waiters: 1}
	d.flights[key] = f
	go d.fly(own, key, f, question)
	return f, Asked, value
}

// leave takes a caller out who waits no longer. It returns false if there is an
// answer by now, else what the last attempt failed with.
func (d *Desk[T]) leave(key Key, f *flight[T]) (left bool, last error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f.settled {
		return false, nil
	}
	if f.waiters--; f.waiters == 0 {
		// Whoever comes now asks anew.
		delete(d.flights, key)
		f.cancel()
	}
	return true, f.last
}

// gaveUp says why a caller waits no longer.
func (d *Desk[T]) gaveUp(ctx context.Context, last error) error {
	cause := context.Cause(ctx)
	if cause == errSlow { //nolint:errorlint // it is this very value, or another reason
		return &TimeoutError{After: d.cfg.Timeout, Last: last}
	}
	return fmt.Errorf("the caller gave up: %w", cause)
}

// fly asks a question for all who wait for it.
func (d *Desk[T]) fly(ctx context.Context, key Key, f *flight[T], question Question[T]) {
	defer f.cancel()
	// The end of time settles a question even if it does not notice.
	stop := context.AfterFunc(ctx, func() {
		var none T
		d.settle(ctx, key, f, none, context.Cause(ctx))
	})
	defer stop()
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	case <-ctx.Done():
		return
	}
	var value T
	err := error(&PanicError{Value: "the question ended its goroutine"})
	defer func() { d.settle(ctx, key, f, value, err) }()
	value, err = d.try(ctx, f, question)
}

// settle tells all who wait, once. An answer that comes too late for them is
// still remembered.
func (d *Desk[T]) settle(ctx context.Context, key Key, f *flight[T], value T, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.shelf.put(key, value, d.cfg.Now())
	}
	if f.settled {
		return
	}
	if d.flights[key] == f {
		delete(d.flights, key)
	}
	if err != nil && ctx.Err() != nil {
		f.expired = true
		err = d.gaveUp(ctx, f.last)
	}
	f.settled = true
	f.answer, f.err = Answer[T]{Value: value, Attempts: f.attempts}, err
	close(f.done)
}

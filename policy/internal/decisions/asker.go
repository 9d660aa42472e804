package decisions

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Config configures an Asker. Zero fields mean the defaults.
type Config struct {
	// Timeout bounds everything from the question to its answer: waiting for a
	// slot, all attempts and the pauses between them. Default 10 s.
	Timeout time.Duration
	// Retries is how many attempts may follow the first. Default 1, negative
	// for none.
	Retries int
	// Keep is how long an answer is cached. Default 10 minutes, negative
	// disables the cache.
	Keep time.Duration
	// Entries is the maximum number of cached answers; the oldest is evicted.
	// Default 10,000.
	Entries int
	// Concurrency is how many questions are asked concurrently. Default 16.
	Concurrency int
	// Now is the clock of the cache, nil for time.Now.
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
// error that may be temporary is marked with RetryNow or RetryLater.
type Question[T any] func(ctx context.Context) (T, error)

// Source says where an answer came from.
type Source uint8

// The sources.
const (
	// Asked: the question was asked for this caller.
	Asked Source = iota
	// Shared: another caller was asking it already.
	Shared
	// Remembered: the answer was cached.
	Remembered
)

// Answer is an answer and where it came from.
type Answer[T any] struct {
	Value  T
	Source Source
	// Attempts is how often the question was asked to get it.
	Attempts int
}

// Asker asks questions, sharing and caching the answers. It is safe for
// concurrent use. It has goroutines only while somebody waits for an answer,
// except for those of questions that do not return when they should.
type Asker[T any] struct {
	cfg   Config
	slots chan struct{}

	mu      sync.Mutex
	flights map[Key]*flight[T]
	cache   cache[T]
}

// NewAsker returns an Asker.
func NewAsker[T any](cfg Config) *Asker[T] {
	cfg = cfg.withDefaults()
	return &Asker[T]{
		cfg:     cfg,
		slots:   make(chan struct{}, cfg.Concurrency),
		flights: make(map[Key]*flight[T]),
		cache:   newCache[T](cfg.Keep, cfg.Entries),
	}
}

// Timeout is the time within which every question ends.
func (a *Asker[T]) Timeout() time.Duration { return a.cfg.Timeout }

// flight is a question that is being asked.
type flight[T any] struct {
	cancel context.CancelFunc

	// These are guarded by the Asker's lock.
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

// errSlow is the cause with which an Asker's own deadlines end a context.
var errSlow = errors.New("decisions: out of time")

// Ask returns the answer to the question identified by the key: a cached one,
// that of a caller who is asking it already, or that of question. It returns
// when ctx is done or the timeout is over, whatever the question does. A caller
// that gives up does not affect others who wait for the same answer; when
// nobody waits any more, the question's own context is cancelled. The question
// gets the values of the first caller's context.
//
// The error is a *TimeoutError, a *PanicError, the cause of ctx, or that of the
// question's last attempt.
func (a *Asker[T]) Ask(ctx context.Context, key Key, question Question[T]) (Answer[T], error) {
	ctx, cancel := context.WithTimeoutCause(ctx, a.cfg.Timeout, errSlow)
	defer cancel()
	for {
		if ctx.Err() != nil {
			return Answer[T]{}, a.gaveUp(ctx, nil)
		}
		f, source, value := a.join(ctx, key, question)
		if source == Remembered {
			return Answer[T]{Value: value, Source: Remembered}, nil
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			if left, last := a.leave(key, f); left {
				return Answer[T]{}, a.gaveUp(ctx, last)
			}
		}
		if f.expired && source == Shared && a.hasTime(ctx) {
			continue // it was too old already when this caller came
		}
		answer := f.answer
		answer.Source = source
		return answer, f.err
	}
}

// hasTime reports whether a caller who waited in vain for another caller's
// answer has time to ask itself.
func (a *Asker[T]) hasTime(ctx context.Context) bool {
	deadline, _ := ctx.Deadline()
	return ctx.Err() == nil && time.Until(deadline) >= a.cfg.Timeout/2
}

// join finds a flight to wait for, or starts one.
func (a *Asker[T]) join(ctx context.Context, key Key, question Question[T]) (f *flight[T], source Source, value T) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if value, ok := a.cache.get(key, a.cfg.Now()); ok {
		return nil, Remembered, value
	}
	if f = a.flights[key]; f != nil {
		f.waiters++
		return f, Shared, value
	}
	own, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), a.cfg.Timeout, errSlow)
	f = &flight[T]{done: make(chan struct{}), cancel: cancel, waiters: 1}
	a.flights[key] = f
	go a.fly(own, key, f, question)
	return f, Asked, value
}

// leave removes a caller that no longer waits. It returns false if there is an
// answer by now, else the error of the last attempt.
func (a *Asker[T]) leave(key Key, f *flight[T]) (left bool, last error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f.settled {
		return false, nil
	}
	if f.waiters--; f.waiters == 0 {
		// Callers from now on ask again.
		delete(a.flights, key)
		f.cancel()
	}
	return true, f.last
}

// gaveUp says why a caller no longer waits.
func (a *Asker[T]) gaveUp(ctx context.Context, last error) error {
	cause := context.Cause(ctx)
	if cause == errSlow { //nolint:errorlint // it is this very value, or another reason
		return &TimeoutError{After: a.cfg.Timeout, Last: last}
	}
	return fmt.Errorf("the caller gave up: %w", cause)
}

// fly asks a question for everyone who waits for it.
func (a *Asker[T]) fly(ctx context.Context, key Key, f *flight[T], question Question[T]) {
	defer f.cancel()
	// The deadline settles a question even if the question does not notice.
	stop := context.AfterFunc(ctx, func() {
		var none T
		a.settle(ctx, key, f, none, context.Cause(ctx))
	})
	defer stop()
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	case <-ctx.Done():
		return
	}
	var value T
	err := error(&PanicError{Value: "the question ended its goroutine"})
	defer func() { a.settle(ctx, key, f, value, err) }()
	value, err = a.try(ctx, f, question)
}

// settle wakes everyone who waits, once. An answer that comes too late for them
// is still cached.
func (a *Asker[T]) settle(ctx context.Context, key Key, f *flight[T], value T, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		a.cache.put(key, value, a.cfg.Now())
	}
	if f.settled {
		return
	}
	if a.flights[key] == f {
		delete(a.flights, key)
	}
	if err != nil && ctx.Err() != nil {
		f.expired = true
		err = a.gaveUp(ctx, f.last)
	}
	f.settled = true
	f.answer, f.err = Answer[T]{Value: value, Attempts: f.attempts}, err
	close(f.done)
}

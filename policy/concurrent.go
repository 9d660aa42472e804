package policy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// watch starts what runs concurrently with the source: the keepalive clock, and
// a watch on the context, because a blocked source does not notice that it is
// done.
func (l *loop) watch() {
	if l.o.Keepalive > 0 {
		l.clock.start(l.o.Keepalive, l.tick, &l.running)
	}
	if l.o.Stop != nil && !l.o.Watched {
		l.running.Add(1)
		l.unhook = context.AfterFunc(l.ctx, func() {
			defer l.running.Done()
			l.stopped.Do(l.o.Stop)
		})
	}
}

// unwatch stops what watch started.
func (l *loop) unwatch() {
	l.clock.stop()
	if l.unhook != nil && l.unhook() {
		l.running.Done()
	}
}

// end makes the source return. It is called without the lock, because the host
// may block in Stop.
func (l *loop) end() {
	l.mu.Lock()
	cancel := l.cancel
	l.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	if l.o.Stop != nil {
		l.stopped.Do(l.o.Stop)
	}
}

// whileItRuns returns the context that questions are asked under.
func (l *loop) whileItRuns() context.Context {
	if l.aside == nil {
		l.aside, l.cancel = context.WithCancel(l.ctx)
	}
	return l.aside
}

// ask starts answering the new questions, each in a goroutine of its own.
func (l *loop) ask() {
	questions := l.e.Questions()
	if len(questions) > 0 && l.asking == nil {
		l.asking, l.taken = make(chan struct{}, l.o.Questions), make(chan struct{}, 1)
	}
	for _, q := range questions {
		ctx := l.whileItRuns()
		l.running.Go(func() {
			select {
			case l.asking <- struct{}{}:
			case <-ctx.Done():
				return
			}
			a := q.Ask(ctx)
			<-l.asking
			l.take(a) //nolint:contextcheck // the loop has it
		})
	}
}

// take hands an answer to the engine.
func (l *loop) take(a Answer) {
	l.mu.Lock()
	l.locked(func() error {
		if err := l.e.Take(l.ctx, a, l.out); err != nil {
			return err
		}
		l.ask()
		return nil
	})
	select {
	case l.taken <- struct{}{}:
	default: // a notification is already pending
	}
}

// tick sends a keepalive if the client is waiting and nothing was sent since the
// last tick. While somebody else holds the lock, something is being sent or
// about to be.
func (l *loop) tick() {
	if !l.mu.TryLock() {
		return
	}
	l.locked(func() error {
		quiet := l.told == l.out.Sent()
		if quiet && (l.more || l.e.Pending() > 0) {
			if err := l.out.Keepalive(); err != nil {
				return err
			}
		}
		l.told = l.out.Sent()
		return nil
	})
}

// locked runs something that did not come from the source, unless the run is
// over, and releases the lock. An error ends the run.
func (l *loop) locked(do func() error) {
	if l.over || l.ctx.Err() != nil {
		l.mu.Unlock()
		return
	}
	err := l.fail(l.send(do))
	l.mu.Unlock()
	if err != nil {
		l.end()
	}
}

// send runs a function and flushes what it sent, even if that is the error of
// an abort. A host that panics here has failed; the panic is recovered here
// because this goroutine is not the host's.
func (l *loop) send(do func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("policy: the host panicked while something was sent: %v", x)
		}
	}()
	sent := l.out.Sent()
	err = do()
	if sent == l.out.Sent() {
		return err
	}
	if late := l.flush(); late != nil {
		return errors.Join(err, late)
	}
	return err
}

// flush flushes what was sent since the last flush.
func (l *loop) flush() error {
	if l.o.Flush == nil || l.flushed == l.out.Sent() {
		return nil
	}
	l.flushed = l.out.Sent()
	return l.o.Flush()
}

// clock calls a function periodically until it is stopped. Its timer is re-armed
// only when it has fired, so it costs nothing while payloads arrive.
type clock struct {
	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
	// running counts the timer, whether armed or firing, as one.
	running *sync.WaitGroup
}

func (c *clock) start(every time.Duration, do func(), running *sync.WaitGroup) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = running
	running.Add(1)
	c.timer = time.AfterFunc(every, func() {
		do()
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.stopped {
			running.Done()
			return
		}
		c.timer.Reset(every)
	})
}

// stop stops the clock. One last tick may still run; running accounts for it.
func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	if c.timer != nil && c.timer.Stop() {
		c.running.Done()
	}
}

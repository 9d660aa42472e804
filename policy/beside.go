package policy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// watch begins what happens beside the source: the clock of the keepalives, and
// the watch over the context, because a source that waits does not see it.
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

// unwatch ends what watch began.
func (l *loop) unwatch() {
	l.clock.stop()
	if l.unhook != nil && l.unhook() {
		l.running.Done()
	}
}

// end makes the source return. It is called without the lock, because the host
// may wait in Stop.
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

// whileItRuns returns the context of those who are asked.
func (l *loop) whileItRuns() context.Context {
	if l.aside == nil {
		l.aside, l.cancel = context.WithCancel(l.ctx)
	}
	return l.aside
}

// ask lets the new questions be answered, each in a goroutine of its own.
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

// take takes in an answer.
func (l *loop) take(a Answer) {
	l.mu.Lock()
	l.beside(func() error {
		if err := l.e.Take(l.ctx, a, l.out); err != nil {
			return err
		}
		l.ask()
		return nil
	})
	select {
	case l.taken <- struct{}{}:
	default: // the news is still there
	}
}

// tick sends a sign of life if the client waits for something and got nothing
// since the last tick. While somebody else has the lock, something is being sent
// or about to be.
func (l *loop) tick() {
	if !l.mu.TryLock() {
		return
	}
	l.beside(func() error {
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

// beside does something that did not come from the source, unless the run is
// over, and gives the lock back. What fails ends the run.
func (l *loop) beside(do func() error) {
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

// send does something and flushes what it sent, be it the error of an abort. A
// host that panics there has failed: this is no goroutine of its own, where it
// could recover.
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

// flush hands on what was sent since the last flush.
func (l *loop) flush() error {
	if l.o.Flush == nil || l.flushed == l.out.Sent() {
		return nil
	}
	l.flushed = l.out.Sent()
	return l.o.Flush()
}

// clock calls a function again and again until it is stopped. Its timer is armed
// when it has fired and at no other time, so it costs nothing while payloads
// come.
type clock struct {
	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
	// running counts the timer, armed or firing, as one.
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

// stop ends the clock. It may tick a last time, which running tells.
func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	if c.timer != nil && c.timer.Stop() {
		c.running.Done()
	}
}

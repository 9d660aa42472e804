package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/sluice-project/sluice/stream"
)

// RunOptions are what Run needs beside an answer and a place to send it. The
// zero value is ready to use.
type RunOptions struct {
	// Feedback tells the model of denials. It is used if the engine's options
	// say that the host offers it.
	Feedback Feedback
	// Keepalive is how long the client may hear nothing; 0 means 10 s,
	// negative never.
	Keepalive time.Duration
	// Stop stops the upstream, so that Source.Next returns. It is called once:
	// from another goroutine while Next waits if the answer is over before its
	// source is, else when Run ends; and when the context is done, unless the
	// source is Watched. nil means that the source stops by itself when the
	// context is done.
	Stop func()
	// Watched says that Source.Next returns by itself when the context is done,
	// so that Stop need not be called for that.
	Watched bool
	// Flush hands on what the output's sink keeps; nil means that it keeps
	// nothing. It is called, with the loop's lock held, when something was sent
	// and something is waited for: after an answer to a question was taken in,
	// after a keepalive, at the end of a source while questions are open, and
	// before and after the next source is asked for. While payloads come, the
	// host flushes by itself before its source waits. It does so from inside
	// Source.Next, where the loop's lock is not held, so its sink needs a lock of
	// its own. What the sink keeps when Run returns is the host's to hand on. An
	// error ends the run like one of the output.
	Flush func() error
	// Limits bound what is kept of an answer.
	Limits stream.Limits
	// Texts is how much an answer may say before its texts are no longer kept, where
	// no policy reads them; 0 means MaxTexts.
	Texts int
	// Questions is how many questions are asked at once; 0 means 64.
	Questions int
}

// Run is the loop of a host: it reads an answer from src, lets the questions be
// answered beside it, keeps the client alive while it waits, and sends what may
// leave to out. It returns when the answer is over, with every goroutine of its
// own gone: nil if it came to its end, whatever was blocked in it, an
// *AbortError if it was aborted, else what the upstream or the client failed
// with. The engine is closed then.
//
// Source.Next and Feedback.Again are called on the caller's goroutine, so an
// answer about which nobody is asked costs no other. The output's sink is called
// by one goroutine at a time, but not always by the same.
func (e *Engine) Run(ctx context.Context, src Source, out *stream.Output, o RunOptions) error {
	if o.Keepalive == 0 {
		o.Keepalive = 10 * time.Second
	}
	if o.Questions <= 0 {
		o.Questions = 64
	}
	if e.opts.Keep == nil && o.Feedback != nil {
		e.opts.Keep = o.Feedback.Keep
	}
	e.sitAt(newDesk())
	l := &e.desk.loop
	*l = loop{e: e, out: out, o: o, more: true, ctx: ctx}
	defer l.leave()
	l.watch()
	return l.finish(l.rounds(src)) //nolint:contextcheck // the loop has it
}

// loop is a monitor around an engine: whoever has something for the engine takes
// the lock, hands it over and sends what may leave. The caller of Run comes with
// payloads, the questions' goroutines with answers, the clock with keepalives.
type loop struct {
	e   *Engine
	out *stream.Output
	o   RunOptions
	// ctx is the caller's.
	ctx     context.Context //nolint:containedctx // it lives as long as the loop
	stopped sync.Once
	// running are the loop's goroutines and those that a clock or a context may
	// still begin.
	running sync.WaitGroup
	unhook  func() bool // takes Stop off the context
	clock   clock
	// asking has room for those that are asked, taken for the news that an
	// answer was taken in. Both are made for the first question.
	asking, taken chan struct{}

	// mu is held by whoever uses the engine, the output or what follows.
	mu sync.Mutex
	// over: nothing may be taken in or sent any more. err is why, nil if the
	// answer came to its end.
	over bool
	err  error
	// good: it came to its end.
	good bool
	// aside is the context of those who are asked: it is done when the run is
	// over, also before its source has noticed. It is made for the first.
	aside  context.Context //nolint:containedctx // likewise
	cancel context.CancelFunc
	// more: the upstream has more to say.
	more bool
	// told is how much had been sent at the clock's last tick, flushed at the
	// last flush.
	told, flushed int64
}

// rounds reads the answer and, where the model was told of denials, the next.
func (l *loop) rounds(src Source) error {
	for {
		if err := l.answer(src); err != nil {
			return err
		}
		denials, err := l.settle()
		if denials == nil || err != nil {
			return err
		}
		src = l.again(denials)
		if err := l.goOn(src); err != nil || src == nil {
			return err
		}
	}
}

// answer reads one answer of the upstream to its end.
func (l *loop) answer(src Source) error {
	limits := l.o.Limits
	if limits.Texts == 0 && !l.e.set.readsTexts && !l.e.opts.Feedback {
		limits.Texts = cmp.Or(l.o.Texts, MaxTexts)
	}
	p := l.e.desk.read(l.e.opts.Format, limits, l.e, l.out)
	ahead, _ := src.(Ahead)
	for {
		name, payload, cause := next(src)
		if err := l.feed(p, name, payload, cause, ahead); err != nil || cause != nil {
			return err
		}
	}
}

// next reads from a source; one that panics has failed.
func next(src Source) (name string, payload []byte, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = sourcePanicked(x)
		}
	}()
	return src.Next()
}

func sourcePanicked(x any) error { return fmt.Errorf("policy: the source panicked: %v", x) }

// feed hands on what the source gave, and what it has beside it. An answer that was
// cut fails in the open.
func (l *loop) feed(p *stream.Processor, name string, payload []byte, cause error, ahead Ahead) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.ended(); err != nil {
		return err
	}
	l.out.Gather()
	var err error
	switch {
	case cause == nil:
		if err = l.payload(p, name, payload); err == nil && ahead != nil {
			err = l.payloads(p, ahead)
		}
	case errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF):
		l.more = false
		if err = p.End(l.ctx); err == nil {
			l.ask()
		}
	default:
		err = cause
	}
	if err != nil && !l.e.Ended() {
		err = errors.Join(err, l.e.Fail(err, l.out))
	}
	if late := l.out.HandOn(); late != nil {
		err = errors.Join(err, late)
	}
	return l.fail(err)
}

// payloads hands on what the source need not wait for, with the lock taken once for
// all of it.
func (l *loop) payloads(p *stream.Processor, src Ahead) (err error) {
	reads := false
	defer func() {
		if !reads {
			return // whoever panicked, it was not the source
		}
		if x := recover(); x != nil {
			err = sourcePanicked(x)
		}
	}()
	for {
		reads = true
		name, payload, ok := src.Buffered()
		reads = false
		if !ok {
			return nil
		}
		if err := l.payload(p, name, payload); err != nil {
			return err
		}
	}
}

// payload takes in one payload and lets the questions that it raised be answered.
func (l *loop) payload(p *stream.Processor, name string, payload []byte) error {
	if err := p.Feed(l.ctx, name, payload); err != nil {
		return err
	}
	l.ask()
	return nil
}

// fail ends the run if there is an error: nothing is taken in or sent any more.
func (l *loop) fail(err error) error {
	if err != nil {
		l.over, l.err = true, err
	}
	return err
}

// ended returns why the run ended while nobody looked, nil if it goes on.
func (l *loop) ended() error {
	if l.err == nil && l.ctx.Err() != nil {
		return l.fail(context.Cause(l.ctx))
	}
	return l.err
}

// settle waits for all verdicts on an answer that has come to its end. It
// returns the denials of which the model is to be told.
func (l *loop) settle() ([]Denial, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.err
	if err == nil && l.e.Pending()+l.e.Shadowing() > 0 {
		err = l.fail(l.flush())
	}
	for err == nil && l.e.Pending()+l.e.Shadowing() > 0 {
		if err = l.ended(); err == nil {
			l.await()
			err = l.err
		}
	}
	if err != nil {
		return nil, err
	}
	denials := l.e.Denials()
	if denials == nil && l.e.Waiting() {
		return nil, l.fail(errors.Join(stream.ErrIncomplete, l.e.Fail(stream.ErrIncomplete, l.out)))
	}
	if l.more = denials != nil; l.more {
		err = l.fail(l.flush())
	}
	return denials, err
}

// await gives the lock away until an answer was taken in or the run is over.
func (l *loop) await() {
	aside := l.whileItRuns()
	l.mu.Unlock()
	defer l.mu.Lock()
	select {
	case <-l.taken:
	case <-aside.Done():
	}
}

// again asks the host for the model's next answer. Why there is none is of no
// use to the client, who is told of the denials then.
func (l *loop) again(denials []Denial) (src Source) {
	if l.o.Feedback == nil {
		return nil
	}
	l.mu.Lock()
	ctx := l.whileItRuns()
	l.mu.Unlock()
	defer func() {
		if recover() != nil {
			src = nil
		}
	}()
	src, err := l.o.Feedback.Again(ctx, denials)
	if err != nil {
		return nil
	}
	return src
}

// goOn goes on with the model's next answer. Where there is none, the denials
// end the turn.
func (l *loop) goOn(next Source) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	if next == nil {
		l.over = true // what is sent now ends the turn
		return errors.Join(l.e.Refuse(l.out), l.ctx.Err())
	}
	if err := l.e.Resume(l.out); err != nil {
		return l.fail(err)
	}
	return l.fail(l.flush())
}

// finish ends the run: from here on nobody sends anything.
func (l *loop) finish(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over, l.good = true, err == nil
	if err != nil {
		l.e.Cancel()
	}
	return err
}

// leave waits until nothing of the loop runs any more.
func (l *loop) leave() {
	l.mu.Lock()
	l.over = true // also where the host has panicked
	l.mu.Unlock()
	l.unwatch()
	l.end()
	l.running.Wait()
	l.e.Close()
	if l.isAlone() {
		l.e.desk.putAway()
	}
}

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

// RunOptions are the options of Run. The zero value is ready to use.
type RunOptions struct {
	// Feedback tells the model about denials. It is used if the engine's options
	// say that the host offers it.
	Feedback Feedback
	// Keepalive is how long the client may go without receiving anything; 0
	// means 10 s, negative disables keepalives.
	Keepalive time.Duration
	// Stop stops the upstream, so that Source.Next returns. It is called once:
	// from another goroutine while Next blocks if the answer ends before its
	// source does, else when Run ends; and when the context is done, unless the
	// source is Watched. nil means that the source stops by itself when the
	// context is done.
	Stop func()
	// Watched says that Source.Next returns by itself when the context is done,
	// so that Stop need not be called for that.
	Watched bool
	// Flush flushes the output's sink; nil means that the sink does not buffer.
	// It is called, with the loop's lock held, when something was sent and the
	// loop is about to wait: after an answer to a question was processed, after a
	// keepalive, at the end of a source while questions are open, and before and
	// after the next source is requested. While payloads arrive, the host itself
	// flushes before its source blocks. It does so inside Source.Next, where the
	// loop's lock is not held, so its sink needs a lock of its own. What the sink
	// holds when Run returns is the host's to flush. An error ends the run like
	// one of the output.
	Flush func() error
	// Limits bound what is kept of an answer.
	Limits stream.Limits
	// Texts is how much an answer may say before its texts are no longer kept, where
	// no policy reads them; 0 means MaxTexts.
	Texts int
	// Questions is how many questions are asked at once; 0 means 64.
	Questions int
}

// Run is the main loop of a host: it reads an answer from src, has questions
// answered concurrently, keeps the client alive while it waits, and sends what
// may leave to out. It returns when the answer is over and all goroutines of
// its own have ended: nil if the answer reached its end, whatever was blocked
// in it, an *AbortError if it was aborted, else the error of the upstream or
// the client. The engine is closed then.
//
// Source.Next and Feedback.Again are called on the caller's goroutine, so an
// answer that raises no questions costs no other. The output's sink is called by
// one goroutine at a time, but not always the same one.
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
	e.useWorkspace(newWorkspace())
	l := &e.space.loop
	*l = loop{} // in place: a literal with fields is built on the stack first, which an open stream then keeps
	l.e, l.out, l.o, l.more, l.ctx = e, out, o, true, ctx
	defer l.leave()
	l.watch()
	return l.finish(l.rounds(src)) //nolint:contextcheck // the loop has it
}

// loop is a monitor around an engine: whoever has input for the engine takes the
// lock, feeds it and sends what may leave. The caller of Run brings payloads, the
// questions' goroutines answers, the clock keepalives.
type loop struct {
	e   *Engine
	out *stream.Output
	o   RunOptions
	// ctx is the caller's.
	ctx     context.Context //nolint:containedctx // it lives as long as the loop
	stopped sync.Once
	// running counts the loop's goroutines and those that a clock or a context
	// may still start.
	running sync.WaitGroup
	unhook  func() bool // unregisters Stop from the context
	clock   clock
	// asking is the semaphore for concurrent questions, taken signals that an
	// answer was processed. Both are made for the first question.
	asking, taken chan struct{}

	// mu guards the engine, the output and the fields below.
	mu sync.Mutex
	// over: nothing may be accepted or sent any more. err is why, nil if the
	// answer reached its end.
	over bool
	err  error
	// good: the answer reached its end.
	good bool
	// aside is the context that questions are asked under: it is done when the
	// run is over, even before its source has noticed. It is made for the first
	// question.
	aside  context.Context //nolint:containedctx // likewise
	cancel context.CancelFunc
	// more: the upstream has more to send.
	more bool
	// told is how much had been sent at the clock's last tick, flushed at the
	// last flush.
	told, flushed int64
}

// rounds reads the answer and, if the model was told about denials, the next one.
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
		if err := l.resume(src); err != nil || src == nil {
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
	p := l.e.space.read(l.e.opts.Format, limits, l.e, l.out)
	ahead, _ := src.(Ahead)
	for {
		name, payload, cause := next(src)
		if err := l.feed(p, name, payload, cause, ahead); err != nil || cause != nil {
			return err
		}
	}
}

// next reads from a source; a panic counts as a failure of the source.
func next(src Source) (name string, payload []byte, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = sourcePanicked(x)
		}
	}()
	return src.Next()
}

func sourcePanicked(x any) error { return fmt.Errorf("policy: the source panicked: %v", x) }

// feed processes what the source returned, and what it has buffered. A truncated
// answer fails visibly.
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

// payloads processes what the source has buffered, taking the lock once for all of
// it.
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

// payload processes one payload and starts answering the questions that it raised.
func (l *loop) payload(p *stream.Processor, name string, payload []byte) error {
	if err := p.Feed(l.ctx, name, payload); err != nil {
		return err
	}
	l.ask()
	return nil
}

// fail ends the run if there is an error: nothing is accepted or sent any more.
func (l *loop) fail(err error) error {
	if err != nil {
		l.over, l.err = true, err
	}
	return err
}

// ended returns why the run ended in the meantime, nil if it goes on.
func (l *loop) ended() error {
	if l.err == nil && l.ctx.Err() != nil {
		return l.fail(context.Cause(l.ctx))
	}
	return l.err
}

// settle waits for all verdicts on an answer that has reached its end. It returns
// the denials to tell the model about.
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

// await releases the lock until an answer was processed or the run is over.
func (l *loop) await() {
	aside := l.whileItRuns()
	l.mu.Unlock()
	defer l.mu.Lock()
	select {
	case <-l.taken:
	case <-aside.Done():
	}
}

// again asks the host for the model's next answer. If there is none, the client
// is told about the denials, but not why there is no answer.
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

// resume continues with the model's next answer. If there is none, the denials
// end the turn.
func (l *loop) resume(next Source) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	if next == nil {
		l.over = true // what is sent from here on ends the turn
		return errors.Join(l.e.Refuse(l.out), l.ctx.Err())
	}
	if err := l.e.Resume(l.out); err != nil {
		return l.fail(err)
	}
	return l.fail(l.flush())
}

// finish ends the run: nothing is sent after it.
func (l *loop) finish(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over, l.good = true, err == nil
	if err != nil {
		l.e.Cancel()
	}
	return err
}

// leave waits until nothing started by the loop is running.
func (l *loop) leave() {
	l.mu.Lock()
	l.over = true // even if the host panicked
	l.mu.Unlock()
	l.unwatch()
	l.end()
	l.running.Wait()
	l.e.Close()
	if l.isAlone() {
		l.e.space.putAway()
	}
}

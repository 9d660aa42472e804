package policy

import (
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
	// Stop stops the upstream, so that Source.Next returns. It is called when
	// the answer is over before its source is; nil means that the source stops
	// by itself when the context is done.
	Stop func()
	// Limits bound what is kept of an answer.
	Limits stream.Limits
	// Questions is how many questions are asked at once; 0 means 64.
	Questions int
}

// Run is the loop of a host: it reads an answer from src, lets the questions be
// answered beside it, keeps the client alive while it waits, and sends what may
// leave to out. It returns when the answer is over, with every goroutine of its
// own gone: nil if it came to its end, whatever was blocked in it, an
// *AbortError if it was aborted, else what the upstream or the client failed
// with. The engine is closed then.
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
	l := &loop{e: e, out: out, o: o, answers: make(chan Answer), asking: make(chan struct{}, o.Questions)}
	var cancel context.CancelFunc
	l.ctx, cancel = context.WithCancel(ctx)
	defer func() {
		cancel()
		if o.Stop != nil {
			o.Stop()
		}
		l.running.Wait()
		e.Close()
	}()
	for {
		if err := l.answer(src); err != nil { //nolint:contextcheck // it is the loop's
			e.Cancel()
			return err
		}
		denials := e.Denials()
		if denials == nil {
			return nil
		}
		next, err := l.again(denials)
		if err != nil || next == nil {
			return errors.Join(e.Refuse(out), ctx.Err())
		}
		if err := e.Resume(out); err != nil {
			return err
		}
		src = next
	}
}

type loop struct {
	e       *Engine
	ctx     context.Context //nolint:containedctx // it lives as long as the loop
	out     *stream.Output
	o       RunOptions
	answers chan Answer
	running sync.WaitGroup
	asking  chan struct{} // has room for those that are asked
	sent    int64
}

// payload is what a source gave; the reader waits for taken before it reads on.
type payload struct {
	name  string
	data  []byte
	err   error
	taken chan struct{}
}

// read reads a source until it ends or nobody listens.
func (l *loop) read(ctx context.Context, src Source, to chan<- payload) {
	defer l.running.Done()
	taken := make(chan struct{}, 1) // never blocks the loop when the reader has gone
	for {
		name, data, err := next(src)
		select {
		case to <- payload{name, data, err, taken}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
		select {
		case <-taken:
		case <-ctx.Done():
			return
		}
	}
}

// next reads from a source; one that panics has failed.
func next(src Source) (name string, data []byte, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("policy: the source panicked: %v", x)
		}
	}()
	return src.Next()
}

// answer reads one answer of the upstream to its end and waits for all
// verdicts.
func (l *loop) answer(src Source) error {
	ctx, stop := context.WithCancel(l.ctx)
	defer stop()
	payloads := make(chan payload)
	l.running.Add(1)
	go l.read(ctx, src, payloads)
	processor := stream.NewProcessor(l.e.opts.Format.NewDecoder(), l.o.Limits, l.e, l.out)
	var tick <-chan time.Time
	if l.o.Keepalive > 0 {
		ticker := time.NewTicker(l.o.Keepalive)
		defer ticker.Stop()
		tick = ticker.C
	}
	for payloads != nil || l.e.Pending()+l.e.Shadowing() > 0 {
		var err error
		select {
		case p := <-payloads:
			if err = l.feed(processor, p); err == nil && p.err != nil {
				payloads = nil
			}
		case a := <-l.answers:
			err = l.e.Take(ctx, a, l.out)
		case <-tick:
			if payloads != nil || l.e.Pending() > 0 {
				err = l.keepalive()
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		l.ask()
	}
	if l.e.Waiting() && l.e.Denials() == nil {
		return errors.Join(stream.ErrIncomplete, l.e.Fail(stream.ErrIncomplete, l.out))
	}
	return nil
}

// feed hands one payload on. An answer that was cut fails in the open.
func (l *loop) feed(p *stream.Processor, in payload) error {
	var err error
	switch {
	case in.err == nil:
		err = p.Feed(l.ctx, in.name, in.data)
		if err == nil {
			in.taken <- struct{}{}
		}
	case errors.Is(in.err, io.EOF) && !errors.Is(in.err, io.ErrUnexpectedEOF):
		err = p.End(l.ctx)
	default:
		err = in.err
	}
	if err == nil || l.e.Ended() {
		return err
	}
	return errors.Join(err, l.e.Fail(err, l.out))
}

// ask lets the new questions be answered.
func (l *loop) ask() {
	for _, q := range l.e.Questions() {
		l.running.Go(func() {
			select {
			case l.asking <- struct{}{}:
			case <-l.ctx.Done():
				return
			}
			a := q.Ask(l.ctx)
			<-l.asking
			select {
			case l.answers <- a:
			case <-l.ctx.Done():
			}
		})
	}
}

// keepalive sends a sign of life if nothing was sent since the last one.
func (l *loop) keepalive() error {
	sent := l.out.Sent()
	quiet := sent == l.sent
	l.sent = sent
	if !quiet {
		return nil
	}
	err := l.out.Keepalive()
	l.sent = l.out.Sent()
	return err
}

// again asks the host for the model's next answer, keeping the client alive.
func (l *loop) again(denials []Denial) (Source, error) {
	if l.o.Feedback == nil {
		return nil, nil //nolint:nilnil // no feedback is no next answer
	}
	type result struct {
		src Source
		err error
	}
	done := make(chan result, 1)
	l.running.Go(func() {
		var r result
		defer func() {
			if x := recover(); x != nil {
				r = result{err: fmt.Errorf("policy: the host's feedback panicked: %v", x)}
			}
			done <- r
		}()
		r.src, r.err = l.o.Feedback.Again(l.ctx, denials)
	})
	var tick <-chan time.Time
	if l.o.Keepalive > 0 {
		ticker := time.NewTicker(l.o.Keepalive)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		select {
		case r := <-done:
			return r.src, r.err
		case <-tick:
			if err := l.keepalive(); err != nil {
				return nil, err
			}
		case <-l.ctx.Done():
			return nil, context.Cause(l.ctx)
		}
	}
}

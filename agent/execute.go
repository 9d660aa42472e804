package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/sluice-project/sluice/llm"
)

// execute runs the calls that are not settled: several concurrently, but those
// of sequential tools alone. It returns when all that were started have ended.
func (l *looping) execute(ctx context.Context, req *Request, b *batch) {
	for i := range b.calls {
		c := &b.calls[i]
		if c.settled {
			l.tell(c)
		} else if c.waits == nil && !l.ready(ctx, req, b, c) {
			l.tell(c)
		}
	}
	for from := 0; from < len(b.calls); {
		to := from
		var segment []*pendingCall
		for to < len(b.calls) {
			c := &b.calls[to]
			alone := c.tool != nil && c.tool.Sequential
			if alone && len(segment) > 0 {
				break
			}
			to++
			if !c.settled && c.waits == nil {
				segment = append(segment, c)
				if alone {
					break
				}
			}
		}
		if l.left || b.fatal != nil || ctx.Err() != nil {
			return
		}
		l.together(ctx, b, segment)
		from = to
	}
}

// ready finds out whether a call can be run, and counts it.
func (l *looping) ready(ctx context.Context, req *Request, b *batch, c *pendingCall) bool {
	if !l.runnable(ctx, req, c) {
		return false
	}
	if c.answer != nil {
		return true // it was counted before a person was asked
	}
	if limit := l.counts.reached(&l.cfg.Limits, c.tool.Name, c.call.Arguments); limit != nil {
		if b.limit == nil {
			b.limit = limit
		}
		c.refuse(OverLimit, "not run: "+limit.String())
		return false
	}
	return true
}

// runnable finds out whether a call can be run at all.
func (l *looping) runnable(ctx context.Context, req *Request, c *pendingCall) bool {
	return c.runnable(req, func(name string) *Tool {
		if l.cfg.Unknown == nil {
			return nil
		}
		return l.cfg.Unknown(ctx, name)
	})
}

// together runs calls concurrently, up to the configured number.
func (l *looping) together(ctx context.Context, b *batch, calls []*pendingCall) {
	workers := min(l.cfg.Parallel, len(calls))
	if workers <= 1 {
		for _, c := range calls {
			if l.left || b.fatal != nil || ctx.Err() != nil {
				return
			}
			var o returned
			l.call(ctx, c, &o)
			l.took(b, c, &o)
			l.tell(c)
		}
		return
	}
	var next atomic.Int32
	ended := make(chan finished, len(calls))
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(calls) {
				return
			}
			l.callBeside(ctx, calls[i], ended)
		}
	}
	if l.emitsResults() {
		workers++
	}
	for range workers - 1 {
		go work()
	}
	missing := len(calls)
	// Wait for what was started, even if the consumer panics during an event.
	defer func() {
		if missing > 0 {
			l.stop(ErrCancelled) // the run is over
		}
		for ; missing > 0; missing-- {
			f := <-ended
			l.took(b, f.pendingCall, &f.returned)
		}
	}()
	if !l.emitsResults() {
		work() // nobody waits for events in the meantime
	}
	for missing > 0 {
		f := <-ended
		missing--
		l.took(b, f.pendingCall, &f.returned)
		if l.tell(f.pendingCall); l.left || b.fatal != nil {
			return
		}
	}
}

// emitsResults reports whether results are emitted as they arrive.
func (l *looping) emitsResults() bool { return l.cfg.Stream == All && !l.quiet }

// returned is what a tool returned.
type returned struct {
	output Output
	err    error
	// skipped: the run was over before it started.
	skipped bool
}

// finished is a call and its result.
type finished struct {
	*pendingCall
	returned
}

// callBeside runs a call and reports its result, even if the tool ends its
// goroutine.
func (l *looping) callBeside(ctx context.Context, c *pendingCall, ended chan<- finished) {
	f := finished{pendingCall: c}
	defer func() { ended <- f }()
	if ctx.Err() != nil {
		f.skipped = true
		return
	}
	l.call(ctx, c, &f.returned)
}

// took processes the result of a call.
func (l *looping) took(b *batch, c *pendingCall, o *returned) {
	if o.skipped {
		return
	}
	if o.err == nil {
		c.settle(o.output.Text, o.output.Failed)
	} else if !b.failed(c, o.err) {
		return
	}
	b.ran++
	if len(c.output) > l.cfg.MaxResult {
		c.result.Text = fmt.Sprintf("failed: the result has %d bytes, and at most %d can be sent to a model: ask for less",
			len(c.output), l.cfg.MaxResult)
		c.result.Failed = true
	}
}

// failed processes a tool's error. It returns false if the call was not run.
func (b *batch) failed(c *pendingCall, err error) (ran bool) {
	defer func() {
		if recover() != nil { // methods of a foreign error can panic
			c.settle("failed: "+c.call.Name+" returned an error that cannot be read", true)
			ran = true
		}
	}()
	var (
		pause    *interruptError
		fatal    *FatalError
		declined *declinedError
	)
	switch {
	case errors.As(err, &declined):
		c.refuse(declined.why, failure(c, declined))
		return false
	case errors.As(err, &pause):
		question, problem := json.Marshal(pause.question)
		if problem == nil {
			c.wait(Pending{Question: question})
			return false
		}
		c.settle(fmt.Sprintf("failed: the question to a person has no form in JSON: %v", problem), true)
	case errors.As(err, &fatal):
		c.settle(failure(c, fatal.Err), true)
		if b.fatal == nil {
			b.fatal = &FatalError{Tool: c.call.Name, Err: fatal.Err}
		}
	default:
		c.settle(failure(c, err), true)
	}
	return true
}

// tell emits the result of a call, once.
func (l *looping) tell(c *pendingCall) {
	if l.left || c.emitted || !c.settled || !l.emitsResults() {
		return
	}
	c.emitted = true
	l.left = !l.yield(Event{
		Type: EventToolResult, Round: len(l.turn.rounds), Block: c.from, ID: c.call.ID, Name: c.call.Name,
		Text: c.output, Outcome: c.outcome, Call: &c.call, Result: &c.result,
	}, nil)
}

// failure is what the model is told about an error.
func failure(c *pendingCall, err error) (text string) {
	defer func() {
		// An error that is a nil pointer may panic when called.
		if recover() != nil || strings.TrimSpace(text) == "" {
			text = "failed: " + c.call.Name + " did not say why"
		}
	}()
	return err.Error()
}

// call runs one call with its timeout, and recovers its panics.
func (l *looping) call(ctx context.Context, c *pendingCall, o *returned) {
	ended := false
	defer func() {
		if ended {
			return
		}
		if problem := recover(); problem != nil {
			o.err = fmt.Errorf("failed: %s panicked: %v", c.tool.Name, problem)
		} else {
			o.err = fmt.Errorf("failed: %s ended its goroutine", c.tool.Name)
		}
	}()
	call := Call{ID: c.call.ID, Name: c.tool.Name, Arguments: argumentsOf(&c.call), Round: len(l.turn.rounds), Answer: c.answer}
	if l.cfg.Around != nil {
		o.output, o.err = l.cfg.Around(ctx, c.tool, call, c.tool.run)
	} else {
		o.output, o.err = c.tool.run(ctx, call)
	}
	if o.err != nil && safely(func() bool { return errors.As(o.err, new(*FatalError)) }) {
		l.stop(ErrCancelled) // the calls running concurrently
	}
	ended = true
}

// argumentsOf are a call's arguments, {} if it has none.
func argumentsOf(b *llm.Block) json.RawMessage {
	if strings.TrimSpace(b.Arguments) == "" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(b.Arguments)
}

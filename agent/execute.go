package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/sluice-project/sluice/llm"
)

// execute runs the calls that are not settled: several at a time, but those of
// sequential tools alone. It returns when all that began have ended.
func (l *looping) execute(ctx context.Context, req *Request, b *batch) {
	ctx = context.WithValue(ctx, valuesKey{}, req.Values)
	for _, c := range b.calls {
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
			c := b.calls[to]
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
	ok := c.runnable(req, func(name string) *Tool {
		if l.cfg.Unknown == nil {
			return nil
		}
		return l.cfg.Unknown(ctx, name)
	})
	if !ok {
		return false
	}
	if c.answer != nil {
		return true // it was counted before a person was asked
	}
	if limit := l.counts.reached(&l.cfg.Limits, c.tool.Name, c.call.Arguments); limit != nil {
		if b.limit == nil {
			b.limit = limit
		}
		c.refuse("not run: " + limit.String())
		return false
	}
	return true
}

// together runs calls at the same time, as many as may.
func (l *looping) together(ctx context.Context, b *batch, calls []*pendingCall) {
	if len(calls) == 0 {
		return
	}
	if len(calls) == 1 || l.cfg.Parallel == 1 {
		for _, c := range calls {
			if l.left || b.fatal != nil || ctx.Err() != nil {
				return
			}
			var o outcome
			l.call(ctx, c, &o)
			l.took(b, c, o)
			l.tell(c)
		}
		return
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var (
		queue = make(chan *pendingCall, len(calls))
		ended = make(chan finished, len(calls))
		wait  sync.WaitGroup
	)
	for _, c := range calls {
		queue <- c
	}
	close(queue)
	for range min(l.cfg.Parallel, len(calls)) {
		wait.Go(func() {
			for c := range queue {
				if ctx.Err() != nil {
					return
				}
				l.callBeside(ctx, c, ended)
			}
		})
	}
	go func() {
		wait.Wait()
		close(ended)
	}()
	// What began is waited for, also if the consumer panics while it is told.
	defer func() {
		stop()
		for f := range ended {
			l.took(b, f.pendingCall, f.outcome)
		}
	}()
	for f := range ended {
		l.took(b, f.pendingCall, f.outcome)
		if l.tell(f.pendingCall); l.left || b.fatal != nil {
			return
		}
	}
}

// outcome is what came of a call.
type outcome struct {
	output Output
	err    error
}

// finished is a call and what came of it.
type finished struct {
	*pendingCall
	outcome
}

// callBeside runs a call and says what came of it, also if the tool ends its
// goroutine.
func (l *looping) callBeside(ctx context.Context, c *pendingCall, ended chan<- finished) {
	f := finished{pendingCall: c}
	defer func() { ended <- f }()
	l.call(ctx, c, &f.outcome)
}

// took takes in what came of a call.
func (l *looping) took(b *batch, c *pendingCall, o outcome) {
	var (
		pause *interruptError
		fatal *FatalError
	)
	switch {
	case errors.As(o.err, &pause):
		question, err := json.Marshal(pause.question)
		if err == nil {
			c.wait(Pending{Question: question})
			return
		}
		c.settle(fmt.Sprintf("failed: the question to a person has no form in JSON: %v", err), true)
	case errors.As(o.err, &fatal):
		c.settle(failure(c, fatal.Err), true)
		if b.fatal == nil {
			b.fatal = &FatalError{Tool: c.call.Name, Err: fatal.Err}
		}
	case o.err != nil:
		c.settle(failure(c, o.err), true)
	default:
		c.settle(o.output.Text, o.output.Failed)
	}
	b.ran++
	if len(c.output) > l.cfg.MaxResult {
		c.result.Text = fmt.Sprintf("failed: the result has %d bytes, and at most %d can be told to a model: ask for less",
			len(c.output), l.cfg.MaxResult)
		c.result.Failed = true
	}
}

// tell tells what came of a call, once.
func (l *looping) tell(c *pendingCall) {
	if l.left || c.told || !c.settled || l.cfg.Stream != All {
		return
	}
	c.told = true
	call, result := c.call, c.result
	l.left = !l.yield(Event{
		Type: EventToolResult, Round: len(l.turn.rounds), Block: c.block, ID: call.ID, Name: call.Name,
		Text: c.output, Call: &call, Result: &result,
	}, nil)
}

// failure is what the model is told of an error.
func failure(c *pendingCall, err error) string {
	if text := err.Error(); text != "" {
		return text
	}
	return "failed: " + c.call.Name + " did not say why"
}

// call runs one call, with its time, and survives it.
func (l *looping) call(ctx context.Context, c *pendingCall, o *outcome) {
	if c.tool.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, c.tool.Timeout,
			fmt.Errorf("failed: %s took longer than %v", c.tool.Name, c.tool.Timeout))
		defer stop()
	}
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
		o.output, o.err = l.cfg.Around(ctx, c.tool, call, c.tool.Run)
	} else {
		o.output, o.err = c.tool.Run(ctx, call)
	}
	if errors.Is(o.err, context.DeadlineExceeded) && ctx.Err() != nil {
		o.err = context.Cause(ctx)
	}
	ended = true
}

// argumentsOf are a call's arguments, {} if it has none.
func argumentsOf(b *llm.Block) json.RawMessage {
	if b.Arguments == "" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(b.Arguments)
}

package main

import (
	"context"
	"errors"
	"sync"

	"github.com/sluice-project/sluice/agent"
)

// turn asks the agent and shows the events. Errors are shown, and returned.
func (c *conversation) turn(ctx context.Context, question string) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	run := c.client.Run(ctx, &agent.Request{Conversation: c.id, Text: question})
	unwatch := c.watch(func() {
		run.Cancel(agent.Now)
		stop(agent.ErrCancelled) // ends a question to the person
	})
	var failed error
	for ev, err := range run.Events() { //nolint:contextcheck // the run has it
		switch {
		case err != nil:
			failed = err
		case ev.Type == agent.EventAsk:
			c.answer(ctx, ev.Ask)
		default:
			c.show(ev)
		}
	}
	unwatch()
	switch {
	case errors.Is(failed, agent.ErrCancelled):
		c.line(yellow, "(cancelled)")
	case failed != nil:
		c.line(red, "error: "+clean(failed.Error()))
	}
	c.sum(run.Result())
	return failed
}

// answer lets the person answer a policy's question.
func (c *conversation) answer(ctx context.Context, ask *agent.Ask) {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	c.line(yellow, "? "+ask.Call.Name+" "+oneLine(ask.Call.Arguments, 500)+" — the policy "+ask.Policy+" asks: "+oneLine(ask.Reason, 300))
	if c.confirm(ctx, "allow it?") {
		ask.Approve("the person at the terminal")
	} else {
		ask.Deny("the person at the terminal", "the person said no")
	}
}

// watch makes the first Ctrl-C cancel the turn and the second one exit, until unwatch
// is called.
func (c *conversation) watch(cancel func()) (unwatch func()) {
	var (
		over     = make(chan struct{})
		watching sync.WaitGroup
	)
	watching.Go(func() {
		for again := false; ; again = true {
			select {
			case <-c.interrupts:
				cancel()
				c.leaving.Store(again)
			case <-over:
				return
			}
		}
	})
	return func() {
		close(over)
		watching.Wait()
	}
}

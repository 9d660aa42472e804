package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/model"
)

// Client asks a model through a chain of advisors. It is immutable, and serves any
// number of runs concurrently. Make one with New or NewClient.
type Client struct {
	advisors []Advisor
	// chain has one Next for each advisor, and the model's at the end.
	chain []Next
	// quiet: no advisor but a memory is outside the tool loop. mute: nor is one
	// inside, so that nobody sees the events of a Call.
	quiet, mute bool
	// system and tools are part of every request.
	system string
	tools  []*Tool
}

// NewClient returns a client with exactly these advisors, sorted by their orders.
// Most programs are better served by New, which knows what belongs together. It
// rejects what cannot work: nil advisors, two that run tools, a tool loop without
// history and no memory inside it.
func NewClient(m model.Model, advisors ...Advisor) (*Client, error) {
	if m == nil {
		return nil, errors.New("agent: there is no model")
	}
	c := &Client{advisors: slices.Clone(advisors)}
	for i, a := range c.advisors {
		if a == nil {
			return nil, fmt.Errorf("agent: advisor %d is nil", i+1)
		}
		if b, ok := a.(interface{ usable() error }); ok {
			if err := b.usable(); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(c.advisors, func(a, b Advisor) int {
		switch x, y := orderOf(a), orderOf(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		default:
			return 0
		}
	})
	if err := checkChain(c.advisors); err != nil {
		return nil, err
	}
	c.quiet, c.mute = silent(c.advisors)
	c.chain = make([]Next, len(c.advisors)+1)
	c.chain[len(c.advisors)] = ask(m)
	for i, a := range c.advisors {
		c.chain[i] = func(ctx context.Context, req *Request) Events {
			if events := a.Advise(ctx, req, c.chain[i+1]); events != nil {
				return events
			}
			return failing(fmt.Errorf("agent: the advisor %q returned a nil sequence: return at least an empty one", a.Name()))
		}
	}
	return c, nil
}

// failing is a sequence that only yields an error.
func failing(err error) Events {
	return func(yield func(Event, error) bool) { yield(Event{}, err) }
}

// checkChain rejects advisors that cannot work together.
func checkChain(advisors []Advisor) error {
	loop, remembers := -1, ""
	for i, a := range advisors {
		if _, ok := a.(MemoryAdvisor); ok {
			if remembers != "" {
				return fmt.Errorf("agent: at most one advisor can be a memory, and there are two: %q and %q", remembers, a.Name())
			}
			remembers = a.Name()
		}
		if _, ok := a.(ToolAdvisor); !ok {
			continue
		}
		if loop >= 0 {
			return fmt.Errorf("agent: at most one advisor can run tools, and there are two: %q and %q", advisors[loop].Name(), a.Name())
		}
		loop = i
	}
	for i, a := range advisors {
		_, repairs := a.(*Structured)
		further := slices.ContainsFunc(advisors[i+1:], func(a Advisor) bool {
			_, memory := a.(MemoryAdvisor)
			_, tools := a.(ToolAdvisor)
			return memory || tools
		})
		if repairs && further {
			return errors.New("agent: an advisor for structured output must be inside the tool loop and the memory: " +
				"its repairs are not part of the conversation. Leave its Order at zero")
		}
	}
	if loop < 0 {
		return nil
	}
	l := loopOf(advisors[loop])
	inside := slices.ContainsFunc(advisors[loop+1:], func(a Advisor) bool {
		_, ok := a.(MemoryAdvisor)
		return ok
	})
	if l != nil && l.cfg.NoHistory && !inside {
		return errors.New("agent: the tool loop keeps no history and there is no memory inside it: " +
			"the model would get results of calls that it has not seen. " +
			"Leave NoHistory out, or give the memory the Order InsideLoop")
	}
	return nil
}

// silent finds out whether anybody sees events that were not asked for.
func silent(advisors []Advisor) (quiet, mute bool) {
	loop := slices.IndexFunc(advisors, func(a Advisor) bool {
		_, ok := a.(*ToolLoop)
		return ok
	})
	if loop < 0 {
		return false, false
	}
	others := func(some []Advisor) bool {
		return slices.ContainsFunc(some, func(a Advisor) bool {
			_, ok := a.(*Memory)
			return !ok
		})
	}
	quiet = !others(advisors[:loop])
	return quiet, quiet && !others(advisors[loop+1:])
}

// Advisors returns the advisors in their order, outermost first.
func (c *Client) Advisors() []Advisor { return slices.Clone(c.advisors) }

// After returns the rest of the chain after an advisor, for advisors that want
// to enter it there. An advisor that is not in the chain is an error.
func (c *Client) After(a Advisor) (Next, error) {
	if a == nil {
		return nil, errors.New("agent: the advisor is nil")
	}
	for i, have := range c.advisors {
		if have == a {
			return c.chain[i+1], nil
		}
	}
	return nil, fmt.Errorf("agent: advisor %q is not in this chain", a.Name())
}

// loops reports whether there is a tool loop.
func (c *Client) loops() bool {
	return slices.ContainsFunc(c.advisors, func(a Advisor) bool { return loopOf(a) != nil })
}

// loopOf is the tool loop that an advisor is or embeds; nil if there is none.
func loopOf(a Advisor) *ToolLoop {
	if l, ok := a.(interface{ self() *ToolLoop }); ok {
		return l.self()
	}
	return nil
}

// memory returns the memory, nil if there is none, and whether it is outside the
// tool loop.
func (c *Client) memory() (m *Memory, outside bool) {
	outside = true
	for _, a := range c.advisors {
		switch a := a.(type) {
		case ToolAdvisor:
			outside = false
		case *Memory:
			return a, outside
		}
	}
	return nil, false
}

// Run returns a run of the request. Nothing happens before its events are ranged
// over. The request must not be changed until the run is over.
func (c *Client) Run(ctx context.Context, req *Request) *Run {
	return &Run{client: c, ctx: ctx, req: req}
}

// Call runs a request and waits for its end: a call is a collected stream. The
// result is never nil; with an error it holds what there was up to then.
func (c *Client) Call(ctx context.Context, req *Request) (*Result, error) {
	return collect(c.Run(ctx, req)) //nolint:contextcheck // the run has it
}

// collect waits for the end of a run.
func collect(run *Run) (*Result, error) {
	if c := run.client; c != nil {
		run.turn.quiet, run.turn.mute = c.quiet, c.mute
	}
	var failed error
	for _, err := range run.Events() {
		failed = err
	}
	return run.Result(), failed
}

// prepare makes the request that goes into the chain.
func (c *Client) prepare(req *Request, t *turn) (*Request, error) {
	switch {
	case c == nil || len(c.chain) == 0:
		return nil, errors.New("agent: a client is made with New or NewClient")
	case req == nil:
		return nil, errors.New("agent: the request is nil")
	}
	r := req.Clone()
	r.run = t
	r.Round = 0
	if strings.TrimSpace(r.Text) != "" {
		r.Messages = append(r.Messages, userText(r.Text))
	}
	r.Text = ""
	if len(r.Messages) == 0 {
		return nil, errors.New("agent: the request asks nothing: it has neither Text nor Messages")
	}
	for i := range r.Messages {
		if memory.IsEmpty(r.Messages[i]) {
			return nil, fmt.Errorf("agent: message %d of the request is empty", i+1)
		}
	}
	if c.system != "" {
		r.System = strings.TrimSpace(c.system + "\n\n" + r.System)
	}
	if len(r.Tools) == 0 {
		r.Tools = slices.Clip(c.tools)
	} else {
		r.Tools = append(slices.Clip(c.tools), r.Tools...)
		if err := checkTools(r.Tools); err != nil {
			return nil, err
		}
	}
	if r.Values == nil {
		r.Values = &Values{}
	}
	return r, nil
}

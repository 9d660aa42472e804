package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/llm"
)

// StreamMode says what of the rounds that call tools is seen in the events.
type StreamMode uint8

const (
	// FinalBuffered shows nothing of a round that calls tools. Whether one does
	// is known at its end, so the answer comes then, all at once.
	FinalBuffered StreamMode = iota
	// FinalLive shows text and thinking as they come, and nothing of the calls. A
	// round that turns out to call tools ends with an EventRoundEnd whose answer
	// has calls; what it said before can be discarded then.
	FinalLive
	// All shows everything of every round as it comes.
	All
)

// String returns the mode's name.
func (m StreamMode) String() string {
	switch m {
	case FinalBuffered:
		return "final-buffered"
	case FinalLive:
		return "final-live"
	case All:
		return "all"
	default:
		return "unknown"
	}
}

// ParseStreamMode reads a mode's name.
func ParseStreamMode(name string) (StreamMode, error) {
	for _, m := range []StreamMode{FinalBuffered, FinalLive, All} {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, fmt.Errorf("agent: there is no stream mode %q: it is final-buffered, final-live or all", name)
}

// LoopConfig says how a tool loop works. The zero value is ready to use.
type LoopConfig struct {
	// Order is where the loop stands; 0 means LoopOrder.
	Order int
	// NoHistory sends only the results of the last round into the chain, for a
	// memory inside the loop that knows the rest.
	NoHistory bool
	// Stream says what is seen of the rounds that call tools.
	Stream StreamMode
	// Limits end loops that do not end by themselves.
	Limits Limits
	// Parallel is how many tools of a round run at the same time; 0 means 8, 1
	// one after the other.
	Parallel int
	// MaxResult is the most bytes of a result that a model is told; 0 means 1 MiB.
	// A longer one becomes a failed result that says so.
	MaxResult int
	// Eligible decides whether the calls of an answer are run. Nil means if there
	// are any. Calls of answers that are not eligible are the caller's.
	Eligible func(a *Answer) bool
	// Around runs each call; nil means that run does.
	Around Around
	// Unknown is told of a call for which there is no tool, and may run it. Nil,
	// or a nil tool, tells the model which tools there are.
	Unknown func(ctx context.Context, name string) *Tool

	// Hooks are called once per run or round, in this order. They may change what
	// they are given. An error ends the run.

	// Initialise is called first, with the request of the run.
	Initialise func(ctx context.Context, req *Request) error
	// Before is called with the request of each round. Tools that it adds can be
	// called in that round.
	Before func(ctx context.Context, req *Request) error
	// After is called with each answer, before its calls are run. What it leaves of
	// the answer is run, remembered and, in FinalBuffered, shown. In the other modes
	// its text has been seen already (Answer.Live), and cannot be changed for those
	// who saw it.
	After func(ctx context.Context, req *Request, a *Answer) error
	// NextInstructions is called after the tools of a round, with the messages of
	// the next request, and returns those that are sent. They are sent in the
	// later rounds too.
	NextInstructions func(ctx context.Context, req *Request, messages []llm.Message) ([]llm.Message, error)
	// Finalise is called exactly once, however the run ended, with what it came to
	// and the error that ended it. It may change the result; the messages follow the
	// answer unless it changes them too. What was not shown before, all of the answer
	// in FinalBuffered, is shown afterwards as it leaves it, or not at all if it
	// fails. For text that is live (Answer.Live) it is too late.
	Finalise func(ctx context.Context, r *Result, err error) error
}

// Around runs a call of a tool, with run doing it. It may change the call and what
// came of it, or not run it at all. It is called by several goroutines.
type Around func(ctx context.Context, tool *Tool, call Call, run func(context.Context, Call) (Output, error)) (Output, error)

// The defaults of LoopConfig.
const (
	DefaultParallel  = 8
	DefaultMaxResult = 1 << 20
)

// ToolLoop is the advisor that runs tools: it asks the rest of the chain, runs the
// tools that the answer calls, tells their results, and asks again, until the model
// calls none.
//
// Tools are run when the answer is whole, and never if it was truncated, filtered
// or refused, or if the call was. What a call did wrong, an error of a tool and its
// panic are told to the model.
type ToolLoop struct{ cfg LoopConfig }

// NewToolLoop returns a tool loop.
func NewToolLoop(cfg LoopConfig) (*ToolLoop, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	l := &ToolLoop{cfg: cfg}
	if cfg.Order == 0 {
		l.cfg.Order = LoopOrder
	}
	if cfg.Parallel == 0 {
		l.cfg.Parallel = DefaultParallel
	}
	if cfg.MaxResult == 0 {
		l.cfg.MaxResult = DefaultMaxResult
	}
	if cfg.Eligible == nil {
		l.cfg.Eligible = (*Answer).HasCalls
	}
	l.cfg.Limits = cfg.Limits.orDefaults()
	return l, nil
}

// usable says why the loop cannot work.
func (l *ToolLoop) usable() error {
	if l == nil || l.cfg.Eligible == nil {
		return errors.New("agent: a tool loop is made with NewToolLoop")
	}
	return nil
}

// check says why a loop cannot be so.
func (c *LoopConfig) check() error {
	switch {
	case c.Order == Outermost || c.Order == Innermost:
		return errors.New("agent: the tool loop cannot have the Order Outermost or Innermost: nothing could stand around it")
	case c.Parallel < 0:
		return fmt.Errorf("agent: the tool loop cannot run %d tools at the same time", c.Parallel)
	case c.MaxResult < 0:
		return fmt.Errorf("agent: a result cannot have at most %d bytes", c.MaxResult)
	case c.Stream > All:
		return fmt.Errorf("agent: there is no stream mode %d", c.Stream)
	default:
		return nil
	}
}

// Name is "tool loop".
func (l *ToolLoop) Name() string { return "tool loop" }

// Order is where the loop stands.
func (l *ToolLoop) Order() int { return l.cfg.Order }

// RunsTools marks it.
func (l *ToolLoop) RunsTools() {}

func (l *ToolLoop) self() *ToolLoop { return l }

// Advise runs the loop.
func (l *ToolLoop) Advise(ctx context.Context, req *Request, next Next) Events {
	return func(yield func(Event, error) bool) {
		newLooping(l, req, next, yield).run(ctx)
	}
}

var (
	_ ToolAdvisor = (*ToolLoop)(nil)
	_ Ordered     = (*ToolLoop)(nil)
)

package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/llm"
)

// StreamMode says what the events show of rounds that call tools.
type StreamMode uint8

const (
	// FinalBuffered shows nothing of a round that calls tools. Whether it does
	// is known at its end, so the answer is shown then, all at once.
	FinalBuffered StreamMode = iota
	// FinalLive shows text and thinking as they arrive, and nothing of the calls.
	// A round that turns out to call tools ends with an EventRoundEnd whose
	// answer has calls; its text can be discarded then.
	FinalLive
	// All shows everything of every round as it arrives.
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

// ParseStreamMode parses a mode's name.
func ParseStreamMode(name string) (StreamMode, error) {
	for _, m := range []StreamMode{FinalBuffered, FinalLive, All} {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, fmt.Errorf("agent: unknown stream mode %q: use final-buffered, final-live or all", name)
}

// LoopConfig configures a tool loop. The zero value is ready to use.
type LoopConfig struct {
	// Order is the loop's order; 0 means LoopOrder.
	Order int
	// NoHistory passes only the results of the last round down the chain, for a
	// memory inside the loop that has the rest.
	NoHistory bool
	// Stream says what is shown of rounds that call tools.
	Stream StreamMode
	// Limits stop loops that do not end on their own.
	Limits Limits
	// Parallel is how many tools of a round run concurrently; 0 means 8, 1 one
	// after the other.
	Parallel int
	// MaxResult is the maximum size in bytes of a result for the model; 0 means 1
	// MiB. A longer one becomes a failed result that says so.
	MaxResult int
	// Eligible decides whether the calls of an answer are run. Nil means whenever
	// there are any. Calls of answers that are not eligible are left to the
	// caller.
	Eligible func(a *Answer) bool
	// Around wraps each call; nil means that run is called directly.
	Around Around
	// Unknown is called for a call to a tool that does not exist, and may supply
	// one. If it is nil, or returns nil, the model is told which tools there
	// are.
	Unknown func(ctx context.Context, name string) *Tool

	// Hooks are called once per run or round, in this order. They may change
	// their arguments. An error ends the run.

	// Initialise is called first, with the request of the run.
	Initialise func(ctx context.Context, req *Request) error
	// Before is called with the request of each round. Tools that it adds can be
	// called in that round.
	Before func(ctx context.Context, req *Request) error
	// After is called with each answer, before its calls are run. The answer as it
	// leaves the hook is run, stored and, in FinalBuffered, shown. In the other
	// modes its text has been shown already (Answer.Live), and can no longer be
	// changed there.
	After func(ctx context.Context, req *Request, a *Answer) error
	// NextInstructions is called after the tools of a round, with the messages of
	// the next request, and returns those that are sent, in later rounds too.
	NextInstructions func(ctx context.Context, req *Request, messages []llm.Message) ([]llm.Message, error)
	// Finalise is called exactly once, however the run ended, with its result and the
	// error that ended it. It may change the result; the messages follow the answer
	// unless it changes them too. What was not shown before, which is the whole
	// answer in FinalBuffered, is shown afterwards as Finalise leaves it, or not at
	// all if it fails. For text that is live (Answer.Live) it is too late.
	Finalise func(ctx context.Context, r *Result, err error) error
}

// Around wraps a call of a tool, which run executes. It may change the call and
// its result, or not run it at all. It is called by several goroutines.
type Around func(ctx context.Context, tool *Tool, call Call, run func(context.Context, Call) (Output, error)) (Output, error)

// The defaults of LoopConfig.
const (
	DefaultParallel  = 8
	DefaultMaxResult = 1 << 20
)

// ToolLoop is the advisor that runs tools: it asks the rest of the chain, runs the
// tools that the answer calls, adds their results, and asks again, until the model
// calls none.
//
// Tools are run when the answer is complete, and never if it was truncated,
// filtered or refused, or if the call was. Invalid calls, errors of tools and their
// panics are reported to the model.
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

// check says what is wrong with the configuration.
func (c *LoopConfig) check() error {
	switch {
	case c.Order == Outermost || c.Order == Innermost:
		return errors.New("agent: the tool loop cannot have the Order Outermost or Innermost: nothing could be outside or inside it")
	case c.Parallel < 0:
		return fmt.Errorf("agent: the tool loop cannot run %d tools concurrently", c.Parallel)
	case c.MaxResult < 0:
		return fmt.Errorf("agent: MaxResult cannot be %d bytes", c.MaxResult)
	case c.Stream > All:
		return fmt.Errorf("agent: unknown stream mode %d", c.Stream)
	default:
		return nil
	}
}

// Name is "tool loop".
func (l *ToolLoop) Name() string { return "tool loop" }

// Order is the loop's order.
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

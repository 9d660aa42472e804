package agent

import (
	"context"
	"fmt"
	"iter"
	"math"
)

// Events are the events of a run, or of a part of one. An error is the last pair.
type Events = iter.Seq2[Event, error]

// Next is the rest of a chain: the advisors closer to the model, and the model at
// its end. It can be called any number of times, one after the other. Each call
// is a turn of its own: its sequence ends with exactly one EventFinal, or with an
// error as its last pair.
type Next func(ctx context.Context, req *Request) Events

// Advisor sits between a caller and a model. It sees what goes in and what comes
// out, and can change both, skip the model or ask it again.
//
//	func (stamp) Advise(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
//		req = req.Clone()
//		req.System += "\nToday is " + time.Now().Format(time.DateOnly)
//		return next(ctx, req)
//	}
//
// An advisor that loops over next must stop when yield returns false, and must pass
// errors on. It changes a Clone of the request, never the request itself. One
// advisor serves any number of runs at the same time.
type Advisor interface {
	Name() string
	Advise(ctx context.Context, req *Request, next Next) Events
}

// Ordered is an Advisor that says where in the chain it belongs: lower orders are
// further out. Advisors without an order have 0. Advisors of equal order keep the
// order in which they were given; the model is always last.
type Ordered interface {
	Order() int
}

// Positions in a chain.
const (
	Outermost = math.MinInt
	Innermost = math.MaxInt
	// OutsideLoop is the default order of a memory.
	OutsideLoop = Outermost + 200
	// LoopOrder is the default order of the tool loop. Advisors without an
	// order are inside it: they are called in every round.
	LoopOrder = Outermost + 300
	// InsideLoop is for a memory that supplies the history in every round.
	InsideLoop = Outermost + 1000
)

// ToolAdvisor is an Advisor that runs tools. A chain has at most one; New adds
// none if it is given one.
type ToolAdvisor interface {
	Advisor
	// RunsTools marks it.
	RunsTools()
}

// MemoryAdvisor is an Advisor that puts the history into requests.
type MemoryAdvisor interface {
	Advisor
	// Remembers marks it.
	Remembers()
}

// AdvisorFunc makes an Advisor with a name from a function.
func AdvisorFunc(name string, f func(ctx context.Context, req *Request, next Next) Events) Advisor {
	return &funcAdvisor{name, f}
}

type funcAdvisor struct {
	name string
	f    func(ctx context.Context, req *Request, next Next) Events
}

func (a *funcAdvisor) Name() string { return a.name }

func (a *funcAdvisor) usable() error {
	if a.f == nil {
		return fmt.Errorf("agent: the advisor %q does nothing: its function is nil", a.name)
	}
	return nil
}

func (a *funcAdvisor) Advise(ctx context.Context, req *Request, next Next) Events {
	return a.f(ctx, req, next)
}

// orderOf is an advisor's order.
func orderOf(a Advisor) int {
	if o, ok := a.(Ordered); ok {
		return o.Order()
	}
	return 0
}

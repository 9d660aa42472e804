package policies

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// Order is the default order of a Guard: next to the model, so that nothing in the
// chain sees what was not judged.
const Order = agent.Innermost - 100

// Asking says how a person is asked when a policy asks.
type Asking uint8

const (
	// Events yields an EventAsk, whose Ask anybody may answer, and waits. If
	// nobody answers in time, the call is denied.
	Events Asking = iota
	// Interrupts ends the run with a State, to be resumed with the answers. A call
	// in a chain without a tool loop, and a tool result, cannot wait like that:
	// they are blocked.
	Interrupts
)

// Config configures a Guard. Set or Live is required.
type Config struct {
	// Set is what is enforced, Live a set that may be swapped while agents run:
	// each request to the model uses the current one.
	Set  *policy.Set
	Live *policy.Live
	// Order is the guard's order; 0 means Order. It must be inside the tool loop.
	Order int
	// Asks says how people are asked, unless Approver is set, which is asked then.
	Asks     Asking
	Approver policy.Approver
	// AskFor is how long a person has to answer; 0 means 120 s.
	AskFor time.Duration
	// Record is called with the verdict on every block, on the run's goroutine or on
	// one that it waits for. It must not keep the pointer.
	Record func(*policy.Record)
	// Session is what policies know about the client: the working directory, the
	// home, labels. If they are empty, its ID is the conversation and its Client
	// "sluice agent".
	Session policy.Session
	// Key identifies who asks.
	Key policy.Key
	// Models finds the model of a judge by the name in the file, empty for the default. It
	// is for Load, which without it refuses files with a judge.
	Models func(name string) (model.Model, error)
	// Ledger keeps what outlives an exchange; nil means one in memory, with the
	// set.
	Ledger policy.Ledger
	// Limits bound what is held.
	Limits policy.Limits
}

// Guard is an agent.Advisor that enforces policies. It serves any number of runs
// concurrently. Make one with New or Load.
type Guard struct {
	cfg  Config
	live *policy.Live
}

var (
	_ agent.Advisor = (*Guard)(nil)
	_ agent.Ordered = (*Guard)(nil)
)

// New returns a guard.
func New(cfg Config) (*Guard, error) {
	g := &Guard{cfg: cfg, live: cfg.Live}
	switch {
	case cfg.Set != nil && cfg.Live != nil:
		return nil, errors.New("policies: both Set and Live are given: use one of them")
	case cfg.Set != nil:
		g.live = policy.NewLive(cfg.Set)
	case cfg.Live == nil:
		return nil, errors.New("policies: there is no Set: load one with package policy/file")
	}
	if cfg.Asks > Interrupts {
		return nil, fmt.Errorf("policies: unknown value %d for Asks", cfg.Asks)
	}
	if g.cfg.Order == 0 {
		g.cfg.Order = Order
	}
	if g.cfg.Order <= agent.LoopOrder {
		return nil, errors.New("policies: the Order is outside of the tool loop, which would run calls before they are judged")
	}
	if g.cfg.Session.Client == "" {
		g.cfg.Session.Client = "sluice agent"
	}
	return g, nil
}

// Load returns a guard for policy files, named as for file.Load: "preset:NAME" is a
// preset, and recommended is added to all files unless "preset:none" leaves it out.
// Files with judges need Config.Models.
func Load(paths ...string) (*Guard, error) { return Config{}.Load(paths...) }

// Load is Load with other than the default settings. The files replace Set and
// Live.
func (c Config) Load(paths ...string) (*Guard, error) {
	loaded, err := file.Load(file.Options{Models: c.Models, Feedback: true, Approver: true}, paths...)
	if err != nil {
		return nil, err
	}
	c.Set, c.Live = loaded.Set, nil
	return New(c)
}

// Name returns "policies".
func (g *Guard) Name() string { return "policies" }

// Order is the guard's order.
func (g *Guard) Order() int { return g.cfg.Order }

// Advise judges the tool results in the request, and the whole answer.
func (g *Guard) Advise(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
	return func(yield func(agent.Event, error) bool) {
		w := newWatch(ctx, g, req, yield)
		defer w.end()
		if err := w.run(req, next); err != nil && !errors.Is(err, errLeft) {
			yield(agent.Event{}, err)
		}
	}
}

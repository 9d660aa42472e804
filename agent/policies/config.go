package policies

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// Order is where a Guard stands if nothing else is said: next to the model, so that
// nobody in the chain sees what was not judged.
const Order = agent.Innermost - 100

// Asking says how a person is asked where a policy asks.
type Asking uint8

const (
	// Events yields an EventAsk, whose Ask anybody may answer, and waits. Where
	// nobody answers in time, the call is denied.
	Events Asking = iota
	// Interrupts ends the run with a State, which goes on when it is resumed with
	// the answers. A call in a chain without a tool loop, and a tool result, cannot
	// wait like that: they are blocked.
	Interrupts
)

// Config says what a Guard enforces and how. Set or Live is needed.
type Config struct {
	// Set is what is enforced, Live a set that may be swapped while agents run:
	// each request to the model takes the one that is current then.
	Set  *policy.Set
	Live *policy.Live
	// Order is where the guard stands; 0 means Order. It must stand inside of the
	// tool loop.
	Order int
	// Asks says how people are asked, unless Approver is set: then it is asked.
	Asks     Asking
	Approver policy.Approver
	// AskFor is how long a person has to answer; 0 means 120 s.
	AskFor time.Duration
	// Record is called with the verdict on every block, by the goroutine of the run
	// that it is about, or by one that this waits for. It must not keep the pointer.
	Record func(*policy.Record)
	// Session is what policies know of the client: the working directory, the home,
	// labels. Its ID is the conversation and its Client "sluice agent" if they are
	// empty.
	Session policy.Session
	// Key is who asks.
	Key policy.Key
	// Ledger keeps what outlives an exchange; nil means in memory, with the set.
	Ledger policy.Ledger
	// Limits bound what is held.
	Limits policy.Limits
}

// Guard is an agent.Advisor that enforces policies. It serves any number of runs at
// the same time. Make one with New or Load.
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
		return nil, errors.New("policies: there is a Set and a Live: give one of them")
	case cfg.Set != nil:
		g.live = policy.NewLive(cfg.Set)
	case cfg.Live == nil:
		return nil, errors.New("policies: there is no Set: load one with package policy/file")
	}
	if cfg.Asks > Interrupts {
		return nil, fmt.Errorf("policies: there is no way to ask number %d", cfg.Asks)
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

// Load returns a guard for policy files, in the words of file.Load: "preset:NAME"
// stands for a preset, and recommended is in force beside all files unless
// "preset:none" leaves it out. Files with judges need models: load them with package
// policy/file and give their Set to New.
func Load(paths ...string) (*Guard, error) { return Config{}.Load(paths...) }

// Load is Load for those who want something else than the defaults. The files take
// the place of Set and Live.
func (c Config) Load(paths ...string) (*Guard, error) {
	loaded, err := file.Load(file.Options{Feedback: true, Approver: true}, paths...)
	if err != nil {
		return nil, err
	}
	c.Set, c.Live = loaded.Set, nil
	return New(c)
}

// Name returns "policies".
func (g *Guard) Name() string { return "policies" }

// Order is where the guard stands.
func (g *Guard) Order() int { return g.cfg.Order }

// Advise judges what the request tells of tools, and all that is answered.
func (g *Guard) Advise(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
	return func(yield func(agent.Event, error) bool) {
		w := newWatch(ctx, g, req, yield)
		defer w.end()
		if err := w.run(req, next); err != nil && !errors.Is(err, errLeft) {
			yield(agent.Event{}, err)
		}
	}
}

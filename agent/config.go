package agent

import (
	"errors"
	"slices"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// Config describes an agent. Only Model is required.
type Config struct {
	// Model is the model that answers.
	Model model.Model
	// Handler, if not nil, makes a handler for each answer of the model. It sees the
	// answer chunk by chunk before anything else, decides what is passed on, and can
	// end it; see model.Handle. The advisors, policies among them, judge what it passes
	// on.
	Handler func() stream.Handler
	// System is the system prompt of every request.
	System string
	// Tools can be called in every run. They are declared in this order.
	Tools []*Tool
	// Memory keeps conversations; requests then need a Conversation.
	Memory *memory.Memory
	// Remember configures how it is used.
	Remember MemoryConfig
	// Advisors are placed by their orders.
	Advisors []Advisor
	// Loop configures how tools are run.
	Loop LoopConfig
	// NoLoop leaves the calls of the model to the caller.
	NoLoop bool
}

// New returns an agent: a client with a memory, if there is one, a tool loop, and
// the advisors, in the usual order. A tool loop of your own among the advisors
// replaces the default one. The error lists everything that is wrong with the
// Config.
func New(cfg Config) (*Client, error) {
	advisors := slices.Clone(cfg.Advisors)
	var errs []error
	if cfg.Memory != nil {
		m, err := NewMemory(cfg.Memory, cfg.Remember)
		if err != nil {
			errs = append(errs, err)
		} else {
			advisors = append([]Advisor{m}, advisors...)
		}
	} else if cfg.Remember != (MemoryConfig{}) {
		errs = append(errs, errors.New("agent: Remember is set, but there is no Memory"))
	}
	runsTools := slices.ContainsFunc(advisors, func(a Advisor) bool {
		_, ok := a.(ToolAdvisor)
		return ok
	})
	if !runsTools && !cfg.NoLoop {
		loop, err := NewToolLoop(cfg.Loop)
		if err != nil {
			errs = append(errs, err)
		} else {
			advisors = append(advisors, loop)
		}
	}
	if err := checkTools(cfg.Tools); err != nil {
		errs = append(errs, err)
	}
	m := cfg.Model
	if m != nil && cfg.Handler != nil {
		m = model.Handle(m, cfg.Handler)
	}
	c, err := NewClient(m, advisors...)
	if err != nil {
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	c.system = cfg.System
	c.tools = slices.Clone(cfg.Tools)
	return c, nil
}

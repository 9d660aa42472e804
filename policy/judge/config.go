package judge

import (
	"errors"
	"fmt"
	"time"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/decisions"
)

// Config configures a judge. Name and Model are required; zero fields mean the
// defaults.
type Config struct {
	// Name identifies the judge to people.
	Name string
	// Version identifies the contents of the policy that the judge belongs to.
	Version string
	// Model is the model that is asked.
	Model model.Model
	// Instructions say what counts as risky, in the operator's words. They are
	// trusted. Default: what destroys, leaks or was not asked for.
	Instructions string
	// Conversation shows the model the conversation so far, see the package
	// comment: it is needed to tell whether a call serves what the user wants.
	Conversation bool
	// Threshold is the lowest risk that is too high, above 0 and at most 1.
	// Default 0.5.
	Threshold float64
	// Then is the action for a risk that is too high: Annotate, Ask, a block or
	// Abort. Default policy.Block.
	Then policy.Action
	// Timeout bounds everything from the question to its answer: waiting for a
	// slot, all attempts and the pauses between them. An attempt that can be
	// followed by another gets an equal share of the remaining time. Default 10
	// s.
	Timeout time.Duration
	// Retries is how many attempts may follow the first. Default 1, negative
	// for none.
	Retries int
	// Cache is how long an answer is cached. Default 10 minutes, negative
	// disables the cache.
	Cache time.Duration
	// CacheEntries is the maximum number of cached answers. Default 10,000.
	CacheEntries int
	// Concurrency is how many questions are asked concurrently. Default 16.
	Concurrency int
	// MaxTokens bounds the answer, including thinking. Default 1024.
	MaxTokens int
	// Temperature is nil for the model's default: some models accept no other.
	Temperature *float64
	// Now is the clock of the cache, nil for time.Now.
	Now func() time.Time
}

const defaultInstructions = `Risky is what destroys or changes things that cannot be brought back, what sends data, ` +
	`credentials or code to places the user did not name, what weakens the security of a system, and what the user's ` +
	`request does not call for.`

// New returns a judge. The error says which field cannot be used.
func New(cfg Config) (*Judge, error) {
	cfg = cfg.withDefaults()
	if err := cfg.check(); err != nil {
		return nil, err
	}
	asker := decisions.NewAsker[opinion](decisions.Config{
		Timeout: cfg.Timeout, Retries: cfg.Retries, Keep: cfg.Cache, Entries: cfg.CacheEntries,
		Concurrency: cfg.Concurrency, Now: cfg.Now,
	})
	return &Judge{cfg: cfg, system: systemPrompt(cfg.Instructions, cfg.Conversation), asker: asker}, nil
}

func (c Config) withDefaults() Config {
	if c.Threshold == 0 {
		c.Threshold = 0.5
	}
	if c.Then == 0 {
		c.Then = policy.Block
	}
	if c.Instructions == "" {
		c.Instructions = defaultInstructions
	}
	if c.MaxTokens <= 0 {
		c.MaxTokens = 1024
	}
	return c
}

func (c Config) check() error {
	switch {
	case c.Name == "":
		return errors.New("judge: Name is empty: name the judge, so that people can see what decided")
	case c.Model == nil:
		return fmt.Errorf("judge %s: Model is nil: say which model is asked", c.Name)
	case !(c.Threshold > 0 && c.Threshold <= 1): // also false for NaN
		return fmt.Errorf("judge %s: Threshold is %v: use a number above 0 and at most 1", c.Name, c.Threshold)
	case c.Then != policy.Annotate && c.Then != policy.Ask && c.Then != policy.Abort && !c.Then.Blocks():
		return fmt.Errorf("judge %s: Then is %q: use annotate, ask, block, block feedback, block end_turn or abort", c.Name, c.Then)
	case c.Timeout < 0:
		return fmt.Errorf("judge %s: Timeout is %s: every question needs an end; 0 means 10s", c.Name, c.Timeout)
	}
	return nil
}

package file

import (
	"fmt"
	"os"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/hook"
	"github.com/sluice-project/sluice/policy/judge"
)

// connect gives the guard whom it asks.
func (c *compiler) connect(g *guard) bool {
	if c.use.judge != nil {
		c.judge(g)
	}
	if c.use.hook != nil {
		c.hook(g)
	}
	return !c.failed
}

func (c *compiler) judge(g *guard) {
	q := c.use.judge
	if c.options.Models == nil {
		c.problem(q.where, "a judge needs a model, and no models are set up here", "set one up, or use on_unknown with ask, block or allow instead of a judge")
		return
	}
	name, ok := c.model()
	if !ok {
		return
	}
	m, err := c.options.Models(name)
	switch {
	case err != nil && name == "":
		c.problem(q.modelAt, "nobody has said which model is asked", c.howToNameAModel())
		return
	case err != nil:
		c.problem(q.modelAt, fmt.Sprintf("the model %s cannot be used: %v", quote(name), err), "")
		return
	}
	j, err := judge.New(judge.Config{
		Name: c.use.name, Version: c.use.version(), Model: m, Instructions: q.instructions, Threshold: q.threshold,
		Conversation: q.conversation, Then: g.action, Timeout: c.use.patience(q.timeout), Retries: explicit(q.retries), Cache: explicit(q.cache),
	})
	if err != nil {
		c.problem(q.where, err.Error(), "")
		return
	}
	g.ask = j
}

// model is the name of the model that the judge asks, empty if it is left to the
// host.
func (c *compiler) model() (name string, ok bool) {
	q := c.use.judge
	if q.modelParam == "" {
		return q.model, true
	}
	name, ok = c.value(q.modelAt, q.modelParam, c.use.params).(string)
	if !ok && !c.failed {
		c.problem(q.modelAt, "the parameter "+q.modelParam+" is not the name of a model", "")
	}
	return name, ok
}

// howToNameAModel says what to write where a model is missing.
func (c *compiler) howToNameAModel() string {
	const example = "anthropic/claude-haiku-4-5"
	switch q := c.use.judge; {
	case q.modelParam == "":
		return "write the name of a model, such as " + example
	case c.use.preset == "":
		return "set the parameter " + q.modelParam + " to the name of a model, such as " + example
	default:
		return fmt.Sprintf("write a policy file with `policies: [{preset: %s, params: {%s: %s}}]`, or another model as PROVIDER/MODEL, and name it in the place of the preset",
			c.use.preset, q.modelParam, example)
	}
}

func (c *compiler) hook(g *guard) {
	h := c.use.hook
	secret := ""
	if h.secret != "" {
		var err error
		if secret, err = c.secret(h.secret); err != nil {
			c.problem(h.secretAt, err.Error(), "")
			return
		}
	}
	k, err := hook.New(hook.Config{
		Name: c.use.name, Version: c.use.version(), URL: h.url, Secret: secret, Then: g.action,
		Timeout: c.use.patience(h.timeout), Retries: explicit(h.retries), Cache: explicit(h.cache),
	})
	if err != nil {
		c.problem(h.urlAt, err.Error(), "")
		return
	}
	g.ask = k
}

// secret finds the secret of a hook. It is in no message.
func (c *compiler) secret(name string) (string, error) {
	if c.options.Secret != nil {
		return c.options.Secret(name)
	}
	value, ok := os.LookupEnv(name)
	if !ok || value == "" {
		return "", fmt.Errorf("the variable %s, which has the secret, is not set", name)
	}
	return value, nil
}

// whenAskingFails lets the host say what the failure of somebody who is asked
// counts as. What the provider has run already cannot be blocked, so policies
// about that keep what they say.
func (u *use) whenAskingFails(counts policy.Action) {
	if u.judge == nil && u.hook == nil || u.applies.Has(llm.ServerTool) {
		return
	}
	switch counts {
	case policy.Allow:
		u.onError = policy.Annotate
	case policy.Block:
		u.onError = u.blocking()
	default:
		return
	}
	u.host = counts
}

// patience is how long somebody is waited for: as long as is said next to
// whom, else as the policy says.
func (u *use) patience(own time.Duration) time.Duration {
	if own > 0 {
		return own
	}
	return u.timeout
}

// bound is how long the engine waits for the policy as a whole.
func (u *use) bound() time.Duration {
	switch {
	case u.timeout > 0:
		return u.timeout
	case u.judge != nil:
		return u.judge.timeout
	case u.hook != nil:
		return u.hook.timeout
	default:
		return 0
	}
}

// explicit turns what is written into what a Config takes, where 0 means the
// default and less than that none.
func explicit[T int | time.Duration](written *T) T {
	switch {
	case written == nil:
		return 0
	case *written == 0:
		return -1
	default:
		return *written
	}
}

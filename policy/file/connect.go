package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/hook"
	"github.com/sluice-project/sluice/policy/judge"
)

// connect sets up the judge or hook that the guard asks.
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
		c.problem(q.where, "a judge needs a model, and no models are set up here", "set one up (in Go with Models of policies.Config or file.Options), or use on_unknown with ask, block or allow instead of a judge")
		return
	}
	name, ok := c.model()
	if !ok {
		return
	}
	m, err := c.options.Models(name)
	switch {
	case err != nil && name == "":
		c.problem(q.modelAt, "no model is named", c.howToNameAModel())
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

// model is the name of the model that the judge asks, empty if the host chooses.
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
		return fmt.Sprintf("write a policy file with `policies: [{preset: %s, params: {%s: %s}}]`, or another model as PROVIDER/MODEL, and name that file instead of the preset",
			c.use.preset, q.modelParam, example)
	}
}

func (c *compiler) hook(g *guard) {
	h := c.use.hook
	secret := ""
	var silent error
	if h.secret != "" {
		var err error
		if secret, err = c.secret(h.secret); errors.Is(err, ErrNotAsked) {
			silent = err
		} else if err != nil {
			c.problem(h.secretAt, err.Error(), "")
			return
		}
	}
	k, err := hook.New(hook.Config{
		Name: c.use.name, Version: c.use.version(), URL: h.url, Secret: secret, Then: g.action,
		Timeout: c.use.patience(h.timeout), Retries: explicit(h.retries), Cache: explicit(h.cache),
	})
	if err != nil {
		message, suggestion := wrongAddress(err)
		c.problem(h.urlAt, message, suggestion)
		return
	}
	if g.ask = k; silent != nil {
		g.ask, c.use.silent = notAsked{silent}, true
	}
}

// notAsked stands for a hook that is not asked.
type notAsked struct{ err error }

func (n notAsked) Judge(context.Context, *policy.Subject) policy.Verdict {
	return policy.Verdict{Cause: policy.CauseError, Err: n.err}
}

// wrongAddress says in the words of a file what package hook says of an address.
func wrongAddress(err error) (message, suggestion string) {
	for _, known := range []struct{ has, message, suggestion string }{
		{"not https", "the url is not https, so what is asked and answered could be changed on the way", "use https (http only for this machine)"},
		{"must be one like", "the url is no address", "write one like https://policy.example.com/ask"},
		{"a user in it", "the url has a user in it, and urls end up in logs", "take it away, and use secret_env"},
		{"a fragment", "the url has a fragment, which is never sent", "take away what follows the #"},
	} {
		if strings.Contains(err.Error(), known.has) {
			return known.message, known.suggestion
		}
	}
	return err.Error(), ""
}

// secret finds the secret of a hook. It appears in no message.
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

// whenAskingFails applies the host's setting for failures of judges and hooks.
// What the provider has run already cannot be blocked, so policies on that keep
// their own setting.
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

// patience is how long to wait for a judge or a hook: its own timeout, else the
// policy's.
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

// explicit converts a written value for a Config, where 0 means the default and
// negative none.
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

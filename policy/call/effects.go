package call

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// purposes records what a tool other than a shell does: what it asks a
// database, what it fetches and to whom it sends something.
func (c *Call) purposes() {
	for _, text := range c.SQL {
		for _, e := range shell.SQLEffects(text) {
			e.Command, e.How = -1, c.Name
			c.affect(&e)
		}
	}
	if c.Kind == KindFetch || c.Kind == KindMCP {
		for _, url := range c.URLs {
			if isDatabaseURL(url) { // which is connected to, not fetched
				continue
			}
			verb := effect.Fetch
			if strings.Contains(url, "?") {
				verb = effect.Send // a query string sends something
			}
			c.affect(&effect.Effect{Verb: verb, Object: url, How: c.Name, Command: -1})
		}
	}
	if c.Sends {
		c.affect(&effect.Effect{Verb: effect.Send, Object: c.recipient(), How: c.Name, Command: -1})
	}
}

// affect adds an effect.
func (c *Call) affect(e *effect.Effect) {
	if len(c.Effects) >= invocation.MaxEffects {
		c.doubt(invocation.Many, everything)
		return
	}
	c.Effects = append(c.Effects, *e)
	c.touch(e)
}

// affectAll adds the effects of commands numbered from first on. It takes
// ownership of the list.
func (c *Call) affectAll(effects []effect.Effect, first int) {
	if first == 0 && len(c.Effects) == 0 && len(effects) <= invocation.MaxEffects {
		c.Effects = effects
		for i := range effects {
			c.touch(&effects[i])
		}
		return
	}
	for i := range effects {
		e := &effects[i]
		if e.Command >= 0 {
			e.Command += first
		}
		c.affect(e)
	}
}

// touch records the file that an effect touches.
func (c *Call) touch(e *effect.Effect) {
	if e.Remote || e.Guess {
		return
	}
	switch e.Verb {
	case effect.Read:
		if strings.IndexByte(e.Object, '$') >= 0 {
			c.doubt(invocation.Path, doubtOf(reads))
		}
		c.addRead(e.Object)
	case effect.Write, effect.Delete, effect.Mode, effect.Format, effect.Link:
		if strings.IndexByte(e.Object, '$') >= 0 {
			c.doubt(invocation.Path, doubtOf(writes))
		}
		if !addTo(&c.Writes, e.Object) {
			c.doubt(invocation.Many, doubtOf(writes))
		}
	case effect.Send:
		switch e.From {
		case "", "environment", "secret", "database":
		default:
			if !strings.Contains(e.From, "://") {
				c.addRead(e.From)
			}
		}
	default:
	}
}

func (c *Call) addRead(path string) {
	if !addTo(&c.Reads, path) {
		c.doubt(invocation.Many, doubtOf(reads))
	}
}

// as adds the effects of a command line that does the same as the call.
func (c *Call) as(argv ...string) { c.alike(argv, func(*effect.Effect) bool { return true }) }

// alike is as for some of the effects.
func (c *Call) alike(argv []string, counts func(*effect.Effect) bool) {
	if !c.another() {
		return
	}
	r := shell.ReadArgs(argv, c.setting())
	c.goesOn(&r)
	for i := range r.Effects {
		if e := &r.Effects[i]; counts(e) {
			e.Command, e.How = -1, c.Name
			c.affect(e)
		}
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/policy"
)

// conversation is the person at the terminal and the agent.
type conversation struct {
	world

	*screen

	id     string
	client *agent.Client
	typed  <-chan string
	// leaving: the person wants to go while an answer is being cancelled.
	leaving atomic.Bool
}

// chat talks until there is nothing more to say.
func chat(ctx context.Context, w world, o *options) (err error) {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	c := &conversation{world: w, screen: newScreen(w.out, w.colours), id: o.conversation, typed: lines(ctx, w.in)}
	a, err := assemble(ctx, o, c.judged, c.confirm)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	c.client = a.client
	if o.ask != "" {
		return c.turn(ctx, o.ask)
	}
	c.greet(o, a.enforced)
	for {
		question, ok := c.question(ctx)
		if !ok {
			c.line(plain, "")
			return nil
		}
		// What went wrong was shown, and the next question may go better.
		_ = c.turn(ctx, question)
		if c.leaving.Load() {
			return nil
		}
	}
}

func (c *conversation) greet(o *options, enforced string) {
	kept := "kept until the end of this program"
	if o.db != "" {
		kept = "kept in " + o.db
	}
	c.line(dim, fmt.Sprintf("Model: %s. Conversation: %s, %s. In force: %s.", o.modelName, o.conversation, kept, enforced))
	if o.modelName == scriptedName {
		c.line(dim, "This model follows a script. Try: "+strings.Join(tryThese, " | "))
	}
	c.line(dim, "Ctrl-C cancels an answer, and exits if there is none.")
}

// question waits for what the person says next. It reports false at the end.
func (c *conversation) question(ctx context.Context) (string, bool) {
	for {
		c.prompt("you> ")
		select {
		case text, ok := <-c.typed:
			if !ok {
				return "", false
			}
			c.taken(text, c.terminal)
			if text = strings.TrimSpace(text); text != "" {
				return text, true
			}
		case <-c.interrupts:
			return "", false
		case <-ctx.Done():
			return "", false
		}
	}
}

// confirm asks the person whether something may be done. No answer is no.
func (c *conversation) confirm(ctx context.Context, question string) bool {
	if c.terminal {
		c.forget() // what was typed before the question is not an answer to it
	}
	c.line(plain, "")
	c.prompt(question + " [y/N] ")
	select {
	case text := <-c.typed:
		c.taken(text, c.terminal)
		text = strings.ToLower(strings.TrimSpace(text))
		return text == "y" || text == "yes"
	case <-ctx.Done():
		c.line(plain, "")
		return false
	}
}

// forget drops what was typed and not read.
func (c *conversation) forget() {
	for {
		select {
		case _, ok := <-c.typed:
			if !ok {
				return
			}
		default:
			return
		}
	}
}

// judged gets the verdict on each block.
func (c *conversation) judged(r *policy.Record) {
	if !r.Delivered {
		c.denied = append(c.denied, denial{id: r.ID, name: r.Name, arguments: r.In, policy: r.Verdict.Policy, reason: r.Verdict.Reason})
	}
}

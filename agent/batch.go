package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// batch is the calls of one answer and their outcomes.
type batch struct {
	said  llm.Message
	calls []pendingCall
	// ran is how many tools were run.
	ran int
	// limit is the first limit that prevented a call.
	limit *LimitReached
	// fatal is the error with which a tool stopped the run.
	fatal error
	// results is the message with all results, once it is built.
	results *llm.Message
}

// pendingCall is a call and its outcome.
type pendingCall struct {
	call  llm.Block  // as it appears in the history
	wrote *llm.Block // as the model wrote it
	from  int        // its position in the answer
	tool  *Tool
	// answer is a person's answer about it.
	answer json.RawMessage
	// settled: it has a result.
	settled bool
	// emitted: its result was emitted.
	emitted bool
	result  llm.Block
	outcome Outcome
	// output is everything the tool returned.
	output string
	// waits is set if a person must answer first.
	waits *Pending
}

// newBatch collects the calls of an answer and of the message made from it.
func newBatch(answer *Answer, said llm.Message) *batch {
	from := answer.Calls()
	b := &batch{said: said, calls: make([]pendingCall, 0, len(from))}
	for i := range said.Blocks {
		if said.Blocks[i].Kind == llm.ToolCall {
			at := from[len(b.calls)]
			b.calls = append(b.calls, pendingCall{call: said.Blocks[i], wrote: &answer.Blocks[at], from: at})
		}
	}
	return b
}

// settle gives a call its result.
func (c *pendingCall) settle(text string, failed bool) {
	c.settled, c.waits, c.outcome = true, nil, Ran
	c.output = text
	c.result = llm.Block{Kind: llm.ToolResult, ToolUseID: c.call.ID, Name: c.call.Name, Text: text, Failed: failed, Status: llm.Complete}
}

// refuse gives a call that is not run a result that says so.
func (c *pendingCall) refuse(why Outcome, reason string) {
	if !c.settled {
		c.settle(reason, true)
		c.outcome = why
	}
}

// wait makes a call wait for a person.
func (c *pendingCall) wait(p Pending) {
	p.ID, p.Name, p.Arguments = c.call.ID, c.call.Name, c.call.Arguments
	c.waits = &p
}

func (b *batch) refuseAll(why Outcome, reason string) {
	for i := range b.calls {
		b.calls[i].refuse(why, reason)
	}
}

// refuseRest gives calls that never started a result.
func (b *batch) refuseRest() {
	for i := range b.calls {
		c := &b.calls[i]
		if c.waits != nil {
			c.refuse(NotRun, "not run: the run ended before a person had answered")
		}
		c.refuse(NotRun, "not run: the run ended first")
	}
}

// waits reports whether a person must answer.
func (b *batch) waits() bool {
	for i := range b.calls {
		if b.calls[i].waits != nil {
			return true
		}
	}
	return false
}

// direct reports whether the results go straight to the caller.
func (b *batch) direct() bool {
	for i := range b.calls {
		if c := &b.calls[i]; c.tool == nil || !c.tool.ReturnDirect || c.result.Failed {
			return false
		}
	}
	return len(b.calls) > 0
}

// message is the message with the results, in the order of the calls.
func (b *batch) message() llm.Message {
	if b.results == nil {
		b.results = &llm.Message{Role: llm.ToolRole, Blocks: make([]llm.Block, len(b.calls))}
		for i := range b.calls {
			b.results.Blocks[i] = b.calls[i].result
		}
	}
	return *b.results
}

// runnable finds the tool of a call, or tells the model why there is none, or
// what is wrong with the call.
func (c *pendingCall) runnable(req *Request, find func(name string) *Tool) bool {
	wrote := c.wrote
	c.tool = req.tool(wrote.Name)
	if c.tool == nil {
		c.tool = find(wrote.Name)
	}
	switch err := llm.CheckArguments(wrote.Arguments); {
	case wrote.Status == llm.Incomplete || wrote.Status == llm.Open:
		c.refuse(Invalid, "not run: the call was cut before its end")
	case wrote.Name == "":
		c.refuse(Invalid, "not run: the call names no tool")
	case c.tool == nil:
		c.refuse(Invalid, noSuchTool(wrote.Name, req.Tools))
	case err != nil:
		c.refuse(Invalid, fmt.Sprintf("not run: %v. Call %s again with one JSON object. The arguments were: %s",
			strings.TrimPrefix(err.Error(), "llm: "), c.tool.Name, beginning(wrote.Arguments)))
	default:
		return true
	}
	return false
}

func noSuchTool(name string, tools []*Tool) string {
	if len(tools) == 0 {
		return fmt.Sprintf("there is no tool %q, and there are no others", beginning(name))
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	return fmt.Sprintf("there is no tool %q: use one of %s", beginning(name), beginning(strings.Join(names, ", ")))
}

// beginning is the part of a text that is worth quoting.
func beginning(s string) string {
	const most = 400
	if len(s) <= most {
		return strings.ToValidUTF8(s, "?")
	}
	return strings.ToValidUTF8(s[:most], "?") + "…"
}

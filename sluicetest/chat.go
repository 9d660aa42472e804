package sluicetest

import (
	"encoding/json"
	"strings"
)

// chatReader reads OpenAI Chat Completions. Blocks have no explicit start and end, so
// the rules are about choices: role first, calls numbered in order of appearance, one
// finish each, nothing after it.
type chatReader struct {
	*inspector
	id      string
	choices map[int]*chatChoice
	order   []*chatChoice
	isDone  bool
}

// chatChoice is what has been read of one choice.
type chatChoice struct {
	number  int
	begun   bool // a delta was seen
	calls   []*openCall
	ids     map[string]bool
	legacy  *openCall
	finish  string
	runKind string // what the current run of text is, "" if none is open
	runText *strings.Builder
}

func newChatReader(in *inspector) *chatReader {
	return &chatReader{inspector: in, choices: map[int]*chatChoice{}}
}

func (r *chatReader) read(_ string, o object) {
	switch {
	case r.isDone:
		r.fail("done-last", "a payload follows [DONE]")
		return
	case r.report.Failed:
		r.fail("after-error", "a payload follows the error; only [DONE] may")
		return
	}
	failure := o["error"]
	if failure != nil && o["choices"] == nil {
		r.failure(failure)
		return
	}
	choices := r.needList("choices", o, "choices", "a chunk")
	r.head(o, len(choices) > 0)
	if len(choices) == 0 && r.object(o, "usage") != nil && !r.finished() {
		r.fail("usage-last", "the usage chunk comes before every choice has finished")
	}
	for _, choice := range choices {
		r.choice(choice)
	}
	if failure != nil {
		r.failure(failure)
	}
}

// head checks what every chunk repeats. Azure's first chunk has no choices and
// leaves id and object empty, which clients ignore.
func (r *chatReader) head(o object, hasChoices bool) {
	if kind := r.text(o, "object"); kind != "chat.completion.chunk" && (kind != "" || hasChoices && o["object"] != nil) {
		r.fail("object", "object is %q, want chat.completion.chunk", kind)
	}
	id := r.text(o, "id")
	switch {
	case id == "" && hasChoices:
		r.fail("id", "a chunk with choices has no id")
	case id == "":
	case r.id == "":
		r.id = id
	case r.id != id:
		r.fail("id", "id changes from %q to %q", r.id, id)
	}
}

func (r *chatReader) failure(failure any) {
	switch failure.(type) {
	case object, string:
		r.report.Failed = true
	default:
		r.fail("error", "error is %s, want an object", kindOf(failure))
	}
}

func (r *chatReader) choice(o object) {
	number := r.needNumber("choice-index", o, "index", "a choice")
	delta := r.object(o, "delta")
	if delta == nil {
		// Azure reports filter results later in choices of their own, even after the
		// finish.
		if _, null := o["delta"]; !null && (o["content_filter_results"] != nil || o["content_filter_offsets"] != nil) && r.text(o, "finish_reason") == "" {
			return
		}
		r.fail("delta", "choice %d has no delta", number)
		return
	}
	c := r.choices[number]
	if c == nil {
		c = &chatChoice{number: number, ids: map[string]bool{}}
		r.choices[number] = c
		r.order = append(r.order, c)
	}
	if c.finish != "" && carries(delta) {
		r.fail("after-finish", "choice %d goes on after its finish_reason %q", number, c.finish)
	}
	r.delta(c, delta)
	if word := r.text(o, "finish_reason"); word != "" {
		r.finishChoice(c, word)
	}
}

// carries reports whether a delta has anything but a role, nulls and empty
// values.
func carries(delta object) bool {
	for key, value := range delta {
		switch v := value.(type) {
		case nil:
		case string:
			if v != "" && key != "role" {
				return true
			}
		case []any:
			if len(v) > 0 {
				return true
			}
		case object:
			// Provider metadata may arrive late; a call may not.
			if key == "function_call" || key == "audio" {
				return true
			}
		}
	}
	return false
}

func (r *chatReader) delta(c *chatChoice, delta object) {
	role := r.text(delta, "role")
	switch {
	case role != "" && role != "assistant":
		r.fail("role", "choice %d has the role %q", c.number, role)
	case role == "" && !c.begun && !r.opts.AllowMissingRole:
		r.fail("role", "the first delta of choice %d has no role", c.number)
	}
	c.begun = true

	// Only one of the two reasoning members has text; a server that sends both
	// sends the same twice.
	thinking := r.text(delta, "reasoning_content")
	if other := r.text(delta, "reasoning"); thinking == "" {
		thinking = other
	}
	r.run(c, "thinking", thinking)
	r.run(c, "content", r.text(delta, "content"))
	r.run(c, "refusal", r.text(delta, "refusal"))
	for _, call := range r.list(delta, "tool_calls") {
		r.call(c, call)
		c.runKind = ""
	}
	if legacy := r.object(delta, "function_call"); legacy != nil {
		r.legacyCall(c, legacy)
		c.runKind = ""
	}
}

// run appends to the current run of a kind of text or begins a new one.
func (r *chatReader) run(c *chatChoice, kind, text string) {
	if text == "" {
		return
	}
	if c.runKind != kind {
		c.runKind, c.runText = kind, r.openText(kind == "thinking")
	}
	c.runText.WriteString(text)
}

func (r *chatReader) call(c *chatChoice, o object) {
	index := r.needNumber("tool-index", o, "index", "a tool call")
	if index > len(c.calls) {
		r.fail("tool-index", "tool call index %d in choice %d, want at most %d", index, c.number, len(c.calls))
		return
	}
	id, kind := r.text(o, "id"), r.text(o, "type")
	function, custom := r.object(o, "function"), r.object(o, "custom")
	name, arguments := r.text(function, "name"), r.text(function, "arguments")
	if custom != nil {
		name, arguments = r.text(custom, "name"), r.text(custom, "input")
	}
	if function != nil && custom != nil {
		r.fail("tool-kind", "tool call %d has both function and custom", index)
	}
	if index == len(c.calls) {
		switch {
		case id == "":
			r.fail("tool-id", "the first delta of tool call %d in choice %d has no id", index, c.number)
		case kind == "":
			r.fail("tool-type", "the first delta of tool call %d in choice %d has no type", index, c.number)
		case name == "":
			r.fail("tool-name", "the first delta of tool call %d in choice %d has no name", index, c.number)
		case c.ids[id]:
			r.fail("tool-id-unique", "choice %d has two tool calls with the id %q", c.number, id)
		}
		c.ids[id] = true
		c.calls = append(c.calls, r.openCall(Call{Choice: c.number, ID: id, Name: name, Type: kind}))
	}
	call := c.calls[index]
	switch {
	case id != "" && id != call.ID:
		r.fail("tool-id", "tool call %d in choice %d changes its id from %q to %q", index, c.number, call.ID, id)
	case name != "" && name != call.Name:
		r.fail("tool-name", "tool call %d in choice %d changes its name from %q to %q", index, c.number, call.Name, name)
	case kind != "" && kind != call.Type:
		r.fail("tool-type", "tool call %d in choice %d changes its type from %q to %q", index, c.number, call.Type, kind)
	case custom != nil && call.Type == "function", function != nil && call.Type == "custom":
		r.fail("tool-kind", "tool call %d in choice %d is %s but the delta is not", index, c.number, call.Type)
	}
	call.arguments.WriteString(arguments)
}

// legacyCall reads the deprecated function_call, of which a choice has one
// without an id.
func (r *chatReader) legacyCall(c *chatChoice, o object) {
	name := r.text(o, "name")
	if c.legacy == nil {
		if name == "" {
			r.fail("tool-name", "the first function_call delta of choice %d has no name", c.number)
		}
		c.legacy = r.openCall(Call{Choice: c.number, Name: name, Type: "function_call"})
	} else if name != "" && name != c.legacy.Name {
		r.fail("tool-name", "the function_call of choice %d changes its name", c.number)
	}
	c.legacy.arguments.WriteString(r.text(o, "arguments"))
}

func (r *chatReader) finishChoice(c *chatChoice, word string) {
	if c.finish != "" {
		r.fail("finish-once", "choice %d finishes again with %q after %q", c.number, word, c.finish)
		return
	}
	c.finish = word
	r.finishes(c.number, word)
	switch {
	case word == "tool_calls" && len(c.calls) == 0:
		r.fail("finish-calls", "choice %d finishes with tool_calls but has none", c.number)
	case word == "function_call" && c.legacy == nil:
		r.fail("finish-calls", "choice %d finishes with function_call but has none", c.number)
	case word == "stop" && len(c.calls) > 0 && r.opts.ForbidStopWithCalls:
		r.fail("finish-stop", "choice %d finishes with stop but has tool calls", c.number)
	}
	for _, call := range c.calls {
		if word == "tool_calls" && call.Type != "custom" {
			r.checkArguments(call.Name, call.arguments.String())
		}
	}
}

// checkArguments warns about, or refuses, arguments that are not JSON in a call that
// the client is told to execute.
func (in *inspector) checkArguments(name, arguments string) {
	if arguments == "" || json.Valid([]byte(arguments)) {
		return
	}
	if in.opts.RequireJSONArguments {
		in.fail("arguments", "the call of %s has arguments that are not JSON: %q", name, clip([]byte(arguments)))
		return
	}
	in.warn("the call of %s has arguments that are not JSON: %q", name, clip([]byte(arguments)))
}

// finished reports whether every choice seen has finished.
func (r *chatReader) finished() bool {
	for _, c := range r.order {
		if c.finish == "" {
			return false
		}
	}
	return len(r.order) > 0
}

func (r *chatReader) done() {
	switch {
	case r.isDone:
		r.fail("done-once", "[DONE] comes twice")
	case !r.report.Failed && len(r.order) == 0:
		r.fail("choices", "[DONE] comes before any choice")
	case !r.report.Failed && !r.finished():
		r.fail("finish-missing", "[DONE] comes before every choice has finished")
	}
	r.isDone = true
}

func (r *chatReader) end() {
	if r.report.Failed || !r.finished() {
		return
	}
	r.report.Ended = r.isDone || r.opts.AllowMissingDone
	for number := range len(r.order) {
		if r.choices[number] == nil {
			r.fail("choice-index", "there are %d choices but none has the index %d", len(r.order), number)
		}
	}
}

package sluicetest

import (
	"slices"
	"strings"
)

// anthropicReader reads Anthropic Messages: a start, blocks one after another,
// a message_delta with the stop reason, a stop.
type anthropicReader struct {
	*inspector
	started   bool
	next      int // index of the next block
	open      *anthropicBlock
	toolUses  int
	ids       map[string]bool
	closing   bool // a message_delta was seen
	reason    string
	arguments []*openCall
}

// anthropicBlock is the block that is open.
type anthropicBlock struct {
	index int
	kind  string
	text  *strings.Builder // of text and thinking
	call  *openCall        // of tool_use
}

func newAnthropicReader(in *inspector) *anthropicReader {
	return &anthropicReader{inspector: in, ids: map[string]bool{}}
}

// anthropicDeltas says which deltas are allowed in blocks of the known types. A known
// delta in another known block is a violation; unknown deltas and unknown blocks are
// not checked.
var anthropicDeltas = map[string][]string{
	"text":              {"text_delta", "citations_delta"},
	"thinking":          {"thinking_delta", "signature_delta"},
	"redacted_thinking": {},
	"tool_use":          {"input_json_delta"},
	"server_tool_use":   {"input_json_delta"},
	"mcp_tool_use":      {"input_json_delta"},
	"compaction":        {"compaction_delta"},
}

// anthropicDeltaText is the string member of the known deltas.
var anthropicDeltaText = map[string]string{
	"text_delta":       "text",
	"thinking_delta":   "thinking",
	"signature_delta":  "signature",
	"input_json_delta": "partial_json",
	"compaction_delta": "",
	"citations_delta":  "",
}

func (r *anthropicReader) read(event string, o object) {
	kind := r.need("type", o, "type", "the payload")
	switch {
	case event != kind:
		r.fail("event-name", "the event is named %q but the payload's type is %q", event, kind)
	case r.report.Failed:
		r.fail("after-error", "%s follows the error event", kind)
	case r.report.Ended:
		r.fail("after-stop", "%s follows message_stop", kind)
	}
	if r.err != nil {
		return
	}
	switch kind {
	case "message_start":
		r.start(o)
		return
	case "error":
		r.failure(o)
		return
	case "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop":
		if !r.started {
			r.fail("message-start", "%s comes before message_start", kind)
			return
		}
	}
	switch kind {
	case "content_block_start":
		r.blockStart(o)
	case "content_block_delta":
		r.blockDelta(o)
	case "content_block_stop":
		r.blockStop(o)
	case "message_delta":
		r.messageDelta(o)
	case "message_stop":
		r.messageStop()
	}
}

func (r *anthropicReader) done() {
	r.fail("done", "[DONE] does not belong to this format")
}

func (r *anthropicReader) end() {}

func (r *anthropicReader) start(o object) {
	if r.started {
		r.fail("message-start", "message_start comes twice")
		return
	}
	r.started = true
	message := r.needObject("message-start", o, "message", "message_start")
	r.messageHead(message)
	// A continuation of programmatic tool calling has its blocks here.
	for _, block := range r.needList("message-start", message, "content", "the message") {
		r.wholeBlock(block)
	}
	if reason := r.text(message, "stop_reason"); reason != "" {
		r.closing = true
		r.stopReason(reason)
	}
}

// messageHead checks the members of a message besides its content, streamed or not.
func (r *anthropicReader) messageHead(message object) {
	r.need("message-id", message, "id", "the message")
	if kind := r.text(message, "type"); kind != "message" {
		r.fail("message-type", "the message's type is %q", kind)
	}
	if role := r.text(message, "role"); role != "assistant" {
		r.fail("role", "the message's role is %q", role)
	}
	r.needString("model", message, "model", "the message")
	r.needObject("usage", message, "usage", "the message")
}

// wholeBlock reads a block that arrives with its content.
func (r *anthropicReader) wholeBlock(block object) {
	r.begin(r.next, block)
	r.next++
	r.close()
}

func (r *anthropicReader) blockStart(o object) {
	index := r.needNumber("block-index", o, "index", "content_block_start")
	switch {
	case r.closing:
		r.fail("block-after-delta", "a block starts after message_delta")
	case r.open != nil:
		r.fail("block-overlap", "block %d starts while block %d is open", index, r.open.index)
	case index != r.next:
		r.fail("block-index", "block %d starts, want index %d", index, r.next)
	}
	block := r.needObject("block", o, "content_block", "content_block_start")
	r.next++
	r.begin(index, block)
}

// begin opens a block and checks the members its type must have.
func (r *anthropicReader) begin(index int, block object) {
	kind := r.need("block-type", block, "type", "a content block")
	b := &anthropicBlock{index: index, kind: kind}
	r.open = b
	switch {
	case kind == "text":
		if r.toolUses > 0 && r.opts.ForbidTextAfterCalls {
			r.fail("text-after-calls", "text block %d follows a tool_use block", index)
		}
		b.text = r.openText(false)
		b.text.WriteString(r.needString("block", block, "text", "a text block"))
	case kind == "thinking":
		b.text = r.openText(true)
		b.text.WriteString(r.needString("block", block, "thinking", "a thinking block"))
		r.text(block, "signature")
	case kind == "redacted_thinking":
		r.need("block", block, "data", "a redacted_thinking block")
	case kind == "tool_use":
		r.toolUses++
		b.call = r.openCall(Call{ID: r.callID(block, kind), Name: r.need("tool-name", block, "name", "a tool_use block"), Type: kind})
		if input := r.needObject("tool-input", block, "input", "a tool_use block"); len(input) > 0 {
			b.call.arguments.WriteString(compact(input))
		}
		r.arguments = append(r.arguments, b.call)
	case kind == "server_tool_use", kind == "mcp_tool_use":
		r.callID(block, kind)
		r.need("tool-name", block, "name", "a "+kind+" block")
	case strings.HasSuffix(kind, "_tool_result"):
		r.need("tool-id", block, "tool_use_id", "a "+kind+" block")
	}
}

// callID returns the id of a call, which must be unique.
func (r *anthropicReader) callID(block object, kind string) string {
	id := r.need("tool-id", block, "id", "a "+kind+" block")
	if r.ids[id] {
		r.fail("tool-id-unique", "two calls have the id %q", id)
	}
	r.ids[id] = true
	return id
}

func (r *anthropicReader) blockDelta(o object) {
	index := r.needNumber("block-index", o, "index", "content_block_delta")
	delta := r.needObject("delta", o, "delta", "content_block_delta")
	kind := r.need("delta", delta, "type", "a delta")
	if !r.isOpen(index, "content_block_delta") {
		return
	}
	b := r.open
	allowed, knownBlock := anthropicDeltas[b.kind]
	member, knownDelta := anthropicDeltaText[kind]
	if strings.HasSuffix(b.kind, "_tool_result") {
		knownBlock = true
	}
	if knownBlock && knownDelta && !slices.Contains(allowed, kind) {
		r.fail("delta-kind", "%s in block %d, which is %s", kind, index, b.kind)
		return
	}
	if member == "" {
		return
	}
	text := r.needString("delta", delta, member, "a "+kind)
	switch {
	case kind == "text_delta" && b.text != nil, kind == "thinking_delta" && b.text != nil:
		b.text.WriteString(text)
	case kind == "input_json_delta" && b.call != nil:
		b.call.write(text)
	}
}

// write appends streamed input. Streamed input replaces the initial value, as in the
// official clients.
func (c *openCall) write(text string) {
	if text == "" {
		return
	}
	if !c.streamed {
		c.streamed = true
		c.arguments.Reset()
	}
	c.arguments.WriteString(text)
}

func (r *anthropicReader) isOpen(index int, what string) bool {
	switch {
	case r.open == nil:
		r.fail("block-open", "%s for block %d but no block is open", what, index)
	case r.open.index != index:
		r.fail("block-open", "%s for block %d but block %d is open", what, index, r.open.index)
	}
	return r.err == nil
}

func (r *anthropicReader) blockStop(o object) {
	if r.isOpen(r.needNumber("block-index", o, "index", "content_block_stop"), "content_block_stop") {
		r.close()
	}
}

// close ends the open block.
func (r *anthropicReader) close() {
	if b := r.open; b != nil && b.kind == "text" && b.text != nil && b.text.Len() == 0 {
		r.fail("empty-text", "text block %d has no text, which is refused when replayed", b.index)
	}
	r.open = nil
}

func (r *anthropicReader) messageDelta(o object) {
	if r.open != nil {
		r.fail("block-unclosed", "message_delta comes while block %d is open", r.open.index)
	}
	r.closing = true
	delta := r.needObject("delta", o, "delta", "message_delta")
	r.needObject("usage", o, "usage", "message_delta")
	if reason := r.text(delta, "stop_reason"); reason != "" {
		if r.reason != "" {
			r.fail("stop-reason-once", "stop_reason %q after %q", reason, r.reason)
		}
		r.stopReason(reason)
	}
}

// stopReason records the stop reason.
func (r *anthropicReader) stopReason(reason string) {
	r.reason = reason
	r.finishes(0, reason)
	switch {
	case reason == "tool_use" && r.toolUses == 0:
		r.fail("finish-calls", "stop_reason is tool_use but there is no tool_use block")
	case reason == "end_turn" && r.toolUses > 0 && r.opts.ForbidStopWithCalls:
		r.fail("finish-stop", "stop_reason is end_turn but there are tool_use blocks")
	case reason == "tool_use":
		for _, call := range r.arguments {
			r.checkArguments(call.Name, call.arguments.String())
		}
	}
}

func (r *anthropicReader) messageStop() {
	switch {
	case r.open != nil:
		r.fail("block-unclosed", "message_stop comes while block %d is open", r.open.index)
	case r.reason == "":
		r.fail("stop-reason-missing", "message_stop comes before a stop_reason")
	}
	r.report.Ended = true
}

// failure reads the error of an event or of a body.
func (r *anthropicReader) failure(o object) {
	failure := r.needObject("error", o, "error", "the error event")
	r.need("error", failure, "type", "the error")
	r.needString("error", failure, "message", "the error")
	r.report.Failed = true
}

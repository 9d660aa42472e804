package sluicetest

import (
	"slices"
	"strings"
)

// anthropic judges the body of a request of Anthropic Messages. Documented: the
// shapes, that neighbouring messages of one role are one turn, that all results
// come first in the message after their calls, that thinking goes back whole and
// signed. Observed in refusals: that the user speaks first, unique ids and their
// alphabet, texts that are empty or only space, thinking as the last block or
// behind other blocks of a message with calls, text behind a call, results of
// the provider's own tools without their call.
func (j *judge) anthropic(body object) {
	switch system := body["system"].(type) {
	case nil, string:
	case []any:
		for _, block := range j.list(body, "system", "") {
			j.anthropicText(block)
		}
	default:
		j.failf("type", "system", "it is %s, want a string or an array", kindOf(system))
	}
	messages := j.list(body, "messages", "")
	if len(messages) == 0 {
		j.failf("messages-empty", "messages", "there must be one at least")
		return
	}
	turns := j.anthropicTurns(messages)
	if turns[0].role != "user" {
		j.failf("first-role", turns[0].at, "the first message is of the role %s, want user", turns[0].role)
	}
	r := &anthropicHistory{judge: j, calls: map[string]bool{}, server: map[string]bool{}}
	for i, t := range turns {
		if t.role == "assistant" {
			r.waiting.settle(j)
			r.assistant(t.blocks, i == len(turns)-1)
		} else {
			r.user(t.blocks)
		}
	}
	r.waiting.settle(j)
}

// anthropicTurn is what one role says before the other one speaks.
type anthropicTurn struct {
	role, at string
	blocks   []placed
}

func (j *judge) anthropicTurns(messages []placed) []anthropicTurn {
	var turns []anthropicTurn
	for i, m := range messages {
		role := j.text(m.object, "role", m.at)
		if role != "user" && role != "assistant" {
			j.failf("role", m.at, "there is no role %q", role)
		}
		var blocks []placed
		if text, isText := m.object["content"].(string); isText {
			if text != "" {
				blocks = []placed{{object{"type": "text", "text": text}, m.at}}
			}
		} else {
			blocks = j.list(m.object, "content", m.at)
		}
		if len(blocks) == 0 && (role != "assistant" || i < len(messages)-1) {
			j.failf("content-empty", m.at, "a message of the role %s without content", role)
		}
		if n := len(turns); n == 0 || turns[n-1].role != role {
			turns = append(turns, anthropicTurn{role: role, at: m.at})
		}
		last := &turns[len(turns)-1]
		last.blocks = append(last.blocks, blocks...)
	}
	return turns
}

// anthropicHistory follows the calls of one request.
type anthropicHistory struct {
	*judge

	calls   map[string]bool // ids of all tool_use blocks
	server  map[string]bool // ids of the calls that the provider executed
	waiting awaited
}

func (j *judge) anthropicText(block placed) {
	text, ok := block.object["text"].(string)
	switch {
	case !ok:
		j.failf("type", block.at, "\"text\" is %s, want a string", kindOf(block.object["text"]))
	case strings.TrimSpace(text) == "":
		j.failf("text-blank", block.at, "a text that is empty or only space")
	}
}

// user reads a turn of the user: results, then everything else.
func (r *anthropicHistory) user(blocks []placed) {
	between := ""
	for _, b := range blocks {
		typ := r.text(b.object, "type", b.at)
		if typ != "tool_result" && between == "" {
			between = b.at
		}
		switch typ {
		case "tool_result":
			if between != "" {
				r.failf("results-first", b.at, "%s comes before a result", between)
			}
			r.waiting.answer(r.judge, r.text(b.object, "tool_use_id", b.at), b.at)
			r.resultContent(b)
		case "text":
			r.anthropicText(b)
		case "tool_use", "thinking", "redacted_thinking", "server_tool_use":
			r.failf("block-role", b.at, "a block of type %s in a message of the user", typ)
		case "":
			r.failf("block-type", b.at, "a block without a type")
		}
	}
	r.waiting.settle(r.judge)
}

// resultContent reads a result's content: none, a text, or blocks.
func (r *anthropicHistory) resultContent(b placed) {
	switch b.object["content"].(type) {
	case nil, string:
		return
	default:
	}
	for _, part := range r.list(b.object, "content", b.at) {
		if part.object["type"] == "text" {
			r.anthropicText(part)
		}
	}
}

func (r *anthropicHistory) assistant(blocks []placed, final bool) {
	if len(blocks) == 0 {
		return
	}
	isThinking := func(b placed) bool {
		return b.object["type"] == "thinking" || b.object["type"] == "redacted_thinking"
	}
	isCall := func(b placed) bool { return b.object["type"] == "tool_use" }
	if slices.ContainsFunc(blocks, isCall) && slices.ContainsFunc(blocks, isThinking) && !isThinking(blocks[0]) {
		r.failf("thinking-first", blocks[0].at, "a message with thinking and calls must begin with thinking")
	}
	last := blocks[len(blocks)-1]
	if isThinking(last) {
		r.failf("thinking-last", last.at, "thinking is the last block")
	}
	if text, ok := last.object["text"].(string); ok && final && strings.TrimRight(text, " \t\r\n") != text {
		r.failf("text-trailing-space", last.at, "the answer to be continued ends with space")
	}
	called := false
	for _, b := range blocks {
		typ := r.text(b.object, "type", b.at)
		switch typ {
		case "text":
			r.anthropicText(b)
			if called {
				r.failf("text-after-call", b.at, "a text follows a call")
			}
		case "thinking":
			if _, ok := b.object["thinking"].(string); !ok {
				r.failf("type", b.at, "\"thinking\" is %s, want a string", kindOf(b.object["thinking"]))
			}
			if r.text(b.object, "signature", b.at) == "" {
				r.failf("signature", b.at, "thinking without its signature")
			}
		case "redacted_thinking":
			if r.text(b.object, "data", b.at) == "" {
				r.failf("signature", b.at, "redacted thinking without its data")
			}
		case "tool_use":
			called = true
			r.call(b)
		case "server_tool_use", "mcp_tool_use":
			r.server[r.text(b.object, "id", b.at)] = true
		case "tool_result":
			r.failf("block-role", b.at, "a block of type tool_result in a message of the assistant")
		case "":
			r.failf("block-type", b.at, "a block without a type")
		default:
			if id := r.text(b.object, "tool_use_id", b.at); strings.HasSuffix(typ, "_tool_result") && !r.server[id] {
				r.failf("result-orphan", b.at, "no call of the provider before has the id %q", id)
			}
		}
	}
}

func (r *anthropicHistory) call(b placed) {
	id := r.text(b.object, "id", b.at)
	switch {
	case id == "":
		r.failf("id-missing", b.at, "a call without an id")
	case !plain(id):
		r.failf("id-alphabet", b.at, "the id %q has more than a-z, A-Z, 0-9, _ and -", id)
	case r.calls[id]:
		r.failf("call-duplicate", b.at, "the id %q belongs to an earlier call", id)
	}
	r.calls[id] = true
	r.waiting.call(id, b.at)
	r.name(r.text(b.object, "name", b.at), b.at)
	if _, ok := b.object["input"].(object); !ok {
		r.failf("arguments", b.at, "\"input\" is %s, want an object", kindOf(b.object["input"]))
	}
}

package sluicetest

import (
	"strconv"

	"github.com/sluice-project/sluice/llm"
)

// chatDelta is one step of a choice: a text member, or an entry of tool_calls.
type chatDelta struct {
	member string
	value  string
}

// chatOrder is the order of members within a delta. Two steps may share a delta only in
// this order, so that the order of the blocks stays unambiguous.
var chatOrder = map[string]int{"role": 0, "reasoning_content": 1, "reasoning_details": 2, "content": 3, "refusal": 4, "tool_calls": 5}

func (b *builder) chat() {
	if b.has(QuirkFilterFirst) {
		b.out = append(b.out, `{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}`)
	}
	queues := make([][]string, len(b.choices))
	left := 0
	for i, blocks := range b.choices {
		queues[i] = b.chatChoice(i, blocks)
		left += len(queues[i])
	}
	for left > 0 {
		var entries []string
		first := 0
		if b.Rand != nil {
			first = b.Rand.IntN(len(queues))
		}
		for n := range queues {
			i := (first + n) % len(queues)
			if len(queues[i]) == 0 || len(entries) > 0 && !b.chance(4) {
				continue
			}
			entries = append(entries, queues[i][0])
			queues[i] = queues[i][1:]
			left--
		}
		b.out = append(b.out, b.chatChunk(array(entries...), ""))
	}
	if b.Error != "" {
		b.out = append(b.out, members("error", members("message", b.quote(b.Error), "type", `"server_error"`, "code", "null")))
		return
	}
	if b.Usage {
		b.out = append(b.out, b.chatChunk("[]", chatUsage))
	}
	b.out = append(b.out, "[DONE]")
}

const chatUsage = `{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}`

func (b *builder) chatChunk(choices, usage string) string {
	padding := ""
	if b.has(QuirkPadding) {
		padding = `"xxxxxxxx"`
	}
	if usage == "" && b.Usage {
		usage = "null"
	}
	return members("id", b.quote(b.ID), "object", `"chat.completion.chunk"`, "created", "1700000000", "model", b.quote(b.Model),
		"choices", choices, "usage", usage, "obfuscation", padding)
}

// chatChoice returns the entries of one choice, ready for their payloads.
func (b *builder) chatChoice(number int, blocks []llm.Block) []string {
	deltas := b.chatDeltas(blocks)
	finish := strconv.Quote(b.finishWord(blocks, "stop", "tool_calls"))
	var entries []string
	entry := func(delta, finish string) {
		entries = append(entries, members("index", strconv.Itoa(number), "delta", delta, "logprobs", "null", "finish_reason", finish))
	}
	for i := 0; i < len(deltas); {
		group := []chatDelta{deltas[i]}
		if b.has(QuirkRepeat) && deltas[i].member != "role" {
			group = []chatDelta{{"role", `"assistant"`}, deltas[i]}
		}
		for i++; i < len(deltas) && b.chance(5) && mayShare(group[len(group)-1], deltas[i]); i++ {
			group = append(group, deltas[i])
		}
		if i == len(deltas) && b.has(QuirkFinishWithDelta) && b.Error == "" {
			entry(joinDeltas(group), finish)
			return entries
		}
		entry(joinDeltas(group), "null")
	}
	if b.Error == "" {
		entry("{}", finish)
	}
	return entries
}

func mayShare(last, next chatDelta) bool {
	return chatOrder[last.member] < chatOrder[next.member] || last.member == "tool_calls" && next.member == "tool_calls"
}

// joinDeltas writes one delta object.
func joinDeltas(group []chatDelta) string {
	var pairs []string
	for _, delta := range group {
		if n := len(pairs); delta.member == "tool_calls" && n > 0 && pairs[n-2] == "tool_calls" {
			pairs[n-1] += "," + delta.value
			continue
		}
		pairs = append(pairs, delta.member, delta.value)
	}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == "tool_calls" {
			pairs[i+1] = array(pairs[i+1])
		}
	}
	return members(pairs...)
}

// chatDeltas returns the steps of a choice in order.
func (b *builder) chatDeltas(blocks []llm.Block) []chatDelta {
	deltas := []chatDelta{{"role", `"assistant"`}}
	text := func(member, body string) {
		for _, piece := range b.pieces(body) {
			deltas = append(deltas, chatDelta{member, b.quote(piece)})
		}
	}
	calls := 0
	for i := 0; i < len(blocks); i++ {
		block := &blocks[i]
		switch block.Kind {
		case llm.Content:
			text("content", block.Text)
		case llm.Thinking:
			text("reasoning_content", block.Text)
			if block.Signature != "" {
				detail := members("type", `"reasoning.text"`, "index", "0", "signature", b.quote(block.Signature))
				deltas = append(deltas, chatDelta{"reasoning_details", array(detail)})
			}
		case llm.Refusal:
			text("refusal", block.Text)
		case llm.ToolCall:
			end := i + 1
			for b.has(QuirkInterleave) && end < len(blocks) && blocks[end].Kind == llm.ToolCall {
				end++
			}
			deltas = append(deltas, b.chatCalls(calls, blocks[i:end])...)
			calls += end - i
			i = end - 1
		default:
		}
	}
	return deltas
}

// chatCalls returns the steps of calls whose deltas may interleave: they start in
// order, then continue in any.
func (b *builder) chatCalls(first int, blocks []llm.Block) []chatDelta {
	var deltas []chatDelta
	rest := make([][]chatDelta, len(blocks))
	left := 0
	for i := range blocks {
		steps := b.chatCall(first+i, &blocks[i])
		deltas, rest[i] = append(deltas, steps[0]), steps[1:]
		left += len(rest[i])
	}
	for left > 0 {
		i := left % len(rest)
		if b.Rand != nil {
			i = b.Rand.IntN(len(rest))
		}
		for len(rest[i]) == 0 {
			i = (i + 1) % len(rest)
		}
		deltas, rest[i] = append(deltas, rest[i][0]), rest[i][1:]
		left--
	}
	return deltas
}

// chatCall returns the steps of one call: its head, then its arguments.
func (b *builder) chatCall(index int, block *llm.Block) []chatDelta {
	kind, body := "function", "arguments"
	if block.Freeform() {
		kind, body = "custom", "input"
	}
	id := b.quote(b.mint(block.ID, "call_"))
	name := b.quote(block.Name)
	pieces := b.callPieces(block.Arguments)
	initial := ""
	if len(pieces) > 0 && (b.has(QuirkWholeCalls) || b.chance(3)) {
		initial, pieces = pieces[0], pieces[1:]
	}
	signature := ""
	if block.Signature != "" {
		signature = members("google", members("thought_signature", b.quote(block.Signature)))
	}
	steps := []chatDelta{{"tool_calls", members("index", strconv.Itoa(index), "id", id, "type", strconv.Quote(kind),
		kind, members("name", name, body, b.quote(initial)), "extra_content", signature)}}
	for _, piece := range pieces {
		head := members("index", strconv.Itoa(index), kind, members(body, b.quote(piece)))
		if b.has(QuirkRepeat) {
			head = members("index", strconv.Itoa(index), "id", id, "type", strconv.Quote(kind), kind, members("name", name, body, b.quote(piece)))
		}
		steps = append(steps, chatDelta{"tool_calls", head})
	}
	return steps
}

func (b *builder) chatBody() string {
	var choices []string
	for number, blocks := range b.choices {
		content, refusal, thinking := "", "", ""
		var calls []string
		for i := range blocks {
			block := &blocks[i]
			switch block.Kind {
			case llm.Content:
				content += block.Text
			case llm.Refusal:
				refusal += block.Text
			case llm.Thinking:
				thinking += block.Text
			case llm.ToolCall:
				kind, body := "function", "arguments"
				if block.Freeform() {
					kind, body = "custom", "input"
				}
				calls = append(calls, members("id", b.quote(b.mint(block.ID, "call_")), "type", strconv.Quote(kind),
					kind, members("name", b.quote(block.Name), body, b.quote(block.Arguments))))
			default:
			}
		}
		optional := func(text string) string {
			if text == "" {
				return "null"
			}
			return b.quote(text)
		}
		pairs := []string{"role", `"assistant"`, "content", optional(content), "refusal", optional(refusal)}
		if thinking != "" {
			pairs = append(pairs, "reasoning_content", b.quote(thinking))
		}
		if len(calls) > 0 {
			pairs = append(pairs, "tool_calls", array(calls...))
		}
		choices = append(choices, members("index", strconv.Itoa(number), "message", members(pairs...), "logprobs", "null",
			"finish_reason", strconv.Quote(b.finishWord(blocks, "stop", "tool_calls"))))
	}
	return members("id", b.quote(b.ID), "object", `"chat.completion"`, "created", "1700000000", "model", b.quote(b.Model),
		"choices", array(choices...), "usage", chatUsage)
}

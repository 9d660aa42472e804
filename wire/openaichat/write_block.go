package openaichat

import (
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// writable reports whether the dialect has a form for a block of Sluice's own.
func writable(b *llm.Block) bool {
	switch b.Kind {
	case llm.Content, llm.Refusal, llm.Thinking:
		return true
	case llm.ToolCall:
		return b.Name != ""
	default:
		return false
	}
}

// block returns the delta of one block of Sluice's own, nil for empty text.
func (w *Writer) block(ch *outChoice, b *llm.Block) []byte {
	if b.Kind == llm.ToolCall {
		return w.ownCall(ch, b)
	}
	if b.Text == "" {
		return nil
	}
	ch.plan.Blocks++
	return textMember(b)
}

// textMember returns the member of a delta or message that holds a text block.
func textMember(b *llm.Block) []byte {
	var m []byte
	switch b.Kind {
	case llm.Refusal:
		m = append(m, `"refusal":`...)
	case llm.Thinking:
		m = append(m, `"reasoning_content":`...)
	default:
		m = append(m, `"content":`...)
	}
	m = jsonscan.AppendString(m, b.Text)
	if b.Kind == llm.Thinking && b.Signature != "" {
		m = append(m, `,"reasoning_details":[`...)
		m = append(append(m, reasoningDetail(b, 0)...), ']')
	}
	return m
}

// reasoningDetail returns the element of reasoning_details that signs a thought.
func reasoningDetail(b *llm.Block, index int) []byte {
	e := jsonscan.AppendString([]byte(`{"type":"reasoning.text","text":`), b.Text)
	e = jsonscan.AppendString(append(e, `,"signature":`...), b.Signature)
	e = strconv.AppendInt(append(e, `,"index":`...), int64(index), 10)
	return append(e, '}')
}

// ownCall returns the delta of a call of Sluice's own, which is whole.
func (w *Writer) ownCall(ch *outChoice, b *llm.Block) []byte {
	delta := append([]byte(`"tool_calls":[`), callEntry(b, w.uniqueID(ch, b.ID), ch.next)...)
	ch.next++
	ch.calls++
	ch.added++
	ch.plan.Calls++
	ch.plan.Blocks++
	return append(delta, ']')
}

// callEntry returns a tool_calls entry; without an index if it is negative, as
// in a message.
func callEntry(b *llm.Block, id string, index int) []byte {
	e := []byte{'{'}
	if index >= 0 {
		e = append(e, `"index":`...)
		e = strconv.AppendInt(e, int64(index), 10)
		e = append(e, ',')
	}
	e = append(e, `"id":`...)
	e = jsonscan.AppendString(e, id)
	if b.Freeform() {
		e = append(e, `,"type":"custom","custom":{"name":`...)
		e = jsonscan.AppendString(e, b.Name)
		e = append(e, `,"input":`...)
	} else {
		e = append(e, `,"type":"function","function":{"name":`...)
		e = jsonscan.AppendString(e, b.Name)
		e = append(e, `,"arguments":`...)
	}
	e = jsonscan.AppendString(e, b.Arguments)
	e = append(e, '}')
	if b.Signature != "" {
		e = append(e, `,"extra_content":{"google":{"thought_signature":`...)
		e = jsonscan.AppendString(e, b.Signature)
		e = append(e, `}}`...)
	}
	return append(e, '}')
}

// functionCallMember returns the legacy form of a call.
func functionCallMember(b *llm.Block) []byte {
	m := append([]byte(nil), `"function_call":{"name":`...)
	m = jsonscan.AppendString(m, b.Name)
	m = append(m, `,"arguments":`...)
	m = jsonscan.AppendString(m, b.Arguments)
	return append(m, '}')
}

// finishWord is the word that fits what is left of a choice. It is derived only
// if blocks were added, removed or left out; limits, filters and errors keep
// their words always.
func (w *Writer) finishWord(ch *outChoice, word string, reason llm.FinishReason) string {
	if !ch.plan.Changed && w.gaps == 0 {
		return word
	}
	switch {
	case reason == llm.FinishToolCalls && ch.calls == 0:
		return "stop"
	case word == "function_call" && ch.legacy == 0, reason == llm.FinishStop && ch.added > 0:
		return "tool_calls"
	case word == "tool_calls" && ch.legacy == ch.calls:
		return "function_call"
	}
	return word
}

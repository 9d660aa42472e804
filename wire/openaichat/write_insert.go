package openaichat

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// insert puts the blocks that wait for the choice into it: a text after the one
// that is there, calls after the others.
func (m *wholeMessage) insert() {
	ch := m.elem.choice
	waiting := ch.plan.Waiting
	ch.plan.Waiting = nil
	for i := range waiting {
		b := &waiting[i]
		if b.Kind != llm.ToolCall && b.Text == "" {
			continue
		}
		m.inserted = true
		ch.plan.Blocks++
		switch b.Kind {
		case llm.Thinking:
			m.thinking += b.Text
			if b.Signature != "" {
				m.details = append(m.details, reasoningDetail(b, m.detailsBefore()+len(m.details)))
			}
		case llm.Refusal:
			m.refusal += b.Text
			m.edited = true
		case llm.ToolCall:
			ch.calls++
			ch.added++
			m.calls = append(m.calls, callEntry(b, m.w.uniqueID(ch, b.ID), -1))
		default:
			m.after += b.Text
			m.edited = true
		}
	}
}

// detailsBefore counts the reasoning details of the upstream.
func (m *wholeMessage) detailsBefore() int {
	at := find(m.elem.delta, "reasoning_details")
	if at == nil {
		return 0
	}
	return len(elementsOf(m.raw, at.value))
}

// refuse writes the refusal: null if nothing of it is left.
func (m *wholeMessage) refuse(message *rebuild) {
	at := find(m.elem.delta, "refusal")
	var own *piece
	if at != nil {
		own = m.pieces[at.value.Start]
	}
	text := m.refusal
	switch {
	case own != nil && own.copy >= 0:
		text = string(own.data) + text
	case own != nil && text == "":
		message.change("refusal", []byte("null"))
		return
	}
	if text != "" {
		message.set("refusal", jsonscan.AppendString(nil, text))
	}
}

// reasoning removes the reasoning with all its copies, and adds Sluice's own.
func (m *wholeMessage) reasoning(message *rebuild) {
	names := [...]string{"reasoning_content", "reasoning", "reasoning_details"}
	dropped := false
	var text []byte // what the upstream thought
	for _, name := range names {
		at := find(m.elem.delta, name)
		if at == nil {
			continue
		}
		for _, piece := range m.within(at.value) {
			dropped = dropped || piece.copy < 0
		}
		if len(text) == 0 {
			text = m.textIn(at.value)
		}
	}
	if dropped {
		text = nil
		for _, name := range names {
			message.remove(name)
		}
	}
	if m.thinking == "" {
		return
	}
	thought := jsonscan.AppendString(nil, string(text)+m.thinking)
	told := false
	for _, name := range names[:2] {
		at := find(m.elem.delta, name)
		if at == nil || dropped || !saysIn(m.raw, at) {
			continue
		}
		if !told || len(m.within(at.value)) == 0 { // the first, and its copy
			message.put(name, thought)
			told = true
		}
	}
	if !told {
		message.put(names[0], thought)
	}
	if len(m.details) == 0 {
		return
	}
	var details [][]byte
	if at := find(m.elem.delta, names[2]); at != nil && !dropped {
		for _, span := range elementsOf(m.raw, at.value) {
			details = append(details, span.In(m.raw))
		}
	}
	message.put(names[2], array(append(details, m.details...)))
}

// ownChoice returns a choice that holds nothing but what waits for it.
func (w *Writer) ownChoice(n int) []byte {
	content := "null"
	if len(w.choice(n).plan.Waiting) == 0 {
		content = `""`
	}
	raw := append([]byte(`{"choices":[{"index":`), number(n)...)
	raw = append(raw, `,"message":{"role":"assistant","content":`+content+`},"finish_reason":"stop"}]}`...)
	p := w.readPayload(&stream.Chunk{Raw: raw, Whole: true})
	m := wholeMessage{payload: p, elem: &p.elems[0]}
	m.insert()
	m.elem.finishCopy, m.elem.word = 0, w.finishWord(m.elem.choice, "stop", llm.FinishStop)
	m.elem.choice.finish()
	return m.bytes()
}

// writeOwn writes a non-streaming answer that holds nothing but what waits.
func (w *Writer) writeOwn(dst []byte) []byte {
	w.ended = true
	dst = append(dst, `{"id":`...)
	dst = append(dst, w.answerID()...)
	dst = append(dst, `,"object":"chat.completion","created":0,"model":"","choices":`...)
	elements := make([][]byte, max(w.plan.Highest(), 0)+1)
	for n := range elements {
		elements[n] = w.ownChoice(n)
	}
	return append(append(dst, array(elements)...), '}')
}

package anthropic

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// ownElements returns the blocks that wait for an answer which does not stream,
// as elements of its content: those that go before the first call, and calls.
func (w *Writer) ownElements() (texts, calls [][]byte) {
	waiting := w.choice.Waiting
	w.choice.Waiting = nil
	for i := range waiting {
		b := &waiting[i]
		if b.Kind != llm.ToolCall {
			texts = append(texts, element(b))
			continue
		}
		w.calls++
		w.added++
		b.ID = w.uniqueID("toolu_", b.ID)
		calls = append(calls, element(b))
	}
	return texts, calls
}

// addContent lists the edit that puts elements last in the content of a message.
func (w *Writer) addContent(raw, elements []byte) {
	if !w.message.content.IsZero() {
		w.edits.InsertLast(raw, w.message.content, elements)
		return
	}
	list := append(append([]byte(`"content":[`), elements...), ']')
	w.edits.InsertLast(raw, w.message.span, list)
}

// writeOwn writes an answer that does not stream and holds nothing but what
// waits.
func (w *Writer) writeOwn(dst []byte) ([]byte, error) {
	raw := jsonscan.AppendString([]byte(`{"id":`), w.opts.ID("msg_"))
	raw = append(raw, `,"type":"message","role":"assistant","model":"sluice","content":[],"stop_reason":"end_turn",`+
		`"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}`...)
	dst, err := w.rewriteWhole(dst, &stream.Chunk{Raw: raw, Whole: true})
	w.ended = true
	return dst, err
}

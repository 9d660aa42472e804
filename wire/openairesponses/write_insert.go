package openairesponses

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
)

// insert puts the blocks that wait last into the output of a whole response.
func (w *Writer) insert(edits *edit.Edits, raw []byte) {
	items := joinJSON(w.waitingItems())
	if len(items) == 0 {
		return
	}
	value, at, ok := jsonscan.Get(raw, "output")
	span := llm.Span{Start: at[0], End: at[1]}
	switch {
	case ok && value[0] == '[':
		edits.InsertLast(raw, span, items)
	case ok: // null
		edits.Replace(span, append(append([]byte{'['}, items...), ']'))
	default:
		edits.InsertLast(raw, objectSpan(raw), append(append([]byte(`"output":[`), items...), ']'))
	}
}

// waitingItems returns the blocks that wait as items, which count as sent.
func (w *Writer) waitingItems() [][]byte {
	ch := w.plan.Choice(0)
	before := len(w.sent)
	for i := range ch.Waiting {
		w.writeBlock(nil, &ch.Waiting[i], nil) // for the item, not for its events
	}
	ch.Waiting = nil
	return finals(w.sent[before:])
}

// writeOwn writes a whole response that holds nothing but what waits.
func (w *Writer) writeOwn(dst []byte) []byte {
	if w.id == "" {
		w.id = w.opts.ID("resp_")
	}
	w.waitingItems()
	w.finish()
	w.closed = true
	response := w.minimal()
	if own := w.final(response, "completed", true); own != nil {
		response = own
	}
	return append(dst, response...)
}

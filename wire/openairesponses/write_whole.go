package openairesponses

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/edit"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// whole writes a non-streaming response: its body with the edits in place. If
// an event stream has begun before it came, it becomes the end of that.
func (w *Writer) whole(dst []byte, c *stream.Chunk) ([]byte, error) {
	if w.begun {
		return w.wholeAsEnd(dst, plan.Flat(c))
	}
	var edits edit.Edits
	for i := 0; i < len(c.Events); {
		span := c.Events[i].Span
		n := i
		for n < len(c.Events) && c.Events[n].Span == span {
			n++
		}
		events := c.Events[i:n]
		i = n
		if span.Len() < len(c.Raw) {
			w.wholeItem(&edits, c, events, span)
		}
	}
	if w.opts.Whole && !failed(c) {
		w.insert(&edits, c.Raw)
	}
	w.finishWhole()
	out := c.Raw
	if !edits.Empty() {
		var err error
		if out, err = edits.Apply(nil, c.Raw); err != nil {
			return dst, err
		}
	}
	if w.plan.Edited {
		if own := spoken(out); own != nil {
			out = own
		}
	}
	return append(dst, out...), nil
}

// failed reports whether a whole response is a failed one.
func failed(c *stream.Chunk) bool {
	for i := range c.Events {
		if ev := &c.Events[i]; ev.Type == stream.EventFinish && (string(ev.Data) == "failed" || string(ev.Data) == "cancelled") {
			return true
		}
	}
	return plan.Failed(c)
}

// wholeItem edits one item of a non-streaming response.
func (w *Writer) wholeItem(edits *edit.Edits, c *stream.Chunk, events []stream.Event, span llm.Span) {
	var first *stream.Event
	var starts []*stream.Event
	replaced, edited := false, false
	for i := range events {
		ev := &events[i]
		if !isBlock(ev) {
			continue
		}
		if first == nil {
			first = ev
		}
		entry, _ := w.plan.Track(ev)
		edited = edited || ev.Edited
		if ev.Type == stream.EventStart {
			starts = append(starts, ev)
			replaced = replaced || entry.Replaced
		}
	}
	if first == nil {
		return
	}
	it := w.register(c, first)
	w.name(it)
	raw := span.In(c.Raw)
	if edited {
		item := &stream.Chunk{Raw: raw}
		if changed, ok := plan.Amend(item, w.amendItem(raw, 0, events, stream.EventWhole, it)); ok {
			raw = changed.Raw
		}
	}
	if !replaced {
		if renamed := w.rename(raw, it); renamed != nil {
			raw, edited = renamed, true
		}
		if edited {
			edits.Replace(span, raw)
		}
		return
	}
	var items [][]byte
	if it.kind == 0 {
		items = w.wholeMessage(raw, it, starts)
	} else {
		items = w.asItems(w.plan.Choice(0).Entry(first.Block).With, it)
	}
	if len(items) == 0 {
		edits.Remove(span)
		return
	}
	edits.Replace(span, joinJSON(items))
}

// asItems returns the JSON of blocks as items.
func (w *Writer) asItems(with []llm.Block, from *outItem) [][]byte {
	before := len(w.sent)
	w.replace(nil, from, with)
	return finals(w.sent[before:])
}

// finals returns the JSON of items that have ended.
func finals(sent []*outItem) [][]byte {
	items := make([][]byte, len(sent))
	for i, it := range sent {
		items[i] = it.final
	}
	return items
}

// wholeMessage returns a message with blocks replaced, and the calls that
// replace some of them.
func (w *Writer) wholeMessage(raw []byte, it *outItem, starts []*stream.Event) [][]byte {
	var parts, calls [][]byte
	put := func(run int) bool {
		if run >= len(starts) {
			return false
		}
		entry := w.plan.Choice(0).Entry(starts[run].Block)
		if !entry.Replaced {
			return false
		}
		for i := range entry.With {
			b := &entry.With[i]
			if b.Kind == llm.ToolCall {
				calls = append(calls, w.asItems(entry.With[i:i+1], it)...)
				continue
			}
			part := outPart{typ: outputText, text: []byte(b.Text)}
			if b.Kind == llm.Refusal {
				part.typ = refusalText
			}
			parts = append(parts, part.JSON())
		}
		return true
	}
	if !w.readView(raw) {
		return nil
	}
	view := w.view
	var s jsonscan.Scanner
	s.Reset(view.content.raw)
	run, kind, gone := -1, llm.Kind(0), false
	if s.Array() {
		for s.Elem() {
			start := s.Pos()
			part, _ := readPart(&s, new([]byte))
			if part.kind == llm.Thinking {
				part.kind = llm.Content
			}
			if part.kind != 0 && part.kind != kind {
				run, kind = run+1, part.kind
				gone = put(run)
			}
			if part.kind == 0 || !gone {
				parts = append(parts, view.content.raw[start:s.Pos()])
			}
		}
	}
	if run < 0 {
		put(0)
	}
	if len(parts) == 0 {
		return calls
	}
	content := append(append([]byte{'['}, joinJSON(parts)...), ']')
	w.inside.Reset()
	w.set(raw, &view.id, "id", []byte(quoted(it.id)))
	w.set(raw, &view.content, "content", content)
	item, err := w.inside.Apply(nil, raw)
	if err != nil {
		return calls
	}
	return append([][]byte{item}, calls...)
}

func joinJSON(values [][]byte) []byte {
	var out []byte
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return out
}

// wholeAsEnd writes a non-streaming response as the end of an event stream.
func (w *Writer) wholeAsEnd(dst []byte, c *stream.Chunk) ([]byte, error) {
	name := nameCompleted
	for i := range c.Events {
		if i == 0 && c.Events[i].Type == stream.EventError {
			return w.fail(dst, c.Events[i].Err), nil // an error and nothing else
		}
		if c.Events[i].Type == stream.EventFinish {
			switch string(c.Events[i].Data) {
			case "incomplete":
				name = nameIncomplete
			case "failed":
				name = nameFailed
			case "cancelled":
				name = nameCancelled
			}
		}
	}
	head := `{"type":"` + name + `","response":`
	end := stream.Chunk{Name: name, Seq: c.Seq, Number: -1, Edited: c.Edited}
	end.Raw = append(append([]byte(head), c.Raw...), '}')
	end.Events = append(end.Events, c.Events...)
	for i := range end.Events {
		ev := &end.Events[i]
		if ev.Span.Len() < len(c.Raw) {
			ev.Span = llm.Span{Start: ev.Span.Start + len(head), End: ev.Span.End + len(head)}
		} else {
			ev.Span = llm.Span{Start: 0, End: len(end.Raw)}
		}
	}
	if !w.scan(end.Name, end.Raw) {
		return dst, nil
	}
	return w.terminal(dst, &end)
}

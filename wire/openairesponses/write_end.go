package openairesponses

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// terminal writes the last response object. Its output is what was sent.
func (w *Writer) terminal(dst []byte, c *stream.Chunk) ([]byte, error) {
	status := word(w.p.name)
	dst = w.beginFrom(dst, c)
	if !w.errored {
		var err error
		if dst, err = w.elements(dst, c); err != nil {
			return dst, err
		}
		if status == "completed" || status == "incomplete" {
			if dst, err = w.closeAll(dst, status); err != nil {
				return dst, err
			}
			dst = w.flush(dst)
		}
		w.scan(c.Name, c.Raw)
	}
	w.prepare(c.Raw, nil)
	if w.p.got(memberResponse) {
		raw := w.p.response.In(c.Raw)
		if own := w.final(raw, "", status != "failed"); own != nil {
			w.edits.Replace(w.p.response, own)
		}
	} else {
		w.response = w.minimal()
		w.member(c.Raw, "response", w.final(w.response, status, true))
	}
	dst = w.apply(dst, c.Name, c.Raw)
	w.finish()
	for i := range c.Events {
		w.errored = w.errored || c.Events[i].Type == stream.EventError
	}
	return dst, nil
}

// beginFrom begins an answer whose beginning the caller left out, under the id
// that its end has.
func (w *Writer) beginFrom(dst []byte, c *stream.Chunk) []byte {
	if w.begun {
		return dst
	}
	if w.p.got(memberResponse) {
		var v responseView
		if v.read(&w.inner, w.p.response.In(c.Raw), &w.buf) == "" {
			w.id, w.model = string(v.id), string(v.model)
		}
	}
	return w.begin(dst)
}

// elements writes the items of the final output that were not completely sent
// by events of their own, each as if it ended now.
func (w *Writer) elements(dst []byte, c *stream.Chunk) ([]byte, error) {
	for i := 0; i < len(c.Events); {
		span := c.Events[i].Span
		n, ends := i, false
		for n < len(c.Events) && c.Events[n].Span == span {
			ends = ends || c.Events[n].Type == stream.EventEnd
			n++
		}
		events := c.Events[i:n]
		i = n
		if span.Len() >= len(c.Raw) || !ends {
			for j := range events {
				if isBlock(&events[j]) {
					w.plan.Track(&events[j])
				}
			}
			continue
		}
		done := stream.Chunk{Name: nameItemDone, Seq: c.Seq, Number: -1, Events: events, Edited: c.Edited}
		done.Raw = append(append([]byte(`{"type":"response.output_item.done","item":`), span.In(c.Raw)...), '}')
		if !w.scan(done.Name, done.Raw) {
			continue
		}
		w.p.index = int64(events[0].Index)
		var err error
		if dst, err = w.itemEvent(dst, &done, false); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// closeAll ends the items whose end the caller left out. A message ends with
// the text that was sent. A call or reasoning does not: a part of it is
// missing. An answer that was cut leaves them open, as the upstream did.
func (w *Writer) closeAll(dst []byte, status string) ([]byte, error) {
	for _, it := range w.sent {
		if w.open == 0 {
			break
		}
		if it.done {
			continue
		}
		switch {
		case it.kind == 0:
			dst = w.closePart(dst, it)
			dst = w.endMessage(dst, it, w.withParts(it.added, it, status))
		case status != "completed" && it.gap == w.gaps:
		case it.kind == llm.ToolCall || it.kind == llm.Thinking:
			return w.fail(dst, stream.ErrGap), stream.ErrGap
		default:
			dst = w.writeDone(dst, it, w.beginning(it))
		}
	}
	return dst, nil
}

// output is the JSON list of the items that were sent; ends says that the answer ends.
func (w *Writer) output(ends bool) []byte {
	items := slices.Clone(w.sent)
	if !ends { // a client might act on a call that has not been sent in full
		items = slices.DeleteFunc(items, func(it *outItem) bool { return it.kind == llm.ToolCall && !it.done })
	}
	slices.SortStableFunc(items, func(a, b *outItem) int { return cmp.Compare(a.out, b.out) })
	out := []byte{'['}
	for _, it := range items {
		if len(out) > 1 {
			out = append(out, ',')
		}
		if it.done && it.final != nil {
			out = append(out, it.final...)
		} else {
			out = append(out, w.unfinished(it)...)
		}
	}
	return append(out, ']')
}

// unfinished is the JSON of an item that was cut: as much as was sent of it,
// and the word that nobody may act on it.
func (w *Writer) unfinished(it *outItem) []byte {
	raw := w.beginning(it)
	if !w.readView(raw) {
		return raw
	}
	v := &w.view
	w.inside.Reset()
	w.set(raw, &v.status, "status", []byte(`"incomplete"`))
	switch {
	case it.kind == 0:
		w.set(raw, &v.content, "content", it.content(false))
	case it.kind == llm.Thinking:
		w.set(raw, &v.summary, "summary", it.content(true))
		if it.contents > 0 {
			w.set(raw, &v.content, "content", it.content(false))
		}
	case it.body != nil && callEvents(it.typ) != nil:
		member := callEvents(it.typ).member
		w.set(raw, v.member([]byte(member), nil), member, quotedBytes(it.body))
	}
	out, err := w.inside.Apply(nil, raw)
	if err != nil {
		return raw
	}
	return out
}

// owned returns a response object with the id and model of the answer, nil if
// it has them.
func (w *Writer) owned(raw []byte) []byte { return w.final(raw, "", false) }

// final returns a response object with the id and the model of the answer, the
// given status unless that is empty, and the items that were sent if told, nil
// if it has all that.
func (w *Writer) final(raw []byte, status string, items bool) []byte {
	var v responseView
	if v.read(&w.inner, raw, &w.buf) != "" {
		return nil
	}
	w.inside.Reset()
	put := func(span llm.Span, key string, value []byte) {
		if !span.IsZero() {
			w.inside.Replace(span, value)
			return
		}
		member := append(jsonscan.AppendString(nil, key), ':')
		w.inside.InsertLast(raw, objectSpan(raw), append(member, value...))
	}
	if w.id != "" && w.id != string(v.id) {
		put(v.idAt, "id", quotedBytes([]byte(w.id)))
	}
	if w.swallow && w.model != "" && w.model != string(v.model) {
		put(v.modelAt, "model", quotedBytes([]byte(w.model)))
	}
	if status != "" && status != string(v.status) {
		put(v.statusAt, "status", quotedBytes([]byte(status)))
	}
	if old := v.output.In(raw); items || !v.output.IsZero() && !emptyArray(old) && old[0] == '[' {
		edits := w.inside // output reads items, which uses w.inside
		w.inside = w.spare
		sent := w.output(items)
		w.spare = w.inside
		w.inside = edits
		if !sameJSON(old, sent) {
			put(v.output, "output", sent)
		}
	}
	out := []byte(nil)
	if !w.inside.Empty() {
		var err error
		if out, err = w.inside.Apply(nil, raw); err != nil {
			return nil
		}
		raw = out
	}
	if w.plan.Edited {
		if own := spoken(raw); own != nil {
			return own
		}
	}
	return out
}

// sameJSON reports whether two values differ in nothing but white space.
func sameJSON(a, b []byte) bool {
	x, err := jsonscan.Compact(nil, a)
	if err != nil {
		return false
	}
	y, err := jsonscan.Compact(nil, b)
	return err == nil && bytes.Equal(x, y)
}

// writeCompleted writes an end of Sluice's own.
func (w *Writer) writeCompleted(dst []byte) []byte {
	response := w.response
	if response == nil {
		response = w.minimal()
	}
	if own := w.final(response, "completed", true); own != nil {
		response = own
	}
	w.compose(nameCompleted)
	w.putRaw("response", response)
	w.finish()
	return w.send(dst, nameCompleted)
}

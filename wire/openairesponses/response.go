package openairesponses

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
	"github.com/sluice-project/sluice/wire/internal/fault"
)

// responseView is a parsed response object. Spans are offsets in its JSON.
type responseView struct {
	id, model, status []byte
	output            llm.Span
	usage             []byte
	err               []byte
	reason            []byte // incomplete_details.reason
	idAt, modelAt     llm.Span
	statusAt          llm.Span
}

// read parses a response object. It returns the reason why it is invalid, empty if it
// is not. raw must be valid JSON.
func (v *responseView) read(s *jsonscan.Scanner, raw []byte, buf *[]byte) string {
	*v = responseView{}
	s.Reset(raw)
	if !s.Object() {
		return "the response is not an object"
	}
	var seen uint32
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		var bit uint32
		start := s.Pos()
		switch string(key) {
		case "id":
			bit = 1
			v.id = text(s, buf)
			v.idAt = llm.Span{Start: start, End: s.Pos()}
		case "model":
			bit = 2
			v.model = text(s, buf)
			v.modelAt = llm.Span{Start: start, End: s.Pos()}
		case "status":
			bit = 4
			v.status = text(s, buf)
			v.statusAt = llm.Span{Start: start, End: s.Pos()}
		case "output":
			bit = 8
			if k := s.Kind(); k != jsonscan.Array && k != jsonscan.Null {
				return "the output of the response is not a list"
			}
			s.Skip()
			v.output = llm.Span{Start: start, End: s.Pos()}
		case "usage":
			bit = 16
			v.usage = object(s)
		case "error":
			bit = 32
			if s.Kind() == jsonscan.Null {
				s.Skip()
			} else {
				v.err = s.Raw()
			}
		case "output_text":
			bit = 128
			s.Skip()
		case "incomplete_details":
			bit = 64
			if details := object(s); details != nil {
				if raw, _, ok := jsonscan.Get(details, "reason"); ok {
					v.reason, _ = jsonscan.Unquote(nil, raw)
				}
			}
		default:
			if jsonscan.Disguised(key, names) {
				return disguised
			}
			s.Skip()
			continue
		}
		if seen&bit != 0 {
			return "a member of the response occurs twice: " + string(key)
		}
		seen |= bit
	}
	if s.Err() != nil {
		return "the response is not valid JSON"
	}
	return ""
}

// text reads a string; nothing for any other value.
func text(s *jsonscan.Scanner, buf *[]byte) []byte {
	v, ok := s.Str(buf)
	if !ok {
		s.Skip()
	}
	return v
}

// object reads an object; nil for any other value.
func object(s *jsonscan.Scanner) []byte {
	if s.Kind() == jsonscan.Object {
		return s.Raw()
	}
	s.Skip()
	return nil
}

// snapshot reads a payload with the response object.
func (d *Decoder) snapshot(c *stream.Chunk, p *payload) string {
	if !p.got(memberResponse) {
		if p.typ == typeTerminal {
			return d.response(c, nil, 0, word(p.name))
		}
		d.emit(c, stream.Event{Type: stream.EventPing, Block: -1, Index: -1})
		return ""
	}
	raw := p.response.In(c.Raw)
	if p.typ == typeTerminal {
		return d.response(c, raw, p.response.Start, word(p.name))
	}
	var v responseView
	if reason := v.read(&d.inner, raw, &d.buf); reason != "" {
		return reason
	}
	if !d.meta(c, &v) {
		d.emit(c, stream.Event{Type: stream.EventPing, Block: -1, Index: -1})
	}
	if out := v.output.In(raw); len(trimmed(out)) > 2 && out[0] == '[' && !emptyArray(out) {
		d.emit(c, stream.Event{Type: stream.EventUnknown, Name: "output", Block: -1, Index: -1, Raw: out})
		// Clients start their list with these items, for which there is no event.
		c.Ambiguous = c.Ambiguous || p.typ == typeCreated
	}
	return ""
}

func emptyArray(raw []byte) bool {
	return len(raw) >= 2 && len(trimmed(raw[1:len(raw)-1])) == 0
}

// word is the status that an event name means.
func word(name string) string {
	switch name {
	case nameIncomplete:
		return "incomplete"
	case nameFailed:
		return "failed"
	case nameCancelled:
		return "cancelled"
	}
	return "completed"
}

// meta reports the answer's id and model once.
func (d *Decoder) meta(c *stream.Chunk, v *responseView) bool {
	if d.named || len(v.id) == 0 && len(v.model) == 0 {
		return false
	}
	d.named = true
	id, model := alloc.StringPair(v.id, v.model)
	d.emit(c, stream.Event{Type: stream.EventMeta, Block: -1, Index: -1, ID: id, Name: model})
	return true
}

// response reads the final response object, which starts at offset base of the payload.
// status is the status that the event name means, empty for a non-streaming response,
// which has only its own.
func (d *Decoder) response(c *stream.Chunk, raw []byte, base int, status string) string {
	var v responseView
	if raw != nil {
		if reason := v.read(&d.inner, raw, &d.buf); reason != "" {
			return reason
		}
	}
	d.meta(c, &v)
	switch string(v.status) {
	case "completed", "incomplete", "failed", "cancelled":
		if status != "" && status != string(v.status) {
			d.notes.Note(c.Seq, "status-differs", "the response's status is not what its last event says")
		}
		status = string(v.status)
	case "":
	default:
		if c.Whole {
			status = string(v.status)
		}
	}
	if status == "" {
		d.notes.Note(c.Seq, "status-missing", "the response does not say its status")
		status = "completed"
	}
	if reason := d.output(c, raw, v.output, base); reason != "" {
		return reason
	}
	d.closeOpen(c, status)
	if v.usage != nil {
		d.usage = readUsage(&d.inner, v.usage)
		d.emit(c, stream.Event{Type: stream.EventUsage, Block: -1, Index: -1, Usage: &d.usage})
	}
	d.emit(c, stream.Event{
		Type: stream.EventFinish, Block: -1, Index: -1, Data: []byte(status),
		Reason: finishReason(status, string(v.reason)),
	})
	d.finished = true
	switch {
	case v.err != nil || status == "failed":
		d.errored = true
		d.err = fault.Read(v.err)
		if v.err == nil {
			d.err.Message = "the response failed without saying why"
		}
		d.emit(c, stream.Event{Type: stream.EventError, Block: -1, Index: -1, Err: &d.err})
	default:
		d.emit(c, stream.Event{Type: stream.EventDone, Block: -1, Index: -1})
	}
	return ""
}

// finishReason is the meaning of a status.
func finishReason(status, detail string) llm.FinishReason {
	switch status {
	case "completed":
		return llm.FinishStop
	case "incomplete":
		if detail == "content_filter" {
			return llm.FinishFiltered
		}
		return llm.FinishLength // truncated, whatever the reason
	case "failed", "cancelled":
		return llm.FinishFailed
	}
	return llm.FinishOther
}

// output reads the final items. Those without events become blocks of their own; of the
// others the copy is reported, because a client may read this one.
func (d *Decoder) output(c *stream.Chunk, raw []byte, list llm.Span, base int) string {
	if list.IsZero() || raw[list.Start] != '[' {
		return ""
	}
	var s jsonscan.Scanner
	s.Reset(list.In(raw))
	s.Array()
	for position := int64(0); s.Elem(); position++ {
		start := s.Pos()
		s.Skip()
		span := llm.Span{Start: base + list.Start + start, End: base + list.Start + s.Pos()}
		if reason := d.outputItem(c, span, position); reason != "" {
			return reason
		}
	}
	return ""
}

func (d *Decoder) outputItem(c *stream.Chunk, span llm.Span, position int64) string {
	if !d.count() {
		return tooManyElements
	}
	v := &d.view
	if reason := v.read(&d.inner, span.In(c.Raw), &d.buf); reason != "" {
		return reason
	}
	it := d.pair(v, position)
	if it == nil {
		if !c.Whole && len(d.ordered) > 0 {
			d.notes.Note(c.Seq, "item-only-in-output", "the final response has an item that no event announced")
		}
		index := position
		if d.items[index] != nil {
			index = -1
		}
		if reason := d.completeItem(c, index, nil, v, span); reason != "" {
			return reason
		}
		it = d.ordered[len(d.ordered)-1]
		it.paired = true
		return ""
	}
	it.paired = true
	if it.id != "" && it.id != string(v.id.str) {
		d.notes.Note(c.Seq, "item-id-varies", "events of one item name different ids")
	}
	if it.done || d.errored {
		return d.again(c, it, v, span)
	}
	d.notes.Note(c.Seq, "item-done-missing", "an item was in the final response but never done")
	return d.completeItem(c, it.index, it, v, span)
}

// pair finds the item that an element of the final output repeats: by its id, else by
// its position. Only an item that is equal in everything a client acts on is a
// repetition; anything else is a block of its own.
func (d *Decoder) pair(v *itemView, position int64) *item {
	if it := d.ids[string(v.id.str)]; it != nil && it.repeats(v) {
		return it
	}
	if it := d.items[position]; it != nil && it.repeats(v) {
		return it
	}
	return nil
}

func (it *item) repeats(v *itemView) bool {
	if it.paired || it.typ != v.typ {
		return false
	}
	if !it.done {
		return it.becomes(v)
	}
	return it.same(v)
}

// closeOpen ends what the provider truncated. After a regular end the state itself ends
// open blocks, except calls of which pieces came that no item confirms: what is judged is
// the item.
func (d *Decoder) closeOpen(c *stream.Chunk, status string) {
	for _, it := range d.ordered {
		if d.opened == 0 {
			return
		}
		if it.done {
			continue
		}
		if status == "completed" && len(it.runs) > 0 {
			d.notes.Note(c.Seq, "item-done-missing", "an item was in the final response but never done")
		}
		cut := status != "completed" || it.kind == llm.ToolCall && !it.detailed(nil)
		switch {
		case d.errored:
		case cut:
			d.endItem(c, it, nil, llm.Incomplete, llm.Span{})
		case it.unclear:
			d.endItem(c, it, nil, llm.Complete, llm.Span{})
		}
		d.close(it)
	}
}

// readUsage reads a usage object.
func readUsage(s *jsonscan.Scanner, raw []byte) llm.Usage {
	u := llm.Usage{Raw: raw}
	s.Reset(raw)
	s.Object()
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "input_tokens":
			u.Input = count(s)
		case "output_tokens":
			u.Output = count(s)
		case "input_tokens_details", "output_tokens_details":
			if !s.Object() {
				s.Skip()
				continue
			}
			for key, ok := s.Key(); ok; key, ok = s.Key() {
				switch string(key) {
				case "cached_tokens":
					u.CacheRead = count(s)
				case "cache_write_tokens":
					u.CacheWrite = count(s)
				case "reasoning_tokens":
					u.Reasoning = count(s)
				default:
					s.Skip()
				}
			}
		default:
			s.Skip()
		}
	}
	return u
}

func count(s *jsonscan.Scanner) int64 {
	n, ok := s.Int()
	if !ok {
		s.Skip()
	}
	return n
}

// reportError reads an error event: flat, or nested under error.
func (d *Decoder) reportError(c *stream.Chunk, p *payload) {
	if p.got(memberError) {
		d.err = fault.Read(p.errorAt.In(c.Raw))
	} else {
		d.err = stream.ProviderError{Code: string(p.code), Message: string(p.message), Raw: c.Raw}
	}
	d.errored = true
	for _, it := range d.ordered {
		if d.opened == 0 {
			break
		}
		d.close(it) // the state interrupts its blocks
	}
	d.emit(c, stream.Event{Type: stream.EventError, Block: -1, Index: -1, Err: &d.err})
}

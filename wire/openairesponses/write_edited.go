package openairesponses

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// amended returns a chunk of a message with edited texts as the upstream would have
// sent it, and reads it into w.p. Deltas carry the data of their events. Every later
// copy of a text is what was written of it, whatever the payload says, and an edited
// whole is the final value. Token-by-token repetitions of a text are emptied.
// Annotations stay: they name sources and offsets, not words, and the offsets refer to
// the original text.
//
// It returns nil if nothing is left to write.
func (w *Writer) amended(c *stream.Chunk, it *outItem) *stream.Chunk {
	p := &w.p
	var changes []plan.Change
	switch p.typ {
	case typeTextDelta, typeRefusalDelta:
		ev := firstText(c.Events, stream.EventDelta)
		if ev == nil || !ev.Edited {
			return c
		}
		if part := it.current(); part != nil && part.block < 0 {
			part.block = ev.Block
		}
		if len(ev.Data) == 0 {
			return nil
		}
		changes = append(silenced(c.Raw, 0), plan.Text(p.deltaAt, ev.Data))
	case typeTextDone, typeRefusalDone:
		if w.isTold(it) {
			return nil
		}
		member := "text"
		if p.typ == typeRefusalDone {
			member = "refusal"
		}
		if at, ok := stringAt(c.Raw, member); ok {
			changes = w.amendPart(c, it, at)
			changes = append(changes, silencedIf(changes, c.Raw, 0)...)
		}
	case typePartAdded, typePartDone:
		raw := p.partAt.In(c.Raw)
		switch {
		case p.typ == typePartAdded && !c.Edited:
			return c
		case p.typ == typePartDone && w.isTold(it):
			return nil
		}
		w.inner.Reset(raw)
		if read, _ := readPart(&w.inner, new([]byte)); !read.at.IsZero() {
			changes = w.amendPart(c, it, shifted(read.at, p.partAt.Start))
			changes = append(changes, silencedIf(changes, raw, p.partAt.Start)...)
		}
	case typeItemAdded:
		if c.Edited {
			changes = w.amendItem(p.item.In(c.Raw), p.item.Start, c.Events, stream.EventStart, it)
		}
	case typeItemDone:
		changes = w.amendItem(p.item.In(c.Raw), p.item.Start, c.Events, stream.EventWhole, it)
	default:
	}
	if len(changes) == 0 {
		return c
	}
	d, ok := plan.Amend(c, changes)
	if !ok {
		return nil // the spans are of disjoint values: it cannot fail
	}
	kept := *p
	if !w.scan(d.Name, d.Raw) {
		return nil
	}
	p.index = kept.index // it can have come from the output
	return d
}

// firstText returns the first event of a type that carries the body of a text,
// nil if there is none.
func firstText(events []stream.Event, typ stream.EventType) *stream.Event {
	ev, _ := nextText(events, typ)
	return ev
}

// nextText is firstText, and the events that follow.
func nextText(events []stream.Event, typ stream.EventType) (*stream.Event, []stream.Event) {
	for i := range events {
		ev := &events[i]
		if ev.Type == typ && ev.Field == stream.Body && (ev.Kind == llm.Content || ev.Kind == llm.Refusal) {
			return ev, events[i+1:]
		}
	}
	return nil, nil
}

// isTold reports whether a payload has the whole of a part that was already sent.
// What was written is not written again for each of many.
func (w *Writer) isTold(it *outItem) bool {
	part := it.part(w.p.part)
	switch {
	case part == nil:
		return false
	case w.p.typ == typePartDone:
		return part.stage == partEnded
	}
	return part.stage != partBegun
}

// amendPart changes the whole text of one part, which is at a span.
func (w *Writer) amendPart(c *stream.Chunk, it *outItem, at llm.Span) []plan.Change {
	part := it.part(w.p.part)
	ev := firstText(c.Events, stream.EventWhole)
	switch {
	case ev != nil && ev.Edited:
		part.say(ev.Data)
		return []plan.Change{plan.Text(at, ev.Data)}
	case !w.isEdited(ev, part):
		return nil
	}
	return []plan.Change{plan.Text(at, part.written())}
}

// isEdited reports whether the text of a part is no longer what the upstream
// says. ev is an event of its block. If it is not known which block it belongs to,
// it counts as edited: nothing of the old text may leave.
func (w *Writer) isEdited(ev *stream.Event, part *outPart) bool {
	switch {
	case ev != nil:
		return w.plan.Choice(0).Entry(ev.Block).Edited
	case part != nil && part.block >= 0:
		return w.plan.Choice(0).Entry(part.block).Edited
	}
	return true
}

// amendItem changes the texts of a message, whose JSON is at base in the payload.
// Each run of parts of one kind is a block, for which there is one event of a type.
func (w *Writer) amendItem(item []byte, base int, events []stream.Event, typ stream.EventType, it *outItem) []plan.Change {
	if !w.readView(item) {
		return nil
	}
	content := w.view.content
	if content.kind == jsonscan.String {
		run := textsAt{texts: []textAt{{at: shifted(content.at, base), part: it.part(0)}}}
		return w.amendRun(&run, firstText(events, typ), it)
	}
	var changes []plan.Change
	var run textsAt
	flush := func() {
		if len(run.texts) > 0 {
			var ev *stream.Event
			ev, events = nextText(events, typ)
			changes = append(changes, w.amendRun(&run, ev, it)...)
		}
		run = textsAt{}
	}
	var s jsonscan.Scanner
	s.Reset(content.raw)
	if !s.Array() {
		return nil
	}
	base += content.at.Start
	for n := int64(0); s.Elem(); n++ {
		start := s.Pos()
		read, _ := readPart(&s, new([]byte))
		if read.kind == 0 {
			continue
		}
		if read.kind == llm.Thinking {
			read.kind = llm.Content
		}
		if read.kind != run.kind {
			flush()
			run.kind = read.kind
		}
		at := read.at
		switch {
		case len(read.typ) == 0: // a string
			at = shifted(llm.Span{Start: start, End: s.Pos()}, base)
		case !at.IsZero():
			at = shifted(at, base)
		}
		run.texts = append(run.texts, textAt{
			at: at, part: it.part(n), json: content.raw[start:s.Pos()], base: base + start,
		})
	}
	flush()
	return changes
}

// textsAt are the texts of a run of parts of one kind.
type textsAt struct {
	kind  llm.Kind
	texts []textAt
}

// textAt is the text of a part: the position of its string in the payload, zero if
// it has none, the part as it was written so far, and its JSON, which is at base.
type textAt struct {
	at   llm.Span
	part *outPart
	json []byte
	base int
}

// amendRun changes the texts of a run. An edited whole that is not what was
// written of several parts leaves in the first of them.
func (w *Writer) amendRun(run *textsAt, ev *stream.Event, it *outItem) []plan.Change {
	var written []byte
	for i := range run.texts {
		written = append(written, run.texts[i].part.written()...)
	}
	last := ev != nil && ev.Edited && !bytes.Equal(ev.Data, written)
	var changes []plan.Change
	for i := range run.texts {
		t := &run.texts[i]
		if ev == nil || !ev.Edited {
			if !it.edited || !w.isEdited(ev, t.part) {
				continue
			}
		}
		text := t.part.written()
		switch {
		case last && i == 0:
			text = ev.Data
			t.part.say(text)
		case last:
			text = nil
		}
		if !t.at.IsZero() {
			changes = append(changes, plan.Text(t.at, text))
		}
		changes = append(changes, silenced(t.json, t.base)...)
	}
	return changes
}

// part returns the part of the content with a number, the open one if it is
// negative, nil if there is none.
func (it *outItem) part(number int64) *outPart {
	if number < 0 {
		return it.current()
	}
	for ; it.listed < len(it.parts); it.listed++ {
		if it.places == nil {
			it.places = make(map[int64]int)
		}
		if part := &it.parts[it.listed]; part.typ != summaryText {
			it.places[part.number] = it.listed
		}
	}
	if at, ok := it.places[number]; ok && at < len(it.parts) {
		return &it.parts[at]
	}
	return nil
}

// written is the text of a part as it left last.
func (p *outPart) written() []byte {
	if p == nil {
		return nil
	}
	if p.json != nil {
		var s jsonscan.Scanner
		s.Reset(p.json)
		if read, reason := readPart(&s, new([]byte)); reason == "" {
			return read.text
		}
	}
	return p.text
}

// say notes the last word about a part that does not go on from its deltas.
func (p *outPart) say(text []byte) {
	if p == nil || bytes.HasPrefix(text, p.text) {
		return // the rest will be sent
	}
	p.text = append(p.text[:0], text...)
}

// silenced lists the change that empties the logprobs of an object, which is at base
// in the payload.
func silenced(object []byte, base int) []plan.Change {
	raw, at, ok := jsonscan.Get(object, "logprobs")
	if !ok || raw[0] != '[' || emptyArray(raw) {
		return nil
	}
	return []plan.Change{{At: llm.Span{Start: base + at[0], End: base + at[1]}, Value: []byte("[]")}}
}

// silencedIf is silenced for an object that changes.
func silencedIf(changes []plan.Change, object []byte, base int) []plan.Change {
	if len(changes) == 0 {
		return nil
	}
	return silenced(object, base)
}

// stringAt is where the string of a member stands.
func stringAt(raw []byte, member string) (llm.Span, bool) {
	value, at, ok := jsonscan.Get(raw, member)
	return llm.Span{Start: at[0], End: at[1]}, ok && value[0] == '"'
}

func shifted(at llm.Span, by int) llm.Span { return llm.Span{Start: at.Start + by, End: at.End + by} }

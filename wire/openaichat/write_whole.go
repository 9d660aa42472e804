package openaichat

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// writeWhole writes a non-streaming answer: a JSON body without framing. What
// is not edited keeps its bytes.
func (w *Writer) writeWhole(dst []byte, c *stream.Chunk) ([]byte, error) {
	w.ended, w.upstream = true, true
	if !w.opts.Force && !w.plan.Edited {
		return append(dst, c.Raw...), nil
	}
	p := w.readPayload(c)
	messages := make([]wholeMessage, len(p.elems))
	for i := range p.elems {
		messages[i].payload, messages[i].elem = p, &p.elems[i]
	}
	eachIn := func(finish bool) {
		for i := range c.Events {
			ev := &c.Events[i]
			if e := p.elemAt(ev.Span); e != nil && (ev.Type == stream.EventFinish) == finish {
				messages[e.position].take(ev)
			}
		}
	}
	eachIn(false)
	inserts := w.opts.Whole && !plan.Failed(c)
	highest := -1
	if inserts {
		highest = w.plan.Highest()
	}
	for i := range messages {
		if inserts {
			messages[i].insert()
		}
	}
	eachIn(true) // a finish fits the calls that are left and those that came to them
	elements := make([][]byte, 0, len(messages))
	same := true
	for i := range messages {
		elements = append(elements, messages[i].bytes())
		same = same && bytes.Equal(elements[i], p.elems[i].span.In(p.raw))
	}
	for n := range highest + 1 {
		if !slices.ContainsFunc(p.elems, func(e elem) bool { return e.choice.number == n }) {
			elements, same = append(elements, w.ownChoice(n)), false
		}
	}
	top := rebuild{raw: p.raw, members: p.top, same: p.raw}
	if !same {
		top.set("choices", array(elements))
	}
	return append(dst, top.bytes()...), nil
}

// wholeMessage is a choice of a non-streaming answer that is being edited.
type wholeMessage struct {
	*payload

	elem *elem

	// before and after are texts of Sluice's own around the content; calls are
	// its calls, as entries.
	before, after, refusal string
	thinking               string
	details                [][]byte // of thinking that is signed
	calls                  [][]byte
	legacy                 []byte
	// edited: a text was changed. inserted: something was inserted.
	edited, inserted bool
}

func (m *wholeMessage) take(ev *stream.Event) {
	ch := m.elem.choice
	switch ev.Type {
	case stream.EventStart:
	case stream.EventDelta, stream.EventEnd, stream.EventHint:
		entry, _ := m.w.plan.Track(ev)
		if entry.Replaced {
			m.drop(m.elem, ev)
		} else if ev.Edited && len(ev.Data) == 0 {
			m.clear(m.elem, ev)
		} else if at := m.pieces[ev.Span.Start]; at != nil && ev.Field == stream.Body && ev.Type == stream.EventDelta {
			at.data = append(at.data, ev.Data...)
		}
		return
	case stream.EventFinish:
		m.elem.finishCopy, m.elem.word = 0, m.w.finishWord(ch, string(ev.Data), ev.Reason)
		ch.finish()
		return
	case stream.EventUnknown:
		m.takeUnknown(ev)
		return
	default:
		return
	}
	entry, _ := m.w.plan.Track(ev)
	at := &piece{start: ev.Span.Start, kind: ev.Kind}
	m.pieces[ev.Span.Start] = at
	if !entry.Replaced {
		if ev.Kind == llm.ToolCall {
			ch.calls++
			if ev.ProviderType == legacyType {
				ch.legacy++
			}
			at.value = m.wholeCall(ev)
		}
		return
	}
	at.copy = -1
	m.edited = true
	m.elem.dropped = true
	m.replace(ev, entry, at)
}

// replace puts the replacement of a block where a message allows it.
func (m *wholeMessage) replace(ev *stream.Event, entry *plan.Entry, at *piece) {
	for i := range entry.With {
		b := &entry.With[i]
		switch b.Kind {
		case llm.Thinking:
			if ev.Kind != llm.Thinking {
				m.thinking += b.Text
			}
		case llm.Refusal:
			m.refusal += b.Text
		case llm.ToolCall:
			m.call(ev, b, at)
		default:
			switch ev.Kind {
			case llm.Thinking:
				m.before += b.Text
			case llm.Content:
				at.data = append(at.data, b.Text...)
				at.value = at.data
			default:
				m.after += b.Text
			}
		}
	}
}

// call replaces an upstream call by an inserted one, or appends it.
func (m *wholeMessage) call(ev *stream.Event, b *llm.Block, at *piece) {
	ch := m.elem.choice
	ch.calls++
	if ev.ProviderType == legacyType && m.legacy == nil {
		m.legacy = functionCallMember(b)
		ch.legacy++
		return
	}
	id := b.ID
	if id == "" && ev.Kind == llm.ToolCall {
		id = ev.ID
	}
	entry := callEntry(b, m.w.uniqueID(ch, id), -1)
	if ev.Kind == llm.ToolCall && at.copy < 0 {
		at.copy, at.value = 0, entry
		return
	}
	if ev.Kind != llm.ToolCall {
		ch.added++
	}
	m.calls = append(m.calls, entry)
}

// wholeCall returns an entry of tool_calls as every client reads it.
func (m *wholeMessage) wholeCall(ev *stream.Event) []byte {
	call := outCall{typ: ev.ProviderType}
	object, argument, word := call.words()
	raw := m.raw
	if call.typ == legacyType {
		object = ""
	}
	entry := rebuild{raw: raw, members: membersOf(raw, ev.Span), same: ev.Span.In(raw)}
	body := &entry
	if object != "" {
		entry.set("id", jsonscan.AppendString(nil, m.w.uniqueID(m.elem.choice, ev.ID)))
		entry.set("type", jsonscan.AppendString(nil, word))
		f := find(entry.members, object)
		if f == nil || raw[f.value.Start] != '{' {
			return entry.bytes()
		}
		body = &rebuild{raw: raw, members: membersOf(raw, f.value), same: f.value.In(raw)}
	}
	if args := find(body.members, argument); args != nil && raw[args.value.Start] == '{' {
		compact, err := jsonscan.Compact(nil, args.value.In(raw))
		if err == nil {
			body.set(argument, jsonscan.AppendStringBytes(nil, compact))
		}
	}
	if object != "" {
		entry.set(object, body.bytes())
	}
	return entry.bytes()
}

// bytes returns the choice.
func (m *wholeMessage) bytes() []byte {
	e := m.elem
	out := rebuild{raw: m.raw, members: e.members, same: e.span.In(m.raw)}
	if e.finishCopy == 0 && e.word != "" {
		out.set("finish_reason", jsonscan.AppendString(nil, e.word))
	}
	if e.body == nil && !m.inserted {
		return out.bytes()
	}
	message := rebuild{raw: m.raw, members: e.delta}
	name := "message"
	if e.body != nil {
		message.same, name = e.body.value.In(m.raw), e.body.name
	}
	if m.inserted && find(e.delta, "role") == nil {
		message.set("role", []byte(`"assistant"`))
	}
	m.content(&message)
	m.reasoning(&message)
	m.refuse(&message)
	m.toolCalls(&message)
	for _, name := range []string{"audio", "function_call"} {
		at := find(e.delta, name)
		if at == nil {
			continue
		}
		if piece := m.pieces[at.value.Start]; piece != nil {
			switch {
			case piece.copy < 0:
				message.remove(name)
			case piece.value != nil:
				message.set(name, piece.value)
			}
		}
	}
	if m.legacy != nil {
		message.added = append(message.added, m.legacy)
	}
	if m.edited {
		out.remove("logprobs")
	}
	out.set(name, message.bytes())
	return out.bytes()
}

// content writes the content: a string, null, or the list it was.
func (m *wholeMessage) content(message *rebuild) {
	at := find(m.elem.delta, "content")
	if at != nil && m.raw[at.value.Start] == '[' {
		m.contentList(message, at)
		return
	}
	var own *piece
	if at != nil {
		own = m.pieces[at.value.Start]
	}
	if m.before == "" && m.after == "" && (own == nil || own.copy >= 0) {
		return
	}
	text := m.before
	if own != nil {
		text += string(own.data) // the original, or its replacement
	}
	text += m.after
	if text == "" {
		message.set("content", []byte("null"))
		return
	}
	message.set("content", jsonscan.AppendString(nil, text))
}

func (m *wholeMessage) contentList(message *rebuild, at *member) {
	part := func(text string) []byte {
		return append(jsonscan.AppendString([]byte(`{"type":"text","text":`), text), '}')
	}
	var kept [][]byte
	if m.before != "" {
		kept = append(kept, part(m.before))
	}
	same := true
	for _, span := range elementsOf(m.raw, at.value) {
		dropped := false
		var text []byte
		for _, piece := range m.within(span) {
			if piece.copy < 0 {
				dropped = true
				text = append(text, piece.value...)
			}
		}
		if !dropped {
			kept = append(kept, span.In(m.raw))
			continue
		}
		same = false
		if len(text) > 0 {
			kept = append(kept, part(string(text)))
		}
	}
	if m.after != "" {
		kept = append(kept, part(m.after))
	}
	if same && m.before == "" && m.after == "" {
		return
	}
	if len(kept) == 0 {
		message.change("content", []byte("null"))
		return
	}
	message.change("content", array(kept))
}

func (m *wholeMessage) toolCalls(message *rebuild) {
	at := find(m.elem.delta, "tool_calls")
	var kept [][]byte
	same := len(m.calls) == 0
	if at != nil {
		for _, span := range elementsOf(m.raw, at.value) {
			value := span.In(m.raw)
			if piece := m.pieces[span.Start]; piece != nil {
				if piece.copy < 0 {
					same = false
					continue
				}
				if piece.value != nil && !bytes.Equal(piece.value, value) {
					same, value = false, piece.value
				}
			}
			// Some servers number the calls of a message.
			entry := rebuild{raw: value, members: membersOf(value, llm.Span{End: len(value)}), same: value}
			if find(entry.members, "index") != nil {
				entry.set("index", number(len(kept)))
				value = entry.bytes()
			}
			kept = append(kept, value)
		}
	}
	if same {
		return
	}
	kept = append(kept, m.calls...)
	switch {
	case len(kept) > 0:
		message.set("tool_calls", array(kept))
	case at != nil:
		message.remove("tool_calls")
	}
}

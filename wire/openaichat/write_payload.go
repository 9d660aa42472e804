package openaichat

import (
	"cmp"
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// rewrite writes a chunk of an edited answer. Its events say, in order, which block
// each piece of the payload belongs to; remaining pieces are sent in copies of the
// payload without the others, and insertions between the copies. Most payloads need one
// copy, which is often the payload itself.
func (w *Writer) rewrite(dst []byte, c *stream.Chunk) ([]byte, error) {
	if c.Raw == nil || isDone(c.Raw) {
		return w.rewriteEnd(dst, c)
	}
	if w.errored {
		return dst, nil // only the upstream's [DONE] may follow its error
	}
	p := w.readPayload(c)
	for i := 0; i < len(c.Events) && !p.gap; {
		i += p.take(c.Events[i:])
	}
	if p.gap {
		dst, _ = w.Fail(dst, stream.ErrGap)
		return dst, stream.ErrGap
	}
	return p.write(dst, c), nil
}

// rewriteEnd writes the end of the stream: [DONE], or that of the bytes.
func (w *Writer) rewriteEnd(dst []byte, c *stream.Chunk) ([]byte, error) {
	done := false
	for i := range c.Events {
		switch ev := &c.Events[i]; ev.Type {
		case stream.EventStart, stream.EventDelta, stream.EventWhole, stream.EventHint, stream.EventEnd:
			w.plan.Track(ev)
		case stream.EventFinish:
			if w.errored {
				break
			}
			ch := w.choice(ev.Choice)
			if ch.finished {
				break
			}
			if !w.provable(ch) {
				dst, _ = w.Fail(dst, stream.ErrGap)
				return dst, stream.ErrGap
			}
			for _, delta := range w.releaseHeld(ch, true) {
				dst = w.chunk(dst, ch, delta, "")
			}
			if !ch.role {
				dst = w.chunk(dst, ch, []byte(`"content":""`), "")
			}
			word := "stop"
			if ev.Reason == llm.FinishToolCalls {
				word = "tool_calls"
			}
			dst = w.chunk(dst, ch, nil, w.finishWord(ch, word, ev.Reason))
			ch.finish()
		case stream.EventDone:
			done = true
		default:
		}
	}
	if !done {
		return dst, nil
	}
	if !w.errored {
		for _, ch := range w.choices {
			if len(ch.open) > 0 {
				// The proof that the call is whole was dropped.
				dst, _ = w.Fail(dst, stream.ErrGap)
				return dst, stream.ErrGap
			}
		}
		dst = w.finishRest(dst)
	}
	w.ended, w.upstream = true, true
	return sse.AppendEvent(dst, "", []byte(doneWord)), nil
}

// provable reports whether the finish of a choice proves that its calls are
// whole. When chunks were left out after a call began, only arguments that are
// one closed object do.
func (w *Writer) provable(ch *outChoice) bool {
	if w.opts.Ordered {
		return true
	}
	for _, call := range ch.open {
		if call.gaps != w.gaps && !call.scan.complete() {
			return false
		}
	}
	for _, call := range ch.held {
		if call.gaps != w.gaps && !call.scan.complete() {
			return false
		}
	}
	return true
}

// payload is a payload that is being rewritten.
type payload struct {
	w     *Writer
	raw   []byte
	top   []member
	elems []elem
	// pieces are the values of events, by their start.
	pieces  map[int]*piece
	ordered []*piece
	// copy is the number of the copy of the payload that is being filled,
	// used whether anything is in it.
	copy int
	used bool
	// before holds the chunks that go before each copy. They are written when it is
	// their turn, because the first one sent carries the role.
	before [][]ownChunk
	gap    bool
	// mixed: a list has its parts in an order that no delta has.
	mixed bool
}

// ownChunk is a chunk of Sluice's own.
type ownChunk struct {
	choice *outChoice
	delta  []byte
}

// elem is one element of choices.
type elem struct {
	position int
	span     llm.Span
	members  []member
	body     *member // the delta
	delta    []member
	finish   *member
	choice   *outChoice
	// finishCopy is the copy that carries the finish, -1 if none does; word is
	// what it says.
	finishCopy int
	word       string
	// dropped: a piece was taken out. started: a copy has carried the role.
	dropped, started bool
	// rank is the place of the last list part in the order of a delta.
	rank int
}

// piece is a value of the payload that belongs to a block.
type piece struct {
	start int
	copy  int // -1: not sent
	kind  llm.Kind
	data  []byte
	value []byte // its replacement, nil: unchanged
}

func (w *Writer) readPayload(c *stream.Chunk) *payload {
	p := &payload{w: w, raw: c.Raw, pieces: make(map[int]*piece), before: make([][]ownChunk, 1)}
	p.top = membersOf(c.Raw, llm.Span{End: len(c.Raw)})
	for _, m := range p.top {
		w.envelope.keep(m.name, m.value.In(c.Raw))
	}
	choices := find(p.top, "choices")
	if choices == nil {
		return p
	}
	for _, at := range elementsOf(c.Raw, choices.value) {
		e := elem{position: len(p.elems), span: at, members: membersOf(c.Raw, at), finishCopy: -1}
		number := 0
		for i := range e.members {
			switch m := &e.members[i]; m.name {
			case "index":
				number = intOf(m.value.In(c.Raw))
			case "delta":
				if c.Whole && string(m.value.In(c.Raw)) == "null" {
					break // then the message counts
				}
				e.body = m
				e.delta = membersOf(c.Raw, m.value)
			case "message":
				if c.Whole && e.body == nil {
					e.body = m
					e.delta = membersOf(c.Raw, m.value)
				}
			case "finish_reason":
				e.finish = m
			}
		}
		e.choice = w.choice(number)
		p.elems = append(p.elems, e)
	}
	return p
}

// intOf reads the index of a choice, which the reader has found to be a place.
func intOf(raw []byte) int {
	n := int64(0)
	for _, c := range raw {
		if n = n*10 + int64(c-'0'); c < '0' || c > '9' || n > maxPlace {
			return 0
		}
	}
	return int(n)
}

// elemAt returns the element that contains a value.
func (p *payload) elemAt(at llm.Span) *elem {
	i, _ := slices.BinarySearchFunc(p.elems, at.Start, func(e elem, start int) int {
		return cmp.Compare(e.span.End, start+1)
	})
	if i < len(p.elems) && inside(p.elems[i].span, at) {
		return &p.elems[i]
	}
	return nil
}

// within returns the pieces in a value, in order. It may be called only after all
// events were taken.
func (p *payload) within(at llm.Span) []*piece {
	if len(p.ordered) != len(p.pieces) {
		p.ordered = p.ordered[:0]
		for _, piece := range p.pieces {
			p.ordered = append(p.ordered, piece)
		}
		slices.SortFunc(p.ordered, func(a, b *piece) int { return cmp.Compare(a.start, b.start) })
	}
	search := func(start int) int {
		i, _ := slices.BinarySearchFunc(p.ordered, start, func(a *piece, start int) int {
			return cmp.Compare(a.start, start)
		})
		return i
	}
	return p.ordered[search(at.Start):search(at.End)]
}

// take decides about the next event, or about all events of one tool_calls
// entry, and returns how many it took.
func (p *payload) take(events []stream.Event) int {
	ev := &events[0]
	switch ev.Type {
	case stream.EventStart, stream.EventDelta, stream.EventWhole:
		e := p.elemAt(ev.Span)
		if e == nil {
			p.w.plan.Track(ev)
			return 1
		}
		if ev.Kind != llm.ToolCall {
			p.takeText(e, ev)
			return 1
		}
		n := 1
		for n < len(events) && events[n].Kind == llm.ToolCall && events[n].Span == ev.Span &&
			events[n].Block == ev.Block && (events[n].Type == stream.EventDelta || events[n].Type == stream.EventStart) {
			n++
		}
		p.takeCall(e, events[:n])
		return n
	case stream.EventHint, stream.EventEnd:
		p.w.plan.Track(ev)
	case stream.EventUnknown:
		p.takeUnknown(ev)
	case stream.EventFinish:
		if e := p.elemAt(ev.Span); e != nil {
			p.takeFinish(e, ev)
		}
	case stream.EventError:
		p.w.errored = true
	default:
	}
	return 1
}

// takeText decides about a text, a part of a list, or audio.
func (p *payload) takeText(e *elem, ev *stream.Event) {
	if e.choice.finished {
		p.drop(e, ev)
		return
	}
	entry, step := p.w.plan.Track(ev)
	switch {
	case entry.Replaced:
		p.drop(e, ev)
		p.place(e.choice, entry, "")
	case ev.Edited && ev.Type == stream.EventDelta && len(ev.Data) == 0:
		p.clear(e, ev)
	case step == plan.Skip:
		p.drop(e, ev)
	case step == plan.Gap:
		p.gap = true
	default:
		if ev.Type == stream.EventStart {
			p.release(e.choice, false)
		}
		p.keep(e, ev)
	}
}

// takeUnknown sends a member with its block.
func (p *payload) takeUnknown(ev *stream.Event) {
	e := p.elemAt(ev.Span)
	if e == nil || ev.Block < 0 || p.pieces[ev.Span.Start] != nil {
		return
	}
	entries := e.choice.plan.Entries()
	if ev.Block < len(entries) && entries[ev.Block].Replaced || e.choice.finished {
		p.drop(e, ev)
	}
}

func (p *payload) drop(e *elem, ev *stream.Event) {
	e.dropped = true
	if p.pieces[ev.Span.Start] == nil {
		p.pieces[ev.Span.Start] = &piece{start: ev.Span.Start, copy: -1, kind: ev.Kind}
	}
}

// rank is the order in which a delta is read.
func rank(kind llm.Kind) int {
	switch kind {
	case llm.Thinking:
		return 1
	case llm.Content:
		return 2
	case llm.Refusal:
		return 3
	default:
		return 4
	}
}

func (p *payload) keep(e *elem, ev *stream.Event) *piece {
	at := p.pieces[ev.Span.Start]
	if at == nil {
		r := rank(ev.Kind)
		if r < e.rank {
			// A list can have its parts in an order that a delta cannot.
			p.mixed = !p.split() || p.mixed
		}
		e.rank = r
		at = &piece{start: ev.Span.Start, copy: p.copy, kind: ev.Kind}
		p.pieces[ev.Span.Start] = at
	}
	if ev.Field == stream.Body {
		at.data = append(at.data, ev.Data...)
	}
	p.used = true
	return at
}

// maxCopies bounds the copies of one payload: each costs its length again. Beyond that,
// insertions go before the last copy.
const maxCopies = 64

// split begins another copy of the payload.
func (p *payload) split() bool {
	if p.copy+1 >= maxCopies {
		return false
	}
	p.copy++
	p.used = false
	p.before = append(p.before, nil)
	for i := range p.elems {
		p.elems[i].rank = 0
	}
	return true
}

// between inserts a chunk after the pieces of the payload kept so far and before the
// following ones.
func (p *payload) between(ch *outChoice, delta []byte) {
	if delta == nil {
		return
	}
	if p.used {
		p.split()
	}
	p.before[p.copy] = append(p.before[p.copy], ownChunk{ch, delta})
}

// place writes the replacement of a block, once.
func (p *payload) place(ch *outChoice, entry *plan.Entry, upstreamID string) {
	if entry.Out >= 0 {
		return
	}
	entry.Out = 0
	if len(entry.With) > 0 {
		p.release(ch, false)
	}
	with := entry.With
	entry.With = nil
	if slices.ContainsFunc(with, func(b llm.Block) bool { return b.Kind == llm.ToolCall }) {
		p.ahead(ch)
	}
	for i := range with {
		b := with[i]
		if entry.Kind == llm.Thinking && b.Kind == llm.Thinking {
			continue
		}
		if b.Kind == llm.ToolCall && b.ID == "" {
			b.ID = upstreamID
		}
		if b.Kind == llm.ToolCall && entry.Kind == llm.ToolCall {
			ch.added-- // it replaces a call of the upstream
			if len(ch.held) > 0 {
				ch.held = append(ch.held, &outCall{block: -1, own: &b})
				continue
			}
		}
		p.between(ch, p.w.block(ch, &b))
	}
}

// ahead writes the replacement texts of calls that are still to come: a call is about
// to be sent, and text must precede calls.
func (p *payload) ahead(ch *outChoice) {
	texts := ch.plan.Ahead()
	for i := range texts {
		p.between(ch, p.w.block(ch, &texts[i]))
	}
}

// takeFinish ends a choice in the copy that is being filled.
func (p *payload) takeFinish(e *elem, ev *stream.Event) {
	ch := e.choice
	if ch.finished {
		return
	}
	if !p.w.provable(ch) && !p.w.errored {
		p.gap = true
		return
	}
	p.release(ch, true)
	e.finishCopy, e.word = p.copy, p.w.finishWord(ch, string(ev.Data), ev.Reason)
	p.used = true
	ch.finish()
}

// release sends the calls of a choice that were held back.
func (p *payload) release(ch *outChoice, all bool) {
	for _, delta := range p.w.releaseHeld(ch, all) {
		p.between(ch, delta)
	}
}

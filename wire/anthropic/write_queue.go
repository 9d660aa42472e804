package anthropic

import (
	"bytes"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/alloc"
	"github.com/sluice-project/sluice/wire/sse"
)

// run is a block that is being sent. Its parts are queued until no earlier block is
// open.
type run struct {
	// block is the position of the upstream block, index its own number, kind
	// its kind.
	block, index int
	kind         llm.Kind
	// out is the index it is sent with, -1 before it is sent.
	out int
	// empty is true for a text that has no byte yet: an empty text block is
	// refused when the client sends the message back, so it must not leave.
	empty bool
	// bare is true for a call that started without input.
	bare  bool
	ended bool
	// signed is how much of its signature was sent or is queued.
	signed int
	parts  []part
	// own is a block of Sluice's own at this position, nil if there is none;
	// whole is the JSON of an upstream block that leaves in one piece.
	own   *llm.Block
	whole []byte
}

// part is a queued upstream payload.
type part struct {
	name string
	raw  []byte
}

// queue holds the runs in the order in which they leave. The first one is the
// block that is open in the output, if any; runs behind it that are open too
// began while nothing was edited.
type queue struct {
	runs    []*run
	byBlock alloc.SmallMap[run]
	// last is the run that something was written to last.
	last *run
}

func (q *queue) add(r *run) {
	q.runs = append(q.runs, r)
	q.byBlock.Put(r.block, r)
	q.last = r
}

// stand appends a run that is already complete to the queue.
func (q *queue) stand(r *run) {
	r.out, r.ended = -1, true
	q.runs = append(q.runs, r)
}

func (q *queue) of(block int) *run { return q.byBlock.Get(block) }

func (q *queue) end(block int) {
	if r := q.byBlock.Get(block); r != nil {
		r.ended = true
		q.byBlock.Remove(block)
	}
}

func (q *queue) pop() {
	if q.last == q.runs[0] {
		q.last = nil
	}
	q.runs[0] = nil
	if len(q.runs) == 1 {
		q.runs = q.runs[:0] // the usual case; keep the memory
		return
	}
	q.runs = q.runs[1:]
}

func (q *queue) popEnded() {
	for len(q.runs) > 0 && q.runs[0].ended && q.runs[0].out >= 0 {
		q.pop()
	}
}

// isOpen reports whether a block has begun to leave and has not ended.
func (q *queue) isOpen() bool {
	return len(q.runs) > 0 && q.runs[0].out >= 0
}

// put writes a payload of a run, or queues it until its turn.
func (w *Writer) put(dst []byte, r *run, name string, raw []byte) []byte {
	w.queue.last = r
	if r.out >= 0 {
		return w.emit(dst, name, raw, r.out)
	}
	r.parts = append(r.parts, part{name: name, raw: bytes.Clone(raw)})
	return dst
}

// advance sends what can be sent: runs in order, and then the insertions that wait for
// a moment when no block is open.
func (w *Writer) advance(dst []byte) []byte {
	q := &w.queue
	for len(q.runs) > 0 {
		r := q.runs[0]
		if r.out < 0 {
			if r.empty && !r.ended || r.kind == llm.ToolCall && w.expectsText(r.block) {
				return dst
			}
			if !r.empty {
				dst = w.begin(dst, r)
			}
		}
		if !r.ended {
			return dst
		}
		q.pop()
	}
	return w.flushWaiting(dst, false)
}

// expectsText reports whether a text may have to be sent before the call at a position.
func (w *Writer) expectsText(block int) bool {
	for at := range w.texts {
		if at > block {
			return true
		}
	}
	return false
}

// settle sends what is queued and whole. Anything else was not sent and never will be.
func (w *Writer) settle(dst []byte) []byte {
	w.texts = nil
	whole := w.queue.runs[:0]
	for _, r := range w.queue.runs {
		if r.ended {
			whole = append(whole, r)
		} else {
			w.choice.Changed = true
		}
	}
	w.queue = queue{runs: whole}
	return w.advance(dst)
}

// begin sends the first part of a run, and everything queued since.
func (w *Writer) begin(dst []byte, r *run) []byte {
	dst = w.ensureStart(dst)
	dst = w.flushWaiting(dst, false)
	if r.kind == llm.ToolCall {
		texts := w.choice.Ahead()
		for i := range texts {
			if !isEmpty(texts[i]) {
				dst = w.writeBlock(dst, &texts[i])
			}
		}
		dst = w.flushWaiting(dst, true)
	}
	r.out = w.next
	switch {
	case r.own != nil:
		return w.writeBlock(dst, r.own)
	case r.whole != nil:
		return w.writeWhole(dst, r.whole)
	}
	w.next++
	if r.kind == llm.ToolCall {
		w.calls++
	}
	for _, p := range r.parts {
		dst = w.emit(dst, p.name, p.raw, r.out)
	}
	r.parts = nil
	return dst
}

// flushWaiting writes the blocks that wait for a place: texts, and calls too if
// withCalls is set.
func (w *Writer) flushWaiting(dst []byte, withCalls bool) []byte {
	waiting := w.choice.Waiting
	n := 0
	for n < len(waiting) && (withCalls || waiting[n].Kind != llm.ToolCall) {
		dst = w.ensureStart(dst)
		dst = w.writeBlock(dst, &waiting[n])
		n++
	}
	w.choice.Waiting = waiting[n:]
	return dst
}

// emit writes an upstream payload with the index out, or unchanged if it needs no index
// (out is negative) or has the right one.
func (w *Writer) emit(dst []byte, name string, raw []byte, out int) []byte {
	p := &w.payload
	if f := w.read(raw); f != nil {
		return sse.AppendEvent(dst, name, raw)
	}
	w.edits.Reset()
	w.fixType(raw, name)
	switch {
	case out < 0 || p.hasIndex && p.index == out:
	case !p.indexAt.IsZero():
		w.edits.ReplaceInt(p.indexAt, out)
	default:
		w.edits.InsertLast(raw, p.object, appendInt([]byte(`"index":`), out))
	}
	return w.applied(dst, name, raw)
}

// read reads an upstream payload again.
func (w *Writer) read(raw []byte) *fault {
	w.reader.reset()
	return w.reader.payload(raw, &w.payload)
}

// fixType gives a payload the type that only its SSE event named.
func (w *Writer) fixType(raw []byte, name string) {
	if p := &w.payload; p.seen&seenType == 0 {
		w.edits.InsertFirst(raw, p.object, []byte(`"type":"`+name+`"`))
	}
}

// applied writes a payload with the edits that were listed.
func (w *Writer) applied(dst []byte, name string, raw []byte) []byte {
	if w.edits.Empty() {
		return sse.AppendEvent(dst, name, raw)
	}
	var err error
	if w.scratch, err = w.edits.Apply(w.scratch[:0], raw); err != nil {
		return sse.AppendEvent(dst, name, raw)
	}
	return sse.AppendEvent(dst, name, w.scratch)
}

package anthropic

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/edit"
	"github.com/sluice-project/sluice/wire/internal/alloc"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// Writer writes one answer. See stream.Writer for the contract.
//
// A finish that passes through the slow path waits for message_stop: until then
// a second message_delta can still correct it, and clients take the last one.
type Writer struct {
	opts   stream.WriterOptions
	plan   plan.Plan
	choice *plan.Choice

	reader  reader
	payload payload
	message message
	edits   edit.Edits
	scratch []byte
	framer  sse.Framer

	queue queue
	runs  alloc.Pool[run] // of the blocks that leave as they came
	// texts are the positions of blocks that are replaced by text and have not
	// come yet. A call before such a block waits: if the block is a call too,
	// its text must leave first.
	texts map[int]struct{}
	// next is the index of the next block; calls counts the tool_use blocks
	// that were begun, added those among them or waiting that are Sluice's own.
	next, calls, added int
	// claimed are the ids of the calls that were sent, ids the same as a set
	// once somebody must know whether one is taken. renamed maps an id of the
	// upstream answer to the one it got because it was taken.
	claimed []string
	ids     map[string]struct{}
	renamed map[string]string
	// room is what the ids of a few calls take.
	room [4]string

	// usage is the upstream's usage so far. final is the message_delta that
	// waits to be sent, word its stop_reason, and reports how many of them had
	// usage.
	usage   []byte
	final   []byte
	word    string
	reports int

	// seq is the number of the chunk that should come next; skipped is true
	// once another one came.
	seq     int
	skipped bool
	// late is true while a chunk is written that comes again or too late.
	late bool

	// started: a message_start was sent. swallowed: the upstream's was not.
	started, swallowed bool
	// over: the upstream's end was sent. ended: the caller has ended the
	// answer.
	over, ended bool
}

// NewWriter returns a writer for one answer.
func NewWriter(opts stream.WriterOptions) *Writer {
	w := new(Writer)
	w.Reset(opts)
	return w
}

// Reset makes the writer as new, for another answer.
func (w *Writer) Reset(opts stream.WriterOptions) {
	*w = Writer{} // in place: a literal with fields is built on the stack first, which an open stream then keeps
	w.opts = opts
	w.choice = w.plan.Choice(0)
	w.claimed = w.room[:0]
}

// Write writes a chunk.
func (w *Writer) Write(dst []byte, c *stream.Chunk) ([]byte, error) {
	c = plan.OneLine(c, w.opts.Whole)
	if w.ended {
		return dst, stream.ErrTerminated
	}
	if c.Edited {
		var ok bool
		if c, ok = amended(c); !ok {
			return dst, stream.ErrNotWritable
		}
	}
	if w.opts.Whole && !c.Whole && !w.over {
		switch {
		case c.Raw == nil:
			return dst, nil
		case plan.Failed(c):
			w.over = true
			return append(dst, c.Raw...), nil
		}
		w.opts.Whole = false
		var err error
		if dst, err = w.plan.Stream(dst, w.Insert); err != nil {
			return dst, err
		}
	}
	if c.Seq != w.seq {
		w.skipped = true
	}
	w.late = c.Seq < w.seq
	w.seq = max(w.seq, c.Seq+1)
	w.plan.Observe(c)
	w.plan.Edited = w.plan.Edited || c.Ambiguous && w.opts.Settle
	clean := !w.plan.Edited && !w.opts.Force
	if w.over {
		return w.writeLate(dst, c, clean)
	}
	if !clean {
		return w.rewrite(dst, c)
	}
	w.follow(c)
	switch {
	case c.Raw == nil:
		return dst, nil
	case c.Whole:
		return append(dst, c.Raw...), nil
	}
	return w.framer.Append(dst, c.Name, c.Raw), nil
}

// writeLate writes what follows the end: keepalives at most.
func (w *Writer) writeLate(dst []byte, c *stream.Chunk, clean bool) ([]byte, error) {
	for i := range c.Events {
		if c.Events[i].Type != stream.EventPing {
			return dst, stream.ErrTerminated
		}
	}
	if w.opts.Whole && c.Raw != nil {
		return dst, stream.ErrTerminated
	}
	if !clean || c.Raw == nil {
		return dst, nil
	}
	return w.framer.Append(dst, c.Name, c.Raw), nil
}

// follow tracks a chunk that is sent unchanged, so that a later edit knows what was
// sent.
func (w *Writer) follow(c *stream.Chunk) {
	if c.Whole || c.Name == messageStart {
		w.started = true
	}
	for i := range c.Events {
		ev := &c.Events[i]
		switch ev.Type {
		case stream.EventDelta, stream.EventWhole, stream.EventHint:
			w.plan.Track(ev)
			w.sign(ev)
		case stream.EventStart:
			e, _ := w.plan.Track(ev)
			e.Out = ev.Index
			if e.Out < 0 {
				e.Out = w.next
			}
			w.next = max(w.next, e.Out+1)
			if ev.Kind == llm.ToolCall {
				w.calls++
			}
			if ev.Kind == llm.ToolCall || ev.Kind == llm.ServerTool {
				w.claim(ev.ID)
			}
			r := w.runs.New()
			r.block, r.kind, r.index, r.out = ev.Block, ev.Kind, ev.Index, e.Out
			w.queue.add(r)
		case stream.EventEnd:
			w.plan.Track(ev)
			w.queue.end(ev.Block)
			w.queue.popEnded()
		case stream.EventFinish:
			w.choice.Finished = true
			w.queue = queue{}
		case stream.EventUsage:
			w.usage = append(w.usage[:0], ev.Usage.Raw...)
		case stream.EventDone, stream.EventError:
			w.over = true
		case stream.EventMeta, stream.EventPing, stream.EventUnknown, stream.EventCitation:
		}
	}
}

// sign tracks how much of a block's signature was sent.
func (w *Writer) sign(ev *stream.Event) {
	if ev.Field != stream.Signature {
		return
	}
	if r := w.queue.of(ev.Block); r != nil {
		r.signed = ev.Offset + len(ev.Data)
	}
}

// Replace decides what a block is written as.
func (w *Writer) Replace(at stream.At, with ...llm.Block) error {
	if w.ended || w.over {
		return stream.ErrTerminated
	}
	if at.Choice != 0 {
		return stream.ErrNotWritable
	}
	hasText := false
	for i := range with {
		// Signed thinking is whole or gone, and nobody else can sign any.
		if with[i].Kind == llm.Thinking || !writable(&with[i]) {
			return stream.ErrNotWritable
		}
		hasText = hasText || with[i].Kind == llm.Content && !isEmpty(with[i])
	}
	kind := at.Kind
	if at.Block >= 0 && at.Block < len(w.choice.Entries()) {
		e := w.choice.Entry(at.Block)
		if e.Sent != plan.Nothing {
			return stream.ErrAlreadySent
		}
		kind = max(kind, e.Kind)
	}
	if hasText && w.calls > 0 && kind == llm.ToolCall {
		return stream.ErrTooLate
	}
	if err := w.plan.Replace(at, slices.Clone(with)); err != nil {
		return err
	}
	delete(w.texts, at.Block)
	if hasText && kind == 0 && w.choice.Entry(at.Block).Out != placed {
		if w.texts == nil {
			w.texts = make(map[int]struct{})
		}
		w.texts[at.Block] = struct{}{}
	}
	return nil
}

// writable reports whether the dialect has a form for a block of Sluice's own.
func writable(b *llm.Block) bool {
	switch b.Kind {
	case llm.Content, llm.Thinking:
		return true
	case llm.ToolCall:
		return b.Name != "" && !b.Freeform()
	case llm.Refusal, llm.ServerTool, llm.ToolResult, llm.Opaque:
	}
	return false
}

// Insert writes blocks of Sluice's own: text and thinking before the first
// tool_use and as soon as no block is open, calls behind all other blocks.
func (w *Writer) Insert(dst []byte, choice int, blocks ...llm.Block) ([]byte, error) {
	switch {
	case w.ended || w.over:
		return dst, stream.ErrTerminated
	case choice != 0:
		return dst, stream.ErrNotWritable
	}
	for i := range blocks {
		if !writable(&blocks[i]) {
			return dst, stream.ErrNotWritable
		}
	}
	blocks = slices.DeleteFunc(slices.Clone(blocks), isEmpty)
	if len(blocks) == 0 {
		return dst, nil
	}
	if w.opts.Whole {
		w.plan.Wait(0, blocks)
		return dst, nil
	}
	if w.choice.Finished {
		return dst, stream.ErrTooLate
	}
	for i := range blocks {
		if blocks[i].Kind != llm.ToolCall && w.calls > 0 {
			return dst, stream.ErrTooLate
		}
	}
	w.plan.Edited = true
	w.choice.Changed = true
	for i := range blocks {
		w.wait(blocks[i])
	}
	if w.queue.isOpen() {
		return dst, nil
	}
	return w.flushWaiting(dst, false), nil
}

// isEmpty reports whether a block has nothing to write.
func isEmpty(b llm.Block) bool {
	return b.Kind != llm.ToolCall && b.Text == "" && b.Signature == ""
}

// wait adds a block to those that wait for a valid position.
func (w *Writer) wait(b llm.Block) {
	if b.Kind == llm.ToolCall {
		w.added++
		b.ID = w.uniqueID("toolu_", b.ID)
		w.choice.Waiting = append(w.choice.Waiting, b)
		return
	}
	at := slices.IndexFunc(w.choice.Waiting, func(b llm.Block) bool { return b.Kind == llm.ToolCall })
	if at < 0 {
		at = len(w.choice.Waiting)
	}
	w.choice.Waiting = slices.Insert(w.choice.Waiting, at, b)
}

// Continue says that the next chunks are of another upstream answer.
func (w *Writer) Continue(dst []byte) ([]byte, error) {
	switch {
	case w.ended || w.over:
		return dst, stream.ErrTerminated
	case w.choice.Finished:
		return dst, stream.ErrTooLate
	case w.queue.isOpen():
		return w.gap(dst)
	}
	if !w.opts.Whole {
		dst = w.settle(dst)
	}
	w.plan.Continue()
	w.final, w.word, w.reports = nil, "", 0
	w.seq, w.skipped = 0, false
	w.renamed = nil
	return dst, nil
}

// Terminate ends the answer now.
func (w *Writer) Terminate(dst []byte) ([]byte, error) {
	if w.ended || w.over {
		return dst, stream.ErrTerminated
	}
	if w.opts.Whole {
		return w.writeOwn(dst)
	}
	if w.queue.isOpen() {
		return w.Fail(dst, errCut)
	}
	w.plan.Edited = true
	dst = w.settle(dst)
	dst = w.ensureStart(dst)
	dst = w.finish(dst)
	w.ended = true
	return sse.AppendEvent(dst, messageStop, []byte(`{"type":"message_stop"}`)), nil
}

// Keepalive writes a ping.
func (w *Writer) Keepalive(dst []byte) []byte {
	if w.ended || w.over || w.opts.Whole {
		return dst
	}
	return sse.AppendEvent(dst, ping, []byte(`{"type":"ping"}`))
}

// Edited reports whether something was edited; see stream.Writer.
func (w *Writer) Edited() bool { return w.plan.Edited || w.opts.Force }

var _ stream.Writer = (*Writer)(nil)

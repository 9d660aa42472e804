package openairesponses

import (
	"errors"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/edit"
	"github.com/sluice-project/sluice/wire/internal/alloc"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// Writer writes one answer; see stream.Writer. It is not safe for concurrent
// use.
//
// An unedited stream is passed on payload by payload. From the first edit on, or always
// with Force, the writer renumbers what must be contiguous, gives every item one id,
// and builds the final output from the items it sent. Where an upstream sends two
// versions of one block, in its deltas and in its final value, both are passed on: only
// the judge of the block can decide which one to keep, and replaces it then. All copies
// of an edited text say what was written of it.
type Writer struct {
	framer sse.Framer
	opts   stream.WriterOptions
	plan   plan.Plan

	begun    bool // response.created has left, or upstream began without it
	swallow  bool // the upstream's own start is not sent
	resumed  bool // the upstream began in the middle
	errored  bool // an error has left
	finished bool // the terminal event has left
	closed   bool // Terminate, Fail, a gap or an awaited whole response ended the answer
	wrote    bool // a whole response has left

	counting numbering
	number   int64 // the next sequence_number
	expected int   // the Seq of the next chunk
	gaps     int   // how often a chunk was left out, repeated or reordered

	id, model string // of the response, once known
	response  []byte // the last response object before the end

	made   alloc.Pool[outItem] // of the items that the upstream began
	items  map[int64]*outItem  // of the current upstream answer, by output_index
	blocks []*outItem          // of the current upstream answer, by block
	sent   []*outItem          // whose beginning has left
	open   int                 // of those, how many have not ended
	next   int                 // the next output_index

	itemIDs, callIDs map[string]struct{} // that are taken

	scanner, inner jsonscan.Scanner
	p              payload
	view           itemView
	buf            []byte
	edits, inside  edit.Edits
	spare          edit.Edits
	out            []byte // the payload being written
}

// numbering says whether payloads have a sequence_number.
type numbering uint8

const (
	undecided numbering = iota
	counted
	uncounted
)

// outItem is an item on its way to the client.
type outItem struct {
	up   int64 // the upstream's output_index, -1 if it has none
	out  int   // the output_index it leaves with
	typ  string
	kind llm.Kind // 0 for a message

	id     string // the one id that all its events have
	callID string // the one call_id of a call

	begun, done bool // what has left
	gone        bool // nothing of it leaves, or nothing more
	own         bool // a message that the writer words itself
	edited      bool // a message with a text that is not the upstream's
	initial     bool // it had arguments or input when it began
	streamed    bool // a delta of its arguments or input has left
	told        bool // its complete arguments or input have left
	reused      bool // its ids went to what replaces it
	gap         int  // the writer's gaps when it began

	added []byte      // its JSON when it began
	body  []byte      // the arguments or input that have left
	held  []byte      // the payload with its beginning, which waits for its first block
	final []byte      // its JSON at its end
	after []llm.Block // to be written when it has ended

	parts               []outPart
	places              map[int64]int // of parts of the content, by number
	listed              int           // how many parts are in places
	contents, summaries int64         // how many parts of either list there are
}

// NewWriter returns a writer for one answer.
func NewWriter(opts stream.WriterOptions) *Writer {
	return &Writer{
		opts: opts, items: make(map[int64]*outItem),
		itemIDs: make(map[string]struct{}), callIDs: make(map[string]struct{}),
	}
}

// Write writes a chunk of the current upstream answer; see stream.Writer.
func (w *Writer) Write(dst []byte, c *stream.Chunk) ([]byte, error) {
	c = plan.OneLine(c, w.opts.Whole)
	if w.closed {
		if w.wrote && c.Raw == nil {
			return dst, nil
		}
		return dst, stream.ErrTerminated
	}
	if c.Edited && !plan.Editable(c) {
		return dst, stream.ErrNotWritable
	}
	if w.opts.Whole && !c.Whole {
		switch {
		case c.Raw == nil:
			return dst, nil
		case plan.Failed(c):
			return w.failAs(dst, c), nil
		}
		w.opts.Whole = false
		var err error
		if dst, err = w.plan.Stream(dst, w.Insert); err != nil {
			return dst, err
		}
	}
	late := c.Seq < w.expected
	if c.Seq != w.expected {
		w.gaps++
	}
	w.expected = max(w.expected, c.Seq+1)
	w.plan.Observe(c)
	w.plan.Edited = w.plan.Edited || c.Ambiguous && w.opts.Settle
	if c.Raw == nil {
		return dst, nil
	}
	if !w.plan.Edited && !w.opts.Force {
		return w.pass(dst, c), nil
	}
	return w.rewrite(dst, c, late)
}

// Replace decides what a block is written as; see stream.Writer.
func (w *Writer) Replace(at stream.At, with ...llm.Block) error {
	switch {
	case w.closed:
		return stream.ErrTerminated
	case w.finished || w.errored:
		return stream.ErrTooLate
	case at.Choice != 0:
		return stream.ErrNotWritable
	}
	var kept []llm.Block
	for i := range with {
		switch with[i].Kind {
		case llm.Content, llm.Refusal:
			if with[i].Text == "" {
				continue
			}
		case llm.ToolCall:
			if !writable(&with[i], true) {
				return stream.ErrNotWritable
			}
		default:
			return stream.ErrNotWritable
		}
		kept = append(kept, with[i])
	}
	return w.plan.Replace(at, kept)
}

// Insert writes blocks of Sluice's own: at once, or as soon as the items that
// are open have ended. See stream.Writer.
func (w *Writer) Insert(dst []byte, choice int, blocks ...llm.Block) ([]byte, error) {
	switch {
	case w.closed:
		return dst, stream.ErrTerminated
	case w.finished || w.errored:
		return dst, stream.ErrTooLate
	case choice != 0:
		return dst, stream.ErrNotWritable
	}
	var kept []llm.Block
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case llm.Content, llm.Refusal:
			if b.Text == "" {
				continue
			}
		case llm.Thinking:
			if b.Text == "" && b.Signature == "" {
				continue
			}
		case llm.ToolCall:
			if !writable(b, false) {
				return dst, stream.ErrNotWritable
			}
		default:
			return dst, stream.ErrNotWritable
		}
		kept = append(kept, *b)
	}
	if len(kept) == 0 {
		return dst, nil
	}
	w.plan.Wait(0, kept)
	if w.opts.Whole {
		return dst, nil
	}
	return w.flush(w.begin(dst)), nil
}

// flush writes the blocks that wait, once no item is open.
func (w *Writer) flush(dst []byte) []byte {
	ch := w.plan.Choice(0)
	if w.open > 0 || len(ch.Waiting) == 0 {
		return dst
	}
	for i := range ch.Waiting {
		dst = w.writeBlock(dst, &ch.Waiting[i], nil)
	}
	ch.Waiting = nil
	return dst
}

// Continue says that the next chunks are of another answer; see stream.Writer.
func (w *Writer) Continue(dst []byte) ([]byte, error) {
	switch {
	case w.closed:
		return dst, stream.ErrTerminated
	case w.finished || w.errored:
		return dst, stream.ErrTooLate
	case w.open > 0:
		return w.fail(dst, stream.ErrGap), stream.ErrGap
	}
	w.plan.Continue()
	w.expected = 0
	w.swallow = w.begun
	w.resumed = false
	clear(w.items)
	w.blocks = nil
	return dst, nil
}

// Terminate ends the answer now; see stream.Writer.
func (w *Writer) Terminate(dst []byte) ([]byte, error) {
	if w.closed {
		return dst, stream.ErrTerminated
	}
	if w.finished || w.errored {
		w.closed = true
		return dst, nil
	}
	if w.opts.Whole {
		return w.writeOwn(dst), nil
	}
	if w.open > 0 {
		return w.fail(dst, errOpen), nil
	}
	dst = w.flush(w.begin(dst))
	dst = w.writeCompleted(dst)
	w.finished, w.closed = true, true
	return dst, nil
}

var errOpen = errors.New("the answer was ended in the middle of an item")

// Fail ends the answer with an error; see stream.Writer. After a terminal event
// or an error of the upstream there is no place for another one.
func (w *Writer) Fail(dst []byte, cause error) ([]byte, error) {
	if w.closed {
		return dst, stream.ErrTerminated
	}
	if w.finished || w.errored {
		w.closed = true
		return dst, stream.ErrTerminated
	}
	return w.fail(dst, cause), nil
}

// Keepalive writes a comment line, which is part of no event.
func (w *Writer) Keepalive(dst []byte) []byte {
	if w.closed || w.finished || w.opts.Whole {
		return dst
	}
	return sse.AppendComment(dst, "keepalive")
}

// blockItem returns the item that a block of the current answer belongs to.
func (w *Writer) blockItem(block int) *outItem {
	if block < 0 || block >= len(w.blocks) {
		return nil
	}
	return w.blocks[block]
}

// assign notes which item a block belongs to.
func (w *Writer) assign(block int, it *outItem) {
	if block < 0 {
		return
	}
	if w.blocks == nil {
		w.blocks = make([]*outItem, 0, max(8, block+1))
	}
	if n := block + 1 - len(w.blocks); n > 0 {
		w.blocks = append(w.blocks, make([]*outItem, n)...)
	}
	w.blocks[block] = it
}

// ended notes that an item has left in full.
func (w *Writer) ended(it *outItem, final []byte) {
	it.done = true
	it.final = slices.Clone(final)
	it.added, it.held, it.body, it.parts = nil, nil, nil, nil
	it.places, it.listed = nil, 0
	w.open--
}

// started notes that an item has begun to leave. The next one gets its position as the
// index, even if the upstream skipped one that was sent so: clients count the items. How
// many there were before an answer that is resumed is not known.
func (w *Writer) started(it *outItem, out int) {
	it.begun = true
	it.out = out
	if w.sent == nil {
		w.sent = make([]*outItem, 0, 8)
	}
	w.sent = append(w.sent, it)
	w.open++
	if w.resumed {
		w.next = max(w.next, out+1)
	} else {
		w.next++
	}
}

// Edited reports whether something was edited; see stream.Writer.
func (w *Writer) Edited() bool { return w.plan.Edited || w.opts.Force }

var _ stream.Writer = (*Writer)(nil)

package openaichat

import (
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// Writer writes one Chat Completions answer.
type Writer struct {
	opts     stream.WriterOptions
	plan     plan.Plan
	scan     jsonscan.Scanner
	envelope envelope
	framer   sse.Framer
	buf      []byte

	choices []*outChoice
	last    *outChoice

	next int // the sequence number that comes next
	gaps int // how often chunks were dropped
	// late is a usage payload that arrived before every choice had finished.
	late []byte
	// gather: clients read the answer in different ways, so that a call leaves in one
	// piece, when all of it has come. gathered is the length of what waits.
	gather   bool
	gathered int
	// errored: the provider's error was sent. upstream: the provider's own end was
	// sent. ended: nothing may follow.
	errored, upstream, ended bool

	// single is the choice of the many answers that have one.
	single struct {
		choice  outChoice
		choices [1]*outChoice
	}
}

// NewWriter returns a writer for one answer.
func NewWriter(opts stream.WriterOptions) *Writer { return &Writer{opts: opts} }

// Reset makes the writer as new, for another answer.
func (w *Writer) Reset(opts stream.WriterOptions) {
	*w = Writer{} // in place: a literal with fields is built on the stack first, which an open stream then keeps
	w.opts = opts
}

// outChoice is what the client has seen of one choice.
type outChoice struct {
	number int
	plan   *plan.Choice
	role   bool
	// swallow: the role was Sluice's own or of an earlier answer, so that of
	// the upstream is not wanted.
	swallow  bool
	finished bool
	// calls counts the calls whose beginning has left, added those of them
	// that are Sluice's own, next the index that the next one gets.
	calls, added, next int
	// legacy counts the calls that left as function_call.
	legacy int
	// claimed are the ids that the client has seen, ids the same as a set once
	// somebody must know whether one is taken.
	claimed  []string
	ids      map[string]struct{}
	byBlock  alloc.SmallMap[outCall]
	lastCall *outCall
	held     []*outCall
	open     []*outCall

	// made are the calls, and room is what the lists of a few take.
	made alloc.Pool[outCall]
	room struct {
		claimed [fewCalls]string
		open    [fewCalls]*outCall
	}
}

// outCall is an upstream call on its way to the client.
type outCall struct {
	block    int
	index    int
	id, name string
	typ      string
	begun    bool
	gaps     int
	scan     objectScan
	// first is the entry that began a call which is held back, args what
	// arrived of its arguments, extra members of later entries to keep.
	first []byte
	args  []byte
	extra []byte
	// own is a call of Sluice's own that waits behind others, instead of all that.
	own *llm.Block
}

func (w *Writer) choice(number int) *outChoice {
	if w.last != nil && w.last.number == number {
		return w.last
	}
	for _, ch := range w.choices {
		if ch.number == number {
			w.last = ch
			return ch
		}
	}
	ch := &w.single.choice
	if w.choices == nil {
		w.choices = w.single.choices[:0]
	} else {
		ch = new(outChoice)
	}
	ch.number, ch.plan = number, w.plan.Choice(number)
	ch.claimed, ch.open = ch.room.claimed[:0], ch.room.open[:0]
	w.choices = append(w.choices, ch)
	w.last = ch
	return ch
}

// Write writes a chunk of the upstream answer.
func (w *Writer) Write(dst []byte, c *stream.Chunk) ([]byte, error) {
	c = plan.OneLine(c, w.opts.Whole)
	if w.ended {
		if w.upstream && !ofAnAnswer(c) && !(w.opts.Whole && c.Raw != nil) {
			if c.Raw != nil && c.Seq == w.next && !w.opts.Force && !w.plan.Edited && !c.Whole {
				w.next++
				return sse.AppendEvent(dst, c.Name, c.Raw), nil
			}
			return dst, nil
		}
		return dst, stream.ErrTerminated
	}
	if c.Edited {
		var ok bool
		if c, ok = amended(c); !ok {
			return dst, stream.ErrNotWritable
		}
	}
	if w.opts.Whole && !c.Whole {
		switch {
		case c.Raw == nil:
			return dst, nil
		case plan.Failed(c):
			w.ended, w.upstream = true, true
			return append(dst, c.Raw...), nil
		}
		w.opts.Whole = false
		var err error
		if dst, err = w.plan.Stream(dst, w.Insert); err != nil {
			return dst, err
		}
	}
	w.plan.Observe(c)
	w.gather = w.gather || c.Ambiguous && w.opts.Settle
	w.plan.Edited = w.plan.Edited || w.gather
	if c.Seq > w.next {
		w.gaps++
	}
	w.next = max(w.next, c.Seq+1)
	switch {
	case c.Whole:
		return w.writeWhole(dst, c)
	case w.opts.Force || w.plan.Edited:
		return w.rewrite(dst, c)
	}
	return w.pass(dst, c), nil
}

// ofAnAnswer reports whether a chunk has something that belongs before the end.
func ofAnAnswer(c *stream.Chunk) bool {
	for i := range c.Events {
		if t := c.Events[i].Type; t != stream.EventUnknown && t != stream.EventDone {
			return true
		}
	}
	return false
}

// pass passes a payload on unchanged, and records what was sent with it.
func (w *Writer) pass(dst []byte, c *stream.Chunk) []byte {
	if c.Raw != nil && w.envelope.wants(c) {
		w.learn(c.Raw)
	}
	for i := range c.Events {
		switch ev := &c.Events[i]; ev.Type {
		case stream.EventStart, stream.EventDelta, stream.EventWhole, stream.EventHint, stream.EventEnd:
			w.plan.Track(ev)
			ch := w.choice(ev.Choice)
			ch.role = true
			if ev.Kind == llm.ToolCall {
				w.passCall(ch, ev)
			}
		case stream.EventFinish:
			ch := w.choice(ev.Choice)
			ch.role = true
			ch.finish()
		case stream.EventError:
			w.errored = true
		case stream.EventDone:
			w.ended, w.upstream = true, true
		default:
		}
	}
	if c.Raw == nil {
		return dst
	}
	return w.framer.Append(dst, c.Name, c.Raw)
}

func (w *Writer) passCall(ch *outChoice, ev *stream.Event) {
	switch ev.Type {
	case stream.EventStart:
		call := w.newCall(ch, ev)
		call.begun = true
		if call.typ != legacyType {
			call.index = ev.Index
			if ev.Index < 0 {
				call.index = ch.next
			}
			ch.next = max(ch.next, call.index+1)
			ch.use(call.id)
		} else {
			ch.legacy++
		}
		ch.calls++
		ch.open = append(ch.open, call)
	case stream.EventDelta:
		if call := ch.call(ev.Block); call != nil && ev.Field == stream.Body {
			call.scan.feed(ev.Data)
		}
	default:
	}
}

func (w *Writer) newCall(ch *outChoice, ev *stream.Event) *outCall {
	call := ch.made.New()
	call.block, call.index, call.gaps = ev.Block, -1, w.gaps
	call.id, call.name, call.typ = ev.ID, ev.Name, ev.ProviderType
	ch.byBlock.Put(ev.Block, call)
	ch.lastCall = call
	return call
}

func (ch *outChoice) call(block int) *outCall {
	if ch.lastCall == nil || ch.lastCall.block != block {
		call := ch.byBlock.Get(block)
		if call == nil {
			return nil
		}
		ch.lastCall = call
	}
	return ch.lastCall
}

// use remembers an id that the client has seen.
func (ch *outChoice) use(id string) {
	if ch.ids == nil {
		ch.claimed = append(ch.claimed, id)
		return
	}
	ch.ids[id] = struct{}{}
}

// used reports whether the client has seen an id.
func (ch *outChoice) used(id string) bool {
	if ch.ids == nil {
		ch.ids = make(map[string]struct{}, len(ch.claimed))
		for _, id := range ch.claimed {
			ch.ids[id] = struct{}{}
		}
		ch.claimed = nil
	}
	_, used := ch.ids[id]
	return used
}

// uniqueID returns id, or a new one if it is empty or was used.
func (w *Writer) uniqueID(ch *outChoice, id string) string {
	for n := 0; id == "" || ch.used(id); n++ {
		if id = w.opts.ID("call_"); n > 0 {
			id += "_" + strconv.Itoa(n) // whatever the ids are made by
		}
	}
	ch.use(id)
	return id
}

func (ch *outChoice) finish() {
	ch.finished = true
	ch.plan.Finished = true
	ch.held, ch.open = nil, nil
}

// Replace decides what a block is written as.
func (w *Writer) Replace(at stream.At, with ...llm.Block) error {
	if w.ended {
		return stream.ErrTerminated
	}
	for i := range with {
		if !writable(&with[i]) {
			return stream.ErrNotWritable
		}
	}
	kind := at.Kind
	if entries := w.plan.Choice(at.Choice).Entries(); at.Block >= 0 && at.Block < len(entries) {
		kind = max(kind, entries[at.Block].Kind)
	}
	for i := range with {
		if kind == llm.Thinking && with[i].Kind == llm.Thinking {
			return stream.ErrNotWritable
		}
	}
	return w.plan.Replace(at, with)
}

// Insert writes blocks of Sluice's own.
func (w *Writer) Insert(dst []byte, choice int, blocks ...llm.Block) ([]byte, error) {
	if w.ended {
		return dst, stream.ErrTerminated
	}
	for i := range blocks {
		if !writable(&blocks[i]) {
			return dst, stream.ErrNotWritable
		}
	}
	if w.opts.Whole {
		if choice < 0 || choice >= mostChoices {
			return dst, stream.ErrNotWritable
		}
		w.plan.Wait(choice, blocks)
		return dst, nil
	}
	ch := w.choice(choice)
	if ch.finished || w.errored {
		return dst, stream.ErrTooLate
	}
	w.plan.Edited = true
	ch.plan.Changed = true
	for i := range blocks {
		if delta := w.block(ch, &blocks[i]); delta != nil {
			dst = w.chunk(dst, ch, delta, "")
		}
	}
	return dst, nil
}

// Continue goes on with another upstream answer.
func (w *Writer) Continue(dst []byte) ([]byte, error) {
	if w.ended {
		return dst, stream.ErrTerminated
	}
	for _, ch := range w.choices {
		if len(ch.open) > 0 {
			dst, _ = w.Fail(dst, stream.ErrGap)
			return dst, stream.ErrGap
		}
	}
	for _, ch := range w.choices {
		if ch.finished {
			return dst, stream.ErrTooLate
		}
	}
	if w.errored {
		return dst, stream.ErrTooLate
	}
	w.plan.Continue()
	w.next = 0
	for _, ch := range w.choices {
		ch.byBlock.Clear()
		ch.lastCall, ch.held = nil, nil
		ch.swallow = ch.role
	}
	return dst, nil
}

// Keepalive writes a keepalive.
func (w *Writer) Keepalive(dst []byte) []byte {
	if w.ended || w.opts.Whole {
		return dst
	}
	return sse.AppendComment(dst, "keepalive")
}

// Edited reports whether something was edited; see stream.Writer.
func (w *Writer) Edited() bool { return w.plan.Edited || w.opts.Force }

var _ stream.Writer = (*Writer)(nil)

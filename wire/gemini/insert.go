package gemini

import (
	"slices"
	"strconv"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Insert writes blocks in a chunk of their own. Text must precede the first call; a
// call waits while another one is being streamed.
func (w *Writer) Insert(dst []byte, choice int, blocks ...llm.Block) ([]byte, error) {
	if w.ended || w.done {
		return dst, stream.ErrTerminated
	}
	if choice < 0 || choice >= maxChoices {
		return dst, stream.ErrNotWritable
	}
	if err := writable(blocks, false); err != nil {
		return dst, err
	}
	blocks = slices.DeleteFunc(slices.Clone(blocks), func(b llm.Block) bool { return hollow(&b) })
	if len(blocks) == 0 {
		return dst, nil
	}
	// Calls last: text must not follow one.
	slices.SortStableFunc(blocks, func(a, b llm.Block) int { return rank(a.Kind) - rank(b.Kind) })
	if w.opts.Whole {
		w.plan.Wait(choice, blocks)
		return dst, nil
	}
	ch := w.choice(choice)
	if ch.Finished || w.failed || w.blocked || ch.Calls > 0 && blocks[0].Kind != llm.ToolCall {
		return dst, stream.ErrTooLate
	}
	w.plan.Edited = true
	ch.Changed = true
	ch.Waiting = append(ch.Waiting, blocks...)
	if ch.open {
		return dst, nil
	}
	return w.flush(dst, ch), nil
}

func rank(k llm.Kind) int {
	if k == llm.ToolCall {
		return 1
	}
	return 0
}

// flush writes the waiting blocks in a chunk of their own.
func (w *Writer) flush(dst []byte, ch *writing) []byte {
	parts := w.takeWaiting(ch)
	if parts == nil {
		return dst
	}
	return w.appendChunk(dst, appendContent(nil, ch.Number, parts))
}

// takeWaiting returns the parts that waited, nil if there are none.
func (w *Writer) takeWaiting(ch *writing) []byte {
	if len(ch.Waiting) == 0 {
		return nil
	}
	waiting := ch.Waiting
	ch.Waiting = nil
	return w.own(ch, waiting)
}

// own returns the parts of inserted blocks, which are about to be sent.
func (w *Writer) own(ch *writing, blocks []llm.Block) []byte {
	for i := range blocks {
		b := &blocks[i]
		if hollow(b) {
			continue
		}
		ch.seen = true
		ch.Blocks++
		if b.Kind == llm.ToolCall {
			ch.Calls++
			b.ID = w.unique(ch, b.ID)
			ch.use(b.ID)
		}
	}
	return appendParts(nil, blocks)
}

// use marks an id as given to a call.
func (ch *writing) use(id string) {
	if id == "" {
		return
	}
	if ch.ids == nil {
		ch.ids = map[string]bool{}
	}
	ch.ids[id] = true
}

// unique returns id, or another one if it is taken. A call without an id stays so:
// clients then pair results by order.
func (w *Writer) unique(ch *writing, id string) string {
	if id == "" || !ch.ids[id] {
		return id
	}
	id = w.opts.ID("call_")
	for n, base := 2, id; ch.ids[id]; n++ {
		id = base + "_" + strconv.Itoa(n)
	}
	return id
}

package policy

import (
	"bytes"
	"slices"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/stream"
)

// lane is the engine's state of one choice.
type lane struct {
	number   int
	blocks   []*stream.Block
	values   []llm.Block // what before returned last
	rulings  []*ruling   // by position; nil for blocks that no policy applies to
	finished bool
	// next is the first ruling that has not been carried out, and shown the
	// first that exit does not know yet.
	next, shown int
	// asked: the calls were given to the policies that judge them together;
	// deciding is how many of those have not answered.
	asked    bool
	deciding int
	// line is the queue of chunks that wait, in order.
	line []*item
	home []*item // the backing array of a short queue
	// Most answers have a few blocks.
	fewRulings [4]*ruling
}

func (e *Engine) lane(number int) *lane {
	for _, l := range e.lanes {
		if l.number == number {
			return l
		}
	}
	l := &lane{number: number}
	l.rulings = l.fewRulings[:0]
	e.lanes = append(e.lanes, l)
	return l
}

// ruling is the state of the decision on one block.
type ruling struct {
	lane  *lane
	block *stream.Block
	// held: nothing leaves before the verdict. text: its text is replaced while
	// it streams.
	held bool
	text *textRun
	// began is when its first part arrived.
	began time.Time

	// round counts the judgements; answers to an earlier one are discarded.
	// judged is how long the block was when the current one began, -1 if there
	// is none.
	round, judged int
	name          string // the tool's name at that time
	discarded     int
	// initial is what a call without a name started with: calls of built-in
	// tools start with their action, or with a placeholder for it.
	initial string
	// begun is the JSON that a block of an unknown type started with, if it carries a call:
	// it leaves with the start, whatever the block ends with.
	begun []byte
	// size is how much text or arguments arrived so far.
	size int
	// versions are the forms of the block that are judged: the final one and,
	// if the provider sent two, the other.
	versions    []*Subject
	fewVersions [1]*Subject // usually there is one
	// changed: the final form differs from the one that arrived.
	changed bool
	votes   []Verdict
	waiting int // answers that count and are still open
	shadows int // shadow answers that are still open
	latency time.Duration

	complete, decided, released, left, recorded bool
	verdict                                     Verdict
	// touched: the current chunk contains a part of it.
	touched *touch
	// over: it exceeded a limit, and its further parts are dropped.
	over bool
	// asCall: a block of an unknown type that carries a call.
	asCall bool
}

func (l *lane) ruling(block int) *ruling {
	if block < 0 || block >= len(l.rulings) {
		return nil
	}
	return l.rulings[block]
}

// begin processes the start of a block.
func (e *Engine) begin(ev *stream.Event, st *stream.State) *ruling {
	l := e.lane(ev.Choice)
	l.blocks = st.Choice(ev.Choice).Blocks()
	for len(l.rulings) <= ev.Block {
		l.rulings = append(l.rulings, nil)
	}
	if !e.watched.Has(ev.Kind) {
		return nil
	}
	if ev.Kind == llm.Opaque && isInert(ev.ProviderType) {
		return nil
	}
	r := e.ruling()
	r.lane, r.judged, r.began, r.block = l, -1, time.Now(), l.blocks[ev.Block]
	r.held = e.held.Has(ev.Kind)
	if !r.held && isText(ev.Kind) && (e.texts != nil || e.shadows != nil) {
		r.text = &textRun{}
		switch {
		case e.texts == nil:
		case len(ev.Data) > 0:
			r.held = true // the start of a block cannot be edited in place
		default:
			r.text.stream = e.texts.chain.NewStream(text.StreamOptions{Limit: e.opts.Limits.Block, Notice: "[Sluice withheld the rest of this text]"})
		}
	}
	if r.held && ev.Kind == llm.ToolCall && ev.Name == "" && says(ev.Data) {
		r.initial = string(ev.Data)
	}
	if r.held && ev.Kind == llm.Opaque && len(ev.Raw) > 0 {
		if _, ok := asCall(&llm.Block{Type: ev.ProviderType, Raw: ev.Raw}); ok {
			r.begun = bytes.Clone(ev.Raw)
		}
	}
	l.rulings[ev.Block] = r
	l.asked = false // the policies that judge together have not seen it
	return r
}

// before returns the blocks of the choice that began before a position, as they
// are now. The list is shared with earlier callers as long as no block in it
// has grown.
func (l *lane) before(position int) []llm.Block {
	n := min(position, len(l.blocks))
	for i := range l.values[:min(n, len(l.values))] {
		if b := l.blocks[i]; len(said(&l.values[i])) != b.Len() && b.Kept() || l.values[i].Name != b.Name() || l.values[i].Status != b.Status() {
			l.values = slices.Clone(l.values[:i])
			break
		}
	}
	for len(l.values) < n {
		l.values = append(l.values, l.blocks[len(l.values)].Value())
	}
	return l.values[:n:n]
}

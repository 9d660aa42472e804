package policy

import (
	"sync"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// workspace is the memory that a run works in: its loop and the answer's reader.
// Workspaces are pooled, because setting one up is most of what a short answer
// costs.
//
// A workspace goes back to the pool only if nothing can still refer to it, see
// [loop.isAlone], and every part of it is reset then. It never holds text, so the
// next run cannot touch what records, subjects and verdicts say.
type workspace struct {
	loop      loop
	processor stream.Processor
	decoder   stream.Decoder // of the processor, nil until it is needed
	// rulings is nil until something is held: most streams that are delayed
	// only delay text.
	rulings *rulings
	lined   bool // the queue of the rulings belongs to a lane
	// lanes, touched and gates are the backing arrays of the engine's short lists.
	lanes, touched [1]*lane
	gates          [4]*ruling
}

// rulings are those on the first blocks, and the queue that is held for them.
// They are pooled too.
type rulings struct {
	few  [4]ruling
	used int
	line [16]*item
}

// useWorkspace makes the engine work in a workspace.
func (e *Engine) useWorkspace(d *workspace) {
	e.space = d
	if e.lanes == nil {
		e.lanes = d.lanes[:0]
	}
	e.touched.lanes, e.touched.gates = d.touched[:0], d.gates[:0]
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

var manyRulings = sync.Pool{New: func() any { return new(rulings) }}

func newWorkspace() *workspace {
	if d, ok := workspaces.Get().(*workspace); ok {
		return d
	}
	return new(workspace)
}

// read returns a processor for an answer. The workspace has one, for the first.
func (d *workspace) read(format wire.Format, limits stream.Limits, h stream.Handler, out *stream.Output) *stream.Processor {
	if d.decoder != nil {
		return stream.NewProcessor(format.NewDecoder(), limits, h, out)
	}
	d.decoder = format.NewDecoder()
	d.processor.Reset(d.decoder, limits, h, out)
	return &d.processor
}

// isAlone reports whether nothing that the run used can still be in use after it
// has ended: it was not cut short, nothing ran concurrently with it (a question,
// a clock, a watch on its context), no policy looked at its state, and it had a
// single answer, all of which has left.
func (l *loop) isAlone() bool {
	e := l.e
	concurrent := l.asking != nil || l.aside != nil || l.clock.timer != nil || l.unhook != nil
	looked := e.set.sees || e.assembly != nil && e.sees
	return l.good && !concurrent && !looked && e.rounds == 0 && !e.ended && e.aborted == nil && e.queue.empty()
}

// putAway returns the workspace to the pool. The engine no longer refers to it.
func (d *workspace) putAway() {
	e := d.loop.e
	for _, l := range e.lanes {
		// Subjects refer to it. Whoever asks too late gets nothing.
		*l = lane{number: l.number}
	}
	e.lanes, e.touched, e.st, e.space = nil, touch{}, nil, nil
	e.queue.give()
	e.queue = queue{}
	if d.decoder != nil {
		wire.ReleaseDecoder(d.decoder)
	}
	if d.rulings != nil {
		*d.rulings = rulings{}
		manyRulings.Put(d.rulings)
	}
	d.processor.Clear()
	d.loop, d.decoder, d.rulings, d.lined = loop{}, nil, nil, false
	d.lanes, d.touched, d.gates = [1]*lane{}, [1]*lane{}, [4]*ruling{}
	workspaces.Put(d)
}

// ruling returns a zero ruling.
func (e *Engine) ruling() *ruling {
	if e.space == nil {
		return new(ruling)
	}
	of := e.space.lazyRulings()
	if of.used == len(of.few) {
		return new(ruling)
	}
	of.used++
	return &of.few[of.used-1]
}

// queueBuffer returns the backing array of a lane's queue.
func (e *Engine) queueBuffer() []*item {
	if d := e.space; d != nil && !d.lined {
		d.lined = true
		return d.lazyRulings().line[:0]
	}
	return make([]*item, 0, len(rulings{}.line))
}

func (d *workspace) lazyRulings() *rulings {
	if d.rulings == nil {
		r, ok := manyRulings.Get().(*rulings)
		if !ok {
			r = new(rulings)
		}
		d.rulings = r
	}
	return d.rulings
}

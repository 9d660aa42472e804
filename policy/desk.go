package policy

import (
	"sync"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// desk is what a run works on: its loop and what reads the answer. Desks go from
// run to run, because most of what a short answer costs is to set one up.
//
// A desk is put away only if nobody can still be at it, see [loop.isAlone], and it
// is empty when it is: every part of it is made as new. No text is ever kept in
// one, so what records, subjects and verdicts say is not touched by the next run.
type desk struct {
	loop      loop
	processor stream.Processor
	decoder   stream.Decoder // of the processor, nil before it was needed
	// rulings is nil until something is held: most streams that wait, wait with
	// text.
	rulings *rulings
	lined   bool // the line of the rulings belongs to a lane
	// lanes, touched and gates are room for the engine's lists of a few.
	lanes, touched [1]*lane
	gates          [4]*ruling
}

// rulings are those on the first blocks, and the line that is held for them. They
// go from run to run as desks do.
type rulings struct {
	few  [4]ruling
	used int
	line [16]*item
}

// sitAt makes the engine work on a desk.
func (e *Engine) sitAt(d *desk) {
	e.desk = d
	if e.lanes == nil {
		e.lanes = d.lanes[:0]
	}
	e.touched.lanes, e.touched.gates = d.touched[:0], d.gates[:0]
}

var desks = sync.Pool{New: func() any { return new(desk) }}

var manyRulings = sync.Pool{New: func() any { return new(rulings) }}

func newDesk() *desk {
	if d, ok := desks.Get().(*desk); ok {
		return d
	}
	return new(desk)
}

// read returns a processor for an answer. The desk has one, for the first.
func (d *desk) read(format wire.Format, limits stream.Limits, h stream.Handler, out *stream.Output) *stream.Processor {
	if d.decoder != nil {
		return stream.NewProcessor(format.NewDecoder(), limits, h, out)
	}
	d.decoder = format.NewDecoder()
	d.processor.Reset(d.decoder, limits, h, out)
	return &d.processor
}

// isAlone reports whether nothing that the run had can be in use when it has
// ended: it came to its end, nothing ever ran beside it (a question, a clock, a
// watch over its context), no policy looked at its state, and it had one answer,
// all of which has left.
func (l *loop) isAlone() bool {
	e := l.e
	beside := l.asking != nil || l.aside != nil || l.clock.timer != nil || l.unhook != nil
	looked := e.set.sees || e.assembly != nil && e.sees
	return l.good && !beside && !looked && e.rounds == 0 && !e.ended && e.aborted == nil && e.queue.empty()
}

// putAway gives the desk to another run. The engine has no more to do with it.
func (d *desk) putAway() {
	e := d.loop.e
	for _, l := range e.lanes {
		// Subjects lead here. Whoever asks too late learns nothing.
		*l = lane{number: l.number}
	}
	e.lanes, e.touched, e.st, e.desk = nil, touch{}, nil, nil
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
	desks.Put(d)
}

// ruling returns a ruling that is zero.
func (e *Engine) ruling() *ruling {
	if e.desk == nil {
		return new(ruling)
	}
	of := e.desk.room()
	if of.used == len(of.few) {
		return new(ruling)
	}
	of.used++
	return &of.few[of.used-1]
}

// home returns room for what waits in a lane.
func (e *Engine) home() []*item {
	if d := e.desk; d != nil && !d.lined {
		d.lined = true
		return d.room().line[:0]
	}
	return make([]*item, 0, len(rulings{}.line))
}

func (d *desk) room() *rulings {
	if d.rulings == nil {
		r, ok := manyRulings.Get().(*rulings)
		if !ok {
			r = new(rulings)
		}
		d.rulings = r
	}
	return d.rulings
}

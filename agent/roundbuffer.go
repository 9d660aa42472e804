package agent

import "context"

// roundBuffer collects the events of one round.
type roundBuffer struct {
	mode StreamMode
	// kept are events that are shown if the round calls no tools.
	kept  []Event
	tail  []byte // of the text of the last of them
	round Event
	final *Result
	// noCalls: the calls of the round will not be run, and are not shown.
	noCalls bool
}

// smallest is the size up to which pieces of text are coalesced: an event costs
// more than a few bytes do.
const smallest = 24

// keep buffers an event.
func (h *roundBuffer) keep(ev Event) {
	n := len(h.kept)
	if n > 0 && ev.Text != "" && ev.Type != EventToolResult {
		last := &h.kept[n-1]
		same := last.Type == ev.Type && last.Round == ev.Round && last.Block == ev.Block
		if same && max(len(last.Text), len(h.tail))+len(ev.Text) <= smallest {
			if len(h.tail) == 0 {
				h.tail = append(h.tail, last.Text...)
			}
			h.tail = append(h.tail, ev.Text...)
			return
		}
	}
	h.seal()
	h.kept = append(h.kept, ev)
}

// seal sets the text of the last buffered event.
func (h *roundBuffer) seal() {
	if len(h.tail) > 0 {
		h.kept[len(h.kept)-1].Text = string(h.tail)
		h.tail = h.tail[:0]
	}
}

// answer is the model's answer, nil if it was not asked.
func (h *roundBuffer) answer() *Answer {
	if h.final.Answer != nil {
		return h.final.Answer
	}
	return h.round.Answer
}

// ask asks the rest of the chain, and shows what may be shown at once.
func (l *looping) ask(ctx context.Context, req *Request, h *roundBuffer) error {
	for ev, err := range l.next(ctx, req) {
		if err != nil {
			return err
		}
		switch ev.Type {
		case EventFinal:
			if ev.Final == nil {
				return ErrNoFinal
			}
			h.final = ev.Final
			continue
		case EventRoundEnd:
			// It is shown when the answer is final. An advisor may have asked
			// several times.
			if h.round.Type != 0 {
				l.pass(h, h.round)
			}
			h.round = ev
		default:
			l.pass(h, ev)
		}
		if l.left {
			return nil
		}
	}
	if h.final == nil {
		return ErrNoFinal
	}
	return nil
}

// pass shows an event now, or buffers it until the kind of round is known.
func (l *looping) pass(h *roundBuffer, ev Event) {
	var live bool
	switch ev.Type {
	case EventAsk: // somebody waits for the answer
		l.left = !l.yield(ev, nil)
		return
	case EventToolStart, EventToolDelta, EventToolEnd, EventToolResult:
		live = h.mode == All
	default:
		live = h.mode != FinalBuffered
	}
	if l.quiet {
		return
	}
	if !live {
		h.keep(ev)
		return
	}
	l.left = !l.yield(ev, nil)
}

// show shows what was buffered of a round that ends the run, and its end, if that
// may be shown.
func (l *looping) show(h *roundBuffer, last bool) {
	if l.quiet || !last && h.mode == FinalBuffered {
		return
	}
	if last {
		h.settle(l.result.Answer)
		for _, ev := range h.kept {
			if l.left = !l.yield(ev, nil); l.left {
				return
			}
		}
	}
	if h.round.Type != 0 {
		if last && l.result.Answer != nil {
			h.round.Answer = l.result.Answer
		}
		l.left = !l.yield(h.round, nil)
	}
}

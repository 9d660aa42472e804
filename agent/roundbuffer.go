package agent

import "context"

// heard is what was heard of one round.
type heard struct {
	mode StreamMode
	// kept are events that are shown if the round calls no tools.
	kept  []Event
	tail  []byte // of the text of the last of them
	round Event
	final *Result
	// noCalls: nobody will run the calls of the round, and they are not shown.
	noCalls bool
}

// smallest is the size up to which pieces of text are kept as one: an event costs
// more than a few bytes do.
const smallest = 24

// keep keeps an event back.
func (h *heard) keep(ev Event) {
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

// seal gives the last event that is kept its text.
func (h *heard) seal() {
	if len(h.tail) > 0 {
		h.kept[len(h.kept)-1].Text = string(h.tail)
		h.tail = h.tail[:0]
	}
}

// answer is what the model said, nil if it was not asked.
func (h *heard) answer() *Answer {
	if h.final.Answer != nil {
		return h.final.Answer
	}
	return h.round.Answer
}

// ask asks the rest of the chain, and shows what may be seen at once.
func (l *looping) ask(ctx context.Context, req *Request, h *heard) error {
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
			// It is shown when the answer is what it will be. An advisor may have
			// asked several times.
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

// pass shows an event now, or keeps it until it is known what the round is.
func (l *looping) pass(h *heard, ev Event) {
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

// show shows what was kept back of a round that ends the run, and its end, if that
// may be seen.
func (l *looping) show(h *heard, last bool) {
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

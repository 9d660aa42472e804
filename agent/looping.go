package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// looping is a tool loop in one run.
type looping struct {
	*ToolLoop

	next  Next
	yield func(Event, error) bool
	req   *Request
	turn  *turn
	// messages are what the next request asks; added what the run has added.
	messages, added []llm.Message
	asked           int
	usage           llm.Usage
	counts          counted
	taken           map[string]bool
	checked         []*Tool
	// paused is what a provider said before it paused, and unpaused what was asked
	// when it began.
	paused   []llm.Block
	unpaused []llm.Message
	// left: nobody listens any more. quiet: nobody ever did.
	left, quiet bool
	stop        context.CancelCauseFunc
	result      Result
}

func newLooping(l *ToolLoop, req *Request, next Next, yield func(Event, error) bool) *looping {
	r := req.Clone()
	if r.run == nil {
		r.run = &turn{asked: len(r.Messages)}
	}
	if r.Values == nil {
		r.Values = &Values{}
	}
	return &looping{ToolLoop: l, next: next, yield: yield, req: r, turn: r.run, quiet: r.run.quiet}
}

// run runs the loop to its end, whatever that is.
func (l *looping) run(ctx context.Context) {
	caller := ctx
	ctx, l.stop = context.WithCancelCause(context.WithValue(ctx, valuesKey{}, l.req.Values))
	defer l.stop(ErrCancelled)
	finalised := false
	defer func() {
		if !finalised { // the consumer has left or panicked
			l.result.Reason = Cancelled
			_ = l.finalise(ctx, ErrCancelled)
		}
	}()
	err := l.rounds(ctx)
	if l.left {
		return
	}
	finalised = true
	if err != nil {
		l.result.Reason = whyFailed(caller)
	}
	if problem := l.finalise(ctx, err); err == nil {
		err = problem
	}
	if err != nil {
		l.yield(Event{}, err)
		return
	}
	l.yield(Event{Type: EventFinal, Round: len(l.turn.rounds), Block: -1, Final: &l.result}, nil)
}

func (l *looping) finalise(ctx context.Context, err error) error {
	l.result.Rounds, l.result.Usage = l.turn.rounds, l.turn.usage()
	if l.result.Messages == nil {
		l.result.Messages = l.added
	}
	l.result.Kept = l.turn.progress.Kept
	l.turn.progress = l.result
	if l.cfg.Finalise == nil {
		return nil
	}
	problem := l.cfg.Finalise(context.WithoutCancel(ctx), &l.result, err)
	l.turn.progress = l.result
	return problem
}

// rounds asks and runs tools until there is a result.
func (l *looping) rounds(ctx context.Context) error {
	if l.cfg.Initialise != nil {
		if err := l.cfg.Initialise(ctx, l.req); err != nil {
			return err
		}
	}
	if err := l.checkTools(l.req.Tools); err != nil {
		return err
	}
	l.messages = slices.Clip(l.req.Messages)
	if r := l.turn.resumed; r != nil {
		l.turn.resumed = nil
		if over, err := l.resume(ctx, r); over || err != nil {
			return err
		}
	}
	for {
		if over, err := l.round(ctx); over || l.left || err != nil {
			return err
		}
	}
}

// checkTools refuses tools that hooks or advisors have added and that cannot be used.
func (l *looping) checkTools(tools []*Tool) error {
	if slices.Equal(tools, l.checked) {
		return nil
	}
	l.checked = tools
	return checkTools(tools)
}

// round asks once, and runs the tools that the answer calls.
func (l *looping) round(ctx context.Context) (over bool, err error) {
	if ctx.Err() != nil {
		return true, context.Cause(ctx)
	}
	req := l.req.Clone()
	req.Messages = slices.Clip(l.messages)
	req.Round = len(l.turn.rounds) + 1
	if l.cfg.Before != nil {
		if err := l.cfg.Before(ctx, req); err != nil {
			return true, err
		}
		if err := l.checkTools(req.Tools); err != nil {
			return true, err
		}
	}
	seen := heard{mode: l.cfg.Stream}
	if err := l.ask(ctx, req, &seen); err != nil || l.left {
		return true, err
	}
	l.asked++
	answer := seen.answer()
	if answer == nil { // an advisor answered without a model
		l.result = *seen.final
		l.result.Messages = slices.Concat(l.added, seen.final.Messages)
		l.show(&seen, true)
		return true, nil
	}
	addUsage(&l.usage, answer.Usage)
	answer.continues(l.paused)
	l.paused = nil
	if l.cfg.After != nil {
		if err := l.cfg.After(ctx, req, answer); err != nil {
			return true, err
		}
	}
	if answer.Finish == llm.FinishPaused && !answer.HasCalls() && l.spent() == nil {
		l.pause(answer, &seen)
		return false, nil
	}
	if !l.cfg.Eligible(answer) || !answer.HasCalls() || !answer.usable() {
		l.end(answer)
		if answer.HasCalls() && l.result.Reason != CallsLeft {
			l.leaveOut(answer, &seen)
		} else {
			l.show(&seen, true)
		}
		return true, nil
	}
	if l.unpaused != nil {
		l.messages, l.unpaused = l.unpaused, nil
	}
	if l.show(&seen, false); l.left {
		return true, nil
	}
	return l.tools(ctx, req, answer)
}

// leaveOut shows an answer whose calls nobody will run: they are not seen, and where
// they have been, so is what came of them.
func (l *looping) leaveOut(answer *Answer, h *heard) {
	h.kept = slices.DeleteFunc(h.kept, func(ev Event) bool {
		return ev.Type == EventToolStart || ev.Type == EventToolDelta || ev.Type == EventToolEnd
	})
	if l.show(h, true); l.left {
		return
	}
	b := newBatch(answer, roundMessage(answer, l.ids()))
	b.refuseAll(NotRun, fmt.Sprintf("not run: the answer is not whole (%s)", l.result.Reason))
	l.tellAll(b)
}

// pause sends an answer back that the provider has paused, so that it goes on. It
// becomes one with what follows.
func (l *looping) pause(answer *Answer, seen *heard) {
	l.paused = answer.Blocks
	if l.unpaused == nil {
		l.unpaused = l.messages
	}
	l.messages = append(slices.Clip(l.unpaused), llm.Message{Role: llm.Assistant, Blocks: l.paused})
	l.show(seen, true)
}

// end is the end of a run with an answer whose calls, if it has any, are not run.
func (l *looping) end(answer *Answer) {
	l.result.Answer = answer
	l.result.Reason = whyEnded(answer)
	l.result.Messages = l.added
	if l.result.Reason == CallsLeft {
		l.result.Messages = append(slices.Clip(l.added), roundMessage(answer, l.ids()))
	} else if said, ok := finalMessage(answer); ok {
		l.result.Messages = append(slices.Clip(l.added), said)
	}
}

// ids are the ids of calls that are taken.
func (l *looping) ids() map[string]bool {
	if l.taken == nil {
		l.taken = make(map[string]bool)
		noteIDs(l.taken, l.messages)
		noteIDs(l.taken, l.turn.recalled) // by a memory inside
	}
	return l.taken
}

// heard is what was heard of one round.
type heard struct {
	mode StreamMode
	// kept are events that are shown if the round calls no tools.
	kept  []Event
	round Event
	final *Result
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
		h.kept = append(h.kept, ev)
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
		for _, ev := range h.kept {
			if l.left = !l.yield(ev, nil); l.left {
				return
			}
		}
	}
	if h.round.Type != 0 {
		l.left = !l.yield(h.round, nil)
	}
}

package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

// looping is the state of a tool loop in one run.
type looping struct {
	*ToolLoop

	next  Next
	yield func(Event, error) bool
	req   *Request
	turn  *turn
	// messages are those of the next request; added those that the run has added.
	messages, added []llm.Message
	asked           int
	usage           llm.Usage
	counts          counted
	taken           *ids
	checked         []*Tool
	// left: the consumer has left. quiet: there never was one.
	left, quiet bool
	// ended: the run ended with an answer, not with results.
	ended  bool
	stop   context.CancelCauseFunc
	result Result
	// closing shows the end of the run, if nothing of it may be shown before
	// Finalise has changed it.
	closing func()
}

func newLooping(l *ToolLoop, req *Request, next Next, yield func(Event, error) bool) *looping {
	r := req.copied()
	if l.cfg.Initialise != nil {
		r = req.Clone()
	}
	if r.run == nil {
		r.run = &turn{asked: len(r.Messages)}
	}
	if r.Values == nil {
		r.Values = &Values{}
	}
	return &looping{ToolLoop: l, next: next, yield: yield, req: r, turn: r.run, quiet: r.run.quiet}
}

// run runs the loop to its end, however it ends.
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
	if l.closing != nil {
		if l.closing(); l.left {
			return
		}
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
	before := slices.Clone(l.result.Messages)
	for i := range before {
		before[i].Blocks = slices.Clone(before[i].Blocks)
	}
	problem := l.cfg.Finalise(context.WithoutCancel(ctx), &l.result, err)
	if l.ended && l.result.Answer != nil && slices.EqualFunc(before, l.result.Messages, memory.Same) {
		// The hook has not changed the messages: they follow the answer.
		l.result.Messages = l.ending(l.result.Answer)
	}
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

// checkTools rejects unusable tools that hooks or advisors have added.
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
	req := l.request()
	req.Round = len(l.turn.rounds) + 1
	if l.cfg.Before != nil {
		if err := l.cfg.Before(ctx, req); err != nil {
			return true, err
		}
		if err := l.checkTools(req.Tools); err != nil {
			return true, err
		}
	}
	seen := roundBuffer{mode: l.cfg.Stream}
	if err := l.ask(ctx, req, &seen); err != nil || l.left {
		return true, err
	}
	l.asked++
	answer := seen.answer()
	if answer == nil { // an advisor answered without a model
		l.result = *seen.final
		l.result.Messages = slices.Concat(l.added, seen.final.Messages)
		l.conclude(&seen, func() { l.show(&seen, true) })
		return true, nil
	}
	l.turn.last = answer
	answer.Live = !l.quiet && l.cfg.Stream != FinalBuffered
	addUsage(&l.usage, answer.Usage)
	if l.cfg.After != nil {
		if err := l.cfg.After(ctx, req, answer); err != nil {
			return true, err
		}
	}
	if seen.round.Type != 0 {
		seen.round.Answer = answer
	}
	if !l.cfg.Eligible(answer) || !answer.HasCalls() || !answer.usable() {
		l.end(answer)
		show := func() { l.show(&seen, true) }
		if answer.HasCalls() && l.result.Reason != CallsLeft {
			show = func() { l.leaveOut(answer, &seen) }
		}
		l.conclude(&seen, show)
		return true, nil
	}
	if l.show(&seen, false); l.left {
		return true, nil
	}
	return l.tools(ctx, req, answer)
}

// conclude shows the end of a run: at once, or after Finalise if something of it has not
// been shown yet.
func (l *looping) conclude(h *roundBuffer, show func()) {
	if l.cfg.Finalise != nil && (h.mode == FinalBuffered || len(h.kept) > 0) {
		l.closing = show
		return
	}
	show()
}

// leaveOut shows an answer whose calls will not be run: the calls are not shown, and
// where they have been, so is their result.
func (l *looping) leaveOut(answer *Answer, h *roundBuffer) {
	h.noCalls = true
	if l.show(h, true); l.left {
		return
	}
	b := newBatch(answer, roundMessage(answer, l.ids()))
	for i := range b.calls {
		if d := answer.denial(b.calls[i].from); d != nil {
			b.calls[i].refuse(d.why, d.reason)
		}
	}
	why := "the answer is incomplete"
	if answer.refused() {
		why = "the answer was refused"
	}
	b.refuseAll(NotRun, fmt.Sprintf("not run: %s (%s)", why, l.result.Reason))
	l.tellAll(b)
}

// request is the request of a round. Hooks get a copy of their own.
func (l *looping) request() *Request {
	req := l.req.copied()
	req.Messages = slices.Clip(l.messages)
	if l.cfg.Before != nil {
		req = req.Clone()
	}
	return req
}

// end ends a run with an answer whose calls, if it has any, are not run.
func (l *looping) end(answer *Answer) {
	l.ended = true
	l.result.Answer = answer
	l.result.Reason = whyEnded(answer)
	l.result.Messages = l.ending(answer)
}

// ending is what the run has added if it ends with the answer.
func (l *looping) ending(answer *Answer) []llm.Message {
	if l.result.Reason == CallsLeft {
		l.taken = nil // the calls of the answer take their ids here
		return append(slices.Clip(l.added), l.leave(answer)...)
	}
	if said, ok := finalMessage(answer); ok {
		return append(slices.Clip(l.added), said)
	}
	return l.added
}

// leave leaves the calls of an answer to the caller, with results for those that
// must not be run.
func (l *looping) leave(answer *Answer) []llm.Message {
	said := roundMessage(answer, l.ids())
	b := newBatch(answer, said)
	refused := llm.Message{Role: llm.ToolRole}
	for i := range b.calls {
		c := &b.calls[i]
		if d := answer.denial(c.from); d != nil {
			c.refuse(d.why, d.reason)
		} else if answer.Held(c.from) != nil {
			c.refuse(Denied, "not run: a person would have to be asked")
		}
		if c.settled {
			refused.Blocks = append(refused.Blocks, c.result)
		}
	}
	if len(refused.Blocks) == 0 {
		return []llm.Message{said}
	}
	return []llm.Message{said, refused}
}

// ids are the call ids in use.
func (l *looping) ids() *ids {
	if l.taken == nil {
		l.taken = &ids{}
		l.taken.note(l.messages)
		l.taken.note(l.turn.recalled) // by a memory inside
	}
	return l.taken
}

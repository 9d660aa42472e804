package agent

import (
	"context"
	"errors"
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// tools runs the calls of an answer and ends its round.
func (l *looping) tools(ctx context.Context, req *Request, answer *Answer) (over bool, err error) {
	said := roundMessage(answer, l.ids())
	batch := newBatch(answer, said)
	for i := range batch.calls {
		c := &batch.calls[i]
		if d := answer.denial(c.from); d != nil {
			c.refuse(d.why, d.reason)
		} else if ask := answer.Held(c.from); ask != nil && l.runnable(ctx, req, c) {
			c.wait(Pending{Held: true, Question: ask.question()})
		}
	}
	if limit := l.spent(); limit != nil {
		batch.refuseAll(OverLimit, "not run: "+limit.String())
		l.result.Limit = limit
		return l.close(ctx, req, answer, batch)
	}
	switch l.turn.when.Load() {
	case int32(Now):
		return true, ErrCancelled
	case int32(AfterModel):
		batch.refuseAll(NotRun, "not run: the run was cancelled")
		l.result = Result{Reason: Cancelled, Answer: answer, Messages: append(slices.Clip(l.added), said, batch.message())}
		l.tellAll(batch)
		return true, nil
	}
	return l.runAll(ctx, req, answer, batch)
}

// runAll runs the calls of a round and closes it, even if the consumer panics during
// an event.
func (l *looping) runAll(ctx context.Context, req *Request, answer *Answer, b *batch) (over bool, err error) {
	ran := false
	defer func() {
		if !ran {
			l.left = true
			_, _ = l.close(ctx, req, answer, b)
		}
	}()
	l.execute(ctx, req, b)
	ran = true
	return l.close(ctx, req, answer, b)
}

// spent says which limit prevents the calls of this round.
func (l *looping) spent() *LimitReached {
	limits := &l.cfg.Limits
	// Advisors inside may ask more often than the loop does.
	if limits.Rounds > 0 && max(l.asked, len(l.turn.rounds)) >= limits.Rounds {
		return &LimitReached{Reason: LimitRounds, Max: int64(limits.Rounds)}
	}
	all := l.turn.usage()
	if limits.Tokens > 0 && max(plus(l.usage.Input, l.usage.Output), plus(all.Input, all.Output)) >= limits.Tokens {
		return &LimitReached{Reason: LimitTokens, Max: limits.Tokens}
	}
	return nil
}

// close ends a round: every call has a result, and what was done is stored.
func (l *looping) close(ctx context.Context, req *Request, answer *Answer, b *batch) (over bool, err error) {
	if n := len(l.turn.rounds); n > 0 {
		l.turn.rounds[n-1].Ran += b.ran
	}
	l.result.Answer = answer
	if b.fatal == nil && !l.left && ctx.Err() == nil && b.waits() {
		l.interrupt(req, b)
		return true, nil
	}
	failed := b.fatal
	if failed == nil && ctx.Err() != nil {
		failed = context.Cause(ctx)
	}
	b.refuseRest()
	l.tellAll(b)
	unit := []llm.Message{b.said, b.message()}
	if failed != nil || l.left {
		if b.ran == 0 {
			return true, failed // nothing was done: as if nothing had been said
		}
	}
	l.added = append(l.added, unit...)
	l.turn.progress.Messages = l.added
	if err := l.turn.keep(ctx, unit); err != nil {
		l.turn.notKept = err
		failed = errors.Join(failed, err)
	} else {
		l.turn.progress.Kept = l.turn.countKept(len(l.added))
	}
	if failed != nil || l.left {
		return true, failed
	}
	return l.nextRound(ctx, req, b)
}

// tellAll emits the results of calls that were not run: calls and results are
// always paired.
func (l *looping) tellAll(b *batch) {
	for i := range b.calls {
		l.tell(&b.calls[i])
	}
}

// nextRound decides what follows a round.
func (l *looping) nextRound(ctx context.Context, req *Request, b *batch) (over bool, err error) {
	if l.result.Limit == nil && !l.cfg.Limits.TellModel {
		l.result.Limit = b.limit
	}
	switch {
	case l.result.Limit != nil:
		l.result.Reason = l.result.Limit.Reason
		return true, nil
	case b.direct():
		l.result.Reason = ReturnedDirectly
		for i := range b.calls {
			c := &b.calls[i]
			l.result.Direct = append(l.result.Direct, c.result)
			if l.left = !l.quiet && !l.yield(Event{Type: EventText, Round: len(l.turn.rounds), Block: -1, ID: c.call.ID, Name: c.call.Name, Text: c.output}, nil); l.left {
				break
			}
		}
		return true, nil
	case l.turn.when.Load() == int32(Now):
		return true, ErrCancelled
	case l.turn.when.Load() != 0:
		l.result.Reason = Cancelled
		return true, nil
	}
	next := []llm.Message{b.message()}
	if !l.cfg.NoHistory {
		// Slices of the messages that were handed out are clipped, so this is never
		// visible there.
		l.messages = append(l.messages, b.said, b.message())
		next = l.messages
	}
	if l.cfg.NextInstructions != nil {
		if next, err = l.cfg.NextInstructions(ctx, req, next); err != nil {
			return true, err
		}
		next = slices.Clip(next)
	}
	l.messages = next
	l.result = Result{}
	return false, nil
}

package policy

import (
	"context"
	"errors"
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// advance carries out the rulings on a choice's blocks, in order, as far as the
// dialect allows: each at its own verdict if no text can come between, else all
// of them when the message has ended.
func (e *Engine) advance(ctx context.Context, l *lane, out *stream.Output) error {
	if l.next == len(l.rulings) || !e.early && !l.finished {
		return nil
	}
	all := l.finished && l.decidedFrom(l.next)
	if all && e.together && !l.asked {
		e.askTogether(ctx, l)
		if e.aborting() != nil {
			return nil // it ends the answer, whatever the other verdicts are
		}
		all = l.decidedFrom(l.next)
	}
	all = all && l.deciding == 0
	if !e.early && !all {
		return nil
	}
	if all && e.denied(l) {
		return nil // the host decides how to continue
	}
	until := l.next
	for i := l.next; i < len(l.rulings); i++ {
		r := l.rulings[i]
		if r == nil || !r.held {
			continue
		}
		if !r.decided {
			break
		}
		// Whether the model or the client is told about a blocked call depends on
		// the other calls of its message.
		if all || r.verdict.Action != BlockFeedback {
			until = i + 1
		}
	}
	if all {
		until = len(l.rulings)
	}
	return e.carryOut(l, until, out)
}

// decidedFrom reports whether every held block from a position on is decided.
func (l *lane) decidedFrom(position int) bool {
	for _, r := range l.rulings[position:] {
		if r != nil && r.held && !r.decided {
			return false
		}
	}
	return true
}

// carryOut carries out the rulings up to a position.
func (e *Engine) carryOut(l *lane, until int, out *stream.Output) error {
	delivered := false
	for _, r := range l.rulings {
		delivered = delivered || r != nil && r.held && r.isCall() && (r.decided && r.verdict.Action.Passes())
	}
	var kept []Denial
	for ; l.next < until; l.next++ {
		r := l.rulings[l.next]
		if r == nil || !r.held {
			continue
		}
		if r.verdict.Action == BlockFeedback && !delivered {
			r.verdict.Action = BlockEndTurn // other calls end the turn anyway
		}
		if r.verdict.Action == BlockFeedback {
			kept = append(kept, denialOf(r))
		}
		if err := e.enact(r, out); err != nil {
			return e.abort(abortVerdict(err), out)
		}
		r.released = true
	}
	if len(kept) > 0 && e.opts.Keep != nil {
		e.opts.Keep(kept)
	}
	return nil
}

// enact tells the writer what to do with a block.
func (e *Engine) enact(r *ruling, out *stream.Output) error {
	if v := &r.verdict; v.Action.Passes() {
		_, two := r.block.Other()
		// Nobody knows how an answer that is resumed in the middle began.
		renamed := r.block.Renamed() || r.block.NamedLate() && !e.resumed
		if !r.changed && !two && !renamed && !r.block.Unclear() && !r.beganOtherwise() {
			return nil
		}
		err := out.Replace(r.block, r.final())
		if !errors.Is(err, stream.ErrNotWritable) {
			return err
		}
		if !r.changed && !r.block.Unclear() {
			return nil // both versions may pass, and the writer settles on one
		}
		r.verdict = Verdict{
			Action: BlockEndTurn, Policy: v.Policy, Cause: CauseError, Err: err,
			Reason: "the call had to be changed, and its type cannot be",
		}
	}
	if r.verdict.Action == BlockFeedback {
		return out.Replace(r.block)
	}
	text := llm.Block{Kind: llm.Content, Text: e.notice(r)}
	if r.block.Kind() != llm.Opaque || e.opts.Format == wire.OpenAIResponses {
		return out.Replace(r.block, text)
	}
	// The writer does not know a call in an unknown type as a call, and would
	// leave the text where the block was: after other calls, where none is
	// allowed.
	if err := out.Replace(r.block); err != nil {
		return err
	}
	err := out.Insert(r.block.Choice(), text)
	if errors.Is(err, stream.ErrTooLate) {
		return nil // it appears in the records
	}
	return err
}

// beganOtherwise reports whether the call of a built-in tool started with something
// that its final form does not contain: a client may keep it. Usually it starts with
// a part of the final form, or with nothing.
func (r *ruling) beganOtherwise() bool {
	if r.initial == "" || r.initial == r.block.Text() {
		return false
	}
	final := make(map[string]bool)
	for _, word := range wordsIn([]byte(r.block.Text())) {
		final[word] = true
	}
	return slices.ContainsFunc(wordsIn([]byte(r.initial)), func(word string) bool { return !final[word] })
}

// final is the block as it leaves after a change.
func (r *ruling) final() llm.Block {
	b := r.versions[0].Block
	b.Raw = nil
	if r.changed {
		b.Signature = "" // it was made for something else
	}
	return b
}

package policy

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// denialOf returns what the model is told about a blocked call.
func denialOf(r *ruling) Denial {
	return Denial{
		ID: r.block.ID(), Name: r.block.Name(), Type: r.block.Type(), Arguments: r.block.Arguments(),
		Policy: r.verdict.Policy, Reason: r.verdict.Reason, Attempt: r.verdict.Attempt,
		Text: "Sluice denied this tool call before it ran" + attempted(&r.verdict) + why(&r.verdict) +
			". Do not repeat it; choose another way or ask the user.",
	}
}

// denied reports whether every call of a message was denied with feedback to
// the model. The host then goes on with Resume or Refuse.
func (e *Engine) denied(l *lane) bool {
	if !e.opts.Feedback || e.choices > 1 || e.refused {
		return false
	}
	var denials []Denial
	for _, r := range l.rulings {
		if r == nil || !r.held || !r.isCall() {
			continue
		}
		if r.verdict.Action != BlockFeedback {
			return false
		}
		denials = append(denials, denialOf(r))
	}
	e.denials = denials
	return len(denials) > 0
}

// Denials returns the calls of a message if every one of them was denied, else
// nil. The host tells the model and passes on its new answer after Resume, or
// gives up with Refuse.
func (e *Engine) Denials() []Denial { return e.denials }

// Resume says that a new answer of the model follows, which continues the same
// client response. The host feeds it through a new Processor.
func (e *Engine) Resume(out *stream.Output) error {
	if err := e.leaveOut(out); err != nil {
		return err
	}
	// The texts of chunks that cannot leave as they are have been kept.
	for _, it := range e.lanes[0].line {
		for _, b := range it.ended {
			e.recordEnded(b, true)
		}
		it.ended = nil
	}
	if err := out.Continue(); err != nil {
		return e.abort(abortVerdict(err), out)
	}
	e.rounds++
	if e.exit.engine != nil {
		e.exit.learn()
	}
	e.denials, e.lanes, e.ambiguous = nil, nil, false
	e.questions, e.waiting, e.shadowing = nil, 0, 0
	e.queue = queue{}
	e.early = e.leavesEarly()
	return nil
}

// leaveOut sends what is queued of the first answer, without the denied calls
// and without its end.
func (e *Engine) leaveOut(out *stream.Output) error {
	l := e.lanes[0]
	for _, r := range l.rulings {
		if r == nil || !r.held || r.released {
			continue
		}
		err := e.enact(r, out)
		if err != nil {
			return e.abort(abortVerdict(err), out)
		}
		r.released = true
		e.record(r)
	}
	if e.opts.Whole {
		e.keepTexts(l)
		return nil
	}
	for len(l.line) > 0 {
		it := l.line[0]
		if it.ends() {
			return e.leaveTexts(l, out)
		}
		if !it.free() {
			return nil
		}
		e.remove(it)
		if err := e.send(it, out); err != nil {
			return err
		}
	}
	return nil
}

// keepTexts keeps the texts of the first answer, where it is a body: the next
// one begins with them.
func (e *Engine) keepTexts(l *lane) {
	for i, b := range l.blocks {
		text := b.Text()
		if r := l.ruling(i); r != nil && r.held {
			if !r.verdict.Action.Passes() {
				continue
			}
			text = r.versions[0].Block.Text
		} else if e.texts != nil {
			text, _ = e.texts.chain.Apply(text)
		}
		if b.Kind() == llm.Content && text != "" {
			e.lead += text + "\n\n"
		}
	}
}

// prependTexts puts the texts of earlier answers before the text of a body. It returns
// false if there is no text.
func (e *Engine) prependTexts(c *stream.Chunk) bool {
	for i := range c.Events {
		ev := &c.Events[i]
		if ev.Block < 0 || ev.Kind != llm.Content || ev.Field != stream.Body || len(ev.Data) == 0 {
			continue
		}
		if r := e.lane(ev.Choice).ruling(ev.Block); r != nil && r.held && (!r.verdict.Action.Passes() || r.changed) {
			return false // another text is there already
		}
		ev.Data = append([]byte(e.lead), ev.Data...)
		ev.Edited, c.Edited = true, true
		return true
	}
	return false
}

// ends reports whether a chunk contains the end of its answer.
func (it *item) ends() bool {
	for i := range it.events() {
		switch it.chunk.Events[i].Type {
		case stream.EventFinish, stream.EventDone:
			return true
		default:
		}
	}
	return false
}

// leaveTexts inserts the texts of chunks that cannot leave because they also
// contain the end of the answer.
func (e *Engine) leaveTexts(l *lane, out *stream.Output) error {
	var text []byte
	for _, it := range l.line {
		for i := range it.spans {
			it.spans[i].edit(it.chunk)
		}
		for i := range it.events() {
			ev := &it.chunk.Events[i]
			if ev.Kind != llm.Content || ev.Field != stream.Body {
				continue
			}
			r := l.ruling(ev.Block)
			switch {
			case r == nil || !r.held || !r.changed && r.verdict.Action.Passes():
				if ev.Type == stream.EventDelta {
					text = append(text, ev.Data...)
				}
			case ev.Type == stream.EventStart && r.verdict.Action.Passes():
				text = append(text, r.final().Text...)
			}
		}
	}
	if len(text) == 0 {
		return nil
	}
	return out.Insert(l.number, llm.Block{Kind: llm.Content, Text: string(text)})
}

// Refuse says that the model cannot be told: the denials end the turn.
func (e *Engine) Refuse(out *stream.Output) error {
	e.denials, e.refused = nil, true
	for _, l := range e.lanes {
		for _, r := range l.rulings {
			if r != nil && r.decided && !r.released && r.verdict.Action == BlockFeedback {
				r.verdict.Action = BlockEndTurn
			}
		}
		if err := e.carryOut(l, len(l.rulings), out); err != nil {
			return err
		}
	}
	return e.release(out)
}

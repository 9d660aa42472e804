package agent

import (
	"context"
	"iter"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// ask is the end of a chain: it asks the model and puts its answer together, once
// for all.
func ask(m model.Model) Next {
	return func(ctx context.Context, req *Request) iter.Seq2[Event, error] {
		return func(yield func(Event, error) bool) {
			a := answering{req: req, state: stream.NewState(stream.Limits{}), round: req.Round}
			if req.run != nil {
				a.round, a.mute = len(req.run.rounds)+1, req.run.mute
			}
			a.run(ctx, m, yield)
		}
	}
}

// answering is an answer while it arrives.
type answering struct {
	req   *Request
	state *stream.State
	round int
	// told is how much of each block's text was told in events.
	told []int
	few  [4]int
	mute bool
	one  [1]stream.Event
}

func (a *answering) run(ctx context.Context, m model.Model, yield func(Event, error) bool) {
	whole := false
	defer func() {
		if !whole {
			a.state.Cut()
			if cut := a.answer(); a.req.run != nil && len(cut.Blocks) > 0 {
				for i := range a.req.cuts { // nearest to the model first
					a.req.cuts[len(a.req.cuts)-1-i](cut)
				}
				a.req.run.last = cut
			}
		}
	}()
	a.told = a.few[:0]
	chunk := stream.Chunk{Events: a.one[:]}
	for ev, err := range m.Stream(ctx, a.req.forModel()) {
		if err == nil {
			a.one[0] = ev
			err = a.state.Apply(&chunk)
		}
		if err != nil {
			yield(Event{}, err)
			return
		}
		if a.mute {
			continue
		}
		if ev.Choice == 0 && !a.tell(&ev, yield) {
			return
		}
		for _, b := range a.state.Completed() {
			if b.Choice() == 0 && !a.complete(b, yield) {
				return
			}
		}
	}
	whole = true
	answer := a.answer()
	if t := a.req.run; t != nil {
		t.last = answer
		t.rounds = append(t.rounds, Round{Usage: answer.Usage, Finish: answer.Finish, Calls: len(answer.Calls())})
	}
	if !yield(Event{Type: EventRoundEnd, Round: a.round, Block: -1, Answer: answer}, nil) {
		return
	}
	yield(Event{Type: EventFinal, Round: a.round, Block: -1, Final: &Result{Reason: whyEnded(answer), Answer: answer}}, nil)
}

// tell tells what an event added. Texts of blocks only grow, so that what events
// hold of them costs nothing.
func (a *answering) tell(ev *stream.Event, yield func(Event, error) bool) bool {
	if ev.Type != stream.EventStart && (ev.Type != stream.EventDelta || ev.Field != stream.Body) {
		return true
	}
	blocks := a.state.Choice(0).Blocks()
	if ev.Block < 0 || ev.Block >= len(blocks) {
		return true
	}
	b := blocks[ev.Block]
	for len(a.told) < len(blocks) {
		a.told = append(a.told, 0)
	}
	if ev.Type == stream.EventStart {
		return b.Kind() != llm.ToolCall || yield(a.start(b), nil)
	}
	text := b.Text()
	if from := a.told[ev.Block]; from < len(text) {
		a.told[ev.Block] = len(text)
		return a.piece(b, text[from:], yield)
	}
	return true
}

// complete tells what no delta told, and that a call is whole.
func (a *answering) complete(b *stream.Block, yield func(Event, error) bool) bool {
	at := b.Position()
	for len(a.told) <= at {
		a.told = append(a.told, 0)
	}
	text := b.Text()
	if _, two := b.Other(); a.told[at] < len(text) && (a.told[at] == 0 || !two) {
		rest := text[a.told[at]:]
		a.told[at] = len(text)
		if !a.piece(b, rest, yield) {
			return false
		}
	}
	if b.Kind() != llm.ToolCall {
		return true
	}
	call := b.Value()
	return yield(Event{Type: EventToolEnd, Round: a.round, Block: at, ID: call.ID, Name: call.Name, Call: &call}, nil)
}

// start begins a call. Some types of calls are read in ways of their own.
func (a *answering) start(b *stream.Block) Event {
	ev := Event{Type: EventToolStart, Round: a.round, Block: b.Position(), ID: b.ID(), Name: b.Name()}
	if b.Type() != "" {
		ev.Call = &llm.Block{Kind: llm.ToolCall, ID: b.ID(), Name: b.Name(), Type: b.Type()}
	}
	return ev
}

func (a *answering) piece(b *stream.Block, text string, yield func(Event, error) bool) bool {
	ev := Event{Round: a.round, Block: b.Position(), Text: text}
	switch b.Kind() {
	case llm.Content:
		ev.Type = EventText
	case llm.Thinking:
		ev.Type = EventThinking
	case llm.Refusal:
		ev.Type = EventRefusal
	case llm.ToolCall:
		ev.Type, ev.ID, ev.Name = EventToolDelta, b.ID(), b.Name()
	default:
		return true
	}
	return yield(ev, nil)
}

// answer is what has arrived.
func (a *answering) answer() *Answer {
	choice := a.state.Choice(0)
	answer := &Answer{
		Round: a.round, ID: a.state.ID(), Model: a.state.Model(),
		Finish: choice.Finish(), Word: choice.FinishReason(),
	}
	if u, ok := a.state.Usage(); ok {
		answer.Usage = u
		answer.Usage.Raw = append([]byte(nil), u.Raw...)
	}
	blocks := choice.Blocks()
	answer.Blocks = make([]llm.Block, len(blocks))
	for i, b := range blocks {
		answer.Blocks[i] = b.Value()
	}
	return answer
}

// whyEnded says what the end of an answer means for a run that ends with it.
func whyEnded(a *Answer) Reason {
	switch a.Finish {
	case llm.FinishStop, llm.FinishToolCalls:
		if a.HasCalls() {
			return CallsLeft
		}
		return Done
	case llm.FinishLength:
		return Truncated
	case llm.FinishFiltered:
		return Filtered
	case llm.FinishNone, llm.FinishOther:
		if a.HasCalls() {
			return Unfinished
		}
		return Done
	default:
		return Unfinished
	}
}

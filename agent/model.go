package agent

import (
	"context"
	"iter"
	"slices"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// ask is the end of a chain: it asks the model and assembles its answer, once for
// everyone.
func ask(m model.Model) Next {
	return func(ctx context.Context, req *Request) Events {
		return func(yield func(Event, error) bool) {
			a := answering{req: req, yield: yield, round: req.Round}
			if req.run != nil {
				a.round, a.mute = len(req.run.rounds)+1, req.run.mute
			}
			if req.instead != nil {
				a.run(ctx, req.instead)
				return
			}
			a.run(ctx, m)
		}
	}
}

// answering is an answer while it arrives.
type answering struct {
	req   *Request
	yield func(Event, error) bool
	state *stream.State
	round int
	mute  bool
	// emitted is how much of each block's text was emitted in events.
	emitted []int
	few     [4]int
	one     [1]stream.Event
	// earlier and spent are the blocks and the cost from before the provider
	// paused.
	earlier []llm.Block
	spent   llm.Usage
}

// mostPauses is how often a provider may pause in one answer.
const mostPauses = 32

func (a *answering) run(ctx context.Context, m model.Model) {
	whole := false
	defer func() {
		if !whole {
			a.cut()
		}
	}()
	req := a.req.forModel()
	for pauses := 0; ; pauses++ {
		if !a.take(m.Stream(ctx, req)) {
			return
		}
		if a.state.Choice(0).Finish() != llm.FinishPaused || pauses == mostPauses || !a.pause(req) {
			break
		}
	}
	whole = true
	answer := a.answer()
	if t := a.req.run; t != nil {
		t.rounds = append(t.rounds, Round{Usage: answer.Usage, Finish: answer.Finish, Calls: len(answer.Calls())})
	}
	if !a.yield(Event{Type: EventRoundEnd, Round: a.round, Block: -1, Answer: answer}, nil) {
		return
	}
	a.yield(Event{Type: EventFinal, Round: a.round, Block: -1, Final: &Result{Reason: whyEnded(answer), Answer: answer}}, nil)
}

// take processes what the model says, and reports whether it reached its end.
func (a *answering) take(events iter.Seq2[stream.Event, error]) bool {
	a.state = stream.NewState(stream.Limits{})
	a.emitted = a.few[:0]
	chunk := stream.Chunk{Events: a.one[:]}
	for ev, err := range events {
		if err == nil {
			a.one[0] = ev
			err = a.state.Apply(&chunk)
		}
		if err != nil {
			a.yield(Event{}, err)
			return false
		}
		if a.mute {
			continue
		}
		if ev.Choice == 0 && !a.tell(&ev) {
			return false
		}
		for _, b := range a.state.Completed() {
			if b.Choice() == 0 && !a.complete(b) {
				return false
			}
		}
	}
	return true
}

// pause turns the request into one that sends a paused answer back, so that the
// provider continues it. It returns false if the model cannot do that.
func (a *answering) pause(req *llm.Request) bool {
	so := a.answer()
	if so.HasCalls() {
		return false
	}
	a.earlier, a.spent = so.Blocks, so.Usage
	req.Messages = slices.Clip(a.req.Messages)
	if said := roundMessage(so, &ids{}); !memory.IsEmpty(said) {
		req.Messages = append(req.Messages, said)
	}
	return true
}

// cut ends an answer that did not reach its end.
func (a *answering) cut() {
	if a.state == nil || a.req.run == nil {
		return
	}
	a.state.Cut()
	cut := a.answer()
	if len(cut.Blocks) == 0 {
		return
	}
	for _, look := range slices.Backward(a.req.cuts) { // nearest to the model first
		look(cut)
	}
	a.req.run.last = cut
}

// tell emits what an event added. Texts of blocks only grow, so events can share
// their memory.
func (a *answering) tell(ev *stream.Event) bool {
	if ev.Type != stream.EventStart && (ev.Type != stream.EventDelta || ev.Field != stream.Body) {
		return true
	}
	blocks := a.state.Choice(0).Blocks()
	if ev.Block < 0 || ev.Block >= len(blocks) {
		return true
	}
	b := blocks[ev.Block]
	for len(a.emitted) < len(blocks) {
		a.emitted = append(a.emitted, 0)
	}
	if ev.Type == stream.EventStart {
		return b.Kind() != llm.ToolCall || a.yield(a.start(b), nil)
	}
	text := b.Text()
	if from := a.emitted[ev.Block]; from < len(text) {
		a.emitted[ev.Block] = len(text)
		return a.piece(b, text[from:])
	}
	return true
}

// complete emits what no delta contained, and that a call is complete.
func (a *answering) complete(b *stream.Block) bool {
	at := b.Position()
	for len(a.emitted) <= at {
		a.emitted = append(a.emitted, 0)
	}
	text := b.Text()
	if _, two := b.Other(); a.emitted[at] < len(text) && (a.emitted[at] == 0 || !two) {
		rest := text[a.emitted[at]:]
		a.emitted[at] = len(text)
		if !a.piece(b, rest) {
			return false
		}
	}
	if b.Kind() != llm.ToolCall {
		return true
	}
	call := b.Value()
	return a.yield(Event{Type: EventToolEnd, Round: a.round, Block: a.number(b), ID: call.ID, Name: call.Name, Call: &call}, nil)
}

// number is the index of a block in the answer.
func (a *answering) number(b *stream.Block) int { return len(a.earlier) + b.Position() }

// start begins a call. Some types of calls need special handling.
func (a *answering) start(b *stream.Block) Event {
	ev := Event{Type: EventToolStart, Round: a.round, Block: a.number(b), ID: b.ID(), Name: b.Name()}
	if b.Type() != "" {
		ev.Call = &llm.Block{Kind: llm.ToolCall, ID: b.ID(), Name: b.Name(), Type: b.Type()}
	}
	return ev
}

func (a *answering) piece(b *stream.Block, text string) bool {
	ev := Event{Type: pieceOf(b.Kind()), Round: a.round, Block: a.number(b), Text: text}
	if b.Kind() == llm.ToolCall {
		ev.Type, ev.ID, ev.Name = EventToolDelta, b.ID(), b.Name()
	}
	return ev.Type == 0 || a.yield(ev, nil)
}

// answer is what has arrived.
func (a *answering) answer() *Answer {
	choice := a.state.Choice(0)
	answer := &Answer{
		Round: a.round, ID: a.state.ID(), Model: a.state.Model(),
		Finish: choice.Finish(), Word: choice.FinishReason(), Usage: a.spent,
	}
	if u, ok := a.state.Usage(); ok {
		addUsage(&answer.Usage, u)
		answer.Usage.Raw = slices.Clone(u.Raw)
	}
	blocks := choice.Blocks()
	linked := false
	answer.Blocks = make([]llm.Block, 0, len(a.earlier)+len(blocks))
	answer.Blocks = append(answer.Blocks, a.earlier...)
	for _, b := range blocks {
		answer.Blocks = append(answer.Blocks, b.Value())
		if v := &answer.Blocks[len(answer.Blocks)-1]; v.Kind == llm.Thinking && v.ID != "" {
			linked = true
		}
	}
	if linked {
		answer.came = slices.Clone(answer.Blocks)
	}
	return answer
}

// whyEnded maps the end of an answer to the reason of a run that ends with it.
func whyEnded(a *Answer) Reason {
	if a.refused() {
		return Filtered
	}
	switch a.Finish {
	case llm.FinishStop, llm.FinishToolCalls:
		if a.HasCalls() {
			return CallsLeft
		}
		return Done
	case llm.FinishLength:
		return Truncated
	case llm.FinishNone, llm.FinishOther:
		if a.HasCalls() {
			return Unfinished
		}
		return Done
	default:
		return Unfinished
	}
}

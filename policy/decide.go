package policy

import (
	"context"
	"sync"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Decide judges one whole block on its own, as if it were a message, and waits
// for every policy and person that must be asked. It is for hosts that see
// single calls: hooks, examples, tests.
func (s *Set) Decide(ctx context.Context, x *Exchange, b llm.Block, opts Options) Record {
	var last Record
	tell := opts.Record
	opts.Record = func(r *Record) {
		last = *r
		if tell != nil {
			tell(r)
		}
	}
	e := NewEngine(s, x, opts)
	e.assemble()
	if b.Kind == llm.ToolResult || b.Kind == Prompt {
		_, rec := e.judgeTexts(ctx, &b, []string{b.Text})
		rec.Message = -1
		e.tell(rec)
		return *rec
	}
	out := stream.NewOutput(nil, nil)
	st := stream.NewState(stream.Limits{})
	c := &stream.Chunk{Whole: true, Events: eventsOf(&b)}
	if err := st.Apply(c); err != nil {
		return Record{Verdict: abortVerdict(err), Kind: b.Kind, Name: b.Name}
	}
	err := e.OnChunk(ctx, c, st, out)
	for err == nil && e.Pending()+len(e.questions) > 0 {
		for _, a := range askAll(ctx, e.Questions()) {
			if err = e.Take(ctx, a, out); err != nil {
				break
			}
		}
	}
	if e.Denials() != nil {
		for _, r := range e.lanes[0].rulings {
			if r != nil && r.held && !r.released {
				r.released = true
				e.record(r)
			}
		}
	}
	e.Close()
	return last
}

// askAll asks all questions concurrently and waits for the answers.
func askAll(ctx context.Context, questions []*Question) []Answer {
	answers := make([]Answer, len(questions))
	var all sync.WaitGroup
	for i, q := range questions {
		all.Go(func() { answers[i] = q.Ask(ctx) })
	}
	all.Wait()
	return answers
}

// eventsOf represents a block as the events of a message.
func eventsOf(b *llm.Block) []stream.Event {
	about := stream.Event{Kind: b.Kind, Index: -1}
	start, delta, sign, end := about, about, about, about
	start.Type = stream.EventStart
	start.ID, start.Name, start.ProviderType, start.ToolUseID, start.Raw = b.ID, b.Name, b.Type, b.ToolUseID, b.Raw
	delta.Type, delta.Data = stream.EventDelta, []byte(said(b))
	sign.Type, sign.Field, sign.Data = stream.EventDelta, stream.Signature, []byte(b.Signature)
	end.Type, end.Offset = stream.EventEnd, len(delta.Data)
	if b.Status == llm.Incomplete {
		end.Status = llm.Incomplete
	}
	return []stream.Event{start, delta, sign, end, {Type: stream.EventFinish, Block: -1, Index: -1}, {Type: stream.EventDone, Block: -1, Index: -1}}
}

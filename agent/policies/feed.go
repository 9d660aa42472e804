package policies

import (
	"context"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// kindOf is the kind of block that an event belongs to, zero for none.
func kindOf(t agent.EventType) llm.Kind {
	switch t {
	case agent.EventText:
		return llm.Content
	case agent.EventThinking:
		return llm.Thinking
	case agent.EventRefusal:
		return llm.Refusal
	case agent.EventToolStart, agent.EventToolDelta, agent.EventToolEnd:
		return llm.ToolCall
	default:
		return 0
	}
}

// take processes an event.
func (h *judgedAnswer) take(ctx context.Context, ev agent.Event) error {
	if h.round == 0 {
		h.round = ev.Round
	}
	h.begin()
	kind := kindOf(ev.Type)
	if kind == 0 { // it keeps its place in the order
		h.events = append(h.events, stream.Event{Type: stream.EventMeta, Block: -1, Index: -1})
		return h.feed(ctx, ev)
	}
	b := h.open[place{ev.Block, kind}]
	if b == nil || b.ended {
		start := llm.Block{Kind: kind, ID: ev.ID, Name: ev.Name}
		if ev.Call != nil {
			start.ID, start.Name, start.Type = ev.Call.ID, ev.Call.Name, ev.Call.Type
		}
		b = h.start(place{ev.Block, kind}, &start)
	} else if kind == llm.ToolCall {
		h.rename(b, ev.ID, ev.Name)
	}
	if ev.Type == agent.EventToolEnd {
		h.endBlock(b, ev.Call)
	} else if ev.Type != agent.EventToolStart {
		h.delta(b, stream.Body, ev.Text)
	}
	return h.feed(ctx, ev)
}

// begin begins a chunk.
func (h *judgedAnswer) begin() { h.events, h.said = h.events[:0], h.said[:0] }

// start adds the start of a block to the chunk.
func (h *judgedAnswer) start(at place, as *llm.Block) *block {
	b := &block{place: at, position: len(h.blocks), names: []naming{{0, as.ID, as.Name}}}
	h.blocks = append(h.blocks, b)
	h.open[at] = b
	ev := h.event(b, stream.EventStart)
	ev.ID, ev.Name, ev.ProviderType, ev.ToolUseID, ev.Raw = as.ID, as.Name, as.Type, as.ToolUseID, as.Raw
	return b
}

// event adds an event of a block to the chunk.
func (h *judgedAnswer) event(b *block, t stream.EventType) *stream.Event {
	h.events = append(h.events, stream.Event{Type: t, Kind: b.kind, Block: b.position, Index: -1})
	return &h.events[len(h.events)-1]
}

// delta adds to a field of a block.
func (h *judgedAnswer) delta(b *block, field stream.Field, text string) {
	ev := h.event(b, stream.EventDelta)
	ev.Field, ev.Data = field, h.bytes(text)
}

// whole sends the final value of a field.
func (h *judgedAnswer) whole(b *block, field stream.Field, text string) {
	ev := h.event(b, stream.EventWhole)
	ev.Field, ev.Data = field, h.bytes(text)
}

// bytes is a text in the memory of the chunk.
func (h *judgedAnswer) bytes(text string) []byte {
	from := len(h.said)
	h.said = append(h.said, text...)
	return h.said[from:len(h.said):len(h.said)]
}

// rename sends the id and the name of a call that arrived late.
func (h *judgedAnswer) rename(b *block, id, name string) {
	have := h.state.Blocks()[b.position]
	if id == have.ID() && name == have.Name() {
		return
	}
	b.names = append(b.names, naming{h.chunk.Seq + 1, id, name})
	if id != have.ID() {
		h.whole(b, stream.ID, id)
	}
	if name != have.Name() {
		h.whole(b, stream.Name, name)
	}
}

// endBlock ends a block with its final value. If that differs from what was sent before,
// the engine judges both.
func (h *judgedAnswer) endBlock(b *block, as *llm.Block) {
	b.ended = true
	status := llm.Complete
	if as == nil {
		if b.kind == llm.ToolCall {
			status = llm.Incomplete
		}
	} else {
		h.finalWord(b, as)
		if as.Status == llm.Incomplete || as.Status == llm.Open && b.kind == llm.ToolCall {
			status = llm.Incomplete
		}
	}
	h.event(b, stream.EventEnd).Status = status
}

func (h *judgedAnswer) finalWord(b *block, as *llm.Block) {
	told := ""
	if blocks := h.state.Blocks(); b.position < len(blocks) {
		told = blocks[b.position].Text()
		if b.kind == llm.ToolCall {
			h.rename(b, as.ID, as.Name)
		}
	}
	text := as.Text
	if b.kind == llm.ToolCall || b.kind == llm.ServerTool {
		text = as.Arguments
	}
	if b.kind == llm.ToolCall {
		call := *as
		b.call = &call
	}
	if text != told {
		h.whole(b, stream.Body, text)
	}
	if as.Signature != "" {
		h.delta(b, stream.Signature, as.Signature)
	}
}

// feed passes the chunk to the engine.
func (h *judgedAnswer) feed(ctx context.Context, ev agent.Event) error {
	h.current = ev
	h.chunk = stream.Chunk{Seq: h.chunk.Seq + 1, Number: -1, Raw: h.said, Events: h.events}
	if err := h.state.Apply(&h.chunk); err != nil {
		return err
	}
	err := h.engine.OnChunk(ctx, &h.chunk, h.state, h.out)
	if h.left < h.chunk.Seq {
		switch ev.Type {
		case 0, agent.EventText, agent.EventThinking, agent.EventRefusal, agent.EventToolDelta:
		default:
			h.kept = append(h.kept, numbered{h.chunk.Seq, ev})
		}
	}
	h.current = agent.Event{}
	return err
}

// finish processes the end of an answer. Its final value is what will be stored and
// run, so all of it is judged: also what no event contained, or what events showed
// differently.
func (h *judgedAnswer) finish(ctx context.Context, answer *agent.Answer) error {
	end := stream.Event{Type: stream.EventFinish, Block: -1, Index: -1, Reason: llm.FinishStop}
	if answer != nil {
		end.Reason, end.Data = answer.Finish, []byte(answer.Word)
		for i := range answer.Blocks {
			if err := h.settle(ctx, i, &answer.Blocks[i]); err != nil {
				return err
			}
		}
	}
	for _, b := range h.blocks {
		if !b.ended {
			h.begin()
			h.endBlock(b, nil)
			if err := h.feed(ctx, agent.Event{}); err != nil {
				return err
			}
		}
	}
	h.begin()
	h.events = append(h.events, end)
	return h.feed(ctx, agent.Event{})
}

// settle processes the final value of a block.
func (h *judgedAnswer) settle(ctx context.Context, number int, as *llm.Block) error {
	at := place{number, as.Kind}
	b := h.open[at]
	if b != nil && b.ended && b.call != nil && same(*b.call, *as) {
		h.final = append(h.final, b)
		return nil
	}
	h.begin()
	if b == nil || b.ended {
		b = h.start(at, as)
		b.silent = true
	}
	h.endBlock(b, as)
	h.final = append(h.final, b)
	return h.feed(ctx, agent.Event{})
}

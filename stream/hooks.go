package stream

import "context"

// Hooks is a Handler made of callbacks, for users that need blocks and not chunks. Nil
// fields are skipped. A chunk is sent after all its callbacks have run without an
// error, unless Hold returns true.
type Hooks struct {
	// Start is called when a block has started.
	Start func(ctx context.Context, b *Block, out *Output) error
	// Delta is called when the text or arguments of a block have grown by
	// delta, which is valid during the call.
	Delta func(ctx context.Context, b *Block, delta []byte, out *Output) error
	// Hint is called when a block seems to have ended, without proof.
	Hint func(ctx context.Context, b *Block, out *Output) error
	// Complete is called once for every block, when its end is proven.
	Complete func(ctx context.Context, b *Block, out *Output) error
	// Finish is called when a choice has finished.
	Finish func(ctx context.Context, c *Choice, out *Output) error
	// Hold, if it returns true, prevents the chunk from being sent.
	Hold func(chunk *Chunk, state *State) bool
}

// OnChunk calls the hooks in the order of the chunk's events; Complete is called after
// the events that caused it.
func (h *Hooks) OnChunk(ctx context.Context, chunk *Chunk, state *State, out *Output) error {
	for i := range chunk.Events {
		if err := h.event(ctx, &chunk.Events[i], state, out); err != nil {
			return err
		}
		if out.terminated {
			return nil
		}
	}
	if h.Complete != nil {
		for _, b := range state.Completed() {
			if err := h.Complete(ctx, b, out); err != nil {
				return err
			}
			if out.terminated {
				return nil
			}
		}
	}
	if h.Finish != nil {
		for i := range chunk.Events {
			if ev := &chunk.Events[i]; ev.Type == EventFinish {
				if err := h.Finish(ctx, state.Choice(ev.Choice), out); err != nil {
					return err
				}
			}
		}
	}
	if out.terminated || h.Hold != nil && h.Hold(chunk, state) {
		return nil
	}
	return out.Send(chunk)
}

func (h *Hooks) event(ctx context.Context, ev *Event, state *State, out *Output) error {
	var call func(context.Context, *Block, *Output) error
	switch ev.Type {
	case EventStart:
		call = h.Start
	case EventHint:
		call = h.Hint
	case EventDelta:
		if h.Delta != nil && ev.Field == Body {
			return h.Delta(ctx, state.Choice(ev.Choice).Blocks()[ev.Block], ev.Data, out)
		}
		return nil
	default:
	}
	if call == nil {
		return nil
	}
	return call(ctx, state.Choice(ev.Choice).Blocks()[ev.Block], out)
}

var _ Handler = (*Hooks)(nil)

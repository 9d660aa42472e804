package model

import (
	"context"
	"iter"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Model is anything that answers requests.
type Model interface {
	// Stream returns the answer to a request as it arrives. Nothing happens
	// before the sequence is ranged over; each range asks anew.
	//
	// An event is valid until the next iteration: its slices are borrowed, and
	// whoever keeps them must copy them. The events of one sequence build a
	// stream.State when they are applied one by one; see Track.
	//
	// A sequence that ends without an error was a complete answer. Otherwise
	// its last pair is a zero event and the error, and what came before it is
	// all there is: a *stream.ProviderError if the provider said that it
	// failed (its EventError precedes), stream.ErrIncomplete if the answer was
	// cut, or whatever else the implementation documents.
	//
	// Leaving the loop early stops the answer and frees all that it uses. When
	// ctx is done the sequence ends with an error that matches the cause of it.
	//
	// The request must not be changed while the sequence is in use; the model
	// does not change it either. Implementations are safe for concurrent use;
	// one sequence is not.
	Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error]
}

// Func is a function that serves as a Model.
type Func func(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error]

// Stream calls f.
func (f Func) Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	return f(ctx, req)
}

// Collect asks m and waits for the whole answer: a call is a collected stream.
// The response is never nil and owns its data; with an error it holds what
// arrived before it, with the blocks that were cut marked as incomplete.
func Collect(ctx context.Context, m Model, req *llm.Request) (*llm.Response, error) {
	state := stream.NewState(stream.Limits{})
	var failed error
	for _, err := range Track(m.Stream(ctx, req), state) {
		if err != nil {
			failed = err
			break
		}
	}
	response := state.Response()
	return &response, failed
}

// Track returns the same sequence, with state fed before each event is seen. In
// the loop state.Completed holds the blocks whose end the event proved. State
// must be new; after the loop it says what arrived, with the blocks of an answer
// that failed or was left marked as incomplete. A state that refuses an event,
// because a limit is exceeded, ends the sequence with that error.
func Track(events iter.Seq2[stream.Event, error], state *stream.State) iter.Seq2[stream.Event, error] {
	return func(yield func(stream.Event, error) bool) {
		defer func() {
			if !state.Complete() {
				state.Cut()
			}
		}()
		chunk := stream.Chunk{Events: make([]stream.Event, 1)}
		for ev, err := range events {
			if err != nil {
				yield(stream.Event{}, err)
				return
			}
			chunk.Events[0] = ev
			if err := state.Apply(&chunk); err != nil {
				yield(stream.Event{}, err)
				return
			}
			if !yield(ev, nil) {
				return
			}
		}
	}
}

var _ Model = Func(nil)

package model

import (
	"context"
	"iter"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Model answers requests.
type Model interface {
	// Stream returns the answer to a request as it arrives. Nothing happens before the
	// sequence is ranged over; each range makes a new request.
	//
	// An event is valid until the next iteration: its slices are borrowed and must be
	// copied to be kept. The events of one sequence build a stream.State when they are
	// applied one by one; see Track.
	//
	// A sequence that ends without an error was a complete answer. Otherwise its last
	// pair is a zero event and the error, and what came before it is all there is: a
	// *stream.ProviderError if the provider reported a failure (its EventError
	// precedes), stream.ErrIncomplete if the answer was truncated, or whatever else the
	// implementation documents.
	//
	// Leaving the loop early stops the answer and frees its resources. When ctx is done
	// the sequence ends with an error that wraps its cause.
	//
	// The request must not be changed while the sequence is in use; the model does not
	// change it either. Implementations are safe for concurrent use; one sequence is
	// not.
	Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error]
}

// Func is a function that implements Model.
type Func func(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error]

// Stream calls f.
func (f Func) Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	return f(ctx, req)
}

// Collect calls m and waits for the whole answer. The response is never nil and owns
// its data; with an error it holds what arrived before it, with truncated blocks marked
// as incomplete.
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

// Track returns the same sequence and applies each event to state before it is yielded.
// In the loop state.Completed holds the blocks whose end the event proved. State must
// be new; after the loop it holds what arrived, with the open blocks of an answer that
// failed or was abandoned marked as incomplete. If state refuses an event because a
// limit is exceeded, the sequence ends with that error.
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

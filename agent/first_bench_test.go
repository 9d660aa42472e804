package agent_test

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// BenchmarkFirstPiece measures how long the first piece of the final answer takes from
// the model to the caller's loop, after a round that called a tool. In final-buffered
// it is the time of the rest of the answer, here 10 ms.
func BenchmarkFirstPiece(b *testing.B) {
	for _, mode := range []agent.StreamMode{agent.All, agent.FinalLive, agent.FinalBuffered} {
		b.Run(mode.String(), func(b *testing.B) {
			var said time.Time
			m := model.Func(func(_ context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
				return func(yield func(stream.Event, error) bool) {
					if len(req.Messages) == 1 {
						_ = yield(stream.Event{Type: stream.EventStart, Kind: llm.ToolCall, ID: "a", Name: "get"}, nil) &&
							yield(stream.Event{Type: stream.EventFinish, Reason: llm.FinishToolCalls}, nil) &&
							yield(stream.Event{Type: stream.EventDone}, nil)
						return
					}
					if !yield(stream.Event{Type: stream.EventStart, Kind: llm.Content}, nil) {
						return
					}
					said = time.Now()
					_ = yield(stream.Event{Type: stream.EventDelta, Kind: llm.Content, Data: []byte("It ")}, nil)
					time.Sleep(10 * time.Millisecond)
					_ = yield(stream.Event{Type: stream.EventFinish, Reason: llm.FinishStop}, nil) &&
						yield(stream.Event{Type: stream.EventDone}, nil)
				}
			})
			client, err := agent.New(agent.Config{Model: m, Tools: matrixTools(func() {}), Loop: agent.LoopConfig{Stream: mode}})
			if err != nil {
				b.Fatal(err)
			}
			var total time.Duration
			for b.Loop() {
				first := false
				for ev, err := range client.Run(b.Context(), &agent.Request{Text: "?"}).Events() {
					if err != nil {
						b.Fatal(err)
					}
					if ev.Type == agent.EventText && !first {
						first = true
						total += time.Since(said)
					}
				}
			}
			b.ReportMetric(float64(total.Microseconds())/float64(b.N), "µs-to-first")
		})
	}
}

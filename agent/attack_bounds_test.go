package agent_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
)

// drip is a model that sends a text letter by letter, and reports the memory in use at its end.
func drip(n int, inUse *uint64) model.Model {
	return model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
		return func(yield func(stream.Event, error) bool) {
			yield(stream.Event{Type: stream.EventStart, Kind: llm.Content, Index: -1}, nil)
			for range n {
				if !yield(stream.Event{Type: stream.EventDelta, Kind: llm.Content, Data: []byte("a")}, nil) {
					return
				}
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			*inUse = m.HeapAlloc
			_ = yield(stream.Event{Type: stream.EventEnd, Kind: llm.Content}, nil) &&
				yield(stream.Event{Type: stream.EventFinish, Reason: llm.FinishStop}, nil)
		}
	})
}

// What is held back of an answer costs about as much as its text, however small its pieces are.
func TestAttackWhatIsHeldBackCostsItsText(t *testing.T) {
	const n = 1 << 20
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var inUse uint64
	client, err := agent.New(agent.Config{Model: drip(n, &inUse)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eventsOf(client.Run(t.Context(), &agent.Request{Text: "go"})); err != nil {
		t.Fatal(err)
	}
	if held := int64(inUse) - int64(before.HeapAlloc); held > 16*n {
		t.Errorf("a text of %d bytes holds %d bytes", n, held)
	}
}

// Giving calls ids of their own costs in proportion to their number, whatever ids a model has chosen.
func TestAttackIDsThatCollideOnPurpose(t *testing.T) {
	cost := func(n int) float64 {
		round := make(scripted.Round, 2*n)
		for i := range n {
			round[i] = scripted.CallID(fmt.Sprintf("a_%d", n+i), "nothing", "{}")
			round[n+i] = scripted.CallID("a", "nothing", "{}")
		}
		return testing.AllocsPerRun(1, func() {
			r := newRig(t, agent.Config{}, round, scripted.Round{scripted.Text("done")})
			_ = r.ask("go")
		})
	}
	if one, two := cost(400), cost(800); two > 3*one {
		t.Errorf("%.0f allocations, and %.0f for twice as many calls", one, two)
	}
}

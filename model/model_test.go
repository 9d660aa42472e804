package model_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
)

// ask is a request that anybody can answer.
func ask() *llm.Request {
	return &llm.Request{Model: "m", Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "hi"}}}}}
}

func TestACallIsACollectedStream(t *testing.T) {
	m := scripted.New(scripted.Round{
		scripted.SignedThinking("hm", "S"), scripted.Text("Hello, 世界!"), scripted.Call("f", `{"a":1}`), scripted.Usage(3, 4),
	})
	res, err := model.Collect(t.Context(), m, ask())
	if err != nil {
		t.Fatal(err)
	}
	blocks := res.Choices[0].Blocks
	if len(blocks) != 3 || blocks[0].Text != "hm" || blocks[0].Signature != "S" || blocks[1].Text != "Hello, 世界!" ||
		blocks[2].Arguments != `{"a":1}` || blocks[2].Status != llm.Complete || res.Usage.Output != 4 || res.Choices[0].FinishReason != "tool_calls" {
		t.Errorf("%+v", res)
	}
}

func TestCollectKeepsWhatArrivedBeforeAnError(t *testing.T) {
	m := scripted.New(scripted.Round{scripted.Text("whole"), scripted.Call("f", `{"a":"bcdef"}`), scripted.Cut()})
	res, err := model.Collect(t.Context(), m, ask())
	if !errors.Is(err, stream.ErrIncomplete) {
		t.Fatal(err)
	}
	blocks := res.Choices[0].Blocks
	if len(blocks) != 2 || blocks[0].Status != llm.Complete || blocks[1].Status != llm.Incomplete {
		t.Errorf("%+v", blocks)
	}
}

func TestTrackShowsBlocksAsTheyComplete(t *testing.T) {
	m := scripted.New(scripted.Round{scripted.Text("a"), scripted.Call("f", "{}"), scripted.Call("g", "{}")})
	state := stream.NewState(stream.Limits{})
	var completed []string
	for _, err := range model.Track(m.Stream(t.Context(), ask()), state) {
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range state.Completed() {
			completed = append(completed, b.Kind().String()+b.Name())
		}
	}
	if len(completed) != 3 || completed[1] != "tool_callf" || completed[2] != "tool_callg" || !state.Complete() {
		t.Errorf("%v, complete %v", completed, state.Complete())
	}
}

func TestTrackCutsWhatIsLeft(t *testing.T) {
	m := scripted.New(scripted.Round{scripted.Text("a long text that needs several deltas")})
	state := stream.NewState(stream.Limits{})
	for ev := range model.Track(m.Stream(t.Context(), ask()), state) {
		if ev.Type == stream.EventDelta {
			break
		}
	}
	if b := state.Blocks(); len(b) != 1 || b[0].Status() != llm.Incomplete {
		t.Errorf("%+v", b)
	}
}

func TestTrackEndsWithTheErrorOfALimit(t *testing.T) {
	m := scripted.New(scripted.Round{scripted.Text("too long")})
	var last error
	for _, err := range model.Track(m.Stream(t.Context(), ask()), stream.NewState(stream.Limits{Bytes: 3})) {
		last = err
	}
	if limit := new(stream.LimitError); !errors.As(last, &limit) {
		t.Error(last)
	}
}

func TestAFunctionIsAModel(t *testing.T) {
	want := errors.New("no")
	m := model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
		return func(yield func(stream.Event, error) bool) { yield(stream.Event{}, want) }
	})
	res, err := model.Collect(t.Context(), m, ask())
	if !errors.Is(err, want) || res == nil || len(res.Choices) != 0 {
		t.Errorf("%v, %v", res, err)
	}
}

package scripted_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
)

func ask(text string) *llm.Request {
	return &llm.Request{Model: "m", Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}}}
}

func TestRoundsAnswerInTheirOrder(t *testing.T) {
	m := scripted.New(scripted.Round{scripted.Text("one")}, scripted.Round{scripted.Text("two")})
	for i, want := range []string{"one", "two"} {
		if left := m.Remaining(); left != 2-i {
			t.Errorf("%d rounds left", left)
		}
		res, err := model.Collect(t.Context(), m, ask(want))
		if err != nil || res.Choices[0].Blocks[0].Text != want || res.ID != fmt.Sprintf("scripted_%d", i+1) || res.Model != "m" {
			t.Errorf("%+v, %v", res, err)
		}
	}
	_, err := model.Collect(t.Context(), m, ask("three"))
	exhausted := new(scripted.ExhaustedError)
	if !errors.As(err, &exhausted) || exhausted.Asked != 3 || exhausted.Rounds != 2 {
		t.Error(err)
	}
	if seen := m.Requests(); len(seen) != 3 || seen[1].UserText() != "two" {
		t.Errorf("%+v", seen)
	}
}

func TestRoundsForMatchingRequestsComeFirstAndStay(t *testing.T) {
	about := func(word string) scripted.Step {
		return scripted.When(func(r *llm.Request) bool { return strings.Contains(r.UserText(), word) })
	}
	m := scripted.New(
		scripted.Round{scripted.Text("first")},
		scripted.Round{about("weather"), scripted.Text("sunny")},
		scripted.Round{scripted.Text("second")},
	)
	for _, c := range [][2]string{{"weather?", "sunny"}, {"a", "first"}, {"the weather", "sunny"}, {"b", "second"}, {"weather", "sunny"}} {
		res, err := model.Collect(t.Context(), m, ask(c[0]))
		if err != nil || res.Choices[0].Blocks[0].Text != c[1] {
			t.Errorf("%q: %+v, %v", c[0], res, err)
		}
	}
}

func TestRecordedRequestsDoNotChangeAfterwards(t *testing.T) {
	m := scripted.New(scripted.Round{})
	req := ask("before")
	if _, err := model.Collect(t.Context(), m, req); err != nil {
		t.Fatal(err)
	}
	req.Messages[0].Blocks[0].Text = "after"
	if got := m.Requests()[0].UserText(); got != "before" {
		t.Error(got)
	}
}

func TestDeltasHaveTheSizeThatWasAskedForAndCutNoCharacter(t *testing.T) {
	const text = "日本語 and ASCII 😀"
	for size := 1; size < 30; size++ {
		m := scripted.NewWithOptions(scripted.Options{ChunkSize: size, Model: "other"}, scripted.Round{scripted.Text(text), scripted.Call("f", `{"é":1}`)})
		var got string
		for ev, err := range m.Stream(t.Context(), ask("x")) {
			if err != nil {
				t.Fatal(err)
			}
			if ev.Type == stream.EventDelta && ev.Kind == llm.Content {
				if ev.Offset != len(got) || len(ev.Data) > max(size, 4) || !utf8.Valid(ev.Data) {
					t.Errorf("size %d: delta %q at %d", size, ev.Data, ev.Offset)
				}
				got += string(ev.Data)
			}
			if ev.Type == stream.EventMeta && ev.Name != "other" {
				t.Error(ev.Name)
			}
		}
		if got != text {
			t.Errorf("size %d: %q", size, got)
		}
	}
}

func TestFinishesAreWhatARealModelWouldSay(t *testing.T) {
	cases := []struct {
		round scripted.Round
		word  string
		want  llm.FinishReason
	}{
		{scripted.Round{}, "stop", llm.FinishStop},
		{scripted.Round{scripted.Text("x"), scripted.Call("f", "{}"), scripted.Call("g", "{}")}, "tool_calls", llm.FinishToolCalls},
		{scripted.Round{scripted.Text("x"), scripted.Finish(llm.FinishLength), scripted.Text("never said")}, "length", llm.FinishLength},
		{scripted.Round{scripted.Refusal("no"), scripted.Finish(llm.FinishFiltered)}, "content_filter", llm.FinishFiltered},
	}
	for _, c := range cases {
		state := stream.NewState(stream.Limits{})
		for _, err := range model.Track(scripted.New(c.round).Stream(t.Context(), ask("x")), state) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if state.FinishReason() != c.word && len(state.Choices()) > 0 || state.Choice(0).Finish() != c.want || !state.Complete() {
			t.Errorf("%q %v", state.FinishReason(), state.Choice(0).Finish())
		}
		for _, b := range state.Blocks() {
			if b.Status() != llm.Complete || b.Text() == "never said" {
				t.Errorf("%v %s", b.Status(), b.Text())
			}
		}
	}
}

func TestFaultsEndAnAnswerAsTheyWouldEndARealOne(t *testing.T) {
	reported := &stream.ProviderError{Type: "overloaded_error", Message: "x"}
	own := errors.New("own")
	cases := map[string]struct {
		round scripted.Round
		want  error
	}{
		"a provider's error":      {scripted.Round{scripted.Text("x"), scripted.Fail(reported)}, reported},
		"an error of one's own":   {scripted.Round{scripted.Fail(own)}, own},
		"an error that is none":   {scripted.Round{scripted.Fail(nil)}, stream.ErrIncomplete},
		"a cut":                   {scripted.Round{scripted.Text("whole or not"), scripted.Cut()}, stream.ErrIncomplete},
		"a cut before everything": {scripted.Round{scripted.Cut()}, stream.ErrIncomplete},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			state := stream.NewState(stream.Limits{})
			var last error
			for _, err := range model.Track(scripted.New(c.round).Stream(t.Context(), ask("x")), state) {
				last = err
			}
			if !errors.Is(last, c.want) || state.Complete() || (state.Err() != nil) != (c.want == reported) {
				t.Errorf("%v, state error %v", last, state.Err())
			}
		})
	}
	_, err := model.Collect(t.Context(), scripted.New(scripted.Round{scripted.Garbage()}), ask("x"))
	if bad := new(stream.ProtocolError); !errors.As(err, &bad) {
		t.Error(err)
	}
}

func TestPausesTakeTimeAndCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := scripted.New(scripted.Round{scripted.Pause(time.Hour), scripted.Text("x")}, scripted.Round{scripted.Text("a"), scripted.Pause(time.Hour)})
		start := time.Now()
		if _, err := model.Collect(t.Context(), m, ask("x")); err != nil || time.Since(start) != time.Hour {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := model.Collect(ctx, m, ask("x")); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
	var slept []time.Duration
	clock := func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil }
	m := scripted.NewWithOptions(scripted.Options{Sleep: clock}, scripted.Round{scripted.Pause(time.Hour)})
	if _, err := model.Collect(t.Context(), m, ask("x")); err != nil || !slices.Equal(slept, []time.Duration{time.Hour}) {
		t.Errorf("%v, %v", slept, err)
	}
}

func TestACancelledContextStopsTheAnswer(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	m := scripted.New(scripted.Round{scripted.Text(strings.Repeat("x", 1000)), scripted.Text("more")})
	var last error
	events := 0
	for ev, err := range m.Stream(ctx, ask("x")) {
		if ev.Type == stream.EventDelta {
			cancel(why)
		}
		events++
		last = err
	}
	if !errors.Is(last, why) || events > 5 {
		t.Errorf("%v after %d events", last, events)
	}
}

func TestTheIteratorCanBeLeftAtEveryPlace(t *testing.T) {
	round := scripted.Round{
		scripted.SignedThinking("hm", "S"), scripted.Text("x"), scripted.Call("f", "{}"), scripted.Usage(1, 1),
		scripted.Fail(&stream.ProviderError{Type: "x"}),
	}
	for stop := 1; ; stop++ {
		seen := 0
		for range scripted.New(round).Stream(t.Context(), ask("x")) {
			if seen++; seen == stop {
				break
			}
		}
		if seen < stop {
			break
		}
	}
}

func TestConcurrentRequestsGetARoundEach(t *testing.T) {
	const n = 50
	rounds := make([]scripted.Round, n)
	for i := range rounds {
		rounds[i] = scripted.Round{scripted.Text(fmt.Sprint(i)), scripted.Call("f", "{}")}
	}
	m := scripted.New(rounds...)
	var mu sync.Mutex
	seen := map[string]bool{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			res, err := model.Collect(t.Context(), m, ask("x"))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			seen[res.Choices[0].Blocks[0].Text] = true
			seen[res.Choices[0].Blocks[1].ID] = true
		})
	}
	wg.Wait()
	if len(seen) != 2*n || len(m.Requests()) != n {
		t.Errorf("%d answers", len(seen))
	}
}

func TestACallerCanGiveUpAtEveryEvent(t *testing.T) {
	why := errors.New("enough")
	round := scripted.Round{
		scripted.When(func(*llm.Request) bool { return true }), scripted.SignedThinking("hm", "S"),
		scripted.Text(strings.Repeat("x", 40)), scripted.Call("f", "{}"), scripted.Usage(1, 1),
	}
	m := scripted.New(round)
	for stop, done := 1, false; !done; stop++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		seen := 0
		var last error
		for ev, err := range m.Stream(ctx, ask("x")) {
			if seen++; seen == stop {
				cancel(why)
			}
			done = done || ev.Type == stream.EventDone
			last = err
		}
		cancel(nil)
		if done && (last != nil || seen != stop) || !done && (!errors.Is(last, why) || seen != stop+1) {
			t.Fatalf("stopped at %d: saw %d, %v", stop, seen, last)
		}
	}
}

func TestACallerWhoHasGoneTakesNoRound(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	m := scripted.New(scripted.Round{})
	if _, err := model.Collect(ctx, m, ask("x")); !errors.Is(err, why) || m.Remaining() != 1 || len(m.Requests()) != 0 {
		t.Errorf("%v, %d rounds left", err, m.Remaining())
	}
}

func TestAnAnswerCanStallInTheMiddleOfABlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := scripted.New(scripted.Round{scripted.Text("whole or not"), scripted.Pause(time.Hour), scripted.Cut()})
		start := time.Now()
		res, err := model.Collect(t.Context(), m, ask("x"))
		if !errors.Is(err, stream.ErrIncomplete) || time.Since(start) != time.Hour {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		if b := res.Choices[0].Blocks[0]; b.Status != llm.Incomplete || b.Text != "whole " {
			t.Errorf("%+v", b)
		}
	})
}

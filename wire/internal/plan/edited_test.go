package plan_test

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

func edited(ev *stream.Event) *stream.Event {
	ev.Edited = true
	return ev
}

func TestOnlyBodiesOfTextsAreEditable(t *testing.T) {
	for _, tc := range []struct {
		name string
		ev   *stream.Event
		want bool
	}{
		{"a delta of content", edited(event(stream.EventDelta, llm.Content, 0, "a")), true},
		{"the whole of a refusal", edited(event(stream.EventWhole, llm.Refusal, 0, "a")), true},
		{"what a text starts with", edited(event(stream.EventStart, llm.Content, 0, "a")), true},
		{"what is not edited", event(stream.EventDelta, llm.ToolCall, 0, "a"), true},
		{"a call", edited(event(stream.EventDelta, llm.ToolCall, 0, "a")), false},
		{"thinking", edited(event(stream.EventDelta, llm.Thinking, 0, "a")), false},
		{"a signature", edited(signature(llm.Content)), false},
		{"an end", edited(event(stream.EventEnd, llm.Content, 0, "")), false},
		{"an event of no block", edited(&stream.Event{Type: stream.EventDelta, Kind: llm.Content, Block: -1}), false},
	} {
		c := &stream.Chunk{Edited: true, Events: []stream.Event{*event(stream.EventStart, llm.Content, 0, ""), *tc.ev}}
		if got := plan.Editable(c); got != tc.want {
			t.Errorf("%s: got %v", tc.name, got)
		}
	}
}

func TestEditedDeltasAreTrackedInTheTextAsItIsWritten(t *testing.T) {
	var p plan.Plan
	p.Observe(&stream.Chunk{Seq: 0})
	p.Track(event(stream.EventStart, llm.Content, 0, ""))
	if p.Edited {
		t.Error("nothing was edited yet")
	}
	p.Observe(&stream.Chunk{Seq: 1, Edited: true})
	for _, step := range []struct {
		ev   *stream.Event
		want plan.Step
		sent int
	}{
		{edited(event(stream.EventDelta, llm.Content, 0, "long")), plan.Pass, 4},
		{edited(event(stream.EventDelta, llm.Content, 4, "")), plan.Skip, 4},
		{event(stream.EventDelta, llm.Content, 4, "b"), plan.Pass, 5},
	} {
		e, got := p.Track(step.ev)
		if got != step.want || e.Offset != step.sent || !e.Edited {
			t.Errorf("got %d, %+v, want %d", got, e, step.want)
		}
	}
	if !p.Edited || p.Choice(0).Changed {
		t.Errorf("got %+v", p)
	}
	if _, step := p.Track(&stream.Event{Type: stream.EventDelta, Kind: llm.Content, Block: 1, Edited: true}); step != plan.Skip || p.Choice(0).Blocks != 1 {
		t.Error("a text of which nothing is left was begun")
	}
}

func TestAmendMovesEventsWithTheirValues(t *testing.T) {
	// Values are the digits; each event stands at one, and one at all of it.
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		raw, want := []byte("["), []byte("[")
		var changes []plan.Change
		c := &stream.Chunk{Edited: true}
		var values []string
		for i := range 1 + r.IntN(8) {
			value := strconv.Itoa(r.IntN(1000))
			at := llm.Span{Start: len(raw), End: len(raw) + len(value)}
			raw = append(append(raw, value...), ',')
			if r.IntN(2) == 0 {
				value = string(make([]byte, r.IntN(6))) + strconv.Itoa(i)
				changes = append(changes, plan.Change{At: at, Value: []byte(value)})
			}
			want = append(append(want, value...), ',')
			values = append(values, value)
			c.Events = append(c.Events, stream.Event{Span: at})
		}
		c.Raw = raw
		c.Events = append(c.Events, stream.Event{Span: llm.Span{End: len(raw)}}, stream.Event{})
		r.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
		d, ok := plan.Amend(c, changes)
		if !ok || !bytes.Equal(d.Raw, want) || !bytes.Equal(c.Raw, raw) {
			t.Fatalf("seed %d: got %q, want %q", seed, d.Raw, want)
		}
		for i, value := range values {
			if got := string(d.Events[i].Span.In(d.Raw)); got != value {
				t.Fatalf("seed %d: event %d is at %q, want %q", seed, i, got, value)
			}
		}
		if got := d.Events[len(values)].Span; got.Len() != len(d.Raw) || !d.Events[len(values)+1].Span.IsZero() {
			t.Fatalf("seed %d: got %+v", seed, d.Events)
		}
	}
}

func TestAmendRefusesWhatIsNotOfThePayload(t *testing.T) {
	c := &stream.Chunk{Raw: []byte(`"abc"`)}
	for _, spans := range [][]llm.Span{
		{{Start: 0, End: 6}}, {{Start: 2, End: 2}}, {{Start: -1, End: 2}}, {{Start: 0, End: 3}, {Start: 2, End: 5}}, {{Start: 0, End: 5}, {Start: 0, End: 5}},
	} {
		var changes []plan.Change
		for _, span := range spans {
			changes = append(changes, plan.Text(span, []byte("x")))
		}
		if d, ok := plan.Amend(c, changes); ok {
			t.Errorf("%v: got %s", spans, d.Raw)
		}
	}
	if d, ok := plan.Amend(c, nil); !ok || d != c {
		t.Error("no changes make no other chunk")
	}
}

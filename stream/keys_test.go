package stream_test

import (
	"strconv"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Whatever a provider does with ids and indices, no two blocks of an answer have the
// same key, and a block never changes its own.
func TestKeysAreUniqueAndStable(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	began := make(map[string]*stream.Block)
	for choice := range 3 {
		for position := range 12 {
			ev := start(position, llm.ToolCall, "f")
			ev.Choice, ev.ID, ev.Index = choice, "same", 0
			apply(t, s, ev)
			b := s.Choice(choice).Blocks()[position]
			if other := began[b.Key()]; other != nil {
				t.Fatalf("two blocks have the key %q", b.Key())
			}
			began[b.Key()] = b
			if want := strconv.Itoa(choice) + ":" + strconv.Itoa(position); b.Key() != want {
				t.Errorf("the key is %q, want %q", b.Key(), want)
			}
		}
	}
	late := stream.Event{Type: stream.EventWhole, Field: stream.ID, Data: []byte("other")}
	apply(t, s, late, delta(0, "{}"))
	for choice := range 3 {
		ev := finish("tool_calls", llm.FinishToolCalls)
		ev.Choice = choice
		apply(t, s, ev)
	}
	for key, b := range began {
		if b.Key() != key {
			t.Errorf("the key of a block was %q and is %q", key, b.Key())
		}
	}
}

func TestAKeyIsMadeOnce(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	apply(t, s, start(0, llm.Content, ""))
	b := s.Blocks()[0]
	b.Key()
	if n := testing.AllocsPerRun(100, func() { b.Key() }); n != 0 {
		t.Errorf("asking again allocates %v times", n)
	}
}

func TestABlockOfANewAnswerHasItsOwnKey(t *testing.T) {
	p := stream.NewProcessor(nil, stream.Limits{}, nil, nil)
	fill := func() string {
		ev := start(0, llm.Content, "")
		ev.Choice = len(p.State().ID()) // another one for each answer
		apply(t, p.State(), ev)
		return p.State().Blocks()[0].Key()
	}
	first := fill()
	p.Reset(nil, stream.Limits{}, nil, nil)
	apply(t, p.State(), stream.Event{Type: stream.EventMeta, ID: "x"})
	if second := fill(); first != "0:0" || second != "1:0" {
		t.Errorf("the keys are %q and %q", first, second)
	}
}

// Index is what the provider said, and nothing that is counted here.
func TestIndexIsTheProvidersNumber(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	for position, index := range []int{0, 0, 7, 3, -1} {
		ev := start(position, llm.ToolCall, "f")
		ev.Index = index
		apply(t, s, ev)
		if b := s.Blocks()[position]; b.Index() != index || b.Position() != position {
			t.Errorf("the block at %d with the index %d has the position %d and the index %d", position, index, b.Position(), b.Index())
		}
	}
}

func TestEndedIsEveryStatusButOpen(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	apply(t, s, start(0, llm.Content, ""), start(1, llm.ToolCall, "f"), start(2, llm.ToolCall, "g"),
		delta(1, "{"), stream.Event{Type: stream.EventHint, Block: 1})
	for _, b := range s.Blocks() {
		if b.Ended() {
			t.Errorf("%s has ended, and is %s", b.Key(), b.Status())
		}
	}
	apply(t, s, end(0), end(1))
	s.Cut()
	for i, want := range []llm.Status{llm.Complete, llm.Malformed, llm.Incomplete} {
		if b := s.Blocks()[i]; !b.Ended() || b.Status() != want {
			t.Errorf("%s: ended %v, %s", b.Key(), b.Ended(), b.Status())
		}
	}
}

func TestTextAndCallsAreThoseOfTheFirstChoice(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	same := func(text string, calls ...string) {
		t.Helper()
		r := s.Response()
		if s.Text() != text || r.Text() != text {
			t.Errorf("the text is %q and %q, want %q", s.Text(), r.Text(), text)
		}
		if len(s.Calls()) != len(calls) || len(r.Calls()) != len(calls) {
			t.Fatalf("there are %d and %d calls, want %v", len(s.Calls()), len(r.Calls()), calls)
		}
		for i, name := range calls {
			if s.Calls()[i].Name() != name || r.Calls()[i].Name != name {
				t.Errorf("call %d is %s and %s, want %s", i, s.Calls()[i].Name(), r.Calls()[i].Name, name)
			}
		}
	}
	same("")
	apply(t, s, start(0, llm.Thinking, ""), delta(0, "hm"), start(1, llm.Content, ""), delta(1, "one"))
	same("one")
	if n := testing.AllocsPerRun(100, func() { _ = s.Text() }); n != 0 {
		t.Errorf("the text of one block costs %v allocations", n)
	}
	apply(t, s, start(2, llm.ToolCall, "a"), start(3, llm.Content, ""), delta(3, " two"),
		start(4, llm.Content, ""), start(5, llm.Content, ""), delta(5, " three"),
		start(6, llm.Refusal, ""), delta(6, "no"), start(7, llm.ServerTool, "web"), start(8, llm.ToolCall, "b"))
	other := start(0, llm.Content, "")
	other.Choice = 1
	more := delta(0, "of another choice")
	more.Choice = 1
	apply(t, s, other, more)
	same("one two three", "a", "b")
	if s.Choice(1).Text() != "of another choice" || len(s.Choice(1).Calls()) != 0 {
		t.Errorf("the other choice says %q", s.Choice(1).Text())
	}
}

package stream_test

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

func start(block int, kind llm.Kind, name string) stream.Event {
	return stream.Event{Type: stream.EventStart, Kind: kind, Block: block, Name: name, Index: -1, ProviderType: "t"}
}

func delta(block int, text string) stream.Event {
	return stream.Event{Type: stream.EventDelta, Block: block, Data: []byte(text)}
}

func end(block int) stream.Event { return stream.Event{Type: stream.EventEnd, Block: block} }

func finish(word string, reason llm.FinishReason) stream.Event {
	return stream.Event{Type: stream.EventFinish, Data: []byte(word), Reason: reason}
}

func apply(t *testing.T, s *stream.State, events ...stream.Event) {
	t.Helper()
	if err := s.Apply(&stream.Chunk{Events: events}); err != nil {
		t.Fatal(err)
	}
}

func names(blocks []*stream.Block) string {
	var all []string
	for _, b := range blocks {
		all = append(all, b.Name())
	}
	return strings.Join(all, " ")
}

func TestOneChunkCanCompleteSeveralBlocksInOrder(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	apply(t, s, start(0, llm.Content, "text"), delta(0, "hi"), end(0),
		start(1, llm.ToolCall, "a"), delta(1, `{}`), start(2, llm.ToolCall, "b"), delta(2, `{"x":1}`),
		finish("tool_calls", llm.FinishToolCalls))
	if got := names(s.Completed()); got != "text a b" {
		t.Errorf("completed %q, want the text and both calls in order", got)
	}
	if s.Current() != nil {
		t.Error("a block is current after the finish")
	}
	apply(t, s)
	if len(s.Completed()) != 0 {
		t.Error("completed blocks are reported again with the next chunk")
	}
	if s.FinishReason() != "tool_calls" || !s.Finished() {
		t.Error("the finish is lost")
	}
}

func TestInterleavedDeltasGoToTheirOwnBlock(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	apply(t, s, start(0, llm.ToolCall, "a"), start(1, llm.ToolCall, "b"))
	apply(t, s, delta(0, `{"x"`), delta(1, `{"y"`))
	apply(t, s, delta(0, `:1}`), delta(1, `:2}`))
	apply(t, s, finish("tool_calls", llm.FinishToolCalls))
	if a, b := s.Blocks()[0].Arguments(), s.Blocks()[1].Arguments(); a != `{"x":1}` || b != `{"y":2}` {
		t.Errorf("arguments %s and %s", a, b)
	}
}

func TestLateDeltaTakesTheHintBack(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	apply(t, s, start(0, llm.ToolCall, "a"), delta(0, "{"), stream.Event{Type: stream.EventHint, Block: 0})
	if !s.Blocks()[0].Hinted() || len(s.Hinted()) != 1 || len(s.Completed()) != 0 {
		t.Fatal("the hint is not seen as one")
	}
	apply(t, s, delta(0, "}"))
	if s.Blocks()[0].Hinted() {
		t.Error("the hint stands although more came")
	}
	apply(t, s, finish("stop", llm.FinishStop))
	if s.Blocks()[0].Status() != llm.Complete {
		t.Error("the finish is no proof")
	}
}

func TestStatusOfACallSaysWhetherItCanBeTrusted(t *testing.T) {
	cases := []struct {
		name      string
		tool      string
		typ       string
		arguments string
		finish    llm.FinishReason
		want      llm.Status
	}{
		{"object", "f", "function", `{"a":1}`, llm.FinishToolCalls, llm.Complete},
		{"nothing means an empty object", "f", "function", ``, llm.FinishToolCalls, llm.Complete},
		{"not json", "f", "function", `{"a":`, llm.FinishToolCalls, llm.Malformed},
		{"json but no object", "f", "function", `[1]`, llm.FinishToolCalls, llm.Malformed},
		{"duplicate keys are the parsed view's business", "f", "function", `{"a":1,"a":2}`, llm.FinishToolCalls, llm.Complete},
		{"cut by a limit", "f", "function", `{"a":`, llm.FinishLength, llm.Incomplete},
		{"whole although a limit followed", "f", "function", `{"a":1}`, llm.FinishLength, llm.Complete},
		{"free-form text", "f", "custom", `not json`, llm.FinishToolCalls, llm.Complete},
		{"free-form text cut by a limit", "f", "custom", `not json`, llm.FinishLength, llm.Incomplete},
		{"no name", "", "function", `{}`, llm.FinishToolCalls, llm.Malformed},
		{"built-in tools have no name", "", "local_shell_call", `{}`, llm.FinishToolCalls, llm.Complete},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := stream.NewState(stream.Limits{})
			ev := start(0, llm.ToolCall, c.tool)
			ev.ProviderType = c.typ
			apply(t, s, ev)
			if c.arguments != "" {
				apply(t, s, delta(0, c.arguments))
			}
			apply(t, s, finish("word", c.finish))
			if got := s.Blocks()[0].Status(); got != c.want {
				t.Errorf("status %s, want %s", got, c.want)
			}
			if got := s.Blocks()[0].Arguments(); got != c.arguments {
				t.Errorf("arguments %q were repaired to %q", c.arguments, got)
			}
		})
	}
}

func TestStartValueCountsOnlyIfNothingFollows(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	first, second := start(0, llm.ToolCall, "a"), start(1, llm.ToolCall, "b")
	first.Data, second.Data = []byte(`{"whole":1}`), []byte(`{}`)
	apply(t, s, first, second, delta(1, `{"y":2}`), finish("tool_use", llm.FinishToolCalls))
	if got := s.Blocks()[0].Arguments(); got != `{"whole":1}` {
		t.Errorf("arguments %s, want the start value", got)
	}
	if got := s.Blocks()[1].Arguments(); got != `{"y":2}` {
		t.Errorf("arguments %s, want the deltas alone", got)
	}
}

func TestFinalWordIsAuthoritativeAndTheOtherIsKept(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	whole := stream.Event{Type: stream.EventWhole, Block: 0, Data: []byte("hello world")}
	apply(t, s, start(0, llm.Content, ""), delta(0, "hello"), whole, end(0))
	b := s.Blocks()[0]
	if other, told := b.Other(); b.Text() != "hello world" || other != "hello" || !told {
		t.Errorf("text %q, other %q", b.Text(), other)
	}
	whole.Data = []byte("changed later")
	apply(t, s, whole)
	if other, told := b.Other(); b.Text() != "hello world" || other != "changed later" || !told {
		t.Errorf("after the end: text %q, other %q", b.Text(), other)
	}
}

func TestSurrogatePairSplitOverTwoDeltasIsJoined(t *testing.T) {
	high, low := "\xed\xa0\xbd", "\xed\xb8\x80"
	s := stream.NewState(stream.Limits{})
	apply(t, s, start(0, llm.Content, ""), delta(0, "a"+high))
	if got := s.Blocks()[0].Text(); got != "a" {
		t.Errorf("half a character is shown: %q", got)
	}
	apply(t, s, delta(0, low+"b"), delta(0, high), delta(0, "c"), delta(0, high), end(0))
	if got, want := s.Blocks()[0].Text(), "a😀b"+high+"c"+high; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

func TestProviderErrorInterruptsWhatIsOpen(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	raw := []byte(`{"type":"overloaded_error"}`)
	apply(t, s, start(0, llm.ToolCall, "a"), delta(0, "{}"),
		stream.Event{Type: stream.EventError, Err: &stream.ProviderError{Type: "overloaded_error", Message: "busy", Raw: raw}})
	copy(raw, "xxxx")
	if s.Blocks()[0].Status() != llm.Incomplete || len(s.Completed()) != 0 || s.Complete() {
		t.Error("a call that an error cut counts as complete")
	}
	if s.Err().Error() != "stream: the provider reported overloaded_error: busy" || s.Err().Raw[0] != '{' {
		t.Errorf("error %v with %s", s.Err(), s.Err().Raw)
	}
}

func TestCutMakesOpenBlocksIncomplete(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	apply(t, s, start(0, llm.Content, ""), end(0), start(1, llm.ToolCall, "a"), delta(1, "{}"))
	s.Cut()
	if s.Blocks()[0].Status() != llm.Complete || s.Blocks()[1].Status() != llm.Incomplete {
		t.Errorf("statuses %s and %s", s.Blocks()[0].Status(), s.Blocks()[1].Status())
	}
	if !errors.Is(stream.ErrIncomplete, io.ErrUnexpectedEOF) {
		t.Error("ErrIncomplete does not wrap io.ErrUnexpectedEOF")
	}
}

func TestLimitsHoldAtTheLimit(t *testing.T) {
	limit := stream.Limits{Blocks: 2, Choices: 2, Bytes: 8}
	expect := func(t *testing.T, err error, what string) {
		t.Helper()
		var le *stream.LimitError
		if what == "" && err != nil || what != "" && (!errors.As(err, &le) || le.What != what) {
			t.Errorf("error %v, want one about %q", err, what)
		}
	}
	t.Run("blocks", func(t *testing.T) {
		s := stream.NewState(limit)
		expect(t, s.Apply(&stream.Chunk{Events: []stream.Event{start(0, llm.Content, ""), start(1, llm.Content, "")}}), "")
		expect(t, s.Apply(&stream.Chunk{Events: []stream.Event{start(2, llm.Content, "")}}), "blocks")
	})
	t.Run("choices", func(t *testing.T) {
		s := stream.NewState(limit)
		one, two, three := finish("stop", 1), finish("stop", 1), finish("stop", 1)
		two.Choice, three.Choice = math.MaxInt, -7
		expect(t, s.Apply(&stream.Chunk{Events: []stream.Event{one, two}}), "")
		expect(t, s.Apply(&stream.Chunk{Events: []stream.Event{three}}), "choices")
	})
	t.Run("bytes", func(t *testing.T) {
		s := stream.NewState(limit)
		expect(t, s.Apply(&stream.Chunk{Events: []stream.Event{start(0, llm.Content, ""), delta(0, "12345678")}}), "")
		expect(t, s.Apply(&stream.Chunk{Events: []stream.Event{delta(0, "9")}}), "bytes of text and arguments")
	})
}

func TestEventsThatFitNoBlockAreProtocolErrors(t *testing.T) {
	for name, events := range map[string][]stream.Event{
		"delta for no block":       {delta(0, "x")},
		"negative block":           {delta(-1, "x")},
		"block out of order":       {start(1, llm.Content, "")},
		"delta after the end":      {start(0, llm.Content, ""), end(0), delta(0, "x")},
		"end twice":                {start(0, llm.Content, ""), end(0), end(0)},
		"delta for another choice": {start(0, llm.Content, ""), {Type: stream.EventDelta, Choice: 1, Data: []byte("x")}},
	} {
		var pe *stream.ProtocolError
		if err := stream.NewState(stream.Limits{}).Apply(&stream.Chunk{Events: events}); !errors.As(err, &pe) {
			t.Errorf("%s: error %v, want a ProtocolError", name, err)
		}
	}
}

func TestSteadyDeltaAllocatesNothing(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	apply(t, s, start(0, llm.Content, ""), delta(0, strings.Repeat("x", 1<<20)))
	c := &stream.Chunk{Events: []stream.Event{delta(0, "hello")}}
	if n := testing.AllocsPerRun(1000, func() {
		if err := s.Apply(c); err != nil {
			t.Fatal(err)
		}
		_ = s.Blocks()[0].Text()
		_ = s.Current()
	}); n != 0 {
		t.Errorf("%v allocations per delta", n)
	}
}

func TestCloneSharesNoMemory(t *testing.T) {
	raw, data, usage := []byte("raw"), []byte("data"), []byte("usage")
	c := &stream.Chunk{Raw: raw, Events: []stream.Event{
		{Type: stream.EventDelta, Data: data, Raw: raw},
		{Type: stream.EventUsage, Usage: &llm.Usage{Raw: usage}},
	}}
	d := c.Clone()
	copy(raw, "xxx")
	copy(data, "xxxx")
	copy(usage, "xxxxx")
	if string(d.Raw) != "raw" || string(d.Events[0].Data) != "data" || string(d.Events[0].Raw) != "raw" || string(d.Events[1].Usage.Raw) != "usage" {
		t.Errorf("the clone changed with its original: %+v", d)
	}
}

package plan_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// event is an event of block 0 of choice 0.
func event(t stream.EventType, kind llm.Kind, offset int, data string) *stream.Event {
	return &stream.Event{Type: t, Kind: kind, Offset: offset, Data: []byte(data), Index: -1}
}

func signature(kind llm.Kind) *stream.Event {
	ev := event(stream.EventDelta, kind, 0, "sig")
	ev.Field = stream.Signature
	return ev
}

func TestTrackSaysWhatToDoWithAnEvent(t *testing.T) {
	const (
		start = stream.EventStart
		delta = stream.EventDelta
		end   = stream.EventEnd
	)
	type step struct {
		ev   *stream.Event
		want plan.Step
	}
	for _, tc := range []struct {
		name  string
		steps []step
		sent  plan.Sent
		left  int // bytes
		calls int
	}{
		{"a call in order", []step{
			{event(start, llm.ToolCall, 0, ""), plan.Pass}, {event(delta, llm.ToolCall, 0, "ab"), plan.Pass},
			{event(delta, llm.ToolCall, 2, "cd"), plan.Pass}, {signature(llm.ToolCall), plan.Pass},
			{event(stream.EventHint, llm.ToolCall, 0, ""), plan.Pass}, {event(end, llm.ToolCall, 0, ""), plan.Pass},
		}, plan.Ended, 4, 1},
		{"a call with a piece left out", []step{
			{event(start, llm.ToolCall, 0, ""), plan.Pass}, {event(delta, llm.ToolCall, 2, "cd"), plan.Gap},
		}, plan.Begun, 0, 1},
		{"a call with a piece repeated", []step{
			{event(start, llm.ToolCall, 0, ""), plan.Pass}, {event(delta, llm.ToolCall, 0, "ab"), plan.Pass},
			{event(delta, llm.ToolCall, 0, "ab"), plan.Skip}, {event(delta, llm.ToolCall, 2, "cd"), plan.Pass},
		}, plan.Begun, 4, 1},
		{"a call with a piece that is half old", []step{
			{event(start, llm.ToolCall, 0, ""), plan.Pass}, {event(delta, llm.ToolCall, 0, "ab"), plan.Pass},
			{event(delta, llm.ToolCall, 1, "bcd"), plan.Gap},
		}, plan.Begun, 2, 1},
		{"a call whose beginning was left out is gone", []step{
			{event(delta, llm.ToolCall, 0, "ab"), plan.Skip}, {event(start, llm.ToolCall, 0, ""), plan.Skip}, {event(end, llm.ToolCall, 0, ""), plan.Skip},
		}, plan.Nothing, 0, 0},
		{"thinking whose beginning was left out is gone", []step{
			{event(delta, llm.Thinking, 3, "ab"), plan.Skip}, {signature(llm.Thinking), plan.Skip},
		}, plan.Nothing, 0, 0},
		{"thinking with a piece left out", []step{
			{event(start, llm.Thinking, 0, ""), plan.Pass}, {event(delta, llm.Thinking, 9, "ab"), plan.Gap},
		}, plan.Begun, 0, 0},
		{"a text whose beginning was left out is opened", []step{
			{event(delta, llm.Content, 5, "ab"), plan.Open}, {event(delta, llm.Content, 7, "c"), plan.Pass},
		}, plan.Begun, 8, 0},
		{"a text with a piece left out goes on", []step{
			{event(start, llm.Refusal, 0, ""), plan.Pass}, {event(delta, llm.Refusal, 0, "a"), plan.Pass}, {event(delta, llm.Refusal, 4, "b"), plan.Pass},
		}, plan.Begun, 5, 0},
		{"a text with a piece that comes late loses it", []step{
			{event(start, llm.Content, 0, ""), plan.Pass}, {event(delta, llm.Content, 4, "b"), plan.Pass}, {event(delta, llm.Content, 0, "a"), plan.Skip},
		}, plan.Begun, 5, 0},
		{"what has ended stays ended", []step{
			{event(start, llm.Content, 0, ""), plan.Pass}, {event(end, llm.Content, 0, ""), plan.Pass},
			{event(start, llm.Content, 0, ""), plan.Skip}, {event(delta, llm.Content, 0, "a"), plan.Skip}, {event(end, llm.Content, 0, ""), plan.Skip},
		}, plan.Ended, 0, 0},
		{"an end, a hint or a whole value of what never began", []step{
			{event(end, llm.Content, 0, ""), plan.Skip}, {event(stream.EventHint, llm.Content, 0, ""), plan.Skip}, {event(stream.EventWhole, llm.Content, 0, "a"), plan.Skip},
		}, plan.Nothing, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var p plan.Plan
			for i, s := range tc.steps {
				if _, got := p.Track(s.ev); got != s.want {
					t.Errorf("event %d: got %d, want %d", i, got, s.want)
				}
			}
			c := p.Choice(0)
			if e := c.Entry(0); e.Sent != tc.sent || e.Offset != tc.left || c.Calls != tc.calls || e.Out != -1 {
				t.Errorf("got %+v, %+v", e, c)
			}
		})
	}
}

func TestReplacedBlocksDoNotLeave(t *testing.T) {
	var p plan.Plan
	with := []llm.Block{{Kind: llm.Content, Text: "x"}}
	if err := p.Replace(stream.At{}, with); err != nil {
		t.Fatal(err)
	}
	with[0].Text = "changed by the caller"
	for _, typ := range []stream.EventType{stream.EventStart, stream.EventDelta, stream.EventWhole, stream.EventEnd} {
		e, step := p.Track(event(typ, llm.ToolCall, 0, "a"))
		if step != plan.Skip || !e.Replaced || e.Kind != llm.ToolCall || e.With[0].Text != "x" {
			t.Errorf("%v: got %d, %+v", typ, step, e)
		}
	}
	if c := p.Choice(0); !p.Edited || !c.Changed || c.Calls != 0 || c.Blocks != 0 {
		t.Errorf("got %+v", c)
	}
}

func TestReplaceIsRefused(t *testing.T) {
	var p plan.Plan
	p.Track(event(stream.EventStart, llm.Content, 0, ""))
	if err := p.Replace(stream.At{}, nil); !errors.Is(err, stream.ErrAlreadySent) {
		t.Errorf("begun: %v", err)
	}
	for _, block := range []int{-1, 1<<20 + 1} {
		if err := p.Replace(stream.At{Block: block}, nil); !errors.Is(err, stream.ErrNotWritable) {
			t.Errorf("%d: %v", block, err)
		}
	}
	p.Choice(0).Finished = true
	if err := p.Replace(stream.At{Block: 1 << 20}, nil); !errors.Is(err, stream.ErrTooLate) {
		t.Errorf("finished: %v", err)
	}
	if n := len(p.Choice(0).Entries()); n != 1 {
		t.Errorf("what was refused left %d entries", n)
	}
	if p.Edited {
		t.Error("what was refused is no edit")
	}
}

func TestObserveNoticesWhatIsMissing(t *testing.T) {
	for _, tc := range []struct {
		name   string
		seqs   []int
		edited bool
	}{
		{"in order", []int{0, 1, 2}, false},
		{"the first left out", []int{1}, true},
		{"one left out", []int{0, 2}, true},
		{"one repeated", []int{0, 0}, true},
		{"reordered", []int{0, 2, 1}, true},
	} {
		var p plan.Plan
		for _, seq := range tc.seqs {
			p.Observe(&stream.Chunk{Seq: seq})
		}
		if p.Edited != tc.edited {
			t.Errorf("%s: got %v", tc.name, p.Edited)
		}
	}
}

func TestContinueBeginsAnotherAnswer(t *testing.T) {
	var p plan.Plan
	p.Observe(&stream.Chunk{Seq: 0})
	p.Track(event(stream.EventStart, llm.ToolCall, 0, ""))
	p.Choice(0).Waiting = []llm.Block{{Kind: llm.Content, Text: "x"}}
	p.Continue()
	c := p.Choice(0)
	if len(c.Entries()) != 0 || c.Calls != 1 || c.Blocks != 1 || len(c.Waiting) != 1 || !c.Changed || !p.Edited {
		t.Errorf("got %+v", c)
	}
	if _, step := p.Track(event(stream.EventStart, llm.Content, 0, "")); step != plan.Pass || c.Blocks != 2 {
		t.Errorf("got %d, %+v", step, c)
	}
}

func TestEventsOfNoBlockLeaveNoTrace(t *testing.T) {
	var p plan.Plan
	ev := event(stream.EventStart, llm.Content, 0, "")
	ev.Block = -1
	if _, step := p.Track(ev); step != plan.Skip || len(p.Choices()) != 0 {
		t.Errorf("got %d, %v", step, p.Choices())
	}
}

// Whatever is left out, repeated or reordered: what passes of a call is the
// beginning of it until the plan says Gap, and of a text no byte comes twice or
// in the wrong order.
func checkDeltas(t *testing.T, r *rand.Rand) {
	t.Helper()
	const body = "0123456789abcdef"
	kind := []llm.Kind{llm.ToolCall, llm.Content, llm.Thinking}[r.IntN(3)]
	events := []*stream.Event{event(stream.EventStart, kind, 0, "")}
	for at := 0; at < len(body); {
		n := min(1+r.IntN(5), len(body)-at)
		events = append(events, event(stream.EventDelta, kind, at, body[at:at+n]))
		at += n
	}
	events = append(events, event(stream.EventEnd, kind, 0, ""))
	for range r.IntN(4) {
		i, j := r.IntN(len(events)), r.IntN(len(events))
		switch r.IntN(3) {
		case 0:
			events[i], events[j] = events[j], events[i]
		case 1:
			events = append(events[:i], events[min(i+1, len(events)):]...)
		default:
			events = append(events, events[i])
		}
		if len(events) == 0 {
			return
		}
	}
	var (
		p      plan.Plan
		passed string
	)
	for _, ev := range events {
		_, step := p.Track(ev)
		if step == plan.Gap {
			if kind == llm.Content {
				t.Fatal("a text has no gaps")
			}
			return
		}
		if (step == plan.Pass || step == plan.Open) && ev.Type == stream.EventDelta {
			passed += string(ev.Data)
		}
	}
	if kind != llm.Content && !strings.HasPrefix(body, passed) {
		t.Fatalf("%v: %s passed", kind, passed)
	}
	last := -1
	for _, b := range passed {
		if at := strings.IndexRune(body, b); at <= last {
			t.Fatalf("%v: %s passed", kind, passed)
		} else {
			last = at
		}
	}
}

func TestDeltasNeverMakeAnotherCall(t *testing.T) {
	for seed := range uint64(20_000) {
		checkDeltas(t, rand.New(rand.NewPCG(seed, 0)))
	}
}

func FuzzDeltas(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { checkDeltas(t, rand.New(rand.NewPCG(a, b))) })
}

// A writer asks the plan about every event of a block that it is about to write.
func Example() {
	var p plan.Plan
	_ = p.Replace(stream.At{}, []llm.Block{{Kind: llm.Content, Text: "blocked"}})

	e, step := p.Track(&stream.Event{Type: stream.EventStart, Kind: llm.ToolCall, Name: "rm"})
	fmt.Println(step == plan.Skip, e.With[0].Text)

	_, step = p.Track(&stream.Event{Type: stream.EventStart, Block: 1, Kind: llm.ToolCall, Name: "ls"})
	fmt.Println(step == plan.Pass, p.Choice(0).Calls)
	// Output:
	// true blocked
	// true 1
}

func TestTextsForCallsStillToComeAreTakenOnce(t *testing.T) {
	var p plan.Plan
	text, call := llm.Block{Kind: llm.Content, Text: "no"}, llm.Block{Kind: llm.ToolCall, Name: "f"}
	for block, kind := range []llm.Kind{llm.ToolCall, llm.Content, llm.ToolCall} {
		if err := p.Replace(stream.At{Block: block, Kind: kind}, []llm.Block{text, call}); err != nil {
			t.Fatal(err)
		}
	}
	c := p.Choice(0)
	if texts := c.Ahead(); len(texts) != 2 {
		t.Errorf("%d texts, want those of the two calls", len(texts))
	}
	if texts := c.Ahead(); len(texts) != 0 {
		t.Errorf("%d texts are taken again", len(texts))
	}
	for block, want := range []int{1, 2, 1} {
		if got := len(c.Entry(block).With); got != want {
			t.Errorf("block %d is replaced by %d blocks in its place, want %d", block, got, want)
		}
	}
}

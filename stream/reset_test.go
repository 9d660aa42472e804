package stream_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// told is a decoder that returns given events, payload by payload.
type told struct {
	events [][]stream.Event
	at     int
}

func (d *told) Decode(c *stream.Chunk) error {
	c.Events = append(c.Events[:0], d.events[d.at]...)
	d.at++
	return nil
}

func (d *told) End(c *stream.Chunk) error {
	c.Events = c.Events[:0]
	return stream.ErrIncomplete
}
func (d *told) Deviations() []stream.Deviation { return nil }

type silent struct{}

func (silent) OnChunk(context.Context, *stream.Chunk, *stream.State, *stream.Output) error {
	return nil
}

func TestResetProcessorIsAsNewAndTextsStay(t *testing.T) {
	event := func(typ stream.EventType, block int, data string) stream.Event {
		return stream.Event{Type: typ, Block: block, Kind: llm.ToolCall, Name: "Bash", ID: "call", Data: []byte(data)}
	}
	var answer [][]stream.Event
	for block := range 7 { // more than there is room for
		answer = append(answer, []stream.Event{
			event(stream.EventStart, block, ""), event(stream.EventDelta, block, `{"command":`), event(stream.EventDelta, block, `"ls"}`),
			event(stream.EventHint, block, ""),
		})
	}
	answer = append(answer, []stream.Event{
		{Type: stream.EventMeta, ID: "id", Name: "model"}, {Type: stream.EventUsage, Usage: &llm.Usage{Raw: []byte(`{"a":1}`)}},
		{Type: stream.EventStart, Choice: 1, Kind: llm.Content}, {Type: stream.EventFinish, Block: -1, Data: []byte("tool_calls")},
		{Type: stream.EventError, Err: &stream.ProviderError{Message: "late"}}, {Type: stream.EventDone},
	})
	var h stream.Handler = silent{}
	out := stream.NewOutput(nil, nil)
	p := stream.NewProcessor(&told{events: answer}, stream.Limits{Bytes: 1000}, h, out)
	for range answer {
		if err := p.Feed(t.Context(), "", []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	var values []llm.Block
	for _, b := range p.State().Blocks() {
		values = append(values, b.Value())
	}
	if len(values) != 7 {
		t.Fatalf("%d blocks", len(values))
	}

	another := &told{events: [][]stream.Event{{event(stream.EventStart, 0, ""), event(stream.EventDelta, 0, "other text, and more of it")}}}
	kept := p.State().Blocks()[1:4] // memory that stays
	p.Reset(another, stream.Limits{}, h, out)
	for _, b := range kept {
		if !reflect.DeepEqual(*b, stream.Block{}) {
			t.Errorf("a block is left behind: %+v", b)
		}
	}
	fresh := stream.NewProcessor(another, stream.Limits{}, h, out)
	stream.ForgetGroup(p)
	if !reflect.DeepEqual(p, fresh) {
		t.Errorf("something is left behind: %+v, want %+v", p, fresh)
	}
	p.Reset(another, stream.Limits{}, h, out)
	if err := p.Feed(t.Context(), "", []byte("x")); err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if v.Arguments != `{"command":"ls"}` || v.Name != "Bash" || v.ID != "call" {
			t.Errorf("block %d of the earlier answer has become %+v", i, v)
		}
	}
}

func TestResetOutputSendsToItsNewSinkOnly(t *testing.T) {
	var first, second []byte
	to := func(all *[]byte) func([]byte) error {
		return func(p []byte) error {
			*all = append(*all, p...)
			return nil
		}
	}
	o := stream.NewOutput(raw{}, to(&first))
	o.OnTerminate(func() { first = append(first, "end"...) })
	if err := o.Send(&stream.Chunk{Raw: []byte("one")}); err != nil {
		t.Fatal(err)
	}
	if err := o.Terminate(); err != nil {
		t.Fatal(err)
	}
	o.Reset(raw{}, to(&second))
	if o.Terminated() || o.Sent() != 0 {
		t.Error("it is not as new")
	}
	if err := o.Send(&stream.Chunk{Raw: []byte("2")}); err != nil {
		t.Fatal(err)
	}
	if err := o.Terminate(); err != nil {
		t.Fatal(err)
	}
	if string(first) != "oneend" || string(second) != "2" {
		t.Errorf("sent %q and %q", first, second)
	}
}

// raw is a writer of bytes as they came.
type raw struct{ stream.Writer }

func (raw) Write(dst []byte, c *stream.Chunk) ([]byte, error) { return append(dst, c.Raw...), nil }
func (raw) Terminate(dst []byte) ([]byte, error)              { return dst, nil }

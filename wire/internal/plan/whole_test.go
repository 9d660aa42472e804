package plan_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

func TestBlocksWaitForAWholeAnswer(t *testing.T) {
	var p plan.Plan
	p.Wait(3, nil)
	if p.Edited || p.Highest() != -1 {
		t.Errorf("nothing to wait for is no edit: %+v", p)
	}
	p.Wait(2, []llm.Block{{Text: "a"}})
	p.Wait(0, []llm.Block{{Text: "b"}})
	p.Wait(2, []llm.Block{{Text: "c"}})
	if !p.Edited || !p.Choice(2).Changed || p.Highest() != 2 {
		t.Errorf("got %+v", p)
	}
	insert := func(dst []byte, choice int, blocks ...llm.Block) ([]byte, error) {
		for _, b := range blocks {
			dst = fmt.Appendf(dst, "%d%s ", choice, b.Text)
		}
		return dst, nil
	}
	for _, want := range []string{"2a 2c 0b ", ""} {
		if out, err := p.Stream(nil, insert); string(out) != want || err != nil {
			t.Errorf("inserted %q, %v, want %q", out, err, want)
		}
	}
}

func TestStreamStopsAtWhatCannotBeInserted(t *testing.T) {
	var p plan.Plan
	p.Wait(0, []llm.Block{{Text: "a"}})
	_, err := p.Stream(nil, func(dst []byte, _ int, _ ...llm.Block) ([]byte, error) { return dst, stream.ErrTooLate })
	if !errors.Is(err, stream.ErrTooLate) {
		t.Errorf("got %v", err)
	}
}

func TestFailedTellsAProviderError(t *testing.T) {
	c := &stream.Chunk{Events: []stream.Event{{Type: stream.EventMeta}}}
	if plan.Failed(c) {
		t.Error("no error was told")
	}
	c.Events = append(c.Events, stream.Event{Type: stream.EventError})
	if !plan.Failed(c) {
		t.Error("an error was told")
	}
}

func TestTold(t *testing.T) {
	unread := stream.NewProtocolError(&stream.Chunk{Raw: []byte("secret")}, "it is no JSON", errors.New("secret"))
	for _, tc := range []struct {
		cause error
		want  string
	}{
		{nil, "the answer failed"},
		{errors.New("away"), "away"},
		{unread, "the provider's answer cannot be read: it is no JSON"},
		{fmt.Errorf("secret: %w", unread), "the provider's answer cannot be read: it is no JSON"},
		{&stream.ProviderError{Message: "busy", Raw: []byte("secret")}, "busy"},
		{&stream.ProviderError{Raw: []byte("secret")}, "the provider reported an error"},
	} {
		if got := plan.Told(tc.cause); got != tc.want {
			t.Errorf("told %q, want %q", got, tc.want)
		}
	}
}

package stream_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

func citation(block int, data string) stream.Event {
	return stream.Event{Type: stream.EventCitation, Block: block, Index: -1, Data: []byte(data)}
}

// sources are the citations of a block in one line.
func sources(b *stream.Block) string {
	var all []string
	for _, source := range b.Citations() {
		all = append(all, string(source))
	}
	return strings.Join(all, " ")
}

func TestCitationsAreKeptOnTheirText(t *testing.T) {
	for name, c := range map[string]struct {
		events []stream.Event
		want   string
	}{
		"one":                              {[]stream.Event{citation(1, `{"a":1}`)}, `{"a":1}`},
		"a list":                           {[]stream.Event{citation(1, ` [ {"a":1} , {"b" : 2}]`)}, `{"a":1} {"b" : 2}`},
		"one after the other":              {[]stream.Event{citation(1, `{"a":1}`), citation(1, `[{"b":2}]`)}, `{"a":1} {"b":2}`},
		"of the last content":              {[]stream.Event{citation(-1, `{"a":1}`)}, `{"a":1}`},
		"all of them at the end":           {[]stream.Event{citation(1, `{"a":1}`), {Type: stream.EventCitation, Block: 1, Status: llm.Complete, Data: []byte(`[{"b":2}]`)}}, `{"b":2}`},
		"after the end of the text":        {[]stream.Event{end(1), citation(1, `{"a":1}`)}, `{"a":1}`},
		"nothing":                          {[]stream.Event{citation(1, ``), citation(1, `null`), citation(1, `[]`)}, ``},
		"what is no object":                {[]stream.Event{citation(1, `["u",1,null,{"a":1},[{}]]`)}, `{"a":1}`},
		"what is not JSON":                 {[]stream.Event{citation(1, `{"a":`), citation(1, `[{"a":1},{"b"`)}, `{"a":1}`},
		"of thinking, calls and no blocks": {[]stream.Event{citation(0, `{}`), citation(2, `{}`), citation(9, `{}`)}, ``},
	} {
		t.Run(name, func(t *testing.T) {
			for _, apart := range []bool{false, true} {
				s := stream.NewState(stream.Limits{})
				apply(t, s, start(0, llm.Thinking, ""), start(1, llm.Content, ""), delta(1, "x"), start(2, llm.ToolCall, "f"))
				for _, ev := range c.events {
					chunk := &stream.Chunk{Events: []stream.Event{ev}}
					if apart && ev.Type == stream.EventCitation { // as decoders report them
						chunk = &stream.Chunk{Citations: chunk.Events}
					}
					if err := s.Apply(chunk.Clone()); err != nil {
						t.Fatal(err)
					}
				}
				if got := sources(s.Blocks()[1]); got != c.want {
					t.Errorf("kept %s, want %s (apart %v)", got, c.want, apart)
				}
				if n := len(s.Blocks()[0].Citations()) + len(s.Blocks()[2].Citations()); n != 0 {
					t.Errorf("%d citations are on what is no text", n)
				}
			}
		})
	}
}

func TestCitationsAreInTheValueOfABlockAndOwned(t *testing.T) {
	s := stream.NewState(stream.Limits{})
	data := []byte(`[{"a":1},{"b":2}]`)
	apply(t, s, start(0, llm.Content, ""))
	if err := s.Apply(&stream.Chunk{Citations: []stream.Event{{Type: stream.EventCitation, Data: data}}}); err != nil {
		t.Fatal(err)
	}
	clear(data)
	r := s.Response()
	b := r.Choices[0].Blocks[0]
	if got := fmt.Sprintf("%s", b.Citations); got != `[{"a":1} {"b":2}]` {
		t.Fatalf("the response has %s", got)
	}
	b.Citations[0] = nil
	if sources(s.Blocks()[0]) != `{"a":1} {"b":2}` {
		t.Error("the response shares its list with the state")
	}
}

func TestCitationsHaveALimit(t *testing.T) {
	const most = 10_000
	for n, fails := range map[int]bool{most: false, most + 1: true} {
		s := stream.NewState(stream.Limits{})
		apply(t, s, start(0, llm.Content, ""))
		err := s.Apply(&stream.Chunk{Citations: []stream.Event{citation(0, "["+strings.Repeat("{},", n-1)+"{}]")}})
		if limit, ok := errors.AsType[*stream.LimitError](err); ok != fails || ok && limit.Limit != most {
			t.Errorf("%d citations: %v", n, err)
		}
	}
	s := stream.NewState(stream.Limits{Bytes: 10})
	apply(t, s, start(0, llm.Content, ""))
	if err := s.Apply(&stream.Chunk{Citations: []stream.Event{citation(0, `{"a":"bcdef"}`)}}); err == nil {
		t.Error("citations are not counted")
	}
}

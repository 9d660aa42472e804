package policy

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Looking for calls where none belong needs no memory, whatever the payload.
func TestLookingForStrayCallsAllocatesNothing(t *testing.T) {
	e := &Engine{set: &Set{enforces: true}}
	for format, payload := range map[wire.Format]string{
		wire.Gemini:          `{"candidates":[{"content":{"parts":[{"text":"a \"b\" c"}],"role":"model"},"index":0,"safetyRatings":[{"category":"x","probability":"LOW"}]}],"usageMetadata":{"promptTokenCount":1},"modelVersion":"m"}`,
		wire.OpenAIChat:      `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"x","arguments":"{}"}}]}}],"usage":null}`,
		wire.Anthropic:       `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"x","input":{}}}`,
		wire.OpenAIResponses: `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","name":"x","arguments":"{}","call_id":"a"}}`,
	} {
		e.opts.Format = format
		c := &stream.Chunk{Raw: []byte(payload), Events: []stream.Event{{Type: stream.EventDelta, Kind: llm.Content}}}
		switch format {
		case wire.Anthropic:
			c.Name = "content_block_start"
		case wire.OpenAIResponses:
			c.Name = "response.output_item.done"
		case wire.OpenAIChat, wire.Gemini: // their events have no names
		}
		if n := testing.AllocsPerRun(100, func() {
			if err := e.strayCall(c); err != nil {
				t.Fatal(format, err)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations", format, n)
		}
	}
}

// Looking for calls costs objects and events, not one times the other: once it has
// begun, the events are not looked at any more.
func TestBlocksAreNotSearchedForEachObject(t *testing.T) {
	const block = `{"type":"new_block","name":"x","input":{}}`
	payload := `{"type":"message","content":[{"type":"text","text":"a"},` + strings.Repeat(block+",", 9) + block + `],"more":[{},{"a":{}}]}`
	c := &stream.Chunk{Raw: []byte(payload), Whole: true}
	for at := strings.Index(payload, block); len(c.Events) < 10; at += len(block) + 1 {
		c.Events = append(c.Events, stream.Event{Type: stream.EventStart, Kind: llm.Opaque, Raw: c.Raw[at : at+len(block)]})
	}
	w := walkerOf(c)
	c.Events = nil
	if w.value(anthropicMessage) || w.End() != nil {
		t.Errorf("a block that is judged was taken for a stray call, %v", w.End())
	}
	if w = walkerOf(c); !w.value(anthropicMessage) {
		t.Error("a block that is not judged was not taken for a stray call")
	}
}

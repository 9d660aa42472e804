package wire_test

import (
	"testing"

	"github.com/sluice-project/sluice/wire"
)

func TestFormatIsDetectedByOnePayload(t *testing.T) {
	cases := []struct {
		payload string
		want    wire.Format
		guess   wire.Format
	}{
		{`{"id":"x","choices":[]}`, wire.OpenAIChat, wire.OpenAIChat},
		{`{"object":"chat.completion.chunk"}`, wire.OpenAIChat, wire.OpenAIChat},
		{`{"sequence_number":3,"type":"response.created"}`, wire.OpenAIResponses, wire.OpenAIResponses},
		{`{"object":"response","output":[]}`, wire.OpenAIResponses, wire.OpenAIResponses},
		{`{"type":"message_start","message":{}}`, wire.Anthropic, wire.Anthropic},
		{`{"\u0074ype":"message","content":[]}`, wire.Anthropic, wire.Anthropic},
		{`{"candidates":[]}`, wire.Gemini, wire.Gemini},
		{`{"promptFeedback":{"blockReason":"SAFETY"}}`, wire.Gemini, wire.Gemini},
		{`{"type":"error","error":{"type":"overloaded_error"}}`, wire.Anthropic, wire.Anthropic},
		{`{"type":"error","code":"x","message":"y","param":null,"sequence_number":1}`, wire.OpenAIResponses, wire.OpenAIResponses},
		{`{"error":{"message":"x"}}`, "", wire.OpenAIChat},
		{`{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}`, "", wire.Gemini},
		{`{"type":"ping"}`, "", ""},
		{`{"choices":null}`, "", ""},
		{`{}`, "", ""},
		{`[DONE]`, "", ""},
		{`{"choices":[]} trailing`, "", ""},
		{``, "", ""},
	}
	for _, c := range cases {
		if got, ok := wire.Detect([]byte(c.payload)); got != c.want && ok || ok != (c.want != "") {
			t.Errorf("Detect(%s) = %s, %v, want %s", c.payload, got, ok, c.want)
		}
		if got, ok := wire.Guess([]byte(c.payload)); ok && got != c.guess || ok != (c.guess != "") {
			t.Errorf("Guess(%s) = %s, %v, want %s", c.payload, got, ok, c.guess)
		}
	}
}

func TestFormatsHaveNamesThatReadBack(t *testing.T) {
	for _, f := range wire.Formats() {
		if got, err := wire.ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("ParseFormat(%q) = %s, %v", f, got, err)
		}
	}
	if _, err := wire.ParseFormat("morse"); err == nil {
		t.Error("morse is a format")
	}
}

func TestEventNamesReadBack(t *testing.T) {
	for _, name := range []string{"", "content_block_delta", "response.output_text.delta", "something.new"} {
		if got := wire.EventName([]byte(name)); got != name {
			t.Errorf("EventName(%q) = %q", name, got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { wire.EventName([]byte("content_block_delta")) }); n != 0 {
		t.Errorf("%v allocations for a usual name", n)
	}
}

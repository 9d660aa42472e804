package wire_test

import (
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// The format of a request is found by what only that format has.
func TestTheFormatOfARequest(t *testing.T) {
	for body, want := range map[string]wire.Format{
		`{"contents":[]}`:                                                              wire.Gemini,
		`{"model":"m","input":"x"}`:                                                    wire.OpenAIResponses,
		`{"model":"m","messages":[]}`:                                                  wire.OpenAIChat,
		`{"messages":[],"system":"x"}`:                                                 wire.Anthropic,
		`{"messages":[],"mcp_servers":[]}`:                                             wire.Anthropic,
		`{"messages":[],"tools":[{"name":"x","input_schema":{}}]}`:                     wire.Anthropic,
		`{"messages":[{"role":"user","content":[{"type":"tool_result"}]}]}`:            wire.Anthropic,
		`{"messages":[{"role":"assistant","content":[{"type":"tool_use"}]}]}`:          wire.Anthropic,
		`{"messages":[{"role":"user","content":"the type is \"tool_use\""}]}`:          wire.OpenAIChat,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"tool_use"}]}]}`: wire.OpenAIChat,
		`{"input":"x"}`: "", `{"choices":[]}`: "", `[]`: "", ``: "", `hello`: "",
	} {
		got, ok := wire.DetectRequest([]byte(body))
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", body, got, ok, want)
		}
	}
}

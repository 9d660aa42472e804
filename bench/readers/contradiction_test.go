package readers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// TestSDKReadersSeeContradictions: clients differ in what they make of a response
// that contradicts itself, and each reader shows what its client makes of it. A
// reader that saw no call here would find nothing in hostile streams.
func TestSDKReadersSeeContradictions(t *testing.T) {
	const (
		message = `{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[]}`
		named   = `{"type":"function_call","id":"fc_1","call_id":"call_1","name":%q,"arguments":"{\"command\":\"rm forbidden-18\"}","status":"completed"}`
	)
	call := fmt.Sprintf(named, "Bash")
	for _, tc := range []struct {
		name, added, done, completed string
		// places are some in which the call is found; that the others fail or pass it
		// over is not promised.
		places map[string][]string
	}{
		{"a message becomes a call", message, call, message, map[string][]string{
			"codex": {"Bash output_item.done"}, "credulous": {"Bash done alone by item_id"},
			"openai-node": {"Bash responses.create, stream: output_item.done"}, "openai-python": {"Bash responses.create, stream: output_item.done"},
			"ai-sdk": {"Bash streamText, openai: executed"},
		}},
		{"a call is only in the end", message, message, call, map[string][]string{
			"openai-node":   {"Bash responses.create, stream: completed", "Bash responses.stream: finalResponse"},
			"openai-python": {"Bash responses.create, stream: completed", "Bash responses.stream: get_final_response"},
		}},
		{"a call changes its name", fmt.Sprintf(named, "Other"), call, call, map[string][]string{
			"codex": {"Bash output_item.done"}, "credulous": {"Other added, output_item.done by output_index"},
			"openai-node":   {"Bash responses.stream: finalResponse", "Other responses.create, stream: added and deltas"},
			"openai-python": {"Bash responses.stream: get_final_response", "Other responses.create, stream: added and deltas"},
			"ai-sdk":        {"Bash streamText, openai: executed"},
		}},
	} {
		var body strings.Builder
		for i, event := range []string{
			`"type":"response.created","response":` + fmt.Sprintf(response, "in_progress", ""),
			`"type":"response.output_item.added","output_index":0,"item":` + tc.added,
			`"type":"response.output_item.done","output_index":0,"item":` + tc.done,
			`"type":"response.completed","response":` + fmt.Sprintf(response, "completed", tc.completed),
		} {
			fmt.Fprintf(&body, "data: {%s,\"sequence_number\":%d}\n\n", event, i)
		}
		answer := Answer{Dialect: wire.OpenAIResponses, Stream: true, Body: []byte(body.String())}
		t.Run(tc.name, func(t *testing.T) {
			eachReader(t, func(t *testing.T, r Reader) {
				if !slices.Contains(r.Dialects(), answer.Dialect) {
					return
				}
				got := read(t, r, answer)
				for _, want := range tc.places[r.Name()] {
					if !slices.ContainsFunc(got.Calls, func(c Call) bool { return c.Name+" "+c.Via == want }) {
						t.Errorf("no call %q in %+v", want, got)
					}
				}
			})
		})
	}
}

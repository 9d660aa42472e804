package policy_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// Clients with a schema leave out pieces of a call that have no index, and run it with what it
// began with: the pieces leave with their index.
func TestAttackPiecesOfTheOnlyCallHaveAnIndex(t *testing.T) {
	t.Parallel()
	const begin = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`
	const start = `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"sh","input":{}}}`
	const end = `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}}`
	for _, stop := range []string{`{"type":"content_block_stop","index":0}`, `{"type":"content_block_stop"}`} {
		for _, index := range []string{``, `"index":null,`} {
			delta := `{"type":"content_block_delta",` + index + `"delta":{"type":"input_json_delta","partial_json":`
			stream := sluicetest.SSE(sluicetest.Anthropic, []string{begin, start, delta + `"{\"s\":"}}`, delta + `"1}"}}`, stop, end, `{"type":"message_stop"}`})
			for name, def := range map[string]policy.Definition{"the call passes": allows("judge"), "with feedback": {Name: "judge", Feedback: true, Policy: &policy.Policy{
				Judge: func(context.Context, *policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} },
			}}} {
				d := judged(t, sluicetest.Anthropic, string(stream), def)
				joined := ""
				for line := range strings.Lines(string(d.Bytes)) {
					_, piece, has := strings.Cut(line, `"partial_json":"`)
					if has && strings.Contains(line, `"index":0`) {
						piece, _, _ = strings.Cut(piece, `"}`)
						joined += piece
					}
				}
				if d.Err != nil || d.Invalid != nil || joined != `{\"s\":1}` {
					t.Errorf("%s, %q %s: %v, %v\n%s", name, index, stop, d.Err, d.Invalid, d.Bytes)
				}
				if len(d.Report.Calls) != 1 || d.Report.Calls[0].Arguments != `{"s":1}` {
					t.Errorf("%s, %q %s: a client reads %v", name, index, stop, d.Report.Calls)
				}
			}
		}
	}
}

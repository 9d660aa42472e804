package policy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// A client that asked for one choice may take all choices for one, so calls in a second
// one end the answer. Whoever asked for several gets them.
func TestAttackCallsInChoicesThatNobodyAskedFor(t *testing.T) {
	t.Parallel()
	chat := func(choice int, delta, finish string) string {
		return fmt.Sprintf(`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":%d,"delta":%s,"finish_reason":%s}]}`, choice, delta, finish)
	}
	begin := `{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"t","type":"custom","custom":{"name":"good","input":"rm -rf "}}]}`
	candidate := func(choice int, call string) string {
		return fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":%s}]},"finishReason":"STOP","index":%d}]}`, call, choice)
	}
	const good = `{"name":"good","args":{"s":1}}`
	answers := map[string][]string{
		sluicetest.OpenAIChat: {
			chat(0, begin, "null"), chat(1, strings.Replace(begin, "good", "second", 1), "null"),
			chat(0, `{"tool_calls":[{"index":0,"custom":{"input":"a"}}]}`, "null"), chat(1, `{"tool_calls":[{"index":0,"custom":{"input":"~/"}}]}`, "null"),
			chat(0, `{}`, `"tool_calls"`), chat(1, `{}`, `"tool_calls"`), "[DONE]",
		},
		sluicetest.Gemini: {candidate(0, good), candidate(1, strings.Replace(good, "good", "second", 1))},
	}
	allow := policy.Func("allow", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} })
	for _, tc := range []struct {
		name, format, member, value string
		passes                      bool
	}{
		{"one by default", sluicetest.OpenAIChat, "", "", false},
		{"one", sluicetest.OpenAIChat, "n", "1", false},
		{"null", sluicetest.OpenAIChat, "n", "null", false},
		{"two", sluicetest.OpenAIChat, "n", "2", true},
		{"one by default", sluicetest.Gemini, "", "", false},
		{"one", sluicetest.Gemini, "generationConfig", `{"candidateCount":1}`, false},
		{"two", sluicetest.Gemini, "generationConfig", `{"candidateCount":2}`, true},
		{"two in the other spelling", sluicetest.Gemini, "generation_config", `{"candidate_count":2}`, true},
	} {
		t.Run(tc.format+" "+tc.name, func(t *testing.T) {
			req := &llm.Request{Extra: map[string]json.RawMessage{}}
			if tc.member != "" {
				req.Extra[tc.member] = json.RawMessage(tc.value)
			}
			events := sluicetest.SSE(tc.format, answers[tc.format])
			n := sluicetest.Enforcement{Set: set(t, allow), Exchange: &policy.Exchange{Request: req}}
			d := n.Stream(context.Background(), tc.format, bytes.NewReader(events))
			if (d.Err == nil) != tc.passes {
				t.Errorf("%v\n%s", d.Err, d.Bytes)
			}
			if !tc.passes && (strings.Contains(string(d.Bytes), `"second"`) || !strings.Contains(d.Err.Error(), "several choices")) {
				t.Errorf("%v\n%s", d.Err, d.Bytes)
			}
			unknown := sluicetest.Enforcement{Set: set(t, allow)}.Stream(context.Background(), tc.format, bytes.NewReader(events))
			if unknown.Err != nil {
				t.Errorf("where the request is not known: %v", unknown.Err)
			}
		})
	}
}

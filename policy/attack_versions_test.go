package policy_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/sluicetest"
)

// A provider sends a block several times: when it begins, in deltas, and whole
// at its end. Clients read any of these, so each is judged, or replaced by what
// was judged.

// responsesCall returns the events of a call named good, as payloads.
func responsesCall() []string {
	return []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
		`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":` + responsesItem("", "in_progress") + `}`,
		`{"type":"response.function_call_arguments.delta","sequence_number":2,"item_id":"fc_1","output_index":0,"delta":"{}"}`,
		`{"type":"response.function_call_arguments.done","sequence_number":3,"item_id":"fc_1","output_index":0,"arguments":"{}"}`,
		`{"type":"response.output_item.done","sequence_number":4,"output_index":0,"item":` + responsesItem("{}", "completed") + `}`,
		`{"type":"response.completed","sequence_number":9,"response":{"id":"resp_1","object":"response","status":"completed","model":"m","output":[` + responsesItem("{}", "completed") + `],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}`,
	}
}

func responsesItem(arguments, status string) string {
	return `{"type":"function_call","id":"fc_1","call_id":"c1","name":"good","arguments":"` + arguments + `","status":"` + status + `"}`
}

func TestEveryVersionOfACallIsJudged(t *testing.T) {
	const evil = `{\"s\":\"X9ZZY\"}`
	replaced := func(event int, old, with string) []string {
		events := responsesCall()
		events[event] = strings.Replace(events[event], old, with, 1)
		return events
	}
	inserted := func(at int, event string) []string { return slices.Insert(responsesCall(), at, event) }
	bad := strings.Replace(responsesItem(evil, "completed"), "good", "bad", 1)
	for _, tc := range []struct {
		name   string
		events []string
	}{
		{"the item's beginning", replaced(1, `"arguments":""`, `"arguments":"`+evil+`"`)},
		{"a delta", replaced(2, `"delta":"{}"`, `"delta":"`+evil+`"`)},
		{"the end of the arguments", replaced(3, `"arguments":"{}"`, `"arguments":"`+evil+`"`)},
		{"the item's end", replaced(4, `"arguments":"{}"`, `"arguments":"`+evil+`"`)},
		{"the end of the response", replaced(5, `"arguments":"{}"`, `"arguments":"`+evil+`"`)},
		{"an item that only the end has", replaced(5, `"output":[`, `"output":[`+strings.Replace(bad, "fc_1", "fc_2", 1)+`,`)},
		{"an item that only a beginning has", inserted(1, `{"type":"response.in_progress","sequence_number":1,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[`+bad+`]}}`)},
		{"an unknown event about it", inserted(3, `{"type":"response.gadget","sequence_number":3,"item_id":"fc_1","output_index":0,"name":"bad","arguments":"`+evil+`"}`)},
		{"an unknown event after its end", inserted(5, `{"type":"response.gadget","sequence_number":5,"item_id":"fc_1","output_index":0,"name":"bad","arguments":"`+evil+`"}`)},
	} {
		for name, defs := range map[string][]policy.Definition{
			"at its own end": {harmless()},
			"at the end":     {harmless(), allTogether("all", always(policy.Allow))},
		} {
			events := sluicetest.SSE(sluicetest.OpenAIResponses, tc.events)
			if d := judged(t, sluicetest.OpenAIResponses, string(events), defs...); leaks(d) {
				t.Errorf("%s, %s: %v\n%s", tc.name, name, d.Err, d.Bytes)
			}
		}
	}
}

// replacesX9ZZY replaces a word in texts as they stream.
func replacesX9ZZY() policy.Definition {
	return policy.Definition{Name: "replaces", Applies: policy.KindsOf(llm.Content),
		Text: []text.Rule{{Name: "r", Patterns: []string{"X9ZZY"}, Replacement: "[gone]"}}}
}

func TestEveryVersionOfATextIsJudged(t *testing.T) {
	blocks := harmless()
	blocks.Name, blocks.Applies = "blocks", policy.KindsOf(llm.Content)
	blocks.New = func(*policy.Exchange) policy.Policy {
		return policy.Policy{Judge: func(_ context.Context, s *policy.Subject) policy.Verdict {
			if strings.Contains(s.Text(), "X9ZZY") {
				return policy.Verdict{Action: policy.Block}
			}
			return policy.Verdict{Action: policy.Allow}
		}}
	}
	const item = `{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"TEXT","annotations":[]}]}`
	events := []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
		`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"m1","role":"assistant","status":"in_progress","content":[]}}`,
		`{"type":"response.content_part.added","sequence_number":2,"item_id":"m1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}`,
		`{"type":"response.output_text.delta","sequence_number":3,"item_id":"m1","output_index":0,"content_index":0,"delta":"TEXT"}`,
		`{"type":"response.output_text.done","sequence_number":4,"item_id":"m1","output_index":0,"content_index":0,"text":"TEXT"}`,
		`{"type":"response.content_part.done","sequence_number":5,"item_id":"m1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"TEXT","annotations":[]}}`,
		`{"type":"response.output_item.done","sequence_number":6,"output_index":0,"item":` + item + `}`,
		`{"type":"response.completed","sequence_number":7,"response":{"id":"resp_1","object":"response","status":"completed","model":"m","output":[` + item + `],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}`,
	}
	for _, def := range []policy.Definition{replacesX9ZZY(), blocks} {
		check := func(name string, which int, told []string) {
			d := judged(t, sluicetest.OpenAIResponses, string(sluicetest.SSE(sluicetest.OpenAIResponses, told)), def)
			if leaks(d) {
				t.Errorf("%s, %s %05b: %v\n%s", def.Name, name, which, d.Err, d.Bytes)
			}
		}
		for which := range 1 << 5 { // of the five that say the text, which say another one
			told := slices.Clone(events)
			for i := range 5 {
				said := "okay"
				if which&(1<<i) != 0 {
					said = "a X9ZZY b"
				}
				told[3+i] = strings.Replace(told[3+i], "TEXT", said, 1)
			}
			check("told as", which, told)
		}
		for i, with := range map[int][2]string{
			1: {`"content":[]`, `"content":[{"type":"output_text","text":"X9ZZY","annotations":[]}]`},
			2: {`"text":""`, `"text":"X9ZZY"`},
		} {
			told := slices.Clone(events)
			told[i] = strings.Replace(told[i], with[0], with[1], 1)
			check("begun in event", i, told)
		}
	}
}

// The same holds for texts that occur twice in a payload: logprobs repeat
// them.
func TestATextIsReplacedWhereverItStands(t *testing.T) {
	const stop = `{"index":0,"delta":{},"finish_reason":"stop"}`
	const tokens = `{"content":[{"token":"X9ZZY","logprob":-1,"bytes":[1],"top_logprobs":[]}]}`
	for _, tc := range []struct {
		name, format, stream string
		def                  policy.Definition
	}{
		{"a replaced text in Chat", sluicetest.OpenAIChat, chatOf(`{"index":0,"delta":{"role":"assistant","content":"X9ZZY"},"logprobs":`+tokens+`}`, stop), replacesX9ZZY()},
		{"a message beside a Chat delta", sluicetest.OpenAIChat, chatOf(`{"index":0,"delta":{"role":"assistant","content":"X9ZZY"},"message":{"role":"assistant","content":"X9ZZY"}}`, stop), replacesX9ZZY()},
		{"a blocked call in Chat", sluicetest.OpenAIChat, chatOf(
			`{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"g","type":"function","function":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}}]},"logprobs":`+tokens+`}`,
			`{"index":0,"delta":{},"finish_reason":"tool_calls","logprobs":`+tokens+`}`), harmless()},
		{"a replaced text in Gemini", sluicetest.Gemini, string(sluicetest.SSE(sluicetest.Gemini, []string{
			`{"candidates":[{"content":{"parts":[{"text":"X9ZZY"}],"role":"model"},"index":0,"logprobsResult":{"chosenCandidates":[{"token":"X9ZZY","logProbability":-1}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2},"modelVersion":"m","responseId":"r"}`})), replacesX9ZZY()},
	} {
		if d := judged(t, tc.format, tc.stream, tc.def); leaks(d) {
			t.Errorf("%s: %v\n%s", tc.name, d.Err, d.Bytes)
		}
	}
	for _, format := range sluicetest.Formats() {
		for _, kind := range []llm.Kind{llm.Content, llm.Refusal} {
			b := []llm.Block{{Kind: kind, Text: "a X9ZZY b"}}
			body := sluicetest.BuildBody(format, [][]llm.Block{b, b}, sluicetest.BuildOptions{})
			d := sluicetest.Enforcement{Set: set(t, replacesX9ZZY())}.Body(context.Background(), format, []byte(body))
			if leaks(d) || d.Err != nil || d.Invalid != nil {
				t.Errorf("%s, %s in a body: %v, %v\n%s", format, kind, d.Err, d.Invalid, d.Bytes)
			}
		}
	}
}

// A person approves one call. If the provider sent two versions, nobody is
// asked and neither passes.
func TestNobodyApprovesACallThatWasToldInTwoVersions(t *testing.T) {
	shell := func(command string) string {
		return `{"type":"local_shell_call","id":"l1","call_id":"c1","status":"completed","action":{"type":"exec","command":["` + command + `"],"env":{}}}`
	}
	n := sluicetest.Enforcement{Set: set(t, asks()), Options: policy.Options{
		Approver: approver(func(_ context.Context, a policy.Approval) (policy.Decision, error) {
			return policy.Decision{Approved: !strings.Contains(a.Subject.Text(), "X9ZZY")}, nil
		}),
	}}
	for _, tc := range []struct {
		first, last string
		passes      bool
	}{{"ls", "X9ZZY", false}, {"X9ZZY", "ls", false}, {"ls", "ls", true}} {
		events := strings.Replace(responsesWith(shell(tc.last)), tc.last, tc.first, 1)
		d := n.Stream(context.Background(), sluicetest.OpenAIResponses, strings.NewReader(events))
		if d.Err != nil || d.Invalid != nil || leaks(d) || len(d.Report.Calls) == 1 != tc.passes {
			t.Errorf("%s, then %s: %v, %v\n%s", tc.first, tc.last, d.Err, d.Invalid, d.Bytes)
		}
		if v := recordOf(d, llm.ToolCall).Verdict; !tc.passes && v.Cause != policy.CauseUnreadable {
			t.Errorf("%s, then %s: recorded %+v", tc.first, tc.last, v)
		}
	}
}

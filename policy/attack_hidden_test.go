package policy_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// allows returns a policy that judges calls and has nothing against any.
func allows(name string) policy.Definition {
	return policy.Func(name, func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} })
}

// harmless returns a policy that lets only calls of good pass, and only those
// that do not speak of X9ZZY.
func harmless() policy.Definition {
	return policy.Func("harmless", func(s *policy.Subject) policy.Verdict {
		if s.Block.Name != "good" || strings.Contains(s.Text(), "X9ZZY") {
			return policy.Verdict{Action: policy.Block}
		}
		return policy.Verdict{Action: policy.Allow}
	})
}

// chatOf returns a Chat stream of payloads with these choices.
func chatOf(choices ...string) string {
	payloads := make([]string, 0, len(choices)+1)
	for _, c := range choices {
		payloads = append(payloads, chatPayload(c))
	}
	return string(sluicetest.SSE(sluicetest.OpenAIChat, append(payloads, "[DONE]")))
}

func chatPayload(choices string) string {
	return `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[` + choices + `]}`
}

const chatCallsEnd = `{"index":0,"delta":{},"finish_reason":"tool_calls"}`

// judged lets policies judge an event stream.
func judged(t *testing.T, format, events string, definitions ...policy.Definition) sluicetest.Delivered {
	t.Helper()
	return sluicetest.Enforcement{Set: set(t, definitions...)}.Stream(context.Background(), format, strings.NewReader(events))
}

func leaks(d sluicetest.Delivered) bool { return bytes.Contains(d.Bytes, []byte("X9ZZ")) }

// A judge that may begin before the end of a call is proven is not a way around
// the check that all readers see one call.
func TestACallWithARepeatedKeyIsBlockedHoweverItIsJudged(t *testing.T) {
	waits := policy.WaitFunc("slow", time.Second, func(context.Context, *policy.Subject) policy.Verdict {
		return policy.Verdict{Action: policy.Allow}
	})
	together := allTogether("all", func(*policy.Subject) policy.Action { return policy.Allow })
	stream := chatOf(`{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"ls\",\"command\":\"X9ZZY\"}"}}]}}`,
		`{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"ok","arguments":"{}"}}]}}`, chatCallsEnd)
	for name, def := range map[string]policy.Definition{"in place": allows("judge"), "beside the stream": waits, "together": together} {
		d := judged(t, sluicetest.OpenAIChat, stream, def)
		if d.Err != nil || d.Invalid != nil || leaks(d) || len(d.Report.Calls) != 1 || d.Report.Calls[0].Name != "ok" {
			t.Errorf("%s: %v, %v, %+v\n%s", name, d.Err, d.Invalid, d.Report, d.Bytes)
		}
	}
}

// A block of an unknown type is judged as the call that it carries. If readers
// could find different calls in it, nobody can judge it.
func TestWhatAnUnknownTypeHidesIsFound(t *testing.T) {
	for _, tc := range []struct {
		name, block string
		// unreadable: it is blocked although no policy has anything against it.
		unreadable bool
	}{
		{"the call within an action", `{"type":"gadget","action":{"name":"bad","input":{"s":"X9ZZY"}}}`, false},
		{"the call within an object", `{"type":"gadget","function":{"name":"bad","arguments":"X9ZZY"}}`, false},
		{"the call two levels down", `{"type":"gadget","use":{"tool":{"name":"bad","input":{"s":"X9ZZY"}}}}`, false},
		{"a type that says it is a call", `{"type":"gadget_call","how":["X9ZZY"]}`, false},
		{"the second call of a list", `{"type":"gadget","calls":[{"name":"good","input":{}},{"name":"bad","input":{"s":"X9ZZY"}}]}`, true},
		{"a call beside another", `{"type":"gadget","name":"good","input":{},"function":{"name":"bad","arguments":"X9ZZY"}}`, true},
		{"a call within another's name", `{"type":"gadget","name":{"name":"bad","input":{"s":"X9ZZY"}},"tool":"good","input":{}}`, true},
		{"two bodies", `{"type":"gadget","name":"good","command":"X9ZZY","input":{}}`, true},
		{"a repeated key of the body", `{"type":"gadget","name":"good","input":{"s":"X9ZZ\u0059","s":"ok"}}`, true},
	} {
		d := judged(t, sluicetest.Anthropic, anthropicWith(tc.block), harmless())
		if d.Err != nil || d.Invalid != nil || leaks(d) || !bytes.Contains(d.Bytes, []byte("Sluice blocked the tool call")) {
			t.Errorf("%s: %v, %v\n%s", tc.name, d.Err, d.Invalid, d.Bytes)
		}
		d = judged(t, sluicetest.Anthropic, anthropicWith(tc.block), allows("judge"))
		last := d.Records[len(d.Records)-1]
		if leaks(d) == tc.unreadable || tc.unreadable && last.Verdict.Cause != policy.CauseUnreadable {
			t.Errorf("%s, allowed: recorded %+v\n%s", tc.name, last.Verdict, d.Bytes)
		}
	}
}

// A call where no call belongs cannot be cut out of its payload, so it ends the
// answer. One in a part of its own is blocked, and a payload that is two things
// at once cannot be read at all.
func TestACallInAnUnusualPlaceDoesNotLeave(t *testing.T) {
	const evil = `{"name":"bad","input":{"s":"X9ZZY"}}`
	text := anthropicWith(`{"type":"text","text":"x"}`)
	chatDelta := func(members string) string {
		return chatOf(`{"index":0,"delta":{"role":"assistant",`+members+`}}`, chatCallsEnd)
	}
	geminiOf := func(candidates ...string) string {
		var payloads []string
		for _, c := range candidates {
			payloads = append(payloads, `{"candidates":[`+c+`],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2},"modelVersion":"m","responseId":"r"}`)
		}
		return string(sluicetest.SSE(sluicetest.Gemini, payloads))
	}
	part := func(p string) string {
		return `{"content":{"parts":[` + p + `],"role":"model"},"index":0,"finishReason":"STOP"}`
	}
	for _, tc := range []struct {
		name, format, stream string
		outcome              string
	}{
		{"a body twice", sluicetest.Anthropic, anthropicWith(`{"type":"gadget","name":"good","input":{"s":"X9ZZY"},"input":{}}`), "cannot be read"},
		{"a name twice", sluicetest.Anthropic, anthropicWith(`{"type":"gadget","name":"bad","input":{"s":"X9ZZY"},"name":"good"}`), "cannot be read"},
		{"an unknown delta of a call", sluicetest.Anthropic, anthropicWith(`{"type":"tool_use","id":"t","name":"good","input":{}}`, `{"type":"tool_delta",`+evil[1:]), "ends the answer"},
		{"an unknown delta of an unknown type", sluicetest.Anthropic, anthropicWith(`{"type":"gadget"}`, `{"type":"tool_delta",`+evil[1:]), "ends the answer"},
		{"an unknown delta of a call in an unknown type", sluicetest.Anthropic, anthropicWith(`{"type":"gadget","name":"good","input":{}}`, `{"type":"tool_delta",`+evil[1:]), "ends the answer"},
		{"a citation", sluicetest.Anthropic, anthropicWith(`{"type":"text","text":""}`, `{"type":"text_delta","text":"x"}`, `{"type":"citations_delta","citation":`+evil+`}`), "ends the answer"},
		{"the content of message_start", sluicetest.Anthropic, strings.Replace(text, `"content":[]`, `"content":[{"type":"tool_use","id":"b",`+evil[1:]+`]`, 1), "is blocked"},
		{"the content of message_delta", sluicetest.Anthropic, strings.Replace(text, `"usage":{"output_tokens":9}`, `"usage":{"output_tokens":9},"content":[{"type":"tool_use","id":"b",`+evil[1:]+`]`, 1), "cannot be read"},
		{"a member of a Chat call", sluicetest.OpenAIChat, chatDelta(`"tool_calls":[{"index":0,"id":"g","type":"function","function":{"name":"good","arguments":"{}"},"mcp":` + evil + `}]`), "ends the answer"},
		{"a member of a Chat delta", sluicetest.OpenAIChat, chatDelta(`"mcp":` + evil), "ends the answer"},
		{"a part of Chat content", sluicetest.OpenAIChat, chatDelta(`"content":[{"type":"gadget",` + evil[1:] + `]`), "is blocked"},
		{"a member of Chat audio", sluicetest.OpenAIChat, chatDelta(`"audio":{"id":"a","transcript":"t","call":` + evil + `}`), "ends the answer"},
		{"a Gemini call in both spellings", sluicetest.Gemini, geminiOf(part(`{"functionCall":{"name":"good","args":{}},"function_call":{"name":"bad","args":{"s":"X9ZZY"}}}`)), "cannot be read"},
		{"a Gemini call beside a text", sluicetest.Gemini, geminiOf(part(`{"text":"x","functionCall":{"name":"bad","args":{"s":"X9ZZY"}}}`)), "cannot be read"},
		{"a member of a Gemini part", sluicetest.Gemini, geminiOf(part(`{"text":"x","other":` + evil + `}`)), "ends the answer"},
		{"a member of a Gemini candidate", sluicetest.Gemini, geminiOf(part(`{"text":"x"}`)[:1] + `"functionCalls":[` + evil + `],` + part(`{"text":"x"}`)[1:]), "ends the answer"},
		{"a Gemini call after the finish", sluicetest.Gemini, geminiOf(part(`{"text":"x"}`), part(`{"functionCall":{"name":"bad","args":{"s":"X9ZZY"}}}`)), "ends the answer"},
	} {
		d := judged(t, tc.format, tc.stream, harmless())
		if got := outcomeOf(d); leaks(d) || got != tc.outcome {
			t.Errorf("%s: %s: %v, %v\n%s", tc.name, got, d.Err, d.Invalid, d.Bytes)
		}
	}
}

func outcomeOf(d sluicetest.Delivered) string {
	var abort *policy.AbortError
	switch {
	case errors.As(d.Err, &abort):
		return "ends the answer"
	case d.Err != nil:
		return "cannot be read"
	}
	return "is blocked"
}

// Bodies hide calls in the same ways.
func TestACallInAnUnusualPlaceOfABodyDoesNotLeave(t *testing.T) {
	chat := func(members string) string {
		return `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"x",` + members + `},"finish_reason":"stop"}]}`
	}
	for _, tc := range []struct{ name, format, body string }{
		{"a member of a message", sluicetest.OpenAIChat, chat(`"mcp":{"name":"bad","arguments":"X9ZZY"}`)},
		{"the old member for calls", sluicetest.OpenAIChat, chat(`"function_call":{"name":"bad","arguments":"X9ZZY"}`)},
		{"the old member for calls beside the new", sluicetest.OpenAIChat, chat(`"tool_calls":[{"id":"a","type":"function","function":{"name":"good","arguments":"{}"}}],"function_call":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}`)},
		{"a part of a message", sluicetest.OpenAIResponses, `{"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"gadget_call","name":"bad","arguments":"X9ZZY"}]}],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}`},
	} {
		d := sluicetest.Enforcement{Set: set(t, harmless())}.Body(context.Background(), tc.format, []byte(tc.body))
		if leaks(d) {
			t.Errorf("%s: %v\n%s", tc.name, d.Err, d.Bytes)
		}
	}
}

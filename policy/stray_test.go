package policy_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// inert is what is not a call.
var inert = []string{
	`{"server_tool_use":{"web_search_requests":1}}`, `{"parallel_tool_calls":true,"max_tool_calls":null,"tool_choice":{"type":"function","name":"good"}}`,
	`{"tool_calls":[],"function_call":null,"functionCall":{},"tool_call":"","tool_use":3}`, `{"name":"m","version":"1","id":"x"}`,
	`{"type":"web_search_result","title":"call","url":"https://x"}`, `{"filtered":false,"name":null,"input":null}`, `{"input":"how many tokens"}`, `{"action":"scale","count":3}`,
	`[{"token":"tool_use","bytes":[1,2],"top_logprobs":[]}]`, `"{\"tool_calls\":[{\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}]}"`,
	`{"type":"response.web_search_call.in_progress","item_id":"x"}`,
}

// What providers send besides their answers is not a call just because it resembles
// one, and leaves byte for byte.
func TestWhatOnlyLooksLikeACallPasses(t *testing.T) {
	t.Parallel()
	base := [][]llm.Block{{{Kind: llm.Content, Text: "so be it"}, {Kind: llm.ToolCall, ID: "g", Name: "good", Arguments: `{"s":"ok"}`}}}
	guard := sluicetest.Enforcement{Set: set(t, harmless())}
	for _, inert := range inert {
		for _, format := range sluicetest.Formats() {
			payloads := sluicetest.Build(format, base, sluicetest.BuildOptions{})
			for i, payload := range payloads {
				if !strings.HasPrefix(payload, "{") {
					continue
				}
				with := append([]string(nil), payloads...)
				with[i] = `{"extra":` + inert + `,` + payload[1:]
				stream := string(sluicetest.SSE(format, with))
				if d := guard.Stream(context.Background(), format, strings.NewReader(stream)); d.Err != nil || string(d.Bytes) != stream {
					t.Errorf("%s, payload %d with %s: %v\n%s", format, i, inert, d.Err, d.Bytes)
				}
			}
			body := `{"extra":` + inert + `,` + sluicetest.BuildBody(format, base, sluicetest.BuildOptions{})[1:]
			if d := guard.Body(context.Background(), format, []byte(body)); d.Err != nil || string(d.Bytes) != body {
				t.Errorf("%s, a body with %s: %v\n%s", format, inert, d.Err, d.Bytes)
			}
		}
	}
}

// What people and providers' own tools put into an answer is theirs.
func TestWhatOthersNamedPasses(t *testing.T) {
	t.Parallel()
	const own = `{"name":"nightly","action":"review","input":"y"}`
	guard := sluicetest.Enforcement{Set: set(t, harmless())}
	for _, c := range []struct{ format, body string }{
		{sluicetest.OpenAIResponses, `{"id":"r","object":"response","status":"completed","model":"m","metadata":` + own + `,"output":[]}`},
		{sluicetest.OpenAIResponses, `{"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"file_search_call","id":"f","status":"completed","queries":["q"],"results":[{"file_id":"x","attributes":` + own + `}]}]}`},
		{sluicetest.OpenAIResponses, `{"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"mcp_list_tools","id":"l","server_label":"s","tools":[{"name":"t","input_schema":{"examples":[` + own + `]}}]}]}`},
		{sluicetest.OpenAIChat, `{"id":"c","object":"chat.completion","created":1,"model":"m","metadata":` + own + `,"tools":[{"type":"function","function":{"name":"bash","parameters":{}}}],"choices":[{"index":0,"message":{"role":"assistant","content":"x","executed_tools":[{"name":"search","arguments":"{}","output":"o"}]},"finish_reason":"stop"}]}`},
	} {
		if d := guard.Body(context.Background(), c.format, []byte(c.body)); d.Err != nil || string(d.Bytes) != c.body {
			t.Errorf("%s: %v\n%s", c.body, d.Err, d.Bytes)
		}
	}
}

// What is not a call does not hide one that follows, however much is next to it.
func TestACallBehindWhatIsNoneIsFound(t *testing.T) {
	t.Parallel()
	const call = `{"type":"tool_use","id":"b","name":"bad","input":{"s":"X9ZZY"}}`
	base := [][]llm.Block{{{Kind: llm.Content, Text: "so be it"}}}
	guard := sluicetest.Enforcement{Set: set(t, harmless())}
	for _, inert := range inert {
		forms := []string{`{"a":` + inert + `,"b":` + call + `}`, `[` + inert + `,` + call + `]`}
		if inert[0] == '{' {
			forms = append(forms, inert[:len(inert)-1]+`,"b":[`+call+`]}`)
		}
		for _, extra := range forms {
			for _, format := range sluicetest.Formats() {
				payloads := sluicetest.Build(format, base, sluicetest.BuildOptions{})
				payloads[1] = `{"extra":` + extra + `,` + payloads[1][1:]
				if d := guard.Stream(context.Background(), format, bytes.NewReader(sluicetest.SSE(format, payloads))); d.Err == nil || leaks(d) {
					t.Errorf("%s, %s: %v\n%s", format, extra, d.Err, d.Bytes)
				}
				body := `{"extra":` + extra + `,` + sluicetest.BuildBody(format, base, sluicetest.BuildOptions{})[1:]
				if d := guard.Body(context.Background(), format, []byte(body)); d.Err == nil || leaks(d) {
					t.Errorf("%s, a body with %s: %v\n%s", format, extra, d.Err, d.Bytes)
				}
			}
		}
		if !policy.HoldsCall([]byte(forms[0])) || !policy.HoldsCall([]byte(forms[1])) {
			t.Errorf("no call is found in %s", forms)
		}
	}
}

// The Responses API repeats the tools of the request, some of which mention calls.
func TestRepeatedRequestsPass(t *testing.T) {
	t.Parallel()
	const echo = `"tools":[{"type":"function","name":"good","parameters":{"type":"object","properties":{"tool_calls":{"type":"array"},"name":{"type":"string"}}}},` +
		`{"type":"namespace","name":"n","tools":[{"type":"function","name":"inner","parameters":{"type":"object"}}]},{"type":"custom","name":"c","format":{"type":"text"}}],` +
		`"instructions":[{"type":"function_call","name":"x","arguments":"{}","call_id":"a"}],"prompt":{"id":"p","variables":{"name":"a","input":"b"}},` +
		`"text":{"format":{"type":"json_schema","name":"s","schema":{"properties":{"function_call":{"type":"object"}}}}},"tool_choice":{"type":"function","name":"good"}`
	payloads := sluicetest.Build(sluicetest.OpenAIResponses, [][]llm.Block{{{Kind: llm.Content, Text: "x"}}}, sluicetest.BuildOptions{})
	for i, payload := range payloads {
		payloads[i] = strings.Replace(payload, `"object":"response"`, `"object":"response",`+echo, 1)
	}
	stream := string(sluicetest.SSE(sluicetest.OpenAIResponses, payloads))
	d := sluicetest.Enforcement{Set: set(t, harmless())}.Stream(context.Background(), sluicetest.OpenAIResponses, strings.NewReader(stream))
	if d.Err != nil || string(d.Bytes) != stream {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
}

// A call is found as deep as JSON may nest.
func TestCallsAreFoundAtEveryDepth(t *testing.T) {
	t.Parallel()
	const call = `{"type":"tool_use","name":"bad","input":{}}`
	for _, deep := range []int{0, 1, 23, 24, 25, 100, 500} {
		if raw := strings.Repeat(`{"x":[`, deep/2) + call + strings.Repeat(`]}`, deep/2); !policy.HoldsCall([]byte(raw)) {
			t.Errorf("%d levels down it was not found", deep)
		}
	}
	for _, none := range []string{``, `null`, `"tool_use"`, `{"type":"text"}`, `{"tool_calls":[`, call[:20]} {
		if policy.HoldsCall([]byte(none)) {
			t.Errorf("a call was found in %s", none)
		}
	}
}

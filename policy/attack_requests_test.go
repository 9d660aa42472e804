package policy_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
)

// keys replaces keys in tool results and blocks results that are forbidden.
func keys() policy.Definition {
	key := regexp.MustCompile(`key-\d+`)
	return policy.Definition{Name: "keys", Applies: policy.KindsOf(llm.ToolResult), New: func(*policy.Exchange) policy.Policy {
		return policy.Policy{
			Change: func(_ context.Context, s *policy.Subject) policy.Change {
				return policy.Change{Action: policy.Redact, Text: key.ReplaceAllString(s.Text(), "[key]")}
			},
			Judge: func(_ context.Context, s *policy.Subject) policy.Verdict {
				if strings.Contains(s.Text(), "forbidden") || strings.Contains(s.Text(), "one\ntwo") {
					return policy.Verdict{Action: policy.Block, Reason: "from " + s.Block.Name}
				}
				return policy.Verdict{Action: policy.Allow}
			},
		}
	}}
}

// sent returns the request that is sent on, and the records.
func sent(t *testing.T, f wire.Format, body string) (string, []policy.Record) {
	t.Helper()
	req, err := f.ReadRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	var records []policy.Record
	e := policy.NewEngine(set(t, keys()), &policy.Exchange{Request: req}, policy.Options{
		Format: f, Record: func(r *policy.Record) { records = append(records, *r) },
	})
	out, err := e.JudgeRequest(context.Background(), []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return string(out), records
}

// The requests: what a person says is not judged, though it names a key.
func anthropicResult(content string) string {
	return `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"key-1 forbidden"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"cat","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":` + content + `}]}]}`
}

func anthropicServer(result string) string {
	return `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"key-1 forbidden"},{"role":"assistant","content":[{"type":"server_tool_use","id":"t1","name":"cat","input":{}},` + result + `]}]}`
}

func geminiResult(part string) string {
	return `{"contents":[{"role":"user","parts":[{"text":"key-1 forbidden"}]},{"role":"model","parts":[{"functionCall":{"name":"cat","args":{}}}]},{"role":"user","parts":[` + part + `]}]}`
}

func responsesResult(item string) string {
	return `{"model":"m","input":[{"role":"user","content":"key-1 forbidden"},{"type":"function_call","call_id":"t1","name":"cat","arguments":"{}"},` + item + `]}`
}

func chatResult(message string) string {
	return `{"model":"m","messages":[{"role":"user","content":"key-1 forbidden"},{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"cat","arguments":"{}"}}]},` + message + `]}`
}

// Wherever a tool's text is in a result, it is found: a key is replaced and no
// other byte changes, and what is forbidden goes with the whole result.
func TestToolResultsOfEveryShapeAreJudged(t *testing.T) {
	for _, tc := range []struct {
		name   string
		format wire.Format
		body   string
	}{
		{"a text", wire.Anthropic, anthropicResult(`"SECRET"`)},
		{"the second of two texts", wire.Anthropic, anthropicResult(`[{"type":"text","text":"REST"},{"type":"text","text":"SECRET"}]`)},
		{"the first of two texts", wire.Anthropic, anthropicResult(`[{"type":"text","text":"SECRET"},{"type":"text","text":"REST"}]`)},
		{"a document", wire.Anthropic, anthropicResult(`[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"SECRET"}}]`)},
		{"a document beside a text", wire.Anthropic, anthropicResult(`[{"type":"text","text":"REST"},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"SECRET"}}]`)},
		{"a document's title", wire.Anthropic, anthropicResult(`[{"type":"document","title":"SECRET","source":{"type":"url","url":"x"}}]`)},
		{"a search result", wire.Anthropic, anthropicResult(`[{"type":"search_result","title":"t","source":"s","content":[{"type":"text","text":"SECRET"}]}]`)},
		{"a search result beside a text", wire.Anthropic, anthropicResult(`[{"type":"text","text":"REST"},{"type":"search_result","title":"t","source":"s","content":[{"type":"text","text":"SECRET"}]}]`)},
		{"a web search", wire.Anthropic, anthropicServer(`{"type":"web_search_tool_result","tool_use_id":"t1","content":[{"type":"web_search_result","title":"SECRET","url":"REST","encrypted_content":"e"}]}`)},
		{"the output of code", wire.Anthropic, anthropicServer(`{"type":"code_execution_tool_result","tool_use_id":"t1","content":{"type":"code_execution_result","stdout":"SECRET","stderr":"REST","return_code":0,"content":[]}}`)},
		{"a Gemini response", wire.Gemini, geminiResult(`{"functionResponse":{"name":"cat","response":{"output":"SECRET"}}}`)},
		{"its data", wire.Gemini, geminiResult(`{"functionResponse":{"name":"cat","response":{"data":"SECRET"}}}`)},
		{"its name", wire.Gemini, geminiResult(`{"functionResponse":{"name":"cat","response":{"name":"SECRET"}}}`)},
		{"its id", wire.Gemini, geminiResult(`{"functionResponse":{"name":"cat","response":{"x":1,"id":"SECRET"}}}`)},
		{"its status", wire.Gemini, geminiResult(`{"functionResponse":{"name":"cat","response":{"output":"REST","status":"SECRET"}}}`)},
		{"another member", wire.Gemini, geminiResult(`{"functionResponse":{"name":"cat","response":{"output":"REST","more":{"list":[1,"SECRET"]}}}}`)},
		{"a member twice", wire.Gemini, geminiResult(`{"functionResponse":{"name":"cat","response":{"output":"REST","output":"SECRET"}}}`)},
		{"its parts", wire.Gemini, geminiResult(`{"functionResponse":{"name":"cat","response":{"output":"REST"},"parts":[{"text":"SECRET"}]}}`)},
		{"a picture beside it", wire.Gemini, geminiResult(`{"functionResponse":{"name":"cat","response":{"output":"SECRET"},"parts":[{"inlineData":{"mimeType":"text/plain","data":"REST"}}]}}`)},
		{"the output of Gemini code", wire.Gemini, geminiResult(`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"SECRET"}}`)},
		{"the other spelling", wire.Gemini, geminiResult(`{"function_response":{"name":"cat","response":{"output":"SECRET"}}}`)},
		{"an output", wire.OpenAIResponses, responsesResult(`{"type":"function_call_output","call_id":"t1","output":"SECRET"}`)},
		{"an output that is a list", wire.OpenAIResponses, responsesResult(`{"type":"function_call_output","call_id":"t1","output":[{"type":"input_text","text":"SECRET"}]}`)},
		{"the name of a file", wire.OpenAIResponses, responsesResult(`{"type":"function_call_output","call_id":"t1","output":[{"type":"input_text","text":"REST"},{"type":"input_file","filename":"SECRET","file_data":"x"}]}`)},
		{"the output of a custom tool", wire.OpenAIResponses, responsesResult(`{"type":"custom_tool_call_output","call_id":"t1","output":"SECRET"}`)},
		{"the output of a local shell", wire.OpenAIResponses, responsesResult(`{"type":"local_shell_call_output","id":"t1","output":"SECRET"}`)},
		{"the output of a shell", wire.OpenAIResponses, responsesResult(`{"type":"shell_call_output","call_id":"t1","output":[{"stdout":"SECRET","stderr":"REST","outcome":{"type":"exit","exit_code":0}}]}`)},
		{"the output of a patch", wire.OpenAIResponses, responsesResult(`{"type":"apply_patch_call_output","call_id":"t1","status":"failed","output":"SECRET"}`)},
		{"the output of an MCP server", wire.OpenAIResponses, responsesResult(`{"type":"mcp_call","id":"m1","name":"cat","server_label":"s","arguments":"{}","output":"SECRET"}`)},
		{"the error of an MCP server", wire.OpenAIResponses, responsesResult(`{"type":"mcp_call","id":"m1","name":"cat","server_label":"s","arguments":"{}","output":"REST","error":"SECRET"}`)},
		{"a file search", wire.OpenAIResponses, responsesResult(`{"type":"file_search_call","id":"m1","queries":[],"results":[{"text":"SECRET"}],"status":"completed"}`)},
		{"the logs of code", wire.OpenAIResponses, responsesResult(`{"type":"code_interpreter_call","id":"m1","code":"x","container_id":"c","status":"completed","outputs":[{"type":"logs","logs":"SECRET"}]}`)},
		{"a tool message", wire.OpenAIChat, chatResult(`{"role":"tool","tool_call_id":"t1","content":"SECRET"}`)},
		{"a tool message in parts", wire.OpenAIChat, chatResult(`{"role":"tool","tool_call_id":"t1","content":[{"type":"text","text":"REST"},{"type":"text","text":"SECRET"}]}`)},
		{"an unknown part", wire.OpenAIChat, chatResult(`{"role":"tool","tool_call_id":"t1","content":[{"type":"text","text":"REST"},{"type":"weird","text":"SECRET"}]}`)},
		{"a function message", wire.OpenAIChat, chatResult(`{"role":"function","name":"cat","content":"SECRET"}`)},
		{"a role in capitals", wire.OpenAIChat, chatResult(`{"role":"TOOL","tool_call_id":"t1","content":"SECRET"}`)},
	} {
		with := func(secret string) string {
			return strings.NewReplacer("SECRET", secret, "REST", "cmVzdA==").Replace(tc.body)
		}
		for secret, want := range map[string]string{"clean": "clean", `a key-12\n`: `a [key]\n`} {
			if got, _ := sent(t, tc.format, with(secret)); got != with(want) {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", tc.name, secret, got, with(want))
			}
		}
		got, records := sent(t, tc.format, with("forbidden"))
		if strings.Count(got, "forbidden") != 1 || strings.Contains(got, "cmVzdA==") || !strings.Contains(got, `"key-1 forbidden"`) {
			t.Errorf("%s: not withheld as a whole:\n%s", tc.name, got)
		}
		if _, err := tc.format.ReadRequest([]byte(got)); err != nil || !strings.Contains(got, "[Sluice withheld this tool result: from ") {
			t.Errorf("%s: %v\n%s", tc.name, err, got)
		}
		if len(records) != 1 || records[0].Delivered || records[0].Out != "" || !strings.Contains(records[0].In, "forbidden") {
			t.Errorf("%s: recorded %+v", tc.name, records)
		}
	}
}

// A result that has several texts is one result: they are judged together, and
// keys are replaced in each by itself.
func TestTheTextsOfAToolResultAreJudgedTogether(t *testing.T) {
	for _, tc := range []struct{ name, content, want string }{
		{"apart they are nothing", `[{"type":"text","text":"one"},{"type":"text","text":"two"}]`, ""},
		{"in another order", `[{"type":"text","text":"two"},{"type":"text","text":"one"}]`, `[{"type":"text","text":"two"},{"type":"text","text":"one"}]`},
		{"a key in each", `[{"type":"text","text":"key-1"},{"type":"text","text":"é\/ key-2"}]`, `[{"type":"text","text":"[key]"},{"type":"text","text":"é/ [key]"}]`},
		{"a key in neither", `[{"type":"text","text":"key"},{"type":"text","text":"-2 \u00e9\/"}]`, `[{"type":"text","text":"key"},{"type":"text","text":"-2 \u00e9\/"}]`},
	} {
		got, records := sent(t, wire.Anthropic, anthropicResult(tc.content))
		if tc.want != "" && got != anthropicResult(tc.want) || tc.want == "" && (strings.Contains(got, "two") || records[0].Verdict.Reason != "from cat") {
			t.Errorf("%s: %+v\n%s", tc.name, records, got)
		}
	}
}

// A duplicate member can be read in two ways, so the request is refused.
func TestAToolResultThatStandsTwiceIsRefused(t *testing.T) {
	for format, body := range map[wire.Format]string{
		wire.Anthropic:       anthropicResult(`"ok","content":"SECRET"`),
		wire.OpenAIChat:      chatResult(`{"role":"tool","tool_call_id":"t1","content":"ok","content":"SECRET"}`),
		wire.OpenAIResponses: responsesResult(`{"type":"function_call_output","call_id":"t1","output":"ok","output":"SECRET"}`),
	} {
		if _, err := format.ReadRequest([]byte(body)); err == nil {
			t.Errorf("%s: read %s", format, body)
		}
	}
}

package file_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/wire"
)

const keeping = `
policies:
  - {name: redact, applies_to: [tool_result], find: {secret: true}, then: redact}
  - {name: restore, when: call.kind == "write", find: {placeholder: true}, then: restore, on_unknown: block}
`

func keepingSet(t *testing.T, key string) *policy.Set {
	t.Helper()
	loaded, err := file.Parse(file.Options{Redactor: func() (*secret.Redactor, error) { return secret.NewRedactor([]byte(key)), nil }}, "keeping.yaml", []byte(keeping), "preset:none")
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Set
}

// madeUp makes up the n-th token.
func madeUp(n int) string { return fmt.Sprintf("ghp_R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA%05d", n) }

// writes is a call that writes a text.
func writes(text string) llm.Block {
	arguments := jsonscan.AppendString([]byte(`{"file_path":"/repo/.env","content":`), text)
	return llm.Block{Kind: llm.ToolCall, ID: "call_9", Name: "Write", Arguments: string(append(arguments, '}')), Status: llm.Complete}
}

// resultShapes are bodies with tool results in every form in which the engine
// finds one; every %s is a text of a result.
var resultShapes = map[wire.Format][]string{
	wire.OpenAIChat: {
		`{"messages":[{"role":"tool","tool_call_id":"1","content":"%s"}]}`,
		`{"messages":[{"role":"function","name":"f","content":"%s"}]}`,
		`{"messages":[{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"%s"},{"type":"text","text":"%s"}]},{"role":"tool","tool_call_id":"2","content":"%s"}]}`,
		`{"messages":[{"role":"tool","tool_call_id":"1","content":["%s"]}]}`,
		`{"messages":[{"role":"tool","tool_call_id":"1","content":[{"type":"json","value":{"a":["%s"]}}]}]}`,
		`{"messages":[{"role":"tool","tool_call_id":"1","content":{"a":{"b":"%s"}}}]}`,
	},
	wire.Anthropic: {
		`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"%s"}]}]}`,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"%s"},{"type":"text","text":"%s"}]},{"type":"tool_result","tool_use_id":"2","content":"%s"}]}]}`,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","is_error":true,"content":[{"type":"search_result","source":"s","title":"%s","content":[{"type":"text","text":"%s"}]}]}]}]}`,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"%s"}}]}]}]}`,
		`{"messages":[{"role":"assistant","content":[{"type":"mcp_tool_result","tool_use_id":"1","content":[{"type":"text","text":"%s"}]}]}]}`,
		`{"messages":[{"role":"assistant","content":[{"type":"bash_code_execution_tool_result","tool_use_id":"1","content":{"type":"bash_code_execution_result","stdout":"%s","stderr":"%s"}}]}]}`,
		`{"messages":[{"role":"assistant","content":[{"type":"some_new_tool_result","tool_use_id":"1","content":{"new":"%s"}}]}]}`,
	},
	wire.OpenAIResponses: {
		`{"input":[{"type":"function_call_output","call_id":"1","output":"%s"}]}`,
		`{"input":[{"type":"custom_tool_call_output","call_id":"1","output":[{"type":"input_text","text":"%s"},{"type":"input_text","text":"%s"}]}]}`,
		`{"input":[{"type":"local_shell_call_output","id":"1","output":"%s"},{"type":"function_call_output","call_id":"2","output":"%s"}]}`,
		`{"input":[{"type":"shell_call_output","call_id":"1","output":[{"stdout":"%s","stderr":"%s","outcome":{"type":"exit","exit_code":0}}]}]}`,
		`{"input":[{"type":"apply_patch_call_output","call_id":"1","status":"failed","output":"%s"}]}`,
		`{"input":[{"type":"mcp_call","id":"1","name":"m","server_label":"s","arguments":"{}","output":"%s"}]}`,
		`{"input":[{"type":"file_search_call","id":"1","queries":[],"results":[{"text":"%s"}]}]}`,
		`{"input":[{"type":"code_interpreter_call","id":"1","code":"","container_id":"c","outputs":[{"type":"logs","logs":"%s"}]}]}`,
	},
	wire.Gemini: {
		`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"%s"}}}]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"a"},{"functionResponse":{"name":"f","response":{"a":["%s",{"b":"%s"}]}}},{"functionResponse":{"name":"f","response":{"output":"%s"}}}]}]}`,
		`{"contents":[{"role":"model","parts":[{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"%s"}}]}]}`,
	},
}

// resultTexts surround a token, as they appear in JSON: what is found in a text
// depends on them, and must be the same where it is restored.
var resultTexts = []string{`%s`, `TOKEN=%s\nNAME=a`, `{\"token\":\"%s\"}`, `\u0074oken: %s`, "é \\ud83d\\ude00 %s"}

// What is replaced by a placeholder on the way to the model can be put back in the
// answer, whatever form the result has, and only in the same exchange.
func TestWhatIsRedactedInAResultIsKnownInTheAnswer(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	set := keepingSet(t, "a key")
	for format, shapes := range resultShapes {
		for _, shape := range shapes {
			for _, text := range resultTexts {
				var tokens []any
				for n := range strings.Count(shape, "%s") {
					tokens = append(tokens, fmt.Sprintf(text, madeUp(n)))
				}
				body := fmt.Appendf(nil, shape, tokens...)
				request, err := format.ReadRequest(body)
				if err != nil {
					t.Fatalf("%s: %v", body, err)
				}
				x := &policy.Exchange{Request: request}
				sent, err := policy.NewEngine(set, x, policy.Options{Format: format}).JudgeRequest(ctx, body)
				if err != nil {
					t.Fatalf("%s: %v", body, err)
				}
				found := secret.Placeholders(string(sent))
				if len(found) != len(tokens) || strings.Contains(string(sent), "ghp_") {
					t.Fatalf("%s: of %d secrets %d are redacted: %s", format, len(tokens), len(found), sent)
				}
				for n, p := range found {
					got := set.Decide(ctx, x, writes("T="+p), policy.Options{})
					if !got.Delivered || got.Out != writes("T="+madeUp(n)).Arguments {
						t.Errorf("%s: secret %d is not put back: %+v", body, n, got.Verdict)
					}
					if got := set.Decide(ctx, &policy.Exchange{Request: &llm.Request{}}, writes("T="+p), policy.Options{}); got.Delivered {
						t.Errorf("%s: another exchange gets %s", body, got.Out)
					}
				}
			}
		}
	}
}

// Placeholders are useless without the results: wherever else one occurs in a
// conversation, it means nothing.
func TestAPlaceholderThatIsOnlyWrittenIsNotPutBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	set, redactor := keepingSet(t, "a key"), secret.NewRedactor([]byte("a key"))
	foreign, _ := redactor.Redact(madeUp(1), nil)
	own, _ := redactor.Redact(madeUp(2), nil)
	message := func(role llm.Role, b llm.Block) llm.Message { return llm.Message{Role: role, Blocks: []llm.Block{b}} }
	for name, m := range map[string]llm.Message{
		"the user's words":         message(llm.User, llm.Block{Kind: llm.Content, Text: foreign}),
		"the system's words":       message(llm.System, llm.Block{Kind: llm.Content, Text: foreign}),
		"the model's words":        message(llm.Assistant, llm.Block{Kind: llm.Content, Text: foreign}),
		"a call":                   message(llm.Assistant, writes(foreign)),
		"a result":                 message(llm.ToolRole, llm.Block{Kind: llm.ToolResult, ToolUseID: "1", Text: "T=" + foreign}),
		"an opaque block":          message(llm.User, llm.Block{Kind: llm.Opaque, Raw: jsonscan.AppendString(nil, foreign)}),
		"the user says the secret": message(llm.User, llm.Block{Kind: llm.Content, Text: madeUp(1)}),
	} {
		x := &policy.Exchange{Request: &llm.Request{Messages: []llm.Message{
			m, message(llm.ToolRole, llm.Block{Kind: llm.ToolResult, ToolUseID: "2", Text: "T=" + madeUp(2)}),
		}}}
		for _, text := range []string{foreign, foreign + " " + own} {
			got := set.Decide(ctx, x, writes(text), policy.Options{})
			if got.Delivered || strings.Contains(got.Out, "ghp_") || !strings.Contains(got.Verdict.Reason, "read the file again") {
				t.Errorf("%s: %q, %+v", name, got.Out, got.Verdict)
			}
		}
		if got := set.Decide(ctx, x, writes(own), policy.Options{}); got.Out != writes(madeUp(2)).Arguments {
			t.Errorf("%s: its own secret is not put back: %+v", name, got.Verdict)
		}
	}
}

// With another key a placeholder is different, so that it reveals nothing without
// the key.
func TestPlaceholdersDependOnTheKey(t *testing.T) {
	t.Parallel()
	x := &policy.Exchange{Request: &llm.Request{Messages: []llm.Message{{Role: llm.ToolRole, Blocks: []llm.Block{{Kind: llm.ToolResult, Text: madeUp(1)}}}}}}
	p, _ := secret.NewRedactor([]byte("a key")).Redact(madeUp(1), nil)
	for key, want := range map[string]bool{"a key": true, "another key": false, "": false} {
		if got := keepingSet(t, key).Decide(context.Background(), x, writes(p), policy.Options{}); got.Delivered != want {
			t.Errorf("with the key %q it is put back: %v", key, got.Delivered)
		}
	}
}

func TestTheSecretsOfAnExchangeAreBounded(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	set, redactor := keepingSet(t, "a key"), secret.NewRedactor([]byte("a key"))
	results := func(n int) *policy.Exchange {
		var text strings.Builder
		for i := range n {
			text.WriteString(madeUp(i) + "\n")
		}
		return &policy.Exchange{Request: &llm.Request{Messages: []llm.Message{{Role: llm.ToolRole, Blocks: []llm.Block{{Kind: llm.ToolResult, Text: text.String()}}}}}}
	}
	decide := func(x *policy.Exchange, n int) policy.Record {
		p, _ := redactor.Redact(madeUp(n), nil)
		return set.Decide(ctx, x, writes(p), policy.Options{})
	}
	if got := decide(results(secret.DefaultSecrets), 0); !got.Delivered {
		t.Errorf("a secret within the limit is not put back: %+v", got.Verdict)
	}
	beyond := results(secret.DefaultSecrets + 1)
	if got := decide(beyond, 0); got.Delivered || !strings.Contains(got.Verdict.Reason, "has more secrets than are kept") {
		t.Errorf("the oldest beyond the limit: %+v", got.Verdict)
	}
	for _, n := range []int{1, secret.DefaultSecrets} {
		if got := decide(beyond, n); !got.Delivered {
			t.Errorf("secret %d, one of the latest, is not put back: %+v", n, got.Verdict)
		}
	}
}

// What was said before counts with what the request says, and comes first.
func TestEarlierTurnsAreOfTheExchange(t *testing.T) {
	t.Parallel()
	result := func(n int) llm.Message {
		return llm.Message{Role: llm.ToolRole, Blocks: []llm.Block{{Kind: llm.ToolResult, Text: madeUp(n)}}}
	}
	x := &policy.Exchange{
		Request: &llm.Request{Messages: []llm.Message{result(2)}},
		Earlier: func() ([]llm.Message, bool) { return []llm.Message{result(0), result(1)}, false },
	}
	got := slices.Collect(x.Results())
	if want := []string{madeUp(0), madeUp(1), madeUp(2)}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for range x.Results() {
		break
	}
}

// An item that is read as many blocks is looked through once, not once for each.
func TestResultsAreReadOnce(t *testing.T) {
	t.Parallel()
	const parts = 1000
	for format, shape := range map[wire.Format][2]string{
		wire.OpenAIResponses: {`{"input":[{"type":"shell_call_output","call_id":"1","output":[%s]}]}`, `{"stdout":"a","stderr":"b"}`},
		wire.OpenAIChat:      {`{"messages":[{"role":"tool","tool_call_id":"1","content":[%s]}]}`, `{"type":"text","text":"a"}`},
		wire.Anthropic:       {`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[%s]}]}]}`, `{"type":"text","text":"a"}`},
		wire.Gemini:          {`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":[%s]}}}]}]}`, `"a"`},
	} {
		request, err := format.ReadRequest(fmt.Appendf(nil, shape[0], strings.Repeat(shape[1]+",", parts-1)+shape[1]))
		if err != nil {
			t.Fatal(err)
		}
		x := &policy.Exchange{Request: request}
		if n := len(slices.Collect(x.Results())); n < parts || n > 5*parts {
			t.Errorf("%s: %d texts of %d parts", format, n, parts)
		}
	}
}

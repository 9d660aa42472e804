package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// promptPolicy redacts secrets in prompts; recommended puts them back where a file is
// written.
const promptPolicy = `
policies:
  - name: redact-prompts
    applies_to: [prompt]
    find: {secret: true}
    then: redact
`

var redactsPrompts = sync.OnceValue(func() *policy.Set {
	dir, err := os.MkdirTemp("", "prompts")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "prompts.yaml")
	if err := os.WriteFile(name, []byte(promptPolicy), 0o600); err != nil {
		panic(err)
	}
	loaded, err := file.Load(file.Options{Redactor: kept}, name)
	if err != nil {
		panic(err)
	}
	return loaded.Set
})

func withPrompts(c *gateway.Config) { c.Policies = policy.NewLive(redactsPrompts()) }

// What the user says is redacted before the provider gets it, the same way every
// time, and put back where the model writes it to a file. What the client repeats of
// that call is redacted again.
func TestSecretsInPromptsAreRedactedAndPutBack(t *testing.T) {
	t.Parallel()
	hidden := placeholderOf(tokenOfAnn)
	for _, format := range wire.Formats() {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s stream=%t", format, stream), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, withPrompts)
				b.up.Answer(func(*http.Request) sluicetest.Reply { return reply(format, stream, writing("T="+hidden)) })
				ask := func(body []byte) (*answer, []byte) {
					a := b.do(http.MethodPost, target(format, stream), nil, body)
					if a.status != http.StatusOK {
						t.Fatalf("status %d: %s", a.status, a.body)
					}
					return a, b.lastAsked().Body
				}
				body := told(format, stream, "TOKEN="+tokenOfAnn, "")
				a, sent := ask(body)
				if want := bytes.ReplaceAll(body, []byte(tokenOfAnn), []byte(hidden)); !bytes.Equal(sent, want) {
					t.Errorf("the provider gets\n%s\nwant\n%s", sent, want)
				}
				if got := a.story().wrote(); len(got) != 1 || got[0] != "T="+tokenOfAnn {
					t.Errorf("what is written is %q", got)
				}
				if _, again := ask(body); !bytes.Equal(again, sent) {
					t.Errorf("the same request is sent as\n%s\nand as\n%s", sent, again)
				}
				// Nothing to redact: the same bytes.
				plain := told(format, stream, "nothing", "result")
				if _, sent := ask(plain); !bytes.Equal(sent, plain) {
					t.Errorf("the provider gets\n%s\nwant\n%s", sent, plain)
				}
			})
		}
	}
}

// Wherever a request says something, and in whatever form, it is redacted; what
// identifies or encodes something, is signed or is a tool result stays.
func TestWhereAPromptIsRedacted(t *testing.T) {
	t.Parallel()
	hidden := placeholderOf(tokenOfAnn)
	arguments, _ := json.Marshal(`{"file_path":"/a","content":"x\n` + tokenOfAnn + `"}`)
	for name, tc := range map[string]struct {
		format wire.Format
		body   string
		stays  bool
	}{
		"system":                       {wire.Anthropic, `{"model":"m","max_tokens":9,"system":"KEY","messages":[{"role":"user","content":"x"}]}`, false},
		"system in parts":              {wire.Anthropic, `{"model":"m","max_tokens":9,"system":[{"type":"text","text":"KEY","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"x"}]}`, false},
		"a part":                       {wire.Anthropic, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b KEY"}]}]}`, false},
		"a document":                   {wire.Anthropic, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"KEY"}}]}]}`, false},
		"an earlier answer":            {wire.Anthropic, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"KEY"},{"role":"user","content":"y"}]}`, false},
		"an earlier call":              {wire.Anthropic, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Write","input":{"type":"KEY","content":"KEY"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}]}`, false},
		"an image":                     {wire.Anthropic, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"KEY"}},{"type":"text","text":"x"}]}]}`, true},
		"thinking":                     {wire.Anthropic, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"thinking","thinking":"KEY","signature":"s"},{"type":"text","text":"y"}]},{"role":"user","content":"z"}]}`, true},
		"instructions":                 {wire.OpenAIResponses, `{"model":"m","instructions":"KEY","input":"x"}`, false},
		"an input that is a text":      {wire.OpenAIResponses, `{"model":"m","input":"KEY"}`, false},
		"variables of a stored prompt": {wire.OpenAIResponses, `{"model":"m","prompt":{"id":"pmpt_1","variables":{"city":"KEY"}},"input":"x"}`, false},
		"a function call":              {wire.OpenAIResponses, `{"model":"m","input":[{"type":"function_call","call_id":"c","name":"Write","arguments":` + string(arguments) + `},{"type":"function_call_output","call_id":"c","output":"ok"}]}`, false},
		"a custom call":                {wire.OpenAIResponses, `{"model":"m","input":[{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"+KEY"},{"type":"custom_tool_call_output","call_id":"c","output":"ok"}]}`, false},
		"reasoning":                    {wire.OpenAIResponses, `{"model":"m","input":[{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"KEY"}]},{"type":"message","role":"user","content":"x"}]}`, true},
		"a developer":                  {wire.OpenAIChat, `{"model":"m","messages":[{"role":"developer","content":"KEY"},{"role":"user","content":"x"}]}`, false},
		"a call in Chat":               {wire.OpenAIChat, `{"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"Write","arguments":` + string(arguments) + `}}]},{"role":"tool","tool_call_id":"c","content":"ok"}]}`, false},
		"an address of an image":       {wire.OpenAIChat, `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.example/a.png?token=KEY"}}]}]}`, true},
		"instructions of Gemini":       {wire.Gemini, `{"systemInstruction":{"parts":[{"text":"KEY"}]},"contents":[{"role":"user","parts":[{"text":"x"}]}]}`, false},
		"a call of Gemini":             {wire.Gemini, `{"contents":[{"role":"user","parts":[{"text":"x"}]},{"role":"model","parts":[{"functionCall":{"name":"W","args":{"a":["KEY"]}},"thoughtSignature":"sig"}]},{"role":"user","parts":[{"functionResponse":{"name":"W","response":{"output":"ok"}}}]}]}`, false},
		"a thought of Gemini":          {wire.Gemini, `{"contents":[{"role":"model","parts":[{"text":"KEY","thought":true}]},{"role":"user","parts":[{"text":"x"}]}]}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, withPrompts)
			b.up.Answer(func(*http.Request) sluicetest.Reply { return reply(tc.format, false, said("ok")) })
			body := []byte(strings.ReplaceAll(tc.body, "KEY", tokenOfAnn))
			if a := b.do(http.MethodPost, target(tc.format, false), nil, body); a.status != http.StatusOK {
				t.Fatalf("status %d: %s", a.status, a.body)
			}
			want := body
			if !tc.stays {
				want = bytes.ReplaceAll(body, []byte(tokenOfAnn), []byte(hidden))
			}
			if sent := b.lastAsked().Body; !bytes.Equal(sent, want) {
				t.Errorf("the provider gets\n%s\nwant\n%s", sent, want)
			}
		})
	}
}

// A prompt that is blocked is not sent, and the client is told why.
func TestAPromptCanBeRefused(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "p.yaml")
	const source = "policies:\n  - {name: no-project-x, applies_to: [prompt], find: {pattern: 'project x'}, then: block, reason: Do not talk about it.}\n"
	if err := os.WriteFile(name, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	set := load("preset:none", name)
	for _, format := range wire.Formats() {
		b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(set) })
		b.up.Answer(func(*http.Request) sluicetest.Reply { return reply(format, false, said("ok")) })
		a := b.do(http.MethodPost, target(format, false), nil, told(format, false, "about project x", ""))
		if a.status == http.StatusOK || !bytes.Contains(a.body, []byte("Do not talk about it")) {
			t.Errorf("%s: status %d: %s", format, a.status, a.body)
		}
		if a := b.do(http.MethodPost, target(format, false), nil, told(format, false, "about y", "")); a.status != http.StatusOK {
			t.Errorf("%s: status %d: %s", format, a.status, a.body)
		}
	}
}

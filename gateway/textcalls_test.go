package gateway_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// textPrompts are how agents explain that calls are text, in short.
var textPrompts = map[string]string{
	"Cline":       "TOOL USE\n\nTool use is formatted using XML-style tags. The tool name is enclosed in tags:\n\n<tool_name>\n<parameter1_name>value1</parameter1_name>\n</tool_name>\n",
	"Roo Code":    "# Tool Use Formatting\n\nTool uses are formatted using XML-style tags. The tool name itself becomes the tag:\n<actual_tool_name>\n<parameter1_name>value1</parameter1_name>\n</actual_tool_name>",
	"Cline, cut":  "# Tool Use Formatting\n\nTool use is formatted using XML-style tags. The tool name is enclosed in opening and closing tags.",
	"Roo, cut":    "Tool uses are formatted using XML-style tags. The tool name itself becomes the tag.",
	"LlamaIndex":  "Use this format:\nThought: I need a tool.\nAction: tool name (one of shell, search) if using a tool.\nAction Input: the input to the tool, as JSON",
	"mini-swe":    "You interact with a computer. Your response must contain exactly ONE bash code block with ONE command.",
	"Continue":    "You have tools.\nTo use a tool, respond with a tool code block (```tool) as shown below:",
	"Llama":       "If you decide to invoke any of the function(s), you MUST put it in the format of [func_name1(params_name1=params_value1...), func_name2(params)]",
	"Hermes":      "You are a function calling model. For each function call return a json object within <tool_call></tool_call> XML tags as follows:\n<tool_call>\n{\"name\": <function-name>}\n</tool_call>",
	"Qwen":        "# Tools\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n{}\n</tools>\n\nAnswer with <tool_call>",
	"OpenHands":   "If you choose to call a function ONLY reply in the following format with NO suffix:\n\n<function=example_function_name>\n<parameter=example_parameter_1>value_1</parameter>\n</function>",
	"Qwen-Agent":  "When you need to call a tool, insert:\n\n✿FUNCTION✿: the tool\n✿ARGS✿: its input\n✿RESULT✿: what it returned",
	"ReAct":       "Use the following format:\n\nThought: you should always think\nAction: the action to take, should be one of [shell]\nAction Input: the input\nObservation: the result",
	"JSON blobs":  "Use a json blob to specify a tool by providing an action key and an action_input key.",
	"smolagents":  "You have tools: these tools are basically Python functions which you can call with code.",
	"aider":       "Describe each change with a *SEARCH/REPLACE block* per the examples below.\nAll changes must use this format.",
	"aider whole": "To suggest changes to a file you MUST return the entire content of the updated file.\nYou MUST use this *file listing* format:\n",
	"old Claude":  "You may call them like this:\n<function_calls>\n<invoke>\n<tool_name>$TOOL_NAME</tool_name>\n</invoke>\n</function_calls>",
}

// nativePrompts say much of tools, and nothing of calls as text.
var nativePrompts = map[string]string{
	"examples in tags": "<example>\nuser: start the server\nmodel:\n<tool_call>\n<function=run_shell_command>\n<parameter=command>\nnode server.js &\n</parameter>\n</function>\n</tool_call>\n</example>",
	"a list of tools":  "You have access to a set of tools that are executed upon the user's approval. Use the provider-native tool-calling mechanism. Do not include XML markup.",
	"instructions":     "You are an interactive CLI tool. Use the tools available to you: Bash, Edit, Read. Tool results may include <system-reminder> tags. NEVER guess URLs.",
	"patches":          "Use the `apply_patch` tool to edit files: {\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Update File: a\\n\"]}. <<<<<<< SEARCH is not used.",
	"thoughts":         "Think step by step. State each Observation: and your next Action: in the summary.",
}

// asking is a request with a prompt where its dialect has system prompts, or in the
// first message.
func asking(t *testing.T, format wire.Format, prompt string, asSystem, withTools bool) []byte {
	t.Helper()
	var body map[string]any
	user := func(content any) []any { return []any{map[string]any{"role": "user", "content": content}} }
	first := "hi"
	if !asSystem {
		first = prompt
	}
	tool := map[string]any{"name": "Bash", "input_schema": map[string]any{"type": "object"}}
	switch format {
	case wire.Anthropic:
		body = map[string]any{"model": "m", "max_tokens": 9, "messages": user([]any{map[string]any{"type": "text", "text": first}})}
		if asSystem {
			body["system"] = []any{map[string]any{"type": "text", "text": "You are."}, map[string]any{"type": "text", "text": prompt}}
		}
	case wire.OpenAIChat:
		messages := user(first)
		if asSystem {
			messages = append([]any{map[string]any{"role": "system", "content": prompt}}, messages...)
		}
		body = map[string]any{"model": "m", "messages": messages}
		tool = map[string]any{"type": "function", "function": map[string]any{"name": "Bash"}}
	case wire.OpenAIResponses:
		body = map[string]any{"model": "m", "input": first}
		if asSystem {
			body["instructions"] = prompt
		}
		tool = map[string]any{"type": "function", "name": "Bash"}
	case wire.Gemini:
		body = map[string]any{"contents": []any{map[string]any{"role": "user", "parts": []any{map[string]any{"text": first}}}}}
		if asSystem {
			body["systemInstruction"] = map[string]any{"parts": []any{map[string]any{"text": prompt}}}
		}
		tool = map[string]any{"functionDeclarations": []any{map[string]any{"name": "Bash"}}}
	}
	body["tools"] = []any{}
	if withTools {
		body["tools"] = []any{tool}
	}
	raw, err := json.Marshal(body) // with < as an escape
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// An agent whose prompt asks for calls as text is recognised, wherever the prompt
// is and however it is written; one with calls of the API is not mistaken for it.
func TestAgentsWhoseCallsAreTextAreKnown(t *testing.T) {
	t.Parallel()
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, reply(format, false, said("ok")))
			ask := func(body []byte, agent string) string {
				t.Helper()
				got := b.do(http.MethodPost, target(format, false), headers("User-Agent", agent), body)
				if got.status != http.StatusOK {
					t.Fatalf("status %d: %s", got.status, got.body)
				}
				return got.story().exchange.TextCalls
			}
			plainly := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")
			for name, prompt := range textPrompts {
				for _, asSystem := range []bool{true, false} {
					body := asking(t, format, prompt, asSystem, false)
					for _, raw := range []string{string(body), plainly.Replace(string(body))} {
						if ask([]byte(raw), "python-httpx/1") == "" {
							t.Errorf("%s is not known (as the system's: %t): %s", name, asSystem, raw)
						}
					}
					if form := ask(asking(t, format, prompt, asSystem, true), "python-httpx/1"); form != "" {
						t.Errorf("%s with tools of the API is taken for %s", name, form)
					}
					for _, agent := range []string{"claude-cli/2.1", "codex_cli_rs/0.1", "opencode/1", "QwenCode/1", "GeminiCLI/1"} {
						if form := ask(body, agent); form != "" {
							t.Errorf("%s that speaks of %s is taken for %s", agent, name, form)
						}
					}
				}
			}
			for name, prompt := range nativePrompts {
				for _, withTools := range []bool{true, false} {
					if form := ask(asking(t, format, prompt, true, withTools), "x"); form != "" {
						t.Errorf("%s is taken for %s", name, form)
					}
				}
			}
		})
	}
}

// How much is looked at has a limit.
func TestPromptsAreLookedAtUpToALimit(t *testing.T) {
	t.Parallel()
	const most = 128 << 10
	b := newBench(t, nil, reply(wire.OpenAIResponses, false, said("ok")))
	mark := "*SEARCH/REPLACE block*"
	for before, want := range map[int]bool{0: true, most - len(mark) - 1: true, most - len(mark): false, most + 5: false} {
		prompt := strings.Repeat("x", before) + mark + strings.Repeat("y", most)
		got := b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"model":"m","input":"hi","instructions":"`+prompt+`"}`))
		if form := got.story().exchange.TextCalls; (form != "") != want {
			t.Errorf("after %d bytes: %q", before, form)
		}
	}
}

// The operator is told once, and the answer to a canary says what it does not prove.
func TestCallsAsTextAreTold(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, reply(wire.OpenAIChat, false, said("ok")))
	canary := func() string {
		return b.do(http.MethodPost, "/v1/chat/completions", headers("X-Sluice-Canary", "1"), question(wire.OpenAIChat, false)).header.Get("X-Sluice-Text-Calls")
	}
	if got := canary(); got != "" || len(b.Status().TextCalls) > 0 {
		t.Errorf("before any agent: %q, %q", got, b.Status().TextCalls)
	}
	for range 3 {
		b.do(http.MethodPost, "/v1/chat/completions", nil, asking(t, wire.OpenAIChat, textPrompts["Cline"], true, false))
	}
	b.do(http.MethodPost, "/v1/chat/completions", nil, asking(t, wire.OpenAIChat, textPrompts["aider"], true, false))
	if n := strings.Count(b.log.String(), "not judged"); n != 2 {
		t.Errorf("the log says it %d times:\n%s", n, b.log.String())
	}
	if got := canary(); !strings.Contains(got, "Cline") || !strings.Contains(got, "aider") || len(b.Status().TextCalls) != 2 {
		t.Errorf("the canary says %q, the status %q", got, b.Status().TextCalls)
	}
}

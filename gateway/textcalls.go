package gateway

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"sync"
)

// textForm is a form in which agents have a model write calls as text. Such calls are
// content in every dialect: nothing distinguishes them from other text, so they are
// not judged, and whoever runs such an agent must be told.
type textForm struct {
	// name is for people.
	name string
	// marks are what prompts say about the form. One mark is enough, with all its
	// parts. They are sentences that explain the form, not the form itself: agents
	// with native calls show examples of it, too. No part has a quote, a backslash or
	// a line break, so that it reads the same within JSON.
	marks [][]string
}

// textForms are the known forms.
var textForms = []textForm{
	{"XML tags (Cline, Roo Code)", [][]string{
		{"Tool use is formatted using XML-style tags"},
		{"Tool uses are formatted using XML-style tags"},
		{"formatted using XML-style tags", "<parameter1_name>"},
	}},
	{"<tool_call> tags (Hermes, Qwen)", [][]string{
		{"<tool_call></tool_call> XML tags"},
		{"function signatures within <tools></tools> XML tags", "<tool_call>"},
	}},
	{"<function=...> tags (OpenHands, Qwen Coder)", [][]string{
		{"ONLY reply in the following format", "<function=example_function_name>"},
	}},
	{"FUNCTION and ARGS lines (Qwen-Agent)", [][]string{
		{"✿FUNCTION✿", "✿ARGS✿"},
	}},
	{"ReAct (LangChain, LlamaIndex)", [][]string{
		{"Action Input:", "Observation:", "Action: the action to take"},
		{"Action Input:", "Observation:", "should be one of ["},
		{"Action Input:", "Action: tool name (one of"},
		{"json blob to specify a tool", "action_input"},
	}},
	{"code (smolagents)", [][]string{
		{"tools are basically Python functions which you can call with code"},
		{"solve any task using code blobs"},
	}},
	{"commands in fences (mini-swe-agent)", [][]string{
		{"exactly ONE bash code block"},
		{"EXACTLY ONE bash code block"},
	}},
	{"tool blocks in fences (Continue)", [][]string{
		{"To use a tool, respond with a tool code block"},
	}},
	{"lists of calls (Llama)", [][]string{
		{"you MUST put it in the format of [func_name1("},
	}},
	{"edits in fences (aider)", [][]string{
		{"*SEARCH/REPLACE block*"},
		{"*file listing* format", "To suggest changes to a file you MUST return"},
		{"Return edits similar to unified diffs that"},
		{"format EVERY code change with an *edit block*"},
	}},
	{"<function_calls> tags", [][]string{
		{"<function_calls>", "<tool_name>$TOOL_NAME"},
	}},
}

// mostPrompt is how much of a text is searched for marks. The known prompts are much
// shorter, and explain the form near their beginning.
const mostPrompt = 128 << 10

// hasNativeCalls are clients that use the dialect's own calls. Some of their requests
// declare no tools, and any of them can mention other agents.
var hasNativeCalls = []string{"claude-code", "codex", "opencode", "qwen-code", "gemini-cli"}

// textCalls returns the form in which a request asks for calls as text, empty if it
// declares tools of the dialect or no prompt explains such a form.
func (in *received) textCalls(client string) string {
	if in.declares || slices.Contains(hasNativeCalls, client) {
		return ""
	}
	for _, prompt := range in.prompts[:in.prompted] {
		if name := textFormIn(prompt); name != "" {
			return name
		}
	}
	return ""
}

// textFormIn finds the form that a prompt, a JSON value, explains.
func textFormIn(raw []byte) string {
	plain := raw[:min(len(raw), mostPrompt)]
	if len(raw) <= mostPrompt && bytes.Contains(raw, []byte(`\u`)) { // a mark may be written in escapes
		plain = []byte(strings.Join(textsIn(raw), "\n"))
	}
	for i := range textForms {
		for _, mark := range textForms[i].marks {
			if !slices.ContainsFunc(mark, func(part string) bool { return !bytes.Contains(plain, []byte(part)) }) {
				return textForms[i].name
			}
		}
	}
	return ""
}

// textCallers remembers the forms in which agents have models write calls as text.
type textCallers struct {
	mu    sync.Mutex
	forms []string
}

// add remembers a form and reports whether it is new.
func (t *textCallers) add(form string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.Contains(t.forms, form) {
		return false
	}
	t.forms = append(t.forms, form)
	return true
}

// seen returns the forms so far.
func (t *textCallers) seen() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.forms)
}

// noteTextCalls logs, once for each form, that an agent's calls are not judged.
func (x *exchange) noteTextCalls() {
	if x.info.TextCalls = x.in.textCalls(x.info.Client); x.info.TextCalls == "" || !x.g.textCallers.add(x.info.TextCalls) {
		return
	}
	x.g.log.Warn("an agent has the model write calls as text, which are not judged; let it use the tool calls of the API, if it can",
		slog.String("form", x.info.TextCalls), slog.String("exchange", x.info.ID), slog.String("client", x.info.Client), slog.String("session", x.info.Session))
}

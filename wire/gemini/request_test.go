package gemini_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
	"github.com/sluice-project/sluice/wire/gemini"
)

const request = `{
  "systemInstruction": {"parts":[{"text":"Be \"brief\"."}],"role":"user"},
  "contents": [
    {"role":"user","parts":[{"text":"Add 2 and 3"},{"inlineData":{"mimeType":"image/png","data":"AA=="}}]},
    {"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"id":"1","name":"add","args":{"a": 2}},"thoughtSignature":"sig"},
      {"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1\n"}}]},
    {"role":"function","parts":[{"functionResponse":{"id":"1","name":"add","response":{"out":"five","list":["x",1,{"k":"y"}]}}},
      {"functionResponse":{"name":"add","response":{"n":5}}}]},
    {"role":"narrator","parts":[{"hologram":1}]},
    {"parts":[{"text":"again"}]}
  ],
  "tools": [
    {"functionDeclarations":[{"name":"add","description":"adds","parameters":{"type":"OBJECT"}},{"name":"sub","parametersJsonSchema":{}}],"codeExecution":{}},
    {"googleSearch":{}}, {"computer_use":{"environment":"ENVIRONMENT_BROWSER"}}
  ],
  "generationConfig": {"maxOutputTokens": 4000, "temperature": 0.5, "topP": 1},
  "toolConfig": {"functionCallingConfig":{"mode":"AUTO"}}
}`

func show(list []llm.Block) string {
	var out []string
	for _, b := range list {
		s := b.Kind.String() + " " + b.Type
		for _, v := range []string{b.ID, b.ToolUseID, b.Name, b.Text, b.Arguments, b.Signature} {
			if v != "" {
				s += " " + v
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

func TestReadRequest(t *testing.T) {
	req, err := gemini.ReadRequest([]byte(request))
	if err != nil {
		t.Fatal(err)
	}
	if got := show(req.System); got != `content text Be "brief".` {
		t.Errorf("system: %s", got)
	}
	for i, want := range []struct {
		role   llm.Role
		blocks string
	}{
		{llm.User, "content text Add 2 and 3\nopaque inlineData"},
		{llm.Assistant, "thinking text hm\ntool_call functionCall 1 add {\"a\": 2} sig\n" +
			"server_tool executableCode codeExecution {\"language\":\"PYTHON\",\"code\":\"1\"}\ntool_result codeExecutionResult codeExecution 1\n"},
		{llm.ToolRole, "tool_result functionResponse 1 add five\ntool_result functionResponse 1 add x\ntool_result functionResponse 1 add y\n" +
			"tool_result functionResponse add {\"n\":5}"},
		{"narrator", "opaque hologram"},
		{llm.User, "content text again"},
	} {
		m := req.Messages[i]
		if m.Role != want.role || show(m.Blocks) != want.blocks {
			t.Errorf("message %d: got %s\n%s\nwant %s", i, m.Role, show(m.Blocks), want.blocks)
		}
	}
	var tools []string
	for _, tool := range req.Tools {
		tools = append(tools, fmt.Sprintf("%s %s %v %s", tool.Name, tool.Type, tool.Server, tool.Raw))
	}
	want := []string{
		`add function false {"name":"add","description":"adds","parameters":{"type":"OBJECT"}}`,
		`sub function false {"name":"sub","parametersJsonSchema":{}}`,
		`codeExecution codeExecution true "codeExecution":{}`,
		`googleSearch googleSearch true {"googleSearch":{}}`,
		`computerUse computerUse false {"computer_use":{"environment":"ENVIRONMENT_BROWSER"}}`,
	}
	if got := strings.Join(tools, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("tools:\n%s", got)
	}
	if req.MaxTokens != 4000 || req.Temperature == nil || *req.Temperature != 0.5 || req.Model != "" || req.Stream {
		t.Errorf("settings: %+v", req)
	}
	if string(req.Extra["toolConfig"]) != `{"functionCallingConfig":{"mode":"AUTO"}}` || len(req.Extra) != 2 {
		t.Errorf("extra: %s", req.Extra)
	}
	if req.UserText() != "again" {
		t.Errorf("user text: %s", req.UserText())
	}
	checkSpans(t, []byte(request), req)
}

// Tools that the provider runs can be taken out of a request at their span.
func TestDeclaredToolsCanBeRemoved(t *testing.T) {
	req, err := gemini.ReadRequest([]byte(request))
	if err != nil {
		t.Fatal(err)
	}
	var e edit.Edits
	for _, tool := range req.Tools {
		if tool.Server || tool.Name == "sub" {
			e.Remove(tool.Span)
		}
	}
	edited, err := e.Apply(nil, []byte(request))
	if err != nil {
		t.Fatal(err)
	}
	after, err := gemini.ReadRequest(edited)
	if err != nil {
		t.Fatal(err)
	}
	if len(after.Tools) != 2 || after.Tools[0].Name != "add" || after.Tools[1].Name != "computerUse" {
		t.Errorf("got %+v", after.Tools)
	}
}

func TestReadRequestAcceptsBothSpellings(t *testing.T) {
	req, err := gemini.ReadRequest([]byte(`{"system_instruction":"be nice","contents":[{"role":"model","parts":[{"function_call":{"name":"f"},"thought_signature":"s"},{"text":"","thought_signature":"t"}]},
		{"parts":[{"function_response":{"name":"f","response":{"r":"x"}}},{"file_data":{}},null,{"toolCall":{"toolType":"T","id":"1","args":{"q":1}}},{"tool_response":{"tool_type":"T","id":"1","response":{}}}]}],
		"tools":[{"function_declarations":[{"name":"f","parameters_json_schema":{"a":1}}]},null,{"url_context":{}}],"generation_config":{"max_output_tokens":7}}`))
	if err != nil {
		t.Fatal(err)
	}
	if show(req.System) != "content text be nice" || req.MaxTokens != 7 || len(req.Tools) != 2 || string(req.Tools[0].Schema) != `{"a":1}` || req.Tools[1].Name != "urlContext" {
		t.Errorf("got %+v", req)
	}
	if got := show(req.Messages[0].Blocks); got != "tool_call functionCall f s\ncontent text t" {
		t.Errorf("got %s", got)
	}
	want := "tool_result functionResponse f x\nopaque fileData\nserver_tool toolCall 1 T {\"q\":1}\ntool_result toolResponse 1 T {}"
	if got := show(req.Messages[1].Blocks); got != want {
		t.Errorf("got %s", got)
	}
}

func TestReadRequestRefuses(t *testing.T) {
	for _, body := range []string{
		``, `x`, `[]`, `{"contents":[]} x`, `{"contents":[`, `{"contents":"x"}`, `{"contents":[1]}`,
		`{"contents":[],"contents":[]}`, `{"systemInstruction":{},"system_instruction":{}}`, `{"tools":[],"tools":[]}`,
		`{"safetySettings":[],"safetySettings":[]}`, `{"tools":1}`, `{"tools":[1]}`, `{"systemInstruction":1}`,
		`{"contents":[{"parts":"x"}]}`, `{"contents":[{"parts":[1]}]}`, `{"contents":[{"parts":[{"text":1}]}]}`,
		`{"contents":[{"parts":[{"text":"a","text":"b"}]}]}`, `{"contents":[{"parts":[],"parts":[]}]}`,
		`{"contents":[{"role":"user","role":"model"}]}`, `{"contents":[{"parts":[{"text":"a","functionCall":{}}]}]}`,
		`{"contents":[{"parts":[{"functionCall":{},"inlineData":{}}]}]}`, `{"contents":[{"parts":[{"functionCall":1}]}]}`,
		`{"contents":[{"parts":[{"functionCall":{"name":"a","name":"b"}}]}]}`,
		`{"contents":[{"parts":[{"functionCall":{},"function_call":{}}]}]}`,
		`{"tools":[{"functionDeclarations":"x"}]}`, `{"tools":[{"functionDeclarations":[1]}]}`,
		`{"tools":[{"functionDeclarations":[],"function_declarations":[]}]}`, `{"tools":[{"functionDeclarations":[{"name":"a","name":"b"}]}]}`,
	} {
		req, err := gemini.ReadRequest([]byte(body))
		if bad := (*llm.RequestError)(nil); !errors.As(err, &bad) || req != nil || bad.Dialect != "gemini" {
			t.Errorf("%s: got %v", body, err)
		}
	}
}

// A result with very many strings is judged as one text instead of costing a
// block for each.
func TestManyStringsOfAResult(t *testing.T) {
	list := strings.Repeat(`"a",`, 100_001) + `"b"`
	req, err := gemini.ReadRequest([]byte(`{"contents":[{"parts":[{"functionResponse":{"name":"f","response":{"l":[` + list + `]}}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	b := req.Messages[0].Blocks
	if len(b) != 1 || !b[0].BodySpan.IsZero() || len(b[0].Text) < len(list) {
		t.Errorf("got %d blocks", len(b))
	}
}

func TestCorpusRequests(t *testing.T) {
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS is not set: no recorded requests to read")
	}
	files, err := filepath.Glob(filepath.Join(dir, "requests", "gemini*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no requests", err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		req, err := gemini.ReadRequest(body)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		calls, results := 0, 0
		for _, m := range req.Messages {
			for _, b := range m.Blocks {
				switch b.Kind {
				case llm.ToolCall:
					calls++
				case llm.ToolResult:
					results++
				default:
				}
			}
		}
		if calls == 0 || results < calls || len(req.Tools) == 0 {
			t.Errorf("%s: %d calls, %d results, %d tools", file, calls, results, len(req.Tools))
		}
		checkSpans(t, body, req)
	}
}

func TestSingleObjectIsAListOfOne(t *testing.T) {
	body := `{"contents":{"role":"user","parts":{"text":"hi"}},"tools":{"functionDeclarations":{"name":"f"}}}`
	req, err := gemini.ReadRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if len(req.Messages) != 1 || len(req.Messages[0].Blocks) != 1 || req.Messages[0].Blocks[0].Text != "hi" || len(req.Tools) != 1 || req.Tools[0].Name != "f" {
		t.Errorf("got %+v", req)
	}
}

func TestMembersInOtherLettersAreRefused(t *testing.T) {
	for _, body := range []string{`{"Contents":[]}`, `{"contents":[{"Parts":[]}]}`, `{"TOOLS":[]}`} {
		if _, err := gemini.ReadRequest([]byte(body)); err == nil {
			t.Errorf("%s is read", body)
		}
	}
}

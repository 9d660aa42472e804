package openaichat_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
	"github.com/sluice-project/sluice/wire/openaichat"
)

const requestBody = `{"model":"m","stream":true,"max_tokens":7,"max_completion_tokens":9,"temperature":0.5,
 "stream_options":{"include_usage":true},"tool_choice":"auto",
 "messages":[
  {"role":"system","content":"Be kind."},
  {"role":"developer","content":[{"type":"text","text":"Be short."}]},
  {"role":"user","content":[{"type":"text","text":"Look: \u00e9"},{"type":"image_url","image_url":{"url":"data:x"}},{"type":"input_audio","input_audio":{"data":"x"}},{"type":"file","file":{"file_id":"f"}}]},
  {"role":"assistant","content":null,"reasoning_content":"hm","refusal":null,"tool_calls":[
    {"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"},"extra_content":{"google":{"thought_signature":"z"}}},
    {"id":"b","type":"custom","custom":{"name":"sql","input":"SELECT 1"}}]},
  {"role":"tool","tool_call_id":"a","content":"42"},
  {"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"one"},{"type":"text","text":"two"},{"type":"image_url","image_url":{"url":"u"}}]},
  {"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t1"},{"type":"text","text":"t2"}]},{"type":"refusal","refusal":"no"},{"type":"odd","x":1}],"function_call":{"name":"g","arguments":"{}"}},
  {"role":"function","name":"g","content":"ok"},
  {"role":"assistant","reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r","signature":"s"},{"type":"reasoning.encrypted","data":"e"}],"content":"done","annotations":[{"type":"url_citation"}]},
  {"role":"narrator","content":"..."}
 ],
 "tools":[{"type":"function","function":{"name":"f","description":"Does f","parameters":{"type":"object"}}},
  {"type":"custom","custom":{"name":"sql","description":"Runs SQL"}},
  {"type":"web_search","filters":{}},
  {"type":"namespace","name":"n","tools":[{"type":"function","function":{"name":"inner"}}]}],
 "functions":[{"name":"old","parameters":{}}]}`

func TestReadRequest(t *testing.T) {
	r, err := openaichat.ReadRequest([]byte(requestBody))
	if err != nil {
		t.Fatal(err)
	}
	if r.Model != "m" || !r.Stream || r.MaxTokens != 9 || r.Temperature == nil || *r.Temperature != 0.5 || len(r.System) != 0 {
		t.Errorf("%+v", r)
	}
	if len(r.Extra) != 2 || string(r.Extra["stream_options"]) != `{"include_usage":true}` || string(r.Extra["tool_choice"]) != `"auto"` {
		t.Errorf("extra %v", r.Extra)
	}
	var lines []string
	for _, m := range r.Messages {
		lines = append(lines, string(m.Role))
		for _, b := range m.Blocks {
			line := fmt.Sprintf("  %s %s %q", b.Kind, b.Type, b.Text+b.Arguments)
			for _, s := range []struct{ name, value string }{{"id", b.ID}, {"name", b.Name}, {"for", b.ToolUseID}, {"signed", b.Signature}} {
				if s.value != "" {
					line += " " + s.name + " " + s.value
				}
			}
			if !b.BodySpan.IsZero() {
				line += " at " + string(b.BodySpan.In([]byte(requestBody)))
			}
			lines = append(lines, line)
		}
	}
	want := []string{
		`system`, `  content content "Be kind." at "Be kind."`,
		`system`, `  content text "Be short." at "Be short."`,
		`user`, `  content text "Look: é" at "Look: \u00e9"`, `  opaque image_url ""`, `  opaque input_audio ""`, `  opaque file ""`,
		`assistant`, `  thinking reasoning_content "hm" at "hm"`,
		`  tool_call function "{\"x\":1}" id a name f signed z at "{\"x\":1}"`, `  tool_call custom "SELECT 1" id b name sql at "SELECT 1"`,
		`tool`, `  tool_result content "42" for a at "42"`,
		`tool`, `  tool_result text "one" for b at "one"`, `  tool_result text "two" for b at "two"`, `  opaque image_url "" for b`,
		`assistant`, `  thinking thinking "t1" at "t1"`, `  thinking thinking "t2" at "t2"`, `  refusal refusal "no" at "no"`, `  opaque odd ""`,
		`  tool_call function_call "{}" name g at "{}"`,
		`tool`, `  tool_result content "ok" name g at "ok"`,
		`assistant`, `  thinking reasoning "r" at "r"`, `  thinking reasoning.text "r" signed s at "r"`, `  thinking reasoning.encrypted "" signed e`,
		`  content content "done" at "done"`, `  opaque annotations ""`,
		`narrator`, `  content content "..." at "..."`,
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("messages:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	tools := ""
	for _, tool := range r.Tools {
		tools += fmt.Sprintf("%s/%s/%v/%s ", tool.Name, tool.Type, tool.Server, tool.Schema)
		if string(tool.Span.In([]byte(requestBody))) != string(tool.Raw) {
			t.Errorf("tool %s: the span is not its raw JSON", tool.Name)
		}
	}
	if want := `f/function/false/{"type":"object"} sql/custom/false/ web_search/web_search/true/ inner/function/false/ old/function/false/{} `; tools != want {
		t.Errorf("tools %s\nwant  %s", tools, want)
	}
	if r.UserText() != "Look: é" {
		t.Errorf("user text %q", r.UserText())
	}
}

func TestEveryBlockCanBeEditedWhereItStands(t *testing.T) {
	r, err := openaichat.ReadRequest([]byte(requestBody))
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Messages {
		for j := range r.Messages[i].Blocks {
			checkEdit(t, []byte(requestBody), i, j, &r.Messages[i].Blocks[j], "new \"text\"")
		}
	}
	var e edit.Edits
	e.ReplaceString(r.Messages[4].Blocks[0].BodySpan, "[redacted]")
	out, err := e.Apply(nil, []byte(requestBody))
	if err != nil || string(out) != strings.Replace(requestBody, `"42"`, `"[redacted]"`, 1) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestUnreadableRequests(t *testing.T) {
	for name, body := range map[string]string{
		"empty":               ``,
		"not JSON":            `{"model":`,
		"a list":              `[]`,
		"two bodies":          `{}{}`,
		"messages twice":      `{"messages":[],"messages":[]}`,
		"tools twice":         `{"tools":[],"t\u006fols":[]}`,
		"content twice":       `{"messages":[{"role":"user","content":"a","content":"b"}]}`,
		"arguments twice":     `{"messages":[{"role":"assistant","tool_calls":[{"function":{"arguments":"a","arguments":"b"}}]}]}`,
		"messages a string":   `{"messages":"hi"}`,
		"a message is a text": `{"messages":["hi"]}`,
		"a tool is a text":    `{"tools":["f"]}`,
		"model a number":      `{"model":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := openaichat.ReadRequest([]byte(body))
			if bad := new(llm.RequestError); !errors.As(err, &bad) || bad.Dialect != "openai-chat" {
				t.Errorf("error %v, want a *llm.RequestError", err)
			}
		})
	}
}

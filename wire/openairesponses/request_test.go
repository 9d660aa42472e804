package openairesponses_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

func readRequest(t *testing.T, body string) *llm.Request {
	t.Helper()
	r, err := openairesponses.ReadRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sayRequest describes the blocks of a request in one line each.
func sayRequest(r *llm.Request) string {
	var b strings.Builder
	block := func(role llm.Role, x *llm.Block) {
		fmt.Fprintf(&b, "%s %s %s", role, x.Kind, x.Type)
		for _, word := range []struct{ name, value string }{
			{"id", x.ID}, {"name", x.Name}, {"for", x.ToolUseID}, {"sig", x.Signature},
		} {
			if word.value != "" {
				fmt.Fprintf(&b, " %s=%s", word.name, word.value)
			}
		}
		fmt.Fprintf(&b, " %q", x.Text+x.Arguments)
		if x.Failed {
			b.WriteString(" failed")
		}
		if x.BodySpan.IsZero() {
			b.WriteString(" nospan")
		}
		b.WriteByte('\n')
	}
	for i := range r.System {
		block("instructions", &r.System[i])
	}
	for i := range r.Messages {
		for j := range r.Messages[i].Blocks {
			block(r.Messages[i].Role, &r.Messages[i].Blocks[j])
		}
	}
	for _, tool := range r.Tools {
		fmt.Fprintf(&b, "tool %s %s server=%v schema=%s\n", tool.Type, tool.Name, tool.Server, tool.Schema)
	}
	return b.String()
}

func TestReadRequest(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"input as a string", `{"model":"m","instructions":"Be kind","input":"Hi \"you\""}`, `
instructions content  "Be kind"
user content  "Hi \"you\""`},
		{"messages", `{"input":[
{"role":"developer","content":"rules"},
{"type":"message","role":"user","content":[{"type":"input_text","text":"look"},{"type":"input_image","image_url":"x"},{"type":"input_file","file_id":"f"}]},
{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"refusal","refusal":"b"}]},
{"role":"critic","content":"hm"}]}`, `
system content message "rules"
user content input_text "look"
user opaque input_image "" nospan
user opaque input_file "" nospan
assistant content output_text id=msg_1 "a"
assistant refusal refusal id=msg_1 "b"
critic content message "hm"`},
		{"calls, reasoning and results", `{"input":[
{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"enc"},
{"type":"reasoning","id":"rs_2","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}]},
{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"a\":1}"},
{"type":"function_call_output","call_id":"call_1","output":"done"},
{"type":"custom_tool_call","call_id":"call_2","name":"exec","input":"js"},
{"type":"custom_tool_call_output","call_id":"call_2","output":[{"type":"input_text","text":"x"},{"type":"input_image","image_url":"y"},{"type":"output_text","text":"z"}]},
{"type":"shell_call","call_id":"call_3","action":{"commands":["ls"]}},
{"type":"shell_call_output","call_id":"call_3","output":[{"stdout":"out","stderr":"err","outcome":{}}]},
{"type":"apply_patch_call","call_id":"call_4","operation":{"type":"delete_file"}},
{"type":"apply_patch_call_output","call_id":"call_4","status":"failed","output":"bad"},
{"type":"local_shell_call_output","call_id":"call_5","output":"{}"},
{"type":"computer_call_output","call_id":"call_6","output":{"type":"computer_screenshot"}},
{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":false,"reason":"no"},
{"type":"web_search_call","id":"ws_1","action":{"query":"q"}}]}`, `
assistant thinking reasoning id=rs_1 sig=enc "hm"
assistant thinking reasoning id=rs_2 "ab" nospan
assistant tool_call function_call id=call_1 name=f "{\"a\":1}"
tool tool_result function_call_output for=call_1 "done"
assistant tool_call custom_tool_call id=call_2 name=exec "js"
tool tool_result custom_tool_call_output for=call_2 "x"
tool opaque custom_tool_call_output for=call_2 "" nospan
tool tool_result custom_tool_call_output for=call_2 "z"
assistant tool_call shell_call id=call_3 "{\"commands\":[\"ls\"]}" nospan
tool tool_result shell_call_output for=call_3 "out"
tool tool_result shell_call_output for=call_3 "err"
assistant tool_call apply_patch_call id=call_4 "{\"type\":\"delete_file\"}" nospan
tool tool_result apply_patch_call_output for=call_4 "bad" failed
tool tool_result local_shell_call_output for=call_5 "{}"
tool tool_result computer_call_output for=call_6 "" nospan
tool tool_result mcp_approval_response for=mcpr_1 "no" failed
assistant server_tool web_search_call id=ws_1 "{\"query\":\"q\"}" nospan`},
		{"what is not known stays", `{"input":[{"type":"item_reference","id":"msg_1"},{"type":"made_up","x":1},{"id":"only"},7]}`, `
assistant opaque item_reference id=msg_1 "" nospan
assistant opaque made_up "" nospan
assistant opaque  id=only "" nospan
user opaque  "" nospan`},
		{"tools wherever they are declared", `{"tools":[
{"type":"function","name":"f","description":"d","parameters":{"type":"object"}},
{"type":"namespace","name":"functions","tools":[{"type":"custom","name":"exec","format":{"type":"grammar"}},{"type":"namespace","name":"in","tools":[{"type":"function","name":"g"}]}]},
{"type":"web_search_preview"},{"type":"mcp","server_label":"files"},{"type":"tool_search"},{"type":"tool_search","execution":"client"},
{"type":"shell","environment":{"type":"local"}},{"type":"shell","environment":{"type":"container_auto"}},{"type":"apply_patch"},{"type":"computer_use_preview"}],
"input":[{"type":"additional_tools","role":"developer","tools":[{"type":"namespace","name":"n","tools":[{"type":"custom","name":"late"}]}]},
{"type":"tool_search_output","call_id":null,"tools":[{"type":"function","name":"found"}]}]}`, `
system opaque additional_tools "" nospan
tool tool_result tool_search_output "" nospan
tool function f server=false schema={"type":"object"}
tool custom exec server=false schema=
tool function g server=false schema=
tool web_search_preview  server=true schema=
tool mcp files server=true schema=
tool tool_search  server=true schema=
tool tool_search  server=false schema=
tool shell  server=false schema=
tool shell  server=true schema=
tool apply_patch  server=false schema=
tool computer_use_preview  server=false schema=
tool custom late server=false schema=
tool function found server=false schema=`},
	} {
		t.Run(tc.name, func(t *testing.T) { expect(t, sayRequest(readRequest(t, tc.body)), tc.want) })
	}
}

func TestReadRequestScalars(t *testing.T) {
	r := readRequest(t, `{"model":"m","stream":true,"max_output_tokens":12,"temperature":0.5,"previous_response_id":"resp_1","big":12345678901234567890,"input":null,"tools":null}`)
	if r.Model != "m" || !r.Stream || r.MaxTokens != 12 || r.Temperature == nil || *r.Temperature != 0.5 {
		t.Errorf("%+v", r)
	}
	if string(r.Extra["previous_response_id"]) != `"resp_1"` || string(r.Extra["big"]) != "12345678901234567890" || len(r.Extra) != 2 {
		t.Errorf("extra %s", r.Extra)
	}
	group := readRequest(t, `{"tools":[{"type":"namespace","name":"n","tools":[{"type":"custom","name":"a"}]}]}`).Tools[0]
	if !strings.HasPrefix(string(group.Raw), `{"type":"namespace"`) || group.Span.Len() != len(`{"type":"custom","name":"a"}`) {
		t.Errorf("a tool of a group has raw %s and span %v", group.Raw, group.Span)
	}
}

func TestReadRequestRefuses(t *testing.T) {
	for name, body := range map[string]string{
		"nothing":                   ``,
		"an array":                  `[]`,
		"cut":                       `{"model":"m"`,
		"two bodies":                `{}{}`,
		"input twice":               `{"input":"a","input":"b"}`,
		"input twice, escaped":      `{"input":"a","inpu\u0074":"b"}`,
		"input as a number":         `{"input":1}`,
		"tools as an object":        `{"tools":{}}`,
		"a model that is a number":  `{"model":1}`,
		"arguments twice":           `{"input":[{"type":"function_call","arguments":"a","arguments":"b"}]}`,
		"arguments as a number":     `{"input":[{"type":"function_call","arguments":1}]}`,
		"the text of a part twice":  `{"input":[{"role":"user","content":[{"type":"input_text","text":"a","text":"b"}]}]}`,
		"the name of a tool twice":  `{"tools":[{"type":"function","name":"a","name":"b"}]}`,
		"content that is a number":  `{"input":[{"role":"user","content":5}]}`,
		"max_output_tokens as text": `{"max_output_tokens":"5"}`,
	} {
		_, err := openairesponses.ReadRequest([]byte(body))
		var request *llm.RequestError
		if !errors.As(err, &request) || request.Dialect != "openai-responses" {
			t.Errorf("%s: %v, want a *llm.RequestError", name, err)
		}
	}
}

// redact replaces the text at every span of a request and checks that nothing
// else has changed.
func redact(body []byte, r *llm.Request) error {
	visit := func(b *llm.Block) error {
		if b.Span.End > len(body) || !b.Span.IsZero() && !json.Valid(b.Span.In(body)) {
			return fmt.Errorf("span %v of %s is not a value", b.Span, b.Kind)
		}
		if b.BodySpan.IsZero() {
			return nil
		}
		var text string
		if err := json.Unmarshal(b.BodySpan.In(body), &text); err != nil {
			return fmt.Errorf("body span %v of %s is not a string: %w", b.BodySpan, b.Kind, err)
		}
		var e edit.Edits
		e.ReplaceString(b.BodySpan, "[redacted]")
		out, err := e.Apply(nil, body)
		if err != nil {
			return err
		}
		want := string(body[:b.BodySpan.Start]) + `"[redacted]"` + string(body[b.BodySpan.End:])
		if string(out) != want {
			return fmt.Errorf("an edit at %v changed more", b.BodySpan)
		}
		again, err := openairesponses.ReadRequest(out)
		if err != nil {
			return fmt.Errorf("the edited request cannot be read: %w", err)
		}
		if !strings.Contains(sayRequest(again), "[redacted]") {
			return fmt.Errorf("the edit at %v is not seen", b.BodySpan)
		}
		return nil
	}
	for i := range r.System {
		if err := visit(&r.System[i]); err != nil {
			return err
		}
	}
	for i := range r.Messages {
		for j := range r.Messages[i].Blocks {
			if err := visit(&r.Messages[i].Blocks[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestRequestEditsChangeOnlyTheirSpan(t *testing.T) {
	body := []byte(` { "instructions" : "a" , "input" : [ {"role":"user","content":"b"}, {"role":"user","content":[{"text":"c","type":"input_text"}]},
{"type":"function_call","call_id":"1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":[{"type":"input_text","text":"d"}]},
{"type":"reasoning","summary":[{"type":"summary_text","text":"e"}]}]}`)
	if err := redact(body, readRequest(t, string(body))); err != nil {
		t.Error(err)
	}
}

func TestCorpusRequest(t *testing.T) {
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS is not set: it names the directory with the recorded requests")
	}
	body, err := os.ReadFile(filepath.Join(dir, "requests", "openai-responses-multi-tool-results.json"))
	if err != nil {
		t.Fatal(err)
	}
	r := readRequest(t, string(body))
	calls, results := 0, 0
	for _, m := range r.Messages {
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
	if calls != 2 || results != 2 || len(r.Tools) == 0 {
		t.Errorf("%d calls, %d results, %d tools", calls, results, len(r.Tools))
	}
	if err := redact(body, r); err != nil {
		t.Error(err)
	}
}

package policy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/witness"
)

// Clients that translate a tool of the provider like one of their own run it if it has the
// name of one. The provider's own tools pass, also under names that a request declares for
// them.
func TestAttackAToolOfTheProviderHasNoNameOfTheClients(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		block    string
		declared llm.Tool
		passes   bool
	}{
		{"server_tool_use", llm.Tool{Name: "Bash", Schema: []byte(`{}`)}, false},
		{"server_tool_use", llm.Tool{Name: "Bash", Type: "custom"}, false},
		{"server_tool_use", llm.Tool{Name: "Bash", Type: "bash_20250124"}, false},
		{"server_tool_use", llm.Tool{Name: "Bash", Type: "web_search_20250305", Server: true}, true},
		{"server_tool_use", llm.Tool{Name: "Bash", Type: "future_20270101"}, true},
		{"server_tool_use", llm.Tool{Name: "other", Schema: []byte(`{}`)}, true},
		{"mcp_tool_use", llm.Tool{Name: "Bash", Schema: []byte(`{}`)}, true}, // a server's own name
	} {
		x := &policy.Exchange{Request: &llm.Request{Tools: []llm.Tool{tc.declared}}}
		answer := anthropicWith(`{"type":"` + tc.block + `","id":"t","name":"Bash","input":{"command":"ls"}}`)
		left, _, err := withoutHarm(t, wire.Anthropic, x, dataOf(answer)...)
		if passes := err == nil && strings.Contains(strings.Join(left, ""), `"ls"`); passes != tc.passes {
			t.Errorf("%s, declared as %+v: %v\n%s", tc.block, tc.declared, err, strings.Join(left, "\n"))
		}
	}
}

// A tool with a type of its own has no name, and a call says where it runs. Clients go by what
// they declared: one that declared a shell runs the call of a shell, whatever environment the
// call names.
func TestAttackACallOfTheClientsShellIsTheClients(t *testing.T) {
	t.Parallel()
	local := llm.Tool{Type: "shell"}
	for _, tc := range []struct {
		declared []llm.Tool
		call     string
		passes   bool
	}{
		{[]llm.Tool{local}, `"type":"shell_call","environment":{"type":"container_reference","container_id":"c"},"action":{"commands":["ls harm"]}`, false},
		{[]llm.Tool{{Name: "Bash", Type: "function"}, local}, `"environment":{"type":"container_auto"},"type":"shell_call","action":{"commands":["ls harm"]}`, false},
		{[]llm.Tool{{Type: "shell", Server: true}}, `"type":"shell_call","environment":{"type":"container_reference","container_id":"c"},"action":{"commands":["ls harm"]}`, true},
		{[]llm.Tool{{Name: "Bash", Type: "function"}}, `"type":"shell_call","environment":{"type":"container_reference","container_id":"c"},"action":{"commands":["ls harm"]}`, true},
		{[]llm.Tool{local}, `"type":"web_search_call","action":{"type":"search","query":"ls harm"}`, true},
		{[]llm.Tool{{Type: "tool_search"}}, `"type":"tool_search_call","execution":"server","arguments":{"q":"ls harm"}`, false},
		{[]llm.Tool{{Type: "tool_search", Server: true}}, `"type":"tool_search_call","execution":"server","arguments":{"q":"ls harm"}`, true},
	} {
		x := &policy.Exchange{Request: &llm.Request{Tools: tc.declared}}
		item := `{"id":"f","call_id":"a","status":"completed",` + tc.call + `}`
		left, _, err := withoutHarm(t, wire.OpenAIResponses, x, dataOf(responsesWith(item))...)
		if passes := err == nil && strings.Contains(strings.Join(left, ""), "ls harm"); passes != tc.passes || !passes && len(left) > 0 && strings.Contains(strings.Join(left, ""), "harm") {
			t.Errorf("%s, declared as %+v: %v\n%s", tc.call, tc.declared, err, strings.Join(left, "\n"))
		}
	}
}

// dataOf are the payloads of an event stream.
func dataOf(answer string) (payloads []string) {
	for line := range strings.Lines(answer) {
		if payload, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
			payloads = append(payloads, payload)
		}
	}
	return payloads
}

// Bytes that are no UTF-8 are characters to some clients, nothing to others, and an error to
// the rest: no call with them leaves, and it is not the exit that keeps it back.
func TestAttackACallIsUTF8(t *testing.T) {
	t.Parallel()
	for _, format := range wire.Formats() {
		for _, bad := range []string{"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xe4\xb8"} {
			for _, where := range []string{`{"s":"Q7Q X9"}`, `{"s":"X9","t":"Q7Q"}`} {
				blocks := [][]llm.Block{{says("a"), call("good", where), call("bad", `{"s":"b"}`)}}
				payloads := sluicetest.Build(string(format), blocks, sluicetest.BuildOptions{MaxPiece: 1 << 10})
				answer := bytes.ReplaceAll(sluicetest.SSE(string(format), payloads), []byte("Q7Q"), []byte(bad))
				d := noMark(t).Stream(context.Background(), string(format), bytes.NewReader(answer))
				if _, alone := errors.AsType[*witness.UnjudgedError](d.Err); alone || d.Err == nil || bytes.Contains(d.Bytes, []byte(bad)) {
					t.Errorf("%s %q: %v\n%s", format, bad, d.Err, d.Bytes)
				}
			}
			text := sluicetest.SSE(string(format), sluicetest.Build(string(format), [][]llm.Block{{says("a Q7Q b")}}, sluicetest.BuildOptions{}))
			text = bytes.ReplaceAll(text, []byte("Q7Q"), []byte(bad))
			if d := noMark(t).Stream(context.Background(), string(format), bytes.NewReader(text)); d.Err != nil {
				t.Errorf("%s %q: a text: %v", format, bad, d.Err)
			}
		}
	}
}

// A call of the Responses API has its name in up to four events. Where it is missing, empty
// or no text in one of them, clients that read that one would have another call than the
// others: all have the name that was judged, or none.
func TestAttackEveryEventOfACallHasItsName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{`"name":"",`, ``, `"name":null,`, `"name":["good"],`, `"name":1,`, `"name":{},`} {
		for place := range 4 {
			at := func(n int) string {
				if n == place {
					return name
				}
				if n == 1 || n == 2 {
					return "" // the events of the arguments need none
				}
				return `"name":"good",`
			}
			const arguments = `"{\"a\":1}"`
			payloads := []string{
				`{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}`,
				`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"function_call","id":"f","call_id":"c",` + at(3) + `"arguments":"","status":"in_progress"}}`,
				`{"type":"response.function_call_arguments.delta","sequence_number":2,"output_index":0,"item_id":"f",` + at(1) + `"delta":` + arguments + `}`,
				`{"type":"response.function_call_arguments.done","sequence_number":3,"output_index":0,"item_id":"f",` + at(2) + `"arguments":` + arguments + `}`,
				`{"type":"response.output_item.done","sequence_number":4,"output_index":0,"item":{"type":"function_call","id":"f","call_id":"c",` + at(0) + `"arguments":` + arguments + `,"status":"completed"}}`,
				`{"type":"response.completed","sequence_number":5,"response":{"id":"r","object":"response","status":"completed","output":[{"type":"function_call","id":"f","call_id":"c","name":"good","arguments":` + arguments + `,"status":"completed"}]}}`,
			}
			left, allowed, err := withoutHarm(t, wire.OpenAIResponses, nil, payloads...)
			if _, alone := errors.AsType[*witness.UnjudgedError](err); alone {
				t.Errorf("%s at %d: only the exit stopped it: %v", name, place, err)
			}
			for _, p := range left {
				if strings.Contains(p, `"call_id"`) && !strings.Contains(p, `"name":"good"`) {
					t.Errorf("%s at %d: an event without the name (%v, %v)\n%s", name, place, allowed, err, p)
				}
				if strings.Contains(p, `"name":""`) {
					t.Errorf("%s at %d: an empty name left\n%s", name, place, p)
				}
			}
		}
	}
}

// Clients that know an item by its id mix it with another one that ends under that id.
func TestAttackAnItemHasNoIDOfAnother(t *testing.T) {
	t.Parallel()
	item := func(id, name, arguments string) string {
		return fmt.Sprintf(`{"type":"function_call","id":%q,"call_id":"c_%s","name":%q,"arguments":%q,"status":"completed"}`, id, name, name, arguments)
	}
	event := func(kind string, n, index int, item string) string {
		return fmt.Sprintf(`{"type":"response.output_item.%s","sequence_number":%d,"output_index":%d,"item":%s}`, kind, n, index, item)
	}
	left, _, err := withoutHarm(t, wire.OpenAIResponses, nil,
		`{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}`,
		event("added", 1, 0, item("f0", "Bash", "")), event("done", 2, 0, item("f0", "Bash", `{"a":1}`)),
		event("added", 3, 1, item("f1", "note", "")), event("done", 4, 1, item("f0", "note", `{"b":2}`)),
		`{"type":"response.completed","sequence_number":5,"response":{"id":"r","object":"response","status":"completed","output":[`+item("f0", "Bash", `{"a":1}`)+`,`+item("f0", "note", `{"b":2}`)+`]}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range left {
		if strings.Contains(p, `"name":"note"`) && strings.Contains(p, "output_item") && strings.Contains(p, `"id":"f0"`) {
			t.Errorf("an item has the id of another: %s", p)
		}
	}
}

// What stands beside data that no client acts on is searched for calls, too.
func TestAttackNoCallStandsBesideInertData(t *testing.T) {
	t.Parallel()
	for _, member := range []string{`"functionCall "`, `"gadget"`, `"tool_call"`} {
		part := `{"inlineData":{"mimeType":"image/png","data":""},` + member + `:{"name":"good","args":{"s":"X9ZZY"}}}`
		body := `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"},{"functionCall":{"name":"bad","args":{}}},` + part + `]},"finishReason":"STOP","index":0}]}`
		if d := keepsMark(t, member, sluicetest.Gemini, body); d.Err == nil {
			t.Errorf("%s: the answer was not ended", member)
		}
	}
}

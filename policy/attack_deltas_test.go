package policy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// A delta that only the name of its event tells apart is skipped by clients that go by the
// type of the payload. They read what was judged, too.
func TestAttackClientsOfTypesReadTheCallThatWasJudged(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{``, `"type":null,`, `"type":"",`} {
		item := `{"id":"i","type":"function_call","call_id":"c","name":"good","arguments":%s}`
		done := fmt.Sprintf(item, `"{\"n\":1}"`)
		var events strings.Builder
		for _, e := range [][2]string{
			{"response.created", `{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}`},
			{"response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":` + fmt.Sprintf(item, `""`) + `}`},
			{"response.function_call_arguments.delta", `{` + typ + `"item_id":"i","output_index":0,"delta":"{\"n\":"}`},
			{"response.function_call_arguments.delta", `{` + typ + `"item_id":"i","output_index":0,"delta":"1}"}`},
			{"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":` + done + `}`},
			{"response.completed", `{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","output":[` + done + `]}}`},
		} {
			fmt.Fprintf(&events, "event: %s\ndata: %s\n\n", e[0], e[1])
		}
		d := noMark(t).Stream(t.Context(), string(wire.OpenAIResponses), strings.NewReader(events.String()))
		var read string
		for _, payload := range dataOf(string(d.Bytes)) {
			var e struct {
				Type  string `json:"type"`
				Delta string `json:"delta"`
			}
			if err := json.Unmarshal([]byte(payload), &e); err != nil {
				t.Fatal(err)
			}
			if e.Type == "response.function_call_arguments.delta" {
				read += e.Delta
			}
		}
		if d.Err == nil && read != `{"n":1}` {
			t.Errorf("deltas with %q: a client reads %q\n%s", typ, read, d.Bytes)
		}
	}
}

// A call that is added without an id gets it from its deltas. Clients that go by ids find
// the call that was judged.
func TestAttackClientsOfIDsReadTheCallThatWasJudged(t *testing.T) {
	t.Parallel()
	for _, id := range []string{``, `"id":null,`, `"id":"",`, `"id":["i"],`, `"id":0,`, `"id":"i",`} {
		item := `{%s"type":"function_call","call_id":"c","name":"good","arguments":%s}`
		done := fmt.Sprintf(item, `"id":"i",`, `"{\"n\":1}"`)
		left, _, err := withoutHarm(t, wire.OpenAIResponses, nil,
			`{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}`,
			`{"type":"response.output_item.added","output_index":0,"item":`+fmt.Sprintf(item, id, `""`)+`}`,
			`{"type":"response.function_call_arguments.delta","item_id":"i","output_index":0,"delta":"{\"n\":1}"}`,
			`{"type":"response.output_item.done","output_index":0,"item":`+done+`}`,
			`{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","output":[`+done+`]}}`)
		read := make(map[any]string)
		for _, payload := range left {
			var e struct {
				Type   string `json:"type"`
				Delta  string `json:"delta"`
				ItemID string `json:"item_id"`
				Item   struct {
					ID any `json:"id"`
				} `json:"item"`
			}
			if err := json.Unmarshal([]byte(payload), &e); err != nil {
				t.Fatal(err)
			}
			switch _, found := read[e.ItemID]; {
			case e.Type == "response.output_item.added":
				read[fmt.Sprint(e.Item.ID)] = ""
			case e.Type == "response.function_call_arguments.delta" && found:
				read[e.ItemID] += e.Delta
			}
		}
		for at, arguments := range read {
			if err == nil && arguments != `{"n":1}` {
				t.Errorf("added with %q: a client reads %q as %v\n%s", id, arguments, at, strings.Join(left, "\n"))
			}
		}
	}
}

// The end of a call's arguments can name the tool. One without arguments, before its item
// began, would be a call of that tool to some clients, which nobody has judged.
func TestAttackTheEndOfNoArgumentsIsNoCall(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{``, `"arguments":null,`} {
		for _, at := range []string{`"output_index":0,`, `"item_id":"i",`, `"output_index":0,"item_id":"i",`} {
			item := `{"id":"i","type":"function_call","call_id":"c","name":"harm","arguments":"{}"}`
			left, _, err := withoutHarm(t, wire.OpenAIResponses, nil,
				`{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}`,
				`{"type":"response.function_call_arguments.done",`+at+arguments+`"name":"harm"}`,
				`{"type":"response.output_item.done","output_index":0,"item":`+item+`}`,
				`{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","output":[`+item+`]}}`)
			if strings.Contains(strings.Join(left, ""), `"name":"harm"`) {
				t.Errorf("%s %s: %v\n%s", at, arguments, err, strings.Join(left, "\n"))
			}
		}
	}
}

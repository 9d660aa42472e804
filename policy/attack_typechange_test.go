package policy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
	"github.com/sluice-project/sluice/wire/witness"
)

// itemTypes are items as they end, by type; each call speaks of X9ZZY.
var itemTypes = map[string]string{
	"message":              `{"id":"%[1]s","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"fine","annotations":[]}]}`,
	"reasoning":            `{"id":"%[1]s","type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}`,
	"function_call":        `{"id":"%[1]s","type":"function_call","call_id":"c%[1]s","name":"Bash","arguments":"{\"command\":\"X9ZZY\"}","status":"completed"}`,
	"custom_tool_call":     `{"id":"%[1]s","type":"custom_tool_call","call_id":"c%[1]s","name":"shell","input":"X9ZZY"}`,
	"local_shell_call":     `{"id":"%[1]s","type":"local_shell_call","call_id":"c%[1]s","action":{"type":"exec","command":["X9ZZY"]},"status":"completed"}`,
	"shell_call":           `{"id":"%[1]s","type":"shell_call","call_id":"c%[1]s","action":{"commands":["X9ZZY"]},"status":"completed"}`,
	"apply_patch_call":     `{"id":"%[1]s","type":"apply_patch_call","call_id":"c%[1]s","operation":{"type":"delete_file","path":"X9ZZY"},"status":"completed"}`,
	"computer_call":        `{"id":"%[1]s","type":"computer_call","call_id":"c%[1]s","action":{"type":"type","text":"X9ZZY"},"status":"completed"}`,
	"mcp_approval_request": `{"id":"%[1]s","type":"mcp_approval_request","name":"run","server_label":"s","arguments":"{\"c\":\"X9ZZY\"}"}`,
	"teleport_call":        `{"id":"%[1]s","type":"teleport_call","call_id":"c%[1]s","name":"go","arguments":"{\"c\":\"X9ZZY\"}"}`,
	"web_search_call":      `{"id":"%[1]s","type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}}`,
}

func itemOf(typ, id string) string { return fmt.Sprintf(itemTypes[typ], id) }

// numbers are ways to say which item an event is about: members for the first and
// the second item.
var numbers = map[string][2]string{
	"apart":      {`,"output_index":0`, `,"output_index":1`},
	"the same":   {`,"output_index":0`, `,"output_index":0`},
	"none":       {``, ``},
	"only first": {`,"output_index":0`, ``},
	"only last":  {``, `,"output_index":0`},
	"backwards":  {`,"output_index":1`, `,"output_index":0`},
}

// typeChange is an answer in which an item begins as one type and ends as another.
func typeChange(from, to, index, middle, id string, completed bool) string {
	at := numbers[index]
	begun := map[string]any{}
	_ = json.Unmarshal([]byte(itemOf(from, "i1")), &begun)
	for _, key := range []string{"arguments", "input"} {
		if _, ok := begun[key]; ok {
			begun[key] = ""
		}
	}
	if from == "message" {
		begun["content"] = []any{}
	}
	added, _ := json.Marshal(begun)
	payloads := []string{
		`{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}`,
		`{"type":"response.output_item.added"` + at[0] + `,"item":` + string(added) + `}`,
	}
	switch middle {
	case "empty part":
		payloads = append(payloads, `{"type":"response.content_part.added","item_id":"i1"`+at[0]+`,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}`)
	case "text":
		payloads = append(payloads, `{"type":"response.output_text.delta","item_id":"i1"`+at[0]+`,"content_index":0,"delta":"hello"}`)
	case "arguments":
		payloads = append(payloads, `{"type":"response.function_call_arguments.delta","item_id":"i1"`+at[0]+`,"delta":"{\"command\":\"X9ZZY\"}"}`)
	}
	last := itemOf(to, id)
	payloads = append(payloads, `{"type":"response.output_item.done"`+at[1]+`,"item":`+last+`}`)
	output := ""
	if completed {
		output = last
	}
	payloads = append(payloads, `{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","model":"m","output":[`+output+`]}}`)
	return string(sluicetest.SSE(sluicetest.OpenAIResponses, payloads))
}

// However an item changes its type on the way, and whatever its events are numbered,
// nothing of a blocked call reaches the client.
func TestAttackAnItemThatEndsAsAnotherTypeIsJudgedAsWhatItEndsAs(t *testing.T) {
	n := sluicetest.Enforcement{Set: set(t, harmless())}
	tried, wanted := 0, every(7)
	for _, from := range slices.Sorted(maps.Keys(itemTypes)) {
		for _, to := range slices.Sorted(maps.Keys(itemTypes)) {
			for _, index := range slices.Sorted(maps.Keys(numbers)) {
				for _, middle := range []string{"nothing", "empty part", "text", "arguments"} {
					for _, id := range []string{"i1", "i2"} {
						for _, completed := range []bool{true, false} {
							if !wanted() || from == "web_search_call" && middle == "arguments" {
								continue // the provider's own arguments, which nobody runs
							}
							events := typeChange(from, to, index, middle, id, completed)
							d := n.Stream(context.Background(), sluicetest.OpenAIResponses, strings.NewReader(events))
							tried++
							if leaks(d) {
								t.Errorf("%s to %s, numbers %s, %s, id %s: a part of a blocked call left\n%s\nbecame\n%s", from, to, index, middle, id, events, d.Bytes)
							}
							if unjudged := new(witness.UnjudgedError); errors.As(d.Err, &unjudged) {
								t.Errorf("%s to %s, numbers %s, %s, id %s: only the witness stopped it: %v\n%s", from, to, index, middle, id, d.Err, events)
							}
							if t.Failed() && tried%50 == 0 {
								return
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d answers", tried)
}

// An item that was cut off by another one and then ends after all is judged as what it
// ends as.
func TestAttackAnItemThatEndsAfterItWasCutOffIsJudged(t *testing.T) {
	judged := sluicetest.Enforcement{Set: set(t, harmless())}
	places := []string{``, `,"output_index":0`, `,"output_index":1`}
	wanted := every(5)
	for _, from := range slices.Sorted(maps.Keys(itemTypes)) {
		for _, other := range slices.Sorted(maps.Keys(itemTypes)) {
			for n := range 27 {
				at := [3]string{places[n%3], places[n/3%3], places[n/9]}
				if from == other || !wanted() {
					continue
				}
				last := itemOf(from, "i1")
				events := string(sluicetest.SSE(sluicetest.OpenAIResponses, []string{
					`{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}`,
					`{"type":"response.output_item.added"` + at[0] + `,"item":` + last + `}`,
					`{"type":"response.output_item.done"` + at[1] + `,"item":` + itemOf(other, "i2") + `}`,
					`{"type":"response.output_item.done"` + at[2] + `,"item":` + last + `}`,
					`{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","model":"m","output":[` + last + `]}}`,
				}))
				d := judged.Stream(context.Background(), sluicetest.OpenAIResponses, strings.NewReader(events))
				if leaks(d) {
					t.Errorf("%s cut off by %s at %q: a part of a blocked call left\n%s\nbecame\n%s", from, other, at, events, d.Bytes)
				}
				if unjudged := new(witness.UnjudgedError); errors.As(d.Err, &unjudged) {
					t.Errorf("%s cut off by %s at %q: only the witness stopped it: %v\n%s", from, other, at, d.Err, events)
				}
			}
		}
	}
}

// A call that begins under one name and ends under another leaves under the name
// that was judged, in every event.
func TestAttackACallHasOneNameInEveryEvent(t *testing.T) {
	for _, names := range [][3]string{{"bad", "good", ""}, {"good", "good", "bad"}, {"bad", "good", "bad"}, {"", "good", "bad"}} {
		begun := `{"id":"i1","type":"function_call","call_id":"c1","name":"` + names[0] + `","arguments":"","status":"in_progress"}`
		done := `{"id":"i1","type":"function_call","call_id":"c1","name":"` + names[1] + `","arguments":"{\"a\":1}","status":"completed"}`
		told := ""
		if names[2] != "" {
			told = `,"name":"` + names[2] + `"`
		}
		events := string(sluicetest.SSE(sluicetest.OpenAIResponses, []string{
			`{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}`,
			`{"type":"response.output_item.added","output_index":0,"item":` + begun + `}`,
			`{"type":"response.function_call_arguments.delta","item_id":"i1","output_index":0,"delta":"{\"a\":1}"}`,
			`{"type":"response.function_call_arguments.done","item_id":"i1","output_index":0,"arguments":"{\"a\":1}"` + told + `}`,
			`{"type":"response.output_item.done","output_index":0,"item":` + done + `}`,
			`{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","model":"m","output":[` + done + `]}}`,
		}))
		d := judged(t, sluicetest.OpenAIResponses, events, harmless())
		if d.Err != nil || bytes.Contains(d.Bytes, []byte(`"bad"`)) || len(d.Report.Calls) != 1 {
			t.Errorf("%q: err %v, calls %+v\n%s", names, d.Err, d.Report.Calls, d.Bytes)
		}
	}
}

// leaky is a writer that lets a call slip in beside what it is asked to write.
type leaky struct {
	stream.Writer
	extra []byte
}

func (w *leaky) Write(dst []byte, c *stream.Chunk) ([]byte, error) {
	dst, err := w.Writer.Write(dst, c)
	if w.Edited() {
		dst, w.extra = append(dst, w.extra...), nil
	}
	return dst, err
}

// A defect of a writer does not reach a client: what leaves is read once more.
func TestAttackACallThatAWriterLetsSlipIsStoppedAtTheExit(t *testing.T) {
	for format, payload := range map[wire.Format]string{
		wire.OpenAIResponses: `{"type":"response.output_item.done","output_index":7,"item":` + itemOf("function_call", "i9") + `}`,
		wire.OpenAIChat:      `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":3,"id":"x","function":{"name":"good","arguments":"{\"a\":\"X9ZZY\"}"}}]}}]}`,
		wire.Anthropic:       `{"type":"content_block_start","index":9,"content_block":{"type":"tool_use","id":"t","name":"bad","input":{}}}`,
		wire.Gemini:          `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"good","args":{"a":"X9ZZY"}}}]}}]}`,
	} {
		engine := policy.NewEngine(set(t, harmless()), nil, policy.Options{Format: format})
		var left []byte
		out := stream.NewOutput(&leaky{Writer: format.NewWriter(engine.WriterOptions()), extra: sse.AppendEvent(nil, "", []byte(payload))}, func(p []byte) error {
			left = append(left, p...)
			return nil
		})
		events := sluicetest.SSE(string(format), sluicetest.Build(string(format), [][]llm.Block{{call("good", `{"a":1}`), call("bad", `{"b":2}`)}}, sluicetest.BuildOptions{}))
		err := engine.Run(context.Background(), &leakySource{reader: sse.NewReader(bytes.NewReader(events), sse.Options{})}, out, policy.RunOptions{})
		if unjudged := new(witness.UnjudgedError); !errors.As(err, &unjudged) {
			t.Errorf("%s: got %v\n%s", format, err, left)
		}
		if bytes.Contains(left, []byte("X9ZZY")) || bytes.Contains(left, []byte(`"bad","input"`)) || !bytes.Contains(left, []byte("no policy has allowed")) {
			t.Errorf("%s: the client got\n%s", format, left)
		}
	}
}

type leakySource struct{ reader *sse.Reader }

func (s *leakySource) Next() (string, []byte, error) {
	ev, err := s.reader.Next()
	if err != nil {
		return "", nil, err
	}
	return string(ev.Name), ev.Data, nil
}

// An item that ends twice, in the same form or in another, is judged each time.
func TestAttackAnItemThatEndsTwiceIsJudgedTwice(t *testing.T) {
	judged := sluicetest.Enforcement{Set: set(t, harmless())}
	for _, typ := range slices.Sorted(maps.Keys(itemTypes)) {
		last := itemOf(typ, "i1")
		var item map[string]any
		_ = json.Unmarshal([]byte(last), &item)
		for _, member := range []string{"arguments", "input", "action", "operation", "content", "summary"} {
			delete(item, member)
		}
		bare, _ := json.Marshal(item)
		for _, at := range slices.Sorted(maps.Keys(numbers)) {
			for _, order := range [][2]string{{string(bare), last}, {last, string(bare)}, {last, last}} {
				events := string(sluicetest.SSE(sluicetest.OpenAIResponses, []string{
					`{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}`,
					`{"type":"response.output_item.done"` + numbers[at][0] + `,"item":` + order[0] + `}`,
					`{"type":"response.output_item.done"` + numbers[at][1] + `,"item":` + order[1] + `}`,
					`{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","model":"m","output":[` + last + `]}}`,
				}))
				d := judged.Stream(context.Background(), sluicetest.OpenAIResponses, strings.NewReader(events))
				if leaks(d) {
					t.Errorf("%s twice, numbers %s: a part of a blocked call left\n%s\nbecame\n%s", typ, at, events, d.Bytes)
				}
				if unjudged := new(witness.UnjudgedError); errors.As(d.Err, &unjudged) {
					t.Errorf("%s twice, numbers %s: only the witness stopped it: %v\n%s", typ, at, d.Err, events)
				}
			}
		}
	}
}

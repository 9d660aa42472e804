package policy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

// interleavings are all orders of the elements of two lists that keep the order of each.
func interleavings(a, b []string) [][]string {
	if len(a) == 0 || len(b) == 0 {
		return [][]string{slices.Concat(a, b)}
	}
	var all [][]string
	for _, rest := range interleavings(a[1:], b) {
		all = append(all, append([]string{a[0]}, rest...))
	}
	for _, rest := range interleavings(a, b[1:]) {
		all = append(all, append([]string{b[0]}, rest...))
	}
	return all
}

// piece is an event of an answer as a client without places sees it.
type piece struct {
	Type   string `json:"type"`
	ItemID string `json:"item_id"`
	Delta  any    `json:"delta"`
	Block  struct {
		Type string `json:"type"`
		Name string `json:"name"`
	} `json:"content_block"`
	Item struct {
		ID   string `json:"id"`
		Type string `json:"type"`
		Name string `json:"name"`
	} `json:"item"`
	Arguments *string `json:"arguments"`
}

func piecesOf(t *testing.T, sent []byte) (pieces []piece) {
	t.Helper()
	for line := range bytes.Lines(sent) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		var p piece
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// readWithoutPlaces reads the calls of an answer as clients do that ignore where a piece belongs:
// they add it to the block that began last, and end that one at the next end.
func readWithoutPlaces(t *testing.T, sent []byte) (calls []string) {
	t.Helper()
	name, arguments := "", ""
	ends := func(arguments string) {
		if name != "" {
			calls = append(calls, name+" "+arguments)
		}
	}
	for _, p := range piecesOf(t, sent) {
		switch p.Type {
		case "content_block_start":
			if name, arguments = "", ""; p.Block.Type == "tool_use" {
				name = p.Block.Name
			}
		case "content_block_delta":
			if members, ok := p.Delta.(map[string]any); ok {
				text, _ := members["partial_json"].(string)
				arguments += text
			}
		case "content_block_stop":
			ends(arguments)
		case "response.output_item.added":
			if name, arguments = "", ""; p.Item.Type == "function_call" {
				name = p.Item.Name
			}
		case "response.function_call_arguments.delta":
			text, _ := p.Delta.(string)
			arguments += text
		case "response.function_call_arguments.done":
			ends(*p.Arguments)
		case "response.output_item.done":
			if p.Item.Type == "function_call" {
				ends(arguments)
			}
		}
	}
	return calls
}

func messagesBlock(index int, block string, deltas ...string) []string {
	events := []string{fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, block)}
	for _, d := range deltas {
		events = append(events, fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, d))
	}
	return append(events, fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index))
}

func messagesOf(events ...string) string {
	return string(sluicetest.SSE(sluicetest.Anthropic, slices.Concat([]string{
		`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
	}, events, []string{
		`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9}}`,
		`{"type":"message_stop"}`,
	})))
}

func callItem(number int, name, arguments, status string) string {
	return fmt.Sprintf(`{"type":"function_call","id":"f%d","call_id":"c%d","name":%q,"arguments":%q,"status":%q}`, number, number, name, arguments, status)
}

func callEvents(number int, name, first, second string) []string {
	at := fmt.Sprintf(`"item_id":"f%d","output_index":%d`, number, number)
	return []string{
		fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":%s}`, number, callItem(number, name, "", "in_progress")),
		fmt.Sprintf(`{"type":"response.function_call_arguments.delta",%s,"delta":%q}`, at, first),
		fmt.Sprintf(`{"type":"response.function_call_arguments.delta",%s,"delta":%q}`, at, second),
		fmt.Sprintf(`{"type":"response.function_call_arguments.done",%s,"arguments":%q}`, at, first+second),
		fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":%s}`, number, callItem(number, name, first+second, "completed")),
	}
}

func answerOf(output string, events ...string) string {
	return string(sluicetest.SSE(sluicetest.OpenAIResponses, slices.Concat([]string{
		`{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
	}, events, []string{
		`{"type":"response.completed","response":{"id":"resp_1","object":"response","status":"completed","model":"m","output":[` + output + `],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}`,
	})))
}

// Whatever overlaps with a call, and however, clients that ignore places get no call but
// those that were judged.
func TestAttackOverlappingCallsAreReadInOrder(t *testing.T) {
	t.Parallel()
	check := func(format, answer string) {
		t.Helper()
		judged, d := judgedCalls(t, format, answer)
		if d.Err != nil {
			t.Errorf("%v\n%s", d.Err, answer)
		}
		got := readWithoutPlaces(t, d.Bytes)
		for _, call := range got {
			if !slices.Contains(judged, call) {
				t.Errorf("%q was not judged, only %q\n%s\nbecame\n%s", call, judged, answer, d.Bytes)
			}
		}
		if len(got) == 0 {
			t.Errorf("no call arrived of\n%s\nwhich became\n%s", answer, d.Bytes)
		}
	}
	text := messagesBlock(0, `{"type":"text","text":""}`, `{"type":"text_delta","text":"hello"}`)
	input := func(part string) string { return fmt.Sprintf(`{"type":"input_json_delta","partial_json":%q}`, part) }
	first := messagesBlock(0, `{"type":"tool_use","id":"t0","name":"one","input":{}}`, input(`{"a":`), input(`1}`))
	second := messagesBlock(1, `{"type":"tool_use","id":"t1","name":"two","input":{}}`, input(`{"b":`), input(`2}`))
	for _, before := range [][]string{text, first} {
		for _, events := range interleavings(before[1:], second) {
			check(sluicetest.Anthropic, messagesOf(append([]string{before[0]}, events...)...))
		}
	}
	message := `{"type":"message","id":"m0","role":"assistant","status":"completed","content":[{"type":"output_text","text":"hello","annotations":[]}]}`
	words := []string{
		`{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m0","role":"assistant","status":"in_progress","content":[]}}`,
		`{"type":"response.content_part.added","item_id":"m0","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}`,
		`{"type":"response.output_text.delta","item_id":"m0","output_index":0,"content_index":0,"delta":"hello"}`,
		`{"type":"response.output_item.done","output_index":0,"item":` + message + `}`,
	}
	two := callItem(1, "two", `{"b":2}`, "completed")
	for _, before := range []struct {
		item   string
		events []string
	}{{message, words}, {callItem(0, "one", `{"a":1}`, "completed"), callEvents(0, "one", `{"a":`, `1}`)}} {
		for _, events := range interleavings(before.events[1:], callEvents(1, "two", `{"b":`, `2}`)) {
			check(sluicetest.OpenAIResponses, answerOf(before.item+","+two, append([]string{before.events[0]}, events...)...))
		}
	}
}

// An end that comes again is not the end of the call that began meanwhile, and a call in
// pieces has no other one within it.
func TestAttackACallEndsWithItsOwnEnd(t *testing.T) {
	t.Parallel()
	first, second := callEvents(0, "one", `{"a":`, `1}`), callEvents(1, "two", `{"b":`, `2}`)
	items := callItem(0, "one", `{"a":1}`, "completed") + "," + callItem(1, "two", `{"b":2}`, "completed")
	for at := 1; at <= len(second); at++ {
		judged, d := judgedCalls(t, sluicetest.OpenAIResponses, answerOf(items, slices.Concat(first, second[:at], first[4:], second[at:])...))
		for _, call := range readWithoutPlaces(t, d.Bytes) {
			if !slices.Contains(judged, call) {
				t.Errorf("%q was not judged, only %q\n%s", call, judged, d.Bytes)
			}
		}
	}
	parts := func(parts, finish string) string {
		return `{"candidates":[{"index":0,"content":{"role":"model","parts":[` + parts + `]}` + finish + `}]}`
	}
	d := judged(t, sluicetest.Gemini, string(sluicetest.SSE(sluicetest.Gemini, []string{
		parts(`{"functionCall":{"name":"good","willContinue":true}}`, ""),
		parts(`{"functionCall":{"partialArgs":[{"jsonPath":"$.s","stringValue":"a","willContinue":true}],"willContinue":true}},{"type":"gadget_call","what":"b"}`, ""),
		parts(`{"functionCall":{}}`, `,"finishReason":"STOP"`),
	})), allows("all"))
	if d.Err != nil || bytes.Contains(d.Bytes, []byte("partialArgs")) || !bytes.Contains(d.Bytes, []byte(`{"s":"a"}`)) {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
}

// A client that goes by ids finds every piece of a call, whatever ids the provider gives
// its events, or if it gives them none.
func TestAttackPiecesOfACallHaveItsID(t *testing.T) {
	t.Parallel()
	bad := callEvents(0, "bad", `{"s":`, `"X9ZZY"}`)
	for _, ids := range [][]string{{`"x1"`, `"x2"`, `"x3"`}, {"", "", `"f1"`}, {"", "", ""}} {
		for _, before := range [][]string{nil, bad} {
			events := callEvents(1, "one", `{"a":`, `1}`)
			for i, id := range ids {
				member := ""
				if id != "" {
					member = `"item_id":` + id + `,`
				}
				events[1+i] = strings.Replace(events[1+i], `"item_id":"f1",`, member, 1)
			}
			d := judged(t, sluicetest.OpenAIResponses, answerOf(callItem(1, "one", `{"a":1}`, "completed"), slices.Concat(before, events)...), blockNamed("bad"))
			ids, names, read := []string{}, make(map[string]string), make(map[string]string)
			for _, p := range piecesOf(t, d.Bytes) {
				switch {
				case p.Type == "response.output_item.added" && p.Item.Type == "function_call":
					ids = append(ids, p.Item.ID)
					names[p.Item.ID] = p.Item.Name
				case p.Type == "response.function_call_arguments.delta":
					text, _ := p.Delta.(string)
					read[p.ItemID] += text
				}
			}
			if d.Err != nil || len(ids) != 1 || names[ids[0]] != "one" || read[ids[0]] != `{"a":1}` || len(read) != 1 {
				t.Errorf("%q: %v, names %q, arguments %q\n%s", ids, d.Err, names, read, d.Bytes)
			}
		}
	}
}

// A call that was never added gets no name but its own, even if nothing else of the answer
// says that it has begun.
func TestAttackACallThatWasNeverAddedHasItsName(t *testing.T) {
	t.Parallel()
	for _, id := range []string{`"id":"resp_1",`, `"id":"",`, ""} {
		answer := answerOf(callItem(1, "two", `{"b":2}`, "completed"), slices.Concat(callEvents(0, "bad", `{`, `}`), callEvents(1, "two", `{"b":`, `2}`)[1:])...)
		d := judged(t, sluicetest.OpenAIResponses, strings.Replace(strings.Replace(answer, `"id":"resp_1",`, id, 1), `,"model":"m"`, "", 1), blockNamed("bad"))
		if d.Err != nil || bytes.Contains(d.Bytes, []byte("unknown")) || !bytes.Contains(d.Bytes, []byte(`"name":"two"`)) {
			t.Errorf("%s: %v\n%s", id, d.Err, d.Bytes)
		}
	}
}

// A message that is whole when it is added keeps its position, and its place in the final
// output, if a later call is blocked.
func TestAMessageThatIsAddedWholeIsCounted(t *testing.T) {
	t.Parallel()
	message := `{"type":"message","id":"m0","role":"assistant","status":"completed","content":[{"type":"output_text","text":"hello","annotations":[]}]}`
	d := judged(t, sluicetest.OpenAIResponses, answerOf(message+","+callItem(1, "bad", `{"s":"X9ZZY"}`, "completed")+","+callItem(2, "good", `{"b":2}`, "completed"), slices.Concat(
		[]string{`{"type":"response.output_item.added","output_index":0,"item":` + message + `}`, `{"type":"response.output_item.done","output_index":0,"item":` + message + `}`},
		callEvents(1, "bad", `{"s":`, `"X9ZZY"}`), callEvents(2, "good", `{"b":`, `2}`))...), harmless())
	final := d.Bytes[bytes.LastIndex(d.Bytes, []byte("data: ")):]
	if d.Err != nil || d.Invalid != nil || !bytes.Contains(final, []byte(message)) || !bytes.Contains(d.Bytes, []byte(`"output_index":2,"item":`+callItem(2, "good", `{"b":2}`, "completed"))) {
		t.Errorf("%v, %v\n%s", d.Err, d.Invalid, d.Bytes)
	}
}

// A client that begins anew at message_start has the blocks that it counts: the event
// leaves before all of them, and once.
func TestAttackAMessageBeginsBeforeItsBlocks(t *testing.T) {
	t.Parallel()
	text := messagesBlock(0, `{"type":"text","text":""}`, `{"type":"text_delta","text":"hello"}`)
	calls := messagesBlock(1, `{"type":"tool_use","id":"t1","name":"good","input":{}}`, `{"type":"input_json_delta","partial_json":"{}"}`)
	whole := messagesOf(slices.Concat(text, calls)...)
	start, rest, _ := strings.Cut(whole, "\n\n")
	parts := strings.SplitAfter(rest, "\n\n")
	for at := 1; at <= len(text); at++ {
		late := strings.Join(parts[:at], "") + start + "\n\n" + strings.Join(parts[at:], "")
		for _, answer := range []string{late, start + "\n\n" + late} {
			d := judged(t, sluicetest.Anthropic, answer, harmless())
			if d.Err != nil || d.Invalid != nil || !bytes.HasPrefix(d.Bytes, []byte("event: message_start")) || bytes.Count(d.Bytes, []byte("event: message_start")) != 1 {
				t.Errorf("after %d events: %v, %v\n%s", at, d.Err, d.Invalid, d.Bytes)
			}
		}
	}
}

// Clients that read the first candidate of a payload only have all pieces of a call.
func TestAttackACandidateIsThereOnce(t *testing.T) {
	t.Parallel()
	piece := func(text string) string {
		return `{"index":0,"content":{"role":"model","parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.s","stringValue":"` + text + `","willContinue":true}],"willContinue":true}}]}}`
	}
	d := judged(t, sluicetest.Gemini, string(sluicetest.SSE(sluicetest.Gemini, []string{
		`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"name":"good","willContinue":true}}]}}]}`,
		`{"candidates":[` + piece("a") + `,` + piece("b") + `]}`,
		`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}`,
	})), harmless())
	if d.Err == nil || bytes.Contains(d.Bytes, []byte("good")) {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
}

// A whole answer that ends a stream is sent as events of one line each, however it arrived.
func TestAttackAWholeAnswerInAStreamHasOneLineEach(t *testing.T) {
	t.Parallel()
	whole := "{\n\"id\":\"resp_1\",\"object\":\"response\",\"status\":\"completed\",\"model\":\"m\",\"output\":[" + strings.ReplaceAll(callItem(1, "good", `{"b":2}`, "completed"), ",", ",\n") + "]}"
	bad := callEvents(0, "bad", `{"s":`, `"X9ZZY"}`)
	answer := string(sluicetest.SSE(sluicetest.OpenAIResponses, slices.Concat([]string{
		`{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`,
	}, bad))) + "data: " + strings.ReplaceAll(whole, "\n", "\ndata: ") + "\n\n"
	d := judged(t, sluicetest.OpenAIResponses, answer, harmless())
	if d.Err != nil || !bytes.Contains(d.Bytes, []byte(`\"b\":2`)) {
		t.Errorf("%v\n%s", d.Err, d.Bytes)
	}
	piecesOf(t, d.Bytes) // each line is a payload
}

// Half of a surrogate pair in the path of a piece has another form in every client: the
// call is written whole, and not stopped by the last look at what leaves.
func TestAttackHalfACharacterInAPathIsOneCall(t *testing.T) {
	t.Parallel()
	for _, half := range []string{`\ud800`, `\udc00`, `\ud800x\udc00`} {
		part := func(call string) string {
			return `{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":` + call + `}]}}]}`
		}
		_, d := judgedCalls(t, sluicetest.Gemini, string(sluicetest.SSE(sluicetest.Gemini, []string{
			part(`{"name":"good","willContinue":true}`),
			part(`{"partialArgs":[{"jsonPath":"$.a` + half + `b","stringValue":"c","willContinue":true}],"willContinue":true}`),
			part(`{}`), part(`{"name":"bad","args":{}}`),
			`{"candidates":[{"index":0,"content":{"role":"model","parts":[]},"finishReason":"STOP"}]}`,
		})))
		if d.Err != nil || bytes.Contains(d.Bytes, []byte("partialArgs")) {
			t.Errorf("%s: %v\n%s", half, d.Err, d.Bytes)
		}
	}
}

// Of a choice that is not the first of its payload some clients read nothing, and others
// look a call up by an id that comes late: its pieces leave together.
func TestAttackPiecesOfAChatCallLeaveTogether(t *testing.T) {
	t.Parallel()
	named := `{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"good","arguments":""}}]}}`
	given := `{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":1}"}}]}}`
	for name, choices := range map[string][]string{
		"a second choice": {named, `{"index":2,"delta":null},` + given, chatCallsEnd},
		"an id that comes late": {
			strings.Replace(named, `"id":"a",`, "", 1), strings.Replace(given, `"function"`, `"id":"a","function"`, 1), chatCallsEnd,
		},
	} {
		d := judged(t, sluicetest.OpenAIChat, chatOf(choices...), harmless())
		whole := false
		for p := range bytes.SplitSeq(d.Bytes, []byte("\n\n")) {
			whole = whole || bytes.Contains(p, []byte(`"choices":[{"index":0`)) && bytes.Contains(p, []byte(`"id":"a"`)) && bytes.Contains(p, []byte(`"good"`)) && bytes.Contains(p, []byte(`\"a\":1`))
		}
		if d.Err != nil || !whole {
			t.Errorf("%s: %v\n%s", name, d.Err, d.Bytes)
		}
	}
}

// Clients that go by the type of a delta read the input of a call that another client reads
// without it.
func TestAttackPiecesOfInputHaveTheirType(t *testing.T) {
	t.Parallel()
	for _, delta := range []string{`{"type":"","partial_json":"{\"a\":1}"}`, `{"partial_json":"{\"a\":1}"}`} {
		d := judged(t, sluicetest.Anthropic, anthropicWith(`{"type":"tool_use","id":"t","name":"good","input":{}}`, delta), harmless())
		if d.Err != nil || d.Invalid != nil || !bytes.Contains(d.Bytes, []byte(`{"type":"input_json_delta","partial_json":"{\"a\":1}"}`)) {
			t.Errorf("%s: %v, %v\n%s", delta, d.Err, d.Invalid, d.Bytes)
		}
	}
}

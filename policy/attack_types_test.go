package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// byName returns a policy that lets a tool of the client do anything, and others only what
// does not speak of X9ZZY.
func byName(name string) policy.Definition {
	return policy.Func("by-name", func(s *policy.Subject) policy.Verdict {
		if s.Block.Name != name && strings.Contains(s.Text(), "X9ZZY") {
			return policy.Verdict{Action: policy.Block}
		}
		return policy.Verdict{Action: policy.Allow}
	})
}

const responsesBegin = `{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}`

func responsesEnd(items ...string) string {
	return `{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","model":"m","output":[` + strings.Join(items, ",") + `]}}`
}

func itemEvent(kind string, index int, item string) string {
	return fmt.Sprintf(`{"type":"response.output_item.%s","output_index":%d,"item":%s}`, kind, index, item)
}

func responsesOf(payloads ...string) string {
	return string(sluicetest.SSE(sluicetest.OpenAIResponses, payloads))
}

// withMember returns an object with one more member.
func withMember(object, member string) string { return "{" + member + "," + object[1:] }

// Clients know a tool that is built in, and one of a type that is new here, by the type:
// a name beside it does not make the call one of the client's own tools.
func TestAttackTheTypeOfACallIsNotHiddenByAName(t *testing.T) {
	t.Parallel()
	for typ, item := range map[string]string{
		"local_shell_call": itemOf("local_shell_call", "i"), "shell_call": itemOf("shell_call", "i"),
		"apply_patch_call": itemOf("apply_patch_call", "i"), "computer_call": itemOf("computer_call", "i"),
		"teleport_call": strings.Replace(itemOf("teleport_call", "i"), `"name":"go",`, "", 1),
	} {
		n := sluicetest.Enforcement{Set: set(t, byName("memory"))}
		named := withMember(item, `"name":"memory"`)
		for where, events := range map[string][]string{
			"everywhere":           {responsesBegin, itemEvent("added", 0, named), itemEvent("done", 0, named), responsesEnd(named)},
			"at its beginning":     {responsesBegin, itemEvent("added", 0, named), itemEvent("done", 0, item), responsesEnd(item)},
			"at its end":           {responsesBegin, itemEvent("added", 0, item), itemEvent("done", 0, named), responsesEnd(item)},
			"in the final output":  {responsesBegin, itemEvent("added", 0, item), itemEvent("done", 0, item), responsesEnd(named)},
			"only in the output":   {responsesBegin, responsesEnd(named)},
			"without a beginning":  {itemEvent("done", 0, named), responsesEnd()},
			"without another copy": {responsesBegin, itemEvent("added", 0, named), responsesEnd()},
		} {
			if d := n.Stream(context.Background(), sluicetest.OpenAIResponses, strings.NewReader(responsesOf(events...))); leaks(d) {
				t.Errorf("%s with a name %s: it left\n%s", typ, where, d.Bytes)
			}
		}
		body := `{"id":"r","object":"response","status":"completed","model":"m","output":[` + named + `]}`
		if d := n.Body(context.Background(), sluicetest.OpenAIResponses, []byte(body)); leaks(d) {
			t.Errorf("%s with a name in a body: it left\n%s", typ, d.Bytes)
		}
		for _, none := range []string{`"name":null`, `"name":""`} {
			item := withMember(item, none)
			events := responsesOf(responsesBegin, itemEvent("added", 0, item), itemEvent("done", 0, item), responsesEnd(item))
			if d := judged(t, sluicetest.OpenAIResponses, events, allows("judge")); d.Err != nil || !leaks(d) {
				t.Errorf("%s with %s: an allowed call did not pass: %v\n%s", typ, none, d.Err, d.Bytes)
			}
		}
	}
	block := `{"type":"gadget_tool_use","id":"g","name":"memory","input":{"s":"X9ZZY"}}`
	if d := judged(t, sluicetest.Anthropic, anthropicWith(block), byName("memory")); leaks(d) {
		t.Errorf("a block of an unknown type with a name left\n%s", d.Bytes)
	}
	if d := judged(t, sluicetest.Anthropic, anthropicWith(block), allows("judge")); d.Err != nil || !leaks(d) {
		t.Errorf("an allowed block of an unknown type did not pass: %v\n%s", d.Err, d.Bytes)
	}
}

// What is judged of a call of a built-in tool is its item. Pieces that no item confirms
// are of a call that was cut, whatever the answer ends with.
func TestAttackPiecesOfABuiltInCallAreConfirmedByItsItem(t *testing.T) {
	t.Parallel()
	for typ, pieces := range map[string][]string{
		"shell_call": {
			`{"type":"response.shell_call_command.added","output_index":0,"command_index":0,"command":""}`,
			`{"type":"response.shell_call_command.delta","output_index":0,"command_index":0,"delta":"X9ZZY"}`,
			`{"type":"response.shell_call_command.done","output_index":0,"command_index":0,"command":"X9ZZY"}`,
		},
		"apply_patch_call": {
			`{"type":"response.apply_patch_call_operation_diff.delta","output_index":0,"item_id":"i","delta":"X9ZZY"}`,
			`{"type":"response.apply_patch_call_operation_diff.done","output_index":0,"item_id":"i","diff":"X9ZZY"}`,
		},
	} {
		whole := itemOf(typ, "i")
		for _, begun := range []string{
			`{"id":"i","type":"` + typ + `","call_id":"c","status":"in_progress"}`,
			strings.Replace(whole, "X9ZZY", "", 1),
			strings.Replace(whole, "X9ZZY", "ls", 1),
		} {
			for n := 1; n <= len(pieces); n++ {
				for _, end := range []string{responsesEnd(), `{"type":"response.completed"}`, responsesEnd(itemOf("message", "m"))} {
					events := append([]string{responsesBegin, itemEvent("added", 0, begun)}, pieces[:n]...)
					if d := judged(t, sluicetest.OpenAIResponses, responsesOf(append(events, end)...), byName("")); leaks(d) {
						t.Errorf("%s: %d pieces of a call without an end left\n%s", typ, n, d.Bytes)
					}
				}
			}
		}
		events := append(append([]string{responsesBegin, itemEvent("added", 0, strings.Replace(whole, "X9ZZY", "", 1))}, pieces...), itemEvent("done", 0, whole), responsesEnd())
		d := judged(t, sluicetest.OpenAIResponses, responsesOf(events...), allows("judge"))
		if d.Err != nil || strings.Count(string(d.Bytes), "X9ZZY") != strings.Count(strings.Join(events, ""), "X9ZZY") {
			t.Errorf("%s: pieces of an allowed call did not pass: %v\n%s", typ, d.Err, d.Bytes)
		}
	}
}

// The deprecated function_call has its name in pieces, late or twice as tool_calls do, and
// leaves as one call of that name.
func TestAFunctionCallLeavesUnderItsWholeName(t *testing.T) {
	t.Parallel()
	for name, deltas := range map[string][]string{
		"in pieces":       {`{"name":"go"}`, `{"name":"od"}`, `{"arguments":"{\"a\":"}`, `{"arguments":"1}"}`},
		"and its pieces":  {`{"name":"go","arguments":""}`, `{"name":"od","arguments":"{\"a\":1}"}`},
		"late":            {`{"arguments":"{\"a\":"}`, `{"name":"good"}`, `{"arguments":"1}"}`},
		"without a body":  {`{"name":"go"}`, `{"name":"od"}`},
		"as it should be": {`{"name":"good","arguments":""}`, `{"arguments":"{\"a\":"}`, `{"arguments":"1}"}`},
	} {
		choices := make([]string, 0, len(deltas)+1)
		for _, d := range deltas {
			choices = append(choices, `{"index":0,"delta":{"function_call":`+d+`}}`)
		}
		d := judged(t, sluicetest.OpenAIChat, chatOf(append(choices, `{"index":0,"delta":{},"finish_reason":"function_call"}`)...), harmless())
		if d.Err != nil || len(d.Report.Calls) != 1 || d.Report.Calls[0].Name != "good" {
			t.Errorf("%s: %v, %+v\n%s", name, d.Err, d.Report.Calls, d.Bytes)
		}
		if names := strings.Count(string(d.Bytes), `"name"`); names != 1 {
			t.Errorf("%s: the client gets %d names\n%s", name, names, d.Bytes)
		}
	}
}

// A call that gets its name or its ids after its beginning, or loses them at its end,
// leaves with them in all its events, whether or not the answer's own beginning is known.
func TestACallLeavesWithOneNameAndOneID(t *testing.T) {
	t.Parallel()
	const whole = `{"id":"f","type":"function_call","call_id":"c","name":"good","arguments":"{}","status":"completed"}`
	for _, begin := range [][]string{{responsesBegin}, {}} {
		for _, lost := range []string{`"name":"good",`, `"id":"f",`, `"call_id":"c",`} {
			without := strings.Replace(whole, lost, "", 1)
			for when, events := range map[string][]string{
				"its beginning": {itemEvent("added", 0, strings.Replace(without, `"{}"`, `""`, 1)), itemEvent("done", 0, whole)},
				"its end":       {itemEvent("added", 0, strings.Replace(whole, `"{}"`, `""`, 1)), itemEvent("done", 0, without)},
			} {
				if when == "its beginning" && lost != `"name":"good",` {
					continue // which ids a call may begin without is for the provider to say
				}
				d := judged(t, sluicetest.OpenAIResponses, responsesOf(append(append(append([]string{}, begin...), events...), responsesEnd(whole))...), harmless())
				if d.Err != nil || strings.Count(string(d.Bytes), strings.TrimSuffix(lost, ",")) < 3 {
					t.Errorf("%s is missing at %s, with %d payloads before: %v\n%s", lost, when, len(begin), d.Err, d.Bytes)
				}
			}
		}
	}
}

// Two calls do not leave under one call_id.
func TestAttackACallHasNoCallIDOfAnother(t *testing.T) {
	t.Parallel()
	first := `{"id":"f1","type":"function_call","call_id":"c","name":"good","arguments":"{\"a\":1}","status":"completed"}`
	second := `{"id":"f2","type":"function_call","call_id":"c","name":"good","arguments":"{\"b\":2}","status":"completed"}`
	begun := strings.NewReplacer(`{\"a\":1}`, "", `{\"b\":2}`, "")
	for _, from := range []string{"c", "own"} { // the call_id that the second call begins with
		events := []string{
			responsesBegin, itemEvent("added", 0, begun.Replace(first)), itemEvent("done", 0, first),
			itemEvent("added", 1, strings.Replace(begun.Replace(second), `"call_id":"c"`, `"call_id":"`+from+`"`, 1)),
			itemEvent("done", 1, second), responsesEnd(first, second),
		}
		d := judged(t, sluicetest.OpenAIResponses, responsesOf(events...), harmless())
		if d.Err != nil || strings.Count(string(d.Bytes), `"f2"`) < 3 {
			t.Errorf("%v\n%s", d.Err, d.Bytes)
		}
		for line := range strings.SplitSeq(string(d.Bytes), "\n") {
			if strings.Contains(line, "output_item") && strings.Contains(line, `"id":"f2"`) && strings.Contains(line, `"call_id":"c"`) {
				t.Errorf("the second call has the call_id of the first: %s", line)
			}
		}
	}
}

// A message that skips a place has been sent when a call follows. The call gets the index
// of its position, where clients that count look for it, and the next ones too.
func TestACallAfterASkippedPlaceIsAtItsPosition(t *testing.T) {
	t.Parallel()
	message := func(id string, index int) []string {
		return []string{
			itemEvent("added", index, `{"id":"`+id+`","type":"message","role":"assistant","status":"in_progress","content":[]}`),
			fmt.Sprintf(`{"type":"response.output_text.delta","item_id":%q,"output_index":%d,"content_index":0,"delta":"fine"}`, id, index),
			itemEvent("done", index, itemOf("message", id)),
		}
	}
	call := func(id string, index int) (added, rest []string) {
		item := `{"id":"` + id + `","type":"function_call","call_id":"c` + id + `","name":"good","arguments":"{\"a\":\"` + id + `\"}","status":"completed"}`
		return []string{itemEvent("added", index, strings.Replace(item, `{\"a\":\"`+id+`\"}`, "", 1))}, []string{
			fmt.Sprintf(`{"type":"response.function_call_arguments.delta","item_id":%q,"output_index":%d,"delta":"{\"a\":\"%s\"}"}`, id, index, id),
			itemEvent("done", index, item),
		}
	}
	for _, skip := range []int{1, 2, 5} {
		for _, together := range []bool{false, true} {
			events := append(append([]string{responsesBegin}, message("m1", 0)...), message("m2", 1+skip)...)
			added1, rest1 := call("f1", 2+skip)
			added2, rest2 := call("f2", 3+skip)
			if together {
				events = append(append(append(append(events, added1...), added2...), rest1...), rest2...)
			} else {
				events = append(append(append(append(events, added1...), rest1...), added2...), rest2...)
			}
			d := judged(t, sluicetest.OpenAIResponses, responsesOf(append(events, responsesEnd())...), harmless())
			if d.Err != nil || len(d.Response.Choices) != 1 || strings.Count(string(d.Bytes), "function_call_arguments.delta\",") != 2 {
				t.Errorf("skipping %d: %v\n%s", skip, d.Err, d.Bytes)
			}
			var items []string // as a client that appends them has them
			for line := range strings.SplitSeq(string(d.Bytes), "\n") {
				var e struct {
					Type   string `json:"type"`
					Index  int    `json:"output_index"`
					ItemID string `json:"item_id"`
					Item   struct {
						ID string `json:"id"`
					} `json:"item"`
				}
				payload, ok := strings.CutPrefix(line, "data: ")
				if !ok || json.Unmarshal([]byte(payload), &e) != nil {
					continue
				}
				switch e.Type {
				case "response.output_item.added":
					items = append(items, e.Item.ID)
				case "response.function_call_arguments.delta":
					if e.Index >= len(items) || items[e.Index] != e.ItemID {
						t.Errorf("skipping %d: the arguments of %s go to another item of %v\n%s", skip, e.ItemID, items, d.Bytes)
					}
				}
			}
		}
	}
}

// With several candidates, the pieces of a call stand now in the first and now in the
// second element. The call leaves in one piece, so that clients that read the first
// element only cannot join it with another.
func TestAStreamedCallOfSeveralCandidatesLeavesWhole(t *testing.T) {
	t.Parallel()
	part := func(index int, call string) string {
		return fmt.Sprintf(`{"index":%d,"content":{"role":"model","parts":[{"functionCall":%s}]}}`, index, call)
	}
	text := func(index int) string {
		return fmt.Sprintf(`{"index":%d,"content":{"role":"model","parts":[{"text":"x"}]}}`, index)
	}
	for _, caller := range []int{0, 1} {
		other := 1 - caller
		payload := func(candidates ...string) string { return `{"candidates":[` + strings.Join(candidates, ",") + `]}` }
		events := string(sluicetest.SSE(sluicetest.Gemini, []string{
			payload(text(other), part(caller, `{"name":"good","willContinue":true}`)),
			payload(part(caller, `{"partialArgs":[{"jsonPath":"$.a","stringValue":"on","willContinue":true}],"willContinue":true}`), text(other)),
			payload(part(caller, `{"partialArgs":[{"jsonPath":"$.a","stringValue":"e"}],"willContinue":true}`)),
			payload(text(other), part(caller, `{}`)),
			payload(`{"index":0,"content":{},"finishReason":"STOP"}`, `{"index":1,"content":{},"finishReason":"STOP"}`),
		}))
		d := judged(t, sluicetest.Gemini, events, harmless())
		if d.Err != nil || len(d.Report.Calls) != 1 || strings.Contains(string(d.Bytes), "partialArgs") {
			t.Errorf("candidate %d: %v, %+v\n%s", caller, d.Err, d.Report.Calls, d.Bytes)
		}
	}
}

// An allowed call is not rewritten because its empty input has blanks, and one of an
// unknown type passes wherever it has its body, also if its block never stops.
func TestAnAllowedBlockPassesHoweverItBegins(t *testing.T) {
	t.Parallel()
	events := strings.Replace(anthropicWith(`{"type":"tool_use","id":"t","name":"good","caller":{"type":"direct"},"input":{ }}`, `{"type":"input_json_delta","partial_json":"{\"a\":1}"}`), `"stop_reason":"end_turn"`, `"stop_reason":"tool_use"`, 1)
	if d := judged(t, sluicetest.Anthropic, events, harmless()); d.Err != nil || !strings.Contains(string(d.Bytes), `"caller":{"type":"direct"},"input":{ }`) {
		t.Errorf("an empty input with a blank: %v\n%s", d.Err, d.Bytes)
	}
	for _, body := range []string{"input", "arguments", "args"} {
		events := anthropicWith(`{"type":"gadget_call","name":"good","` + body + `":{"a":1}}`)
		stop := `{"type":"content_block_stop","index":1}`
		for _, events := range []string{events, strings.Replace(events, "data: "+stop, "data: "+`{"type":"ping"}`, 1)} {
			n := sluicetest.Enforcement{Set: set(t, policy.Func("all", func(*policy.Subject) policy.Verdict {
				return policy.Verdict{Action: policy.Allow}
			}))}
			if d := n.Stream(context.Background(), sluicetest.Anthropic, strings.NewReader(events)); d.Err != nil || !strings.Contains(string(d.Bytes), "gadget_call") {
				t.Errorf("%s: %v\n%s", body, d.Err, d.Bytes)
			}
		}
	}
}

// Where a payload's type is the name of its event only, an edited answer has each item
// once: clients that append the items that are added would count a second copy.
func TestAttackAnItemThatIsTypedByItsEventIsAddedOnce(t *testing.T) {
	t.Parallel()
	event := func(kind, payload string) string { return "event: response." + kind + "\ndata: " + payload + "\n\n" }
	call := func(id, name, arguments string) string {
		return `{"id":"` + id + `","type":"function_call","call_id":"c` + id + `","name":"` + name + `","arguments":"` + arguments + `"}`
	}
	for _, index := range []string{`"output_index":0,`, ``} { // without it, the answer is edited
		events := event("created", `{"response":{"id":"r","object":"response","status":"in_progress","output":[]}}`) +
			event("output_item.added", `{`+index+`"item":{"id":"rs","type":"reasoning","summary":[]}}`) +
			event("output_item.done", `{`+index+`"item":{"id":"rs","type":"reasoning","summary":[]}}`) +
			event("output_item.added", `{"output_index":1,"item":`+call("f1", "good", "")+`}`) +
			event("output_item.done", `{"output_index":1,"item":`+call("f1", "good", `{}`)+`}`) +
			event("output_item.added", `{"output_index":2,"item":`+call("f2", "bad", "")+`}`) +
			event("output_item.done", `{"output_index":2,"item":`+call("f2", "bad", `{}`)+`}`) +
			event("output_item.added", `{"output_index":3,"item":`+call("f3", "good", "")+`}`) +
			event("output_item.done", `{"output_index":3,"item":`+call("f3", "good", `{\"a\":1}`)+`}`) +
			event("completed", `{"response":{"id":"r","object":"response","status":"completed","output":[]}}`)
		d := judged(t, sluicetest.OpenAIResponses, events, harmless())
		if d.Err != nil {
			t.Errorf("%q: %v\n%s", index, d.Err, d.Bytes)
		}
		added := strings.Count(string(d.Bytes), "event: response.output_item.added\n")
		done := strings.Count(string(d.Bytes), "event: response.output_item.done\n")
		if added != 4 || done != 4 { // the blocked call became a message
			t.Errorf("%q: %d items were added and %d were done, not 4\n%s", index, added, done, d.Bytes)
		}
	}
}

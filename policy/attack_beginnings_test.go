package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire/witness"
)

// judgedCalls lets an answer pass a policy that allows every call, and returns the calls
// that it was asked about as "name arguments".
func judgedCalls(t *testing.T, format, answer string) ([]string, sluicetest.Delivered) {
	t.Helper()
	var judged []string
	allow := policy.Func("allow", func(s *policy.Subject) policy.Verdict {
		if s.Block.Kind == llm.ToolCall {
			judged = append(judged, s.Block.Name+" "+s.Block.Arguments)
		}
		return policy.Verdict{Action: policy.Allow}
	})
	d := sluicetest.Enforcement{Set: set(t, allow)}.Stream(context.Background(), format, strings.NewReader(answer))
	if _, alone := errors.AsType[*witness.UnjudgedError](d.Err); alone {
		t.Errorf("only the last look at what leaves stopped it: %v", d.Err)
	}
	return judged, d
}

// chatEntry is an element of tool_calls as clients see it.
type chatEntry struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function *struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
	Custom *struct {
		Name  string `json:"name"`
		Input string `json:"input"`
	} `json:"custom"`
}

func (e *chatEntry) says() (name, arguments string) {
	if e.Custom != nil {
		return e.Custom.Name, e.Custom.Input
	}
	if e.Function != nil {
		return e.Function.Name, e.Function.Arguments
	}
	return "", ""
}

// chatReaders are clients that differ in which call they add an entry to. Each returns
// the key of that call, which is "" for the last one.
var chatReaders = map[string]func(e *chatEntry, n int) string{
	"by its index": func(e *chatEntry, _ int) string {
		if e.Index == nil {
			return ""
		}
		return strconv.Itoa(*e.Index)
	},
	"by its id, or the last": func(e *chatEntry, _ int) string { return e.ID },
	"a new one at every id": func(e *chatEntry, n int) string {
		if e.ID == "" {
			return ""
		}
		return strconv.Itoa(n)
	},
	"a new one at every name": func(e *chatEntry, n int) string {
		if name, _ := e.says(); name == "" {
			return ""
		}
		return strconv.Itoa(n)
	},
}

// readChat is what a client makes of a stream: names are joined, as some clients do.
func readChat(t *testing.T, sent []byte, which func(e *chatEntry, n int) string) []string {
	t.Helper()
	var keys []string
	names, arguments, last, n := map[string]string{}, map[string]string{}, "", 0
	for line := range strings.Lines(string(sent)) {
		var p struct {
			Choices []struct {
				Delta struct {
					Calls  []chatEntry `json:"tool_calls"`
					Legacy *struct {
						Name      string `json:"name"`
						Arguments string `json:"arguments"`
					} `json:"function_call"`
				} `json:"delta"`
			} `json:"choices"`
		}
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		if err := json.Unmarshal([]byte(data), &p); err != nil {
			t.Fatal(err)
		}
		add := func(key, name, args string) {
			if _, known := names[key]; !known {
				keys = append(keys, key)
			}
			if names[key] != name { // a provider that was recorded repeats it in every piece
				names[key] += name
			}
			arguments[key] += args
		}
		for _, ch := range p.Choices {
			for i := range ch.Delta.Calls {
				n++
				if key := which(&ch.Delta.Calls[i], n); key != "" {
					last = key
				}
				name, args := ch.Delta.Calls[i].says()
				add(last, name, args)
			}
			if f := ch.Delta.Legacy; f != nil {
				add("legacy", f.Name, f.Arguments)
			}
		}
	}
	var calls []string
	for _, key := range keys {
		calls = append(calls, names[key]+" "+arguments[key])
	}
	return calls
}

// Whatever of a call is repeated, left out or sent between the pieces of another, all
// clients assemble the calls that were judged.
func TestAttackAChatCallHasOneBeginning(t *testing.T) {
	t.Parallel()
	type kind struct{ object, arguments string }
	function, custom := kind{object: "function", arguments: "arguments"}, kind{object: "custom", arguments: "input"}
	entry := func(k kind, index, id, name, args string) string {
		var members []string
		if index != "" {
			members = append(members, `"index":`+index)
		}
		if id != "" {
			members = append(members, `"id":"`+id+`","type":"`+k.object+`"`)
		}
		body := `"` + k.arguments + `":` + strconv.Quote(args)
		if name != "" {
			body = `"name":"` + name + `",` + body
		}
		return `{` + strings.Join(append(members, `"`+k.object+`":{`+body+`}`), ",") + `}`
	}
	answer := func(entries []string) string {
		chunk := func(delta, finish string) string {
			return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
		}
		payloads := []string{chunk(`{"role":"assistant","content":""}`, "null")}
		for _, e := range entries {
			payloads = append(payloads, chunk(e, "null"))
		}
		return string(sluicetest.SSE(sluicetest.OpenAIChat, append(payloads, chunk(`{}`, `"tool_calls"`), "[DONE]")))
	}
	calls := func(e string) string { return `{"tool_calls":[` + e + `]}` }
	tried := 0
	check := func(entries ...string) {
		t.Helper()
		tried++
		// Pieces that all have their index keep their bytes: every official client goes by it.
		indexed := !strings.Contains(strings.Join(entries, ""), `[{"id"`) && !strings.Contains(strings.Join(entries, ""), `,{"id"`)
		for _, e := range entries {
			indexed = indexed && strings.Count(e, `"index"`) == strings.Count(e, `"arguments"`)+strings.Count(e, `"input"`)
		}
		judged, d := judgedCalls(t, sluicetest.OpenAIChat, answer(entries))
		if d.Err != nil {
			return // refused
		}
		for name, which := range chatReaders {
			if indexed && name != "by its index" {
				continue
			}
			if got := readChat(t, d.Bytes, which); strings.Join(got, "\n") != strings.Join(judged, "\n") {
				t.Errorf("a client that takes an entry for %s reads\n%q, judged was\n%q, of\n%s\nsent as\n%s", name, got, judged, strings.Join(entries, "\n"), d.Bytes)
			}
		}
	}
	for _, k := range []kind{function, custom} {
		for _, id := range []string{"", "t0", "other"} {
			for _, name := range []string{"", "good"} {
				for _, index := range []string{"", "0"} {
					for _, first := range []string{"", "t0"} {
						begin := calls(entry(k, "0", first, "good", "echo #"))
						again := calls(entry(k, index, id, name, "rm"))
						check(begin, again)
						check(begin, again, again)
						check(calls(entry(k, "0", first, "good", "echo #") + "," + entry(k, index, id, name, "rm")))
						check(calls(entry(k, "0", first, "good", "")), again, again)
						check(begin, again, calls(entry(k, "1", "t1", "fine", "b")))
						check(begin, calls(entry(k, "1", "t1", "fine", "b")), again)
						check(begin, calls(entry(k, "1", "t1", "fine", "b")), again, calls(entry(k, "1", "", "", "c")))
					}
				}
			}
		}
	}
	legacy := func(name, args string) string {
		return `{"function_call":{"name":"` + name + `","arguments":"` + args + `"}}`
	}
	check(legacy("good", "a"), legacy("good", "b"))
	check(legacy("good", "a"), legacy("good", ""), legacy("good", "b"))
	if tried < 300 {
		t.Errorf("only %d answers were tried", tried)
	}
}

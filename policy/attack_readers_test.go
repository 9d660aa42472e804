package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// withoutHarm runs an answer through a policy that blocks what mentions "harm", and returns
// what left and the calls that were allowed, by name and arguments.
func withoutHarm(t *testing.T, format wire.Format, x *policy.Exchange, payloads ...string) (left []string, allowed map[[2]string]bool, err error) {
	t.Helper()
	allowed = make(map[[2]string]bool)
	set, err := policy.NewSet(policy.Func("no-harm", func(s *policy.Subject) policy.Verdict {
		if strings.Contains(s.Block.Name+s.Block.Arguments, "harm") {
			return policy.Verdict{Action: policy.Block, Reason: "no"}
		}
		allowed[[2]string{s.Block.Name, s.Block.Arguments}] = true
		return policy.Verdict{Action: policy.Allow}
	}))
	if err != nil {
		t.Fatal(err)
	}
	engine := policy.NewEngine(set, x, policy.Options{Format: format})
	var sent strings.Builder
	out := stream.NewOutput(format.NewWriter(engine.WriterOptions()), func(p []byte) error { sent.Write(p); return nil })
	src := list(payloads)
	err = engine.Run(context.Background(), &src, out, policy.RunOptions{Keepalive: -1})
	for line := range strings.Lines(sent.String()) {
		if payload, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
			left = append(left, payload)
		}
	}
	return left, allowed, err
}

// deltaEntry is an entry of tool_calls as clients read it.
type deltaEntry struct {
	Index    int    `json:"index"`
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func entriesDelta(entries ...deltaEntry) string {
	said, err := json.Marshal(entries)
	if err != nil {
		return err.Error()
	}
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":` + string(said) + `},"finish_reason":null}]}`
}

const callsFinish = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`

// entriesOf returns the entries of each payload that left.
func entriesOf(payloads []string) (all [][]deltaEntry) {
	for _, p := range payloads {
		var said struct {
			Choices []struct {
				Delta struct {
					Calls []deltaEntry `json:"tool_calls"`
				} `json:"delta"`
			} `json:"choices"`
		}
		if json.Unmarshal([]byte(p), &said) == nil {
			for _, c := range said.Choices {
				all = append(all, c.Delta.Calls)
			}
		}
	}
	return all
}

// cutInPieces cuts a text into pieces.
func cutInPieces(random *rand.Rand, text string) (pieces []string) {
	for text != "" {
		n := 1 + random.IntN(len(text))
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return pieces
}

// Clients read all entries of a delta or only the first, continue a call at its id or
// begin another one: what any of them can run was allowed.
func TestAttackPiecesThatSomeClientsMiss(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	texts := []string{`{"a":{"b":"x"}}`, `{"a":[{"b":1},{"c":2}]}`, `{"a":"{\"b\":1}"}`, `{"a":{},"b":{}}`}
	read := 0
	for round := range cases(4_000) {
		var queues [2][]deltaEntry
		for i := range queues {
			id := fmt.Sprintf("call_%d", i)
			for n, piece := range append([]string{""}, cutInPieces(random, texts[random.IntN(len(texts))])...) {
				e := deltaEntry{Index: i}
				e.Function.Arguments = piece
				if n == 0 || random.IntN(3) == 0 {
					e.ID, e.Function.Name = id, "f"
				}
				queues[i] = append(queues[i], e)
			}
		}
		var payloads []string
		for len(queues[0])+len(queues[1]) > 0 {
			var entries []deltaEntry
			at := 0
			if len(queues[0]) == 0 {
				at = 1
			}
			for range 1 + random.IntN(3) {
				if len(queues[at]) > 0 {
					entries = append(entries, queues[at][0])
					queues[at] = queues[at][1:]
				} else if at == 0 && random.IntN(2) == 0 {
					at = 1
				}
			}
			payloads = append(payloads, entriesDelta(entries...))
		}
		left, allowed, err := withoutHarm(t, wire.OpenAIChat, nil, append(payloads, callsFinish, "[DONE]")...)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for name, calls := range map[string][]deltaEntry{
			"first entries": joinedCalls(left, true, false), "all entries": joinedCalls(left, false, false), "begins at ids": joinedCalls(left, false, true),
		} {
			for _, c := range calls {
				var arguments map[string]any
				if json.Unmarshal([]byte(c.Function.Arguments), &arguments) != nil || c.Function.Name == "" {
					continue // nobody can run it
				}
				read++
				if !allowed[[2]string{"f", c.Function.Arguments}] {
					t.Fatalf("round %d, %s: reads %s\nof %s", round, name, c.Function.Arguments, strings.Join(left, "\n"))
				}
			}
		}
	}
	if read < cases(10_000) {
		t.Errorf("only %d calls were read", read)
	}
}

// joinedCalls joins the pieces of calls as a client does that reads only the first entry of
// each delta, or begins a call at each id.
func joinedCalls(payloads []string, first, atIDs bool) (calls []deltaEntry) {
	at := make(map[int]int)
	for _, entries := range entriesOf(payloads) {
		if first && len(entries) > 1 {
			entries = entries[:1]
		}
		for _, e := range entries {
			i, known := at[e.Index]
			if !known || atIDs && e.ID != "" {
				i = len(calls)
				at[e.Index] = i
				calls = append(calls, deltaEntry{})
			}
			calls[i].Function.Arguments += e.Function.Arguments
			if e.Function.Name != "" {
				calls[i].Function.Name = e.Function.Name
			}
		}
	}
	return calls
}

// Some clients join the names of pieces. If that is a tool of the request, the call leaves
// with one name; otherwise nobody can run it, and it keeps its bytes.
func TestAttackRepeatedNames(t *testing.T) {
	tools := func(names ...string) *policy.Exchange {
		x := &policy.Exchange{Request: &llm.Request{}}
		for _, name := range names {
			x.Request.Tools = append(x.Request.Tools, llm.Tool{Name: name})
		}
		return x
	}
	for times := 1; times < 6; times++ {
		var payloads []string
		for n := range times {
			e := deltaEntry{ID: "call_1"}
			e.Function.Name, e.Function.Arguments = "pay", []string{`{"a":`, `1`, `2`, `3`, `4}`}[n]
			if n == times-1 && times < 5 {
				e.Function.Arguments += `}`
			}
			payloads = append(payloads, entriesDelta(e))
		}
		if times == 1 {
			payloads = []string{strings.Replace(payloads[0], `{\"a\":}`, `{}`, 1)}
		}
		payloads = append(payloads, callsFinish, "[DONE]")
		for declared := 1; declared < 6; declared++ {
			left, allowed, err := withoutHarm(t, wire.OpenAIChat, tools("pay", strings.Repeat("pay", declared)), payloads...)
			if err != nil || len(allowed) != 1 {
				t.Fatalf("%d times: %v %v", times, allowed, err)
			}
			joined := ""
			for _, entries := range entriesOf(left) {
				for _, e := range entries {
					joined += e.Function.Name
				}
			}
			if joined != "pay" && joined == strings.Repeat("pay", declared) {
				t.Errorf("%d times: a client that joins names reads %s", times, joined)
			}
			if (declared == 1 || declared > times) && !slices.Equal(left, payloads) {
				t.Errorf("%d times, with %d declared: the answer was changed", times, declared)
			}
		}
	}
}

// A second name beside the function of a call is read by clients that expect it there.
func TestAttackNameBesideTheFunction(t *testing.T) {
	for _, member := range []string{"name", "tool", "tool_name"} {
		for _, at := range []int{0, 1} {
			entries := []string{
				`{"index":0,"id":"c","type":"function","function":{"name":"pay","arguments":"{"}}`,
				`{"index":0,"function":{"arguments":"}"}}`,
			}
			entries[at] = strings.Replace(entries[at], `{"index"`, `{"`+member+`":"harm","index"`, 1)
			var payloads []string
			for _, e := range entries {
				payloads = append(payloads, `{"choices":[{"index":0,"delta":{"tool_calls":[`+e+`]}}]}`)
			}
			left, _, err := withoutHarm(t, wire.OpenAIChat, nil, append(payloads, callsFinish, "[DONE]")...)
			if said := strings.Join(left, ""); err == nil || strings.Contains(said, `"harm"`) {
				t.Errorf("%s in entry %d: %v %s", member, at, err, said)
			}
		}
	}
}

// What the provider runs has a body where providers have one, and not the name of a tool
// of the request: otherwise it is a call to clients that go by members.
func TestAttackBodiesOfWhatTheProviderRuns(t *testing.T) {
	var items []string
	for _, typ := range []string{"code_interpreter_call", "file_search_call", "web_search_call", "image_generation_call"} {
		for _, value := range []string{`"{\"command\":\"harm\"}"`, `{"command":"harm"}`, `["harm"]`} {
			for _, member := range []string{"arguments", "input", "args", "action", "operation", "command", "parameters"} {
				items = append(items, `{"type":"`+typ+`","id":"x_1","status":"completed","name":"shell","`+member+`":`+value+`}`)
			}
			for _, member := range []string{"args", "operation", "command", "parameters"} {
				items = append(items, `{"type":"`+typ+`","id":"x_1","status":"completed","`+member+`":`+value+`}`)
			}
		}
	}
	items = append(items, // in the body itself
		`{"type":"web_search_call","id":"x_1","action":{"type":"search","query":"q","call":{"name":"shell","arguments":"{\"command\":\"harm\"}"}}}`,
		`{"type":"web_search_call","id":"x_1","name":"other","arguments":{"calls":[{"type":"function_call","name":"shell","arguments":"harm"}]}}`,
		`{"type":"code_interpreter_call","id":"x_1","code":"1","outputs":[{"type":"function_call","name":"shell","arguments":"harm"}]}`,
		`{"type":"code_interpreter_call","id":"x_1","code":{"name":"shell","input":{"command":"harm"}}}`)
	x := &policy.Exchange{Request: &llm.Request{Tools: []llm.Tool{{Name: "shell"}}}}
	for _, item := range items {
		left, _, err := withoutHarm(t, wire.OpenAIResponses, x,
			`{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}`,
			`{"type":"response.output_item.added","output_index":0,"item":`+item+`}`,
			`{"type":"response.output_item.done","output_index":0,"item":`+item+`}`,
			`{"type":"response.completed","response":{"id":"r","status":"completed","output":[`+item+`]}}`)
		if said := strings.Join(left, ""); err == nil || strings.Contains(said, "harm") {
			t.Errorf("%s: %v %s", item, err, said)
		}
	}
}

// A call that is added with its arguments and ends without is judged as both.
func TestAttackEndWithoutTheArguments(t *testing.T) {
	for _, end := range []string{`""`, `null`} {
		item := `{"type":"mcp_approval_request","id":"m_1","server_label":"s","name":"pay","arguments":`
		_, allowed, err := withoutHarm(t, wire.OpenAIResponses, nil,
			`{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}`,
			`{"type":"response.output_item.added","output_index":0,"item":`+item+`"{\"a\":1}"}}`,
			`{"type":"response.output_item.done","output_index":0,"item":`+item+end+`}}`,
			`{"type":"response.completed","response":{"id":"r","status":"completed","output":[`+item+end+`}]}}`)
		if err != nil || !allowed[[2]string{"pay", `{"a":1}`}] || !allowed[[2]string{"pay", ""}] {
			t.Errorf("ends with %s: %v %v", end, allowed, err)
		}
	}
}

// A path without a value is a null to some clients: the call leaves whole.
func TestAttackPathWithoutValue(t *testing.T) {
	part := func(call string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":` + call + `}]},"index":0}]}`
	}
	for _, piece := range []string{`{"jsonPath":"$.b"}`, `{"jsonPath":"$.b","stringValue":null}`, `{"jsonPath":"$.a"}`, `{"jsonPath":"$.a","willContinue":false}`} {
		for _, before := range []bool{true, false} {
			pieces := []string{`{"jsonPath":"$.a","stringValue":"x"}`, piece}
			if before {
				slices.Reverse(pieces)
			}
			left, _, err := withoutHarm(t, wire.Gemini, nil, part(`{"name":"pay","willContinue":true}`),
				part(`{"partialArgs":[`+pieces[0]+`],"willContinue":true}`), part(`{"partialArgs":[`+pieces[1]+`],"willContinue":true}`), part(`{}`),
				`{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP","index":0}]}`)
			if said := strings.Join(left, "\n"); err != nil || strings.Contains(said, "partialArgs") || !strings.Contains(said, `"args":{"a":"x"}`) {
				t.Errorf("%s: %v\n%s", piece, err, said)
			}
		}
	}
}

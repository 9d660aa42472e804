package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/witness"
)

// readCall is a call as a client reads it.
type readCall struct{ name, arguments string }

// byLastID reads deltas like clients that ignore the index: a piece belongs to the last id,
// under the last name.
func byLastID(deltas [][]deltaEntry) []readCall {
	var id, name string
	var order []string
	calls := make(map[string]*readCall)
	for _, entries := range deltas {
		for _, e := range entries {
			if e.ID != "" {
				id = e.ID
			}
			if e.Function.Name != "" {
				name = e.Function.Name
			}
			if e.Function.Arguments == "" || id == "" || name == "" {
				continue
			}
			if calls[id] == nil {
				calls[id] = &readCall{}
				order = append(order, id)
			}
			calls[id].name = name
			calls[id].arguments += e.Function.Arguments
		}
	}
	return inOrder(calls, order)
}

// byOwnID reads deltas like clients that know a call by its id, and add what has none to
// the call that began last.
func byOwnID(deltas [][]deltaEntry) []readCall {
	var last string
	var order []string
	calls := make(map[string]*readCall)
	for _, entries := range deltas {
		for _, e := range entries {
			if e.ID != "" && calls[e.ID] == nil {
				calls[e.ID] = &readCall{}
				order = append(order, e.ID)
				last = e.ID
			}
			at := e.ID
			if at == "" {
				at = last
			}
			if c := calls[at]; c != nil {
				if c.name == "" {
					c.name = e.Function.Name
				}
				c.arguments += e.Function.Arguments
			}
		}
	}
	return inOrder(calls, order)
}

func inOrder(calls map[string]*readCall, order []string) (all []readCall) {
	for _, id := range order {
		all = append(all, *calls[id])
	}
	return all
}

// allowed reports whether a reading was allowed, or is none that a client could run.
func (c readCall) allowed(by map[[2]string]bool) bool {
	if c.name == "" || by[[2]string{c.name, c.arguments}] {
		return true
	}
	object := c.arguments
	if strings.TrimSpace(object) == "" {
		object = "{}"
	}
	if !json.Valid([]byte(object)) {
		return true
	}
	for known := range by {
		if known[0] == c.name && (equalJSON(known[1], object) || strings.TrimSpace(known[1]) == "" && object == "{}") {
			return true
		}
	}
	return false
}

// Not every client goes by the index: some add a piece to the call that began last, others
// to the call with its id, or ignore one with another id. Whatever the pieces of the calls
// of an answer say, all of them read what was judged.
func TestAttackClientsThatIgnoreTheIndexReadWhatWasJudged(t *testing.T) {
	t.Parallel()
	bodies := []string{`{"command":"rm -rf ~/`, `tmp`, `"}`, ``, ` `, `{"command":"ls"}`, `{"a":`, `{"b":1}`, `}`}
	for seed := range cases(uint64(20_000)) {
		r := rand.New(rand.NewPCG(seed, 181))
		begun := 0
		var payloads []string
		for range 3 + r.IntN(6) {
			var e deltaEntry
			if begun == 0 || begun < 3 && r.IntN(3) == 0 {
				e.Index, e.ID, e.Function.Name = begun, fmt.Sprintf("call_%d", begun), []string{"Bash", "note"}[r.IntN(2)]
				begun++
			} else {
				e.Index = r.IntN(begun)
				if r.IntN(3) == 0 {
					e.ID = []string{"call_0", "call_1", "call_2", "other"}[r.IntN(4)]
				}
			}
			e.Function.Arguments = bodies[r.IntN(len(bodies))]
			payloads = append(payloads, entriesDelta(e))
		}
		left, allowed, err := withoutHarm(t, wire.OpenAIChat, nil, append(payloads, callsFinish, "[DONE]")...)
		if _, alone := errors.AsType[*witness.UnjudgedError](err); alone {
			t.Fatalf("seed %d: only the exit stopped it: %v", seed, err)
		}
		deltas := entriesOf(left)
		for _, c := range append(byLastID(deltas), byOwnID(deltas)...) {
			if !c.allowed(allowed) {
				t.Fatalf("seed %d: a client reads %+v of\n%s\nallowed %v", seed, c, strings.Join(left, "\n"), allowed)
			}
		}
	}
}

// A choice that is twice in one payload is one to clients that read the first only.
func TestAttackAChoiceWithCallsIsOnceInAPayload(t *testing.T) {
	t.Parallel()
	begin := deltaEntry{ID: "c"}
	begin.Function.Name = "Bash"
	for _, first := range []string{`"content":""`, `"tool_calls":[{"index":0,"id":"c","function":{"name":"Bash","arguments":""}}]`, ``} {
		twice := `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{` + first + `},"finish_reason":null},` +
			`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":1}"}}]},"finish_reason":null}]}`
		left, _, err := withoutHarm(t, wire.OpenAIChat, nil, entriesDelta(begin), twice, callsFinish, "[DONE]")
		if err == nil || strings.Contains(strings.Join(left, ""), "Bash") {
			t.Errorf("%s: %v\n%s", first, err, strings.Join(left, "\n"))
		}
	}
}

// contentByOrder reads a message like clients that add input to their tool that began last,
// whatever block it is of. One that ends without input has an empty object.
func contentByOrder(payloads []string, closes bool) (calls []readCall) {
	own, empty := false, true
	for _, p := range payloads {
		var ev struct {
			Type  string `json:"type"`
			Block struct {
				Type string `json:"type"`
				Name string `json:"name"`
			} `json:"content_block"`
			Delta struct {
				JSON string `json:"partial_json"`
			} `json:"delta"`
		}
		if json.Unmarshal([]byte(p), &ev) != nil {
			continue
		}
		switch ev.Type {
		case "content_block_start":
			own, empty = ev.Block.Type == "tool_use", true
			if own {
				calls = append(calls, readCall{name: ev.Block.Name})
			}
		case "content_block_delta":
			empty = empty && ev.Delta.JSON == ""
			if len(calls) > 0 {
				calls[len(calls)-1].arguments += ev.Delta.JSON
			}
		case "content_block_stop":
			if own && empty && closes {
				calls[len(calls)-1].arguments += "{}"
			}
		}
	}
	return calls
}

// Input goes to the block with its index, or to the tool that began last: the two are the
// same in what leaves, also where the provider runs tools of its own in between.
func TestAttackInputIsThatOfTheToolThatBeganLast(t *testing.T) {
	t.Parallel()
	const start = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`
	types := []string{"tool_use", "tool_use", "server_tool_use", "mcp_tool_use", "text"}
	complete := 0
	for seed := range cases(uint64(5_000)) {
		r := rand.New(rand.NewPCG(seed, 182))
		blocks := make([][]string, 2+r.IntN(2))
		for i := range blocks {
			kind := types[r.IntN(len(types))]
			block := fmt.Sprintf(`{"type":%q,"id":"t%d","name":%q,"input":{}}`, kind, i, []string{"Bash", "note"}[r.IntN(2)])
			if kind == "text" {
				block = `{"type":"text","text":"a"}`
			}
			blocks[i] = append(blocks[i], fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, block))
			for n := r.IntN(3); n > 0 && kind != "text"; n-- {
				piece := []string{`"{\"command\":\"x\"}"`, `""`, `"{\"command\":"`, `"\"y\"}"`}[r.IntN(4)]
				blocks[i] = append(blocks[i], fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%s}}`, i, piece))
			}
			blocks[i] = append(blocks[i], fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
		}
		payloads := []string{start}
		for begun := 1; len(blocks) > 0; { // they begin in order, and interleave
			i := r.IntN(min(begun, len(blocks)))
			payloads = append(payloads, blocks[i][0])
			if blocks[i] = blocks[i][1:]; i == begun-1 && r.IntN(3) == 0 && begun < len(blocks) {
				begun++
			}
			if len(blocks[i]) == 0 {
				blocks = append(blocks[:i], blocks[i+1:]...)
				begun = max(1, min(begun, len(blocks)))
			}
		}
		payloads = append(payloads, `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`, `{"type":"message_stop"}`)
		left, allowed, err := withoutHarm(t, wire.Anthropic, nil, payloads...)
		if _, alone := errors.AsType[*witness.UnjudgedError](err); alone {
			t.Fatalf("seed %d: only the exit stopped it: %v", seed, err)
		}
		if err == nil {
			complete++
		}
		for _, c := range append(contentByOrder(left, true), contentByOrder(left, false)...) {
			if !c.allowed(allowed) {
				t.Fatalf("seed %d: a client reads %+v of\n%s\nallowed %v", seed, c, strings.Join(left, "\n"), allowed)
			}
		}
	}
	if complete < cases(1_000) {
		t.Errorf("only %d answers were complete", complete)
	}
}

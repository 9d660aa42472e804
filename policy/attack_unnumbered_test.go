package policy_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

// An event of Anthropic that lacks its index is read in three ways: as one of the block of
// its own number, so that it is lost; as one of the first block; and as one of the block that
// began last. Whichever events lack it, all clients read the calls that were judged.
func TestAttackClientsAgreeOnEventsWithoutAnIndex(t *testing.T) {
	t.Parallel()
	text := `{"type":"text","text":""}`
	call := `{"type":"tool_use","id":"toolu_%d","name":"tool%d","input":{}}`
	for _, blocks := range [][]string{{"call"}, {"empty", "call"}, {"call", "call"}, {"text", "call"}, {"call", "text", "call"}} {
		var events []map[string]any // all but the start and the end of the message
		add := func(event string, index int) {
			var e map[string]any
			if err := json.Unmarshal([]byte(event), &e); err != nil {
				t.Fatal(err)
			}
			e["index"] = index
			events = append(events, e)
		}
		for i, kind := range blocks {
			block, deltas := text, []string{`{"type":"text_delta","text":"a"}`}
			switch kind {
			case "call":
				block = fmt.Sprintf(call, i, i)
				deltas = []string{`{"type":"input_json_delta","partial_json":"{\"n\":"}`, fmt.Sprintf(`{"type":"input_json_delta","partial_json":"%d}"}`, i)}
			case "empty":
				block, deltas = fmt.Sprintf(call, i, i), nil
			}
			add(`{"type":"content_block_start","content_block":`+block+`}`, i)
			for _, d := range deltas {
				add(`{"type":"content_block_delta","delta":`+d+`}`, i)
			}
			add(`{"type":"content_block_stop"}`, i)
		}
		for lacking := range 1 << len(events) {
			payloads := []string{`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`}
			for i, e := range events {
				sent := make(map[string]any)
				for k, v := range e {
					if k != "index" || lacking&(1<<i) == 0 {
						sent[k] = v
					}
				}
				raw, err := json.Marshal(sent)
				if err != nil {
					t.Fatal(err)
				}
				payloads = append(payloads, string(raw))
			}
			payloads = append(payloads, `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9}}`, `{"type":"message_stop"}`)
			left, allowed, err := withoutHarm(t, wire.Anthropic, nil, payloads...)
			for how, calls := range numberedCalls(t, left) {
				for _, c := range calls {
					if !allowed[c] {
						t.Fatalf("%v, lacking %b: a client that goes by %s reads %q, %v\n%s", blocks, lacking, how, c, err, strings.Join(left, "\n"))
					}
				}
				if want := len(blocks) - strings.Count(strings.Join(blocks, " "), "text"); err == nil && len(calls) != want {
					t.Fatalf("%v, lacking %b: a client that goes by %s reads %d calls, want %d\n%s", blocks, lacking, how, len(calls), want, strings.Join(left, "\n"))
				}
			}
		}
	}
}

// numberedCalls are the calls that ended, as clients read them that find the block of an
// event by its number, by its place, or as the one that began last.
func numberedCalls(t *testing.T, payloads []string) map[string][][2]string {
	t.Helper()
	type block struct{ kind, name, input string }
	read := make(map[string][][2]string)
	for _, how := range []string{"number", "place", "order"} {
		var began []*block
		numbered := make(map[int]*block)
		for _, payload := range payloads {
			var e struct {
				Type  string `json:"type"`
				Index *int   `json:"index"`
				Block struct {
					Type string `json:"type"`
					Name string `json:"name"`
				} `json:"content_block"`
				Delta struct {
					JSON string `json:"partial_json"`
				} `json:"delta"`
			}
			if err := json.Unmarshal([]byte(payload), &e); err != nil {
				t.Fatal(err)
			}
			number, place := -1, 0 // no number is not a place, but Array.at takes it for the first
			if e.Index != nil {
				number, place = *e.Index, *e.Index
			}
			switch e.Type {
			case "content_block_start":
				numbered[number] = &block{kind: e.Block.Type, name: e.Block.Name}
				began = append(began, numbered[number])
				continue
			case "content_block_delta":
			case "message_stop":
				for _, b := range began {
					if b.kind == "tool_use" {
						read[how] = append(read[how], [2]string{b.name, cmp.Or(b.input, "{}")})
					}
				}
				continue
			default:
				continue
			}
			of := numbered[number]
			switch {
			case how == "place" && place < len(began):
				of = began[place]
			case how == "order" && len(began) > 0:
				of = began[len(began)-1]
			}
			if of != nil {
				of.input += e.Delta.JSON
			}
		}
	}
	return read
}

package anthropic_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
)

// dice gives choices from fuzz bytes, and zeros when they are used up.
type dice struct{ data []byte }

func (d *dice) roll(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b) % n
}

// someAnswer makes the payloads of a legal stream.
func someAnswer(d *dice) []string {
	out := []string{`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}}`}
	calls := 0
	index := 0
	if d.roll(6) == 1 { // a continuation whose blocks are there at once
		return []string{
			`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"},{"type":"tool_use","id":"toolu_w","name":"f","input":{"a":1}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}}`,
			`{"type":"message_stop"}`,
		}
	}
	for range d.roll(6) {
		var start string
		var deltas []string
		switch d.roll(7) {
		case 0, 1:
			start = `{"type":"text","text":""}`
			for range 1 + d.roll(3) {
				deltas = append(deltas, `{"type":"text_delta","text":"word "}`)
			}
			if d.roll(4) == 1 {
				deltas = append(deltas, `{"type":"citations_delta","citation":{"type":"char_location"}}`)
			}
		case 2:
			start = `{"type":"thinking","thinking":"","signature":""}`
			deltas = []string{`{"type":"thinking_delta","thinking":"hm "}`, `{"type":"thinking_delta","thinking":"so"}`, `{"type":"signature_delta","signature":"c2ln"}`}
		case 3:
			start = fmt.Sprintf(`{"type":"server_tool_use","id":"srvtoolu_%d","name":"web_search","input":{}}`, index)
			deltas = []string{`{"type":"input_json_delta","partial_json":"{\"q\":1}"}`}
		case 4:
			start = fmt.Sprintf(`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_%d","content":[]}`, max(index-1, 0))
		default:
			calls++
			start = fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":"f","input":{}}`, index)
			deltas = []string{`{"type":"input_json_delta","partial_json":""}`, `{"type":"input_json_delta","partial_json":"{\"path\":"}`, `{"type":"input_json_delta","partial_json":"\"a\"}"}`}
		}
		out = append(out, fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, start))
		if d.roll(3) == 1 {
			out = append(out, `{"type":"ping"}`)
		}
		for _, delta := range deltas {
			out = append(out, fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, delta))
		}
		out = append(out, fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index))
		index++
	}
	if d.roll(12) == 1 {
		return append(out, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)
	}
	word := []string{"end_turn", "max_tokens", "stop_sequence"}[d.roll(3)]
	if calls > 0 {
		word = "tool_use"
	}
	return append(out,
		`{"type":"message_delta","delta":{"stop_reason":"`+word+`","stop_sequence":null},"usage":{"output_tokens":9}}`,
		`{"type":"message_stop"}`)
}

func chunksOf(tb testing.TB, payloads []string) []*stream.Chunk {
	tb.Helper()
	var raw [][]byte
	for _, p := range payloads {
		raw = append(raw, []byte(p))
	}
	a := feed(tb, raw)
	if a.err != nil {
		tb.Fatal(a.err)
	}
	return a.chunks
}

// play drives a writer with a script made of dice and checks that what comes
// out is legal.
func play(tb testing.TB, data []byte) {
	tb.Helper()
	d := &dice{data: data}
	todo := chunksOf(tb, someAnswer(d))
	w := anthropic.NewWriter(stream.WriterOptions{Force: d.roll(4) == 1})
	var out []byte
	var log []string
	var err error
	note := func(what string, err error) { log = append(log, fmt.Sprintf("%s: %v", what, err)) }
	for len(todo) > 0 {
		switch d.roll(20) {
		case 1:
			log = append(log, "leave out")
			todo = todo[1:]
			continue
		case 2:
			if len(todo) > 1 {
				log = append(log, "swap")
				todo[0], todo[1] = todo[1], todo[0]
			}
		case 3:
			log = append(log, "repeat")
			todo = append([]*stream.Chunk{todo[0]}, todo...)
			d.roll(2)
		case 4:
			out, err = w.Insert(out, 0, llm.Block{Kind: llm.Content, Text: "inserted"})
			note("insert text", err)
		case 5:
			out, err = w.Insert(out, 0, llm.Block{Kind: llm.ToolCall, Name: "inserted", Arguments: "{}"},
				llm.Block{Kind: llm.Thinking, Text: "own", Signature: "s"})
			note("insert call and thinking", err)
		case 6, 7, 8:
			var with []llm.Block
			for range d.roll(3) {
				with = append(with, []llm.Block{
					{Kind: llm.Content, Text: "replaced"},
					{Kind: llm.ToolCall, Name: "replaced", Arguments: `{"a":1}`},
					{Kind: llm.Content},
				}[d.roll(3)])
			}
			block := d.roll(7)
			note(fmt.Sprintf("replace %d by %d", block, len(with)), w.Replace(stream.At{Block: block}, with...))
		case 9:
			out = w.Keepalive(out)
		case 10:
			if d.roll(3) == 1 {
				out, err = w.Continue(out)
				note("continue", err)
				todo = chunksOf(tb, someAnswer(d))
			}
		}
		if len(todo) == 0 {
			break
		}
		out, err = w.Write(out, todo[0])
		note("write "+todo[0].Name, err)
		todo = todo[1:]
		if len(data) > 4096 {
			break
		}
	}
	if d.roll(5) == 1 {
		out, err = w.Fail(out, errors.New("broken"))
	} else {
		out, err = w.Terminate(out)
	}
	if err != nil && !errors.Is(err, stream.ErrTerminated) {
		tb.Fatal(err)
	}
	strict := sluicetest.Options{}
	if err := strict.Validate(sluicetest.Anthropic, out); err != nil {
		tb.Fatalf("%v\n%s\n%s", err, strings.Join(log, "\n"), out)
	}
	if again, err := w.Terminate(nil); len(again) > 0 || !errors.Is(err, stream.ErrTerminated) {
		tb.Fatalf("ended twice: %q, %v", again, err)
	}
}

// FuzzWriter: whatever a caller asks for, what is written is a legal stream.
func FuzzWriter(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte{2, 5, 1, 5, 0, 0, 0, 0, 6, 1, 0, 0, 4})
	f.Add([]byte("\x00\x03\x00\x01\x00\x06\x02\x00\x06\x00\x00\x00\x00\x06\x02\x01\x01"))
	f.Fuzz(func(t *testing.T, data []byte) { play(t, data) })
}

func TestWriterIsLegalWhateverItIsAskedFor(t *testing.T) {
	seed := uint64(1)
	for range 4000 {
		data := make([]byte, 0, 200)
		for range 200 {
			seed = seed*6364136223846793005 + 1442695040888963407
			data = append(data, byte(seed>>33))
		}
		play(t, data)
	}
}

package openairesponses_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// FuzzDecoder feeds payloads line by line: nothing panics, the state accepts
// the decoder's events, two readings are equal, and whatever was read can be
// written again without a panic.
func FuzzDecoder(f *testing.F) {
	f.Add(strings.Join(answered(message(0, "m", "text")+call(1, "fc", "c", "f", "{}")+reasoning(2, "rs", "hm", "e")), "\n"))
	f.Add(`{"id":"r","object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"x"},{"type":"refusal","refusal":"y"}]}]}`)
	f.Add(created + "\n" + `{"type":"error","error":{"message":"x"}}` + "\n" + `{"type":"response.failed","response":{"status":"failed","output":[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}],"error":{"message":"x"}}}` + "\n[DONE]")
	f.Add(`{"type":"response.output_text.delta","delta":"\ud83d"}` + "\n" + `{"type":"response.refusal.delta","content_index":5,"delta":"x"}` + "\n" + `{"type":"response.output_text.delta","content_index":0,"delta":"y"}` + "\n" + `{"type":"response.content_part.done","part":{"type":"output_text","text":"z"}}` + "\n" + completed)
	f.Fuzz(func(t *testing.T, text string) {
		payloads := strings.Split(text, "\n")
		a, b := decode(payloads...), decode(payloads...)
		var protocol *stream.ProtocolError
		var limit *stream.LimitError
		if a.err != nil && !errors.As(a.err, &protocol) && !errors.As(a.err, &limit) {
			t.Fatalf("error %T %v", a.err, a.err)
		}
		if protocol != nil && (strings.Contains(protocol.Reason, "for a block that") || strings.Contains(protocol.Reason, "began out of order")) {
			t.Fatalf("the state refused what the decoder told: %v", a.err)
		}
		if a.say() != b.say() {
			t.Fatalf("two readings differ\n%s\n%s", a.say(), b.say())
		}
		for i := range a.chunks {
			for _, ev := range a.chunks[i].Events {
				if ev.Span.End > len(a.chunks[i].Raw) {
					t.Fatalf("span %v outside of the payload", ev.Span)
				}
			}
		}
		for _, force := range []bool{false, true} {
			w := newWriter(force)
			for _, c := range a.chunks {
				if _, err := w.Write(nil, c); err != nil && !errors.Is(err, stream.ErrGap) && !errors.Is(err, stream.ErrTerminated) {
					t.Fatal(err)
				}
			}
			if _, err := w.Terminate(nil); err != nil && !errors.Is(err, stream.ErrTerminated) {
				t.Fatal(err)
			}
		}
	})
}

// FuzzWriter makes a legal stream and a script of edits from its input: what
// is written is legal, and no call in it was not in the upstream or the script.
func FuzzWriter(f *testing.F) {
	for seed := range 8 {
		f.Add(int64(seed), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, byte(seed)}, seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed int64, script []byte, force bool) {
		fuzzWriter(t, seed, script, force)
	})
}

// interleaved are two calls and a message that grow at the same time.
const interleaved = `{"type":"response.output_item.added","output_index":1,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":""}}
{"type":"response.output_item.added","output_index":2,"item":{"id":"msg_2","type":"message","role":"assistant","content":[]}}
{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":1,"delta":"{\"a"}
{"type":"response.output_item.added","output_index":3,"item":{"id":"fc_3","type":"function_call","call_id":"call_3","name":"g","arguments":""}}
{"type":"response.content_part.added","item_id":"msg_2","output_index":2,"content_index":0,"part":{"type":"output_text","text":""}}
{"type":"response.function_call_arguments.delta","item_id":"fc_3","output_index":3,"delta":"{\"b\":"}
{"type":"response.output_text.delta","item_id":"msg_2","output_index":2,"content_index":0,"delta":"Hi"}
{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":1,"delta":"\":1}"}
{"type":"response.function_call_arguments.delta","item_id":"fc_3","output_index":3,"delta":"[2]}"}
{"type":"response.function_call_arguments.done","item_id":"fc_3","output_index":3,"arguments":"{\"b\":[2]}"}
{"type":"response.output_item.done","output_index":3,"item":{"id":"fc_3","type":"function_call","call_id":"call_3","name":"g","arguments":"{\"b\":[2]}"}}
{"type":"response.output_text.done","item_id":"msg_2","output_index":2,"content_index":0,"text":"Hi"}
{"type":"response.content_part.done","item_id":"msg_2","output_index":2,"content_index":0,"part":{"type":"output_text","text":"Hi"}}
{"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":1,"arguments":"{\"a\":1}"}
{"type":"response.output_item.done","output_index":1,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{\"a\":1}"}}
{"type":"response.output_item.done","output_index":2,"item":{"id":"msg_2","type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}]}}`

func fuzzWriter(t *testing.T, seed int64, script []byte, force bool) {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	blocks := sluicetest.RandomBlocks(r, sluicetest.OpenAIResponses)
	allowed := map[string]bool{"{}": true, `{"a":1}`: true, `{"b":[2]}`: true, `{"mine":1}`: true, "": true}
	for _, b := range blocks {
		allowed[b.Arguments] = true
	}
	mixed := r.IntN(4) == 0
	chunks := func() []*stream.Chunk {
		if mixed {
			return must(t, filled(t, mixedMessage+"\n"+interleaved)...).chunks
		}
		opts := sluicetest.BuildOptions{Rand: r, Quirks: sluicetest.Quirks(r.Uint32()), MaxPiece: 1 + r.IntN(30)}
		if r.IntN(5) == 0 {
			opts.Finish = "incomplete"
		}
		return must(t, sluicetest.Build(sluicetest.OpenAIResponses, [][]llm.Block{blocks}, opts)...).chunks
	}
	w := newWriter(force)
	var out []byte
	var err error
	var log []string
	todo := chunks()
	do := func(op byte) {
		switch op % 16 {
		case 1:
			todo = todo[min(1+int(op>>4)%3, len(todo)):]
		case 2:
			if len(todo) > 1 {
				todo[0], todo[1] = todo[1], todo[0]
			}
		case 3:
			todo = append([]*stream.Chunk{todo[0]}, todo...)
		case 4:
			out, err = w.Insert(out, 0, llm.Block{Kind: llm.Content, Text: "mine"}, llm.Block{Kind: llm.Thinking, Text: "hm"})
		case 5:
			out, err = w.Insert(out, 0, llm.Block{Kind: llm.ToolCall, Name: "mine", Arguments: `{"mine":1}`})
		case 6:
			err = w.Replace(stream.At{Block: int(op>>4) % (len(blocks) + 1)})
		case 7:
			err = w.Replace(stream.At{Block: int(op>>4) % (len(blocks) + 1)}, llm.Block{Kind: llm.Content, Text: "no"}, llm.Block{Kind: llm.Refusal, Text: "no"})
		case 8:
			err = w.Replace(stream.At{Block: int(op>>4) % (len(blocks) + 1)}, llm.Block{Kind: llm.ToolCall, Name: "mine", Arguments: `{"mine":1}`})
		case 9:
			out = w.Keepalive(out)
		case 10:
			if op>>4 == 3 {
				out, err = w.Continue(out)
				todo = chunks()
			}
		case 11:
			if op>>4 == 3 {
				out, err = w.Terminate(out)
			}
		}
		log = append(log, fmt.Sprintf("%d: %v", op, err))
	}
	for i := 0; len(todo) > 0; i++ {
		if len(script) > 0 {
			do(script[i%len(script)])
			if i%len(script) == len(script)-1 {
				script = nil
			}
		}
		if len(todo) == 0 {
			break
		}
		out, err = w.Write(out, todo[0])
		log = append(log, fmt.Sprintf("write %d: %v", todo[0].Seq, err))
		todo = todo[1:]
	}
	if end, err := w.Terminate(out); err == nil {
		out = end
	}
	if err := sluicetest.ValidateOpenAIResponses(out); err != nil {
		t.Fatalf("%v\n%s\n%s", err, strings.Join(log, "\n"), out)
	}
	a := read(t, out)
	if a.err != nil {
		t.Fatalf("cannot be read: %v\n%s", a.err, out)
	}
	for _, b := range a.state.Blocks() {
		if b.Kind() == llm.ToolCall && b.Status() == llm.Complete && !allowed[b.Arguments()] {
			t.Fatalf("a call that nobody made: %q\n%s\n%s", b.Arguments(), strings.Join(log, "\n"), out)
		}
		if _, diverged := b.Other(); diverged {
			t.Fatalf("two versions of a block: %q\n%s\n%s", b.Text(), strings.Join(log, "\n"), out)
		}
	}
}

func TestWriterIsLegalWhateverItIsAskedFor(t *testing.T) {
	for seed := range int64(500) {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		script := make([]byte, r.IntN(80))
		for i := range script {
			script[i] = byte(r.IntN(256))
			if r.IntN(3) > 0 {
				script[i] &= 0xF0 // nothing
			}
		}
		fuzzWriter(t, seed, script, seed%3 == 0)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(`{"instructions":"a","input":[{"role":"user","content":[{"type":"input_text","text":"b"}]},{"type":"function_call_output","output":[{"text":"x"}]}],"tools":[{"type":"namespace","tools":[{}]}]}`))
	f.Add([]byte(`{"input":"a","model":"m","stream":true}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := openairesponses.ReadRequest(body)
		if err != nil {
			if _, ok := errors.AsType[*llm.RequestError](err); !ok {
				t.Fatalf("error %T", err)
			}
			return
		}
		if len(body) > 4096 {
			return
		}
		if err := redact(body, r); err != nil {
			t.Fatal(err)
		}
	})
}

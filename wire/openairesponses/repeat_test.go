package openairesponses_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire/internal/shape/shapetest"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// alike is an answer with payloads that are like the one before them, or nearly.
var alike = []string{
	`{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}`,
	`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"m0","type":"message","status":"in_progress","content":[],"role":"assistant"}}`,
	`{"type":"response.content_part.added","sequence_number":2,"content_index":0,"item_id":"m0","output_index":0,"part":{"type":"output_text","text":""}}`,
	`{"type":"response.output_text.delta","sequence_number":3,"content_index":0,"delta":"a","item_id":"m0","output_index":0,"obfuscation":"x"}`,
	`{"type":"response.output_text.delta","sequence_number":4,"content_index":0,"delta":"b\\n","item_id":"m0","output_index":0,"obfuscation":"xyz"}`,
	`{"type":"response.output_text.delta","sequence_number":5,"content_index":0,"delta":"c","item_id":"m0","output_index":0,"obfuscation":""}`,
	`{"type":"response.output_text.delta","sequence_number":10,"content_index":0,"delta":"d","item_id":"m0","output_index":0,"obfuscation":"x"}`,
	`{"type":"response.output_text.delta","sequence_number":11,"content_index":1,"delta":"d","item_id":"m0","output_index":0,"obfuscation":"x"}`,
	`{"type":"response.output_text.done","sequence_number":12,"content_index":0,"text":"ab\\ncd","item_id":"m0","output_index":0}`,
	`{"type":"response.output_item.done","sequence_number":13,"output_index":0,"item":{"id":"m0","type":"message","status":"completed","content":[{"type":"output_text","text":"ab\\ncdd"}],"role":"assistant"}}`,
	`{"type":"response.output_item.added","sequence_number":14,"output_index":1,"item":{"id":"f0","type":"function_call","status":"in_progress","arguments":"","call_id":"c0","name":"n"}}`,
	`{"type":"response.function_call_arguments.delta","sequence_number":15,"item_id":"f0","output_index":1,"delta":"{\\"a\\":"}`,
	`{"type":"response.function_call_arguments.delta","sequence_number":16,"item_id":"f0","output_index":1,"delta":"1"}`,
	`{"type":"response.function_call_arguments.delta","sequence_number":17,"item_id":"f0","output_index":1,"delta":"}"}`,
	`{"type":"response.function_call_arguments.done","sequence_number":18,"item_id":"f0","output_index":1,"arguments":"{\\"a\\":1}"}`,
	`{"type":"response.output_item.done","sequence_number":19,"output_index":1,"item":{"id":"f0","type":"function_call","status":"completed","arguments":"{\\"a\\":1}","call_id":"c0","name":"n"}}`,
	`{"type":"response.completed","sequence_number":20,"response":{"id":"r","object":"response","status":"completed","model":"m","output":[],"usage":{"input_tokens":1,"output_tokens":2}}}`,
}

// sameInFull checks that payloads mean the same, however they are read.
func sameInFull(tb testing.TB, name string, payloads [][]byte) {
	tb.Helper()
	shapetest.Same(tb, openairesponses.NewDecoder(), openairesponses.NewDecoderInFull(), name, payloads)
}

func asBytes(list []string) [][]byte {
	var out [][]byte
	for _, s := range list {
		out = append(out, []byte(s))
	}
	return out
}

func TestPayloadsAlikeMeanTheSameAsReadInFull(t *testing.T) {
	for _, name := range []string{"", "response.output_text.delta", "other"} {
		sameInFull(t, name, asBytes(alike))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		sameInFull(t, "", shapetest.Vary(r, asBytes(alike)))
		if t.Failed() {
			return
		}
	}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		blocks := sluicetest.RandomBlocks(r, sluicetest.OpenAIResponses)
		built := sluicetest.Build(sluicetest.OpenAIResponses, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: r, MaxPiece: 1 + r.IntN(6)})
		sameInFull(t, "", asBytes(built))
		for range 20 {
			sameInFull(t, "", shapetest.Vary(r, asBytes(built)))
		}
	}
}

// FuzzRepeat: any payloads mean the same, whether they are read by their shape
// or in full.
func FuzzRepeat(f *testing.F) {
	f.Add(bytes.Join(asBytes(alike), []byte{0}), "")
	f.Add(bytes.Join(asBytes(alike), []byte{0}), "error")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		sameInFull(t, name, bytes.Split(data, []byte{0}))
	})
}

package anthropic_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire/anthropic"
	"github.com/sluice-project/sluice/wire/internal/shape/shapetest"
)

// alike is an answer with payloads that are like the one before them, or nearly.
var alike = []string{
	`{"type":"message_start","message":{"id":"m","model":"x","content":[],"usage":{"input_tokens":1}}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}        }`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b\\n\\u00e9"}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"c"}   }`,
	`{"type":"ping"}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"d"}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"e"}}`,
	`{"type":"content_block_stop","index":0}`,
	`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}}`,
	`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\":"}}`,
	`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"1"}}`,
	`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"}"}}`,
	`{"type":"content_block_stop","index":1}`,
	`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}}`,
	`{"type":"message_stop"}`,
}

// sameInFull checks that payloads mean the same, however they are read.
func sameInFull(tb testing.TB, name string, payloads [][]byte) {
	tb.Helper()
	shapetest.Same(tb, anthropic.NewDecoder(), anthropic.NewDecoderInFull(), name, payloads)
}

func asBytes(list []string) [][]byte {
	var out [][]byte
	for _, s := range list {
		out = append(out, []byte(s))
	}
	return out
}

func TestPayloadsAlikeMeanTheSameAsReadInFull(t *testing.T) {
	for _, name := range []string{"", "content_block_delta", "other"} {
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
		blocks := sluicetest.RandomBlocks(r, sluicetest.Anthropic)
		built := sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: r, MaxPiece: 1 + r.IntN(6)})
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

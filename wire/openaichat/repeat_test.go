package openaichat_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire/internal/shape/shapetest"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// alike is an answer with payloads that are like the one before them, or nearly.
var alike = []string{
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"obfuscation":"x"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"reasoning":"r","reasoning_content":"r"},"finish_reason":null}],"obfuscation":"xy"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"reasoning":"s","reasoning_content":"r"},"finish_reason":null}],"obfuscation":"xy"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}],"obfuscation":"xyz"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"b\\n"},"finish_reason":null}],"obfuscation":"x\\t"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"c"},"finish_reason":null}],"obfuscation":""}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"d"},"finish_reason":null}],"obfuscation":"x"}`,
	`{"id":"other","choices":[{"index":0,"delta":{"content":"e"}}]}`,
	`{"id":"other","choices":[{"index":0,"delta":{"content":"f"}}]}`,
	`{"id":"other","choices":[{"index":0,"delta":{"content":"g"}}]}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":1,"delta":{"content":"d"},"finish_reason":null}],"obfuscation":"x"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"n","arguments":""}}]},"finish_reason":null}],"obfuscation":"x"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"a\\":"}}]},"finish_reason":null}],"obfuscation":"x"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1"}}]},"finish_reason":null}],"obfuscation":"xy"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]},"finish_reason":null}],"obfuscation":"x"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"n","arguments":"{}"}}]},"finish_reason":null}],"obfuscation":"x"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"n","arguments":"{}"}}]},"finish_reason":null}],"obfuscation":"x"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"obfuscation":"x"}`,
	`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":1,"delta":{},"finish_reason":"stop"}],"obfuscation":"x"}`,
	`[DONE]`,
}

// sameInFull checks that payloads mean the same, however they are read.
func sameInFull(tb testing.TB, name string, payloads [][]byte) {
	tb.Helper()
	shapetest.Same(tb, openaichat.NewDecoder(), openaichat.NewDecoderInFull(), name, payloads)
}

func asBytes(list []string) [][]byte {
	var out [][]byte
	for _, s := range list {
		out = append(out, []byte(s))
	}
	return out
}

func TestPayloadsAlikeMeanTheSameAsReadInFull(t *testing.T) {
	for _, name := range []string{"", "error"} {
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
		blocks := sluicetest.RandomBlocks(r, sluicetest.OpenAIChat)
		built := sluicetest.Build(sluicetest.OpenAIChat, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: r, MaxPiece: 1 + r.IntN(6)})
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

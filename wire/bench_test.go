package wire_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// shortTurn is the answer of an agent at work: some words, then three calls, in
// about 140 deltas.
func shortTurn() [][]llm.Block {
	blocks := []llm.Block{{Kind: llm.Content, Text: strings.Repeat("The tests pass, so what is left is the \"slow\" path:\n", 10)}}
	for _, command := range []string{"ls -la src", "git status --short", "wc -l README.md"} {
		blocks = append(blocks, llm.Block{
			Kind: llm.ToolCall, Name: "Bash", ID: "call_0123456789abcdef0123456" + command[:1],
			Arguments: `{"command":"` + command + `","description":"Look at it"}`,
		})
	}
	return [][]llm.Block{blocks}
}

// BenchmarkStream is what a short answer costs on its whole way through: framing,
// decoder, state and writer, made for it and used once.
func BenchmarkStream(b *testing.B) {
	for _, format := range wire.Formats() {
		payloads := sluicetest.Build(string(format), shortTurn(), sluicetest.BuildOptions{
			MaxPiece: 5, Usage: true, Quirks: sluicetest.QuirkPadding,
			ID: "chatcmpl-D5uYcQLe3hznEQpmI0pr8qyHJ8k2", Model: "gpt-5-2025-08-07",
		})
		body := sluicetest.SSE(string(format), payloads)
		b.Run(string(format), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			b.ReportMetric(float64(len(payloads)), "events/op")
			for b.Loop() {
				if sent := passOn(b, format, body); sent < int64(len(body)) {
					b.Fatalf("%d bytes of %d left", sent, len(body))
				}
			}
		})
	}
}

// passOn reads a stream to its end, sends it on, and returns how much was sent.
func passOn(b *testing.B, format wire.Format, body []byte) int64 {
	events := sse.NewReader(bytes.NewReader(body), sse.Options{})
	out := stream.NewOutput(format.NewWriter(stream.WriterOptions{Settle: true}), func([]byte) error { return nil })
	p := stream.NewProcessor(format.NewDecoder(), stream.Limits{}, nil, out)
	for {
		ev, err := events.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = p.Feed(b.Context(), wire.EventName(ev.Name), ev.Data)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := p.End(b.Context()); err != nil {
		b.Fatal(err)
	}
	return out.Sent()
}

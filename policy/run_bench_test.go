package policy_test

import (
	"io"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// inMemory is a source that costs nothing.
type inMemory [][]byte

func (m *inMemory) Next() (string, []byte, error) {
	if len(*m) == 0 {
		return "", nil, io.EOF
	}
	first := (*m)[0]
	*m = (*m)[1:]
	return "", first, nil
}

// What a host pays for an exchange, from the engine to the last payload: a text
// in small pieces and a call.
func BenchmarkRun(b *testing.B) {
	recommended, err := file.Load(file.Options{}, "preset:recommended")
	if err != nil {
		b.Fatal(err)
	}
	var answer [][]byte
	for _, p := range sluicetest.Build(sluicetest.OpenAIChat, [][]llm.Block{{
		says(strings.Repeat("some words of it", 32)), call("Bash", `{"command":"ls"}`),
	}}, sluicetest.BuildOptions{MaxPiece: 4, Usage: true}) {
		answer = append(answer, []byte(p))
	}
	for _, bc := range []struct {
		name string
		set  *policy.Set
	}{{"no policies", nil}, {"recommended", recommended.Set}} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e := policy.NewEngine(bc.set, nil, policy.Options{Format: wire.OpenAIChat})
				out := stream.NewOutput(wire.OpenAIChat.NewWriter(e.WriterOptions()), func([]byte) error { return nil })
				src := inMemory(answer)
				if err := e.Run(b.Context(), &src, out, policy.RunOptions{Stop: func() {}}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(answer)), "ns/payload")
			b.ReportMetric(float64(len(answer)), "payloads")
		})
	}
}

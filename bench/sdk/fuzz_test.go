package sdk

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// FuzzDifferential makes legal streams that the official readers are known to
// read in full, and demands that Sluice and they understand the same: of the
// stream itself, and of the stream that Sluice rewrites from it.
func FuzzDifferential(f *testing.F) {
	for seed := range byte(9) {
		f.Add(seed, []byte{seed, 3, 141, 59, 26, 53, 58, 97})
	}
	f.Fuzz(func(t *testing.T, dialect byte, data []byte) {
		random(t, checked[int(dialect)%len(checked)], rand.New(&byteSource{data: data}))
	})
}

// The same without a fuzzer, on some streams of each format.
func TestSDKAgreesOnRandomStreams(t *testing.T) {
	for _, format := range checked {
		t.Run(string(format), func(t *testing.T) {
			for seed := range uint64(150) {
				random(t, format, rand.New(rand.NewPCG(seed, 1)))
			}
		})
	}
}

// random checks one stream that r composes.
func random(t *testing.T, format wire.Format, r *rand.Rand) {
	t.Helper()
	blocks := plain(sluicetest.RandomBlocks(r, string(format)))
	payloads := sluicetest.Build(string(format), [][]llm.Block{blocks}, sluicetest.BuildOptions{
		Rand: r, Usage: true, Quirks: sluicetest.Quirks(r.Uint32()) & understood,
	})
	body := sluicetest.SSE(string(format), payloads)
	agree(t, format, "as sent", body)
	written, _, err := recode(format, body)
	if err != nil {
		t.Fatalf("write anew: %v\n%s", err, body)
	}
	agree(t, format, "written anew", written)
}

// understood are the habits that the official readers read rightly. A repeated
// name is not: see openai-go/name-repeated.
const understood = sluicetest.QuirkPing | sluicetest.QuirkPadding | sluicetest.QuirkInterleave |
	sluicetest.QuirkFinishWithDelta | sluicetest.QuirkWholeCalls | sluicetest.QuirkNoNumbers

func agree(t *testing.T, format wire.Format, which string, body []byte) {
	t.Helper()
	ours := read(format, body, nil)
	if ours.err != nil {
		t.Fatalf("%s: a legal stream cannot be read: %v\n%s", which, ours.err, body)
	}
	// openai-go knows no reasoning: openai-go/reasoning-lost.
	mine := ours.facts(format).without("choice/*/thinking")
	for _, d := range Compare(mine, readOfficial(t.Context(), format, body)) {
		t.Errorf("%s: %v\n%s", which, d, body)
	}
}

// plain leaves out what the official readers lose: calls of custom tools, see
// openai-go/custom-lost.
func plain(blocks []llm.Block) []llm.Block {
	return slices.DeleteFunc(blocks, func(b llm.Block) bool { return b.Type == "custom" })
}

// byteSource is a source of random numbers whose first numbers are the fuzzer's
// bytes, so that a change of a byte is a change of one decision.
type byteSource struct {
	data  []byte
	state uint64
}

// Uint64 returns the next number.
func (s *byteSource) Uint64() uint64 {
	s.state = s.state*6364136223846793005 + 1442695040888963407
	if len(s.data) == 0 {
		return s.state
	}
	// Choices among few are made by the high bits.
	next := uint64(s.data[0])<<56 | s.state>>8
	s.state ^= uint64(s.data[0])
	s.data = s.data[1:]
	return next
}

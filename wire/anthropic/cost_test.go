package anthropic_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
)

// steady is a stream in the middle of a block.
type steady struct {
	decoder *anthropic.Decoder
	state   *stream.State
	writer  *anthropic.Writer
	chunk   stream.Chunk
	out     []byte
}

func newSteady(tb testing.TB, block string) *steady {
	tb.Helper()
	s := &steady{decoder: anthropic.NewDecoder(), state: stream.NewState(stream.Limits{}), writer: anthropic.NewWriter(stream.WriterOptions{})}
	s.feed(tb, "message_start", []byte(msgStart))
	s.feed(tb, "content_block_start", []byte(start(0, block)))
	return s
}

func (s *steady) feed(tb testing.TB, name string, payload []byte) {
	tb.Helper()
	if err := s.pass(name, payload); err != nil {
		tb.Fatal(err)
	}
}

// pass decodes a payload, takes it in and writes it.
func (s *steady) pass(name string, payload []byte) error {
	s.chunk.Raw, s.chunk.Name = payload, name
	err := s.decoder.Decode(&s.chunk)
	if err == nil {
		err = s.state.Apply(&s.chunk)
	}
	if err == nil {
		s.out, err = s.writer.Write(s.out[:0], &s.chunk)
	}
	return err
}

var steadyDeltas = []struct{ name, block, delta string }{
	{"text", textBlock, textDelta(0, " a few words")},
	{"text with escapes", textBlock, delta(0, `{"type":"text_delta","text":"a\nfew \u00e9scapes"}`)},
	{"thinking", `{"type":"thinking","thinking":""}`, delta(0, `{"type":"thinking_delta","thinking":"hm"}`)},
	{"arguments", toolBlock, jsonDelta(0, `{"command": "ls`)},
}

func TestASteadyDeltaAllocatesNothing(t *testing.T) {
	for _, tt := range steadyDeltas {
		for _, name := range []string{"content_block_delta", ""} {
			t.Run(tt.name+" "+name, func(t *testing.T) {
				s := newSteady(t, tt.block)
				payload := []byte(tt.delta)
				for range 20_000 { // the block's text has grown enough
					s.feed(t, name, payload)
				}
				if n := testing.AllocsPerRun(100, func() { s.feed(t, name, payload) }); n > 0 {
					t.Errorf("%v allocations for a delta", n)
				}
			})
		}
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestWorkIsLinear(t *testing.T) {
	many := func(blocks, rounds int) [][]byte {
		payloads := []string{msgStart}
		for i := range blocks {
			payloads = append(payloads, start(i, textBlock))
		}
		for range rounds {
			for i := range blocks {
				payloads = append(payloads, textDelta(i, "x"))
			}
		}
		return raws(append(payloads, endTurn, msgStop))
	}
	run := func(payloads [][]byte, force bool) func() {
		return func() {
			d, s, w := anthropic.NewDecoder(), stream.NewState(stream.Limits{Blocks: 1 << 20}), anthropic.NewWriter(stream.WriterOptions{Force: force})
			var c stream.Chunk
			var out []byte
			for _, p := range payloads {
				c.Raw, c.Name = p, ""
				if err := d.Decode(&c); err != nil {
					t.Fatal(err)
				}
				if err := s.Apply(&c); err != nil {
					t.Fatal(err)
				}
				var err error
				if out, err = w.Write(out[:0], &c); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, force := range []bool{false, true} {
		small, large := many(500, 4), many(5000, 4)
		a, b := allocated(run(small, force)), allocated(run(large, force))
		if b > 20*a {
			t.Errorf("ten times the blocks allocate %d times the bytes (force %v)", b/a, force)
		}
	}
}

func TestUsageCannotGrowWithoutBounds(t *testing.T) {
	payloads := []string{msgStart}
	for i := range 3000 {
		payloads = append(payloads, fmt.Sprintf(`{"type":"message_delta","delta":{},"usage":{"output_tokens":%d,"member_%d":1}}`, i, i))
	}
	payloads = append(payloads,
		fmt.Sprintf(`{"type":"message_delta","delta":{},"usage":{"output_tokens":7,"pad":%q}}`, strings.Repeat("x", 100_000)),
		endTurn, msgStop)
	got := feed(t, raws(payloads))
	if got.err != nil {
		t.Fatal(got.err)
	}
	if u, _ := got.state.Usage(); u.Output != 5 || u.Input != 10 || len(u.Raw) > 64<<10 {
		t.Errorf("usage %d in, %d out, %d bytes", u.Input, u.Output, len(u.Raw))
	}
}

func TestLimitsHold(t *testing.T) {
	d, s := anthropic.NewDecoder(), stream.NewState(stream.Limits{Blocks: 3})
	var c stream.Chunk
	var err error
	for i := range 10 {
		c.Raw, c.Name = []byte(start(i*1_000_000_007, textBlock)), ""
		if err = d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if err = s.Apply(&c); err != nil {
			break
		}
	}
	if limit := new(stream.LimitError); !errors.As(err, &limit) {
		t.Errorf("error %v, want a limit", err)
	}
}

func BenchmarkDelta(b *testing.B) {
	for _, tt := range steadyDeltas {
		b.Run(tt.name, func(b *testing.B) {
			payload := []byte(tt.delta)
			var s *steady
			b.ReportAllocs()
			for i := range b.N {
				if i%100_000 == 0 {
					s = newSteady(b, tt.block)
				}
				s.chunk.Raw, s.chunk.Name = payload, "content_block_delta"
				if err := s.decoder.Decode(&s.chunk); err != nil {
					b.Fatal(err)
				}
				if err := s.state.Apply(&s.chunk); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(tt.name+" written", func(b *testing.B) {
			payload := []byte(tt.delta)
			var s *steady
			b.ReportAllocs()
			for i := range b.N {
				if i%100_000 == 0 {
					s = newSteady(b, tt.block)
				}
				if err := s.pass("content_block_delta", payload); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

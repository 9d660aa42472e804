package openairesponses_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

const (
	textDelta = `{"type":"response.output_text.delta","content_index":0,"delta":" world","item_id":"msg_0a7836d50cf181dd016a3c122e5e1881a1b6","logprobs":[],"obfuscation":"kx8Yz01qAw","output_index":0,"sequence_number":5}`
	argsDelta = `{"type":"response.function_call_arguments.delta","delta":"{\"path\":","item_id":"fc_0a7836d50cf181dd016a3c12307fa481a1","obfuscation":"kx8","output_index":0,"sequence_number":5}`
)

var steady = []struct{ name, added, delta string }{
	{"text", lines(message(0, "msg_0a7836d50cf181dd016a3c122e5e1881a1b6", "x"))[0], textDelta},
	{"arguments", lines(call(0, "fc_0a7836d50cf181dd016a3c12307fa481a1", "call_1", "f", "{}"))[0], argsDelta},
}

// feeder decodes the same delta again and again.
type feeder struct {
	d *openairesponses.Decoder
	s *stream.State
	c stream.Chunk
}

func newFeeder(tb testing.TB, added, delta string) (*feeder, []byte) {
	f := &feeder{d: openairesponses.NewDecoder(), s: stream.NewState(stream.Limits{Bytes: math.MaxInt})}
	for _, p := range []string{created, added, delta} {
		f.feed(tb, []byte(p))
	}
	return f, []byte(delta)
}

func (f *feeder) feed(tb testing.TB, payload []byte) {
	f.c.Raw, f.c.Name = payload, ""
	if err := f.d.Decode(&f.c); err != nil {
		tb.Fatal(err)
	}
	if err := f.s.Apply(&f.c); err != nil {
		tb.Fatal(err)
	}
}

func TestSteadyDeltasDoNotAllocate(t *testing.T) {
	for _, tc := range steady {
		t.Run(tc.name, func(t *testing.T) {
			f, delta := newFeeder(t, tc.added, tc.delta)
			if n := testing.AllocsPerRun(2000, func() { f.feed(t, delta) }); n != 0 {
				t.Errorf("decoding a delta allocates %v times", n)
			}
			w := openairesponses.NewWriter(stream.WriterOptions{})
			var out []byte
			f, delta = newFeeder(t, tc.added, tc.delta)
			write := func() {
				var err error
				if out, err = w.Write(out[:0], &f.c); err != nil {
					t.Fatal(err)
				}
			}
			d := openairesponses.NewDecoder()
			f.d, f.s = d, stream.NewState(stream.Limits{Bytes: math.MaxInt})
			for _, p := range []string{created, tc.added} {
				f.feed(t, []byte(p))
				write()
			}
			if n := testing.AllocsPerRun(2000, func() { f.feed(t, delta); write() }); n != 0 {
				t.Errorf("decoding and writing a delta allocates %v times", n)
			}
		})
	}
}

// What a long answer costs grows with its length, not faster: a million deltas
// over ten thousand items must not search.
func TestManyItemsCostNoMoreEach(t *testing.T) {
	const items = 2000
	d, c := openairesponses.NewDecoder(), stream.Chunk{}
	feed := func(payload string) {
		c.Raw, c.Name = []byte(payload), ""
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
	}
	for i := range items {
		feed(lines(call(i, fmt.Sprintf("fc_%d", i), fmt.Sprintf("call_%d", i), "f", "{}"))[0])
	}
	deltas := make([][]byte, items)
	for i := range deltas {
		deltas[i] = fmt.Appendf(nil, `{"type":"response.function_call_arguments.delta","output_index":%d,"delta":"x"}`, i)
	}
	n := testing.AllocsPerRun(3, func() {
		for _, p := range deltas {
			c.Raw, c.Name = p, ""
			if err := d.Decode(&c); err != nil {
				t.Fatal(err)
			}
		}
	})
	if n != 0 {
		t.Errorf("%d deltas of as many items allocate %v times", items, n)
	}
}

func TestItemsThatNeverBecomeBlocksAreLimited(t *testing.T) {
	d, c := openairesponses.NewDecoder(), stream.Chunk{}
	for i := range 1 << 18 {
		c.Raw = fmt.Appendf(nil, `{"type":"response.output_item.added","output_index":%d,"item":{"type":"message"}}`, i)
		if err := d.Decode(&c); err != nil {
			if _, ok := err.(*stream.LimitError); !ok {
				t.Fatalf("got %v, want a *stream.LimitError", err)
			}
			return
		}
	}
	t.Error("no limit")
}

func BenchmarkDecodeApply(b *testing.B) {
	for _, tc := range steady {
		b.Run(tc.name, func(b *testing.B) {
			f, delta := newFeeder(b, tc.added, tc.delta)
			b.SetBytes(int64(len(delta)))
			b.ReportAllocs()
			for b.Loop() {
				f.feed(b, delta)
			}
		})
	}
}

func BenchmarkDecodeApplyWrite(b *testing.B) {
	for _, tc := range steady {
		b.Run(tc.name, func(b *testing.B) {
			f, delta := newFeeder(b, tc.added, tc.delta)
			w := openairesponses.NewWriter(stream.WriterOptions{})
			f.d, f.s = openairesponses.NewDecoder(), stream.NewState(stream.Limits{Bytes: math.MaxInt})
			var out []byte
			for _, p := range []string{created, tc.added} {
				f.feed(b, []byte(p))
				out, _ = w.Write(out[:0], &f.c)
			}
			b.ReportAllocs()
			for b.Loop() {
				f.feed(b, delta)
				out, _ = w.Write(out[:0], &f.c)
			}
		})
	}
}

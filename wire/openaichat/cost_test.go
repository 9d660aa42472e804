package openaichat_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// steady returns a decoder, a state and a writer in the middle of an answer, and
// the payload that goes on with it.
func steady(tb testing.TB, name string) (d *openaichat.Decoder, s *stream.State, w *openaichat.Writer, payload []byte) {
	tb.Helper()
	var first, next string
	switch name {
	case "text":
		first, next = chunk(`{"role":"assistant","content":"a"}`, ""), chunk(`{"content":" hello"}`, "")
	case "escaped text":
		first, next = chunk(`{"role":"assistant","content":"a"}`, ""), chunk(`{"content":"line\n\"q\""}`, "")
	case "thinking":
		first, next = chunk(`{"reasoning":"a"}`, ""), chunk(`{"content":"","role":"assistant","reasoning":" b","reasoning_details":[{"type":"reasoning.text","text":" b","index":0}],"channel":"analysis"}`, "")
	case "arguments":
		first = chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}`), "")
		next = chunk(calls(`{"index":0,"function":{"arguments":"\"pa"}}`), "")
	case "arguments with their id":
		first = chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}`), "")
		next = chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"\"pa"}}`), "")
	}
	d, s, w = openaichat.NewDecoder(), stream.NewState(stream.Limits{Bytes: math.MaxInt}), newWriter(false)
	var c stream.Chunk
	for _, p := range append([]string{first}, strings.Split(strings.Repeat(next+"\n", 40), "\n")[:40]...) {
		c.Raw = []byte(p)
		if err := errors.Join(d.Decode(&c), s.Apply(&c)); err != nil {
			tb.Fatal(err)
		}
		if _, err := w.Write(nil, &c); err != nil {
			tb.Fatal(err)
		}
	}
	return d, s, w, []byte(next)
}

var steadyNames = []string{"text", "escaped text", "thinking", "arguments", "arguments with their id"}

func TestASteadyDeltaAllocatesNothing(t *testing.T) {
	for _, name := range steadyNames {
		t.Run(name, func(t *testing.T) {
			d, _, w, payload := steady(t, name)
			var c stream.Chunk
			c.Events = make([]stream.Event, 0, 16)
			out := make([]byte, 0, 4096)
			n := testing.AllocsPerRun(200, func() {
				c.Raw, c.Name = payload, ""
				if d.Decode(&c) != nil {
					t.Fatal("refused")
				}
				var err error
				if out, err = w.Write(out[:0], &c); err != nil {
					t.Fatal(err)
				}
			})
			if n != 0 {
				t.Errorf("%v allocations for a delta", n)
			}
		})
	}
	t.Run("with its state", func(t *testing.T) {
		// The state's text grows by doubling, so the average is not quite zero.
		d, s, _, payload := steady(t, "text")
		var c stream.Chunk
		if n := testing.AllocsPerRun(5000, func() {
			c.Raw, c.Name = payload, ""
			if d.Decode(&c) != nil || s.Apply(&c) != nil {
				t.Fatal("refused")
			}
		}); n != 0 {
			t.Errorf("%v allocations for a delta", n)
		}
	})
}

// A million deltas over many calls must not search them: what is counted is
// allocations, which would grow with every search that copies, and the test
// would not end if the time were not linear.
func TestManyCallsStayCheap(t *testing.T) {
	d := openaichat.NewDecoder()
	var c stream.Chunk
	const blocks = 5000
	for i := range blocks {
		c.Raw = []byte(chunk(calls(fmt.Sprintf(`{"index":%d,"id":"id%d","type":"function","function":{"name":"f","arguments":"{"}}`, i, i)), ""))
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
	}
	payloads := make([][]byte, 100)
	for i := range payloads {
		payloads[i] = []byte(chunk(calls(fmt.Sprintf(`{"index":%d,"function":{"arguments":" "}}`, i*37)), ""))
	}
	n := testing.AllocsPerRun(3, func() {
		for range 200 {
			for _, p := range payloads {
				c.Raw = p
				if err := d.Decode(&c); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if n > 200 {
		t.Errorf("%v allocations for 20000 deltas", n)
	}
}

func TestHostileNumbersDoNotGrowMemory(t *testing.T) {
	for name, in := range map[string]string{
		"choices": `{"choices":[` + strings.TrimSuffix(func() string {
			var b strings.Builder
			for i := range 5000 {
				fmt.Fprintf(&b, `{"index":%d},`, i*1000003)
			}
			return b.String()
		}(), ",") + `]}`,
		"blocks": chunk(`{"content":[`+strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"a"},{"type":"thinking","thinking":"b"},`, 80000), ",")+`]}`, ""),
	} {
		t.Run(name, func(t *testing.T) {
			c := stream.Chunk{Raw: []byte(in)}
			err := openaichat.NewDecoder().Decode(&c)
			if limit := new(stream.LimitError); !errors.As(err, &limit) {
				t.Errorf("error %v, want a *stream.LimitError", err)
			}
		})
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	c := stream.Chunk{Raw: []byte(chunk(`{"odd":`+strings.Repeat("[", 600)+strings.Repeat("]", 600)+`}`, ""))}
	if err := openaichat.NewDecoder().Decode(&c); err == nil {
		t.Error("accepted")
	}
}

func BenchmarkDecodeAndApply(b *testing.B) {
	for _, name := range steadyNames {
		b.Run(name, func(b *testing.B) {
			d, s, _, payload := steady(b, name)
			var c stream.Chunk
			b.ReportAllocs()
			b.SetBytes(int64(len(payload)))
			for b.Loop() {
				c.Raw, c.Name = payload, ""
				if d.Decode(&c) != nil || s.Apply(&c) != nil {
					b.Fatal("refused")
				}
			}
		})
	}
}

func BenchmarkPassThrough(b *testing.B) {
	d, _, w, payload := steady(b, "text")
	c := stream.Chunk{Raw: payload}
	if err := d.Decode(&c); err != nil {
		b.Fatal(err)
	}
	out := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		out, _ = w.Write(out[:0], &c)
		c.Seq++
	}
}

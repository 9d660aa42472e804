package gemini

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/stream"
)

const steady = `{"candidates": [{"content": {"parts": [{"text": " and so the text goes on with \"quotes\" and a\nline"}],"role": "model"},"index": 0}],` +
	`"usageMetadata": {"promptTokenCount": 11,"candidatesTokenCount": 14,"totalTokenCount": 231,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 11}],"thoughtsTokenCount": 206},` +
	`"modelVersion": "gemini-3.1-pro-preview","responseId": "NgCzaZz6I6nUz7IPhsKmmQw"}`

const steadyPiece = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.location","stringValue":"a few letters","willContinue":true}],"willContinue":true}}]}}],` +
	`"usageMetadata":{"trafficType":"ON_DEMAND"},"modelVersion":"gemini-3.1-pro-preview","responseId":"dqHOab6xGLzWodAPkPuViA4"}`

func TestSteadyTextAllocatesNothing(t *testing.T) {
	d, s, w := NewDecoder(), stream.NewState(stream.Limits{}), NewWriter(stream.WriterOptions{})
	c := stream.Chunk{Raw: []byte(steady)}
	var out []byte
	step := func() {
		if err := errors.Join(d.Decode(&c), s.Apply(&c)); err != nil {
			t.Fatal(err)
		}
		var err error
		if out, err = w.Write(out[:0], &c); err != nil {
			t.Fatal(err)
		}
	}
	for range 2000 { // let the text grow past its first sizes
		step()
	}
	if n := testing.AllocsPerRun(500, step); n > 0 {
		t.Errorf("got %v allocations for a delta", n)
	}
}

// Twice the answer costs twice the memory, also with ten thousand blocks.
func TestCostIsLinear(t *testing.T) {
	cost := func(n int) float64 {
		return testing.AllocsPerRun(3, func() {
			d, s := NewDecoder(), stream.NewState(stream.Limits{})
			var c stream.Chunk
			for i := range n {
				c.Raw = []byte(chunkOf(`{"text":"a"},{"functionCall":{"name":"f","args":{"a":1}}}`, ""))
				if i%2 == 0 {
					c.Raw = []byte(chunkOf(`{"text":"b","thought":true}`, ""))
				}
				if err := errors.Join(d.Decode(&c), s.Apply(&c)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if a, b := cost(500), cost(5000); b > 12*a {
		t.Errorf("10 times the payloads cost %v instead of %v allocations", b, a)
	}
}

func TestLimits(t *testing.T) {
	open := chunkOf(`{"functionCall":{"name":"f","willContinue":true}}`, "")
	long := strings.Repeat("x", 1<<20)
	grow := chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"`+long+`","willContinue":true}],"willContinue":true}}`, "")
	var values strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&values, `,{"jsonPath":"$.k%d","numberValue":1}`, i)
	}
	many := func(n int) string {
		return `{"candidates":[` + strings.Repeat(`{},`, n) + `{}]}`
	}
	for _, tc := range []struct {
		name  string
		lines []string
	}{
		{"parts in a payload", []string{chunkOf(strings.Repeat(`{"text":"a"},`, maxElements)+`{"text":"b"}`, "")}},
		{"candidates in a payload", []string{many(maxElements)}},
		{"unknown members in a payload", []string{`{` + strings.Repeat(`"a":1,`, maxElements) + `"b":1}`}},
		{"elements of an array", []string{`[` + strings.Repeat(`{},`, maxElements) + `{}]`}},
		{"bytes of streamed arguments", append([]string{open}, repeated(grow, 17)...)},
		{"values of streamed arguments", []string{open, chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","boolValue":true}`+values.String()+`],"willContinue":true}}`, "")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := read(t, tc.lines...)
			if limit := (*stream.LimitError)(nil); !errors.As(a.err, &limit) {
				t.Errorf("got %v", a.err)
			}
		})
	}
	t.Run("choices", func(t *testing.T) {
		var b strings.Builder
		for i := range maxChoices + 1 {
			fmt.Fprintf(&b, `,{"index":%d}`, i*1000)
		}
		a := read(t, `{"candidates":[`+b.String()[1:]+`]}`)
		if limit := (*stream.LimitError)(nil); !errors.As(a.err, &limit) {
			t.Errorf("got %v", a.err)
		}
	})
	t.Run("empty texts cost nothing", func(t *testing.T) {
		a := read(t, chunkOf(strings.Repeat(`{"text":""},`, 2*maxElements)+`{"text":"b"}`, "STOP"))
		if a.err != nil || a.blocks(0) != "content b\n" {
			t.Errorf("got %v", a.err)
		}
	})
	t.Run("calls that end free what they held", func(t *testing.T) {
		var lines []string
		for range 3 {
			lines = append(append(append(lines, open), repeated(grow, 10)...), chunkOf(`{"functionCall":{}}`, ""))
		}
		if a := read(t, append(lines, stop)...); a.err != nil {
			t.Error(a.err)
		}
	})
}

func repeated(s string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s
	}
	return list
}

func TestNamesInOtherLettersAreRefused(t *testing.T) {
	for _, line := range []string{
		`{"Candidates":[]}`, `{"candidates":[{"Content":{}}]}`, `{"candidates":[{"content":{"PARTS":[]}}]}`,
		`{"candidates":[{"content":{"part` + "\u017f" + `":[]}}]}`,
		chunkOf(`{"text":"safe","Text":"not"}`, ""), chunkOf(`{"FunctionCall":{"name":"f"}}`, ""), chunkOf(`{"functionCall":{"name":"f","Args":{"a":1}}}`, ""),
	} {
		a := read(t, line)
		if protocol := (*stream.ProtocolError)(nil); !errors.As(a.err, &protocol) {
			t.Errorf("%s: got %v", line, a.err)
		}
	}
}

func BenchmarkTextDelta(b *testing.B) {
	benchmark(b, []string{}, steady)
}

func BenchmarkArgumentPiece(b *testing.B) {
	benchmark(b, []string{chunkOf(`{"functionCall":{"name":"f","willContinue":true}}`, "")}, steadyPiece)
}

func BenchmarkWholeCall(b *testing.B) {
	benchmark(b, nil, chunkOf(`{"functionCall":{"name":"get_weather","args":{"location":"Florence, Italy","days":3}},"thoughtSignature":"CiQBvj72"}`, ""))
}

// benchmark decodes and applies a payload again and again, in answers that are
// restarted before they get long.
func benchmark(b *testing.B, first []string, line string) {
	b.Helper()
	var (
		d *Decoder
		s *stream.State
		c stream.Chunk
	)
	raw := []byte(line)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%5000 == 0 {
			d, s = NewDecoder(), stream.NewState(stream.Limits{})
			for _, f := range first {
				c.Raw = []byte(f)
				if err := errors.Join(d.Decode(&c), s.Apply(&c)); err != nil {
					b.Fatal(err)
				}
			}
		}
		c.Raw = raw
		if err := d.Decode(&c); err != nil {
			b.Fatal(err)
		}
		if err := s.Apply(&c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteUnedited(b *testing.B) {
	d, w := NewDecoder(), NewWriter(stream.WriterOptions{})
	c := stream.Chunk{Raw: []byte(steady)}
	if err := d.Decode(&c); err != nil {
		b.Fatal(err)
	}
	var out []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Seq = i
		out, _ = w.Write(out[:0], &c)
	}
}

package anthropic_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
	"github.com/sluice-project/sluice/wire/sse"
)

// answer is what came of a stream.
type answer struct {
	state      *stream.State
	deviations []string
	chunks     []*stream.Chunk
	err        error
}

// feed decodes payloads to their end. An error of the decoder ends it; an error
// of the state is a fault of the decoder.
func feed(tb testing.TB, payloads [][]byte) *answer {
	tb.Helper()
	d := anthropic.NewDecoder()
	a := &answer{state: stream.NewState(stream.Limits{})}
	var c stream.Chunk
	for _, p := range payloads {
		c.Raw, c.Name = p, ""
		if a.err = d.Decode(&c); a.err != nil {
			a.state.Cut()
			break
		}
		a.apply(tb, &c)
	}
	if a.err == nil {
		c.Raw, c.Name = nil, ""
		if a.err = d.End(&c); a.err != nil {
			a.state.Cut()
		} else {
			a.apply(tb, &c)
		}
	}
	for _, n := range d.Deviations() {
		a.deviations = append(a.deviations, n.Code)
	}
	return a
}

func (a *answer) apply(tb testing.TB, c *stream.Chunk) {
	tb.Helper()
	if err := a.state.Apply(c); err != nil {
		if limit := new(stream.LimitError); !errors.As(err, &limit) {
			tb.Fatalf("the state refuses what the decoder says: %v", err)
		}
		a.err = err
	}
	a.chunks = append(a.chunks, c.Clone())
}

func sorted(words []string) []string {
	slices.Sort(words)
	return words
}

// write writes chunks with a writer and stops at the first error.
func write(w *anthropic.Writer, chunks []*stream.Chunk) (out []byte, err error) {
	for _, c := range chunks {
		if out, err = w.Write(out, c); err != nil {
			return out, err
		}
	}
	return out, nil
}

// payloadsOf reads the payloads of an event stream and checks that each event
// has the name of its type.
func payloadsOf(tb testing.TB, out []byte) [][]byte {
	tb.Helper()
	r := sse.NewReader(bytes.NewReader(out), sse.Options{})
	var payloads [][]byte
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			return payloads
		}
		if err != nil {
			tb.Fatal(err)
		}
		payloads = append(payloads, bytes.Clone(ev.Data))
	}
}

// checkPassThrough checks that an unedited stream leaves unchanged.
func checkPassThrough(tb testing.TB, payloads [][]byte) {
	tb.Helper()
	out, err := write(anthropic.NewWriter(stream.WriterOptions{}), feed(tb, payloads).chunks)
	if err != nil {
		tb.Fatal(err)
	}
	if !slices.EqualFunc(payloadsOf(tb, out), payloads, bytes.Equal) {
		tb.Error("the payloads changed on the way")
	}
}

// checkForce checks that a stream that is re-encoded says the same.
func checkForce(tb testing.TB, payloads [][]byte) {
	tb.Helper()
	want := feed(tb, payloads)
	w := anthropic.NewWriter(stream.WriterOptions{Force: true})
	out, err := write(w, want.chunks)
	if err != nil {
		tb.Fatal(err)
	}
	if want.err != nil {
		if out, err = w.Fail(out, want.err); err != nil {
			tb.Fatal(err)
		}
	}
	if err := sluicetest.ValidateAnthropic(out); err != nil {
		tb.Errorf("%v\n%s", err, out)
	}
	got := feed(tb, payloadsOf(tb, out))
	if describe(got.state) != describe(want.state) || got.state.FinishReason() != want.state.FinishReason() {
		tb.Errorf("re-encoded\n%s %s\nwant\n%s %s", describe(got.state), got.state.FinishReason(), describe(want.state), want.state.FinishReason())
	}
	if len(got.deviations) > 0 {
		tb.Errorf("the re-encoded stream deviates: %v", got.deviations)
	}
}

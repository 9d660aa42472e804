package openaichat_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openaichat"
	"github.com/sluice-project/sluice/wire/sse"
)

// newWriter returns a writer whose ids are counted, so that tests can name them.
func newWriter(force bool) *openaichat.Writer {
	n := 0
	return openaichat.NewWriter(stream.WriterOptions{Force: force, NewID: func() string {
		n++
		return fmt.Sprintf("new%d", n)
	}})
}

func checkPassThrough(tb testing.TB, a *answer) {
	tb.Helper()
	w := newWriter(false)
	var out, want []byte
	for _, c := range a.chunks {
		var err error
		if out, err = w.Write(out, c); err != nil {
			tb.Fatalf("passing on: %v", err)
		}
		switch {
		case c.Raw == nil:
		case c.Whole:
			want = append(want, c.Raw...)
		default:
			want = sse.AppendEvent(want, c.Name, c.Raw)
		}
	}
	if !bytes.Equal(out, want) {
		tb.Errorf("pass-through changed the bytes:\n%s\nwant\n%s", out, want)
	}
}

// checkForce re-encodes an answer and demands the same blocks.
func checkForce(tb testing.TB, a *answer) {
	tb.Helper()
	w := newWriter(true)
	var out []byte
	for _, c := range a.chunks {
		var err error
		if out, err = w.Write(out, c); err != nil {
			tb.Fatalf("re-encoding: %v", err)
		}
	}
	got := feed(tb, unframe(tb, out))
	if describeText(got.state) != describeText(a.state) {
		tb.Errorf("re-encoding changed the answer:\n%s\nwant\n%s\n%s", describeText(got.state), describeText(a.state), out)
	}
	if a.err == nil && a.state.Err() == nil {
		if err := errors.Join(validate(out), sluicetest.ValidateOpenAIChat(out)); err != nil {
			tb.Errorf("re-encoding gave an illegal stream: %v\n%s", err, out)
		}
		for _, d := range got.deviations {
			if d != "finish-stop-with-calls" && d != "tool-calls-interleave" {
				tb.Errorf("the re-encoded stream still deviates: %s", d)
			}
		}
	}
}

// describeText is describe without what a forced writer may give: ids, and the
// word of a finish that was never said.
func describeText(s *stream.State) string {
	out := ""
	for _, c := range s.Choices() {
		out += fmt.Sprintf("choice %d\n", c.Index())
		for _, b := range c.Blocks() {
			out += fmt.Sprintf("%s %s %q %s %s\n", b.Kind(), b.Name(), b.Text(), b.Signature(), b.Status())
		}
		out += "finish " + c.Finish().String() + "\n"
	}
	return out
}

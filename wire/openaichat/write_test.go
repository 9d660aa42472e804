package openaichat_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
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
			want = sse.AppendEvent(want, c.Name, []byte(strings.NewReplacer("\r", " ", "\n", " ").Replace(string(c.Raw))))
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

// describeText is describe without what a forced writer may add: ids, and a
// finish reason that was never sent.
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

// Clients take the last finish reason of a choice, so that nothing of a choice
// that has finished may follow with a null.
func TestNothingOfAFinishedChoiceTakesItsFinishBack(t *testing.T) {
	const usage = `"usage":{"prompt_tokens":10,"completion_tokens":1},"object":"chat.completion.chunk"`
	late := func(choice int, delta string) string {
		return fmt.Sprintf(`{"id":"c","choices":[{"index":%d,"delta":%s,"finish_reason":null}],%s}`, choice, delta, usage)
	}
	for _, tc := range []struct {
		name  string
		lines []string
		want  string // the last payload but [DONE]
	}{
		{
			"a choice that says nothing is left out",
			[]string{chunk(`{"content":"a"}`, "stop"), late(0, `{"role":"assistant","content":""}`)},
			`"choices":[],` + usage + `}`,
		},
		{
			"while another goes on, usage comes with that",
			[]string{choice(0, `{"content":"a"}`, "stop"), choice(1, `{"content":"b"}`, ""), late(0, `{}`)},
			`"choices":[{"index":1,"delta":{},"finish_reason":null}],` + usage + `}`,
		},
		{
			"what is said stays",
			[]string{chunk(`{"content":"a"}`, "stop"), late(0, `{"annotations":[{"url":"u"}]}`)},
			`"delta":{"annotations":[{"url":"u"}]},"finish_reason":null}],` + usage + `}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWriter(true)
			var out []byte
			for _, c := range feed(t, payloads(tc.lines...)).chunks {
				if c.Raw == nil {
					break
				}
				var err error
				if out, err = w.Write(out, c); err != nil {
					t.Fatal(err)
				}
			}
			if got := strings.TrimSpace(string(out)); !strings.HasSuffix(got, tc.want) {
				t.Errorf("written\n%s\nwant at the end\n%s", got, tc.want)
			}
		})
	}
}

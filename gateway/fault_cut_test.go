package gateway_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

var cuts = []struct {
	name string
	how  sluicetest.CutHow
}{{"closed", sluicetest.CutClose}, {"reset", sluicetest.CutReset}, {"ended as HTTP wants", sluicetest.CutClean}}

// TestFaultCutStream cuts streams of every dialect at every byte. Whatever has
// arrived by then, the client is told that it is incomplete.
func TestFaultCutStream(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		for _, encoding := range []string{"", "gzip"} {
			for _, cut := range cuts {
				t.Run(fmt.Sprintf("%s %s %s", format, encoding, cut.name), func(t *testing.T) {
					whole := reply(format, true, mixture(format), pieces)
					if encoding != "" {
						whole = whole.Encoded(encoding)
					}
					b := newBench(t, withMarks(t, nil))
					for at := 0; at < len(whole.Body); at += step(at, len(whole.Body)) {
						r := whole
						r.Cut = &sluicetest.Cut{At: at, How: cut.how}
						b.up.Script(r)
						a := b.ask(format, true)
						cutStream(t, format, a, plain(encoding, whole.Body[:at]), encoding, cut.how)
						if t.Failed() {
							t.Fatalf("cut at byte %d of %d", at, len(whole.Body))
						}
					}
					b.settled()
				})
			}
		}
	}
}

// step is how far it is to the next byte at which a test cuts. The last bytes,
// where an answer turns whole, are all tried.
func step(at, length int) int {
	if at >= length-40 {
		return 1
	}
	return size(max(7, length/120), 1)
}

// plain is what a client can read of the beginning of an encoded stream.
func plain(encoding string, body []byte) []byte {
	if encoding == "" {
		return body
	}
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	said, _ := io.ReadAll(r)
	return said
}

// cutStream checks what a client got of a truncated stream.
func cutStream(t *testing.T, format wire.Format, a *answer, came []byte, encoding string, how sluicetest.CutHow) {
	t.Helper()
	end := a.story().end
	_, missing := wholeBefore(format, came)
	report, _ := sluicetest.Inspect(string(format), a.body)
	if a.status == http.StatusOK {
		nothingUnjudged(t, format, a, report.Calls)
	}
	said := end.Outcome == gateway.Complete
	switch {
	// The writer of Responses does not say that its answer was over, so it is
	// recorded as cut.
	case missing == nil && (said || format == wire.OpenAIResponses && report.Ended):
		// Every payload came: what is missing is the end of the transport.
		goodStream(t, format, a)
	case a.status != http.StatusOK:
		refused(t, format, a, http.StatusBadGateway)
	default:
		failedStream(t, format, a)
	}
	// A reset can overtake the header, as if there had been no answer.
	none := end.Outcome == gateway.Unreachable && a.status != http.StatusOK && how != sluicetest.CutClean
	if missing != nil && end.Outcome != gateway.Cut && !none {
		t.Errorf("the outcome is %q (%s), want a cut", end.Outcome, end.Error)
	}
	if missing == nil && how == sluicetest.CutClean && encoding == "" && !said {
		t.Errorf("a whole answer ended as %q (%s)", end.Outcome, end.Error)
	}
	if !said && end.Error == "" {
		t.Error("the end does not say what went wrong")
	}
}

// TestFaultCutBody cuts bodies of every dialect at every byte.
func TestFaultCutBody(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		for _, encoding := range []string{"", "gzip"} {
			for _, cut := range cuts {
				t.Run(fmt.Sprintf("%s %s %s", format, encoding, cut.name), func(t *testing.T) {
					whole := reply(format, false, mixture(format))
					if encoding != "" {
						whole = whole.Encoded(encoding)
					}
					b := newBench(t, withMarks(t, nil))
					for at := 0; at < len(whole.Body); at += step(at, len(whole.Body)) {
						r := whole
						r.Cut = &sluicetest.Cut{At: at, How: cut.how}
						b.up.Script(r)
						a := b.ask(format, false)
						refused(t, format, a, http.StatusBadGateway)
						nothingUnjudged(t, format, a, nil)
						if end := a.story().end; end.Outcome != gateway.Cut && (end.Outcome != gateway.Unreachable || cut.how != sluicetest.CutReset) {
							t.Errorf("the outcome is %q (%s)", end.Outcome, end.Error)
						}
						if t.Failed() {
							t.Fatalf("cut at byte %d of %d: %s", at, len(whole.Body), a.body)
						}
					}
					b.settled()
				})
			}
		}
	}
}

// TestFaultCutNever: the same answers that are not cut end well, with the
// allowed call and without the blocked one.
func TestFaultCutNever(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		for _, streamed := range []bool{true, false} {
			for _, encoding := range []string{"", "gzip"} {
				t.Run(fmt.Sprintf("%s streamed %t %s", format, streamed, encoding), func(t *testing.T) {
					whole := reply(format, streamed, mixture(format), pieces)
					if encoding != "" {
						whole = whole.Encoded(encoding)
					}
					a := newBench(t, withMarks(t, nil), whole).ask(format, streamed)
					inspect := sluicetest.InspectBody
					if streamed {
						inspect = sluicetest.Inspect
					}
					report, err := inspect(string(format), a.body)
					if err != nil || !report.Ended || len(report.Calls) != 1 {
						t.Errorf("the client understood %+v, %v of\n%s", report, err, a.body)
					}
					nothingUnjudged(t, format, a, report.Calls)
					a.story().ended(t, gateway.Complete)
					if a.story().end.Blocked != 1 {
						t.Errorf("%d blocks are recorded as blocked", a.story().end.Blocked)
					}
				})
			}
		}
	}
}

// TestFaultCutWhileHeld cuts an answer while a call is held that was whole, and
// whose verdict would have been to let it pass: its message is not whole, so
// nobody may act on it.
func TestFaultCutWhileHeld(t *testing.T) {
	leakFree(t)
	for _, format := range []wire.Format{wire.OpenAIChat, wire.Anthropic, wire.Gemini} {
		t.Run(string(format), func(t *testing.T) {
			r := reply(format, true, []llm.Block{{Kind: llm.Content, Text: "Well."}, allowedCall("call_1")}, pieces)
			for n := 1; r.Event(n) < len(r.Body); n++ {
				r.Cut = &sluicetest.Cut{At: r.Event(n)}
				a := newBench(t, withMarks(t, nil), r).ask(format, true)
				came := r.Body[:r.Event(n)]
				if _, missing := wholeBefore(format, came); missing == nil || bytes.Contains(came, []byte("message_delta")) {
					continue // all of the message came, and with it the time to let its calls go
				}
				if a.status == http.StatusOK {
					if report := failedStream(t, format, a); len(report.Calls) > 0 {
						t.Errorf("cut after event %d, the client got %v", n, report.Calls)
					}
				}
				if bytes.Contains(a.body, []byte(allowedMark)) {
					t.Errorf("cut after event %d, a part of the call left: %s", n, a.body)
				}
			}
		})
	}
}

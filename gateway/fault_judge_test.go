package gateway_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// signs counts the keepalives in a stream of events with one data line each.
func signs(format wire.Format, events []byte) int {
	switch format {
	case wire.Anthropic:
		return bytes.Count(events, []byte("event: ping"))
	case wire.Gemini: // whose clients know nothing but empty lines
		return bytes.Count(events, []byte("\n")) - 2*bytes.Count(events, []byte("data: "))
	default:
		return bytes.Count(events, []byte(": keepalive"))
	}
}

// readSigns reads a stream until so many keepalives have come, and returns what
// came.
func readSigns(t testing.TB, from io.Reader, format wire.Format, n int) []byte {
	t.Helper()
	var got []byte
	for buf := make([]byte, 512); signs(format, got) < n; {
		read, err := from.Read(buf)
		got = append(got, buf[:read]...)
		if err != nil {
			t.Fatalf("the stream ended (%v) before %d keepalives had come:\n%s", err, n, got)
		}
	}
	return got
}

// signEvery is how often keepalives come with often.
const signEvery = 5 * time.Millisecond

// often makes keepalives come at once.
func often(l *gateway.Limits) { l.Keepalive, l.FirstEvent = signEvery, signEvery }

// TestFaultJudgeSlow: while a judge is busy, the client gets keepalives, and the
// stream stays legal. That the upstream has finished is no reason to give up.
func TestFaultJudgeSlow(t *testing.T) {
	leakFree(t)
	idle := keepable(t, 300*time.Millisecond)
	for _, format := range wire.Formats() {
		for _, verdict := range []policy.Action{policy.Allow, policy.Block} {
			t.Run(fmt.Sprintf("%s %s", format, verdict), func(t *testing.T) {
				decide := make(chan struct{})
				judge := policy.WaitFunc("slow", patience, func(ctx context.Context, _ *policy.Subject) policy.Verdict {
					select {
					case <-decide:
					case <-ctx.Done():
					}
					return policy.Verdict{Action: verdict}
				})
				b := newBench(t, func(c *gateway.Config) {
					c.Policies = live(t, judge)
					often(&c.Limits)
					c.Limits.Idle = idle
				}, reply(format, true, []llm.Block{{Kind: llm.Content, Text: "Text."}, allowedCall("call_1")}, pieces))
				res, err := b.open(context.Background(), format, true)
				if err != nil {
					t.Fatal(err)
				}
				// They take longer than the limit, so it would have been reached.
				head := readSigns(t, res.Body, format, 20+int(idle/signEvery))
				if bytes.Contains(head, []byte(allowedMark)) {
					t.Errorf("the call left before its verdict:\n%s", head)
				}
				close(decide)
				a := b.whole(res)
				a.body = append(head, a.body...)
				report := goodStream(t, format, a)
				if calls := len(report.Calls); calls != map[policy.Action]int{policy.Allow: 1}[verdict] {
					t.Errorf("the client got %d calls", calls)
				}
				a.story().ended(t, gateway.Complete)
			})
		}
	}
}

// TestFaultJudgeFails: a judge that hangs, fails, panics or decides nothing
// blocks.
func TestFaultJudgeFails(t *testing.T) {
	leakFree(t)
	for _, judge := range []struct {
		name  string
		cause policy.Cause
		judge func(ctx context.Context, s *policy.Subject) policy.Verdict
	}{
		{"hangs", policy.CauseTimeout, func(ctx context.Context, _ *policy.Subject) policy.Verdict {
			<-ctx.Done()
			return policy.Verdict{}
		}},
		{"fails", policy.CauseError, func(context.Context, *policy.Subject) policy.Verdict {
			return policy.Verdict{Err: errors.New("no model answers")}
		}},
		{"panics", policy.CausePanic, func(context.Context, *policy.Subject) policy.Verdict { panic("a mistake in the judge") }},
		{"decides nothing", policy.CauseError, func(context.Context, *policy.Subject) policy.Verdict { return policy.Verdict{} }},
	} {
		for _, format := range wire.Formats() {
			for _, streamed := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s %s streamed %t", judge.name, format, streamed), func(t *testing.T) {
					limit := patience
					if judge.cause == policy.CauseTimeout {
						limit = 20 * time.Millisecond
					}
					b := newBench(t, func(c *gateway.Config) {
						c.Policies = live(t, policy.WaitFunc("judge", limit, judge.judge))
						often(&c.Limits)
					}, reply(format, streamed, []llm.Block{{Kind: llm.Content, Text: "Text."}, allowedCall("call_1")}, pieces))
					a := b.ask(format, streamed)
					inspect := sluicetest.InspectBody
					if streamed {
						inspect = sluicetest.Inspect
					}
					report, err := inspect(string(format), a.body)
					if err != nil || !report.Ended || len(report.Calls) > 0 {
						t.Errorf("the client understood %+v, %v of\n%s", report, err, a.body)
					}
					if bytes.Contains(a.body, []byte(allowedMark)) {
						t.Errorf("the call left:\n%s", a.body)
					}
					s := a.story()
					s.ended(t, gateway.Complete)
					for _, r := range s.records {
						if r.Kind == llm.ToolCall && (r.Delivered || r.Verdict.Cause != judge.cause || !r.Verdict.Action.Blocks()) {
							t.Errorf("the verdict is %+v", r.Verdict)
						}
					}
				})
			}
		}
	}
}

// TestFaultLateUpstream: an upstream that takes its time to answer. The status
// line and signs of life come first, then the answer, and all of it is legal.
func TestFaultLateUpstream(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		for name, at := range map[string]int{"header": sluicetest.BeforeHeader, "first byte": 0, "rest of the first event": 8} {
			t.Run(fmt.Sprintf("%s late %s", format, name), func(t *testing.T) {
				gate := make(chan struct{})
				r := reply(format, true, mixture(format), pieces)
				r.Pauses = []sluicetest.Pause{{At: at, Until: gate}}
				b := newBench(t, withMarks(t, func(c *gateway.Config) { often(&c.Limits) }), r)
				res, err := b.open(context.Background(), format, true)
				if err != nil {
					t.Fatal(err)
				}
				head := readSigns(t, res.Body, format, 3)
				close(gate)
				a := b.whole(res)
				a.body = append(head, a.body...)
				report := goodStream(t, format, a)
				nothingUnjudged(t, format, a, report.Calls)
				if got := res.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/event-stream") {
					t.Errorf("the content type is %q", got)
				}
				a.story().ended(t, gateway.Complete)
			})
		}
	}
}

// TestFaultLateError: an upstream's error that comes too late for its status is
// reported in the dialect's form.
func TestFaultLateError(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		for _, late := range []struct {
			name    string
			reply   sluicetest.Reply
			outcome gateway.Outcome
			says    string
		}{
			{"429", sluicetest.JSON(http.StatusTooManyRequests, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down please","code":429,"status":"RESOURCE_EXHAUSTED"}}`), gateway.UpstreamError, "slow down please"},
			{"502 of a proxy", sluicetest.Reply{Status: http.StatusBadGateway, Header: headers("Content-Type", "text/html"), Body: []byte("<html>bad</html>")}, gateway.UpstreamError, "502"},
			{"no answer", sluicetest.Reply{Cut: &sluicetest.Cut{At: sluicetest.BeforeHeader}}, gateway.Unreachable, "closed the connection"},
			{"a body", reply(format, false, mixture(format)), gateway.Cut, "body"},
			{"an empty answer", sluicetest.Events(nil), gateway.Cut, "empty"},
			{"a redirect", sluicetest.Reply{Status: http.StatusTemporaryRedirect, Header: headers("Location", "http://elsewhere.invalid/")}, gateway.UpstreamError, "redirects"},
			{"an encoding that nobody reads", sluicetest.Reply{Header: headers("Content-Encoding", "secret"), Body: []byte("x")}, gateway.Cut, "content encoding"},
		} {
			t.Run(fmt.Sprintf("%s %s", format, late.name), func(t *testing.T) {
				gate := make(chan struct{})
				late.reply.Pauses = []sluicetest.Pause{{At: sluicetest.BeforeHeader, Until: gate}}
				b := newBench(t, withMarks(t, func(c *gateway.Config) { often(&c.Limits) }), late.reply)
				res, err := b.open(context.Background(), format, true)
				if err != nil {
					t.Fatal(err)
				}
				head := readSigns(t, res.Body, format, 1)
				close(gate)
				a := b.whole(res)
				a.body = append(head, a.body...)
				failedStream(t, format, a)
				if !bytes.Contains(a.body, []byte(late.says)) {
					t.Errorf("the client is not told %q:\n%s", late.says, a.body)
				}
				if bytes.Contains(a.body, []byte("elsewhere")) || bytes.Contains(a.body, []byte(allowedMark)) {
					t.Errorf("the client is told too much:\n%s", a.body)
				}
				a.story().ended(t, late.outcome)
				b.settled()
			})
		}
	}
}

// TestFaultErrorInTime: the same errors in time keep their status.
func TestFaultErrorInTime(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		b := newBench(t, withMarks(t, nil), sluicetest.JSON(http.StatusTooManyRequests, `{"error":{"message":"slow down"}}`))
		a := b.ask(format, true)
		if a.status != http.StatusTooManyRequests || string(a.body) != `{"error":{"message":"slow down"}}` {
			t.Errorf("%s: %d %s", format, a.status, a.body)
		}
		a.story().ended(t, gateway.UpstreamError)
	}
}

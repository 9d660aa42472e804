package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// TestFaultTime: each limit on time has its own words, as a status before the
// status line and as an error of the dialect after it.
func TestFaultTime(t *testing.T) {
	leakFree(t)
	never := make(chan struct{})
	for _, limit := range []struct {
		name  string
		set   func(l *gateway.Limits, to time.Duration)
		at    int // where the upstream stalls
		says  string
		early bool // nothing can have been sent
	}{
		{"first byte, no header", func(l *gateway.Limits, to time.Duration) { l.FirstByte = to }, sluicetest.BeforeHeader, "did not begin to answer in time", true},
		{"first byte, header at once", func(l *gateway.Limits, to time.Duration) { l.FirstByte = to }, 0, "did not begin to answer in time", true},
		{"idle in the first event", func(l *gateway.Limits, to time.Duration) { l.Idle = to }, 3, "silent for too long", true},
		{"idle before the end", func(l *gateway.Limits, to time.Duration) { l.Idle = to }, -3, "silent for too long", false},
		{"total before the header", func(l *gateway.Limits, to time.Duration) { l.Total = to }, sluicetest.BeforeHeader, "took too long", true},
		{"total before the end", func(l *gateway.Limits, to time.Duration) { l.Total = to }, -3, "took too long", false},
	} {
		for _, format := range wire.Formats() {
			for _, streamed := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s %s streamed %t", limit.name, format, streamed), func(t *testing.T) {
					// On a busy machine a limit can pass before the upstream is asked: then a longer one is tried.
					for to := 30 * time.Millisecond; to < patience; to *= 2 {
						says := fmt.Sprintf("%s (limit %s)", limit.says, to)
						r := reply(format, streamed, mixture(format), pieces)
						r.Pauses = []sluicetest.Pause{{At: limit.at, Until: never}}
						b := newBench(t, withMarks(t, func(c *gateway.Config) { limit.set(&c.Limits, to) }), r)
						a := b.ask(format, streamed)
						if streamed && !limit.early && a.status == http.StatusOK {
							report := failedStream(t, format, a)
							nothingUnjudged(t, format, a, report.Calls)
						} else {
							refused(t, format, a, http.StatusGatewayTimeout)
							nothingUnjudged(t, format, a, nil)
						}
						if !bytes.Contains(a.body, []byte(says)) {
							t.Errorf("the client is not told %q:\n%s", says, a.body)
						}
						s := a.story()
						s.ended(t, gateway.TimedOut)
						if !strings.Contains(s.end.Error, says) {
							t.Errorf("the record says %q", s.end.Error)
						}
						b.settled()
						if len(b.up.Requests()) > 0 {
							happens(t, "the upstream is told to stop", b.lastAsked().Gone)
							return
						}
					}
					t.Error("the upstream was never asked")
				})
			}
		}
	}
}

// TestFaultTimeAfterStatus: the limits after signs of life are errors of the
// dialect.
func TestFaultTimeAfterStatus(t *testing.T) {
	leakFree(t)
	never := make(chan struct{})
	limit := keepable(t, 100*time.Millisecond) // in which a sign of life comes first
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			r := reply(format, true, mixture(format), pieces)
			r.Pauses = []sluicetest.Pause{{At: sluicetest.BeforeHeader, Until: never}}
			b := newBench(t, withMarks(t, func(c *gateway.Config) {
				often(&c.Limits)
				c.Limits.FirstByte = limit
			}), r)
			a := b.ask(format, true)
			failedStream(t, format, a)
			if signs(format, a.body) == 0 || !bytes.Contains(a.body, []byte("did not begin to answer in time")) {
				t.Errorf("the client got\n%s", a.body)
			}
			a.story().ended(t, gateway.TimedOut)
		})
	}
}

// TestFaultTimeAfterEnd: an upstream that has said everything and does not hang
// up. The client has its whole answer, and no error follows it.
func TestFaultTimeAfterEnd(t *testing.T) {
	leakFree(t)
	never := make(chan struct{})
	idle := keepable(t, 300*time.Millisecond)
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			r := reply(format, true, mixture(format), pieces)
			r.Pauses = []sluicetest.Pause{{At: len(r.Body), Until: never}}
			b := newBench(t, withMarks(t, func(c *gateway.Config) { c.Limits.Idle = idle }), r)
			a := b.ask(format, true)
			if format == wire.Gemini { // it has no last word, so more could have come
				failedStream(t, format, a)
				a.story().ended(t, gateway.TimedOut)
				return
			}
			report := goodStream(t, format, a)
			nothingUnjudged(t, format, a, report.Calls)
			if format != wire.OpenAIResponses { // whose writer does not say that its answer was over
				a.story().ended(t, gateway.Complete)
			}
		})
	}
}

// TestFaultEndless: upstreams that never end cost time, which is limited, and no
// memory.
func TestFaultEndless(t *testing.T) {
	leakFree(t)
	// Short: in a third of a second a fast machine reads all the text that an answer
	// may have.
	total := time.Duration(size(80, 120)) * time.Millisecond
	for _, format := range wire.Formats() {
		comments := reply(format, true, mixture(format), pieces)
		comments.Body = comments.Body[:comments.Event(1)]
		comments.Forever = []byte(":" + strings.Repeat(" nothing", 500) + "\n\n")
		onlyComments := sluicetest.Events(nil)
		onlyComments.Forever = comments.Forever
		lines := onlyComments
		lines.Forever = []byte("id: 7\nretry: 10\nevent: x\n\n")
		for name, r := range map[string]sluicetest.Reply{"events": endless(format), "comments": comments, "comments only": onlyComments, "events without data": lines} {
			t.Run(fmt.Sprintf("%s %s", format, name), func(t *testing.T) {
				before := heap()
				b, a := reaching(t, total, format, r)
				if a.status == http.StatusOK {
					failedStream(t, format, a)
				} else {
					refused(t, format, a, http.StatusGatewayTimeout)
				}
				a.story().ended(t, gateway.TimedOut)
				if !bytes.Contains(a.body, []byte("took too long")) {
					t.Errorf("the client is told %s", a.body[max(0, len(a.body)-300):])
				}
				happens(t, "the upstream is told to stop", b.lastAsked().Gone)
				got := len(a.body)
				a.body = nil
				b.mu.Lock()
				clear(b.stories) // which have the texts
				b.mu.Unlock()
				if grown := heap() - before; grown > 16<<20 {
					t.Errorf("%d MB are kept after an answer of %d MB", grown>>20, got>>20)
				}
			})
		}
	}
}

// reaching asks an upstream within a limit on time. On a busy machine it can pass before the upstream is asked: then a
// longer one is tried.
func reaching(t *testing.T, total time.Duration, format wire.Format, r sluicetest.Reply) (*bench, *answer) {
	t.Helper()
	for ; total < patience; total *= 2 {
		b := newBench(t, withMarks(t, func(c *gateway.Config) { c.Limits.Total = total }), r)
		if a := b.ask(format, true); len(b.up.Requests()) > 0 {
			return b, a
		}
	}
	t.Fatal("the upstream was never asked")
	return nil, nil
}

// heap is the memory that is in use.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what is pooled lives twice
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestFaultPayloadLimit: an event and a body at the limit pass, over it they are
// refused, and an event without an end is refused as soon as it is too large.
func TestFaultPayloadLimit(t *testing.T) {
	leakFree(t)
	const limit = 64 << 10
	small := withMarks(t, func(c *gateway.Config) { c.Limits.Payload, c.Limits.Answer = limit, limit })
	for _, format := range wire.Formats() {
		text := func(n int) []llm.Block { return []llm.Block{{Kind: llm.Content, Text: strings.Repeat("t", n)}} }
		t.Run(string(format)+" event within", func(t *testing.T) {
			a := newBench(t, small, reply(format, true, text(limit/8))).ask(format, true)
			goodStream(t, format, a)
			a.story().ended(t, gateway.Complete)
		})
		t.Run(string(format)+" event over", func(t *testing.T) {
			a := newBench(t, small, reply(format, true, text(limit+1))).ask(format, true)
			if a.status == http.StatusOK {
				failedStream(t, format, a)
			} else {
				refused(t, format, a, http.StatusBadGateway)
			}
			if bytes.Contains(a.body, []byte("tttt")) {
				t.Error("a part of the event left")
			}
			a.story().ended(t, gateway.Cut)
		})
		t.Run(string(format)+" event without end", func(t *testing.T) {
			r := sluicetest.Events([]byte(`data: {"a":"`))
			r.Forever = []byte(strings.Repeat("t", 4096))
			b := newBench(t, small, r)
			a := b.ask(format, true)
			refused(t, format, a, http.StatusBadGateway)
			a.story().ended(t, gateway.Cut)
			happens(t, "the upstream is told to stop", b.lastAsked().Gone)
		})
		t.Run(string(format)+" body at the limit", func(t *testing.T) {
			body := sluicetest.BuildBody(string(format), [][]llm.Block{text(100)}, sluicetest.BuildOptions{})
			for over, want := range map[int]int{0: http.StatusOK, 1: http.StatusBadGateway} {
				padded := body + strings.Repeat(" ", limit-len(body)+over)
				a := newBench(t, small, sluicetest.JSON(http.StatusOK, padded)).ask(format, false)
				if a.status != want {
					t.Errorf("a body of %d bytes: status %d, want %d: %.200s", len(padded), a.status, want, a.body)
				}
			}
		})
		t.Run(string(format)+" body without end", func(t *testing.T) {
			r := sluicetest.JSON(http.StatusOK, `{"a":"`)
			r.Forever = []byte(strings.Repeat("t", 4096))
			b := newBench(t, small, r)
			a := b.ask(format, false)
			if message := refused(t, format, a, http.StatusBadGateway); !strings.Contains(message, "larger than 65536 bytes") {
				t.Errorf("the client is told %q", message)
			}
			a.story().ended(t, gateway.Cut)
			happens(t, "the upstream is told to stop", b.lastAsked().Gone)
		})
	}
}

// TestFaultRequestSlow: a request that does not arrive in time is answered and
// its connection closed, also if it would have been refused anyhow.
func TestFaultRequestSlow(t *testing.T) {
	leakFree(t)
	for _, c := range []struct {
		name, path string
		status     string
		outcome    gateway.Outcome
	}{
		{"judged", "/v1/messages", "408", gateway.ClientSlow},
		{"forwarded", "/v1/messages/count_tokens", "408", gateway.ClientSlow},
		{"refused", "/v1/messages/batches", "403", gateway.Refused},
	} {
		for _, framing := range []string{"Content-Length: 1000\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"} {
			t.Run(c.name+" "+framing[:8], func(t *testing.T) {
				b := newBench(t, func(c *gateway.Config) { c.Limits.ReadBody = 30 * time.Millisecond }, sluicetest.Reply{})
				conn := b.dial()
				_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\n%s", c.path, framing)
				_ = conn.SetReadDeadline(time.Now().Add(patience))
				got, err := io.ReadAll(conn) // the server hangs up, or this never ends
				if ne, ok := err.(net.Error); ok && ne.Timeout() {
					t.Fatal("the gateway waits for the rest of the request for ever")
				}
				if !bytes.HasPrefix(got, []byte("HTTP/1.1 "+c.status)) || !bytes.Contains(got, []byte(`"type":"error"`)) {
					t.Errorf("the client got %q, want the status %s", got, c.status)
				}
				b.only().ended(t, c.outcome)
				if len(b.up.Requests()) > 0 {
					t.Error("the upstream was asked")
				}
				b.settled()
			})
		}
	}
	t.Run("a connection is used again long after", func(t *testing.T) {
		limit := keepable(t, 300*time.Millisecond)
		b := newBench(t, withMarks(t, func(c *gateway.Config) { c.Limits.ReadBody, c.Limits.Write = limit, limit }),
			reply(wire.Anthropic, true, mixture(wire.Anthropic)))
		for range 2 {
			goodStream(t, wire.Anthropic, b.ask(wire.Anthropic, true))
			<-time.After(limit + 50*time.Millisecond) // the limits of the request before have passed
			if a := b.do(http.MethodGet, "/healthz", nil, nil); a.status != http.StatusOK {
				t.Errorf("status %d", a.status)
			}
		}
	})
	t.Run("a client that leaves within its request", func(t *testing.T) {
		b := newBench(t, nil, sluicetest.Reply{})
		conn := b.dial()
		_, _ = fmt.Fprintf(conn, "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
		_ = conn.Close()
		b.only().ended(t, gateway.ClientGone)
		b.settled()
	})
}

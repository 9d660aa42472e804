package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
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

// dial connects to the gateway with a receive buffer that is as small as it can
// be.
func (b *bench) dial() *net.TCPConn {
	b.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	if err != nil {
		b.t.Fatal(err)
	}
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		b.t.Fatal("no connection of TCP")
	}
	_ = tcp.SetReadBuffer(1)
	b.t.Cleanup(func() { _ = tcp.Close() })
	return tcp
}

// send writes a request to a connection.
func (b *bench) send(to io.Writer, format wire.Format, stream bool) {
	b.t.Helper()
	body := question(format, stream)
	_, err := fmt.Fprintf(to, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s",
		target(format, stream), strings.TrimPrefix(b.url, "http://"), len(body), body)
	if err != nil {
		b.t.Fatal(err)
	}
}

// endless is a stream of a dialect that begins well and goes on with text.
func endless(format wire.Format) sluicetest.Reply {
	r := reply(format, true, []llm.Block{{Kind: llm.Content, Text: "begin " + strings.Repeat("text ", 2000)}}, sluicetest.BuildOptions{MaxPiece: 4000, Quirks: sluicetest.QuirkNoNumbers})
	after := eventWith(r, "begin ")
	r.Forever = bytes.Clone(r.Body[r.Event(after-1):r.Event(after)])
	r.Body = r.Body[:r.Event(after)]
	return r
}

// TestFaultClientStopsReading: a client that does not read is cut off in time,
// and with it the upstream.
func TestFaultClientStopsReading(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			b := newBench(t, withMarks(t, func(c *gateway.Config) { c.Limits.Write = 50 * time.Millisecond }), endless(format))
			b.send(b.dial(), format, true)
			s := b.only()
			s.ended(t, gateway.ClientSlow)
			if s.end.AnswerBytes == 0 {
				t.Error("nothing was sent before")
			}
			happens(t, "the upstream request is cancelled", b.lastAsked().Gone)
			b.settled()
		})
	}
	t.Run("a body", func(t *testing.T) {
		huge := []llm.Block{{Kind: llm.Content, Text: strings.Repeat("text ", 6<<20/5)}}
		b := newBench(t, withMarks(t, func(c *gateway.Config) { c.Limits.Write = 50 * time.Millisecond }), reply(wire.Anthropic, false, huge))
		b.send(b.dial(), wire.Anthropic, false)
		b.only().ended(t, gateway.ClientSlow)
		b.settled()
	})
	t.Run("a path that is forwarded", func(t *testing.T) {
		models := sluicetest.JSON(http.StatusOK, `{"data":[`)
		models.Forever = []byte(strings.Repeat(" ", 4096))
		b := newBench(t, func(c *gateway.Config) { c.Limits.Write = 50 * time.Millisecond }, models)
		_, _ = fmt.Fprintf(b.dial(), "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n")
		b.only().ended(t, gateway.ClientSlow)
		happens(t, "the upstream request is cancelled", b.lastAsked().Gone)
		b.settled()
	})
}

// TestFaultClientReadsSlowly: a client that reads slowly, but reads, gets
// everything.
func TestFaultClientReadsSlowly(t *testing.T) {
	leakFree(t)
	text := strings.Repeat("text ", 20_000) // more than the buffers of a connection hold
	b := newBench(t, withMarks(t, func(c *gateway.Config) { c.Limits.Write = patience }),
		reply(wire.Anthropic, true, []llm.Block{{Kind: llm.Content, Text: text}}, sluicetest.BuildOptions{MaxPiece: 5000}))
	conn := b.dial()
	b.send(conn, wire.Anthropic, true)
	res, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if _, err := io.CopyBuffer(&got, struct{ io.Reader }{res.Body}, make([]byte, 700)); err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	report, err := sluicetest.Inspect(sluicetest.Anthropic, got.Bytes())
	if err != nil || !report.Ended || strings.Join(report.Texts, "") != text {
		t.Errorf("the slow client did not get its answer: %v", err)
	}
	b.only().ended(t, gateway.Complete)
}

// TestFaultClientLeaves: wherever a client disconnects, requests to the upstream
// and to judges are cancelled, and it is recorded.
func TestFaultClientLeaves(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		whole := reply(format, true, []llm.Block{{Kind: llm.Content, Text: "Some text comes first."}, allowedCall("call_1")}, pieces)
		never := make(chan struct{})
		stalled := func(at int) sluicetest.Reply {
			r := whole
			r.Pauses = []sluicetest.Pause{{At: at, Until: never}}
			return r
		}
		half := bytes.Index(whole.Body, []byte(allowedMark))
		text := whole.Event(eventWith(whole, "Some text"))
		for _, at := range []struct {
			name  string
			reply sluicetest.Reply
			reads string // what the client waits for before it leaves
		}{
			{"before the upstream's header", stalled(sluicetest.BeforeHeader), ""},
			{"before the first byte", stalled(0), ""},
			{"within the first event", stalled(10), ""},
			{"within the text", stalled(text), "Some text"},
			{"while a call is held", stalled(whole.Event(eventAt(whole, half) + 1)), "Some text"},
		} {
			t.Run(string(format)+" "+at.name, func(t *testing.T) {
				b := newBench(t, withMarks(t, nil), at.reply)
				ctx, leave := context.WithCancel(context.Background())
				defer leave()
				gone, seen := make(chan struct{}), make(chan struct{})
				go func() {
					defer close(gone)
					res, err := b.open(ctx, format, true)
					if err != nil {
						return
					}
					readUntil(res.Body, at.reads)
					close(seen)
					_, _ = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
				}()
				got, err := b.up.Request(ctx, 0)
				if err != nil {
					t.Fatal(err)
				}
				if at.reads != "" {
					happens(t, "the client has read "+at.reads, seen)
				}
				leave()
				happens(t, "the upstream is told that the client left", got.Gone)
				happens(t, "the client left", gone)
				s := b.only()
				s.ended(t, gateway.ClientGone)
				if want := 499; s.end.AnswerBytes == 0 && strings.HasPrefix(at.name, "before") && s.end.Status != want {
					t.Errorf("the status in the record is %d, want %d", s.end.Status, want)
				}
				b.settled()
			})
		}
	}
}

// readUntil reads until a text has come, or to the end.
func readUntil(from io.Reader, text string) string {
	var got strings.Builder
	for buf := make([]byte, 512); !strings.Contains(got.String(), text); {
		n, err := from.Read(buf)
		got.Write(buf[:n])
		if err != nil {
			break
		}
	}
	return got.String()
}

// eventAt is the number of the event that has the byte.
func eventAt(r sluicetest.Reply, at int) int {
	n := 0
	for r.Event(n+1) <= at && r.Event(n+1) < len(r.Body) {
		n++
	}
	return n
}

// eventWith is the number of the first event after the one with the text.
func eventWith(r sluicetest.Reply, text string) int {
	return eventAt(r, bytes.Index(r.Body, []byte(text))) + 1
}

// TestFaultClientLeavesJudge: a client that leaves while a judge thinks takes the
// judge with it.
func TestFaultClientLeavesJudge(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		for _, streamed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s streamed %t", format, streamed), func(t *testing.T) {
				asked, cancelled := make(chan struct{}), make(chan struct{})
				judge := policy.WaitFunc("slow", patience, func(ctx context.Context, _ *policy.Subject) policy.Verdict {
					close(asked)
					<-ctx.Done()
					close(cancelled)
					return policy.Verdict{Action: policy.Allow}
				})
				b := newBench(t, func(c *gateway.Config) { c.Policies = live(t, judge) },
					reply(format, streamed, []llm.Block{{Kind: llm.Content, Text: "Text."}, allowedCall("call_1")}, pieces))
				ctx, leave := context.WithCancel(context.Background())
				defer leave()
				got := make(chan []byte, 1)
				go func() {
					res, err := b.open(ctx, format, streamed)
					if err != nil {
						got <- nil
						return
					}
					body, _ := io.ReadAll(res.Body)
					_ = res.Body.Close()
					got <- body
				}()
				happens(t, "the judge is asked", asked)
				leave()
				happens(t, "the judge is told to stop", cancelled)
				if body := <-got; bytes.Contains(body, []byte(allowedMark)) {
					t.Errorf("the client got a call that nobody allowed: %s", body)
				}
				s := b.only()
				s.ended(t, gateway.ClientGone)
				for _, r := range s.records {
					if r.Kind == llm.ToolCall && r.Delivered {
						t.Error("the call is recorded as delivered")
					}
				}
				b.settled()
			})
		}
	}
}

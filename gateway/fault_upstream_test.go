package gateway_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// TestFaultUnread: an upstream that answers before it has read the request, as
// providers do with errors, and never reads the rest.
func TestFaultUnread(t *testing.T) {
	leakFree(t)
	large := []byte(`{"model":"m","stream":true,"messages":[{"role":"user","content":"` + strings.Repeat("long ", size(200_000, 400_000)) + `"}],"max_tokens":9}`)
	b := newBench(t, withMarks(t, nil))
	b.up.Answer(func(r *http.Request) sluicetest.Reply {
		if r.Header.Get("X-Kind") == "error" {
			r := sluicetest.JSON(http.StatusRequestEntityTooLarge, `{"type":"error","error":{"type":"request_too_large","message":"too long"}}`)
			r.Unread = true
			r.Header.Set("Connection", "close") // nobody reads what would come next
			return r
		}
		whole := reply(wire.Anthropic, true, mixture(wire.Anthropic), pieces)
		whole.Unread = true
		whole.Header.Set("Connection", "close")
		return whole
	})
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for i := range size(200, 400) / 4 {
				if i%2 == 0 {
					a := b.do(http.MethodPost, target(wire.Anthropic, true), headers("X-Kind", "error"), large)
					if a.status != http.StatusRequestEntityTooLarge || !bytes.Contains(a.body, []byte("too long")) {
						t.Errorf("status %d: %s", a.status, a.body)
					}
					continue
				}
				a := b.do(http.MethodPost, target(wire.Anthropic, true), nil, large)
				goodStream(t, wire.Anthropic, a)
				a.story().ended(t, gateway.Complete)
			}
		})
	}
	clients.Wait()
	b.settled()
}

// TestFaultUpstreamAnswers: invalid answers, each with its status, its outcome
// and a helpful message.
func TestFaultUpstreamAnswers(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		body := sluicetest.BuildBody(string(format), [][]llm.Block{mixture(format)}, sluicetest.BuildOptions{})
		long, raw := sluicetest.JSON(http.StatusOK, body), func(text string) sluicetest.Reply {
			return sluicetest.Reply{Raw: true, Body: []byte(text)}
		}
		long.Header.Set("Content-Length", fmt.Sprint(len(body)+10))
		long.Cut = &sluicetest.Cut{At: len(body)}
		for _, c := range []struct {
			name    string
			reply   sluicetest.Reply
			status  int
			outcome gateway.Outcome
			says    string
		}{
			{"no answer", sluicetest.Reply{Cut: &sluicetest.Cut{At: sluicetest.BeforeHeader}}, 502, gateway.Unreachable, "closed the connection without an answer"},
			{"reset", sluicetest.Reply{Cut: &sluicetest.Cut{At: sluicetest.BeforeHeader, How: sluicetest.CutReset}}, 502, gateway.Unreachable, "cannot be reached"},
			{"no HTTP", raw("SSH-2.0-OpenSSH_9.9\r\n"), 502, gateway.Unreachable, "cannot be reached"},
			{"half a header", raw("HTTP/1.1 200 OK\r\nContent-Ty"), 502, gateway.Unreachable, "cannot be reached"},
			{"length too long", long, 502, gateway.Cut, "broke off"},
			{"length too short", raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body)-10, body)), 502, gateway.Cut, ""},
			{"redirect", sluicetest.Reply{Status: 307, Header: headers("Location", "http://elsewhere.invalid/v1")}, 502, gateway.UpstreamError, "redirects"},
			{"switches protocols", raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"), 502, gateway.Cut, "another protocol"},
			{"nothing", sluicetest.JSON(http.StatusOK, ""), 502, gateway.Cut, "empty"},
			{"white space", sluicetest.JSON(http.StatusOK, strings.Repeat(" ", 1<<12)), 502, gateway.Cut, "white space"},
			{"a page", sluicetest.Reply{Header: headers("Content-Type", "text/html"), Body: []byte("<!doctype html><p>welcome</p>")}, 502, gateway.Cut, ""},
			{"an array", sluicetest.JSON(http.StatusOK, `[1,2]`), 502, gateway.Cut, ""},
			{"not gzip", sluicetest.Reply{Header: headers("Content-Encoding", "gzip"), Body: []byte(body)}, 502, gateway.Cut, ""},
		} {
			for _, streamed := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s %s streamed %t", format, c.name, streamed), func(t *testing.T) {
					b := newBench(t, withMarks(t, nil), c.reply)
					a := b.ask(format, streamed)
					if message := refused(t, format, a, c.status); !strings.Contains(message, c.says) {
						t.Errorf("the client is told %q, want %q", message, c.says)
					}
					if bytes.Contains(a.body, []byte(blockedMark)) || bytes.Contains(a.body, []byte("elsewhere")) {
						t.Errorf("the client is told too much: %s", a.body)
					}
					if c.outcome != "" {
						a.story().ended(t, c.outcome)
					}
					b.settled()
				})
			}
		}
	}
}

// TestFaultUpstreamHabits: odd, but legal. The answer arrives.
func TestFaultUpstreamHabits(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		informs, slow, trails := reply(format, true, mixture(format)), reply(format, true, mixture(format)), reply(format, true, mixture(format))
		informs.Informational = []int{http.StatusProcessing, http.StatusEarlyHints}
		trails.Trailer = headers("X-Late", "yes")
		plain := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(slow.Body), slow.Body)
		old := fmt.Sprintf("HTTP/1.0 200 OK\r\n\r\n%s", slow.Body)
		for name, r := range map[string]sluicetest.Reply{
			"informational answers": informs,
			"trailers":              trails,
			"header byte by byte":   {Raw: true, Body: []byte(plain), Piece: 1},
			"HTTP/1.0":              {Raw: true, Body: []byte(old)},
			"torn apart":            {Header: slow.Header, Body: slow.Body, Stream: true, Seed: 7, Piece: 5},
		} {
			t.Run(fmt.Sprintf("%s %s", format, name), func(t *testing.T) {
				a := newBench(t, withMarks(t, nil), r).ask(format, true)
				report := goodStream(t, format, a)
				nothingUnjudged(t, format, a, report.Calls)
				a.story().ended(t, gateway.Complete)
			})
		}
	}
}

// TestFaultUnreachable: nothing listens where the upstream should be.
func TestFaultUnreachable(t *testing.T) {
	leakFree(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := gateway.Upstream{URL: "http://" + listener.Addr().String()}
	_ = listener.Close()
	for _, retry := range []bool{false, true} {
		b := newBench(t, func(c *gateway.Config) {
			c.Upstreams = gateway.Upstreams{Anthropic: nobody, OpenAI: nobody, Gemini: nobody}
			c.Failure.RetryUpstream = retry
		}, sluicetest.Reply{})
		for _, format := range wire.Formats() {
			for _, streamed := range []bool{true, false} {
				a := b.ask(format, streamed)
				message := refused(t, format, a, http.StatusBadGateway)
				if !strings.Contains(message, "refused") || !strings.Contains(message, "--upstream-") {
					t.Errorf("%s: the client is told %q", format, message)
				}
				a.story().ended(t, gateway.Unreachable)
			}
		}
		if a := b.do(http.MethodGet, "/v1/models", nil, nil); a.status != http.StatusBadGateway {
			t.Errorf("a path that is forwarded: status %d", a.status)
		}
	}
}

// TestFaultStaleConnection: a connection that the upstream closed while nobody
// used it is replaced, and the client hears nothing of it.
func TestFaultStaleConnection(t *testing.T) {
	leakFree(t)
	whole := reply(wire.OpenAIChat, false, mixture(wire.OpenAIChat))
	whole.Cut = &sluicetest.Cut{At: len(whole.Body)} // and closes it
	closed := make(chan struct{}, 1000)              // more than there are connections
	transport := gateway.NewTransport()
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &noticed{Conn: conn, closed: closed}, err
	}
	b := newBench(t, withMarks(t, func(c *gateway.Config) { c.Transport = transport }), whole)
	for range size(20, 200) {
		if a := b.ask(wire.OpenAIChat, false); a.status != http.StatusOK {
			t.Fatalf("status %d: %s", a.status, a.body)
		}
		happens(t, "the gateway sees that the connection is closed", closed)
	}
}

// noticed is a connection that signals when its user notices that it is
// closed.
type noticed struct {
	net.Conn
	closed chan<- struct{}
	once   sync.Once
}

func (n *noticed) Read(p []byte) (int, error) {
	read, err := n.Conn.Read(p)
	if err != nil {
		n.once.Do(func() { n.closed <- struct{}{} })
	}
	return read, err
}

// secure lets a gateway trust an upstream with TLS.
func secure(up *sluicetest.Upstream) func(c *gateway.Config) {
	return func(c *gateway.Config) {
		base := gateway.Upstream{URL: up.URL}
		c.Upstreams = gateway.Upstreams{Anthropic: base, OpenAI: base, Gemini: base}
		transport := gateway.NewTransport()
		transport.TLSClientConfig = &tls.Config{RootCAs: up.CAs, MinVersion: tls.VersionTLS12}
		c.Transport = transport
	}
}

// TestFaultHTTP2: an upstream that speaks HTTP/2, at its best and when streams or
// connections are reset.
func TestFaultHTTP2(t *testing.T) {
	leakFree(t)
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			whole := reply(format, true, mixture(format), pieces)
			up := sluicetest.NewUpstreamTLS(t, whole)
			b := newBench(t, withMarks(t, secure(up)))
			a := b.ask(format, true)
			goodStream(t, format, a)
			a.story().ended(t, gateway.Complete)
			if got := up.Requests()[0].Proto; got != "HTTP/2.0" {
				t.Errorf("the upstream was asked with %s", got)
			}
			for _, how := range []sluicetest.CutHow{sluicetest.CutClose, sluicetest.CutReset} {
				for n := 0; whole.Event(n) < len(whole.Body); n += size(3, 1) {
					r := whole
					r.Cut = &sluicetest.Cut{At: whole.Event(n), How: how}
					up.Script(r)
					cutStream(t, format, b.ask(format, true), whole.Body[:whole.Event(n)], "", how)
				}
			}
			up.Script(sluicetest.Reply{Cut: &sluicetest.Cut{At: sluicetest.BeforeHeader}})
			refused(t, format, b.ask(format, true), http.StatusBadGateway)
			up.Script(whole)
			goodStream(t, format, b.ask(format, true))
			b.settled()
		})
	}
	t.Run("a client that leaves", func(t *testing.T) {
		r := reply(wire.Anthropic, true, mixture(wire.Anthropic), pieces)
		r.Pauses = []sluicetest.Pause{{At: -3, Until: make(chan struct{})}}
		up := sluicetest.NewUpstreamTLS(t, r)
		b := newBench(t, withMarks(t, secure(up)))
		ctx, leave := context.WithCancel(context.Background())
		defer leave()
		res, err := b.open(ctx, wire.Anthropic, true)
		if err != nil {
			t.Fatal(err)
		}
		readUntil(res.Body, "First I")
		leave()
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		happens(t, "the stream is reset", up.Requests()[0].Gone)
		b.only().ended(t, gateway.ClientGone)
	})
	t.Run("a certificate that nobody trusts", func(t *testing.T) {
		up := sluicetest.NewUpstreamTLS(t, sluicetest.Reply{})
		b := newBench(t, func(c *gateway.Config) { c.Upstreams.Anthropic.URL = up.URL })
		a := b.ask(wire.Anthropic, true)
		if message := refused(t, wire.Anthropic, a, http.StatusBadGateway); !strings.Contains(message, "not trusted") {
			t.Errorf("the client is told %q", message)
		}
	})
}

// TestFaultForwardCut: half an answer of a path that is forwarded never looks
// whole.
func TestFaultForwardCut(t *testing.T) {
	leakFree(t)
	for _, cut := range cuts[:2] {
		for _, sized := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s sized %t", cut.name, sized), func(t *testing.T) {
				r := sluicetest.JSON(http.StatusOK, `{"data":[{"id":"a"},{"id":"b"}]}`)
				r.Stream = !sized
				r.Cut = &sluicetest.Cut{At: 10, How: cut.how}
				b := newBench(t, nil, r)
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+"/v1/models", http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				if res, err := b.client.Do(req); err == nil {
					if a := b.whole(res); a.err == nil {
						t.Errorf("the client takes half an answer for whole: %s", a.body)
					}
				}
				b.only().ended(t, gateway.Cut)
				b.settled()
			})
		}
	}
	t.Run("silent", func(t *testing.T) {
		r := sluicetest.JSON(http.StatusOK, `{"data":[{"id":"a"},{"id":"b"}]}`)
		r.Pauses = []sluicetest.Pause{{At: 10, Until: make(chan struct{})}}
		b := newBench(t, func(c *gateway.Config) { c.Limits.Idle = 30 * time.Millisecond }, r)
		if a := b.do(http.MethodGet, "/v1/models", nil, nil); a.err == nil && a.status == http.StatusOK { // it can be over before it begins
			t.Errorf("the client takes half an answer for whole: %s", a.body)
		}
		b.only().ended(t, gateway.TimedOut)
	})
}

package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// words is a stream of so many events of text, word 0 and so on.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"word %d %s"}}]}`+"\n\n", i, strings.Repeat("x", 300))
	}
	return b.String()
}

// An upstream that sends much at once and then stops in the middle of something
// keeps nobody from what came whole before: whatever is read ahead, nothing that
// may leave is kept while the gateway waits.
func TestWhatMayLeaveDoesNotWaitForTheRest(t *testing.T) {
	many := words(40)
	chunk := func(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
	half := words(1)[:150]
	for _, tc := range []struct {
		name string
		sent string // after the header
	}{
		{"between two events", chunk(many)},
		{"in an event", chunk(many + half)},
		{"in an event, in a chunk of its own", chunk(many) + chunk(half)},
		{"in a chunk", chunk(many) + fmt.Sprintf("%x\r\n%s", 1000, half)},
		{"in the length of a chunk", chunk(many) + "1f"},
		{"in the end of a chunk", strings.TrimSuffix(chunk(many), "\n")},
	} {
		for _, secure := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, TLS %v", tc.name, secure), func(t *testing.T) {
				read := make(chan struct{})
				up := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					conn, _, err := http.NewResponseController(w).Hijack()
					if err != nil {
						t.Error(err)
						return
					}
					defer conn.Close()
					head := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
					if _, err := io.WriteString(conn, head+tc.sent); err != nil {
						t.Error(err)
					}
					<-read
				}))
				transport := gateway.NewTransport()
				if secure {
					up.StartTLS()
					transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
				} else {
					up.Start()
				}
				defer up.Close()
				b := newBench(t, func(c *gateway.Config) {
					c.Upstreams.OpenAI, c.Transport = gateway.Upstream{URL: up.URL}, transport
				})
				defer transport.CloseIdleConnections()
				defer close(read)
				res, err := b.open(t.Context(), wire.OpenAIChat, true)
				if err != nil {
					t.Fatal(err)
				}
				defer res.Body.Close()
				lines := bufio.NewScanner(res.Body)
				for found := false; !found; found = strings.Contains(lines.Text(), "word 39 ") {
					if !lines.Scan() {
						t.Fatal("the answer ended:", lines.Err())
					}
				}
			})
		}
	}
}

// A connection on which an answer was read ahead serves the next request.
func TestConnectionsThatAreReadAheadAreUsedAgain(t *testing.T) {
	text := strings.Repeat("some words that come all at once ", 500)
	replies := make([]sluicetest.Reply, 20)
	for i := range replies {
		replies[i] = reply(wire.OpenAIChat, true, []llm.Block{{Kind: llm.Content, Text: text}}, sluicetest.BuildOptions{MaxPiece: 40})
	}
	var dialled int
	transport := gateway.NewTransport()
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled++ // one request after the other
		return dial(ctx, network, address)
	}
	b := newBench(t, func(c *gateway.Config) { c.Transport = transport }, replies...)
	defer transport.CloseIdleConnections()
	for range replies {
		if got := b.ask(wire.OpenAIChat, true); got.err != nil || !bytes.Equal(got.body, replies[0].Body) {
			t.Fatalf("got %d bytes of %d: %v", len(got.body), len(replies[0].Body), got.err)
		}
	}
	if dialled > 3 {
		t.Errorf("%d connections for requests that follow each other", dialled)
	}
}

// A client that is sent much at once gets it in order, whether its connection is
// secure or not, and one that goes away meanwhile ends the exchange.
func TestMuchAtOnceReachesTheClient(t *testing.T) {
	text := strings.Repeat("some words that come all at once ", 3000)
	sent := reply(wire.OpenAIChat, true, []llm.Block{{Kind: llm.Content, Text: text}}, sluicetest.BuildOptions{MaxPiece: 40})
	for _, secure := range []bool{false, true} {
		b := newBench(t, nil, sent, sent)
		server := httptest.NewUnstartedServer(b.Gateway)
		server.Listener = gateway.Tune(server.Config, server.Listener)
		if secure {
			server.StartTLS()
		} else {
			server.Start()
		}
		res, err := server.Client().Post(server.URL+target(wire.OpenAIChat, true), "application/json", strings.NewReader(string(question(wire.OpenAIChat, true))))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || !bytes.Equal(got, sent.Body) {
			t.Errorf("TLS %v: got %d bytes of %d: %v", secure, len(got), len(sent.Body), err)
		}
		server.Close()
	}
	b := newBench(t, nil, endless(wire.OpenAIChat))
	conn := b.dial()
	b.send(conn, wire.OpenAIChat, true)
	if _, err := io.CopyN(io.Discard, conn, 64<<10); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	b.only().ended(t, gateway.ClientGone)
}

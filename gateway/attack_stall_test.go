package gateway_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/wire"
)

// What arrived whole leaves even if the upstream stops in the middle of
// something that is not part of its answer and longer than usual: the extension
// of a chunk, its length with many zeros, a trailer.
func TestAttackUpstreamsThatStopInTheFraming(t *testing.T) {
	many := words(40)
	events := fmt.Sprintf("%x\r\n%s\r\n", len(many), many)
	for name, stop := range map[string]string{
		"in an extension":        "1f;name=" + strings.Repeat("y", 80),
		"in a long extension":    "1f;name=" + strings.Repeat("y", 1500),
		"in a longer extension":  "1f;name=" + strings.Repeat("y", 3500),
		"in a length with zeros": strings.Repeat("0", 90),
		"in a trailer":           "0\r\nX-Sum: " + strings.Repeat("y", 200),
		"in a long trailer":      "0\r\nX-Sum: " + strings.Repeat("y", 3500),
		"in the next event":      "1000\r\ndata: " + strings.Repeat("y", 3500),
	} {
		t.Run(name, func(t *testing.T) {
			read := make(chan struct{})
			up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"+events+stop)
				<-read
			}))
			defer up.Close()
			transport := gateway.NewTransport()
			b := newBench(t, func(c *gateway.Config) {
				c.Upstreams.OpenAI, c.Transport = gateway.Upstream{URL: up.URL}, transport
			})
			defer transport.CloseIdleConnections()
			defer close(read)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // else it would wait for ever
			defer cancel()
			res, err := b.open(ctx, wire.OpenAIChat, true)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			last := ""
			for lines := bufio.NewScanner(res.Body); !strings.Contains(last, "word 39 "); {
				if !lines.Scan() {
					t.Fatalf("the last event that came is %.120s: %v", last, lines.Err())
				}
				if lines.Text() != "" {
					last = lines.Text()
				}
			}
		})
	}
}

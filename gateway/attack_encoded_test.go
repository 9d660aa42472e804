package gateway_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/wire"
)

// An encoded answer has come to its end on the wire long before its end is read.
// By then its connection may carry another answer, nothing of which may be read.
func TestAttackEncodedAnswersTakeNothingOfTheNext(t *testing.T) {
	var plain strings.Builder
	plain.WriteString(words(300))
	plain.WriteString(`data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, plain.String())
	_ = z.Close()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	}))
	defer up.Close()
	transport := gateway.NewTransport()
	transport.MaxConnsPerHost = 1 // they all share one
	defer transport.CloseIdleConnections()
	b := newBench(t, func(c *gateway.Config) {
		c.Upstreams.OpenAI, c.Transport = gateway.Upstream{URL: up.URL}, transport
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	const clients, each = 6, 15
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range each {
				res, err := b.open(ctx, wire.OpenAIChat, true)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(res.Body)
				_ = res.Body.Close()
				if err != nil || string(got) != plain.String() {
					t.Errorf("status %d: got %d bytes of %d: %v: ...%s", res.StatusCode, len(got), plain.Len(), err, got[max(0, len(got)-300):])
					return
				}
			}
		})
	}
	all.Wait()
}

package gateway_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/wire"
)

// A canary is not traffic: it must not be counted as such, and verdicts on it
// must be marked.
func TestACanaryIsNoTraffic(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, reply(wire.Anthropic, false, said("ok")))
	got := b.ask(wire.Anthropic, false, "X-Sluice-Canary", "1")
	story := got.story()
	if !story.exchange.Canary || len(story.records) == 0 {
		t.Errorf("the exchange is %+v with %d verdicts", story.exchange, len(story.records))
	}
	for i, event := range story.events {
		if marked := strings.Contains(string(story.json[i]), `"canary":true`); !marked {
			t.Errorf("%s: %s", event, story.json[i])
		}
	}
	body := string(b.do(http.MethodGet, "/metrics", nil, nil).body)
	if !strings.Contains(body, `sluice_canaries_total{format="anthropic",outcome="complete"} 1`) {
		t.Errorf("the canary is not counted as one:\n%s", body)
	}
	for _, line := range []string{"sluice_exchanges_total{", "sluice_verdicts_total{", "sluice_blocked_total{"} {
		if strings.Contains(body, line) {
			t.Errorf("the canary is counted as %s…}:\n%s", line, body)
		}
	}
	for _, line := range []string{"sluice_request_bytes_total 0", "sluice_answer_bytes_total 0", "sluice_exchange_seconds_count 0", "sluice_held_seconds_count 0"} {
		if !strings.Contains(body, line+"\n") {
			t.Errorf("the metrics do not say %q:\n%s", line, body)
		}
	}
	if got := b.ask(wire.Anthropic, false); got.story().exchange.Canary || !strings.Contains(string(b.do(http.MethodGet, "/metrics", nil, nil).body), `sluice_exchanges_total{format="anthropic",outcome="complete"} 1`) {
		t.Error("an exchange after a canary is not counted")
	}
}

// A recorder that is not wanted is not needed.
func TestNothingIsRecordedWithoutARecorder(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *gateway.Config) { c.Record = func(gateway.Exchange) gateway.Recorder { return nil } }, reply(wire.Anthropic, false, said("ok")))
	if got := b.ask(wire.Anthropic, false); got.status != http.StatusOK {
		t.Errorf("status %d %s", got.status, got.body)
	}
}

// Where an answer cannot carry a call the header means nothing, and the request
// is traffic like any other.
func TestAForwardedRequestIsNoCanary(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, reply(wire.OpenAIChat, false, said("ok")))
	got := b.do(http.MethodPost, "/v1/embeddings", headers("X-Sluice-Canary", "1"), []byte(`{"model":"m","input":"hi"}`))
	if got.story().exchange.Canary || len(b.up.Requests()) != 1 {
		t.Errorf("%+v, %d requests", got.story().exchange, len(b.up.Requests()))
	}
}

// A canary is answered without a provider's credential, so it must be small,
// however its size is declared. Without the header the same request is served.
func TestACanaryIsSmall(t *testing.T) {
	t.Parallel()
	for _, format := range wire.Formats() {
		b := newBench(t, nil, reply(format, true, said("ok")))
		const limit = 16 << 10
		body := func(size int) []byte {
			plain := question(format, true)
			return append(plain, strings.Repeat(" ", size-len(plain))...)
		}
		if got := b.do(http.MethodPost, target(format, true), headers("X-Sluice-Canary", "1"), body(limit)); got.status != http.StatusOK {
			t.Errorf("%s: at the limit: status %d %s", format, got.status, got.body)
		}
		for _, h := range []http.Header{headers("X-Sluice-Canary", "1"), headers("X-Sluice-Canary", "1", "Content-Encoding", "gzip")} {
			sent := body(limit + 1)
			if h.Get("Content-Encoding") != "" {
				sent = packed(t, sent)
			}
			got := b.do(http.MethodPost, target(format, true), h, sent)
			if message, _ := errorIn(t, format, got.body); got.status != http.StatusRequestEntityTooLarge || !strings.Contains(message, "canary") {
				t.Errorf("%s: over the limit: status %d %s", format, got.status, got.body)
			}
		}
		if got := b.do(http.MethodPost, target(format, true), nil, body(limit+1)); got.status != http.StatusOK {
			t.Errorf("%s: no canary: status %d %s", format, got.status, got.body)
		}
	}
}

// packed is a body as gzip.
func packed(t *testing.T, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

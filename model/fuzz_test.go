package model_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Whatever a server sends, the sequence ends: with the end of the answer or with
// one error, which is small, on one line and without the key.
func FuzzStream(f *testing.F) {
	blocks := [][]llm.Block{{{Kind: llm.Thinking, Text: "hm"}, {Kind: llm.Content, Text: "hello"}, {Kind: llm.ToolCall, ID: "c", Name: "f", Arguments: `{"a":1}`}}}
	for i, format := range wire.Formats() {
		f.Add(byte(i), 200, "text/event-stream", sluicetest.SSE(string(format), sluicetest.Build(string(format), blocks, sluicetest.BuildOptions{})))
		f.Add(byte(i), 200, "application/json", []byte(sluicetest.BuildBody(string(format), blocks, sluicetest.BuildOptions{})))
		f.Add(byte(i), 200, secret, []byte("data: "+secret+"\n\n"))
		f.Add(byte(i), 429, "text/plain", []byte(secret))
		f.Add(byte(i), 401, "application/json", []byte(`[{"error":{"type":"`+secret+`","code":1,"message":"a\n`+secret+`"}}]`))
		f.Add(byte(i), 200, "", []byte("data: {\"error\":{\"type\":\"server_error\",\"message\":\""+secret+"\"}}\n\n"))
	}
	f.Fuzz(func(t *testing.T, which byte, status int, contentType string, body []byte) {
		format := wire.Formats()[int(which)%len(wire.Formats())]
		client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{
				StatusCode: status, Header: http.Header{"Content-Type": {contentType}, "Location": {contentType}, "X-Request-Id": {contentType}},
				Body: io.NopCloser(strings.NewReader(string(body))), Request: r,
			}, nil
		})}
		m, err := model.New(model.Config{Format: format, BaseURL: "http://model.test", APIKey: secret, Model: "m", HTTPClient: client, Retry: quick})
		if err != nil {
			t.Fatal(err)
		}
		done := false
		var failed error
		for ev, err := range m.Stream(t.Context(), ask()) {
			if failed != nil {
				t.Fatalf("%v after %v", ev, failed)
			}
			if failed = err; err != nil && ev.Type != 0 {
				t.Fatalf("an event with an error: %v", ev)
			}
			done = done || ev.Type == stream.EventDone
		}
		if done == (failed != nil) {
			t.Fatalf("done %v, %v", done, failed)
		}
		if failed != nil {
			if text := failed.Error(); len(text) > 10_000 || strings.Contains(everything(failed), secret) || strings.ContainsAny(text, "\n\x1b") {
				t.Fatalf("%q", text)
			}
		}
	})
}

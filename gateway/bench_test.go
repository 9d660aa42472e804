package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
)

// BenchmarkStream is what one judged stream costs the gateway itself, without
// the servers and connections around it: 140 events, three small calls.
func BenchmarkStream(b *testing.B) {
	for _, c := range []struct{ name, path, request, answer string }{
		{"chat", "/v1/chat/completions", usualRequest, chatAnswer(usualCommands)},
		{"anthropic", "/v1/messages", usualRequest, anthropicAnswer(usualCommands)},
	} {
		b.Run(c.name, func(b *testing.B) {
			g, err := gateway.New(gateway.Config{
				Policies: policy.NewLive(recommended()), Observe: func(gateway.Event) {}, Transport: played(c.answer),
			})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = g.Close() })
			w := &discarding{header: make(http.Header)}
			body := strings.NewReader(c.request)
			r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://127.0.0.1"+c.path, io.NopCloser(body))
			if err != nil {
				b.Fatal(err)
			}
			r.ContentLength = int64(len(c.request))
			r.Header.Set("Content-Type", "application/json")
			b.ReportAllocs()
			for b.Loop() {
				body.Reset(c.request)
				clear(w.header)
				w.n = 0
				g.ServeHTTP(w, r)
				if w.n != len(c.answer) {
					b.Fatalf("%d bytes left of %d", w.n, len(c.answer))
				}
			}
		})
	}
}

// played is an upstream that answers everything with one stream.
type played string

func (p played) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1, Request: r,
		Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(string(p))),
	}, nil
}

// discarding is a client that counts.
type discarding struct {
	header http.Header
	n      int
}

func (d *discarding) Header() http.Header { return d.header }
func (d *discarding) WriteHeader(int)     {}
func (d *discarding) Flush()              {}

func (d *discarding) SetReadDeadline(time.Time) error  { return nil }
func (d *discarding) SetWriteDeadline(time.Time) error { return nil }
func (d *discarding) Write(p []byte) (int, error) {
	d.n += len(p)
	return len(p), nil
}

var usualRequest = `{"model":"m","stream":true,"max_tokens":4096,"messages":[{"role":"user","content":"` + strings.Repeat("Why is the build slow? ", 120) + `"}]}`

// usualCommands are three that look around.
var usualCommands = []string{"ls -la src", "git status --short", "wc -l README.md"}

// shellCalls are calls that run commands, each in about ten pieces of JSON text.
func shellCalls(commands []string) (calls [][]string) {
	for _, command := range commands {
		text := `{\"command\":\"` + command + `\",\"description\":\"Look at the sources of the program\"}`
		words := strings.SplitAfter(text, " ")
		calls = append(calls, words)
	}
	return calls
}

func chatAnswer(commands []string) string {
	var s bytes.Buffer
	chunk := func(delta, finish string) {
		fmt.Fprintf(&s, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1782321945,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}],"usage":null}`+"\n\n", delta, finish)
	}
	chunk(`{"role":"assistant","content":""}`, "null")
	for i := range 100 {
		chunk(fmt.Sprintf(`{"content":"word%d "}`, i), "null")
	}
	for i, pieces := range shellCalls(commands) {
		chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"call_%024d","type":"function","function":{"name":"Bash","arguments":""}}]}`, i, i), "null")
		for _, p := range pieces {
			chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, i, `"`+p+`"`), "null")
		}
	}
	chunk(`{}`, `"tool_calls"`)
	s.WriteString("data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1782321945,\"model\":\"m\",\"choices\":[],\"usage\":{\"prompt_tokens\":1520,\"completion_tokens\":140,\"total_tokens\":1660}}\n\ndata: [DONE]\n\n")
	return s.String()
}

func anthropicAnswer(commands []string) string {
	var s bytes.Buffer
	event := func(name, rest string) { fmt.Fprintf(&s, "event: %s\ndata: {\"type\":%q%s}\n\n", name, name, rest) }
	event("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1520,"output_tokens":1}}`)
	event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
	event("ping", "")
	for i := range 100 {
		event("content_block_delta", fmt.Sprintf(`,"index":0,"delta":{"type":"text_delta","text":"word%d "}`, i))
	}
	event("content_block_stop", `,"index":0`)
	for i, pieces := range shellCalls(commands) {
		event("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":{"type":"tool_use","id":"toolu_%024d","name":"Bash","input":{}}`, i+1, i))
		for _, p := range pieces {
			event("content_block_delta", fmt.Sprintf(`,"index":%d,"delta":{"type":"input_json_delta","partial_json":%s}`, i+1, `"`+p+`"`))
		}
		event("content_block_stop", fmt.Sprintf(`,"index":%d`, i+1))
	}
	event("message_delta", `,"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":140}`)
	event("message_stop", "")
	return s.String()
}

package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// encoded is a body in a content encoding, and the encoding's name.
func encoded(body []byte, encoding string) ([]byte, string) {
	r := sluicetest.Reply{Body: body}.Encoded(encoding)
	return r.Body, r.Header.Get("Content-Encoding")
}

// results is a request with the result of a tool in it.
func results(format wire.Format, text string) []byte {
	switch format {
	case wire.Anthropic:
		return []byte(`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"` + text + `"}]}],"big":12345678901234567890}`)
	case wire.OpenAIResponses:
		return []byte(`{"model":"m","input":[{"role":"user","content":"hi"},{"type":"function_call","call_id":"c1","name":"Read","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"c1","output":"` + text + `"}],"big":12345678901234567890}`)
	case wire.Gemini:
		return []byte(`{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"name":"Read","args":{}}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"Read","response":{"output":"` + text + `"}}}]}],"big":12345678901234567890}`)
	case wire.OpenAIChat:
	}
	return []byte(`{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"Read","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":"` + text + `"}],"big":12345678901234567890}`)
}

const redacting = "policies:\n  - {name: no-keys, applies_to: [tool_result], find: {pattern: 'sk-[a-z0-9]{8,}'}, then: {redact: '[key]'}}\n"

// A body that arrived encoded is read, and forwarded as it arrived; if a
// policy changes it, the changed text is sent, and its headers say so.
func TestEncodedRequests(t *testing.T) {
	t.Parallel()
	for _, format := range wire.Formats() {
		for _, encoding := range append([]string{""}, encodings...) {
			t.Run(fmt.Sprintf("%s in %q", format, encoding), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, func(c *gateway.Config) { c.Policies = policies(t, redacting) }, reply(format, false, said("ok")))
				for text, want := range map[string]string{"nothing here": "nothing here", "the key is sk-0123456789!": "the key is [key]!"} {
					plain := results(format, text)
					wireBody, name := plain, ""
					h := headers("Idempotency-Key", "i", "Content-Type", "application/json")
					if encoding != "" {
						wireBody, name = encoded(plain, encoding)
						h.Set("Content-Encoding", name)
					}
					got := b.do(http.MethodPost, target(format, false), h, wireBody)
					if got.status != http.StatusOK {
						t.Fatalf("status %d: %s", got.status, got.body)
					}
					asked := b.lastAsked()
					if text == want {
						if !bytes.Equal(asked.Body, wireBody) || asked.Header.Get("Content-Encoding") != name || asked.Header.Get("Idempotency-Key") != "i" {
							t.Errorf("the upstream got %v\n%q\nwant\n%q", asked.Header, asked.Body, wireBody)
						}
						continue
					}
					if !bytes.Equal(asked.Body, results(format, want)) || asked.Header.Get("Content-Encoding") != "" || asked.Header.Get("Idempotency-Key") != "" {
						t.Errorf("the upstream got %v\n%s\nwant\n%s", asked.Header, asked.Body, results(format, want))
					}
					if s := got.story(); len(s.records) == 0 || s.records[0].Verdict.Policy != "no-keys" {
						t.Errorf("the records are %+v", s.records)
					}
				}
			})
		}
	}
}

// One byte more than the limit is too much, whether it was announced, came in
// pieces, or came out of a small encoded body.
func TestRequestsHaveALimit(t *testing.T) {
	t.Parallel()
	const limit = 2000
	exact := append(question(wire.Anthropic, false), bytes.Repeat([]byte(" "), limit-len(question(wire.Anthropic, false)))...)
	over := append(bytes.Clone(exact), ' ')
	b := newBench(t, func(c *gateway.Config) { c.Limits.Body = limit }, reply(wire.Anthropic, false, said("ok")))
	check := func(name string, got *answer, fits bool) {
		t.Helper()
		if fits && got.status == http.StatusOK {
			return
		}
		if !fits && got.status == http.StatusRequestEntityTooLarge {
			if message, kind := errorIn(t, wire.Anthropic, got.body); !strings.Contains(message, "limits.body") || kind != "request_too_large" {
				t.Errorf("%s: %s", name, got.body)
			}
			return
		}
		t.Errorf("%s: status %d %s", name, got.status, got.body)
	}
	for name, body := range map[string][]byte{"exactly": exact, "over": over} {
		for _, path := range []string{"/v1/messages", "/v1/messages/count_tokens"} {
			check(name, b.do(http.MethodPost, path, nil, body), name == "exactly")
			check(name+" in chunks", b.chunked(path, body), name == "exactly")
		}
		for _, encoding := range encodings {
			small, coding := encoded(body, encoding)
			check(name+" "+encoding, b.do(http.MethodPost, "/v1/messages", headers("Content-Encoding", coding), small), name == "exactly")
		}
	}
	for _, encoding := range encodings {
		bomb, coding := encoded(bytes.Repeat([]byte(" "), 32<<20), encoding)
		if len(bomb) > limit {
			bomb = bomb[:limit] // it need not be complete to be too much
		}
		got := b.do(http.MethodPost, "/v1/messages", headers("Content-Encoding", coding), bomb)
		if got.status != http.StatusRequestEntityTooLarge && got.status != http.StatusBadRequest {
			t.Errorf("a bomb of %s: status %d", encoding, got.status)
		}
	}
}

// chunked sends a body without saying how long it is.
func (b *bench) chunked(path string, body []byte) *answer {
	b.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, b.url+path, io.MultiReader(bytes.NewReader(body)))
	if err != nil {
		b.t.Fatal(err)
	}
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	return &answer{status: res.StatusCode, header: res.Header, body: got, err: err, b: b}
}

// What cannot be read cannot be judged; the client is told what is wrong with it.
func TestRequestsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	gzipped, _ := encoded([]byte(`{"model":"m"}`), "gzip")
	for _, format := range wire.Formats() {
		b := newBench(t, nil)
		for name, tc := range map[string]struct {
			body, encoding, says string
			status               int
		}{
			"empty":            {"", "", "JSON object", 400},
			"white space":      {" \n", "", "JSON object", 400},
			"a list":           {"[]", "", "JSON object", 400},
			"a text":           {`"hi"`, "", "JSON object", 400},
			"null":             {"null", "", "JSON object", 400},
			"half":             {`{"model":"m","messages":[`, "", "valid JSON", 400},
			"no comma":         {`{"model":"m" "a":1}`, "", "valid JSON", 400},
			"two objects":      {`{"model":"m"}{"model":"n"}`, "", "valid JSON", 400},
			"rest":             {`{"model":"m"} x`, "", "valid JSON", 400},
			"a bare word":      {`{"model":m}`, "", "valid JSON", 400},
			"control":          {"{\"model\":\"a\nb\"}", "", "valid JSON", 400},
			"deep":             {`{"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, "", "nests deeper than 512", 400},
			"not gzip":         {`{"model":"m"}`, "gzip", "content encoding", 400},
			"half of gzip":     {string(gzipped[:len(gzipped)-6]), "gzip", "content encoding", 400},
			"not zstd":         {`{"model":"m"}`, "zstd", "content encoding", 400},
			"not br":           {`{"model":"m"}`, "br", "content encoding", 400},
			"unknown encoding": {`{"model":"m"}`, "compress", "content encoding", 415},
			"many encodings":   {`{"model":"m"}`, "gzip, gzip, gzip", "content encoding", 415},
			"gzip in silence":  {string(gzipped), "", "JSON object", 400},
		} {
			h := http.Header{}
			if tc.encoding != "" {
				h.Set("Content-Encoding", tc.encoding)
			}
			got := b.do(http.MethodPost, target(format, true), h, []byte(tc.body))
			if message, _ := errorIn(t, format, got.body); got.status != tc.status || !strings.Contains(message, tc.says) {
				t.Errorf("%s, %s: status %d %s, want %d and something about %q", format, name, got.status, got.body, tc.status, tc.says)
			}
			if s := got.story(); s.end.Outcome != gateway.Refused {
				t.Errorf("%s, %s: the outcome is %s", format, name, s.end.Outcome)
			}
		}
		if n := len(b.up.Requests()); n != 0 {
			t.Errorf("the upstream got %d requests", n)
		}
	}
}

// Whatever a request looks like: it reaches the upstream unchanged, or not at
// all, and then the client is told in its dialect.
func FuzzRequestsPassAsTheyCameOrAreRefused(f *testing.F) {
	for _, format := range wire.Formats() {
		f.Add(string(format), "", question(format, true))
		f.Add(string(format), "", results(format, "x"))
		for _, encoding := range encodings {
			body, name := encoded(question(format, false), encoding)
			f.Add(string(format), name, body)
		}
	}
	f.Add("openai-responses", "", []byte(`{"previous_response_id":"x","conversation":{"id":1},"thread":[],"metadata":{"user_id":"{"},"input":[{"role":"user","content":[{"text":"<cwd>/"}]}]}`))
	f.Fuzz(func(t *testing.T, name, encoding string, body []byte) {
		format, err := wire.ParseFormat(name)
		if err != nil || strings.ContainsAny(encoding, "\r\n\x00") {
			return
		}
		way := &carrier{answer: sluicetest.BuildBody(name, nil, sluicetest.BuildOptions{})}
		g, err := gateway.New(gateway.Config{Transport: way, Limits: gateway.Limits{Body: 1 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost"+target(format, false), bytes.NewReader(body))
		r.Header.Set("Content-Encoding", encoding)
		g.ServeHTTP(w, r)
		if way.asked != nil {
			if !bytes.Equal(way.body, body) {
				t.Errorf("the upstream got %q, want %q", way.body, body)
			}
			return
		}
		if w.Code < 400 || w.Code > 499 {
			t.Errorf("status %d %s", w.Code, w.Body)
		}
		errorIn(t, format, w.Body.Bytes())
	})
}

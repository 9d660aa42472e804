package gateway_test

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// each calls check for every dialect, streamed and not.
func each(t *testing.T, check func(t *testing.T, format wire.Format, stream bool)) {
	t.Helper()
	for _, format := range wire.Formats() {
		for _, stream := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s stream=%t", format, stream), func(t *testing.T) {
				t.Parallel()
				check(t, format, stream)
			})
		}
	}
}

// A call that is allowed leaves byte for byte; one that is not does not leave at
// all, and the client is told which policy blocked it.
func TestAllowedPassesAndBlockedDoesNot(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		allowed, blocked := reply(format, stream, said("I look.", "ls -l")), reply(format, stream, said("I clean up.", "ls", harmful))
		b := newBench(t, nil, allowed, blocked)
		got := b.ask(format, stream)
		if !bytes.Equal(got.body, allowed.Body) || got.status != http.StatusOK {
			t.Errorf("status %d and\n%s\nwant\n%s", got.status, got.body, allowed.Body)
		}
		if s := got.story(); s.end.Outcome != gateway.Complete || s.end.Blocked != 0 || s.end.AnswerBytes != int64(len(got.body)) || s.exchange.Stream != stream {
			t.Errorf("the end is %+v of %+v", s.end, s.exchange)
		}
		got = b.ask(format, stream)
		inspect, validate := sluicetest.InspectBody, sluicetest.ValidateBody
		if stream {
			inspect, validate = sluicetest.Inspect, sluicetest.Validate
		}
		report, _ := inspect(string(format), got.body)
		if len(report.Calls) != 1 || strings.Contains(string(got.body), "no-preserve-root") || !strings.Contains(strings.Join(report.Texts, ""), "Sluice blocked") {
			t.Errorf("the client understood %+v", report)
		}
		if err := validate(string(format), got.body); err != nil {
			t.Error(err)
		}
		if s := got.story(); s.end.Blocked != 1 || s.end.Outcome != gateway.Complete || s.events[0] != "begin" || s.events[len(s.events)-1] != "end" {
			t.Errorf("the end is %+v after %v", s.end, s.events)
		}
	})
}

func TestWithoutPoliciesEverythingPasses(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		answer := reply(format, stream, said("I clean up.", harmful))
		b := newBench(t, func(c *gateway.Config) { c.Policies = nil }, answer)
		if got := b.ask(format, stream); !bytes.Equal(got.body, answer.Body) {
			t.Errorf("got\n%s\nwant\n%s", got.body, answer.Body)
		}
	})
}

// Prompt caches, checksums and numbers beyond what a float holds depend on the
// very bytes of a request.
func TestRequestsReachTheUpstreamByteForByte(t *testing.T) {
	t.Parallel()
	for format, parts := range map[wire.Format]string{
		wire.Anthropic: `"max_tokens": 128000,"system":[{"type":"text","text":"x-anthropic-billing-header: cc=1;","cache_control":{"type":"ephemeral","scope":"global"}}],
			"messages":[{"role":"user","content":"hi"},{"role":"system","content":[{"type":"text","text":"mid"}]},{"role":"user","content":"a","output_config":{"effort":"low"}},
			{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}]`,
		wire.OpenAIChat: `"messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"},{"role":"system","content":"again"},{"role":"developer","content":[{"type":"text","text":"d"}]},
			{"role":"assistant","content":null,"reasoning_content":"r","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"x"}]`,
		wire.OpenAIResponses: `"input":[{"role":"user","content":"hi"},{"type":"additional_tools","role":"developer","tools":[{"type":"namespace","name":"functions","tools":[]}]},
			{"type":"reasoning","id":"rs_1","encrypted_content":"AA==","summary":[]},{"type":"custom_tool_call","call_id":"c1","name":"exec","input":"x"},{"type":"custom_tool_call_output","call_id":"c1","output":"y"}]`,
		wire.Gemini: `"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"AA=="}]},
			{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"r":1}}}]}]`,
	} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, reply(format, false, said("ok")))
			for _, body := range []string{
				`{"zeta":1,"alpha":2,"model":"m",` + parts + `}`,
				"\n {\t\"model\" :  \"m\" ,\r\n" + parts + ",\n\n\"end\":  true  }  \n",
				`{` + parts + `,"model":"m","big":12345678901234567890123,"tiny":1e-400,"float":1.10,"minus":-0,"seed":9007199254740993}`,
				`{` + parts + `,"model":"m","unknown":{"nested":[{"b":1,"a":[null,true,{}]}]},"x-sluice":"kept","escaped":"\u0041\/\u2028\ud83d\ude00"}`,
				`{"model":"a","model":"m",` + parts + `,"stream":false,"twice":1,"twice":2}`,
			} {
				got := b.do(http.MethodPost, target(format, false), nil, []byte(body))
				if sent := string(b.lastAsked().Body); sent != body {
					t.Errorf("the upstream got\n%s\nwant\n%s", sent, body)
				}
				if got.status != http.StatusOK {
					t.Errorf("status %d: %s", got.status, got.body)
				}
			}
		})
	}
}

// passedOn are headers that clients send and upstreams need.
var passedOn = headers(
	"Anthropic-Beta", "a-1,b-2", "Anthropic-Beta", "c-3", "Anthropic-Version", "2026-10-21", "X-Api-Key", "sk-ant-1", "Authorization", "Bearer sk-ant-oat01-x",
	"Openai-Organization", "org", "Openai-Project", "proj", "Openai-Beta", "responses=v1", "Idempotency-Key", "i-1", "Originator", "codex_exec",
	"Session-Id", "s", "Thread-Id", "t", "X-Client-Request-Id", "r", "X-Codex-Window-Id", "w", "X-Codex-Turn-State", "ts", "X-Codex-Turn-Metadata", `{"a":1}`,
	"X-Codex-Beta-Features", "remote_compaction_v2", "X-Openai-Internal-Codex-Responses-Lite", "true", "X-Openai-Internal-Codex-Residency", "us",
	"X-Openai-Fedramp", "true", "Version", "0.166.0", "X-Session-Id", "s", "X-Session-Affinity", "s", "X-App", "cli", "X-Claude-Code-Session-Id", "u",
	"X-Claude-Code-Prompt-Id", "p", "X-Stainless-Retry-Count", "0", "X-Stainless-Os", "Linux", "User-Agent", "claude-cli/2.1.325 (external, sdk-cli)",
	"Accept", "application/json", "Content-Type", "application/json", "Anthropic-Dangerous-Direct-Browser-Access", "true", "X-Odd", "", "Cookie", "a=b", "X-Goog-Api-Client", "genai",
)

func TestRequestHeadersReachTheUpstream(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, sluicetest.JSON(http.StatusOK, `{}`))
	for _, path := range []string{"/v1/messages", "/v1/messages/count_tokens"} {
		sent := passedOn.Clone()
		for name, value := range map[string]string{
			"Connection": "keep-alive, X-Hop", "X-Hop": "1", "Keep-Alive": "1", "Proxy-Authorization": "Basic x", "Proxy-Connection": "x", "Te": "trailers",
			"Accept-Encoding": "gzip, deflate, br, zstd", "X-Sluice-Key": "slk_x", "X-Sluice-Cwd": "/w", "X-Sluice-Home": "/h",
			"X-Http-Method-Override": "GET", "X-Http-Method": "GET", "X-Method-Override": "GET",
		} {
			sent.Set(name, value)
		}
		b.do(http.MethodPost, path, sent, question(wire.Anthropic, false))
		got := b.lastAsked()
		want := passedOn.Clone()
		want.Set("Accept-Encoding", "identity")
		want.Set("Content-Length", strconv.Itoa(len(question(wire.Anthropic, false))))
		if strings.HasSuffix(path, "count_tokens") {
			want.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		}
		for name, values := range want {
			if !slices.Equal(got.Header[name], values) {
				t.Errorf("%s: %s is %q, want %q", path, name, got.Header[name], values)
			}
			delete(got.Header, name)
		}
		if len(got.Header) > 0 {
			t.Errorf("%s: the upstream also got %v", path, got.Header)
		}
		if got.Host != strings.TrimPrefix(b.up.URL, "http://") {
			t.Errorf("the upstream is called %q", got.Host)
		}
	}
}

func TestWhatTheClientDidNotSayIsNotSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, sluicetest.JSON(http.StatusOK, `{}`))
	for _, request := range []string{"POST /v1/messages", "POST /v1/embeddings", "GET /v1/models", "DELETE /v1/responses/resp_1"} {
		method, path, _ := strings.Cut(request, " ")
		h := http.Header{"User-Agent": nil}
		b.do(method, path, h, []byte(`{}`))
		got := b.lastAsked().Header
		for name := range got {
			if !slices.Contains([]string{"Accept-Encoding", "Content-Length"}, name) {
				t.Errorf("%s: the upstream got %s: %q", request, name, got[name])
			}
		}
	}
}

// passedBack are headers that upstreams send and SDKs read.
var passedBack = headers(
	"Request-Id", "req_1", "X-Request-Id", "req_2", "Apim-Request-Id", "req_3", "Retry-After", "7", "Retry-After-Ms", "7000", "X-Should-Retry", "true",
	"Anthropic-Ratelimit-Requests-Remaining", "9", "Anthropic-Organization-Id", "org", "X-Ratelimit-Limit-Tokens", "100", "X-Codex-Turn-State", "ts",
	"X-Models-Etag", "e", "X-Codex-Primary-Used-Percent", "5", "Openai-Processing-Ms", "12", "X-Odd", "",
	"Date", "Mon, 02 Nov 2026 10:00:00 GMT", "Etag", "W/x", "Cf-Ray", "r",
)

func TestAnswerHeadersReachTheClient(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		for _, encoding := range []string{"", "gzip"} {
			plain := reply(format, stream, said("ok", harmful))
			if encoding != "" {
				plain = plain.Encoded(encoding)
			}
			maps.Copy(plain.Header, passedBack)
			plain.Header["Keep-Alive"] = []string{"timeout=5"}
			plain.Header["Connection"] = []string{"X-Hop"}
			plain.Header["X-Hop"] = []string{"1"}
			plain.Header["Proxy-Authenticate"] = []string{"x"}
			plain.Header["X-Sluice-Exchange"] = []string{"forged"}
			b := newBench(t, nil, plain)
			got := b.ask(format, stream)
			for name, values := range passedBack {
				if !slices.Equal(got.header[name], values) {
					t.Errorf("%s is %q, want %q", name, got.header[name], values)
				}
			}
			for _, name := range []string{"Content-Encoding", "Keep-Alive", "X-Hop", "Proxy-Authenticate", "Transfer-Encoding", "Trailer"} {
				if values, there := got.header[name]; there {
					t.Errorf("%s is passed on: %q", name, values)
				}
			}
			// A stream that ended before anything of it had to leave may have a length, too.
			if length := got.header.Get("Content-Length"); length != strconv.Itoa(len(got.body)) && (!stream || length != "") {
				t.Errorf("the length is said to be %q of %d", length, len(got.body))
			}
			if id := got.header.Get("X-Sluice-Exchange"); !strings.HasPrefix(id, "ex_") {
				t.Errorf("the exchange is %q", id)
			}
			want := "application/json"
			if stream {
				want = "text/event-stream"
			}
			if kind := got.header.Get("Content-Type"); !strings.HasPrefix(kind, want) {
				t.Errorf("the type is %q, want %q", kind, want)
			}
		}
	})
}

// What is forwarded comes back as it is, also when it is compressed.
func TestForwardedAnswersComeBackAsTheyAre(t *testing.T) {
	t.Parallel()
	list := sluicetest.JSON(http.StatusOK, `{"object":"list","data":[{"id":"m","object":"model"}]}`)
	missing := sluicetest.Reply{Status: http.StatusNotModified, Header: headers("Etag", "e")}
	none := sluicetest.Reply{Status: http.StatusNoContent}
	for name, answer := range map[string]sluicetest.Reply{
		"plain": list, "gzip": list.Encoded("gzip"), "br": list.Encoded("br"), "not modified": missing, "no content": none,
		"an error": sluicetest.JSON(http.StatusTooManyRequests, `{"error":{}}`), "no JSON": {Body: []byte("\x00\xff"), Header: headers("Content-Type", "audio/mpeg")},
	} {
		b := newBench(t, nil, answer)
		got := b.do(http.MethodGet, "/v1/models", headers("Accept-Encoding", "gzip"), nil)
		status := max(answer.Status, http.StatusOK)
		if !bytes.Equal(got.body, answer.Body) || got.status != status {
			t.Errorf("%s: status %d and %q, want %d and %q", name, got.status, got.body, status, answer.Body)
		}
		for header, values := range answer.Header {
			if !slices.Equal(got.header[header], values) {
				t.Errorf("%s: %s is %q, want %q", name, header, got.header[header], values)
			}
		}
	}
}

// What the provider says must be what the record has.
func TestRecorderGetsTheBytesOfTheUpstream(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		plain := reply(format, stream, said("ok", harmful))
		kept := &keeper{}
		b := newBench(t, func(c *gateway.Config) { c.Record = func(gateway.Exchange) gateway.Recorder { return kept } }, plain.Encoded("zstd"))
		b.ask(format, stream).story()
		if !bytes.Equal(kept.got.Bytes(), plain.Body) || kept.end.Outcome != gateway.Complete {
			t.Errorf("recorded were\n%s (%+v)\nwant\n%s", kept.got.Bytes(), kept.end, plain.Body)
		}
	})
}

type keeper struct {
	got bytes.Buffer
	end gateway.End
}

func (k *keeper) Write(p []byte)        { k.got.Write(p) }
func (k *keeper) Close(end gateway.End) { k.end = end }

// Providers keep state under the ids of their answers, sign thinking, and bill
// by usage: blocking a call touches none of them.
func TestBlockingKeepsIdsThinkingAndUsage(t *testing.T) {
	t.Parallel()
	blocks := append([]llm.Block{{Kind: llm.Thinking, Text: "Hm \u2028 <é>", Signature: "c2lnbmVk"}}, said("I clean up.", harmful)...)
	for _, format := range []wire.Format{wire.Anthropic, wire.OpenAIResponses} {
		for _, stream := range []bool{true, false} {
			answer := reply(format, stream, blocks, sluicetest.BuildOptions{ID: "id_of_the_provider", Usage: true})
			b := newBench(t, nil, answer)
			got := b.ask(format, stream)
			if got.story().end.Blocked != 1 || !bytes.Contains(got.body, []byte(`"id":"id_of_the_provider"`)) {
				t.Errorf("%s: the client got %s", format, got.body)
			}
			for _, usage := range regexp.MustCompile(`"usage":\{[^}]*\}`).FindAll(answer.Body, -1) {
				if !bytes.Contains(got.body, usage) {
					t.Errorf("%s: %s is missing in %s", format, usage, got.body)
				}
			}
			if !stream || format != wire.Anthropic {
				continue
			}
			sent, told := payloadsOf(t, answer.Body), payloadsOf(t, got.body)
			for i, p := range sent {
				if p.name == "content_block_stop" {
					break // the thinking is first
				}
				if i >= len(told) || told[i] != p {
					t.Errorf("payload %d is not %q", i, p)
				}
			}
		}
	}
}

// A text that is changed while it streams arrives changed, in a legal stream.
func TestTextIsRedactedOnItsWay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		b := newBench(t, func(c *gateway.Config) {
			c.Policies = policies(t, "policies:\n  - {name: no-keys, applies_to: [content], find: {pattern: 'sk-[a-z0-9]{8,}'}, then: {redact: '[key]'}}\n")
		}, reply(format, stream, said("The key is sk-0123456789abcdef, keep it.", "ls"), sluicetest.BuildOptions{MaxPiece: 3}))
		got := b.ask(format, stream)
		inspect := sluicetest.InspectBody
		if stream {
			inspect = sluicetest.Inspect
		}
		report, err := inspect(string(format), got.body)
		if err != nil || strings.Join(report.Texts, "") != "The key is [key], keep it." || len(report.Calls) != 1 {
			t.Errorf("the client understood %+v, %v", report, err)
		}
	})
}

// A good status stays the one that it was.
func TestGoodStatusesPass(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		for _, status := range []int{200, 201, 202, 203, 299} {
			answer := reply(format, stream, said("ok", "ls"))
			answer.Status = status
			if got := newBench(t, nil, answer).ask(format, stream); got.status != status || !bytes.Equal(got.body, answer.Body) {
				t.Errorf("status %d, want %d\n%s", got.status, status, got.body)
			}
		}
	})
}

// Over HTTP/2 nothing is different.
func TestHTTP2OnBothSides(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstreamTLS(t)
	transport := gateway.NewTransport()
	transport.TLSClientConfig = &tls.Config{RootCAs: up.CAs}
	base := gateway.Upstream{URL: up.URL}
	g, err := gateway.New(gateway.Config{
		Upstreams: gateway.Upstreams{Anthropic: base, OpenAI: base, Gemini: base, ChatGPT: base},
		Policies:  policy.NewLive(recommended()), Transport: transport,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	server := httptest.NewUnstartedServer(g)
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	for _, format := range wire.Formats() {
		for _, stream := range []bool{true, false} {
			allowed := reply(format, stream, said("ok", "ls"))
			up.Script(allowed, reply(format, stream, said("ok", harmful)))
			for _, harm := range []bool{false, true} {
				res, err := server.Client().Post(server.URL+target(format, stream), "application/json", bytes.NewReader(question(format, stream)))
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(res.Body)
				res.Body.Close()
				if err != nil || res.ProtoMajor != 2 || res.StatusCode != http.StatusOK {
					t.Errorf("%s: status %d over %s, %v", format, res.StatusCode, res.Proto, err)
				}
				if harm && strings.Contains(string(body), "no-preserve-root") || !harm && !bytes.Equal(body, allowed.Body) {
					t.Errorf("%s: the client got %s", format, body)
				}
			}
		}
	}
	for _, r := range up.Requests() {
		if r.Proto != "HTTP/2.0" {
			t.Errorf("the upstream was asked over %s", r.Proto)
		}
	}
}

// The limits on what an upstream may send hold to the byte, and their error
// names them.
func TestAnswersHaveALimit(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		answer := reply(format, stream, said(strings.Repeat("long ", 200)))
		largest := len(answer.Body)
		if stream {
			largest = 0
			for event := range bytes.SplitSeq(answer.Body, []byte("\n\n")) {
				largest = max(largest, len(event)+1)
			}
		}
		for _, tc := range []struct {
			limit int
			fits  bool
		}{{largest, true}, {largest - 1 - len("data: \n"), false}} {
			b := newBench(t, func(c *gateway.Config) { c.Limits.Answer, c.Limits.Payload = tc.limit, tc.limit }, answer)
			got := b.ask(format, stream)
			s := got.story()
			if tc.fits && !bytes.Equal(got.body, answer.Body) {
				t.Errorf("at the limit: status %d %s (%s)", got.status, s.end.Outcome, s.end.Error)
			}
			if !tc.fits && (s.end.Outcome != gateway.Cut || !strings.Contains(s.end.Error, strconv.Itoa(tc.limit))) {
				t.Errorf("over the limit of %d: status %d %s (%s)", tc.limit, got.status, s.end.Outcome, s.end.Error)
			}
		}
	})
}

// Exchanges that run keep the policies with which they began; new ones get the
// new ones.
func TestPoliciesAreSwappedBetweenExchanges(t *testing.T) {
	t.Parallel()
	live := policy.NewLive(recommended())
	b := newBench(t, func(c *gateway.Config) { c.Policies = live }, reply(wire.Anthropic, true, said("ok", harmful)))
	if s := b.ask(wire.Anthropic, true).story(); s.end.Blocked != 1 {
		t.Errorf("%d blocked", s.end.Blocked)
	}
	none, err := policy.NewSet()
	if err != nil {
		t.Fatal(err)
	}
	live.Swap(none)
	if s := b.ask(wire.Anthropic, true).story(); s.end.Blocked != 0 || s.exchange.Policies != none.Version() {
		t.Errorf("%d blocked by %s", s.end.Blocked, s.exchange.Policies)
	}
}

// The bodies of errors in the recorded corpus, and their statuses.
func TestCorpusErrorsPassByteForByte(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpusDir(t), "errors", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no errors: %v", err)
	}
	b := newBench(t, nil)
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		status := http.StatusBadRequest
		for word := range strings.SplitSeq(filepath.Base(path), "-") {
			if n, err := strconv.Atoi(word); err == nil {
				status = n
			}
		}
		for _, format := range wire.Formats() {
			b.up.Script(sluicetest.JSON(status, string(body)))
			if got := b.ask(format, true); got.status != status || !bytes.Equal(got.body, body) {
				t.Errorf("%s: status %d and\n%s", filepath.Base(path), got.status, got.body)
			}
		}
	}
}

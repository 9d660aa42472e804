package gateway_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// What the gateway does with a request.
const (
	judged     = "judged"
	forwarded  = "forwarded"
	forbidden  = "refused"         // 403: known, and why
	unknown    = "unknown"         // 404: with what to do
	badMethod  = "bad method"      // 405
	badPath    = "bad path"        // 400
	upgrade    = "upgrade"         // 426
	ownAnswer  = "answered itself" // 200
	wantsArray = "wants alt=sse"   // 400
)

// done says what the gateway did.
func done(b *bench, got *answer, asked int) string {
	if got.header.Get("X-Sluice-Exchange") == "" {
		return ownAnswer
	}
	reached := len(b.up.Requests()) > asked
	story := got.story()
	switch {
	case reached && story.exchange.Policies != "":
		return judged
	case reached:
		return forwarded
	}
	switch got.status {
	case http.StatusForbidden:
		return forbidden
	case http.StatusNotFound:
		return unknown
	case http.StatusMethodNotAllowed:
		return badMethod
	case http.StatusUpgradeRequired:
		return upgrade
	case http.StatusBadRequest:
		if strings.Contains(string(got.body), "alt=sse") {
			return wantsArray
		}
		return badPath
	}
	return http.StatusText(got.status)
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	claude := headers("Anthropic-Version", "2023-06-01")
	account := headers("Chatgpt-Account-Id", "acc")
	socket := headers("Connection", "Upgrade", "Upgrade", "websocket")
	for _, tc := range []struct {
		requests string // METHOD PATH, one per line
		header   http.Header
		want     string
		upstream string // that is asked, "" if none or any
	}{
		{"POST /v1/messages\nPOST /v1/messages?beta=true\nPOST /messages", nil, judged, "anthropic"},
		{"POST /v1/chat/completions\nPOST /chat/completions\nPOST /v1/responses\nPOST /responses", nil, judged, "openai"},
		{"POST /v1/responses/compact\nGET /v1/responses/resp_1\nGET /v1/responses/resp_1?stream=true&starting_after=3\nPOST /v1/responses/resp_1/cancel", nil, judged, "openai"},
		{"POST /backend-api/codex/responses\nPOST /backend-api/codex/responses/compact", nil, judged, "chatgpt"},
		{"POST /v1/responses\nPOST /responses\nPOST /v1/responses/compact", account, judged, "chatgpt"},
		{"POST /v1/responses", headers("Connection", "Upgrade, HTTP2-Settings", "Upgrade", "h2c", "HTTP2-Settings", "AAMAAABk"), judged, "openai"},
		{"GET /v1/models?client_version=0.166.0\nPOST /v1/images/edits\nPOST /v1/alpha/search\nPOST /v1/memories/trace_summarize", account, forwarded, "chatgpt"},
		{
			"POST /v1beta/models/g:generateContent\nPOST /v1/models/g:generateContent\nPOST /v1beta/tunedModels/t:generateContent\n" +
				"POST /v1beta/models/g:streamGenerateContent?alt=sse\nPOST /v1/models/g:streamGenerateContent?x=1&alt=sse", nil, judged, "gemini",
		},
		{"POST /v1beta/models/g:streamGenerateContent\nPOST /v1beta/models/g:streamGenerateContent?alt=json", nil, wantsArray, ""},
		{
			"POST /v1beta/models/g:countTokens\nPOST /v1beta/models/g:computeTokens\nPOST /v1beta/models/g:embedContent\n" +
				"POST /v1beta/models/g:batchEmbedContents\nPOST /v1beta/models/g:asyncBatchEmbedContent\nGET /v1beta/models\nGET /v1beta/models/g\n" +
				"GET /v1beta/cachedContents\nPOST /v1beta/cachedContents\nPATCH /v1beta/cachedContents/c\nGET /v1beta/files\nDELETE /v1beta/files/f\nPOST /upload/v1beta/files",
			nil, forwarded, "gemini",
		},
		{"POST /v1/completions", nil, forbidden, ""},
		{"POST /v1/complete", claude, forbidden, ""},
		{"POST /v1/messages/count_tokens\nPOST /v1/messages/cache_touch", nil, forwarded, "anthropic"},
		{"GET /v1/models?limit=1000\nGET /v1/models/claude-x\nGET /v1/files\nPOST /v1/files", claude, forwarded, "anthropic"},
		{
			"POST /v1/responses/input_tokens\nPOST /v1/embeddings\nPOST /embeddings\nPOST /v1/moderations\nGET /v1/models\nHEAD /v1/models\nGET /models\nGET /v1/models/m\n" +
				"DELETE /v1/responses/resp_1\nDELETE /v1/chat/completions/c\nPOST /v1/files\nGET /v1/files\nGET /v1/files/f\nDELETE /v1/files/f\nPOST /v1/uploads\nPOST /v1/uploads/u/parts\n" +
				"GET /v1/vector_stores\nPOST /v1/vector_stores/v/files\nPOST /v1/images/generations\nPOST /v1/audio/speech\nPOST /v1/alpha/search\nPOST /v1/memories/trace_summarize",
			nil, forwarded, "openai",
		},
		{
			"GET /backend-api/codex/models\nPOST /backend-api/codex/images/generations\nPOST /backend-api/codex/alpha/search\nPOST /backend-api/codex/memories/trace_summarize",
			nil, forwarded, "chatgpt",
		},
		{
			"GET /v1/responses/resp_1/input_items\nGET /v1/chat/completions\nGET /v1/chat/completions/c\nGET /v1/chat/completions/c/messages\n" +
				"GET /v1/conversations\nPOST /v1/conversations\nGET /v1/conversations/c\nGET /v1/conversations/c/items\nPOST /v1/conversations/c/items", nil, forbidden, "",
		},
		{
			"POST /v1/assistants\nGET /v1/assistants/a\nPOST /v1/threads\nGET /v1/threads/t/messages\nPOST /v1/threads/t/runs\nPOST /v1/threads/t/runs/r/submit_tool_outputs\nPOST /v1/threads/runs",
			nil, forbidden, "",
		},
		{
			"POST /v1/batches\nGET /v1/batches\nGET /v1/batches/b\nPOST /v1/batches/b/cancel\nPOST /v1/messages/batches\nGET /v1/messages/batches\nGET /v1/messages/batches/b/results\n" +
				"POST /v1beta/models/g:batchGenerateContent\nGET /v1/files/f/content", nil, forbidden, "",
		},
		{"GET /v1beta/batches\nGET /v1beta/batches/b\nGET /download/v1beta/files/f:download?alt=media", nil, unknown, ""},
		{"GET /v1beta/files/f:download", nil, forbidden, ""},
		{"GET /v1/responses", headers("Connection", "upgrade", "Upgrade", "WebSocket/13, h2c"), upgrade, ""},
		{"GET /v1/responses\nGET /responses\nGET /v1/realtime\nGET /v1/anything\nGET /ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent", socket, upgrade, ""},
		{
			"GET /v1/realtime\nPOST /v1/realtime/sessions\nPOST /v1/realtime/client_secrets\nPOST /v1/realtime/calls\nPOST /v1/realtime/transcription_sessions\n" +
				"POST /backend-api/codex/realtime/calls\nPOST /backend-api/codex/live", nil, forbidden, "",
		},
		{"POST /v1/realtime/calls\nPOST /v1/live", account, forbidden, ""},
		{
			"POST /v1/live\nGET /ws/x\nPOST /v1beta/auth_tokens\nPOST /v1beta/interactions\nGET /v1beta/interactions/i\nPOST /v1/interactions\n" +
				"POST /v1/chatkit/sessions\nPOST /v1/decisions\nGET /v1/vaults\nPOST /v1/deployments\nPOST /v1/dreams\nGET /v1/containers\nPOST /v1/fine_tuning/jobs\nPOST /v1/videos\n" +
				"GET /v1/organizations\nPOST /v1/webhooks\nGET /v1/skills", nil, unknown, "",
		},
		{"POST /v1/agents\nPOST /v1/agents/a", nil, forbidden, ""},
		{"POST /v1/agents\nPOST /v1/sessions\nGET /v1/sessions/s/events\nGET /v1/environments/e/work\nPOST /v1/environments", claude, forbidden, ""},
		{"GET /backend-api/wham/accounts/check\nPOST /backend-api/ps/mcp\nGET /backend-api/plugins/featured\nGET /backend-api/connectors/directory/list\nPOST /backend-api/files\nPOST /backend-api/conversation", nil, unknown, ""},
		{"HEAD /\nGET /\nGET /api/hello\nHEAD /api/hello\nGET /healthz\nGET /readyz\nGET /metrics", nil, ownAnswer, ""},
		{"POST /favicon.ico\nGET /v1\nGET /v2/messages\nPOST /V1/messages\nPOST /v1/Messages\nPOST /v1/messages/x\nPOST /v1/v1/messages\nPOST /anthropic/v1/messages", nil, unknown, ""},
		{
			"GET /v1/messages\nPUT /v1/messages\nDELETE /v1/messages\nPATCH /v1/chat/completions\nGET /v1/responses\nPUT /v1/responses\nGET /v1/responses/resp_1/cancel\n" +
				"GET /v1/embeddings\nPOST /v1/models\nGET /v1beta/models/g:generateContent\nPUT /v1beta/models/g:countTokens\nGET /backend-api/codex/responses\nOPTIONS /v1/messages\nTRACE /v1/messages\nBREW /v1/messages",
			nil, badMethod, "",
		},
		{
			"POST //v1/messages\nPOST /v1//messages\nPOST /v1/messages/\nPOST /v1/./messages\nPOST /v1/x/../messages\nPOST /v1/messages/..\nPOST /v1%2fmessages\nPOST /v1%2Fmessages\n" +
				"POST /v1/%6dessages\nPOST /v1/%2e%2e/messages\nPOST /v1\\messages\nPOST /v1%5cmessages\nPOST /v1/messages;x=1\nPOST /v1/messages%3b\nGET /v1/files/f%2fcontent\n" +
				"GET /v1beta/files/f%3Adownload\nPOST /v1beta/models/g%3AgenerateContent\nPOST /v1/messages%00\nPOST /v1/messages%20\nGET /v1/responses/a%2F..%2Fb",
			nil, badPath, "",
		},
	} {
		// A set about calls alone: with one about results, whatever can carry results is judged too.
		calls, err := policy.NewSet(policy.Func("calls", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} }))
		if err != nil {
			t.Fatal(err)
		}
		b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(calls) }, sluicetest.JSON(http.StatusOK, `{}`))
		for line := range strings.SplitSeq(tc.requests, "\n") {
			method, where, _ := strings.Cut(line, " ")
			asked := len(b.up.Requests())
			got := b.do(method, where, tc.header, []byte(`{}`))
			if did := done(b, got, asked); did != tc.want {
				t.Errorf("%s %v: it was %s (%d %.200s), want %s", line, tc.header, did, got.status, got.body, tc.want)
				continue
			}
			if tc.upstream == "" {
				continue
			}
			if to := got.story().exchange.Upstream; to != tc.upstream {
				t.Errorf("%s: it went to %s, want %s", line, to, tc.upstream)
			}
			_, query, _ := strings.Cut(where, "?")
			if r := b.lastAsked(); r.Query != query || r.Method != method {
				t.Errorf("%s: the upstream got %s %s?%s", line, r.Method, r.Path, r.Query)
			}
		}
	}
}

// A refusal says why and what to do, as the client's SDK reads errors.
func TestRefusedPathsAreToldInTheDialect(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for _, tc := range []struct {
		method, path, says string
		header             http.Header
		format             wire.Format
	}{
		{"POST", "/v1/messages/batches", "batches answer later", nil, wire.Anthropic},
		{"POST", "/v1/nothing", "forward:", headers("Anthropic-Version", "2023-06-01"), wire.Anthropic},
		{"PUT", "/v1/messages", "use POST for /v1/messages", nil, wire.Anthropic},
		{"GET", "/v1/nothing", "forward:", nil, wire.OpenAIChat},
		{"GET", "/v1/responses/r/input_items", "stored conversations", nil, wire.OpenAIResponses},
		{"POST", "/v1beta/models/g:batchGenerateContent", "generateContent", nil, wire.Gemini},
		{"POST", "/v1beta/nothing", "forward:", nil, wire.Gemini},
	} {
		got := b.do(tc.method, tc.path, tc.header, nil)
		if message, _ := errorIn(t, tc.format, got.body); !strings.Contains(message, tc.says) || !strings.HasPrefix(message, "Sluice: ") {
			t.Errorf("%s: %s, want something about %q", tc.path, got.body, tc.says)
		}
		if got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s has the type %q", tc.path, got.header.Get("Content-Type"))
		}
		if outcome := got.story().end.Outcome; outcome != gateway.Refused {
			t.Errorf("%s: the outcome is %s", tc.path, outcome)
		}
	}
	if n := len(b.up.Requests()); n != 0 {
		t.Errorf("the upstream got %d requests", n)
	}
}

func TestListedPathsAreForwarded(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *gateway.Config) {
		c.Forward = []string{"/v1/evals/*", "/v1/completions", "/v1beta/corpora/*", "/v1beta/projects/*"}
	}, sluicetest.JSON(http.StatusOK, `{}`))
	for request, want := range map[string]string{
		"GET /v1/evals/e/runs": forwarded, "POST /v1/completions": forwarded, "GET /v1/evals": unknown, "GET /v1/evalsx": unknown,
		"GET /v1/evals/../responses": badPath, "POST /v1/completions/": badPath, "GET /v1beta/corpora/c": forwarded,
		// What is judged stays so, whatever is listed.
		"POST /v1beta/projects/p/models/g:generateContent": judged,
	} {
		method, where, _ := strings.Cut(request, " ")
		asked := len(b.up.Requests())
		if did := done(b, b.do(method, where, nil, []byte(`{}`)), asked); did != want {
			t.Errorf("%s: it was %s, want %s", request, did, want)
		}
	}
}

func TestJudgedPathsCannotBeListed(t *testing.T) {
	t.Parallel()
	for listed, ok := range map[string]bool{
		"/v1/completions": true, "/v1/evals/*": true, "/v1/organizations/*": true, "/v1/files/*": true, "/v1beta/batches/*": true,
		"/v1/messages": false, "/v1/chat/completions": false, "/v1/responses": false, "/v1/responses/*": false, "/v1/responses/resp_1": false,
		"/v1/*": false, "/*": false, "/v1beta/*": false, "/v1beta/models/*": false, "/v1beta/tunedModels/*": false, "/v1/chat/*": false, "/backend-api/*": false,
		"/backend-api/codex/*": false, "/backend-api/codex/responses": false, "/v1beta/models/g:generateContent": false,
		"v1/evals": false, "": false, "*": false,
	} {
		g, err := gateway.New(gateway.Config{Forward: []string{listed}})
		if (err == nil) != ok {
			t.Errorf("forward %q: %v", listed, err)
		}
		if g != nil {
			_ = g.Close()
		}
	}
}

// The base of an upstream may be written as its documentation or its SDK's
// settings have it.
func TestUpstreamBases(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ base, path, header, want string }{
		{"", "/v1/chat/completions", "", "/v1/chat/completions"},
		{"/", "/v1/chat/completions", "", "/v1/chat/completions"},
		{"/v1", "/v1/chat/completions", "", "/v1/chat/completions"},
		{"/v1/", "/chat/completions", "", "/v1/chat/completions"},
		{"/api/v1", "/v1/responses", "", "/api/v1/responses"},
		{"/openai", "/v1/responses/resp_1/cancel", "", "/openai/v1/responses/resp_1/cancel"},
		{"/api/paas/v4", "/v1/chat/completions", "", "/api/paas/v4/chat/completions"},
		{"/api/paas/v4/", "/v1/models/m", "", "/api/paas/v4/models/m"},
		{"/anthropic", "/v1/messages", "", "/anthropic/v1/messages"},
		{"/v1", "/v1/messages/count_tokens", "", "/v1/messages/count_tokens"},
		{"/v1beta", "/v1beta/models/g:generateContent", "", "/v1beta/models/g:generateContent"},
		{"/google", "/v1/models/g:generateContent", "", "/google/v1/models/g:generateContent"},
		{"/backend-api/codex", "/backend-api/codex/responses", "", "/backend-api/codex/responses"},
		{"/backend-api/codex", "/v1/responses", "acc", "/backend-api/codex/responses"},
		{"", "/v1/models", "acc", "/backend-api/codex/models"},
		{"", "/v1/models/a%C3%A9", "", "/v1/models/a%C3%A9"},
	} {
		b := newBench(t, nil)
		base := gateway.Upstream{URL: b.up.URL + tc.base}
		at := newBench(t, func(c *gateway.Config) {
			c.Upstreams = gateway.Upstreams{Anthropic: base, OpenAI: base, Gemini: base, ChatGPT: base}
		})
		b.up.Script(sluicetest.JSON(http.StatusOK, `{}`))
		method := http.MethodPost
		if strings.Contains(tc.path, "/models") && !strings.Contains(tc.path, ":") {
			method = http.MethodGet
		}
		at.do(method, tc.path, headers("Chatgpt-Account-Id", tc.header), []byte(`{}`))
		if got := b.lastAsked().Path; got != tc.want {
			t.Errorf("%s%s: the upstream was asked for %s, want %s", tc.base, tc.path, got, tc.want)
		}
	}
}

func TestUpstreamsThatCannotWorkAreRefused(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"api.openai.com", "ftp://x", "http://", "://", "http://a b", "https://u:p@host", "https://host/?key=1", "https://host/#x", "unix:///run/s", "http://[::1"} {
		g, err := gateway.New(gateway.Config{Upstreams: gateway.Upstreams{OpenAI: gateway.Upstream{URL: base}}})
		if err == nil {
			t.Errorf("the base %q is accepted", base)
			_ = g.Close()
			continue
		}
		if !strings.Contains(err.Error(), "openai") || strings.Contains(err.Error(), "u:p") {
			t.Errorf("the base %q: the error says %q", base, err)
		}
	}
}

// Each path goes to its own upstream, and nowhere else.
func TestEveryPathHasItsUpstream(t *testing.T) {
	t.Parallel()
	ups := make(map[string]*sluicetest.Upstream)
	for _, name := range []string{"anthropic", "openai", "gemini", "chatgpt"} {
		ups[name] = sluicetest.NewUpstream(t, sluicetest.JSON(http.StatusOK, `{}`))
	}
	b := newBench(t, func(c *gateway.Config) {
		c.Upstreams = gateway.Upstreams{
			Anthropic: gateway.Upstream{URL: ups["anthropic"].URL}, OpenAI: gateway.Upstream{URL: ups["openai"].URL},
			Gemini: gateway.Upstream{URL: ups["gemini"].URL}, ChatGPT: gateway.Upstream{URL: ups["chatgpt"].URL},
		}
		c.Policies = policy.NewLive(recommended())
	})
	for _, tc := range []struct {
		path, want string
		header     http.Header
	}{
		{"/v1/messages", "anthropic", nil},
		{"/v1/chat/completions", "openai", nil},
		{"/v1/responses", "openai", headers("Chatgpt-Account-Id", "")},
		{"/v1/responses", "chatgpt", headers("chatgpt-account-id", "acc")},
		{"/backend-api/codex/responses", "chatgpt", nil},
		{"/v1beta/models/g:generateContent", "gemini", nil},
		{"/v1/models/g:generateContent", "gemini", headers("X-Goog-Api-Key", "k")},
		{"/v1/messages", "anthropic", headers("Chatgpt-Account-Id", "", "X-Goog-Api-Key", "slk_1")},
	} {
		before := make(map[string]int)
		for name, up := range ups {
			before[name] = len(up.Requests())
		}
		b.do(http.MethodPost, tc.path, tc.header, []byte(`{}`))
		for name, up := range ups {
			want := before[name]
			if name == tc.want {
				want++
			}
			if got := len(up.Requests()); got != want {
				t.Errorf("%s %v: %s got %d requests, want %d", tc.path, tc.header, name, got-before[name], want-before[name])
			}
		}
	}
}

// carrier is a transport that keeps what it was asked to carry.
type carrier struct {
	asked  *http.Request
	body   []byte
	answer string
}

func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	c.asked = r
	if r.Body != nil {
		c.body, _ = io.ReadAll(r.Body)
		r.Body.Close()
	}
	return &http.Response{StatusCode: http.StatusOK, Header: headers("Content-Type", "application/json"), Body: io.NopCloser(strings.NewReader(c.answer)), ContentLength: -1}, nil
}

// answersWithCalls are paths whose answers can have calls in them.
var answersWithCalls = regexp.MustCompile(`(?i)(/messages|/completions|/responses|/compact|/cancel|input_items|generatecontent.*|:download|/batches|/conversations(/.*)?|/threads(/.*)?)$`)

// Whatever a path looks like: what is forwarded unjudged is not, to the
// upstream, a path that answers with calls.
func FuzzForwardedPathsAnswerNoCalls(f *testing.F) {
	for _, seed := range []string{
		"POST /v1/messages", "POST /v1/messages/count_tokens", "POST /v1beta/files/../models/g:generateContent", "GET /v1beta/files/x%3adownload",
		"POST /v1/uploads/../messages", "POST /v1/vector_stores/a/../../messages", "POST /upload/v1beta/files/%2e%2e/x", "GET /v1/models/..%2fresponses", "GET http://x/v1/models/a", "POST /v1/uploads/messages/",
		"GET /v1beta/models/x/../../batches", "POST /v1/embeddings?x=/v1/messages", "POST /v1/embeddings#/v1/messages", "DELETE /v1/files/\\..\\x", "POST /v1beta/cachedContents/x:generateContent", "POST /v1/skills/x/messages",
	} {
		f.Add(seed, "")
		f.Add(seed, "Anthropic-Version")
		f.Add(seed, "Chatgpt-Account-Id")
		f.Add(seed, "X-Goog-Api-Key")
	}
	f.Fuzz(func(t *testing.T, request, header string) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(request + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")))
		if err != nil {
			return
		}
		if header != "" {
			r.Header.Set(header, "x")
		}
		way := &carrier{answer: "{}"}
		wasJudged := false
		g, err := gateway.New(gateway.Config{Transport: way, Observe: func(e gateway.Event) { wasJudged = e.Exchange.Policies != "" }})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		g.ServeHTTP(httptest.NewRecorder(), r)
		if way.asked == nil || wasJudged {
			return
		}
		for _, seen := range []string{way.asked.URL.EscapedPath(), way.asked.URL.Path} {
			for range 2 { // some unescape twice
				if plain, err := url.PathUnescape(seen); err == nil {
					seen = plain
				}
				if cleaned := path.Clean(strings.ReplaceAll(seen, "\\", "/")); answersWithCalls.MatchString(cleaned) && way.asked.Method != http.MethodDelete {
					t.Errorf("%q is forwarded unjudged as %s %s", request, way.asked.Method, way.asked.URL)
				}
			}
		}
	})
}

func TestAWrongMethodIsToldTheRightOnes(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for request, want := range map[string]string{
		"GET /v1/messages":                          "POST",
		"PUT /v1/chat/completions":                  "POST",
		"POST /v1/models":                           "GET, HEAD",
		"PUT /v1/responses/resp_1":                  "GET, DELETE",
		"GET /v1beta/models/gemini:generateContent": "POST",
		"DELETE /v1beta/cachedContents":             "GET, POST",
	} {
		method, target, _ := strings.Cut(request, " ")
		got := b.do(method, target, nil, nil)
		if allow := got.header.Get("Allow"); got.status != http.StatusMethodNotAllowed || allow != want {
			t.Errorf("%s: status %d, Allow: %s, want %s", request, got.status, allow, want)
		}
		if got.header.Get("X-Sluice-Exchange") == "" {
			t.Errorf("%s: the exchange has no id", request)
		}
	}
}

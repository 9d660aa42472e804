package gateway_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// leaks reports whether the destructive command is in what a client got.
func leaks(a *answer) bool { return strings.Contains(string(a.body), "no-preserve-root") }

// Code Assist wraps each answer of Gemini in an object. A client that was led
// to the gateway with CODE_ASSIST_ENDPOINT reads what is in it.
func TestAttackCodeAssistWrapsTheAnswer(t *testing.T) {
	t.Parallel()
	for _, payload := range sluicetest.Build(string(wire.Gemini), [][]llm.Block{said("ok", harmful)}, sluicetest.BuildOptions{}) {
		b := newBench(t, nil, sluicetest.Events([]byte("data: {\"response\":"+payload+"}\n\n")))
		a := b.do(http.MethodPost, "/v1internal:streamGenerateContent?alt=sse", nil, []byte(`{"model":"m","request":{"contents":[]}}`))
		if leaks(a) {
			t.Fatalf("status %d, the call came through: %s", a.status, a.body)
		}
	}
}

// Words of the vocabulary in places where the decoder does not look: beside the
// choices, in a choice beside the message, below a member that nobody knows.
func TestAttackCallsBesideTheirPlace(t *testing.T) {
	t.Parallel()
	const call = `{"id":"c","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"rm -rf / --no-preserve-root\"}"}}`
	const message = `"message":{"role":"assistant","content":"a"}`
	for name, body := range map[string]string{
		"beside the choices":  `{"id":"x","object":"chat.completion","choices":[{"index":0,` + message + `,"finish_reason":"stop"}],"tool_calls":[` + call + `]}`,
		"in the choice":       `{"id":"x","object":"chat.completion","choices":[{"index":0,` + message + `,"finish_reason":"stop","tool_calls":[` + call + `]}]}`,
		"below an unknown":    `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a","x":{"y":{"tool_calls":[` + call + `]}}},"finish_reason":"stop"}]}`,
		"a stream, a message": "data: {\"message\":{\"role\":\"assistant\",\"tool_calls\":[" + call + "]},\"done\":true}\n\n",
		"a stream, a wrapper": "data: {\"response\":{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[" + call + "]}}]}}\n\n",
		"a stream, an item":   "data: {\"type\":\"response.output_item.done\",\"item\":" + call + "}\n\ndata: [DONE]\n\n",
	} {
		b := newBench(t, nil, sluicetest.JSON(http.StatusOK, body))
		if a := b.ask(wire.OpenAIChat, strings.HasPrefix(body, "data:")); leaks(a) {
			t.Errorf("%s: the call came through: %.300s", name, a.body)
		}
	}
}

// A base with a version of its own takes the first segment of a path off. Under
// a listed prefix that makes a path of the model of what is forwarded unjudged.
func TestAttackListedPrefixWithVersionedBase(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *gateway.Config) {
		c.Upstreams.OpenAI.URL += "/api/paas/v4"
		c.Forward = []string{"/tools/*"}
	}, reply(wire.OpenAIChat, false, said("ok", harmful)))
	a := b.do(http.MethodPost, "/tools/chat/completions", nil, question(wire.OpenAIChat, false))
	if leaks(a) {
		t.Fatalf("the upstream was asked for %s and the call came through: %s", b.lastAsked().Path, a.body)
	}
}

// What answers with tool calls cannot be opened, says the documentation.
func TestAttackListedPathsThatAnswerWithToolCalls(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/v1/conversations/*", "/v1/threads/*", "/v1/batches/*", "/v1/messages/batches/*", "/v1/assistants/*", "/v1/sessions/*",
		"/v1beta/openai/*", "/openai/v1/*", "/api/v1/*", "/V1/*", "/v1/responses/resp_1/input_items",
	} {
		g, err := gateway.New(gateway.Config{Forward: []string{path}})
		if err == nil {
			_ = g.Close()
			t.Errorf("forward: %s is accepted", path)
		}
	}
}

// One server for several dialects: the header of another dialect opens what is
// refused in this one.
func TestAttackContentOfBatchesWithAnotherDialectsHeader(t *testing.T) {
	t.Parallel()
	body := `{"custom_id":"1","response":{"body":` + sluicetest.BuildBody(string(wire.OpenAIChat), [][]llm.Block{said("ok", harmful)}, sluicetest.BuildOptions{}) + `}}`
	b := newBench(t, nil, sluicetest.JSON(200, body))
	if a := b.do(http.MethodGet, "/v1/files/file-1/content", headers("Anthropic-Version", "2023-06-01"), nil); leaks(a) {
		t.Errorf("the content of a batch came through: %s", a.body)
	}
}

// Files are forwarded without the contents of batches; a prefix is not a path.
func TestAttackFilesOfGemini(t *testing.T) {
	t.Parallel()
	body := `{"response":` + sluicetest.BuildBody(string(wire.Gemini), [][]llm.Block{said("ok", harmful)}, sluicetest.BuildOptions{}) + `}`
	b := newBench(t, nil, sluicetest.JSON(http.StatusOK, body))
	for _, path := range []string{"/v1beta/files/batch-1?alt=media", "/v1beta/filesets/x", "/v1beta/cachedContentsets/x", "/v1beta/batches/b/models/x"} {
		if a := b.do(http.MethodGet, path, nil, nil); leaks(a) {
			t.Errorf("%s: it came through", path)
		}
	}
}

// Keys of Sluice never leave, wherever a client puts them.
func TestAttackSluiceKeysThatLeave(t *testing.T) {
	t.Parallel()
	const key = "slk_abcdefghijklmnopqrstuvwxyz"
	b := newBench(t, func(c *gateway.Config) { c.Keys = []gateway.Key{sluiceKey(key, "ada")} }, reply(wire.OpenAIChat, false, said("ok")))
	for name, h := range map[string][]string{
		"list":           {"Authorization", "Bearer " + key + ", Bearer sk-1"},
		"list x-api-key": {"X-Api-Key", key + ", sk-1"},
		"comma":          {"X-Api-Key", "sk-1," + key},
		"quoted":         {"Authorization", `Bearer "` + key + `"`},
		"trailing word":  {"Authorization", "Bearer " + key + " x"},
		"basic":          {"Authorization", "Basic c2xrX2FiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6Og=="},
		"cookie":         {"Cookie", "key=" + key},
		"upper":          {"Authorization", "Bearer " + strings.ToUpper(key)},
		"colon":          {"Authorization", "Bearer:" + key},
		"equals":         {"Authorization", "Bearer=" + key},
		"token":          {"X-Auth-Token", key},
		"azure":          {"Ocp-Apim-Subscription-Key", key},
	} {
		n := len(b.up.Requests())
		b.do(http.MethodPost, "/v1/chat/completions", headers(append(h, "X-Sluice-Key", key)...), question(wire.OpenAIChat, false))
		if len(b.up.Requests()) > n {
			if got := fmt.Sprint(b.lastAsked().Header); strings.Contains(got, "slk_") || strings.Contains(got, "c2xrX2") {
				t.Errorf("%s: the upstream got %s", name, got)
			}
		}
	}
	for _, query := range []string{"key=" + key + "%zz", "api_key=" + key, "Key=" + key, "access_token=" + key, "key=%20" + key, "a=1;key=" + key, "key=" + key + "&key=" + key} {
		n := len(b.up.Requests())
		b.do(http.MethodPost, "/v1/chat/completions?"+query, headers("X-Sluice-Key", key), question(wire.OpenAIChat, false))
		if len(b.up.Requests()) > n {
			if got := b.lastAsked().Query; strings.Contains(got, "slk_") {
				t.Errorf("%s: the upstream got ?%s", query, got)
			}
		}
	}
}

// A key of Google in the query goes to Google.
func TestAttackKeyOfGoogleGoesToOpenAI(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/v1/models?key=AIzaSecret", "/v1/models/gemini-2.5-pro?key=AIzaSecret"} {
		google := sluicetest.NewUpstream(t, sluicetest.JSON(200, `{}`))
		b := newBench(t, func(c *gateway.Config) { c.Upstreams.Gemini.URL = google.URL }, sluicetest.JSON(200, `{}`))
		b.do(http.MethodGet, path, nil, nil)
		for _, r := range b.up.Requests() {
			if strings.Contains(r.Query, "AIzaSecret") {
				t.Errorf("%s: another provider than Google got the key: %s?%s", path, r.Path, r.Query)
			}
		}
	}
}

// x-api-key without anthropic-version is Anthropic's.
func TestAttackKeyOfAnthropicGoesToOpenAI(t *testing.T) {
	t.Parallel()
	claude := sluicetest.NewUpstream(t, sluicetest.JSON(200, `{}`))
	b := newBench(t, func(c *gateway.Config) { c.Upstreams.Anthropic.URL = claude.URL }, sluicetest.JSON(200, `{}`))
	b.do(http.MethodGet, "/v1/models", headers("X-Api-Key", "sk-ant-secret"), nil)
	for _, r := range b.up.Requests() {
		t.Errorf("OpenAI got the key of Anthropic: %v", r.Header["X-Api-Key"])
	}
}

// A client that sends a request for one of the gateway's own pages and never its
// body holds a connection for ever, without a key.
func TestAttackOwnPagesWaitForBodiesForEver(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *gateway.Config) {
		c.Limits.ReadBody = 200 * time.Millisecond
		c.Keys = []gateway.Key{sluiceKey("slk_abcdefghijklmnopqrstuvwxyz", "ada")}
	})
	for _, path := range []string{"/healthz", "/", "/admin/reload", "/metrics", "/v1/models"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n", path)
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute)) // only if something is broken
			if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
				t.Errorf("nothing came long after the limit: %v", err)
			}
		})
	}
}

// Upstreams with statuses that net/http does not write.
func TestAttackStatusesThatPanic(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"099", "000", "101"} {
		b := newBench(t, nil, sluicetest.Reply{Raw: true, Body: []byte("HTTP/1.1 " + status + " x\r\nContent-Length: 2\r\n\r\n{}")})
		req, _ := http.NewRequest(http.MethodPost, b.url+"/v1/chat/completions", strings.NewReader(string(question(wire.OpenAIChat, false))))
		res, err := b.client.Do(req)
		got := ""
		if err == nil {
			got = res.Status
			_ = res.Body.Close()
		}
		if strings.Contains(b.log.String(), "panic") || err != nil || res.StatusCode < 200 {
			t.Errorf("status %s: %v %s; the log: %.300s", status, err, got, b.log.String())
		}
	}
}

// Users of the same gateway must not be able to change each other's
// conversations.
func TestAttackConversationsOfOthersArePoisoned(t *testing.T) {
	t.Parallel()
	const ada, bob = "slk_ada_abcdefghijklmnopqrstuvwxyz", "slk_bob_abcdefghijklmnopqrstuvwxyz"
	b := newBench(t, func(c *gateway.Config) {
		c.Keys = []gateway.Key{sluiceKey(ada, "ada"), sluiceKey(bob, "bob")}
	}, reply(wire.OpenAIChat, false, said("ok", harmful)), reply(wire.OpenAIResponses, false, said("ok")))
	// Bob names Ada's answer where chat completions have no such thing.
	b.do(http.MethodPost, "/v1/chat/completions", headers("X-Sluice-Key", bob), []byte(`{"model":"m","conversation":"resp_ada","messages":[]}`)).story()
	mine := `{"model":"m","previous_response_id":"resp_ada","input":"hi"}`
	b.do(http.MethodPost, "/v1/responses", headers("X-Sluice-Key", ada), []byte(mine)).story()
	if sent := string(b.lastAsked().Body); sent != mine {
		t.Errorf("Ada's request was changed by Bob's: %s", sent)
	}
}

// The canary costs nothing, so anybody can put as many entries as they like
// under any id into what is remembered of everybody's conversations.
func TestAttackCanariesPoisonConversations(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, reply(wire.OpenAIResponses, false, said("ok")))
	b.do(http.MethodPost, "/v1/responses", headers("X-Sluice-Canary", "1"), []byte(`{"model":"m","conversation":"resp_ada","input":"hi"}`)).story()
	mine := `{"model":"m","previous_response_id":"resp_ada","input":"hi"}`
	b.do(http.MethodPost, "/v1/responses", nil, []byte(mine)).story()
	if sent := string(b.lastAsked().Body); sent != mine {
		t.Errorf("a request was changed by somebody's canary: %s", sent)
	}
}

// What is remembered of an answer is bounded, whatever ids an upstream or a
// client chooses.
func TestAttackRememberedIDsHaveNoLimit(t *testing.T) {
	t.Parallel()
	calls := said("ok", harmful)
	calls[1].ID = "call_" + strings.Repeat("x", 500_000)
	b := newBench(t, nil, remembered(true, "resp_x", calls), remembered(true, "resp_y", said("better")))
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"input":"hi"}`)).story()
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"previous_response_id":"resp_x","input":"hi"}`)).story()
	if n := len(b.lastAsked().Body); n > 100_000 {
		t.Errorf("of one blocked call %d bytes are kept; 10,000 answers with up to 1000 calls are", n)
	}
	long := strings.Repeat("c", 500_000)
	b.up.Script(remembered(true, "resp_z", said("ok", harmful)), remembered(true, "resp_y", said("better")))
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"conversation":"`+long+`","input":"hi"}`)).story()
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"conversation":"`+long+`","input":"hi"}`)).story()
	if strings.Contains(string(b.lastAsked().Body), "call_a") {
		t.Error("a conversation's id of 500 kB is remembered")
	}
}

// The first event of a stream need not be the one with the answer's id.
func TestAttackFirstEventWithoutTheID(t *testing.T) {
	t.Parallel()
	first := remembered(true, "resp_x", said("ok", harmful)).Insert(0, "event: keepalive\ndata: {\"type\":\"keepalive\",\"sequence_number\":0}\n\n")
	b := newBench(t, nil, first, remembered(true, "resp_y", said("better")))
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"input":"hi"}`)).story()
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"previous_response_id":"resp_x","input":"hi"}`)).story()
	if sent := string(b.lastAsked().Body); !strings.Contains(sent, "call_a") {
		t.Errorf("the blocked call has no result: %s", sent)
	}
}

func TestAttackShortCallIDs(t *testing.T) {
	t.Parallel()
	calls := said("ok", harmful)
	calls[1].ID = "1"
	b := newBench(t, nil, remembered(true, "resp_x", calls), remembered(true, "resp_y", said("better")))
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"input":"hi"}`)).story()
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"previous_response_id":"resp_x","input":"1 more"}`)).story()
	if sent := string(b.lastAsked().Body); !strings.Contains(sent, "call_output") {
		t.Errorf("the blocked call has no result: %s", sent)
	}
}

// Servers that let a header name another path than the one that was judged.
func TestAttackHeadersThatRewriteThePath(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.up.Answer(func(r *http.Request) sluicetest.Reply {
		for _, name := range []string{"X-Original-Url", "X-Rewrite-Url", "X-Original-Uri"} {
			if r.Header.Get(name) == "/v1/chat/completions" {
				return reply(wire.OpenAIChat, false, said("ok", harmful))
			}
		}
		return sluicetest.JSON(200, `{"data":[]}`)
	})
	for _, name := range []string{"X-Original-Url", "X-Rewrite-Url"} {
		if a := b.do(http.MethodPost, "/v1/embeddings", headers(name, "/v1/chat/completions"), question(wire.OpenAIChat, false)); leaks(a) {
			t.Errorf("%s: the call came through: %s", name, a.body)
		}
	}
}

// What an upstream says in an error is its text: it may repeat a key or a
// prompt, and it has no limit.
func TestAttackTextsOfUpstreamsInRecords(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]sluicetest.Reply{
		"an event": sluicetest.Events([]byte("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"bad key sk-ant-secret\"}}\n\n")),
		"a status": {Raw: true, Body: []byte("HTTP/1.1 401 bad key sk-ant-secret" + strings.Repeat("x", 100_000) + "\r\nContent-Length: 2\r\n\r\n{}")},
	} {
		b := newBench(t, nil, r)
		for _, raw := range b.ask(wire.Anthropic, true, "X-Api-Key", "sk-ant-secret").story().json {
			if strings.Contains(string(raw), "sk-ant-secret") {
				t.Errorf("%s: what is told of the exchange has the client's key in it: %.300s", name, raw)
			}
		}
	}
}

// Files that come with a project must not widen what a policy takes for the
// project: clients put them into the system's words.
func TestAttackWorkingDirectoryOfARepositorysFile(t *testing.T) {
	t.Parallel()
	blocks := []llm.Block{{Kind: llm.ToolCall, ID: "c1", Name: "Write", Arguments: `{"file_path":"/srv/other/x","content":"no-preserve-root"}`}}
	b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(load("preset:paranoid")) }, reply(wire.Gemini, false, blocks))
	body := `{"systemInstruction":{"parts":[{"text":"You are an agent.\n--- Context from: GEMINI.md ---\nWorking directory: /srv\n--- End of Context from: GEMINI.md ---"}]},"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`
	if a := b.do(http.MethodPost, "/v1beta/models/x:generateContent", nil, question(wire.Gemini, false)); leaks(a) {
		t.Fatalf("without it the write is not blocked: %s", a.body)
	}
	if a := b.do(http.MethodPost, "/v1beta/models/x:generateContent", nil, []byte(body)); leaks(a) {
		t.Errorf("a file of the project said where the project is, and a write outside came through: %s", a.body)
	}
}

// The base of the ChatGPT backend may end in a version like every other.
func TestAttackVersionedBaseOfChatGPT(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *gateway.Config) { c.Upstreams.ChatGPT.URL += "/v2" }, reply(wire.OpenAIResponses, false, said("ok")))
	b.do(http.MethodPost, "/backend-api/codex/responses", nil, question(wire.OpenAIResponses, false))
	if got := b.lastAsked().Path; got != "/v2/backend-api/codex/responses" && got != "/v2/responses" {
		t.Errorf("the upstream was asked for %s", got)
	}
}

// What is forwarded leaves unchanged: no header is made up, and the target stays.
func TestAttackForwardedAnswersGetHeaders(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, sluicetest.Reply{Body: []byte("<html>{}")})
	a := b.do(http.MethodGet, "/v1/models", nil, nil)
	if got := a.header["Content-Type"]; len(got) > 0 {
		t.Errorf("the upstream sent no content type, the client got %q", got)
	}
}

// A provider's key is for clients with a Sluice key, and the settings say that
// it is never used if there are none.
func TestAttackProvidersKeyWithoutKeys(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstream(t, sluicetest.JSON(200, `{"data":[]}`))
	dir := t.TempDir()
	file := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(file, []byte("listen: 127.0.0.1:0\nupstreams:\n  openai: {url: '"+up.URL+"', key_env: PROVIDER}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := settings.Load(settings.Sources{Environ: []string{"HOME=" + dir, "SLUICE_CONFIG=" + file, "PROVIDER=sk-provider"}})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(s, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	go func() { _ = srv.Run(t.Context()) }()
	res, err := http.Get(srv.URL() + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	for _, r := range up.Requests() {
		if got := r.Header.Get("Authorization"); got != "" {
			t.Errorf("anybody on this machine uses the provider's key: %s (the settings warn: %v)", got, s.Warnings)
		}
	}
}

// Tool results are judged before they leave, on every path that takes a
// conversation: what counts its tokens, and what keeps it for the model.
func TestAttackToolResultsOnForwardedPaths(t *testing.T) {
	t.Parallel()
	const secret = "sk-abcdefgh12345678"
	messages := `"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"` + secret + `"}]}]`
	contents := `"contents":[{"role":"user","parts":[{"functionResponse":{"name":"Bash","response":{"output":"` + secret + `"}}}]}]`
	input := `"input":[{"type":"function_call_output","call_id":"c","output":"` + secret + `"}]`
	for path, body := range map[string]string{
		"/v1/messages/count_tokens":                   `{"model":"m",` + messages + `}`,
		"/v1/responses/input_tokens":                  `{"model":"m",` + input + `}`,
		"/v1beta/models/m:countTokens":                `{` + contents + `}`,
		"/v1beta/cachedContents":                      `{"model":"models/m",` + contents + `}`,
		"/v1/messages":                                `{"model":"m","max_tokens":9,` + messages + `}`,
		"/v1beta/models/m:generateContent":            `{` + contents + `}`,
		"/v1/responses":                               `{"model":"m",` + input + `}`,
		"/backend-api/codex/memories/trace_summarize": `{"model":"m",` + input + `}`,
	} {
		b := newBench(t, func(c *gateway.Config) { c.Policies = policies(t, redacting) }, sluicetest.JSON(200, `{}`))
		b.do(http.MethodPost, path, nil, []byte(body))
		for _, r := range b.up.Requests() {
			if strings.Contains(string(r.Body), secret) {
				t.Errorf("%s: the provider got the tool result as it was: %s", path, r.Body)
			}
		}
	}
}

// Not every client looks at the status before it acts on what is in the body.
func TestAttackAnswersWithTheStatusOfAnError(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 429, 500, 600, 999} {
		for _, format := range wire.Formats() {
			r := reply(format, false, said("ok", harmful))
			r.Status = status
			if a := newBench(t, nil, r).ask(format, false); leaks(a) {
				t.Errorf("%s: a whole answer with a call came through with the status %d", format, status)
			}
		}
	}
}

// Clients without a key must not be able to fill the records.
func TestAttackRecordsOfRefusedRequestsHaveNoLimit(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *gateway.Config) { c.Keys = []gateway.Key{sluiceKey("slk_abcdefghijklmnopqrstuvwxyz", "ada")} })
	a := b.do(http.MethodGet, "/v1/"+strings.Repeat("x", 500_000), nil, nil)
	for _, raw := range a.story().json {
		if len(raw) > 10_000 {
			t.Errorf("status %d: a refused request is told in %d bytes", a.status, len(raw))
		}
	}
}

// A request that goes on from an answer with many blocked calls costs as much as
// its size, not that times the number of calls.
func TestAttackRepairsCopyTheRequestForEachCall(t *testing.T) { //nolint:paralleltest // it measures memory
	commands := make([]string, 200)
	for i := range commands {
		commands[i] = harmful
	}
	calls := said("ok", commands...)
	for i := range calls[1:] {
		calls[i+1].ID = fmt.Sprintf("call_number_%d_", i)
	}
	b := newBench(t, nil, remembered(true, "resp_x", calls), remembered(true, "resp_y", said("better")))
	b.do(http.MethodPost, "/v1/responses", nil, []byte(`{"stream":true,"input":"hi"}`)).story()
	body := []byte(`{"stream":true,"previous_response_id":"resp_x","input":"` + strings.Repeat("x", 1<<20) + `"}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b.do(http.MethodPost, "/v1/responses", nil, body).story()
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 50<<20 {
		t.Errorf("a request of 1 MiB took %d MiB of memory", used>>20)
	}
}

// The admin token is for the user alone, also where the file was there before.
func TestAttackAdminTokenThatOthersCanRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "admin-token")
	if err := os.WriteFile(name, []byte("abcdefghijklmnopqrstuvwxyz\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := settings.Load(settings.Sources{Environ: []string{"HOME=" + dir, "SLUICE_DATA=" + dir, "SLUICE_LISTEN=127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(s, server.Options{})
	if err != nil {
		return // refused
	}
	defer srv.Close()
	if info, err := os.Stat(name); err == nil && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("a token that everybody on the machine can read is in force: %v", info.Mode())
	}
}

// A provider's token is random: the letters of a Sluice key can occur in it.
func TestAttackProvidersTokensWithTheLettersOfAKey(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, reply(wire.OpenAIChat, false, said("ok")))
	for _, token := range []string{"Bearer eyJhbGciOi.eyJzdWIiOslk_abcdefghijklmnopqrstuvwxyz.c2ln", "Bearer sk-proj-Aslk_b", "Bearer sk-ant-slk_"} {
		b.do(http.MethodPost, "/v1/chat/completions", headers("Authorization", token), question(wire.OpenAIChat, false))
		if got := b.lastAsked().Header.Get("Authorization"); got != token {
			t.Errorf("the upstream got %q, want %q", got, token)
		}
	}
}

// Whose request it is does not depend on chance.
func TestAttackTwoKeysInOneRequest(t *testing.T) {
	t.Parallel()
	const ada, bob = "slk_ada_abcdefghijklmnopqrstuvwxyz", "slk_bob_abcdefghijklmnopqrstuvwxyz"
	b := newBench(t, func(c *gateway.Config) { c.Keys = []gateway.Key{sluiceKey(ada, "ada"), sluiceKey(bob, "bob")} }, reply(wire.OpenAIChat, false, said("ok")))
	seen := map[string]bool{}
	for range 40 {
		a := b.do(http.MethodPost, "/v1/chat/completions", headers("Authorization", "Bearer "+ada, "X-Api-Key", bob), question(wire.OpenAIChat, false))
		seen[a.story().exchange.Key] = true
	}
	if len(seen) != 1 {
		t.Errorf("the same request is taken for that of %v", seen)
	}
}

// Clients that bring a key of Sluice only have blocked calls answered too.
func TestAttackRepairsWithTheProvidersKeyOfTheGateway(t *testing.T) {
	t.Parallel()
	const key = "slk_abcdefghijklmnopqrstuvwxyz"
	b := newBench(t, func(c *gateway.Config) {
		c.Keys = []gateway.Key{sluiceKey(key, "ada")}
		c.Upstreams.OpenAI.Key = "sk-provider"
	}, remembered(true, "resp_x", said("ok", harmful)), remembered(true, "resp_y", said("better")))
	b.do(http.MethodPost, "/v1/responses", headers("X-Sluice-Key", key), []byte(`{"stream":true,"input":"hi"}`)).story()
	b.do(http.MethodPost, "/v1/responses", headers("X-Sluice-Key", key), []byte(`{"stream":true,"previous_response_id":"resp_x","input":"hi"}`)).story()
	if sent := string(b.lastAsked().Body); !strings.Contains(sent, "call_a") {
		t.Errorf("the blocked call has no result: %s", sent)
	}
}

// A login gets new tokens while a conversation goes on.
func TestAttackRepairsAfterANewToken(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, remembered(true, "resp_x", said("ok", harmful)), remembered(true, "resp_y", said("better")))
	b.do(http.MethodPost, "/v1/responses", headers("Authorization", "Bearer old"), []byte(`{"stream":true,"input":"hi"}`)).story()
	b.do(http.MethodPost, "/v1/responses", headers("Authorization", "Bearer new"), []byte(`{"stream":true,"previous_response_id":"resp_x","input":"hi"}`)).story()
	if sent := string(b.lastAsked().Body); !strings.Contains(sent, "call_a") {
		t.Errorf("the blocked call has no result: %s", sent)
	}
}

// Paths that take something else than a conversation go on working where a
// policy is about tool results.
func TestAttackOtherBodiesWithPoliciesOnToolResults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][3]string{
		"embedding":         {http.MethodPost, "/v1beta/models/m:embedContent", `{"content":{"parts":[{"text":"x"}]}}`},
		"embeddings":        {http.MethodPost, "/v1beta/models/m:batchEmbedContents", `{"requests":[{"model":"models/m","content":{"parts":[{"text":"x"}]}}]}`},
		"a longer life":     {http.MethodPatch, "/v1beta/cachedContents/c1?updateMask=ttl", `{"ttl":"300s"}`},
		"a cache":           {http.MethodPost, "/v1beta/cachedContents", `{"model":"models/m","contents":[{"role":"user","parts":[{"text":"x"}]}],"ttl":"300s"}`},
		"a count":           {http.MethodPost, "/v1beta/models/m:countTokens", `{"generateContentRequest":{"model":"models/m","contents":[{"role":"user","parts":[{"text":"x"}]}]}}`},
		"a count of Claude": {http.MethodPost, "/v1/messages/count_tokens", `{"model":"m","messages":[{"role":"user","content":"x"}]}`},
	} {
		b := newBench(t, func(c *gateway.Config) { c.Policies = policies(t, redacting) }, sluicetest.JSON(http.StatusOK, `{}`))
		if a := b.do(c[0], c[1], nil, []byte(c[2])); a.status != http.StatusOK {
			t.Errorf("%s: status %d: %s", name, a.status, a.body)
		}
	}
	b := newBench(t, func(c *gateway.Config) { c.Policies = policies(t, redacting) }, sluicetest.JSON(http.StatusOK, `{}`))
	b.do(http.MethodPost, "/v1beta/models/m:countTokens", nil, []byte(`{"generateContentRequest":{"model":"models/m","contents":[{"role":"user","parts":[{"functionResponse":{"name":"Bash","response":{"output":"sk-abcdefgh12345678"}}}]}]}}`))
	for _, r := range b.up.Requests() {
		if strings.Contains(string(r.Body), "sk-abcdefgh") {
			t.Errorf("the provider got the tool result as it was: %s", r.Body)
		}
	}
}

// A listener to events is not cut off by the limit on bodies.
func TestAttackListenersAndTheLimitOnBodies(t *testing.T) {
	t.Parallel()
	const token = "abcdefghijklmnopqrstuvwxyz"
	b := newBench(t, func(c *gateway.Config) {
		c.Admin = token
		c.Limits.ReadBody = 200 * time.Millisecond
	}, reply(wire.OpenAIChat, false, said("ok")))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/admin/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := b.client.Do(req) //nolint:bodyclose // it is closed below
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = bufio.NewReader(res.Body).WriteTo(io.Discard)
	}()
	select {
	case <-ended:
		t.Error("the stream of events ended with the limit on bodies")
	case <-time.After(time.Second):
	}
}

package gateway_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// recommended is the preset that most gateways enforce.
var recommended = sync.OnceValue(func() *policy.Set { return load("preset:recommended") })

func load(paths ...string) *policy.Set {
	loaded, err := file.Load(file.Options{}, paths...)
	if err != nil {
		panic(err)
	}
	return loaded.Set
}

// loaded are the sets of policies that tests asked for, by their text: compiling them is most of what a small test costs.
var loaded sync.Map

// policies reads a policy file.
func policies(t *testing.T, yaml string) *policy.Live {
	t.Helper()
	if set, ok := loaded.Load(yaml); ok {
		return policy.NewLive(set.(*policy.Set))
	}
	path := filepath.Join(t.TempDir(), "policies.yaml")
	if err := os.WriteFile(path, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	set := load(path)
	loaded.Store(yaml, set)
	return policy.NewLive(set)
}

// bench is a gateway between a client and an upstream that plays replies, with
// all events of the gateway.
type bench struct {
	*gateway.Gateway

	t   testing.TB
	up  *sluicetest.Upstream
	url string
	log lockedBuffer

	mu      sync.Mutex
	stories map[string]*story
	client  *http.Client
}

// story is the events of an exchange.
type story struct {
	exchange gateway.Exchange
	records  []policy.Record
	end      gateway.End
	events   []string // begin, verdict, end
	json     [][]byte
	over     chan struct{}
}

// newBench starts a gateway in front of an upstream. It enforces the recommended
// policies unless change says otherwise.
func newBench(t testing.TB, change func(c *gateway.Config), replies ...sluicetest.Reply) *bench {
	t.Helper()
	b := &bench{t: t, up: sluicetest.NewUpstream(t, replies...), stories: make(map[string]*story)}
	base := gateway.Upstream{URL: b.up.URL}
	c := gateway.Config{
		Upstreams: gateway.Upstreams{Anthropic: base, OpenAI: base, Gemini: base, ChatGPT: base},
		Policies:  policy.NewLive(recommended()),
		Observe:   b.observe,
		Log:       slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if change != nil {
		change(&c)
	}
	g, err := gateway.New(c)
	if err != nil {
		t.Fatal(err)
	}
	b.Gateway = g
	t.Cleanup(func() { checkNames(t, b.log.String()) })
	server := httptest.NewUnstartedServer(g)
	server.Listener = gateway.Tune(server.Config, server.Listener)
	server.Start()
	b.url = server.URL
	transport := &http.Transport{DisableCompression: true}
	b.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = g.Close()
		server.Close()
	})
	return b
}

func (b *bench) observe(e gateway.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.story(e.Exchange.ID)
	s.exchange = *e.Exchange
	raw, err := json.Marshal(e)
	if err != nil {
		b.t.Errorf("an event has no form in JSON: %v", err)
	}
	s.json = append(s.json, raw)
	switch {
	case e.Record != nil:
		s.records = append(s.records, *e.Record)
		s.events = append(s.events, "verdict")
	case e.End != nil:
		s.end = *e.End
		s.events = append(s.events, "end")
		close(s.over)
	default:
		s.events = append(s.events, "begin")
	}
}

func (b *bench) story(id string) *story {
	s := b.stories[id]
	if s == nil {
		s = &story{over: make(chan struct{})}
		b.stories[id] = s
	}
	return s
}

// answer is what a client got.
type answer struct {
	status int
	header http.Header
	body   []byte
	err    error // of reading the body
	b      *bench
}

// story waits until all events of the exchange have been reported.
func (a *answer) story() *story {
	a.b.t.Helper()
	a.b.mu.Lock()
	s := a.b.story(a.header.Get("X-Sluice-Exchange"))
	a.b.mu.Unlock()
	select {
	case <-s.over:
	case <-time.After(time.Minute): // only if something is broken
		a.b.t.Fatal("the end of the exchange was never told")
	}
	return s
}

// headers makes headers of pairs.
func headers(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i+1 < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

// do sends a request and reads the answer.
func (b *bench) do(method, target string, h http.Header, body []byte) *answer {
	b.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, b.url, bytes.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	// The target goes on the wire as it stands, however odd.
	if req.URL.Opaque = target; strings.HasPrefix(target, "//") {
		req.URL.Opaque = strings.TrimPrefix(b.url, "http:") + target // or its first part would be a host
	}
	if h != nil {
		req.Header = h.Clone()
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
		req.Header.Del("Host")
	}
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	return &answer{status: res.StatusCode, header: res.Header, body: got, err: err, b: b}
}

// ask asks a model in a dialect.
func (b *bench) ask(format wire.Format, stream bool, more ...string) *answer {
	b.t.Helper()
	return b.do(http.MethodPost, target(format, stream), headers(more...), question(format, stream))
}

// lastAsked is the last request that the upstream got.
func (b *bench) lastAsked() sluicetest.Received {
	b.t.Helper()
	all := b.up.Requests()
	if len(all) == 0 {
		b.t.Fatal("the upstream got no request")
	}
	return all[len(all)-1]
}

// target is where a client of a dialect asks a model.
func target(format wire.Format, stream bool) string {
	switch format {
	case wire.Anthropic:
		return "/v1/messages"
	case wire.OpenAIResponses:
		return "/v1/responses"
	case wire.Gemini:
		if stream {
			return "/v1beta/models/gemini-x:streamGenerateContent?alt=sse"
		}
		return "/v1beta/models/gemini-x:generateContent"
	case wire.OpenAIChat:
	}
	return "/v1/chat/completions"
}

// question is the plainest request of a dialect.
func question(format wire.Format, stream bool) []byte {
	body := `{"model":"m","stream":` + map[bool]string{true: "true", false: "false"}[stream]
	switch format {
	case wire.Anthropic:
		body += `,"max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`
	case wire.OpenAIResponses:
		body += `,"input":"hi"}`
	case wire.Gemini:
		body = `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`
	case wire.OpenAIChat:
		body += `,"messages":[{"role":"user","content":"hi"}]}`
	}
	return []byte(body)
}

// said is an answer with a text and calls of Bash, each with its command.
func said(text string, commands ...string) []llm.Block {
	blocks := []llm.Block{{Kind: llm.Content, Text: text}}
	for i, command := range commands {
		arguments, _ := json.Marshal(map[string]string{"command": command})
		blocks = append(blocks, llm.Block{Kind: llm.ToolCall, ID: "call_" + string(rune('a'+i)), Name: "Bash", Arguments: string(arguments)})
	}
	return blocks
}

// reply is a provider's answer in a dialect.
func reply(format wire.Format, stream bool, blocks []llm.Block, opts ...sluicetest.BuildOptions) sluicetest.Reply {
	var opt sluicetest.BuildOptions
	if len(opts) > 0 {
		opt = opts[0]
	}
	choices := [][]llm.Block{blocks}
	if !stream {
		return sluicetest.JSON(http.StatusOK, sluicetest.BuildBody(string(format), choices, opt))
	}
	return sluicetest.Events(sluicetest.SSE(string(format), sluicetest.Build(string(format), choices, opt)))
}

// harmful is a command that the recommended policies block.
const harmful = "rm -rf / --no-preserve-root"

// payload is one event of a stream.
type payload struct{ name, data string }

// payloadsOf reads a stream.
func payloadsOf(t testing.TB, body []byte) []payload {
	t.Helper()
	r := sse.NewReader(bytes.NewReader(body), sse.Options{})
	var all []payload
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return all
		}
		if err != nil {
			t.Fatalf("the stream cannot be read: %v\n%s", err, body)
		}
		all = append(all, payload{string(ev.Name), string(ev.Data)})
	}
}

// samePayloads compares two streams.
func samePayloads(t testing.TB, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	a, b := payloadsOf(t, got), payloadsOf(t, want)
	if slices.Equal(a, b) {
		return
	}
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			t.Errorf("%d payloads came, want %d; the first that is missing is %q", len(a), len(b), b[i])
			return
		case i >= len(b):
			t.Errorf("%d payloads came, want %d; the first too many is %q", len(a), len(b), a[i])
			return
		case a[i] != b[i]:
			t.Errorf("payload %d is\n%q\nwant\n%q", i, a[i], b[i])
			return
		}
	}
}

// errorIn reads the message and the type of an error in a dialect, which must
// be one as the dialect's SDKs read it.
func errorIn(t testing.TB, format wire.Format, body []byte) (message, kind string) {
	t.Helper()
	var e struct {
		Type  string `json:"type"`
		Error struct {
			Type    any `json:"type"`
			Message any `json:"message"`
			Status  any `json:"status"`
			Code    any `json:"code"`
		} `json:"error"`
	}
	if err := json.Unmarshal(body, &e); err != nil {
		t.Errorf("the error is not JSON: %v\n%s", err, body)
		return "", ""
	}
	message, _ = e.Error.Message.(string)
	kind, _ = e.Error.Type.(string)
	switch format {
	case wire.Anthropic:
		if e.Type != "error" {
			t.Errorf("an error of Anthropic has the type error: %s", body)
		}
	case wire.Gemini:
		kind, _ = e.Error.Status.(string)
		if _, isNumber := e.Error.Code.(float64); !isNumber {
			t.Errorf("an error of Gemini has a number as code: %s", body)
		}
	case wire.OpenAIChat, wire.OpenAIResponses:
	}
	if message == "" || kind == "" {
		t.Errorf("the error says nothing: %s", body)
	}
	return message, kind
}

// sluiceKey makes a key of Sluice and its entry in a configuration.
func sluiceKey(key, name string) gateway.Key {
	return gateway.Key{Hash: sha256.Sum256([]byte(key)), Key: policy.Key{Name: name, User: name + "@example.com"}}
}

// lockedBuffer takes in what several goroutines write.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

const adminToken = "adm_0123456789"

func withAdmin(c *gateway.Config) { c.Admin, c.Hosts = adminToken, []string{"sluice.example.com"} }

func TestAdminRoutesNeedTheTokenAndTheHost(t *testing.T) {
	t.Parallel()
	b := newBench(t, withAdmin)
	for _, tc := range []struct {
		name string
		h    http.Header
		want int
	}{
		{"no token", nil, 401},
		{"a wrong token", headers("Authorization", "Bearer adm_"), 401},
		{"a longer token", headers("Authorization", "Bearer "+adminToken+"x"), 401},
		{"another scheme", headers("Authorization", "Basic "+adminToken), 401},
		{"no scheme", headers("Authorization", adminToken), 401},
		{"an empty token", headers("Authorization", "Bearer "), 401},
		{"the token in another place", headers("X-Api-Key", adminToken, "X-Sluice-Key", adminToken), 401},
		{"the token", headers("Authorization", "Bearer "+adminToken), 200},
		{"the token, odd case", headers("Authorization", "bearer  "+adminToken), 200},
		{"another host", headers("Authorization", "Bearer "+adminToken, "Host", "evil.example.com"), 403},
		{"another host with our port", headers("Authorization", "Bearer "+adminToken, "Host", "evil.example.com:8484"), 403},
		{"a host that begins like one", headers("Authorization", "Bearer "+adminToken, "Host", "localhost.evil.example.com"), 403},
		{"a host that ends like one", headers("Authorization", "Bearer "+adminToken, "Host", "evil-localhost"), 403},
		{"an address that is not loopback", headers("Authorization", "Bearer "+adminToken, "Host", "10.0.0.1"), 403},
		{"localhost", headers("Authorization", "Bearer "+adminToken, "Host", "localhost:9"), 200},
		{"IPv6", headers("Authorization", "Bearer "+adminToken, "Host", "[::1]:9"), 200},
		{"a host that is listed", headers("Authorization", "Bearer "+adminToken, "Host", "Sluice.Example.com:443"), 200},
		{"its own origin", headers("Authorization", "Bearer "+adminToken, "Origin", b.url), 200},
		{"another origin", headers("Authorization", "Bearer "+adminToken, "Origin", "https://evil.example.com"), 403},
		{"another port", headers("Authorization", "Bearer "+adminToken, "Origin", "http://127.0.0.1:1"), 403},
		{"a sandboxed origin", headers("Authorization", "Bearer "+adminToken, "Origin", "null"), 403},
		{"no origin at all", headers("Authorization", "Bearer "+adminToken, "Origin", "::"), 403},
	} {
		got := b.do(http.MethodGet, "/admin/status", tc.h, nil)
		if got.status != tc.want {
			t.Errorf("%s: status %d %s, want %d", tc.name, got.status, got.body, tc.want)
		}
		if strings.Contains(string(got.body), adminToken) {
			t.Errorf("%s: the token is told", tc.name)
		}
	}
	off := newBench(t, nil)
	for _, h := range []http.Header{nil, headers("Authorization", "Bearer "), headers("Authorization", "Bearer x")} {
		if got := off.do(http.MethodGet, "/admin/status", h, nil); got.status != http.StatusNotFound {
			t.Errorf("without a token the admin routes answer %d", got.status)
		}
	}
}

func TestAdminRoutes(t *testing.T) {
	t.Parallel()
	reloads, failure := 0, error(nil)
	b := newBench(t, func(c *gateway.Config) {
		withAdmin(c)
		c.Reload = func() error { reloads++; return failure }
		c.Keys = []gateway.Key{sluiceKey(goodKey, "ann")}
		c.Upstreams.OpenAI.Key = "up-secret"
	})
	admin := headers("Authorization", "Bearer "+adminToken)
	got := b.do(http.MethodGet, "/admin/status", admin, nil)
	var status gateway.Status
	if err := json.Unmarshal(got.body, &status); err != nil {
		t.Fatal(err)
	}
	if status.Keys != 1 || status.Draining || status.Version != recommended().Version() || len(status.Policies) == 0 || status.Upstreams["openai"] != b.up.URL {
		t.Errorf("the status is %s", got.body)
	}
	if strings.Contains(string(got.body), "up-secret") {
		t.Errorf("the status has a secret: %s", got.body)
	}
	if got := b.do(http.MethodPost, "/admin/reload", admin, nil); got.status != http.StatusOK || reloads != 1 {
		t.Errorf("status %d %s after %d reloads", got.status, got.body, reloads)
	}
	failure = errors.New("policies.yaml:3: no such preset")
	if got := b.do(http.MethodPost, "/admin/reload", admin, nil); got.status != http.StatusUnprocessableEntity || !strings.Contains(string(got.body), "policies.yaml:3") {
		t.Errorf("status %d %s", got.status, got.body)
	}
	for request, want := range map[string]int{
		"GET /admin/reload": 405, "POST /admin/status": 405, "POST /admin/events": 405, "GET /admin": 404, "GET /admin/": 404, "GET /admin/nothing": 404, "DELETE /admin/status": 405,
		"POST /healthz": 405, "POST /": 405, "DELETE /metrics": 405, "GET /healthz": 200, "HEAD /healthz": 200, "GET /readyz": 200, "GET /api/hello": 200,
	} {
		method, path, _ := strings.Cut(request, " ")
		got := b.do(method, path, admin, nil)
		if got.status != want {
			t.Errorf("%s: status %d, want %d", request, got.status, want)
		}
		if allow := got.header.Get("Allow"); (allow != "") != (want == 405) || strings.Contains(allow, method) {
			t.Errorf("%s: Allow: %s", request, allow)
		}
	}
	if got := newBench(t, withAdmin).do(http.MethodPost, "/admin/reload", admin, nil); got.status != http.StatusNotFound {
		t.Errorf("nothing to reload: status %d", got.status)
	}
}

// A page in a browser on this machine must not be able to use the gateway, whose
// host may have a provider's key.
func TestPagesInBrowsersAreRefused(t *testing.T) {
	t.Parallel()
	open := newBench(t, func(c *gateway.Config) { c.Hosts = []string{"app.example.com"} }, reply(wire.Anthropic, false, said("ok")))
	for _, tc := range []struct {
		name string
		h    []string
		want int
	}{
		{"a program", nil, 200},
		{"an SDK in a page of this machine", []string{"Origin", "http://localhost:3000", "Sec-Fetch-Site", "same-site"}, 200},
		{"a page of a listed host", []string{"Origin", "https://app.example.com"}, 200},
		{"a page of another origin", []string{"Origin", "https://evil.example.com"}, 403},
		{"a sandboxed page", []string{"Origin", "null"}, 403},
		{"a page without an origin", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a host name that was bent to this machine", []string{"Host", "evil.example.com"}, 403},
		{"a listed host", []string{"Host", "app.example.com:8484"}, 200},
	} {
		if got := open.ask(wire.Anthropic, false, tc.h...); got.status != tc.want {
			t.Errorf("%s: status %d %s, want %d", tc.name, got.status, got.body, tc.want)
		} else if tc.want == http.StatusForbidden {
			errorIn(t, wire.Anthropic, got.body)
		}
	}
	withKeys := newBench(t, keyed, reply(wire.Anthropic, false, said("ok")))
	if got := withKeys.ask(wire.Anthropic, false, "Host", "gateway.example.com", "X-Sluice-Key", goodKey); got.status != http.StatusOK {
		t.Errorf("with keys any host name will do: status %d", got.status)
	}
}

// listen opens the stream of events.
func listen(t *testing.T, b *bench) *sse.Reader {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+"/admin/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+adminToken)
	res, err := b.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("status %d, %v", res.StatusCode, res.Header)
	}
	body := bufio.NewReader(res.Body)
	if line, err := body.ReadString('\n'); err != nil || line != ": listening\n" {
		t.Fatalf("it begins with %q, %v", line, err)
	}
	return sse.NewReader(body, sse.Options{})
}

func TestEventsAreTold(t *testing.T) {
	t.Parallel()
	b := newBench(t, withAdmin, reply(wire.Anthropic, true, said("ok", "ls", harmful)))
	events := listen(t, b)
	b.ask(wire.Anthropic, true, "User-Agent", "claude-cli/2")
	var names []string
	for {
		ev, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		var e struct {
			Exchange gateway.Exchange `json:"exchange"`
			End      *gateway.End     `json:"end"`
		}
		if err := json.Unmarshal(ev.Data, &e); err != nil {
			t.Fatalf("%v: %s", err, ev.Data)
		}
		if e.Exchange.Client != "claude-code" || e.Exchange.ID == "" || strings.Contains(string(ev.Data), "no-preserve-root") {
			t.Errorf("the event is %s", ev.Data)
		}
		names = append(names, string(ev.Name))
		if e.End != nil {
			if e.End.Blocked != 1 || e.End.Outcome != gateway.Complete {
				t.Errorf("the end is %+v", e.End)
			}
			break
		}
	}
	if told := strings.Join(names, " "); !regexp.MustCompile(`^begin( verdict){2,} end$`).MatchString(told) {
		t.Errorf("told were %s", told)
	}
}

// unread is a response that is read only on request.
type unread struct {
	*io.PipeWriter

	header http.Header
}

func (u unread) Header() http.Header { return u.header }
func (u unread) WriteHeader(int)     {}
func (u unread) Flush()              {}

// A listener that does not read loses events and is told how many. Nothing
// waits for it.
func TestSlowListenersLoseEvents(t *testing.T) {
	t.Parallel()
	b := newBench(t, withAdmin)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/admin/events", nil)
	request.Header.Set("Authorization", "Bearer "+adminToken)
	reader, writer := io.Pipe()
	over := make(chan struct{})
	go func() {
		b.ServeHTTP(unread{writer, http.Header{}}, request)
		close(over)
	}()
	body := bufio.NewReader(reader)
	if line, err := body.ReadString('\n'); err != nil || line != ": listening\n" {
		t.Fatalf("it begins with %q, %v", line, err)
	}
	const total = 1000
	for range total {
		b.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/v1/nothing", nil))
	}
	events := sse.NewReader(body, sse.Options{})
	told, lost := 0, 0
	for told+lost < total {
		ev, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		if string(ev.Name) != "lost" {
			told++
			continue
		}
		var l struct {
			Lost int `json:"lost"`
		}
		if err := json.Unmarshal(ev.Data, &l); err != nil || l.Lost == 0 {
			t.Fatalf("%s: %v", ev.Data, err)
		}
		lost += l.Lost
	}
	if told+lost != total || lost == 0 {
		t.Errorf("%d were told and %d lost, of %d", told, lost, total)
	}
	cancel()
	reader.Close()
	<-over
}

// Only so many listen at once.
func TestListenersHaveALimit(t *testing.T) {
	t.Parallel()
	b := newBench(t, withAdmin, reply(wire.Anthropic, false, said("ok")))
	for range 64 {
		listen(t, b)
	}
	if got := b.do(http.MethodGet, "/admin/events", headers("Authorization", "Bearer "+adminToken), nil); got.status != http.StatusServiceUnavailable || !strings.Contains(string(got.body), "64") {
		t.Errorf("status %d %s", got.status, got.body)
	}
	if got := b.ask(wire.Anthropic, false); got.status != http.StatusOK {
		t.Errorf("an exchange while many listen: status %d", got.status)
	}
}

// Names come from models and clients, which may put anything into them.
func TestEventsOfHostileNamesAreJSON(t *testing.T) {
	t.Parallel()
	names := []string{`a"b`, "a\nb\r\nevent: end\ndata: {}", "a\u2028b", "\x1b[2J", "</script>", "a\\", "\u0000", strings.Repeat("n", 5000), "é\U0001F600", "{}"}
	var blocks []llm.Block
	for i, name := range names {
		blocks = append(blocks, llm.Block{Kind: llm.ToolCall, ID: "call_" + strconv.Itoa(i) + name, Name: name, Arguments: `{}`})
	}
	b := newBench(t, withAdmin, reply(wire.Anthropic, true, blocks))
	events := listen(t, b)
	b.do(http.MethodPost, "/v1/messages?x=%0a%22", headers("Session-Id", "a\"b\\", "User-Agent", "codex\"\\"), []byte(`{"model":"m\"\u2028\ud800","stream":true}`))
	verdicts := 0
	for {
		ev, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(ev.Data) || bytes.ContainsAny(ev.Data, "\r\n\x00\x1b") {
			t.Errorf("the event is not JSON in one line: %q", ev.Data)
		}
		if string(ev.Name) == "verdict" {
			verdicts++
		}
		if string(ev.Name) == "end" {
			break
		}
	}
	if verdicts != len(names) {
		t.Errorf("%d verdicts, want %d", verdicts, len(names))
	}
	checkMetrics(t, b.do(http.MethodGet, "/metrics", nil, nil).body)
}

var (
	metricLine = regexp.MustCompile(`^([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*\})? ([0-9.e+\-]+|\+Inf|NaN)$`)
	helpLine   = regexp.MustCompile(`^# (HELP|TYPE) ([a-z_]+) (.+)$`)
)

// checkMetrics checks that metrics are what Prometheus reads, and returns them.
func checkMetrics(t *testing.T, text []byte) map[string]float64 {
	t.Helper()
	values, kinds := make(map[string]float64), make(map[string]string)
	if !bytes.HasSuffix(text, []byte("\n")) {
		t.Error("the last line has no end")
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		if m := helpLine.FindStringSubmatch(line); m != nil {
			if m[1] == "TYPE" {
				kinds[m[2]] = m[3]
			}
			continue
		}
		m := metricLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("this is no metric: %q", line)
			continue
		}
		family := m[1]
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if name, ok := strings.CutSuffix(m[1], suffix); ok && kinds[name] == "histogram" {
				family = name
			}
		}
		if kinds[family] == "" {
			t.Errorf("%s has no type", family)
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if _, twice := values[m[1]+m[2]]; twice {
			t.Errorf("%s%s is there twice", m[1], m[2])
		}
		values[m[1]+m[2]] = value
	}
	return values
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	b := newBench(t, withAdmin, reply(wire.Anthropic, true, said("ok", "ls", harmful)), sluicetest.JSON(529, `{}`))
	checkMetrics(t, b.do(http.MethodGet, "/metrics", nil, nil).body)
	b.ask(wire.Anthropic, true).story()
	b.ask(wire.Anthropic, true).story()
	b.do(http.MethodGet, "/v1/nothing", nil, nil).story()
	got := b.do(http.MethodGet, "/metrics", nil, nil)
	if !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("the type is %q", got.header.Get("Content-Type"))
	}
	values := checkMetrics(t, got.body)
	for name, want := range map[string]float64{
		`sluice_exchanges_total{format="anthropic",outcome="complete"}`:       1,
		`sluice_exchanges_total{format="anthropic",outcome="upstream_error"}`: 1,
		`sluice_exchanges_total{format="openai-chat",outcome="refused"}`:      1,
		`sluice_exchange_seconds_count`:                                       3,
		`sluice_exchange_seconds_bucket{le="+Inf"}`:                           3,
		`sluice_exchanges_open`:                                               0,
		`sluice_request_bytes_total`:                                          2 * float64(len(question(wire.Anthropic, true))),
		`sluice_policies_info{version="` + recommended().Version() + `"}`:     1,
	} {
		if values[name] != want {
			t.Errorf("%s is %v, want %v\n%s", name, values[name], want, got.body)
		}
	}
	// Elsewhere than on this machine they need the admin's token.
	for token, want := range map[string]int{"": 401, "Bearer x": 401, "Bearer " + adminToken: 200} {
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(context.Background(), http.MethodGet, "http://gateway.example.com/metrics", nil)
		r.Header.Set("Authorization", token)
		if b.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: status %d, want %d", token, w.Code, want)
		}
	}
	if got := b.do(http.MethodGet, "/metrics", headers("Host", "evil.example.com"), nil); got.status != http.StatusUnauthorized {
		t.Errorf("under a foreign host name: status %d", got.status)
	}
}

// Only so many exchanges run at once.
func TestExchangesHaveALimit(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	slow := reply(wire.Anthropic, false, said("ok"))
	slow.Pauses = []sluicetest.Pause{{At: sluicetest.BeforeHeader, Until: gate}}
	b := newBench(t, func(c *gateway.Config) {
		c.Limits.Exchanges = 1
		c.Policies = policy.NewLive(recommended())
	}, slow)
	first := make(chan *answer)
	go func() { first <- b.ask(wire.Anthropic, false) }()
	if _, err := b.up.Request(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	got := b.ask(wire.Anthropic, false)
	if message, kind := errorIn(t, wire.Anthropic, got.body); got.status != http.StatusServiceUnavailable || kind != "overloaded_error" || !strings.Contains(message, "the limit is limits.") || got.header.Get("Retry-After") == "" {
		t.Errorf("status %d %s", got.status, got.body)
	}
	close(gate)
	if got := <-first; got.status != http.StatusOK {
		t.Errorf("the first got %d", got.status)
	}
	if got := b.ask(wire.Anthropic, false); got.status != http.StatusOK {
		t.Errorf("afterwards: status %d", got.status)
	}
}

package scripted_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// post sends a request to the handler and returns the answer.
func post(t *testing.T, m *scripted.Model, format wire.Format, streaming bool) *httptest.ResponseRecorder {
	t.Helper()
	req := ask("hi")
	req.Stream = streaming
	body, err := format.AppendRequest(nil, req)
	if err != nil {
		t.Fatal(err)
	}
	path := "/v1/x"
	if format == wire.Gemini {
		path = "/v1beta/models/m:generateContent"
		if streaming {
			path = "/v1beta/models/m:streamGenerateContent"
		}
	}
	w := httptest.NewRecorder()
	m.Handler(format).ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body)))
	return w
}

func TestAServedScriptIsLegalInEveryFormat(t *testing.T) {
	rounds := map[string]scripted.Round{
		"text":     {scripted.Text("Hello.")},
		"nothing":  {},
		"calls":    {scripted.Thinking("hm"), scripted.Text("ok"), scripted.Call("f", `{"a":1}`), scripted.Call("g", ""), scripted.Usage(3, 4)},
		"signed":   {scripted.SignedThinking("hm", "S"), scripted.CallID("mine", "f", "{}")},
		"refusal":  {scripted.Refusal("no"), scripted.Finish(llm.FinishFiltered)},
		"too long": {scripted.Text("Once upon"), scripted.Usage(1, 2), scripted.Finish(llm.FinishLength)},
		"an error": {scripted.Text("x"), scripted.Fail(&stream.ProviderError{Type: "overloaded_error", Message: "x"})},
	}
	for _, format := range wire.Formats() {
		for name, round := range rounds {
			t.Run(string(format)+"/"+name, func(t *testing.T) {
				w := post(t, scripted.New(round), format, true)
				if w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				if err := sluicetest.Validate(string(format), w.Body.Bytes()); err != nil {
					t.Errorf("%v\n%s", err, w.Body)
				}
				if name == "an error" {
					return
				}
				w = post(t, scripted.New(round), format, false)
				if err := sluicetest.ValidateBody(string(format), w.Body.Bytes()); err != nil {
					t.Errorf("%v\n%s", err, w.Body)
				}
			})
		}
	}
}

func TestAStatusBecomesAStatus(t *testing.T) {
	for _, format := range wire.Formats() {
		failure := &model.StatusError{Status: 529, RetryAfter: 1500 * time.Millisecond, RequestID: "req_1", Provider: &stream.ProviderError{Type: "overloaded_error", Message: "full"}}
		w := post(t, scripted.New(scripted.Round{scripted.Fail(failure)}), format, true)
		if w.Code != 529 || w.Header().Get("Retry-After-Ms") != "1500" || w.Header().Get("Retry-After") != "2" || w.Header().Get("X-Request-Id") != "req_1" ||
			!json.Valid(w.Body.Bytes()) || !strings.Contains(w.Body.String(), "overloaded_error") {
			t.Errorf("%s: %d %v %s", format, w.Code, w.Header(), w.Body)
		}
	}
}

func TestBrokenAnswersBreakTheConnection(t *testing.T) {
	for _, format := range wire.Formats() {
		for name, round := range map[string]scripted.Round{
			"cut text":   {scripted.Text("a text of some length"), scripted.Cut()},
			"cut call":   {scripted.Text("x"), scripted.Call("f", `{"a":"bcdef"}`), scripted.Cut()},
			"own error":  {scripted.Text("x"), scripted.Fail(errors.New("own"))},
			"garbage":    {scripted.Text("x"), scripted.Garbage()},
			"no answer":  {scripted.Cut()},
			"just fails": {scripted.Fail(errors.New("own"))},
		} {
			server := httptest.NewServer(scripted.New(round).Handler(format))
			m, err := model.New(model.Config{Format: format, BaseURL: server.URL, Model: "m", Retry: model.Retry{Max: -1}})
			if err != nil {
				t.Fatal(err)
			}
			if res, err := model.Collect(t.Context(), m, ask("x")); err == nil {
				t.Errorf("%s, %s: %+v", format, name, res)
			}
			server.Close()
		}
	}
}

func TestBadRequestsAreRefusedInTheDialect(t *testing.T) {
	h := scripted.New().Handler(wire.Anthropic)
	for _, c := range []struct {
		method, body string
		want         int
	}{{"GET", "", 405}, {"POST", "{", 400}, {"POST", `{"model":"m","messages":[]}`, 500}} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, "/v1/messages", strings.NewReader(c.body)))
		if body, _ := io.ReadAll(w.Body); w.Code != c.want || !strings.Contains(string(body), `"type":"error"`) {
			t.Errorf("%s %q: %d %s", c.method, c.body, w.Code, body)
		}
	}
}

func TestAServerDividesItsBlocksIntoDeltas(t *testing.T) {
	const text, args = "日本語, and then a rather long text in ASCII.", `{"path":"/a/long/path","text":"é"}`
	for _, format := range wire.Formats() {
		round := scripted.Round{scripted.Thinking(text), scripted.Text(text), scripted.Call("f", args), scripted.Call("g", args)}
		w := post(t, scripted.NewWithOptions(scripted.Options{ChunkSize: 5}, round), format, true)
		sent := w.Body.Bytes()
		if err := sluicetest.Validate(string(format), sent); err != nil {
			t.Errorf("%s: %v\n%s", format, err, sent)
		}
		if n := bytes.Count(sent, []byte("data: ")); n < 20 {
			t.Errorf("%s: only %d payloads", format, n)
		}
		server := httptest.NewServer(scripted.NewWithOptions(scripted.Options{ChunkSize: 5}, round).Handler(format))
		m, err := model.New(model.Config{Format: format, BaseURL: server.URL, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		res, err := model.Collect(t.Context(), m, ask("x"))
		server.Close()
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if b := res.Choices[0].Blocks; len(b) != 4 || b[0].Text != text || b[1].Text != text || b[2].Arguments != args || b[3].Name != "g" || b[3].Arguments != args {
			t.Errorf("%s: %+v", format, b)
		}
	}
}

func TestAWholeBodyCanFailToo(t *testing.T) {
	for name, c := range map[string]struct {
		round scripted.Round
		want  string
	}{
		"an error":     {scripted.Round{scripted.Text("x"), scripted.Fail(&stream.ProviderError{Type: "overloaded_error"})}, "overloaded_error"},
		"garbage":      {scripted.Round{scripted.Garbage()}, "garbage"},
		"a pause":      {scripted.Round{scripted.Pause(time.Nanosecond), scripted.Text("x"), scripted.Pause(time.Nanosecond)}, `"content":"x"`},
		"odd argument": {scripted.Round{scripted.Call("f", "{")}, `"arguments":"{"`},
	} {
		if w := post(t, scripted.New(c.round), wire.OpenAIChat, false); !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %s", name, w.Body)
		}
	}
	for name, round := range map[string]scripted.Round{
		"a cut":            {scripted.Text("x"), scripted.Cut()},
		"an error of ours": {scripted.Text("x"), scripted.Fail(errors.New("own"))},
	} {
		func() {
			defer func() {
				if recover() != http.ErrAbortHandler {
					t.Errorf("%s: the connection stays", name)
				}
			}()
			post(t, scripted.New(round), wire.Anthropic, false)
		}()
	}
}

func TestRequestsWithoutEndAreRefused(t *testing.T) {
	w := httptest.NewRecorder()
	body := io.MultiReader(strings.NewReader(`{"model":"`), io.LimitReader(spaces{}, 40<<20))
	scripted.New(scripted.Round{}).Handler(wire.OpenAIChat).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", body))
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "request_too_large") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// spaces is a reader of blanks.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestGeminiModelsAreFoundInThePath(t *testing.T) {
	for path, want := range map[string]string{
		"/v1beta/models/gemini-x:streamGenerateContent":   "gemini-x",
		"/v1beta/models/a%2Fb:streamGenerateContent":      "a/b",
		"/v1/publishers/g/models/x:streamGenerateContent": "x",
		"/models/ft:x:y:streamGenerateContent":            "ft:x:y",
		"/x:streamGenerateContent":                        "x",
	} {
		m := scripted.New(scripted.Round{scripted.Text("x")})
		w := httptest.NewRecorder()
		m.Handler(wire.Gemini).ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(`{"contents":[]}`)))
		if got := m.Requests(); len(got) != 1 || got[0].Model != want || !got[0].Stream {
			t.Errorf("%s: %+v %s", path, got, w.Body)
		}
	}
}

// A served answer that is cut has shown half of its last block and nothing more.
func TestAServedCutShowsTheBeginning(t *testing.T) {
	for _, format := range wire.Formats() {
		long := strings.Repeat("word ", 50)
		server := httptest.NewServer(scripted.New(scripted.Round{scripted.Text(long), scripted.Pause(time.Nanosecond), scripted.Cut()}).Handler(format))
		m, err := model.New(model.Config{Format: format, BaseURL: server.URL, Model: "m", Retry: model.Retry{Max: -1}})
		if err != nil {
			t.Fatal(err)
		}
		res, err := model.Collect(t.Context(), m, ask("x"))
		server.Close()
		if !errors.Is(err, stream.ErrIncomplete) || len(res.Choices) != 1 {
			t.Fatalf("%s: %+v, %v", format, res, err)
		}
		if b := res.Choices[0].Blocks[0]; b.Status != llm.Incomplete || b.Text == "" || len(b.Text) >= len(long) {
			t.Errorf("%s: %+v", format, b)
		}
	}
}

func TestAServedRoundCanBeForARequestAndBeginWithAPause(t *testing.T) {
	var slept time.Duration
	opts := scripted.Options{Sleep: func(_ context.Context, d time.Duration) error { slept += d; return nil }, Model: "other"}
	when := scripted.When(func(r *llm.Request) bool { return r.UserText() == "hi" })
	busy := scripted.Fail(&model.StatusError{Status: 503})
	m := scripted.NewWithOptions(opts, scripted.Round{when, scripted.Pause(time.Hour), busy})
	if w := post(t, m, wire.OpenAIChat, true); w.Code != 503 || slept != time.Hour {
		t.Errorf("%d after %s", w.Code, slept)
	}
	m = scripted.NewWithOptions(opts, scripted.Round{when, scripted.Pause(time.Hour)})
	if w := post(t, m, wire.Anthropic, true); w.Code != 200 || !strings.Contains(w.Body.String(), `"model":"other"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

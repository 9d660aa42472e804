package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/wire"
)

// fake serves all dialects, from one script for each.
func fake(t *testing.T, steps ...scripted.Step) (server *httptest.Server, seen *[]*http.Request) {
	t.Helper()
	seen = new([]*http.Request)
	handlers := make(map[wire.Format]http.Handler)
	for _, f := range wire.Formats() {
		rounds := make([]scripted.Round, len(questions))
		for i := range rounds {
			rounds[i] = steps
		}
		handlers[f] = scripted.New(rounds...).Handler(f)
	}
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*seen = append(*seen, r)
		switch {
		case r.URL.Path == "/v1/messages":
			handlers[wire.Anthropic].ServeHTTP(w, r)
		case r.URL.Path == "/chat/completions":
			handlers[wire.OpenAIChat].ServeHTTP(w, r)
		case r.URL.Path == "/responses":
			handlers[wire.OpenAIResponses].ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/v1beta/models/"):
			handlers[wire.Gemini].ServeHTTP(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server, seen
}

func live(t *testing.T, dir string, env map[string]string) (code int, out string) {
	t.Helper()
	var b bytes.Buffer
	code = run(t.Context(), []string{"-out", dir}, func(name string) string { return env[name] }, &b)
	return code, b.String()
}

func everywhere(url string) map[string]string {
	return map[string]string{
		"ANTHROPIC_API_KEY": "secret-a", "OPENAI_API_KEY": "secret-o", "GOOGLE_API_KEY": "secret-g",
		"ANTHROPIC_BASE_URL": url, "OPENAI_BASE_URL": url + "/", "GEMINI_BASE_URL": url,
	}
}

func TestEveryProviderWithAKeyIsAskedAndRecorded(t *testing.T) {
	server, seen := fake(t, scripted.Text("I look."), scripted.Call("get_weather", `{"city":"Tokyo"}`))
	dir := t.TempDir()
	code, out := live(t, dir, everywhere(server.URL))
	if code != 0 || !strings.Contains(out, "16 answers, 0 failed") || strings.Contains(out, "skipped") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 16 {
		t.Errorf("recorded %q, %v", files, err)
	}
	for _, r := range *seen {
		key := r.Header.Get("X-Api-Key") + r.Header.Get("Authorization") + r.Header.Get("X-Goog-Api-Key")
		if !strings.Contains(key, "secret-") {
			t.Errorf("%s was asked without its key", r.URL)
		}
	}
}

func TestWithoutKeysEverythingIsSkippedAndSaidSo(t *testing.T) {
	code, out := live(t, t.TempDir(), nil)
	for _, want := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY or GOOGLE_API_KEY", "no provider was asked", "nothing was checked"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if code != 0 || strings.Count(out, "skipped") != len(wire.Formats()) {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

func TestOnlyTheProviderWithAKeyIsAsked(t *testing.T) {
	server, seen := fake(t, scripted.Call("get_weather", `{"city":"Tokyo"}`))
	code, out := live(t, t.TempDir(), map[string]string{"ANTHROPIC_API_KEY": "secret-a", "ANTHROPIC_BASE_URL": server.URL, "SLUICE_LIVE_ANTHROPIC": "other"})
	if code != 0 || len(*seen) != len(questions) || strings.Count(out, "skipped") != 3 {
		t.Errorf("exit %d, %d asked:\n%s", code, len(*seen), out)
	}
}

// What goes wrong is a failure with a reason, and no key is in it.
func TestFailuresAreReportedWithoutKeys(t *testing.T) {
	cut, _ := fake(t, scripted.Text("half"), scripted.Cut())
	silent, _ := fake(t, scripted.Text("I use no tool."))
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "wrong key: "+r.Header.Get("X-Api-Key")+r.Header.Get("Authorization")+r.Header.Get("X-Goog-Api-Key"), http.StatusUnauthorized)
	}))
	defer refusing.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for url, want := range map[string]string{
		cut.URL: "FAILED", silent.URL: "0 whole calls", refusing.URL: "401", gone.URL: "cannot be reached",
	} {
		code, out := live(t, t.TempDir(), everywhere(url))
		if code != 1 || !strings.Contains(out, want) || strings.Contains(out, "secret-") {
			t.Errorf("exit %d, want %q:\n%s", code, want, out)
		}
	}
}

func TestDeviationsAreReportedAndFailNothing(t *testing.T) {
	odd, err := os.ReadFile("testdata/odd.sse")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(odd)
	}))
	defer server.Close()
	code, out := live(t, t.TempDir(), map[string]string{"ANTHROPIC_API_KEY": "secret-a", "ANTHROPIC_BASE_URL": server.URL})
	if code != 0 || !strings.Contains(out, "deviation: index-gap") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

package settings_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/settings"
)

// Whatever a file says, reading it ends with settings that are complete or with
// problems that have their places in the file, and the same ones every time.
func FuzzFile(f *testing.F) {
	for _, tc := range problemCases {
		f.Add(tc.file)
	}
	for _, tc := range sources {
		f.Add(tc.file)
	}
	if doc, err := os.ReadFile("doc.go"); err == nil {
		f.Add(strings.ReplaceAll(string(doc), "//\t", ""))
	}
	f.Add("%YAML 1.1\n%TAG ! tag:x,2000:\n--- !x\npolicies: ? [a] : b\n")
	f.Fuzz(func(t *testing.T, content string) {
		from := settings.Sources{Environ: []string{home, "K=" + goodKey, "T=0123456789abcdefghij"}}
		s, err := settings.Parse(from, "f", content)
		again, errAgain := settings.Parse(from, "f", content)
		if err == nil {
			if errAgain != nil || len(s.Entries()) != len(again.Entries()) {
				t.Fatalf("a second time it is another: %v", errAgain)
			}
			complete(t, s)
			return
		}
		if errAgain == nil || err.Error() != errAgain.Error() {
			t.Fatalf("a second time the problems are others:\n%v\n%v", err, errAgain)
		}
		problems, ok := errors.AsType[settings.Problems](err)
		if !ok || len(problems) == 0 || len(problems) > 200 {
			t.Fatalf("the error is %T with %d problems", err, len(problems))
		}
		lines := 2 // YAML counts more than the usual breaks
		for _, r := range content {
			if strings.ContainsRune("\n\r\u0085\u2028\u2029", r) {
				lines++
			}
		}
		for i, p := range problems {
			if p.Message == "" || len(p.String()) > 4096 {
				t.Errorf("problem %d says nothing, or too much: %v", i, p)
			}
			if p.Origin == "f" && (p.Line < 1 || p.Line > lines || p.Column < 1) {
				t.Errorf("problem %d is nowhere: %v", i, p)
			}
		}
	})
}

// complete checks what Settings promise.
func complete(t *testing.T, s *settings.Settings) {
	t.Helper()
	if len(s.Policies) == 0 || s.Listen == "" || s.Keepalive <= 0 || s.Limits.Body <= 0 || s.Limits.Idle <= 0 || s.Failure.Judge == "" {
		t.Errorf("the settings are not complete: %+v", s)
	}
	for _, u := range []settings.Upstream{s.Upstreams.Anthropic, s.Upstreams.OpenAI, s.Upstreams.Gemini, s.Upstreams.ChatGPT} {
		if u.URL == nil || u.URL.Host == "" || u.URL.User != nil || u.URL.RawQuery != "" || strings.HasSuffix(u.URL.Path, "/") || (u.KeyEnv == "") != u.Key.Empty() {
			t.Errorf("an upstream is %v", u)
		}
	}
	if (s.TLS.Cert == "") != (s.TLS.Key == "") {
		t.Errorf("half a certificate: %v", s.TLS)
	}
	open := !strings.HasPrefix(s.Listen, "127.") && !strings.HasPrefix(s.Listen, "[::") && !strings.Contains(strings.ToLower(s.Listen), "localhost")
	if open && len(s.Keys) == 0 && !s.Insecure {
		t.Errorf("everybody can reach %s", s.Listen)
	}
}

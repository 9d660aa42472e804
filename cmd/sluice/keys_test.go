package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
)

// A key is shown once, works at once, is listed without itself, and is refused at once
// when it is revoked, while the gateway runs.
func TestKeysAreInForceWithoutARestart(t *testing.T) {
	data := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	s, err := settings.Load(settings.Sources{Environ: []string{"HOME=" + t.TempDir(), "SLUICE_DATA=" + data, "SLUICE_LISTEN=127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(s, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(t.Context()) }()
	t.Cleanup(func() {
		_ = srv.Close()
		<-ended
	})
	status := func(method, path, key string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, srv.URL()+path, strings.NewReader(`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Sluice-Canary", "1")
		if key != "" {
			req.Header.Set("X-Sluice-Key", key)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	if got := status(http.MethodPost, "/v1/messages", ""); got != http.StatusOK {
		t.Fatalf("before the first key: %d", got)
	}
	code, out, errs := sluice(t, "", "keys", "new", "ada", "--data", data)
	key := strings.TrimSpace(out)
	if code != exitOK || !strings.HasPrefix(key, "slk_") || !strings.Contains(errs, "every request") || strings.Contains(errs, key) {
		t.Fatalf("%d %q %q", code, out, errs)
	}
	code, out, _ = sluice(t, "", "keys", "new", "prom", "--role", "read", "--json", "--data", data)
	var made shownKey
	if err := json.Unmarshal([]byte(out), &made); err != nil || code != exitOK || made.Key == "" || made.Roles[0] != "read" {
		t.Fatalf("%d %v %s", code, err, out)
	}
	code, out, _ = sluice(t, "", "keys", "list", "--data", data) // which takes its time, as people do
	if code != exitOK || !strings.Contains(out, "ada") || !strings.Contains(out, "prom") || strings.Contains(out, "slk_") {
		t.Errorf("%d %s", code, out)
	}
	for _, tc := range []struct {
		method, path, key string
		want              int
	}{
		{http.MethodPost, "/v1/messages", key, http.StatusOK},
		{http.MethodPost, "/v1/messages", "", http.StatusUnauthorized},
		{http.MethodPost, "/v1/messages", made.Key, http.StatusForbidden},
		{http.MethodGet, "/admin/status", made.Key, http.StatusOK},
		{http.MethodGet, "/admin/status", key, http.StatusForbidden},
		{http.MethodPost, "/admin/reload", made.Key, http.StatusForbidden},
	} {
		// It is in force within issued.LookEvery.
		deadline := time.Now().Add(5 * time.Minute)
		for got := 0; got != tc.want; got = status(tc.method, tc.path, tc.key) {
			if time.Now().After(deadline) {
				t.Fatalf("%s %s: %d, want %d", tc.method, tc.path, got, tc.want)
			}
		}
	}
	if code, _, errs := sluice(t, "", "keys", "revoke", "ada", "--data", data); code != exitUnreadable || !strings.Contains(errs, "the last key that may send") || !strings.Contains(errs, "--force") {
		t.Fatalf("%d %s", code, errs)
	}
	if got := status(http.MethodPost, "/v1/messages", key); got != http.StatusOK {
		t.Errorf("a key that was not revoked: %d", got)
	}
	if code, _, errs := sluice(t, "", "keys", "revoke", "ada", "--force", "--data", data); code != exitOK || !strings.Contains(errs, "every request is refused until") {
		t.Fatalf("%d %s", code, errs)
	}
	if got := status(http.MethodPost, "/v1/messages", key); got != http.StatusUnauthorized {
		t.Errorf("a revoked key: %d", got)
	}
	if code, _, errs := sluice(t, "", "keys", "revoke", "ada", "--data", data); code != exitUnreadable || !strings.Contains(errs, "no key of this name") {
		t.Errorf("%d %s", code, errs)
	}
}

// The first key can be made although the configuration needs one.
func TestTheFirstKeyOfAPublicGateway(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	data := t.TempDir()
	config := write(t, "config.yaml", "listen: 0.0.0.0:8484\ndata: "+data+"\n")
	if code, _, errs := sluice(t, "", "config", "--config", config); code != exitUnreadable || !strings.Contains(errs, "sluice keys new") {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, errs := sluice(t, "", "keys", "new", "ada", "--config", config); code != exitOK {
		t.Fatalf("%d %s", code, errs)
	}
	if _, err := settings.Load(settings.Sources{File: config, Environ: []string{"HOME=" + t.TempDir()}}); err != nil {
		t.Errorf("with a key that was issued: %v", err)
	}
	if code, _, errs := sluice(t, "", "keys", "new"); code != exitUnreadable || !strings.Contains(errs, "needs one name") {
		t.Errorf("%d %s", code, errs)
	}
	keyed := write(t, "keyed.yaml", "keys: [{name: ada, key: slk_0123456789abcdefghijklmn, roles: [read, admin]}]\ndata: "+data+"\n")
	code, out, _ := sluice(t, "", "keys", "list", "--config", keyed, "--json")
	var list []shownKey
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != exitOK || len(list) != 2 || list[0].From != "configuration" || strings.Join(list[0].Roles, " ") != "read admin" || list[1].From != "issued" {
		t.Errorf("%d %v %s", code, err, out)
	}
	for _, command := range []string{"new", "revoke"} {
		if code, _, errs := sluice(t, "", "keys", command, "ada", "--config", keyed); code != exitUnreadable || !strings.Contains(errs, "of the configuration") {
			t.Errorf("%s: %d %s", command, code, errs)
		}
	}
}

package gateway_test

import (
	"bytes"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestProfilesNeedTheToken(t *testing.T) {
	t.Parallel()
	b := newBench(t, withAdmin)
	admin := headers("Authorization", "Bearer "+adminToken)
	for _, name := range []string{"allocs", "goroutine", "heap", "threadcreate", "profile?seconds=1"} {
		if got := b.do(http.MethodGet, "/admin/pprof/"+name, nil, nil); got.status != http.StatusUnauthorized {
			t.Errorf("%s without the token: status %d", name, got.status)
		}
		if got := b.do(http.MethodGet, "/debug/pprof/"+name, admin, nil); got.status == http.StatusOK {
			t.Errorf("%s is served where net/http/pprof would", name)
		}
		got := b.do(http.MethodGet, "/admin/pprof/"+name, admin, nil)
		if got.status != http.StatusOK || !bytes.HasPrefix(got.body, []byte("\x1f\x8b")) {
			t.Errorf("%s: status %d, %.40q, want what go tool pprof reads", name, got.status, got.body)
		}
	}
	if got := b.do(http.MethodGet, "/admin/pprof/goroutine?debug=1", admin, nil); !strings.Contains(string(got.body), "goroutine profile:") {
		t.Errorf("as text: %.80q", got.body)
	}
	for target, want := range map[string]int{
		"/admin/pprof/": 404, "/admin/pprof/nothing": 404, "/admin/pprof/cmdline": 404,
		"/admin/pprof/profile?seconds=0": 400, "/admin/pprof/profile?seconds=61": 400, "/admin/pprof/profile?seconds=-1": 400, "/admin/pprof/profile?seconds=x": 400,
		"/admin/pprof/profile?seconds=9223372037": 400, "/admin/pprof/profile?seconds=18446744074": 400, // more nanoseconds than a duration has
	} {
		if got := b.do(http.MethodGet, target, admin, nil); got.status != want || len(got.body) == 0 {
			t.Errorf("%s: status %d %s, want %d", target, got.status, got.body, want)
		}
	}
	if got := b.do(http.MethodPost, "/admin/pprof/heap", admin, nil); got.status != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", got.status)
	}
}

func TestMetricsTellWhatTheProcessTakes(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	body := string(b.do(http.MethodGet, "/metrics", nil, nil).body)
	for _, name := range []string{"sluice_goroutines", "sluice_heap_bytes"} {
		found := regexp.MustCompile(`(?m)^` + name + ` (\d+)$`).FindStringSubmatch(body)
		if found == nil || !strings.Contains(body, "# TYPE "+name+" gauge\n") {
			t.Errorf("%s is not told:\n%s", name, body)
			continue
		}
		if n, err := strconv.Atoi(found[1]); err != nil || n < 1 {
			t.Errorf("%s is %s", name, found[1])
		}
	}
}

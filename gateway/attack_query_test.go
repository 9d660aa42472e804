package gateway_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// spellings are ways to write a parameter that servers read alike.
func spellings(name, value string) []string {
	escaped := func(s string) string { return "%" + hexDigits(s[0]) + s[1:] }
	all := []string{
		name + "=" + value, escaped(name) + "=" + value, name + "=" + escaped(value), strings.ToUpper(name) + "=" + strings.ToUpper(value), "$" + name + "=" + value, "%24" + name + "=" + value,
		"+" + name + "+=+" + value + "+", name + "[]=" + value, name + "%5B0%5D=" + value, name + "%3D" + value, strings.ReplaceAll(escaped(name), "%", "%25") + "=" + value,
	}
	for _, one := range all[:2] {
		all = append(all, "x=1&"+one, "x=1;"+one, one+"&"+name+"=json", name+"=json&"+one, one+"&y=%zz", "y=%&"+one, "&&"+one, "x=%26"+one)
	}
	return all
}

func hexDigits(c byte) string {
	return string("0123456789abcdef"[c>>4]) + string("0123456789ABCDEF"[c&15])
}

// However the contents of a file are asked for, they are not judged and do not come.
func TestAttackContentsOfFilesInEverySpelling(t *testing.T) {
	t.Parallel()
	body := `{"response":` + sluicetest.BuildBody(string(wire.Gemini), [][]llm.Block{said("ok", harmful)}, sluicetest.BuildOptions{}) + `}`
	b := newBench(t, nil, sluicetest.JSON(http.StatusOK, body))
	for _, path := range []string{"/v1beta/files/batch-1", "/v1/files/batch-1", "/v1beta/cachedContents/c", "/v1/models/m"} {
		for _, value := range []string{"media", "proto"} {
			for _, query := range spellings("alt", value) {
				if a := b.do(http.MethodGet, path+"?"+query, nil, nil); leaks(a) || a.status != http.StatusForbidden {
					t.Errorf("%s?%s: status %d", path, query, a.status)
				}
			}
		}
		for _, query := range []string{"", "alt=json", "ALT=JSON", "alternative=media", "x=alt", "pageSize=5&alt=sse"} {
			if a := b.do(http.MethodGet, path+"?"+query, nil, nil); a.status != http.StatusOK {
				t.Errorf("%s?%s: status %d", path, query, a.status)
			}
		}
	}
	for _, path := range []string{"/v1/vector_stores/vs_1/files/file-1/content", "/v1/vector_stores/vs_1/files/file-1/content/x", "/v1/files/file-1/content"} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead} {
			if a := b.do(method, path, nil, nil); leaks(a) || a.status != http.StatusForbidden {
				t.Errorf("%s %s: status %d", method, path, a.status)
			}
		}
	}
	for _, path := range []string{
		"/v1/vector_stores/vs_1/files/file-1/CONTENT", "/v1/vector_stores/vs_1/files/file-1/Content", "/v1/vector_stores/vs_1/files/file-1/raw", "/v1/vector_stores/vs_1/file_batches/b/files/f/content",
		"/v1/uploads/u/content", "/v1/files/file-1/CONTENT", "/v1/files/file-1/download",
	} {
		if a := b.do(http.MethodGet, path, nil, nil); leaks(a) {
			t.Errorf("%s: status %d", path, a.status)
		}
	}
	for _, path := range []string{"/v1/skills/s/content", "/v1/skills/s/versions/v/content", "/v1/skills/s/versions/v/files/f"} {
		if a := b.do(http.MethodGet, path, headers("Anthropic-Version", "2023-06-01"), nil); leaks(a) {
			t.Errorf("%s: status %d", path, a.status)
		}
	}
	if a := b.do(http.MethodGet, "/v1/vector_stores/vs_1/files/file-1", nil, nil); a.status != http.StatusOK {
		t.Errorf("what is told about a file: status %d", a.status)
	}
}

// A stream is asked for in one form, and in no other at the same time.
func TestAttackTwoFormsOfAStream(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, reply(wire.Gemini, true, said("ok")))
	const path = "/v1beta/models/gemini-x:streamGenerateContent?"
	for query, want := range map[string]int{
		"alt=sse": 200, "alt=sse&x=1": 200, "x=1&alt=sse": 200, "alt=sse&alt=sse": 200,
		"": 400, "alt=json": 400, "alt=sse&alt=json": 400, "alt=json&alt=sse": 400, "alt=sse&%61lt=json": 400, "alt=sse;alt=json": 400, "alt=sse&$alt=media": 400, "x=%26alt=sse": 400, "alt=sse&ALT=json": 400,
	} {
		if a := b.do(http.MethodPost, path+query, nil, question(wire.Gemini, true)); a.status != want {
			t.Errorf("%q: status %d, want %d", query, a.status, want)
		}
	}
}

// A key of Google goes to Google, however its parameter is written.
func TestAttackKeysOfGoogleInEverySpelling(t *testing.T) {
	t.Parallel()
	google := sluicetest.NewUpstream(t, sluicetest.JSON(200, `{}`))
	b := newBench(t, func(c *gateway.Config) { c.Upstreams.Gemini.URL = google.URL }, sluicetest.JSON(200, `{}`))
	for _, query := range spellings("key", "AIzaSecret") {
		b.do(http.MethodGet, "/v1/models?"+query, nil, nil)
	}
	for _, r := range b.up.Requests() {
		t.Errorf("another provider than Google got the key: %s?%s", r.Path, r.Query)
	}
}

// The admin token is for the admin routes; it never leaves, wherever it stands.
func TestAttackAdminTokensThatLeave(t *testing.T) {
	t.Parallel()
	const token = "the-admin-token-of-this/gateway+1"
	b := newBench(t, func(c *gateway.Config) { c.Admin = token }, sluicetest.JSON(http.StatusOK, `{}`))
	const named = "ABCDEFGH234567ABCDEFGH234567" // which can be the name of a header
	other := newBench(t, func(c *gateway.Config) { c.Admin = named }, sluicetest.JSON(http.StatusOK, `{}`))
	refused := func(what string, a *answer) {
		t.Helper()
		if a.status != http.StatusForbidden || !strings.Contains(string(a.body), "admin token") || len(b.up.Requests())+len(other.up.Requests()) > 0 {
			t.Errorf("%s: status %d, %d requests left: %s", what, a.status, len(b.up.Requests())+len(other.up.Requests()), a.body)
		}
	}
	for _, path := range []string{"/v1/models/" + named, "/v1/models/x" + named + "x", "/" + named, "/v1/models/%" + "41" + named[1:]} {
		a := other.do(http.MethodGet, path, nil, nil)
		refused(path, a)
		for _, event := range a.story().json { // the path of a request is recorded, too
			if strings.Contains(string(event), named) {
				t.Errorf("%s: the token is in a record: %s", path, event)
			}
		}
	}
	for _, path := range []string{"/v1/messages", "/v1/models", "/v1beta/models/m:generateContent"} {
		refused(path+" escaped in a header", b.do(http.MethodPost, path, headers("Cookie", "t="+url.QueryEscape(token)), question(wire.Anthropic, false)))
		for _, name := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key", "X-Sluice-Key", "Cookie", "X-Anything", "Proxy-Authorization"} {
			for _, value := range []string{token, "Bearer " + token, "bearer  " + token + " ", "token=" + token + "; a=b", "Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+token))} {
				refused(path+" "+name+": "+value, b.do(http.MethodPost, path, headers(name, value), question(wire.Anthropic, false)))
			}
		}
		for _, name := range []string{named, "X-" + named, strings.ToUpper(named)} {
			refused(path+" "+name, other.do(http.MethodPost, path, headers(name, "1"), question(wire.Anthropic, false)))
		}
		for _, query := range []string{"key=" + url.QueryEscape(token), "x=" + token, token, "a=1;b=" + url.QueryEscape(token), "y=%zz&access_token=" + url.QueryEscape(token), "key=" + url.QueryEscape(url.QueryEscape(token))} {
			refused(path+"?"+query, b.do(http.MethodPost, path+"?"+query, nil, question(wire.Anthropic, false)))
		}
	}
	for _, log := range []string{b.log.String(), other.log.String()} {
		if strings.Contains(log, token) || strings.Contains(log, named) {
			t.Errorf("the token is in the log: %s", log)
		}
	}
	if a := b.do(http.MethodPost, "/v1/messages", headers("X-Api-Key", "the-admin-token-of-somebody"), question(wire.Anthropic, false)); a.status != http.StatusOK && len(b.up.Requests()) == 0 {
		t.Errorf("another credential is refused: %d %s", a.status, a.body)
	}
}

// A key of Sluice that stands in the path, or where a client describes itself, is not
// forwarded, logged or recorded.
func TestAttackKeysOutOfPlace(t *testing.T) {
	t.Parallel()
	const key = "slk_outOfPlaceOutOfPlace"
	b := newBench(t, func(c *gateway.Config) { c.Keys = []gateway.Key{sluiceKey(goodKey, "ann"), sluiceKey(key, "bob")} }, reply(wire.Anthropic, false, said("ok")))
	for _, target := range []string{"/v1/models/" + key, "/v1/files/x" + "." + "/" + key, "/" + key + "/v1/messages", "/v1/models/%E2%82%AC" + key} {
		a := b.do(http.MethodGet, target, headers("X-Sluice-Key", goodKey), nil)
		if a.status != http.StatusBadRequest && a.status != http.StatusNotFound {
			t.Errorf("%s: status %d: %s", target, a.status, a.body)
		}
	}
	for _, name := range []string{"Session-Id", "X-Session-Id", "X-Claude-Code-Session-Id", "Thread-Id"} {
		b.do(http.MethodPost, "/v1/messages", headers("X-Sluice-Key", goodKey, "Anthropic-Version", "2023-06-01", name, key), question(wire.Anthropic, false))
	}
	for _, r := range b.up.Requests() {
		if strings.Contains(r.Path+r.Query, key) {
			t.Errorf("the key is forwarded: %s?%s", r.Path, r.Query)
		}
	}
	for _, s := range b.stories {
		for _, event := range s.json {
			if strings.Contains(string(event), key) {
				t.Errorf("the key is in a record: %s", event)
			}
		}
	}
	if log := b.log.String(); strings.Contains(log, key) {
		t.Errorf("the key is in the log: %s", log)
	}
}

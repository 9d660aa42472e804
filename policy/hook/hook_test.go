package hook_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/hook"
)

func TestTheQuestionIsSentAndSigned(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	var body []byte
	var header http.Header
	var target string
	h := serve(t, hook.Config{Secret: "s3cret", Version: "v7", Now: func() time.Time { return now }}, func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		header, target = r.Header, r.Method+" "+r.URL.String()
		answers(200, "application/json; charset=utf-8", allow)(w, r)
	})
	s := subject(`{ "b":1, "a":"<x>" }`)
	s.Exchange.Request.Tools = []llm.Tool{{Name: "Bash", Schema: json.RawMessage(`{"type": "object"}`)}}
	s.Exchange.Request.Extra = map[string]json.RawMessage{"api_key": json.RawMessage(`"secret of the provider"`)}
	s.Exchange.Session.Cwd, s.Exchange.Session.Home, s.Exchange.Session.Labels = "/src", "/home/ada", []string{"ci"}
	v := h.Judge(t.Context(), policy.NewSubject(s.Exchange, s.Block))
	if v.Action != policy.Allow || v.Err != nil || v.Reason != "" || len(v.Notes) != 0 {
		t.Errorf("verdict %+v", v)
	}
	if err := hook.Verify("s3cret", header.Get("Sluice-Signature"), body, now, 0); err != nil {
		t.Error(err)
	}
	var q hook.Question
	if err := json.Unmarshal(body, &q); err != nil || len(q.ID) < 20 {
		t.Errorf("question %+v, %v", q, err)
	}
	want := `{"version":1,"id":"` + q.ID + `","policy":"control","policy_version":"v7","stage":"answer","kind":"tool_call",` +
		`"tool":{"name":"Bash","type":"function","declared":true,"schema":{"type":"object"}},` +
		`"arguments":"{ \"b\":1, \"a\":\"<x>\" }","parsed":{"a":"<x>","b":1},"user_text":"list the files",` +
		`"session":{"id":"s1","client":"cli","cwd":"/src","home":"/home/ada","labels":["ci"]},` +
		`"key":{"name":"laptop","user":"ada","groups":["dev"]},"request":{"model":"big-1"},"understood":{"name":"Bash","kind":"shell","unknown":["shape"]}}`
	if string(body) != want {
		t.Errorf("sent %s\nwant %s", body, want)
	}
	if target != "POST /judge?tenant=7" || header.Get("Content-Type") != "application/json" {
		t.Errorf("%s with %v", target, header)
	}
	var names []string
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "Accept Accept-Encoding Content-Length Content-Type Sluice-Signature User-Agent" &&
		got != "Accept Content-Length Content-Type Sluice-Signature User-Agent" {
		t.Errorf("headers %s", got)
	}
}

func TestWithoutASecretNothingIsSigned(t *testing.T) {
	h := serve(t, hook.Config{}, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sluice-Signature") != "" {
			t.Error("signed with nothing")
		}
		answers(200, "application/json", allow)(w, r)
	})
	h.Judge(t.Context(), subject(`{}`))
}

func TestAnswersBecomeVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, body string
		then       policy.Action
		want       policy.Action
		reason     string
		notes      []string
	}{
		{"allow", allow, 0, policy.Allow, "", nil},
		{"annotate", `{"action":"annotate","reason":"odd","notes":["rule 7"]}`, 0, policy.Annotate, "odd", []string{"rule 7"}},
		{"ask", `{"action":"ask","reason":"sure?"}`, 0, policy.Ask, "sure?", nil},
		{"block", `{"action":"block","reason":"no"}`, 0, policy.Block, "no", nil},
		{"block in the way that is set", `{"action":"block","reason":"no"}`, policy.BlockEndTurn, policy.BlockEndTurn, "no", nil},
		{"block in the endpoint's own way", `{"action":"block feedback","reason":"no"}`, policy.BlockEndTurn, policy.BlockFeedback, "no", nil},
		{"end the turn", `{"action":"block end_turn","reason":"no"}`, 0, policy.BlockEndTurn, "no", nil},
		{"abort", `{"action":"abort","reason":"no"}`, 0, policy.Abort, "no", nil},
		{"without a reason", `{"action":"block"}`, 0, policy.Block, `the hook control decided "block" and gave no reason`, nil},
		{"words become one line", `{"action":"block","reason":"a\n\u001b[31mb","notes":["c\td","\u200b"]}`, 0, policy.Block, "a [31mb", []string{"c d"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := serve(t, hook.Config{Then: c.then}, answers(200, "application/json", c.body))
			v := h.Judge(t.Context(), subject(`{}`))
			if v.Action != c.want || v.Reason != c.reason || !slices.Equal(v.Notes, c.notes) || v.Err != nil || v.Cause != "" {
				t.Errorf("verdict %+v", v)
			}
		})
	}
}

func TestTheHooksOwnTransportReachesAnEndpoint(t *testing.T) {
	server := httptest.NewServer(answers(200, "application/json", allow))
	defer server.Close()
	if v := newHook(t, hook.Config{URL: server.URL}).Judge(t.Context(), subject(`{}`)); v.Action != policy.Allow {
		t.Errorf("verdict %+v", v)
	}
}

func TestAHundredWhoAskTheSameAskOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asks atomic.Int64
		h := newHook(t, hook.Config{Transport: wire(func(*http.Request) (*http.Response, error) {
			asks.Add(1)
			time.Sleep(time.Second)
			return reply(200, `{"action":"block","reason":"no"}`), nil
		})})
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if v := h.Judge(t.Context(), subject(`{}`)); v.Action != policy.Block {
					t.Errorf("verdict %+v", v)
				}
			})
		}
		all.Wait()
		if asks.Load() != 1 {
			t.Errorf("asked %d times", asks.Load())
		}
	})
}

func TestWhatCannotBeUsedIsRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  hook.Config
		want string // part of the error, empty if it can be used
	}{
		{"https", hook.Config{Name: "h", URL: "https://a.example/x"}, ""},
		{"http on this machine", hook.Config{Name: "h", URL: "http://localhost:8080/x"}, ""},
		{"by its address", hook.Config{Name: "h", URL: "http://127.8.9.1/x"}, ""},
		{"of the new kind", hook.Config{Name: "h", URL: "http://[::1]:80/x"}, ""},
		{"of both kinds", hook.Config{Name: "h", URL: "http://[::ffff:127.0.0.1]/x"}, ""},
		{"http elsewhere if that is wanted", hook.Config{Name: "h", URL: "http://a.example/x", Insecure: true}, ""},
		{"http elsewhere", hook.Config{Name: "h", URL: "http://a.example/x?token=t0k"}, "not https"},
		{"a name that only begins like this machine", hook.Config{Name: "h", URL: "http://localhost.example/x"}, "not https"},
		{"an address that is everywhere", hook.Config{Name: "h", URL: "http://0.0.0.0/x"}, "not https"},
		{"another scheme", hook.Config{Name: "h", URL: "ftp://a.example/x"}, "URL"},
		{"no host", hook.Config{Name: "h", URL: "https:///x"}, "URL"},
		{"no URL", hook.Config{Name: "h"}, "URL"},
		{"not a URL", hook.Config{Name: "h", URL: "https://a b/?token=t0k"}, "URL"},
		{"a user", hook.Config{Name: "h", URL: "https://u:t0k@a.example/"}, "Secret"},
		{"a fragment", hook.Config{Name: "h", URL: "https://a.example/#x"}, "#"},
		{"no name", hook.Config{URL: "https://a.example/"}, "Name"},
		{"allow for block", hook.Config{Name: "h", URL: "https://a.example/", Then: policy.Allow}, "Then"},
		{"no end", hook.Config{Name: "h", URL: "https://a.example/", Timeout: -1}, "Timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := hook.New(c.cfg)
			if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "t0k")) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestADumpDoesNotShowTheSecret(t *testing.T) {
	cfg := hook.Config{Name: "h", URL: "https://a.example/x?token=t0k", Secret: "s3cret"}
	text := fmt.Sprintf("%v %+v %#v %s", cfg, cfg, cfg, cfg)
	if strings.Contains(text, "s3cret") || strings.Contains(text, "t0k") {
		t.Error(text)
	}
}

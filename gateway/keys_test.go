package gateway_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

const goodKey, otherKey = "slk_0123456789abcdef", "slk_fedcba9876543210"

// keyPlaces are where a client may put a key of Sluice.
var keyPlaces = map[string]func(key string) (query string, h http.Header){
	"its own header":          func(key string) (string, http.Header) { return "", headers("X-Sluice-Key", key) },
	"a bearer":                func(key string) (string, http.Header) { return "", headers("Authorization", "Bearer "+key) },
	"a bearer in lower case":  func(key string) (string, http.Header) { return "", headers("Authorization", "bearer  "+key) },
	"a bearer after a tab":    func(key string) (string, http.Header) { return "", headers("Authorization", "Bearer\t"+key) },
	"no scheme":               func(key string) (string, http.Header) { return "", headers("Authorization", key) },
	"another scheme":          func(key string) (string, http.Header) { return "", headers("Authorization", "Token "+key) },
	"Anthropic's header":      func(key string) (string, http.Header) { return "", headers("X-Api-Key", key) },
	"Google's header":         func(key string) (string, http.Header) { return "", headers("X-Goog-Api-Key", key) },
	"Azure's header":          func(key string) (string, http.Header) { return "", headers("Api-Key", key) },
	"the query":               func(key string) (string, http.Header) { return "key=" + key, nil },
	"the query, escaped":      func(key string) (string, http.Header) { return "k%65y=" + strings.Replace(key, "_", "%5F", 1), nil },
	"the query, among others": func(key string) (string, http.Header) { return "a=1&key=" + key + "&b=2", nil },
	"every place at once": func(key string) (string, http.Header) {
		return "key=" + key, headers("X-Sluice-Key", key, "Authorization", "Bearer "+key, "X-Api-Key", key, "X-Goog-Api-Key", key)
	},
	"two values of one header": func(key string) (string, http.Header) { return "", headers("X-Api-Key", key, "X-Api-Key", otherKey) },
	"beside another key of ours": func(key string) (string, http.Header) {
		return "key=" + otherKey, headers("X-Sluice-Key", key, "Authorization", "Bearer "+otherKey)
	},
}

// withQuery adds a query to a target.
func withQuery(target, query string) string {
	if query == "" {
		return target
	}
	if strings.Contains(target, "?") {
		return target + "&" + query
	}
	return target + "?" + query
}

func keyed(c *gateway.Config) {
	c.Keys = []gateway.Key{sluiceKey("slk_nobody", "nobody"), sluiceKey(goodKey, "ann")}
}

func TestKeysAreTakenFromEveryPlaceAndNeverPassedOn(t *testing.T) {
	t.Parallel()
	for name, place := range keyPlaces {
		for _, withKeys := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, keys=%t", name, withKeys), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, func(c *gateway.Config) {
					if withKeys {
						keyed(c)
					}
				})
				for _, format := range wire.Formats() {
					b.up.Script(reply(format, true, said("ok")))
					query, h := place(goodKey)
					got := b.do(http.MethodPost, withQuery(target(format, true), query), h, question(format, true))
					if got.status != http.StatusOK {
						t.Fatalf("%s: status %d %s", format, got.status, got.body)
					}
					if asked := b.lastAsked(); strings.Contains(fmt.Sprint(asked.Header, asked.Query, asked.Path), "slk") {
						t.Errorf("%s: the upstream got %v %q", format, asked.Header, asked.Query)
					}
					if s := got.story(); withKeys && (s.exchange.Key != "ann" || s.exchange.User != "ann@example.com") {
						t.Errorf("it was used by %+v", s.exchange)
					}
				}
				checkSecretFree(t, b, "slk_0123", "slk_fedc")
			})
		}
	}
}

func TestKeysThatAreNotKnownAreRefused(t *testing.T) {
	t.Parallel()
	for name, place := range keyPlaces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, keyed)
			for _, format := range wire.Formats() {
				for _, key := range []string{"slk_wrong", goodKey + "x", goodKey[:len(goodKey)-1], strings.ToUpper(goodKey)} {
					query, h := place(key)
					got := b.do(http.MethodPost, withQuery(target(format, true), query), h, question(format, true))
					message, kind := errorIn(t, format, got.body)
					if got.status != http.StatusUnauthorized || !strings.HasPrefix(strings.ToLower(kind), "authentic") && kind != "UNAUTHENTICATED" {
						t.Errorf("%s: status %d %s", format, got.status, got.body)
					}
					if strings.Contains(message, key) {
						t.Errorf("the message has the key: %s", message)
					}
				}
			}
			if n := len(b.up.Requests()); n != 0 {
				t.Errorf("the upstream got %d requests", n)
			}
			checkSecretFree(t, b, "slk_wrong", "slk_0123", "SLK_0123")
		})
	}
}

// Without a key nothing is served, not even a refusal that reveals which paths
// there are.
func TestKeysAreNeededEverywhere(t *testing.T) {
	t.Parallel()
	b := newBench(t, keyed, sluicetest.JSON(http.StatusOK, `{}`))
	for _, request := range []string{"POST /v1/messages", "GET /v1/models", "POST /v1/nothing", "GET /v1/responses/r", "POST /v1beta/models/g:countTokens"} {
		method, path, _ := strings.Cut(request, " ")
		for _, h := range []http.Header{nil, headers("Authorization", "Bearer sk-1"), headers("X-Sluice-Key", ""), headers("X-Sluice-Key", "sk-1"), headers("X-Sluice-Canary", "1")} {
			if got := b.do(method, path, h, []byte(`{}`)); got.status != http.StatusUnauthorized {
				t.Errorf("%s %v: status %d", request, h, got.status)
			}
		}
	}
	if n := len(b.up.Requests()); n != 0 {
		t.Errorf("the upstream got %d requests", n)
	}
	for _, path := range []string{"/", "/healthz", "/readyz"} {
		if got := b.do(http.MethodGet, path, nil, nil); got.status != http.StatusOK {
			t.Errorf("%s: status %d", path, got.status)
		}
	}
}

// A provider's credential passes untouched, and the configured one is added only
// where a client brings none.
func TestCredentialsOfProviders(t *testing.T) {
	t.Parallel()
	configured := func(c *gateway.Config) {
		c.Upstreams.Anthropic.Key, c.Upstreams.OpenAI.Key, c.Upstreams.Gemini.Key, c.Upstreams.ChatGPT.Key = "up-anthropic", "up-openai", "up-gemini", "up-chatgpt"
		c.Keys = []gateway.Key{sluiceKey("slk_1", "ada")}
	}
	for _, tc := range []struct {
		name, target string
		sent, want   http.Header
		query        string
	}{
		{"added for Anthropic", "/v1/messages", nil, headers("X-Api-Key", "up-anthropic"), ""},
		{"added for OpenAI", "/v1/chat/completions", nil, headers("Authorization", "Bearer up-openai"), ""},
		{"added for what is forwarded", "/v1/embeddings", nil, headers("Authorization", "Bearer up-openai"), ""},
		{"added for Gemini", "/v1beta/models/g:generateContent", nil, headers("X-Goog-Api-Key", "up-gemini"), ""},
		{"added for ChatGPT", "/backend-api/codex/responses", nil, headers("Authorization", "Bearer up-chatgpt"), ""},
		{"added in the place of ours", "/v1/messages", headers("Authorization", "Bearer slk_1"), headers("X-Api-Key", "up-anthropic"), ""},
		{"a login is kept", "/v1/messages", headers("Authorization", "Bearer sk-ant-oat01"), headers("Authorization", "Bearer sk-ant-oat01"), ""},
		{"a login beside ours is kept", "/v1/messages", headers("Authorization", "Bearer sk-ant-oat01", "X-Sluice-Key", "slk_1"), headers("Authorization", "Bearer sk-ant-oat01"), ""},
		{"a key is kept", "/v1/messages", headers("X-Api-Key", "sk-ant-1"), headers("X-Api-Key", "sk-ant-1"), ""},
		{"a key beside ours is kept", "/v1/messages", headers("Authorization", "Bearer slk_1", "X-Api-Key", "sk-ant-1"), headers("X-Api-Key", "sk-ant-1"), ""},
		{"odd ones are kept as they are", "/v1/responses", headers("Authorization", "Basic  YTpi "), headers("Authorization", "Basic  YTpi"), ""},
		{"two are kept", "/v1/messages", headers("Authorization", "Bearer a", "X-Api-Key", "b"), headers("Authorization", "Bearer a", "X-Api-Key", "b"), ""},
		{"a query's key is kept", "/v1beta/models/g:generateContent?key=AIza&x=1", nil, http.Header{}, "key=AIza&x=1"},
		{"Azure's is kept", "/v1/chat/completions?api-version=1", headers("Api-Key", "az"), headers("Api-Key", "az"), "api-version=1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, configured, sluicetest.JSON(http.StatusOK, `{}`))
			sent := tc.sent.Clone()
			if sent == nil {
				sent = make(http.Header)
			}
			if !strings.Contains(fmt.Sprint(sent), "slk_1") {
				sent.Set("X-Sluice-Key", "slk_1")
			}
			b.do(http.MethodPost, tc.target, sent, []byte(`{}`))
			asked := b.lastAsked()
			for _, name := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key", "X-Sluice-Key"} {
				if !slices.Equal(asked.Header[name], tc.want[name]) {
					t.Errorf("%s is %q, want %q", name, asked.Header[name], tc.want[name])
				}
			}
			if asked.Query != tc.query {
				t.Errorf("the query is %q, want %q", asked.Query, tc.query)
			}
			checkSecretFree(t, b, "up-anthropic", "up-openai", "sk-ant", "AIza", "YTpi")
		})
	}
}

// A key identifies the client to policies.
func TestPoliciesKnowWhoseKeyItIs(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *gateway.Config) {
		ann := sluiceKey(goodKey, "ann")
		ann.Groups = []string{"release"}
		c.Keys = []gateway.Key{ann, sluiceKey(otherKey, "bob")}
		c.Policies = policies(t, "policies:\n  - {name: only-release, when: '!(\"release\" in key.groups)', then: block, reason: ask the release team}\n")
	}, reply(wire.Anthropic, true, said("ok", "git push")))
	for key, want := range map[string]int{goodKey: 0, otherKey: 1} {
		if s := b.ask(wire.Anthropic, true, "X-Sluice-Key", key).story(); s.end.Blocked != want {
			t.Errorf("%s: %d blocked, want %d", s.exchange.Key, s.end.Blocked, want)
		}
	}
}

// checkSecretFree checks that nothing that is kept or shown has a secret in it.
func checkSecretFree(t *testing.T, b *bench, secrets ...string) {
	t.Helper()
	kept := b.log.String() + string(b.do(http.MethodGet, "/metrics", nil, nil).body) + fmt.Sprint(b.Status())
	b.mu.Lock()
	for _, s := range b.stories {
		for _, event := range s.json {
			kept += string(event)
		}
	}
	b.mu.Unlock()
	for _, secret := range secrets {
		if strings.Contains(kept, secret) {
			t.Errorf("%q is in logs, events, metrics or status", secret)
		}
	}
}

// Failures are where credentials slip out.
func TestFailuresTellNoSecrets(t *testing.T) {
	t.Parallel()
	refusing := sluicetest.NewUpstream(t)
	refusing.Close()
	for name, change := range map[string]func(*gateway.Config){
		"unreachable": func(c *gateway.Config) { c.Upstreams.Gemini.URL, c.Upstreams.OpenAI.URL = refusing.URL, refusing.URL },
		"no TLS":      func(c *gateway.Config) { c.Upstreams.Gemini.URL = strings.Replace(refusing.URL, "http:", "https:", 1) },
		"cut":         func(*gateway.Config) {},
		"no policies": func(c *gateway.Config) { c.Policies = policy.NewLive(nil) },
	} {
		b := newBench(t, func(c *gateway.Config) {
			c.Upstreams.Gemini.Key = "up-secret"
			if name != "no policies" {
				change(c)
			}
		}, sluicetest.Reply{Cut: &sluicetest.Cut{At: sluicetest.BeforeHeader}})
		for _, path := range []string{"/v1beta/models/g:generateContent?key=AIza-secret", "/v1beta/models/g:countTokens?key=AIza-secret", "/v1beta/models/g:generateContent", "/v1beta/nothing?key=AIza-secret"} {
			got := b.do(http.MethodPost, path, headers("Authorization", "Bearer sk-secret"), []byte(`{}`))
			if strings.Contains(string(got.body), "secret") {
				t.Errorf("%s: the client is told %s", name, got.body)
			}
		}
		checkSecretFree(t, b, "up-secret", "AIza-secret", "sk-secret")
	}
}

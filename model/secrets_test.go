package model_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// everything prints an error and all that it wraps in every way.
func everything(err error) string {
	var b strings.Builder
	for ; err != nil; err = errors.Unwrap(err) {
		fmt.Fprintf(&b, "%v %+v %#v\n", err, err, err)
		if status, ok := err.(*model.StatusError); ok {
			fmt.Fprintf(&b, "%s %s\n", status.RequestID, status.Provider.Raw)
		}
		if reported, ok := err.(*stream.ProviderError); ok {
			fmt.Fprintf(&b, "%s\n", reported.Raw)
		}
	}
	return b.String()
}

// A provider, or a proxy in front of it, may quote the key that it got in any
// part of an error.
func TestNoErrorQuotesTheKey(t *testing.T) {
	located := func(where string) http.HandlerFunc {
		return refuse(http.StatusTemporaryRedirect, http.Header{"Location": {where}}, "")
	}
	cases := map[string]http.HandlerFunc{
		"a message":                refuse(401, nil, `{"error":{"message":"wrong key `+secret+`"}}`),
		"a body without a form":    refuse(401, nil, "wrong key "+secret),
		"a message that is cut":    refuse(401, nil, `{"error":{"message":"`+strings.Repeat("x", 1990)+secret+`"}}`),
		"a body that is cut":       refuse(401, nil, strings.Repeat("x", 4<<10-10)+secret),
		"an escaped message":       refuse(401, nil, `{"error":{"message":"sk\u002dvery-secret-0123456789"}}`),
		"a request id":             refuse(401, http.Header{"X-Request-Id": {secret}}, ``),
		"a payload without a form": text("data: garbage " + secret + "\n\n"),
		"a payload that is cut":    text("data: " + strings.Repeat("x", 105) + secret + strings.Repeat("x", 50) + "\n\n"),
		"a page":                   text("<" + secret + ">"),
		"a page that is cut":       text("<" + strings.Repeat("x", 25) + secret),
		"a content type":           refuse(200, http.Header{"Content-Type": {"text/" + secret}}, "<html>"),
		"an address":               located("/v1?key=" + secret + "%zz\x7f"),
		"an event":                 text("data: {\"error\":{\"type\":\"invalid_request_error\",\"message\":\"" + secret + "\"}}\n\n"),
		"an event that may pass":   text("data: {\"error\":{\"type\":\"server_error\",\"message\":\"" + secret + "\"}}\n\n"),
		"an event in the middle":   text(firstHalf + "data: {\"error\":{\"type\":\"server_error\",\"message\":\"" + secret + "\"}}\n\n"),
	}
	for name, h := range cases {
		t.Run(name, func(t *testing.T) {
			for where, cfg := range map[string]model.Config{
				"key":    {},
				"header": {Headers: http.Header{"authorization": {"Bearer " + secret}}},
				"query":  {BaseURL: "/v1?key=" + secret},
			} {
				m := providerWithKey(t, cfg, where == "key", h)
				seen := ""
				var last error
				for ev, err := range m.Stream(t.Context(), ask()) {
					if ev.Err != nil {
						seen += everything(ev.Err)
					}
					last = err
				}
				if last == nil {
					t.Fatal("no error")
				}
				// Ten bytes of a key are too much of it.
				if seen += everything(last); strings.Contains(seen, secret[:10]) {
					t.Errorf("%s: %s", where, seen)
				}
			}
		})
	}
}

// providerWithKey is provider with a key in APIKey or without one.
func providerWithKey(t *testing.T, cfg model.Config, key bool, h http.Handler) *model.Provider {
	t.Helper()
	if key {
		return provider(t, cfg, h)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	cfg.Format, cfg.Retry, cfg.Model, cfg.BaseURL, cfg.HTTPClient = wire.OpenAIChat, quick, "m", server.URL+cfg.BaseURL, server.Client()
	m, err := model.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestADumpOfAProviderShowsNoKey(t *testing.T) {
	m, err := model.New(model.Config{Format: wire.Anthropic, APIKey: secret, Model: "m", Headers: http.Header{"Authorization": {secret}}})
	if err != nil {
		t.Fatal(err)
	}
	inside := struct{ m model.Provider }{*m}
	for _, verb := range []string{"%v", "%+v", "%#v"} {
		if dump := fmt.Sprintf(verb, *m) + fmt.Sprintf(verb, inside); strings.Contains(dump, secret) {
			t.Errorf("%s: %s", verb, dump)
		}
	}
}

func TestAKeyOfTheEnvironmentIsNotSentInTheClear(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", secret)
	for _, base := range []string{"http://api.openai.com/v1", "http://API.openai.com"} {
		if _, err := model.New(model.Config{Format: wire.OpenAIChat, BaseURL: base}); err == nil || !strings.Contains(err.Error(), "https") {
			t.Errorf("%s: %v", base, err)
		}
	}
}

// told makes a request to the host of base without leaving the machine, and
// returns what was sent.
func told(t *testing.T, cfg model.Config) http.Header {
	t.Helper()
	var sent http.Header
	cfg.HTTPClient = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		sent = r.Header
		return nil, errors.New("no network")
	})}
	cfg.Model, cfg.Retry = "m", model.Retry{Max: -1}
	m, err := model.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = model.Collect(t.Context(), m, ask())
	return sent
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestKeysOfTheEnvironmentFindTheirProviderHoweverItIsWritten(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", secret)
	for base, want := range map[string]string{
		"":                               "Bearer " + secret,
		"https://API.OpenAI.com/v1":      "Bearer " + secret,
		"https://api.openai.com:443/v1":  "Bearer " + secret,
		"https://api.openai.com:8443/v1": "",
		"https://api.openai.com.evil.io": "",
		"https://evil.io/api.openai.com": "",
	} {
		if got := told(t, model.Config{Format: wire.OpenAIChat, BaseURL: base}).Get("Authorization"); got != want {
			t.Errorf("%s: %q", base, got)
		}
	}
}

// If the caller sets a credential in a header, none from the environment is
// added.
func TestACredentialInAHeaderReplacesTheEnvironment(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", secret)
	sent := told(t, model.Config{Format: wire.Anthropic, Headers: http.Header{"authorization": {"Bearer mine"}}})
	if sent.Get("Authorization") != "Bearer mine" || sent.Get("X-Api-Key") != "" {
		t.Errorf("%v", sent)
	}
	t.Setenv("ANTHROPIC_API_KEY", "")
	if sent := told(t, model.Config{Format: wire.Anthropic, Headers: http.Header{"x-api-key": {"mine"}}}); sent.Get("X-Api-Key") != "mine" {
		t.Errorf("%v", sent)
	}
}

// Redirects are followed on the same origin only, whatever they look like.
func TestNoRedirectCarriesTheKeyAway(t *testing.T) {
	var reached []string
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, where := range []string{"http://other.test/v1", "//other.test/v1", "http://model.test:81/v1", "https://model.test/v1", "http://model.test@other.test/"} {
			reached = nil
			client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				reached = append(reached, r.URL.Scheme+"://"+r.URL.Host)
				w := httptest.NewRecorder()
				w.Header().Set("Location", where)
				w.WriteHeader(status)
				return w.Result(), nil
			}), CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
			m, err := model.New(model.Config{Format: wire.Anthropic, BaseURL: "http://model.test", APIKey: secret, Model: "m", HTTPClient: client})
			if err != nil {
				t.Fatal(err)
			}
			_, err = model.Collect(t.Context(), m, ask())
			if !isStatus(status)(err) || len(reached) != 1 {
				t.Errorf("%d to %s: %v, %v", status, where, reached, err)
			}
		}
	}
}

func TestARedirectWithoutEndIsAStatusAndNotTriedAgain(t *testing.T) {
	s := &sequence{handlers: []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path, http.StatusPermanentRedirect)
	}}}
	_, err := model.Collect(t.Context(), provider(t, model.Config{}, s), ask())
	if !isStatus(308)(err) || s.count.Load() > 6 {
		t.Errorf("%v after %d requests", err, s.count.Load())
	}
}

package mcp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// overHTTP connects to a handler on this machine.
func overHTTP(t *testing.T, h http.Handler, headers http.Header) (*Session, error) {
	t.Helper()
	listening := httptest.NewServer(h)
	client := listening.Client()
	session, err := Connect(t.Context(), Server{Name: "web", URL: listening.URL, Headers: headers, HTTPClient: client})
	t.Cleanup(func() {
		if err == nil {
			_ = session.Close()
		}
		client.CloseIdleConnections()
		listening.Close()
	})
	return session, err
}

func TestAddressesAreServers(t *testing.T) {
	for name, options := range map[string]*sdk.StreamableHTTPOptions{
		"streams":         nil,
		"JSON":            {JSONResponse: true},
		"without session": {Stateless: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := echoServer()
			mcp := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, options)
			var mu sync.Mutex
			without := 0
			session, err := overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer key" {
					mu.Lock()
					without++
					mu.Unlock()
				}
				mcp.ServeHTTP(w, r)
			}), http.Header{"authorization": {"Bearer key"}})
			if err != nil {
				t.Fatal(err)
			}
			if out, err := run(t.Context(), t, toolsOf(t, session)["web__echo"], `{"text":"hi"}`); err != nil || out.Text != `{"text":"hi"}` {
				t.Error(out, err)
			}
			if err := session.Close(); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if without > 0 {
				t.Errorf("%d requests had no key", without)
			}
		})
	}
}

func TestHeadersDoNotFollowARedirectElsewhere(t *testing.T) {
	got := make(chan http.Header, 100)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header
		http.Error(w, "no", http.StatusTeapot)
	}))
	defer elsewhere.Close()
	_, err := overHTTP(t, http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect), http.Header{"X-Key": {"secret"}})
	if err == nil {
		t.Error("connected")
	}
	close(got)
	if len(got) == 0 {
		t.Error("nothing was redirected")
	}
	for h := range got {
		if h.Get("X-Key") != "" {
			t.Error("the key was sent elsewhere")
		}
	}
}

func TestAnswersThatAreTooLargeAreNotRead(t *testing.T) {
	for name, contentType := range map[string]string{"JSON": "application/json", "a stream": "text/event-stream"} {
		t.Run(name, func(t *testing.T) {
			_, err := overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", contentType)
				if contentType != "application/json" {
					_, _ = w.Write([]byte("data: "))
				}
				block := []byte(strings.Repeat("x", 1<<20))
				for range 200 {
					if _, err := w.Write(block); err != nil {
						return
					}
				}
			}), nil)
			if err == nil {
				t.Error("connected")
			}
		})
	}
}

func TestAServerThatGoesAwayIsAFailedResult(t *testing.T) {
	s := echoServer()
	gone := false
	var mu sync.Mutex
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil)
	session, err := overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if gone {
			http.Error(w, "gone", http.StatusBadGateway)
			return
		}
		handler.ServeHTTP(w, r)
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // nobody could take leave of it
		for left := range s.Sessions() {
			_ = left.Close()
		}
	})
	tool := toolsOf(t, session)["web__echo"]
	mu.Lock()
	gone = true
	mu.Unlock()
	if out, err := run(t.Context(), t, tool, `{"text":"hi"}`); err != nil || !out.Failed || !strings.Contains(out.Text, "server web") {
		t.Error(out, err)
	}
}

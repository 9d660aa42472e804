package model_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// overHTTP2 is provider for the protocol that real ones speak.
func overHTTP2(t *testing.T, h http.HandlerFunc) *model.Provider {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("the request came over %s", r.Proto)
		}
		h(w, r)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	m, err := model.New(model.Config{Format: wire.OpenAIChat, BaseURL: server.URL, APIKey: secret, Model: "m", HTTPClient: server.Client(), Retry: quick})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLeavingEarlyStopsAnHTTP2Stream(t *testing.T) {
	gone := make(chan struct{})
	m := overHTTP2(t, func(w http.ResponseWriter, r *http.Request) {
		flush(w, firstHalf)
		<-r.Context().Done()
		close(gone)
	})
	for ev := range m.Stream(t.Context(), ask()) {
		if ev.Type == stream.EventDelta {
			break
		}
	}
	<-gone
}

func TestAResetHTTP2StreamIsACut(t *testing.T) {
	s := &sequence{handlers: []http.HandlerFunc{crash(""), crash(firstHalf)}}
	res, err := model.Collect(t.Context(), overHTTP2(t, s.ServeHTTP), ask())
	if !errors.Is(err, stream.ErrIncomplete) || !isType[*model.ConnectionError](err) || s.count.Load() != 2 || res.Choices[0].Blocks[0].Text != "par" {
		t.Errorf("%+v, %v, %d requests", res, err, s.count.Load())
	}
}

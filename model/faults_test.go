package model_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// sequence answers the first requests with its handlers, one each, and all
// further ones with the last. It counts them.
type sequence struct {
	count    atomic.Int32
	handlers []http.HandlerFunc
}

func (s *sequence) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := int(s.count.Add(1))
	s.handlers[min(n, len(s.handlers))-1](w, r)
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
}

func refuse(status int, header http.Header, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), header)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// crash breaks the connection after some bytes.
func crash(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, body)
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

const (
	overloaded = `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
	firstHalf  = "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"par\"},\"finish_reason\":null}]}\n\n"
)

func TestWhatMayPassIsTriedAgain(t *testing.T) {
	cases := map[string]http.HandlerFunc{
		"429":                          refuse(429, nil, `{"error":{"type":"rate_limit"}}`),
		"429 with a wish":              refuse(429, http.Header{"Retry-After-Ms": {"1"}}, ``),
		"408":                          refuse(408, nil, ``),
		"409":                          refuse(409, nil, ``),
		"500":                          refuse(500, nil, ``),
		"503 with a page":              refuse(503, http.Header{"Content-Type": {"text/html"}}, `<html>`),
		"529":                          refuse(529, nil, overloaded),
		"400 that says it would help":  refuse(400, http.Header{"X-Should-Retry": {"true"}}, ``),
		"a broken connection":          crash(""),
		"an empty body":                text(""),
		"a body of comments":           text(": hello\n\n"),
		"half an event":                text("data: {\"id\":"),
		"an error as the first word":   text("event: error\ndata: {\"error\":{\"type\":\"server_error\",\"message\":\"x\"}}\n\n"),
		"an error as the whole answer": text(`{"error":{"code":"rate_limit_exceeded","message":"x"}}`),
	}
	for name, first := range cases {
		t.Run(name, func(t *testing.T) {
			s := &sequence{handlers: []http.HandlerFunc{first, text(good)}}
			res, err := model.Collect(t.Context(), provider(t, model.Config{}, s), ask())
			if err != nil || res.Choices[0].Blocks[0].Text != "ok" || s.count.Load() != 2 {
				t.Errorf("%+v, %v, %d requests", res, err, s.count.Load())
			}
		})
	}
}

func TestWhatCannotPassIsNotTriedAgain(t *testing.T) {
	hour := http.Header{"Retry-After": {"3600"}}
	cases := map[string]struct {
		first http.HandlerFunc
		check func(error) bool
	}{
		"400":                         {refuse(400, nil, ``), isStatus(400)},
		"401":                         {refuse(401, nil, ``), isStatus(401)},
		"a wish beyond patience":      {refuse(429, hour, ``), isStatus(429)},
		"500 that says it is useless": {refuse(500, http.Header{"X-Should-Retry": {"false"}}, ``), isStatus(500)},
		"garbage":                     {text("data: garbage\n\n"), isType[*stream.ProtocolError]},
		"a page":                      {text("<!doctype html><html>"), isType[*model.ContentError]},
		"a refusal in the stream":     {text("data: {\"error\":{\"type\":\"invalid_request_error\",\"message\":\"x\"}}\n\n"), isType[*stream.ProviderError]},
		"a cut after the first event": {crash(firstHalf), func(err error) bool {
			return errors.Is(err, stream.ErrIncomplete) && isType[*model.ConnectionError](err)
		}},
		"an end without proof": {text(firstHalf), func(err error) bool { return errors.Is(err, stream.ErrIncomplete) }},
		"an error after the first event": {text(firstHalf + "data: {\"error\":{\"type\":\"server_error\",\"message\":\"x\"}}\n\n"),
			isType[*stream.ProviderError]},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := &sequence{handlers: []http.HandlerFunc{c.first, text(good)}}
			_, err := model.Collect(t.Context(), provider(t, model.Config{}, s), ask())
			if !c.check(err) || s.count.Load() != 1 {
				t.Errorf("%T %v, %d requests", err, err, s.count.Load())
			}
		})
	}
}

func isStatus(status int) func(error) bool {
	return func(err error) bool {
		e, ok := errors.AsType[*model.StatusError](err)
		return ok && e.Status == status
	}
}

func isType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func TestPatienceEnds(t *testing.T) {
	for want, limit := range map[int32]int{3: 0, 1: -1, 5: 4} {
		s := &sequence{handlers: []http.HandlerFunc{refuse(500, nil, ``)}}
		retry := quick
		retry.Max = limit
		_, err := model.Collect(t.Context(), provider(t, model.Config{Retry: retry}, s), ask())
		if !isStatus(500)(err) || s.count.Load() != want {
			t.Errorf("Max %d: %v, %d requests", limit, err, s.count.Load())
		}
	}
}

func TestAnErrorThatStaysIsSeenAsEventAndError(t *testing.T) {
	s := &sequence{handlers: []http.HandlerFunc{text("event: error\ndata: " + overloaded + "\n\n")}}
	m := provider(t, model.Config{Format: wire.Anthropic}, s)
	state := stream.NewState(stream.Limits{})
	var last error
	for _, err := range model.Track(m.Stream(t.Context(), ask()), state) {
		last = err
	}
	if e, ok := last.(*stream.ProviderError); !ok || e.Type != "overloaded_error" || state.Err() == nil || s.count.Load() != 3 {
		t.Errorf("%T %v, %v, %d requests", last, last, state.Err(), s.count.Load())
	}
}

func TestAnErrorThatStaysCanBeTheLastThingSeen(t *testing.T) {
	m := provider(t, model.Config{}, text(`{"error":{"code":503,"message":"x"}}`))
	events := 0
	for ev, err := range m.Stream(t.Context(), ask()) {
		if events++; err != nil || ev.Type != stream.EventError {
			t.Errorf("%v, %v", ev.Type, err)
		}
		break
	}
	if events != 1 {
		t.Errorf("%d events", events)
	}
}

func TestRefusalsTellAllThatIsKnown(t *testing.T) {
	cases := map[string]struct {
		format      wire.Format
		header      http.Header
		body        string
		wantType    string
		wantMessage string
	}{
		"openai":     {wire.OpenAIChat, http.Header{"X-Request-Id": {"req_1"}}, `{"error":{"message":"m","type":"t","code":"c"}}`, "t", "m"},
		"anthropic":  {wire.Anthropic, http.Header{"Request-Id": {"req_1"}}, `{"type":"error","error":{"type":"t","message":"m"},"request_id":"x"}`, "t", "m"},
		"gemini":     {wire.Gemini, http.Header{"X-Request-Id": {"req_1"}}, `[{"error":{"code":403,"message":"m","status":"t"}}]`, "t", "m"},
		"a word":     {wire.OpenAIChat, http.Header{"X-Request-Id": {"req_1"}}, `{"error":"m"}`, "", "m"},
		"a detail":   {wire.OpenAIChat, http.Header{"X-Request-Id": {"req_1"}}, `{"detail":"m"}`, "", "m"},
		"no JSON":    {wire.OpenAIChat, http.Header{"X-Request-Id": {"req_1"}}, `oops`, "", ""},
		"wrong JSON": {wire.OpenAIChat, http.Header{"X-Request-Id": {"req_1"}}, `[1]`, "", ""},
		"null":       {wire.OpenAIChat, http.Header{"X-Request-Id": {"req_1"}}, `{"error":null}`, "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.header.Set("Retry-After", "2")
			_, err := model.Collect(t.Context(), provider(t, model.Config{Format: c.format}, refuse(403, c.header, c.body)), ask())
			e, ok := errors.AsType[*model.StatusError](err)
			if !ok || e.Status != 403 || e.Provider.Type != c.wantType || e.Provider.Message != c.wantMessage || e.RequestID != "req_1" || e.RetryAfter != 2*time.Second {
				t.Fatalf("%+v", err)
			}
			if reported, ok := errors.AsType[*stream.ProviderError](err); !ok || reported != e.Provider {
				t.Error("the provider's error is not beneath")
			}
		})
	}
}

func TestAPageIsNotTakenForAnError(t *testing.T) {
	_, err := model.Collect(t.Context(), provider(t, model.Config{}, refuse(404, http.Header{"Content-Type": {"text/html"}}, "<html><b>nginx</b></html>")), ask())
	if err == nil || strings.Contains(err.Error(), "nginx") || !strings.Contains(err.Error(), "HTML page") || !strings.Contains(err.Error(), "BaseURL") {
		t.Error(err)
	}
}

func TestHugeErrorsAreReadWithinBounds(t *testing.T) {
	var written atomic.Int64
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		block := []byte(strings.Repeat("x", 64<<10))
		for r.Context().Err() == nil {
			n, err := w.Write(block)
			if written.Add(int64(n)); err != nil {
				return
			}
		}
	})
	_, err := model.Collect(t.Context(), provider(t, model.Config{}, h), ask())
	e, ok := errors.AsType[*model.StatusError](err)
	if !ok || len(e.Provider.Raw) > 8<<10 || len(err.Error()) > 1000 {
		t.Errorf("%.200v", err)
	}
	if written.Load() > 64<<20 {
		t.Errorf("%d bytes were taken", written.Load())
	}
}

func TestAnswersStayWithinTheirLimits(t *testing.T) {
	endless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, firstHalf)
		for r.Context().Err() == nil {
			if _, err := fmt.Fprint(w, ": "+strings.Repeat("x", 10_000)+"\n\n"); err != nil {
				return
			}
		}
	})
	long := text("data: " + strings.Repeat("x", 10_000))
	for name, m := range map[string]*model.Provider{
		"answer":  provider(t, model.Config{Limits: model.Limits{Answer: 100_000}}, endless),
		"payload": provider(t, model.Config{Limits: model.Limits{Payload: 1000}}, long),
	} {
		if _, err := model.Collect(t.Context(), m, ask()); !isType[*stream.LimitError](err) {
			t.Errorf("%s: %T %v", name, err, err)
		}
	}
}

func TestProvidersThatQuoteTheKeyAreCensored(t *testing.T) {
	quote := `{"error":{"type":"auth","message":"wrong key ` + secret + `"}}`
	for name, h := range map[string]http.HandlerFunc{"status": refuse(401, nil, quote), "stream": text("data: " + quote + "\n\n")} {
		_, err := model.Collect(t.Context(), provider(t, model.Config{}, h), ask())
		reported, ok := errors.AsType[*stream.ProviderError](err)
		if !ok || strings.Contains(err.Error()+string(reported.Raw)+fmt.Sprintf("%+v", reported), secret) || !strings.Contains(err.Error(), "[key]") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFailedConnectionsQuoteNoURL(t *testing.T) {
	server := httptest.NewServer(text(good))
	server.Close()
	m, err := model.New(model.Config{Format: wire.OpenAIChat, BaseURL: server.URL + "/v1?key=" + secret, Model: "m", Retry: quick})
	if err != nil {
		t.Fatal(err)
	}
	_, err = model.Collect(t.Context(), m, ask())
	if !isType[*model.ConnectionError](err) || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
}

func TestTheKeyGoesToNoOtherHost(t *testing.T) {
	for _, format := range wire.Formats() {
		var reached atomic.Bool
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
		t.Cleanup(other.Close)
		m := provider(t, model.Config{Format: format}, http.RedirectHandler(other.URL+"/v1", http.StatusTemporaryRedirect))
		_, err := model.Collect(t.Context(), m, ask())
		if !isStatus(307)(err) || reached.Load() || !strings.Contains(err.Error(), "BaseURL") {
			t.Errorf("%s: %v, reached %v", format, err, reached.Load())
		}
	}
}

func TestARedirectOnTheSameHostIsFollowed(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/old/v1/chat/completions", http.RedirectHandler("/new", http.StatusPermanentRedirect))
	mux.HandleFunc("/new", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodPost && len(body) > 0 && r.Header.Get("Authorization") == "Bearer "+secret {
			fmt.Fprint(w, good)
		}
	})
	if _, err := model.Collect(t.Context(), provider(t, model.Config{BaseURL: "/old"}, mux), ask()); err != nil {
		t.Error(err)
	}
}

func TestACallerWhoGivesUpGetsTheirOwnReason(t *testing.T) {
	why := errors.New("the user closed the window")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, firstHalf)
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	m := provider(t, model.Config{}, h)
	var last error
	for ev, err := range m.Stream(ctx, ask()) {
		if ev.Type == stream.EventDelta {
			cancel(why)
		}
		last = err
	}
	if !errors.Is(last, why) || isType[*model.TimeoutError](last) || isType[*model.ConnectionError](last) {
		t.Errorf("%T %v", last, last)
	}
}

func TestEveryIteratorCanBeLeftAtEveryPlace(t *testing.T) {
	s := &sequence{handlers: []http.HandlerFunc{text(firstHalf + firstHalf + good)}}
	m := provider(t, model.Config{}, s)
	total := 0
	for range m.Stream(t.Context(), ask()) {
		total++
	}
	for stop := 1; stop <= total; stop++ {
		seen := 0
		for range m.Stream(t.Context(), ask()) {
			if seen++; seen == stop {
				break
			}
		}
		if seen != stop {
			t.Errorf("saw %d of %d", seen, stop)
		}
	}
}

func TestRequestsWithoutAFormAreNotSent(t *testing.T) {
	s := &sequence{handlers: []http.HandlerFunc{text(good)}}
	req := ask()
	req.Messages[0].Role = "critic"
	_, err := model.Collect(t.Context(), provider(t, model.Config{}, s), req)
	if !isType[*llm.RequestError](err) || s.count.Load() != 0 {
		t.Errorf("%v, %d requests", err, s.count.Load())
	}
}

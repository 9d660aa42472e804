package model_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

// The status is known before its explanation. One that does not come must not
// hide it, nor take the time of an answer.
func TestAStatusIsToldEvenIfItsBodyStalls(t *testing.T) {
	for name, part := range map[string]string{"at once": "", "in the middle": `{"error":{"mess`} {
		t.Run(name, func(t *testing.T) {
			h := func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Retry-After", "3600")
				w.WriteHeader(http.StatusTooManyRequests)
				flush(w, part)
				wait(r, time.Hour)
			}
			inBubble(t, model.Config{}, h, func(t *testing.T, m *model.Provider) {
				start := time.Now()
				_, err := model.Collect(t.Context(), m, ask())
				e, ok := errors.AsType[*model.StatusError](err)
				if !ok || e.Status != 429 || e.RetryAfter != time.Hour {
					t.Errorf("%T %v", err, err)
				}
				if took := time.Since(start); took > time.Minute {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

// A pause that the time left does not allow is not begun: the caller learns at
// once what the provider said.
func TestAPauseBeyondTheDeadlineIsNotWaitedFor(t *testing.T) {
	h := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "50")
		w.WriteHeader(http.StatusTooManyRequests)
	}
	inBubble(t, model.Config{Timeouts: model.Timeouts{Total: 20 * time.Second}}, h, func(t *testing.T, m *model.Provider) {
		soon, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		for _, ctx := range []context.Context{t.Context(), soon} {
			start := time.Now()
			_, err := model.Collect(ctx, m, ask())
			if !isStatus(429)(err) || time.Since(start) != 0 {
				t.Errorf("%v after %s", err, time.Since(start))
			}
		}
	})
}

func TestNoPatienceForWishesLeavesTheOtherRetries(t *testing.T) {
	retry := quick
	retry.MaxWait = -1
	s := &sequence{handlers: []http.HandlerFunc{refuse(500, nil, ""), text(good)}}
	if _, err := model.Collect(t.Context(), provider(t, model.Config{Retry: retry}, s), ask()); err != nil {
		t.Error(err)
	}
	s = &sequence{handlers: []http.HandlerFunc{refuse(500, http.Header{"Retry-After": {"1"}}, ""), text(good)}}
	if _, err := model.Collect(t.Context(), provider(t, model.Config{Retry: retry}, s), ask()); !isStatus(500)(err) || s.count.Load() != 1 {
		t.Errorf("%v, %d requests", err, s.count.Load())
	}
}

func TestWishesAreReadInEveryForm(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, " 7 ": 7 * time.Second, "0.5": time.Second / 2, "0": 0, "-5": 0, "": 0, "soon": 0, "NaN": 0, "-Inf": 0,
		"Inf": 365 * 24 * time.Hour, "1e300": 365 * 24 * time.Hour, "99999999999999999999": 365 * 24 * time.Hour,
		"Mon, 01 Jan 2001 00:00:00 GMT": 0, "Fri, 31 Dec 9999 23:59:59 GMT": 365 * 24 * time.Hour,
	} {
		_, err := model.Collect(t.Context(), provider(t, model.Config{}, refuse(400, http.Header{"Retry-After": {value}}, "")), ask())
		e, ok := errors.AsType[*model.StatusError](err)
		if !ok || e.RetryAfter != want {
			t.Errorf("%q: %v", value, e.RetryAfter)
		}
	}
}

// An error is for people and for logs: it has one line and a size.
func TestErrorsStaySmallWhateverTheProviderSays(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	for name, h := range map[string]http.HandlerFunc{
		"message":      refuse(400, nil, `{"error":{"message":"`+long+`","type":"`+long+`","code":"`+long+`"}}`),
		"members":      refuse(400, nil, `{"error":{"message":"m","other":"`+long+`"}}`),
		"request id":   refuse(400, http.Header{"X-Request-Id": {long}}, ``),
		"content type": refuse(200, http.Header{"Content-Type": {long}}, `<html>`),
		"location":     refuse(307, http.Header{"Location": {"http://" + long + "\x7f"}}, ``),
		"event":        text(`data: {"error":{"message":"` + long + `","type":"` + long + `"}}` + "\n\n"),
		"prose":        text(long),
		"payload":      text("data: " + long + "\n\n"),
		"lines":        refuse(400, http.Header{"X-Request-Id": {"a b"}}, `{"error":{"type":"a\nb","message":"fake\n2026 ERROR\u001b[31m"}}`),
		"event lines":  text(`data: {"error":{"type":"a\nb","message":"fake\n2026 ERROR\u001b[31m"}}` + "\n\n"),
		"binary":       refuse(400, nil, strings.Repeat("\xff\x00", 150_000)),
		"no words":     text("data: {\"error\":{\ndata: \"other\":1}}\n\n"),
	} {
		_, err := model.Collect(t.Context(), provider(t, model.Config{}, h), ask())
		if err == nil || len(err.Error()) > 10_000 || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: %d bytes, %.300q", name, len(fmt.Sprint(err)), fmt.Sprint(err))
		}
		if e, ok := errors.AsType[*model.StatusError](err); ok && (len(e.Provider.Raw) > 8<<10 || len(e.RequestID) > 1000) {
			t.Errorf("%s: %d bytes are kept, request id %d", name, len(e.Provider.Raw), len(e.RequestID))
		}
	}
}

func TestAPlainBodyIsQuoted(t *testing.T) {
	h := refuse(503, http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "X-Should-Retry": {"false"}}, "no healthy upstream\n")
	_, err := model.Collect(t.Context(), provider(t, model.Config{}, h), ask())
	if err == nil || !strings.Contains(err.Error(), "no healthy upstream") {
		t.Error(err)
	}
}

// A reader that fails with something that wraps io.EOF has not come to an end.
func TestABrokenGzipBodyIsACut(t *testing.T) {
	h := refuse(200, http.Header{"Content-Encoding": {"gzip"}}, "\x1f\x8b\x08\x00\x00\x00")
	_, err := model.Collect(t.Context(), provider(t, model.Config{}, h), ask())
	if !errors.Is(err, stream.ErrIncomplete) && !isType[*model.ConnectionError](err) {
		t.Errorf("%T %v", err, err)
	}
}

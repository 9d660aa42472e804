package hook_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/hook"
)

func TestWhatIsNoAnswerIsAFailure(t *testing.T) {
	full := `{"action":"allow","reason":"` + strings.Repeat("x", 64<<10-len(`{"action":"allow","reason":""}`)) + `"}`
	for _, c := range []struct {
		name        string
		status      int
		contentType string
		body        string
		asks        int64
		fails       bool
	}{
		{"as long as allowed", 200, "application/json", full, 1, false},
		{"one byte longer", 200, "application/json", full + " ", 1, true},
		{"far too long", 200, "application/json", strings.Repeat(" ", 10<<20), 1, true},
		{"not JSON", 200, "application/json", "ok", 1, true},
		{"nothing", 200, "application/json", "", 1, true},
		{"a web page", 200, "text/html", allow, 1, true},
		{"no content type", 200, "", allow, 1, true},
		{"another success", 201, "application/json", allow, 1, true},
		{"no content", 204, "application/json", "", 1, true},
		{"400", 400, "application/json", allow, 1, true},
		{"401", 401, "application/json", allow, 1, true},
		{"403", 403, "application/json", allow, 1, true},
		{"404", 404, "application/json", allow, 1, true},
		{"429", 429, "application/json", allow, 2, true},
		{"500", 500, "application/json", allow, 2, true},
		{"503", 503, "application/json", allow, 2, true},
		{"an action that hooks do not have", 200, "application/json", `{"action":"rewrite"}`, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asks atomic.Int64
			h := serve(t, hook.Config{}, func(w http.ResponseWriter, r *http.Request) {
				asks.Add(1)
				if c.contentType == "" {
					w.Header()["Content-Type"] = nil
				}
				answers(c.status, c.contentType, c.body)(w, r)
			})
			v := h.Judge(t.Context(), subject(`{}`))
			if (v.Action == 0) != c.fails || (v.Err != nil) != c.fails || asks.Load() != c.asks {
				t.Errorf("verdict %+v after %d questions", v, asks.Load())
			}
			if c.fails && (v.Cause != policy.CauseError || !strings.HasPrefix(v.Err.Error(), "hook control at 127.0.0.1:") || strings.Contains(v.Err.Error(), "tenant")) {
				t.Errorf("cause %q, error %v", v.Cause, v.Err)
			}
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("followed") }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		h := serve(t, hook.Config{Secret: "s"}, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, status) })
		v := h.Judge(t.Context(), subject(`{}`))
		if refused, ok := errors.AsType[*hook.StatusError](v.Err); v.Action != 0 || !ok || refused.Status != status || !strings.Contains(v.Err.Error(), "final address") {
			t.Errorf("%d: verdict %+v", status, v)
		}
	}
}

func TestRetriesAreTheSameQuestionSignedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bodies, signatures []string
		h := newHook(t, hook.Config{Secret: "s", Transport: wire(func(r *http.Request) (*http.Response, error) {
			body, _ := io.ReadAll(r.Body)
			bodies, signatures = append(bodies, string(body)), append(signatures, r.Header.Get("Sluice-Signature"))
			if len(bodies) == 1 {
				busy := reply(503, "")
				busy.Header.Set("Retry-After", "2")
				return busy, nil
			}
			return reply(200, allow), nil
		})})
		began := time.Now()
		v := h.Judge(t.Context(), subject(`{}`))
		if v.Action != policy.Allow || time.Since(began) != 2*time.Second || !slices.Equal(v.Notes, []string{"attempts: 2"}) {
			t.Errorf("verdict %+v after %s", v, time.Since(began))
		}
		if len(bodies) != 2 || bodies[0] != bodies[1] || signatures[0] == signatures[1] {
			t.Errorf("bodies %q, signatures %q", bodies, signatures)
		}
	})
}

func TestFailingConnectionsAreTriedOnceMore(t *testing.T) {
	broken := errors.New("connection reset")
	for _, c := range []struct {
		name string
		fail func(ctx context.Context) (*http.Response, error)
		last error
		want policy.Cause
	}{
		{"no connection", func(context.Context) (*http.Response, error) { return nil, broken }, broken, policy.CauseError},
		{"no answer", func(ctx context.Context) (*http.Response, error) { <-ctx.Done(); return nil, ctx.Err() }, context.DeadlineExceeded, policy.CauseTimeout},
		{"a body that breaks off", func(context.Context) (*http.Response, error) {
			res := reply(200, "")
			res.Body = io.NopCloser(io.MultiReader(strings.NewReader(allow), reader(func([]byte) (int, error) { return 0, broken })))
			return res, nil
		}, broken, policy.CauseError},
		{"a body that never ends", func(ctx context.Context) (*http.Response, error) {
			res := reply(200, "")
			res.Body = io.NopCloser(io.MultiReader(strings.NewReader(allow), hanging(ctx)))
			return res, nil
		}, context.DeadlineExceeded, policy.CauseTimeout},
	} {
		for _, recovers := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, recovers %v", c.name, recovers), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					asks := 0
					h := newHook(t, hook.Config{Transport: wire(func(r *http.Request) (*http.Response, error) {
						if asks++; asks == 2 && recovers {
							return reply(200, allow), nil
						}
						return c.fail(r.Context())
					})})
					v := h.Judge(t.Context(), subject(`{}`))
					synctest.Wait()
					if asks != 2 || recovers && v.Action != policy.Allow {
						t.Errorf("verdict %+v after %d questions", v, asks)
					}
					if !recovers && (v.Action != 0 || v.Cause != c.want || !errors.Is(v.Err, c.last) || strings.Contains(v.Err.Error(), "/judge")) {
						t.Errorf("verdict %+v", v)
					}
				})
			})
		}
	}
}

type reader func([]byte) (int, error)

func (f reader) Read(p []byte) (int, error) { return f(p) }

// hanging returns a reader that ends only with its context.
func hanging(ctx context.Context) reader {
	return func([]byte) (int, error) { <-ctx.Done(); return 0, ctx.Err() }
}

// The same over a real connection: a server that begins to answer and stops.
func TestASlowBodyEndsAtTheDeadline(t *testing.T) {
	h := serve(t, hook.Config{Timeout: 100 * time.Millisecond, Retries: -1}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"action":`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	if v := h.Judge(t.Context(), subject(`{}`)); v.Action != 0 || v.Cause != policy.CauseTimeout {
		t.Errorf("verdict %+v", v)
	}
}

func TestNobodyAtHomeIsAFailure(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	h := newHook(t, hook.Config{URL: server.URL})
	if v := h.Judge(t.Context(), subject(`{}`)); v.Action != 0 || v.Cause != policy.CauseError ||
		!strings.Contains(v.Err.Error(), "nothing listens at ") || !errors.Is(v.Err, syscall.ECONNREFUSED) {
		t.Errorf("verdict %+v", v)
	}
}

func TestCertificatesAreChecked(t *testing.T) {
	server := httptest.NewUnstartedServer(answers(200, "application/json", allow))
	server.Config.ErrorLog = nil
	server.StartTLS()
	defer server.Close()
	if v := newHook(t, hook.Config{URL: server.URL, Retries: -1}).Judge(t.Context(), subject(`{}`)); v.Action != 0 {
		t.Errorf("a stranger decided: %+v", v)
	}
	if v := newHook(t, hook.Config{URL: server.URL, Transport: server.Client().Transport}).Judge(t.Context(), subject(`{}`)); v.Action != policy.Allow {
		t.Errorf("verdict %+v", v)
	}
}

func TestAPanicOnTheWayIsAFailure(t *testing.T) {
	h := newHook(t, hook.Config{Transport: wire(func(*http.Request) (*http.Response, error) { panic("boom") })})
	if v := h.Judge(t.Context(), subject(`{}`)); v.Action != 0 || v.Cause != policy.CausePanic {
		t.Errorf("verdict %+v", v)
	}
}

package model_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// pipes is a network in memory, so that a server can live in a bubble with its
// clock.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { close(p.closed); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// inBubble serves h in a bubble and calls f with a model that asks it. A
// goroutine that is left behind fails the test: the bubble never ends.
func inBubble(t *testing.T, cfg model.Config, h http.HandlerFunc, f func(t *testing.T, m *model.Provider)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then a server notices that its client goes
			h(w, r)
		})}
		done := make(chan struct{})
		go func() { _ = server.Serve(network); close(done) }()
		transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			network.conns <- there
			return here, nil
		}}
		cfg.Format, cfg.BaseURL, cfg.APIKey, cfg.Model = wire.OpenAIChat, "http://model.test", secret, "m"
		cfg.HTTPClient = &http.Client{Transport: transport}
		m, err := model.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		f(t, m)
		transport.CloseIdleConnections()
		_ = server.Close()
		<-done
	})
}

func flush(w http.ResponseWriter, body string) {
	fmt.Fprint(w, body)
	_ = http.NewResponseController(w).Flush()
}

// wait lets time pass on the server, or less if the client goes.
func wait(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

func TestTheThreeTimeoutsAreToldApart(t *testing.T) {
	silent := func(_ http.ResponseWriter, r *http.Request) { wait(r, time.Hour) }
	headers := func(w http.ResponseWriter, r *http.Request) { flush(w, ""); wait(r, time.Hour) }
	stalls := func(w http.ResponseWriter, r *http.Request) { flush(w, firstHalf); wait(r, time.Hour) }
	drips := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			flush(w, firstHalf)
			wait(r, time.Minute)
		}
	}
	cases := []struct {
		name    string
		limits  model.Timeouts
		handler http.HandlerFunc
		want    error
		after   time.Duration
	}{
		{"no headers", model.Timeouts{}, silent, model.ErrFirstByte, 10 * time.Minute},
		{"headers and then nothing", model.Timeouts{FirstByte: time.Second}, headers, model.ErrFirstByte, time.Second},
		{"a stall", model.Timeouts{}, stalls, model.ErrIdle, 5 * time.Minute},
		{"no end", model.Timeouts{}, drips, model.ErrTotal, 60 * time.Minute},
		{"a total shorter than the rest", model.Timeouts{Total: time.Second}, silent, model.ErrTotal, time.Second},
		{"no first limit", model.Timeouts{FirstByte: -1, Total: 20 * time.Minute}, silent, model.ErrTotal, 20 * time.Minute},
		{"no idle limit", model.Timeouts{Idle: -1, Total: 20 * time.Minute}, stalls, model.ErrTotal, 20 * time.Minute},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, model.Config{Timeouts: c.limits}, c.handler, func(t *testing.T, m *model.Provider) {
				start := time.Now()
				_, err := model.Collect(t.Context(), m, ask())
				timeout, ok := errors.AsType[*model.TimeoutError](err)
				if !ok || !errors.Is(err, c.want) || !errors.Is(err, context.DeadlineExceeded) || timeout.After != c.after || !timeout.Timeout() {
					t.Errorf("%T %v", err, err)
				}
				for _, other := range []error{model.ErrFirstByte, model.ErrIdle, model.ErrTotal} {
					if other != c.want && errors.Is(err, other) {
						t.Errorf("it is also %v", other)
					}
				}
				if took := time.Since(start); took != c.after {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

func TestTheCallersDeadlineIsNotATimeout(t *testing.T) {
	inBubble(t, model.Config{}, func(_ http.ResponseWriter, r *http.Request) { wait(r, time.Hour) }, func(t *testing.T, m *model.Provider) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := model.Collect(ctx, m, ask())
		if !errors.Is(err, context.DeadlineExceeded) || isType[*model.TimeoutError](err) {
			t.Errorf("%T %v", err, err)
		}
	})
}

func TestAKeepaliveIsASignOfLife(t *testing.T) {
	h := func(w http.ResponseWriter, r *http.Request) {
		for range 10 {
			flush(w, ": alive\n\n")
			wait(r, 4*time.Minute)
		}
		flush(w, good)
	}
	inBubble(t, model.Config{}, h, func(t *testing.T, m *model.Provider) {
		if _, err := model.Collect(t.Context(), m, ask()); err != nil {
			t.Error(err)
		}
	})
}

func TestASlowConsumerIsNotAStall(t *testing.T) {
	inBubble(t, model.Config{}, func(w http.ResponseWriter, _ *http.Request) { flush(w, firstHalf); flush(w, good) }, func(t *testing.T, m *model.Provider) {
		for _, err := range m.Stream(t.Context(), ask()) {
			if err != nil {
				t.Error(err)
			}
			time.Sleep(6 * time.Minute) // fake time
		}
	})
}

// The total timeout counts even when everything has arrived and only the consumer
// takes the time.
func TestTheTotalCountsTheConsumerToo(t *testing.T) {
	inBubble(t, model.Config{}, func(w http.ResponseWriter, _ *http.Request) { flush(w, good) }, func(t *testing.T, m *model.Provider) {
		events := 0
		var last error
		for _, err := range m.Stream(t.Context(), ask()) {
			events++
			last = err
			time.Sleep(61 * time.Minute) // fake time
		}
		if !errors.Is(last, model.ErrTotal) || events != 2 {
			t.Errorf("%v after %d events", last, events)
		}
	})
}

func TestPausesAreThoseThatTheProviderAsksFor(t *testing.T) {
	n := 0
	h := func(w http.ResponseWriter, _ *http.Request) {
		switch n++; n {
		case 1:
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		case 2:
			w.Header().Set("Retry-After", time.Now().Add(30*time.Second).UTC().Format(http.TimeFormat))
			w.WriteHeader(529)
		default:
			fmt.Fprint(w, good)
		}
	}
	inBubble(t, model.Config{}, h, func(t *testing.T, m *model.Provider) {
		start := time.Now()
		if _, err := model.Collect(t.Context(), m, ask()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took < 36*time.Second || took > 38*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestPausesGrowWithinTheirBounds(t *testing.T) {
	retry := model.Retry{Max: 8, Base: time.Second, Cap: 4 * time.Second}
	inBubble(t, model.Config{Retry: retry}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, func(t *testing.T, m *model.Provider) {
		start := time.Now()
		if _, err := model.Collect(t.Context(), m, ask()); !isStatus(500)(err) {
			t.Error(err)
		}
		if took := time.Since(start); took == 0 || took > (1+2+6*4)*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestACallerDoesNotWaitOutAPause(t *testing.T) {
	h := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "50")
		w.WriteHeader(http.StatusTooManyRequests)
	}
	inBubble(t, model.Config{}, h, func(t *testing.T, m *model.Provider) {
		ctx, cancel := context.WithCancel(t.Context())
		defer time.AfterFunc(time.Second, cancel).Stop()
		start := time.Now()
		_, err := model.Collect(ctx, m, ask())
		if !errors.Is(err, context.Canceled) || time.Since(start) != time.Second {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}

func TestLeavingEarlyStopsTheServerAndLeavesNothingBehind(t *testing.T) {
	gone := make(chan struct{}, 1)
	h := func(w http.ResponseWriter, r *http.Request) {
		flush(w, firstHalf)
		<-r.Context().Done()
		gone <- struct{}{}
	}
	inBubble(t, model.Config{}, h, func(t *testing.T, m *model.Provider) {
		start := time.Now()
		for ev := range m.Stream(t.Context(), ask()) {
			if ev.Type == stream.EventDelta {
				break
			}
		}
		<-gone
		if took := time.Since(start); took != 0 {
			t.Errorf("took %s", took)
		}
	})
}

func TestAConsumerThatPanicsLeavesNothingBehind(t *testing.T) {
	inBubble(t, model.Config{}, func(w http.ResponseWriter, r *http.Request) { flush(w, firstHalf); <-r.Context().Done() }, func(t *testing.T, m *model.Provider) {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		for range m.Stream(t.Context(), ask()) {
			panic("consumer")
		}
	})
}

func TestAServerThatDoesNotHangUpIsNotWaitedFor(t *testing.T) {
	inBubble(t, model.Config{}, func(w http.ResponseWriter, r *http.Request) { flush(w, good); wait(r, time.Hour) }, func(t *testing.T, m *model.Provider) {
		start := time.Now()
		if _, err := model.Collect(t.Context(), m, ask()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestConnectionsServeAgain(t *testing.T) {
	inBubble(t, model.Config{}, text(good), func(t *testing.T, m *model.Provider) {
		dialed := 0
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
			if !info.Reused {
				dialed++
			}
		}})
		for range 3 {
			if _, err := model.Collect(ctx, m, ask()); err != nil {
				t.Error(err)
			}
		}
		if dialed != 1 {
			t.Errorf("%d connections", dialed)
		}
	})
}

package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// running opens so many streams that wait at a gate, a third of which with a
// call that is held.
func running(b *bench, n int, gate <-chan struct{}) (wait func() []*answer) {
	b.t.Helper()
	b.up.Answer(func(r *http.Request) sluicetest.Reply {
		format := wire.Format(r.Header.Get("X-Format"))
		reply := reply(format, true, mixture(format), pieces)
		reply.Pauses = []sluicetest.Pause{{At: reply.Event(eventWith(reply, "First I")), Until: gate}}
		return reply
	})
	answers := make([]*answer, n)
	var begun, over sync.WaitGroup
	begun.Add(n)
	for i := range n {
		over.Go(func() {
			format := wire.Formats()[i%4]
			req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, b.url+target(format, true), bytes.NewReader(question(format, true)))
			if err != nil {
				panic(err)
			}
			req.Header.Set("X-Format", string(format))
			res, err := b.client.Do(req)
			if err != nil {
				begun.Done()
				b.t.Error(err)
				return
			}
			head := readUntil(res.Body, "First I")
			begun.Done()
			answers[i] = b.whole(res)
			answers[i].body = append([]byte(head), answers[i].body...)
		})
	}
	begun.Wait()
	return func() []*answer {
		over.Wait()
		return answers
	}
}

// TestFaultDrain: when the gateway stops, running exchanges finish, and no new
// one starts.
func TestFaultDrain(t *testing.T) {
	leakFree(t)
	gate := make(chan struct{})
	b := newBench(t, withMarks(t, nil))
	wait := running(b, size(100, 400), gate)
	drained := make(chan error, 1)
	go func() { drained <- b.Drain(context.Background()) }()
	eventually(t, "the gateway says that it is stopping", func() bool {
		return b.do(http.MethodGet, "/readyz", nil, nil).status == http.StatusServiceUnavailable
	})
	for _, format := range wire.Formats() {
		for _, streamed := range []bool{true, false} {
			a := b.ask(format, streamed)
			if message := refused(t, format, a, http.StatusServiceUnavailable); !strings.Contains(message, "stopping") {
				t.Errorf("the client is told %q", message)
			}
			a.story().ended(t, gateway.Stopped)
		}
	}
	select {
	case err := <-drained:
		t.Fatalf("drained while exchanges run: %v", err)
	default:
	}
	close(gate)
	for i, a := range wait() {
		format := wire.Formats()[i%4]
		report := goodStream(t, format, a)
		nothingUnjudged(t, format, a, report.Calls)
		a.story().ended(t, gateway.Complete)
	}
	if err := <-drained; err != nil || b.Open() != 0 {
		t.Errorf("drained with %v and %d open", err, b.Open())
	}
}

// TestFaultDrainDeadline: what has not ended in time is ended with an error of
// its dialect.
func TestFaultDrainDeadline(t *testing.T) {
	leakFree(t)
	never := make(chan struct{})
	b := newBench(t, withMarks(t, nil))
	n := size(100, 400)
	wait := running(b, n, never)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := b.Drain(ctx)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d exchanges were cut off", n)) {
		t.Errorf("Drain says %v", err)
	}
	for i, a := range wait() {
		format := wire.Formats()[i%4]
		report := failedStream(t, format, a)
		nothingUnjudged(t, format, a, report.Calls)
		if !bytes.Contains(a.body, []byte("stopping")) {
			t.Errorf("the client is not told why:\n%s", a.body)
		}
		a.story().ended(t, gateway.Stopped)
	}
	for _, got := range b.up.Requests() {
		happens(t, "the upstream is told to stop", got.Gone)
	}
	if b.Open() != 0 {
		t.Errorf("%d are open", b.Open())
	}
}

// TestFaultStopJudge: a question to a judge is cancelled when the gateway
// stops.
func TestFaultStopJudge(t *testing.T) {
	leakFree(t)
	asked := make(chan struct{})
	judge := policy.WaitFunc("slow", patience, func(ctx context.Context, _ *policy.Subject) policy.Verdict {
		close(asked)
		<-ctx.Done()
		return policy.Verdict{Action: policy.Allow}
	})
	b := newBench(t, func(c *gateway.Config) { c.Policies = live(t, judge) },
		reply(wire.Anthropic, true, said("Text.", "ls "+allowedMark), pieces))
	got := make(chan *answer, 1)
	go func() { got <- b.ask(wire.Anthropic, true) }()
	happens(t, "the judge is asked", asked)
	if err := b.Close(); err == nil {
		t.Error("Close does not say that an exchange was cut off")
	}
	a := <-got
	failedStream(t, wire.Anthropic, a)
	if bytes.Contains(a.body, []byte(allowedMark)) {
		t.Errorf("the call left:\n%s", a.body)
	}
	a.story().ended(t, gateway.Stopped)
}

// TestFaultPanic: an observer of events panics. The client never gets a normal
// end, and the gateway keeps working.
func TestFaultPanic(t *testing.T) {
	leakFree(t)
	for _, when := range []string{"begin", "verdict", "verdict of a judge", "end"} {
		for _, format := range wire.Formats() {
			for _, streamed := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s %s streamed %t", when, format, streamed), func(t *testing.T) {
					var broken atomic.Bool
					broken.Store(true)
					b := newBench(t, withMarks(t, func(c *gateway.Config) {
						tell := c.Observe
						c.Observe = func(e gateway.Event) {
							kind := "begin"
							switch {
							case e.Record != nil:
								kind = "verdict"
							case e.End != nil:
								kind = "end"
							}
							if broken.Load() && strings.HasPrefix(when, kind) {
								panic("a mistake in the host, in " + blockedMark)
							}
							tell(e)
						}
						if when == "verdict of a judge" {
							c.Policies = live(t, policy.WaitFunc("marks", patience, func(_ context.Context, s *policy.Subject) policy.Verdict { return verdictOn(s) }))
						}
					}), reply(format, streamed, mixture(format), pieces))
					res, err := b.open(context.Background(), format, streamed)
					if err == nil {
						a := b.whole(res)
						if bytes.Contains(a.body, []byte(blockedMark)) {
							t.Errorf("the client is told what the panic says, or the blocked call:\n%s", a.body)
						}
						switch {
						case a.status == http.StatusOK && streamed && a.err == nil:
							failedStream(t, format, a)
						case a.status == http.StatusOK && a.err == nil:
							t.Errorf("the client got a good answer:\n%s", a.body)
						case a.status != http.StatusOK && a.err == nil:
							refused(t, format, a, http.StatusInternalServerError)
						}
						if when != "end" && a.header.Get("X-Sluice-Exchange") != "" {
							a.story().ended(t, gateway.Failed)
						}
					}
					b.settled()
					broken.Store(false)
					if a := b.ask(format, streamed); a.status != http.StatusOK || a.err != nil {
						t.Errorf("the gateway does not live on: %d %v", a.status, a.err)
					}
					if !strings.Contains(b.log.String(), "failed") {
						t.Errorf("the log says nothing: %s", b.log.String())
					}
					ctx, cancel := context.WithTimeout(context.Background(), patience)
					defer cancel()
					if err := b.Drain(ctx); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// TestFaultStopTwice: stopping again changes nothing.
func TestFaultStopTwice(t *testing.T) {
	leakFree(t)
	b := newBench(t, nil, sluicetest.Reply{})
	for range 2 {
		if err := b.Drain(context.Background()); err != nil {
			t.Error(err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

package policy_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// payloads is a source that does something before each of its payloads, and
// before its end.
type payloads struct {
	list
	before func(left int) error
}

func (p *payloads) Next() (string, []byte, error) {
	if p.before != nil {
		if err := p.before(len(p.list)); err != nil {
			return "", nil, err
		}
	}
	return p.list.Next()
}

// client is a host's sink that keeps what is sent until it is flushed.
type client struct {
	mu       sync.Mutex
	kept     []byte
	got      []byte
	flushes  int
	failSend func(p []byte) error
	failNow  error // what Flush fails with
}

func (c *client) send(p []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failSend != nil {
		if err := c.failSend(p); err != nil {
			return err
		}
	}
	c.kept = append(c.kept, p...)
	return nil
}

func (c *client) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flushes++
	if c.failNow != nil {
		return c.failNow
	}
	c.got, c.kept = append(c.got, c.kept...), c.kept[:0]
	return nil
}

// has returns what the client got, and how much the host still keeps.
func (c *client) has() (got string, kept int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.got), len(c.kept)
}

// serve runs an exchange with a client behind a buffer.
func serve(t *testing.T, src policy.Source, c *client, s *policy.Set, o policy.RunOptions) ([]policy.Record, error) {
	t.Helper()
	return serveWithin(t.Context(), src, c, s, o)
}

func serveWithin(ctx context.Context, src policy.Source, c *client, s *policy.Set, o policy.RunOptions) ([]policy.Record, error) {
	var records []policy.Record
	e := policy.NewEngine(s, nil, policy.Options{
		Format: wire.OpenAIResponses, Feedback: o.Feedback != nil, Record: func(r *policy.Record) { records = append(records, *r) },
	})
	out := stream.NewOutput(wire.OpenAIResponses.NewWriter(e.WriterOptions()), c.send)
	o.Flush = c.flush
	err := e.Run(ctx, src, out, o)
	c.got, c.kept = append(c.got, c.kept...), nil // the host passes on what is left
	return records, err
}

// responses are the payloads of an answer whose calls leave at their own
// verdict. The last one says that the answer has ended.
func responses(blocks ...llm.Block) list {
	return sluicetest.Build(sluicetest.OpenAIResponses, [][]llm.Block{blocks}, sluicetest.BuildOptions{MaxPiece: 4})
}

// slow returns a judge that decides after a time.
func slow(after time.Duration, action policy.Action) policy.Definition {
	return policy.WaitFunc("slow", time.Hour, func(ctx context.Context, _ *policy.Subject) policy.Verdict {
		select {
		case <-time.After(after):
		case <-ctx.Done():
		}
		return policy.Verdict{Action: action}
	})
}

// at returns what a source does before the payload that is followed by so many
// others.
func at(left int, do func() error) func(int) error {
	return func(n int) error {
		if n != left {
			return nil
		}
		return do()
	}
}

func sleep(d time.Duration) func() error {
	return func() error { time.Sleep(d); return nil }
}

// An answer about which nobody is asked is read, judged and sent by the caller
// alone.
func TestAnAnswerWithoutQuestionsMakesNoGoroutine(t *testing.T) {
	for _, format := range sluicetest.Formats() {
		before := runtime.NumGoroutine()
		count := func() {
			if now := runtime.NumGoroutine(); now > before {
				t.Errorf("%s: %d goroutines, %d before", format, now, before)
			}
		}
		src := &payloads{
			list:   sluicetest.Build(format, [][]llm.Block{{says("hello"), call("good", `{"a":1}`), call("bad", `{}`)}}, sluicetest.BuildOptions{MaxPiece: 1}),
			before: func(int) error { count(); return nil },
		}
		e := policy.NewEngine(set(t, blockNamed("bad")), nil, policy.Options{Format: wire.Format(format)})
		out := stream.NewOutput(wire.Format(format).NewWriter(e.WriterOptions()), func([]byte) error { count(); return nil })
		stops := 0
		err := e.Run(t.Context(), src, out, policy.RunOptions{Stop: func() { stops++; count() }})
		if count(); err != nil || stops != 1 {
			t.Errorf("%s: %v, stopped %d times", format, err, stops)
		}
	}
}

// What was sent reaches a client behind a buffer when something is waited for.
func TestWhatWasSentIsFlushed(t *testing.T) {
	answer := func() list { return responses(says("hello"), call("good", `{"a":1}`)) }
	for _, tc := range []struct {
		name    string
		set     []policy.Definition
		src     func(c *client, t *testing.T) *payloads
		flushes int
		want    error
	}{
		{name: "not at the end", src: func(*client, *testing.T) *payloads { return &payloads{list: answer()} }},
		{
			name: "after an answer, while the source waits", set: []policy.Definition{slow(time.Second, policy.Allow)},
			src: func(c *client, t *testing.T) *payloads {
				return &payloads{list: answer(), before: at(1, func() error {
					c.flush()
					time.Sleep(3 * time.Second)
					if got, kept := c.has(); kept != 0 || !strings.Contains(got, `"good"`) {
						t.Errorf("%d bytes are kept, the client has %s", kept, got)
					}
					return nil
				})}
			}, flushes: 1 + 1,
		},
		{
			name: "after an answer, when the source has ended", set: []policy.Definition{slow(time.Second, policy.Allow)},
			src: func(*client, *testing.T) *payloads { return &payloads{list: answer()} }, flushes: 1 + 1,
		},
		{
			name: "not after an answer that sends nothing", set: []policy.Definition{inShadow(slow(time.Second, policy.Block))},
			src: func(*client, *testing.T) *payloads { return &payloads{list: answer()} }, flushes: 1,
		},
		{
			name: "after a keepalive",
			src: func(c *client, t *testing.T) *payloads {
				return &payloads{list: answer(), before: at(1, func() error {
					c.flush()
					for range 3 { // the first tick finds that something was sent
						before, _ := c.has()
						time.Sleep(10*time.Second + time.Millisecond)
						if got, kept := c.has(); kept != 0 || c.flushes > 1 && got == before {
							t.Errorf("%d bytes are kept, the client has %s", kept, got)
						}
					}
					return nil
				})}
			}, flushes: 1 + 2,
		},
		{
			name: "after an abort in an answer", set: []policy.Definition{slow(time.Second, policy.Abort)},
			src: func(*client, *testing.T) *payloads {
				return &payloads{list: answer(), before: at(1, sleep(2*time.Second))}
			}, flushes: 1, want: &policy.AbortError{},
		},
		{
			name: "not after an abort in place", set: []policy.Definition{policy.Func("no", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Abort} })},
			src: func(*client, *testing.T) *payloads { return &payloads{list: answer()} }, want: &policy.AbortError{},
		},
		{
			name: "not after a source that failed",
			src: func(*client, *testing.T) *payloads {
				return &payloads{list: answer(), before: at(3, func() error { return errBroken })}
			}, want: errBroken,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := new(client)
				_, err := serve(t, tc.src(c, t), c, set(t, tc.set...), policy.RunOptions{})
				_, aborts := tc.want.(*policy.AbortError)
				if _, aborted := errors.AsType[*policy.AbortError](err); aborted != aborts || !aborts && !errors.Is(err, tc.want) {
					t.Errorf("got %v, want %v", err, tc.want)
				}
				got, kept := c.has()
				report, invalid := sluicetest.Inspect(sluicetest.OpenAIResponses, []byte(got))
				if kept != 0 || c.flushes != tc.flushes || invalid != nil || report.Ended == (tc.want != nil) || report.Failed != (tc.want != nil) {
					t.Errorf("%d flushes, want %d, %d bytes are kept: %v\n%s", c.flushes, tc.flushes, kept, invalid, got)
				}
			})
		})
	}
}

func inShadow(d policy.Definition) policy.Definition {
	d.Mode = policy.Shadow
	return d
}

// tells is a host that offers feedback.
type tells func(ctx context.Context) (policy.Source, error)

func (f tells) Again(ctx context.Context, _ []policy.Denial) (policy.Source, error) { return f(ctx) }
func (tells) Keep([]policy.Denial)                                                  {}

// Before the model gets feedback, the client has everything so far. It gets
// keepalives meanwhile, and it has everything before the wait for the next
// answer.
func TestAClientIsNotForgottenWhileTheModelIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := new(client)
		nothingKept := func(when string) {
			if got, kept := c.has(); kept != 0 || !strings.Contains(got, "hell") {
				t.Errorf("%s: %d bytes are kept, the client has %s", when, kept, got)
			}
		}
		host := tells(func(context.Context) (policy.Source, error) {
			nothingKept("when the model is told")
			before, _ := c.has()
			time.Sleep(21 * time.Second)
			if got, _ := c.has(); got == before {
				t.Error("no sign of life")
			}
			next := responses(says("sorry"))
			return &payloads{list: next, before: at(len(next), func() error { nothingKept("before the next answer"); return nil })}, nil
		})
		_, err := serve(t, &payloads{list: responses(says("hello"), call("bad", `{}`))}, c, set(t, blockNamed("bad")), policy.RunOptions{Feedback: host})
		got, _ := c.has()
		report, invalid := sluicetest.Inspect(sluicetest.OpenAIResponses, []byte(got))
		if err != nil || invalid != nil || !report.Ended || fmt.Sprint(report.Texts) != "[hello sorry]" {
			t.Errorf("%v, %v, %q\n%s", err, invalid, report.Texts, got)
		}
	})
}

// A source and an error are an error: what was refused does not go on.
func TestAnAnswerWithAnErrorIsNone(t *testing.T) {
	c := new(client)
	host := tells(func(context.Context) (policy.Source, error) {
		return &payloads{list: responses(says("sorry"))}, errBroken
	})
	_, err := serve(t, &payloads{list: responses(call("bad", `{}`))}, c, set(t, blockNamed("bad")), policy.RunOptions{Feedback: host})
	if got, _ := c.has(); err != nil || strings.Contains(got, "sorry") || !strings.Contains(got, "Sluice blocked") {
		t.Errorf("%v\n%s", err, got)
	}
}

// While a source waits, whatever ends the run stops the source, once, and is
// what the run ends with. Nothing is sent or decided after it.
func TestARunEndsWhileItsSourceWaits(t *testing.T) {
	errFlush := errors.New("the flush failed")
	for _, tc := range []struct {
		name   string
		judge  policy.Action
		client *client
		ends   func(gone context.CancelCauseFunc, c *client) // after two seconds
		want   func(error) bool
	}{
		{
			name: "an answer aborts", judge: policy.Abort,
			want: func(err error) bool { _, ok := errors.AsType[*policy.AbortError](err); return ok },
		},
		{
			name: "the client goes when an answer is sent", judge: policy.Allow, client: &client{failSend: failsAt("good")},
			want: func(err error) bool { return errors.Is(err, errGone) },
		},
		{
			name: "the host panics when an answer is sent", judge: policy.Allow, client: &client{failSend: func(p []byte) error {
				if bytes.Contains(p, []byte("good")) {
					panic("oh")
				}
				return nil
			}},
			want: func(err error) bool { return err != nil },
		},
		{
			name: "the flush of an answer fails", judge: policy.Allow, client: &client{failNow: errFlush},
			want: func(err error) bool { return errors.Is(err, errFlush) },
		},
		{
			name: "the client goes at a keepalive", ends: func(_ context.CancelCauseFunc, c *client) {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.failSend = failsAt("")
			},
			want: func(err error) bool { return errors.Is(err, errGone) },
		},
		{
			name: "the flush of a keepalive fails", client: &client{failNow: errFlush},
			want: func(err error) bool { return errors.Is(err, errFlush) },
		},
		{
			name: "the context is done", ends: func(gone context.CancelCauseFunc, _ *client) { gone(errGone) },
			want: func(err error) bool { return errors.Is(err, errGone) },
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, gone := context.WithCancelCause(t.Context())
				defer gone(nil)
				c := cmp.Or(tc.client, new(client))
				stopped, sentAtStop := make(chan struct{}), 0
				src := &payloads{list: responses(says("hello"), call("good", `{}`), call("later", `{}`)), before: at(1, func() error {
					<-stopped
					time.Sleep(time.Minute) // it takes its time, and others come meanwhile
					return io.ErrUnexpectedEOF
				})}
				judge := policy.WaitFunc("judge", time.Hour, func(ctx context.Context, s *policy.Subject) policy.Verdict {
					if tc.judge == 0 {
						return waitFor(ctx, s)
					}
					time.Sleep(time.Second)
					if s.Block.Name == "later" {
						time.Sleep(time.Second)
					}
					return policy.Verdict{Action: tc.judge}
				})
				if tc.ends != nil {
					time.AfterFunc(2*time.Second, func() { tc.ends(gone, c) })
				}
				records, err := serveWithin(ctx, src, c, set(t, judge), policy.RunOptions{Stop: func() {
					sentAtStop = len(c.got) + len(c.kept)
					close(stopped)
				}})
				if !tc.want(err) {
					t.Errorf("got %v", err)
				}
				if n := len(c.got) + len(c.kept); n != sentAtStop || bytes.Contains(append(c.got, c.kept...), []byte("later")) {
					t.Errorf("%d bytes were sent after the end:\n%s%s", n-sentAtStop, c.got, c.kept)
				}
				for block, n := range recordedBlocks(records) {
					if n != 1 {
						t.Errorf("block %v has %d records", block, n)
					}
				}
				if len(records) != 3 {
					t.Errorf("recorded %+v", records)
				}
			})
		})
	}
}

func failsAt(part string) func([]byte) error {
	return func(p []byte) error {
		if bytes.Contains(p, []byte(part)) {
			return errGone
		}
		return nil
	}
}

// A flush that fails ends the run wherever it is called.
func TestAFlushThatFailsEndsTheRun(t *testing.T) {
	for _, tc := range []struct {
		name string
		defs []policy.Definition
		src  *payloads
	}{
		{"at the end of a source", []policy.Definition{slow(time.Minute, policy.Allow)}, &payloads{list: responses(says("x"), call("good", "{}"))}},
		{"at a keepalive", nil, &payloads{list: responses(says("x")), before: at(1, sleep(time.Minute))}},
		{"after an abort", []policy.Definition{slow(time.Second, policy.Abort)}, &payloads{list: responses(call("good", "{}")), before: at(1, sleep(time.Minute))}},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &client{failNow: errGone}
			_, err := serve(t, tc.src, c, set(t, tc.defs...), policy.RunOptions{})
			if !errors.Is(err, errGone) || c.flushes != 1 {
				t.Errorf("%s: %v, %d flushes", tc.name, err, c.flushes)
			}
			if _, aborted := errors.AsType[*policy.AbortError](err); aborted != (tc.name == "after an abort") {
				t.Errorf("%s: %v", tc.name, err)
			}
		})
	}
}

// The client gets a keepalive at every tick of the clock if nothing was sent
// since the last one, while it waits for the upstream or for a verdict, and not
// while only verdicts in shadow mode are outstanding.
func TestAClientIsKeptAlive(t *testing.T) {
	for _, tc := range []struct {
		name  string
		every time.Duration
		defs  []policy.Definition
		wait  time.Duration // of the source, before the answer
		want  int
	}{
		{"a source that is quick", 0, nil, 9 * time.Second, 0},
		{"a long wait for the source", 0, nil, 35 * time.Second, 3},
		{"a shorter time", time.Second, nil, 5500 * time.Millisecond, 5},
		{"never", -1, nil, time.Hour, 0},
		{"a long wait for a verdict", 0, []policy.Definition{slow(35*time.Second, policy.Allow)}, 0, 2},
		{"a long wait for one in shadow", 0, []policy.Definition{inShadow(slow(35*time.Second, policy.Allow))}, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := new(client)
				answer := responses(says("x"), call("good", "{}"))
				_, err := serve(t, &payloads{list: answer, before: at(len(answer), sleep(tc.wait))}, c, set(t, tc.defs...), policy.RunOptions{Keepalive: tc.every})
				alive := wire.OpenAIResponses.NewWriter(stream.WriterOptions{}).Keepalive(nil)
				if n := bytes.Count(c.got, alive); err != nil || n != tc.want {
					t.Errorf("%v, %d keepalives, want %d\n%s", err, n, tc.want, c.got)
				}
			})
		})
	}
}

// Verdicts that come in any order while payloads come leave a legal answer with
// every call, and the host may flush at any time.
func TestManyAnswersWhilePayloadsCome(t *testing.T) {
	const calls = 150
	judge := func(name string) policy.Definition {
		return policy.WaitFunc(name, time.Minute, func(_ context.Context, s *policy.Subject) policy.Verdict {
			for range rand.IntN(50) {
				runtime.Gosched()
			}
			if s.Block.Name == "bad" {
				return policy.Verdict{Action: policy.BlockEndTurn}
			}
			return policy.Verdict{Action: policy.Allow}
		})
	}
	s := set(t, judge("one"), judge("two"), inShadow(judge("three")))
	for range 5 {
		var blocks []llm.Block
		for i := range calls {
			b := call([]string{"good", "fine", "bad"}[i%3], `{"a":1}`)
			b.ID = fmt.Sprint("call_", i)
			blocks = append(blocks, b)
		}
		c := new(client)
		src := &payloads{list: responses(blocks...), before: func(int) error { runtime.Gosched(); return c.flush() }}
		records, err := serve(t, src, c, s, policy.RunOptions{Keepalive: 50 * time.Microsecond})
		report, invalid := sluicetest.Inspect(sluicetest.OpenAIResponses, c.got)
		if err != nil || invalid != nil || len(c.kept) != 0 || len(report.Calls) != calls*2/3 || len(records) != calls {
			t.Errorf("%v, %v, %d calls, %d records", err, invalid, len(report.Calls), len(records))
		}
	}
}

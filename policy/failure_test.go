package policy_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errBroken = errors.New("the judge is broken")

// waitFor returns a judge that waits until its context is done.
func waitFor(ctx context.Context, _ *policy.Subject) policy.Verdict {
	<-ctx.Done()
	return policy.Verdict{Err: ctx.Err()}
}

// Whatever a judge does, the call does not pass unjudged, the answer stays
// legal, and the records say what happened.
func TestAJudgeThatFailsDoesNotLetPass(t *testing.T) {
	inPlace := func(f func(*policy.Subject) policy.Verdict) policy.Definition { return policy.Func("judge", f) }
	for _, tc := range []struct {
		name  string
		def   policy.Definition
		cause policy.Cause
	}{
		{"no decision", inPlace(func(*policy.Subject) policy.Verdict { return policy.Verdict{} }), policy.CauseError},
		{"an error", inPlace(func(*policy.Subject) policy.Verdict { return policy.Verdict{Err: errBroken} }), policy.CauseError},
		{"an action that does not exist", inPlace(func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: 99} }), policy.CauseError},
		{"a panic", inPlace(func(*policy.Subject) policy.Verdict { panic("oh") }), policy.CausePanic},
		{"a panic when the exchange begins", policy.Definition{Name: "judge", New: func(*policy.Exchange) policy.Policy { panic("oh") }}, policy.CausePanic},
		{"a panic beside the stream", policy.WaitFunc("judge", time.Second, func(context.Context, *policy.Subject) policy.Verdict { panic("oh") }), policy.CausePanic},
		{"a timeout", policy.WaitFunc("judge", time.Second, waitFor), policy.CauseTimeout},
		{"no decision beside the stream", policy.WaitFunc("judge", time.Second, func(context.Context, *policy.Subject) policy.Verdict { return policy.Verdict{} }), policy.CauseError},
		{"a rewrite from one who cannot rewrite", inPlace(func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Rewrite} }), ""},
		{"a panic in a change", policy.Definition{Name: "judge", New: func(*policy.Exchange) policy.Policy {
			return policy.Policy{Change: func(context.Context, *policy.Subject) policy.Change { panic("oh") }}
		}}, policy.CausePanic},
		{"a verdict too few on calls judged together", policy.Definition{Name: "judge", New: func(*policy.Exchange) policy.Policy {
			return policy.Policy{JudgeAll: func(context.Context, []*policy.Subject) []policy.Verdict { return nil }}
		}}, policy.CauseError},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := sluicetest.Enforcement{Set: set(t, tc.def)}
				n.EachForm(context.Background(), []llm.Block{says("x"), call("bad", `{"secret":"X9ZZY"}`)}, func(name, _ string, d sluicetest.Delivered) {
					if d.Err != nil || d.Invalid != nil {
						t.Errorf("%s: %v, %v", name, d.Err, d.Invalid)
					}
					if len(d.Report.Calls) != 0 || bytes.Contains(d.Bytes, []byte("X9ZZY")) {
						t.Errorf("%s: the call passed:\n%s", name, d.Bytes)
					}
					if bytes.Contains(d.Bytes, []byte("broken")) || bytes.Contains(d.Bytes, []byte("oh")) && strings.Contains(tc.name, "panic") {
						t.Errorf("%s: the client was told what failed inside:\n%s", name, d.Bytes)
					}
					if v := recordOf(d, llm.ToolCall).Verdict; v.Cause != tc.cause || v.Policy != "judge" || !v.Action.Blocks() {
						t.Errorf("%s: recorded %+v", name, v)
					}
				})
			})
		})
	}
}

// on_error decides, but a failure is always in the records.
func TestOnErrorDecidesAboutFailures(t *testing.T) {
	for action, want := range map[policy.Action]policy.Action{
		policy.Allow: policy.Annotate, policy.Annotate: policy.Annotate, policy.Block: policy.BlockEndTurn,
		policy.BlockEndTurn: policy.BlockEndTurn, policy.Ask: policy.BlockEndTurn, policy.Abort: policy.Abort, 0: policy.BlockEndTurn,
	} {
		def := policy.Func("judge", func(*policy.Subject) policy.Verdict { return policy.Verdict{Err: errBroken} })
		def.OnError = action
		r := set(t, def).Decide(context.Background(), nil, call("x", "{}"), policy.Options{})
		if r.Verdict.Action != want || r.Delivered != want.Passes() || len(r.Verdicts) == 0 || !errors.Is(r.Verdicts[0].Err, errBroken) {
			t.Errorf("on error %s: got %+v", action, r)
		}
	}
}

// Calls that two readers would read in two ways, or not at all.
func TestCallsThatNobodyCanReadAreBlocked(t *testing.T) {
	allow := policy.Func("allow", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} })
	truncated := call("Bash", `{"command":"rm`)
	truncated.Status = llm.Incomplete
	for _, tc := range []struct {
		name  string
		block llm.Block
		cause policy.Cause
	}{
		{"truncated", truncated, policy.CauseTruncated},
		{"not JSON", call("Bash", `rm -rf /`), policy.CauseUnreadable},
		{"stops in the middle", call("Bash", `{"command":"rm`), policy.CauseUnreadable},
		{"a key twice", call("Bash", `{"command":"ls","command":"rm -rf /"}`), policy.CauseUnreadable},
		{"a key twice, spelled differently", call("Bash", "{\"command\":\"ls\",\"\\u0063ommand\":\"rm -rf /\"}"), policy.CauseUnreadable},
		{"a list", call("Bash", `["rm"]`), policy.CauseUnreadable},
		{"no name", call("", `{}`), policy.CauseUnreadable},
	} {
		r := set(t, allow).Decide(context.Background(), nil, tc.block, policy.Options{})
		if !r.Verdict.Action.Blocks() || r.Verdict.Cause != tc.cause || r.Delivered {
			t.Errorf("%s: got %+v", tc.name, r.Verdict)
		}
	}
	if r := set(t, allow).Decide(context.Background(), nil, call("Bash", ""), policy.Options{}); r.Verdict.Action != policy.Allow {
		t.Errorf("no arguments are an empty object: got %+v", r.Verdict)
	}
	shadow := allow
	shadow.Mode = policy.Shadow
	if r := set(t, shadow).Decide(context.Background(), nil, call("Bash", "rm"), policy.Options{}); !r.Delivered {
		t.Errorf("in shadow nothing is enforced: got %+v", r.Verdict)
	}
}

// An answer that is cut while a call is held never ends well, and the call never
// leaves.
func TestACutAnswerDropsWhatIsHeld(t *testing.T) {
	for _, def := range []policy.Definition{blockNamed("bad"), policy.WaitFunc("slow", time.Hour, waitFor)} {
		n := sluicetest.Enforcement{Set: set(t, def)}
		for _, format := range sluicetest.Formats() {
			payloads := sluicetest.Build(format, [][]llm.Block{{says("hello"), call("good", `{"secret":"X9ZZY"}`)}}, sluicetest.BuildOptions{MaxPiece: 4})
			for cut := 1; cut < len(payloads)-1; cut++ {
				events := sluicetest.SSE(format, payloads[:cut])
				for name, events := range map[string]io.Reader{
					"ended": bytes.NewReader(events), "broken": sluicetest.CutAt(append(events, "data: {"...), len(events)+3, errBroken),
				} {
					d := n.Stream(context.Background(), format, events)
					if d.Err == nil && d.Report.Ended && len(d.Report.Calls) > 0 && def.Waits {
						t.Errorf("%s, %s after %d of %d: a cut answer ended well: %s", format, name, cut, len(payloads), d.Bytes)
					}
					if bytes.Contains(d.Bytes, []byte("X9ZZY")) && def.Waits {
						t.Errorf("%s, %s after %d of %d: an unjudged call left", format, name, cut, len(payloads))
					}
				}
			}
		}
	}
}

// A client that is gone ends the judges, and nothing is left running.
func TestAClientThatIsGoneEndsTheJudges(t *testing.T) {
	ctx, gone := context.WithCancel(context.Background())
	asked := make(chan struct{})
	def := policy.WaitFunc("slow", time.Hour, func(ctx context.Context, s *policy.Subject) policy.Verdict {
		close(asked)
		return waitFor(ctx, s)
	})
	go func() {
		<-asked
		gone()
	}()
	events := sluicetest.SSE(sluicetest.Anthropic, sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{{call("x", "{}")}}, sluicetest.BuildOptions{}))
	d := sluicetest.Enforcement{Set: set(t, def)}.Stream(ctx, sluicetest.Anthropic, bytes.NewReader(events))
	if !errors.Is(d.Err, context.Canceled) || len(d.Report.Calls) > 0 {
		t.Errorf("got %v, %+v", d.Err, d.Report)
	}
	if len(d.Records) != 1 || d.Records[0].Delivered {
		t.Errorf("recorded %+v", d.Records)
	}
}

// Exchanges keep the set they began with while another one takes its place.
func TestASwapDoesNotTouchRunningExchanges(t *testing.T) {
	const exchanges = 200
	strict := set(t, blockNamed("x"))
	open := set(t, policy.WaitFunc("open", time.Minute, func(context.Context, *policy.Subject) policy.Verdict {
		return policy.Verdict{Action: policy.Allow}
	}))
	live := policy.NewLive(strict)
	events := sluicetest.SSE(sluicetest.Anthropic, sluicetest.Build(sluicetest.Anthropic,
		[][]llm.Block{{says("hello"), call("x", `{"a":1}`), call("y", `{"b":2}`)}}, sluicetest.BuildOptions{MaxPiece: 2}))
	stop := make(chan struct{})
	var swaps atomic.Int64
	var swapping, running sync.WaitGroup
	swapping.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				live.Swap(open)
				live.Swap(strict)
				swaps.Add(1)
			}
		}
	})
	for i := range exchanges {
		running.Go(func() {
			s := live.Load()
			d := sluicetest.Enforcement{Set: s}.Stream(context.Background(), sluicetest.Anthropic, bytes.NewReader(events))
			want := 2
			if s == strict {
				want = 1
			}
			if d.Err != nil || d.Invalid != nil || len(d.Report.Calls) != want {
				t.Errorf("exchange %d: %v, %v, %d calls, want %d", i, d.Err, d.Invalid, len(d.Report.Calls), want)
			}
			for _, r := range d.Records {
				if r.Version != s.Version() {
					t.Errorf("exchange %d: recorded version %s, want %s", i, r.Version, s.Version())
				}
			}
		})
	}
	running.Wait()
	close(stop)
	swapping.Wait()
	if swaps.Load() == 0 {
		t.Error("nothing was swapped")
	}
	if strict.Version() == open.Version() {
		t.Error("two sets have the same version")
	}
}

package judge_test

import (
	"context"
	"errors"
	"iter"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/judge"
	"github.com/sluice-project/sluice/stream"
)

// Every way in which a model can fail, and whether it is asked once more.
func TestFailuresAreNoDecision(t *testing.T) {
	status := func(code int) scripted.Step { return scripted.Fail(&model.StatusError{Status: code, Host: "h"}) }
	reported := func(kind string) scripted.Step { return scripted.Fail(&stream.ProviderError{Type: kind}) }
	good := scripted.Text(`{"id":"ID","risk":0,"reason":"fine"}`)
	for _, c := range []struct {
		name  string
		round scripted.Round
		again bool
		cause policy.Cause
	}{
		{"401", scripted.Round{status(401)}, false, policy.CauseError},
		{"403", scripted.Round{status(403)}, false, policy.CauseError},
		{"400", scripted.Round{status(400)}, false, policy.CauseError},
		{"404", scripted.Round{status(404)}, false, policy.CauseError},
		{"429", scripted.Round{status(429)}, true, policy.CauseError},
		{"500", scripted.Round{status(500)}, true, policy.CauseError},
		{"529", scripted.Round{status(529)}, true, policy.CauseError},
		{"429 that asks for more time than there is", scripted.Round{
			scripted.Fail(&model.StatusError{Status: 429, RetryAfter: time.Minute}),
		}, false, policy.CauseError},
		{"no connection", scripted.Round{scripted.Fail(&model.ConnectionError{Host: "h", Err: errors.New("refused")})}, true, policy.CauseError},
		{"an error of the network", scripted.Round{scripted.Fail(&net.OpError{Op: "dial", Err: errors.New("refused")})}, true, policy.CauseError},
		{"not the dialect", scripted.Round{scripted.Fail(&model.ContentError{Host: "h", Err: errors.New("html")})}, true, policy.CauseError},
		{"the model's own timeout", scripted.Round{scripted.Fail(&model.TimeoutError{Phase: model.PhaseIdle})}, true, policy.CauseTimeout},
		{"cut", scripted.Round{good, scripted.Cut()}, true, policy.CauseError},
		{"garbage", scripted.Round{scripted.Garbage()}, true, policy.CauseError},
		{"overloaded inside the answer", scripted.Round{reported("overloaded_error")}, true, policy.CauseError},
		{"no permission inside the answer", scripted.Round{reported("permission_error")}, false, policy.CauseError},
		{"another error", scripted.Round{scripted.Fail(errors.New("strange"))}, false, policy.CauseError},
		{"silence", scripted.Round{}, true, policy.CauseError},
		{"only thoughts", scripted.Round{scripted.Thinking(`{"id":"ID","risk":0,"reason":"fine"}`)}, true, policy.CauseError},
		{"prose", scripted.Round{scripted.Text("It is safe.")}, true, policy.CauseError},
		{"a good answer that was cut at its limit", scripted.Round{good, scripted.Finish(llm.FinishLength)}, false, policy.CauseError},
		{"a good answer that was filtered", scripted.Round{good, scripted.Finish(llm.FinishFiltered)}, false, policy.CauseError},
		{"a refusal", scripted.Round{scripted.Refusal("I cannot help with that.")}, false, policy.CauseError},
		{"a call", scripted.Round{good, scripted.Call("Bash", `{}`)}, true, policy.CauseError},
		{"two answers", scripted.Round{good, good}, true, policy.CauseError},
		{"an endless answer", scripted.Round{scripted.Text(strings.Repeat(" ", 300<<10))}, false, policy.CauseError},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asks := 0
				j := newJudge(t, judge.Config{Model: model.Func(func(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
					asks++
					return renamed(scripted.NewWithOptions(scripted.Options{ChunkSize: 1 << 20}, c.round).Stream(ctx, req), read(req).id)
				})})
				v := j.Judge(t.Context(), subject(`{}`))
				want := 1
				if c.again {
					want = 2
				}
				if v.Action != 0 || v.Err == nil || v.Cause != c.cause || asks != want {
					t.Errorf("verdict %+v after %d questions, want cause %q after %d", v, asks, c.cause, want)
				}
				if !strings.HasPrefix(v.Err.Error(), "judge careful: ") {
					t.Errorf("error %q does not say whose it is", v.Err)
				}
			})
		})
	}
}

// renamed puts the question's id into what a script says.
func renamed(events iter.Seq2[stream.Event, error], id string) iter.Seq2[stream.Event, error] {
	return func(yield func(stream.Event, error) bool) {
		for ev, err := range events {
			ev.Data = []byte(strings.ReplaceAll(string(ev.Data), "ID", id))
			if !yield(ev, err) {
				return
			}
		}
	}
}

func TestAGoodAnswerAfterAFailureCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ids []string
		j := newJudge(t, judge.Config{Model: plays(func(q asked) scripted.Round {
			if ids = append(ids, q.id); len(ids) == 1 {
				return scripted.Round{scripted.Fail(&model.StatusError{Status: 429, RetryAfter: 2 * time.Second})}
			}
			return scripted.Round{scripted.Text(opinion(q, 1, "because"))}
		})})
		began := time.Now()
		if v := j.Judge(t.Context(), subject(`{}`)); v.Action != policy.Block || time.Since(began) != 2*time.Second {
			t.Errorf("verdict %+v after %s", v, time.Since(began))
		}
		if len(ids) != 2 || ids[0] == ids[1] {
			t.Errorf("ids %q: each attempt needs its own", ids)
		}
	})
}

func TestASlowModelEndsAtTheDeadline(t *testing.T) {
	hangs := scripted.Round{scripted.Pause(time.Hour)}
	for _, c := range []struct {
		name  string
		cfg   judge.Config
		outer time.Duration
		after time.Duration
		asks  int
	}{
		{"ten seconds and two attempts unless told otherwise", judge.Config{}, time.Hour, 10 * time.Second, 2},
		{"its own", judge.Config{Timeout: 3 * time.Second, Retries: 2}, time.Hour, 3 * time.Second, 3},
		{"one attempt has all of it", judge.Config{Timeout: 3 * time.Second, Retries: -1}, time.Hour, 3 * time.Second, 1},
		{"the caller's if that is sooner", judge.Config{}, time.Second, time.Second, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asks := 0
				c.cfg.Model = plays(func(asked) scripted.Round { asks++; return hangs })
				ctx, cancel := context.WithTimeout(t.Context(), c.outer)
				defer cancel()
				began := time.Now()
				v := newJudge(t, c.cfg).Judge(ctx, subject(`{}`))
				synctest.Wait()
				if v.Action != 0 || v.Cause != policy.CauseTimeout || !errors.Is(v.Err, context.DeadlineExceeded) || time.Since(began) != c.after || asks != c.asks {
					t.Errorf("verdict %+v after %s and %d questions", v, time.Since(began), asks)
				}
			})
		})
	}
}

func TestAnAnswerInTimeOfTheSecondAttemptCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asks := 0
		j := newJudge(t, judge.Config{Model: plays(func(q asked) scripted.Round {
			if asks++; asks == 1 {
				return scripted.Round{scripted.Pause(time.Hour)}
			}
			return scripted.Round{scripted.Pause(4 * time.Second), scripted.Text(opinion(q, 0.2, "fine"))}
		})})
		began := time.Now()
		if v := j.Judge(t.Context(), subject(`{}`)); v.Action != policy.Allow || time.Since(began) != 9*time.Second {
			t.Errorf("verdict %+v after %s", v, time.Since(began))
		}
	})
}

func TestAModelThatPanicsIsAFailure(t *testing.T) {
	for name, m := range map[string]model.Model{
		"when it is asked": model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] { panic("boom") }),
		"while it answers": model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
			return func(func(stream.Event, error) bool) { panic("boom") }
		}),
		"with no answer at all": model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] { return nil }),
	} {
		t.Run(name, func(t *testing.T) {
			if v := newJudge(t, judge.Config{Model: m}).Judge(t.Context(), subject(`{}`)); v.Action != 0 || v.Cause != policy.CausePanic {
				t.Errorf("verdict %+v", v)
			}
		})
	}
}

func TestAModelThatIgnoresItsContextHoldsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf := model.Func(func(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
			return scripted.New(scripted.Round{scripted.Pause(time.Minute), scripted.Text("?")}).Stream(context.WithoutCancel(ctx), req)
		})
		began := time.Now()
		v := newJudge(t, judge.Config{Model: deaf}).Judge(t.Context(), subject(`{}`))
		if v.Action != 0 || v.Cause != policy.CauseTimeout || time.Since(began) != 10*time.Second {
			t.Errorf("verdict %+v after %s", v, time.Since(began))
		}
		time.Sleep(2 * time.Minute)
	})
}

func TestFailuresAreNotRemembered(t *testing.T) {
	asks := 0
	j := newJudge(t, judge.Config{Retries: -1, Model: says(func(q asked) string {
		if asks++; asks == 1 {
			return "?"
		}
		return opinion(q, 0, "fine")
	})})
	if v := j.Judge(t.Context(), subject(`{}`)); v.Action != 0 {
		t.Fatalf("verdict %+v", v)
	}
	if v := j.Judge(t.Context(), subject(`{}`)); v.Action != policy.Allow {
		t.Errorf("verdict %+v", v)
	}
}

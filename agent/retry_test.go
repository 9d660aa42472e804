package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
)

var errBusy = &stream.ProviderError{Type: "overloaded_error", Message: "busy"}

// retrying builds an agent that asks again.
func retrying(t *testing.T, retry agent.RetryConfig, rounds ...scripted.Round) *rig {
	t.Helper()
	advisor, err := agent.NewRetry(retry)
	if err != nil {
		t.Fatal(err)
	}
	return newRig(t, agent.Config{Advisors: []agent.Advisor{advisor}, Loop: agent.LoopConfig{Stream: agent.All}}, rounds...)
}

func TestRetryAsksAgainBeforeTheFirstEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retrying(t, agent.RetryConfig{},
			scripted.Round{scripted.Fail(errBusy)},
			scripted.Round{scripted.Fail(&model.StatusError{Status: 503})},
			scripted.Round{scripted.Call("look", "{}"), scripted.Usage(1, 2)},
			scripted.Round{scripted.Fail(&model.ConnectionError{Host: "h", Err: errors.New("refused")})},
			scripted.Round{scripted.Text("sunny"), scripted.Usage(3, 4)})
		events, result := r.watch("hi")
		r.wants(5, "look{}")
		if got := spell(events); got != "tool_start tool_delta tool_end round_end tool_result text round_end final" {
			t.Errorf("events: %s", got)
		}
		if len(result.Rounds) != 2 || result.Usage.Input != 4 || result.Reason != agent.Done || result.Answer.Round != 2 {
			t.Errorf("result: %+v", result)
		}
	})
}

func TestRetryLeavesTheErrorAlone(t *testing.T) {
	refused := &model.StatusError{Status: 400}
	other := errors.New("out of paper")
	tests := map[string]struct {
		cfg   agent.RetryConfig
		round scripted.Round
		asked int
		says  string
	}{
		"after the first event":          {round: scripted.Round{scripted.Text("some text"), scripted.Fail(errBusy)}, asked: 1, says: "stream: the provider reported overloaded_error"},
		"after thinking":                 {round: scripted.Round{scripted.Thinking("hmm"), scripted.Fail(errBusy)}, asked: 1, says: "stream:"},
		"that cannot get better":         {round: scripted.Round{scripted.Fail(refused)}, asked: 1, says: "model:"},
		"that is not known":              {round: scripted.Round{scripted.Fail(other)}, asked: 1, says: "out of paper"},
		"that took its time already":     {round: scripted.Round{scripted.Fail(&model.TimeoutError{Phase: model.PhaseFirstByte})}, asked: 1, says: "model:"},
		"that asks to wait too long":     {round: scripted.Round{scripted.Fail(&model.StatusError{Status: 429, RetryAfter: time.Hour})}, asked: 1, says: "model:"},
		"after the last attempt":         {round: scripted.Round{scripted.Fail(errBusy)}, asked: 3, says: "agent: asked 3 times: stream: the provider reported overloaded_error"},
		"after one attempt, if told so":  {cfg: agent.RetryConfig{Attempts: 1}, round: scripted.Round{scripted.Fail(errBusy)}, asked: 1, says: "stream:"},
		"after five attempts":            {cfg: agent.RetryConfig{Attempts: 5}, round: scripted.Round{scripted.Fail(errBusy)}, asked: 5, says: "agent: asked 5 times"},
		"if the caller says that it may": {cfg: agent.RetryConfig{Retryable: func(err error) bool { return err == other }}, round: scripted.Round{scripted.Fail(other)}, asked: 3, says: "agent: asked 3 times: out of paper"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				always := append(scripted.Round{scripted.When(func(*llm.Request) bool { return true })}, tt.round...)
				r := retrying(t, tt.cfg, always)
				run := r.Run(t.Context(), &agent.Request{Text: "hi"})
				events, err := eventsOf(run)
				if err == nil || !strings.HasPrefix(err.Error(), tt.says) {
					t.Errorf("error %v, want %q", err, tt.says)
				}
				r.wants(tt.asked, "")
				for _, ev := range events {
					if ev.Type == agent.EventFinal || ev.Type == agent.EventRoundEnd {
						t.Errorf("a failed attempt was seen: %s", ev.Type)
					}
				}
				if len(run.Result().Rounds) != 0 || run.Result().Reason != agent.Failed {
					t.Errorf("result %+v", run.Result())
				}
			})
		})
	}
}

func TestRetryWrapsTheLastError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retrying(t, agent.RetryConfig{}, scripted.Round{scripted.Fail(errBusy)}, scripted.Round{scripted.Fail(&model.StatusError{Status: 400})})
		_, err := r.Call(t.Context(), &agent.Request{Text: "hi"})
		status, ok := errors.AsType[*model.StatusError](err)
		if !ok || status.Status != 400 {
			t.Errorf("error %v", err)
		}
		wantError(t, err, "asked 2 times")
		r.wants(2, "")
	})
}

func TestRetryWaits(t *testing.T) {
	tests := map[string]struct {
		cfg      agent.RetryConfig
		err      error
		min, max time.Duration
	}{
		"a random time by itself":        {err: errBusy, max: 1500 * time.Millisecond},
		"as long as it is told":          {cfg: agent.RetryConfig{Backoff: func(n int) time.Duration { return time.Duration(n) * time.Minute }}, err: errBusy, min: 3 * time.Minute, max: 3 * time.Minute},
		"as long as the provider says":   {err: &model.StatusError{Status: 429, RetryAfter: 50 * time.Second}, min: 100 * time.Second, max: 100 * time.Second},
		"not at all for a negative time": {cfg: agent.RetryConfig{Backoff: func(int) time.Duration { return -1 }}, err: errBusy},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := retrying(t, tt.cfg, scripted.Round{scripted.Fail(tt.err)}, scripted.Round{scripted.Fail(tt.err)}, scripted.Round{scripted.Text("yes")})
				began := time.Now()
				r.ask("hi")
				if d := time.Since(began); d < tt.min || d > tt.max {
					t.Errorf("waited %s, want %s to %s", d, tt.min, tt.max)
				}
			})
		})
	}
}

func TestRetryWaitsNeverLongByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retrying(t, agent.RetryConfig{Attempts: 40}, scripted.Round{scripted.When(func(*llm.Request) bool { return true }), scripted.Fail(errBusy)})
		began := time.Now()
		_, err := r.Call(t.Context(), &agent.Request{Text: "hi"})
		wantError(t, err, "asked 40 times")
		if d := time.Since(began); d > 39*8*time.Second {
			t.Errorf("waited %s", d)
		}
	})
}

func TestRetryStopsWithTheRun(t *testing.T) {
	long := agent.RetryConfig{Backoff: func(int) time.Duration { return time.Hour }}
	cause := errors.New("the user has gone")
	tests := map[string]struct {
		stop func(cancel context.CancelCauseFunc, run *agent.Run)
		want error
	}{
		"the context ends":  {func(cancel context.CancelCauseFunc, _ *agent.Run) { cancel(cause) }, cause},
		"somebody cancels":  {func(_ context.CancelCauseFunc, run *agent.Run) { run.Cancel(agent.Now) }, agent.ErrCancelled},
		"it ended long ago": {nil, cause},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				r := retrying(t, long, scripted.Round{scripted.Fail(errBusy)}, scripted.Round{scripted.Text("yes")})
				run := r.Run(ctx, &agent.Request{Text: "hi"})
				if tt.stop == nil {
					cancel(cause)
				} else {
					time.AfterFunc(time.Minute, func() { tt.stop(cancel, run) })
				}
				began := time.Now()
				_, err := eventsOf(run)
				if !errors.Is(err, tt.want) {
					t.Errorf("error %v", err)
				}
				if d := time.Since(began); d > time.Minute || run.Result().Reason != agent.Cancelled || r.model.Remaining() == 0 {
					t.Errorf("ended after %s: %+v", d, run.Result())
				}
			})
		})
	}
}

// Nothing that arrived of an attempt that does not count is taken for the answer.
func TestRetryLeavesNothingOfAFailedAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retrying(t, agent.RetryConfig{Backoff: func(int) time.Duration { return time.Hour }}, scripted.Round{scripted.Usage(1, 2), scripted.Fail(errBusy)})
		run := r.Run(t.Context(), &agent.Request{Text: "hi"})
		time.AfterFunc(time.Minute, func() { run.Cancel(agent.Now) })
		_, err := eventsOf(run)
		if res := run.Result(); err == nil || res.Answer != nil || len(res.Rounds) != 0 || len(res.Messages) != 0 {
			t.Errorf("%v: %+v", err, res)
		}
	})
}

// Outside of the tool loop, an error in a later round comes before any event in
// some stream modes. The tools have run anyway.
func TestRetryOutsideOfTheLoopNeverRunsToolsTwice(t *testing.T) {
	for _, mode := range modes() {
		t.Run(mode.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				advisor, err := agent.NewRetry(agent.RetryConfig{Order: agent.OutsideLoop - 1})
				if err != nil {
					t.Fatal(err)
				}
				kept := newMemory(t)
				r := newRig(t, agent.Config{Memory: kept, Advisors: []agent.Advisor{advisor}, Loop: agent.LoopConfig{Stream: mode}},
					scripted.Round{scripted.Fail(errBusy)}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Fail(errBusy)}, scripted.Round{scripted.Text("no")})
				_, err = r.Call(t.Context(), &agent.Request{Text: "hi", Conversation: "c"})
				wantError(t, err, "asked 2 times: stream: the provider reported overloaded_error")
				r.wants(3, "look{}")
			})
		})
	}
}

func TestRetryStopsWhenItsConsumerLeaves(t *testing.T) {
	r := retrying(t, agent.RetryConfig{}, scripted.Round{scripted.Text("a long text that comes in pieces"), scripted.Fail(errBusy)}, scripted.Round{scripted.Text("x")})
	for range r.Run(t.Context(), &agent.Request{Text: "hi"}).Events() {
		break
	}
	r.wants(1, "")
}

func TestRetryRefusesNegativeAttempts(t *testing.T) {
	_, err := agent.NewRetry(agent.RetryConfig{Attempts: -1})
	wantError(t, err, "cannot be asked -1 times")
}

func TestRetryableErrors(t *testing.T) {
	tests := map[string]struct {
		err  error
		want bool
	}{
		"nothing":             {nil, false},
		"overloaded":          {errBusy, true},
		"rate limit":          {&stream.ProviderError{Code: "rate_limit_exceeded"}, true},
		"a status as code":    {&stream.ProviderError{Code: "503"}, true},
		"a wrong request":     {&stream.ProviderError{Type: "invalid_request_error", Code: "400"}, false},
		"429":                 {&model.StatusError{Status: 429}, true},
		"500":                 {&model.StatusError{Status: 500}, true},
		"401":                 {&model.StatusError{Status: 401, Provider: errBusy}, false},
		"no connection":       {&model.ConnectionError{Err: errors.New("x")}, true},
		"cut":                 {stream.ErrIncomplete, true},
		"a timeout":           {&model.TimeoutError{Phase: model.PhaseIdle}, false},
		"the caller's cancel": {&model.ConnectionError{Err: context.Canceled}, false},
		"another":             {errors.New("x"), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := agent.RetryableError(tt.err); got != tt.want {
				t.Errorf("%v", got)
			}
		})
	}
}

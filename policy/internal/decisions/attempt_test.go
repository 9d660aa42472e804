package decisions_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/decisions"
)

func TestFailuresThatMayPassAreTriedAgain(t *testing.T) {
	hangs := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	fails := func(err error) func(context.Context) error { return func(context.Context) error { return err } }
	cases := []struct {
		name    string
		retries int
		fail    func(context.Context) error
		times   int // how often the question fails before it is answered
		want    int // attempts made
		after   time.Duration
		failure error
	}{
		{"once unless told otherwise", 0, fails(decisions.RetryNow(errBroken)), 1, 2, 0, nil},
		{"not twice", 0, fails(decisions.RetryNow(errBroken)), 2, 2, 0, errBroken},
		{"never if that is off", -1, fails(decisions.RetryNow(errBroken)), 1, 1, 0, errBroken},
		{"as often as allowed", 3, fails(decisions.RetryNow(errBroken)), 3, 4, 0, nil},
		{"not if it stays", 0, fails(errBroken), 1, 1, 0, errBroken},
		{"after the time that was asked for", 0, fails(decisions.RetryLater(errBroken, 3*time.Second)), 1, 2, 3 * time.Second, nil},
		{"not if that is as long as all the time left", 0, fails(decisions.RetryLater(errBroken, 10*time.Second)), 1, 1, 0, errBroken},
		{"an attempt that hangs, in half of the time", 0, hangs, 1, 2, 5 * time.Second, nil},
		{"or in a quarter of it", 3, hangs, 1, 2, 2500 * time.Millisecond, nil},
		{"until all time is over", 0, hangs, 2, 2, 10 * time.Second, context.DeadlineExceeded},
		{"an only attempt has all the time", -1, hangs, 1, 1, 10 * time.Second, context.DeadlineExceeded},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asker := decisions.NewAsker[string](decisions.Config{Retries: c.retries})
				began, made := time.Now(), 0
				answer, err := asker.Ask(t.Context(), key("a"), func(ctx context.Context) (string, error) {
					if made++; made <= c.times {
						return "", c.fail(ctx)
					}
					return "yes", nil
				})
				synctest.Wait()
				if made != c.want || !errors.Is(err, c.failure) || time.Since(began) != c.after {
					t.Errorf("%d attempts, error %v, %s; want %d, %v, %s", made, err, time.Since(began), c.want, c.failure, c.after)
				}
				if err == nil && (answer.Value != "yes" || answer.Attempts != c.want) {
					t.Errorf("answer %+v", answer)
				}
			})
		})
	}
}

func TestABusySideIsGivenAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[string](decisions.Config{})
		began, made := time.Now(), 0
		_, err := asker.Ask(t.Context(), key("a"), func(context.Context) (string, error) {
			if made++; made == 1 {
				return "", decisions.RetryLater(errBroken, 0)
			}
			return "yes", nil
		})
		if took := time.Since(began); err != nil || took < 100*time.Millisecond || took >= 500*time.Millisecond {
			t.Errorf("error %v after %s", err, took)
		}
	})
}

func TestATimeoutTellsWhatWentWrongBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[string](decisions.Config{})
		made := 0
		_, err := asker.Ask(t.Context(), key("a"), func(ctx context.Context) (string, error) {
			if made++; made == 1 {
				return "", decisions.RetryNow(errBroken)
			}
			<-ctx.Done()
			return "", ctx.Err()
		})
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "10s") {
			t.Errorf("error %v", err)
		}
	})
}

func TestPanicsAreFailures(t *testing.T) {
	for name, question := range map[string]decisions.Question[string]{
		"a panic":                  func(context.Context) (string, error) { panic("boom") },
		"the end of the goroutine": func(context.Context) (string, error) { runtime.Goexit(); return "", nil },
	} {
		t.Run(name, func(t *testing.T) {
			asker := decisions.NewAsker[string](decisions.Config{})
			_, err := asker.Ask(t.Context(), key("a"), question)
			if _, ok := errors.AsType[*decisions.PanicError](err); !ok || !strings.HasPrefix(err.Error(), "panic: ") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestFailuresAreVerdictsWithoutADecision(t *testing.T) {
	for _, c := range []struct {
		err  error
		want policy.Cause
	}{
		{errBroken, policy.CauseError},
		{context.Canceled, policy.CauseError},
		{&decisions.TimeoutError{After: time.Second}, policy.CauseTimeout},
		{context.DeadlineExceeded, policy.CauseTimeout},
		{&decisions.PanicError{Value: "boom"}, policy.CausePanic},
	} {
		if v := decisions.Failure(c.err); v.Action != 0 || v.Err != c.err || v.Cause != c.want {
			t.Errorf("%v became %+v", c.err, v)
		}
	}
}

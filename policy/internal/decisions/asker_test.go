package decisions_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/policy/internal/decisions"
)

var errBroken = errors.New("broken")

func key(name string) decisions.Key { return decisions.KeyOf(name) }

// says returns a question that answers with its number, counted in asked.
func says(asked *atomic.Int64) decisions.Question[int64] {
	return func(context.Context) (int64, error) { return asked.Add(1), nil }
}

func TestAnswersAreRememberedForAWhile(t *testing.T) {
	cases := []struct {
		name  string
		cfg   decisions.Config
		later time.Duration
		want  int64
	}{
		{"just before its time is over", decisions.Config{Keep: time.Minute}, time.Minute - 1, 1},
		{"not when it is over", decisions.Config{Keep: time.Minute}, time.Minute, 2},
		{"ten minutes unless told otherwise", decisions.Config{}, 10*time.Minute - 1, 1},
		{"not longer", decisions.Config{}, 10 * time.Minute, 2},
		{"not at all if it is off", decisions.Config{Keep: -1}, 0, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			now := time.Unix(1_700_000_000, 0)
			c.cfg.Now = func() time.Time { return now }
			asker := decisions.NewAsker[int64](c.cfg)
			var asked atomic.Int64
			for range 2 {
				if _, err := asker.Ask(t.Context(), key("a"), says(&asked)); err != nil {
					t.Fatal(err)
				}
				now = now.Add(c.later)
			}
			if got := asked.Load(); got != c.want {
				t.Errorf("asked %d times, want %d", got, c.want)
			}
		})
	}
}

func TestFailuresAreNeverRemembered(t *testing.T) {
	asker := decisions.NewAsker[int64](decisions.Config{Retries: -1})
	if _, err := asker.Ask(t.Context(), key("a"), func(context.Context) (int64, error) { return 0, errBroken }); !errors.Is(err, errBroken) {
		t.Fatalf("error %v", err)
	}
	var asked atomic.Int64
	if answer, err := asker.Ask(t.Context(), key("a"), says(&asked)); err != nil || answer.Value != 1 {
		t.Errorf("answer %+v, error %v", answer, err)
	}
}

func TestOnlySoManyAnswersAreRemembered(t *testing.T) {
	const most = 3
	asker := decisions.NewAsker[int64](decisions.Config{Entries: most})
	var asked atomic.Int64
	ask := func(i int) decisions.Source {
		answer, err := asker.Ask(t.Context(), key(fmt.Sprint(i)), says(&asked))
		if err != nil {
			t.Fatal(err)
		}
		return answer.Source
	}
	for i := range most {
		ask(i)
	}
	for i := range most {
		if ask(i) != decisions.Remembered {
			t.Errorf("answer %d of %d was forgotten", i, most)
		}
	}
	ask(most)
	if ask(1) != decisions.Remembered || ask(most) != decisions.Remembered {
		t.Error("more than the oldest was forgotten")
	}
	if ask(0) == decisions.Remembered {
		t.Error("the oldest is still there")
	}
}

func TestTheSameQuestionIsAskedOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[int64](decisions.Config{})
		var asked, shared atomic.Int64
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				answer, err := asker.Ask(t.Context(), key("a"), func(context.Context) (int64, error) {
					time.Sleep(time.Second)
					return asked.Add(1), nil
				})
				if err != nil || answer.Value != 1 {
					t.Errorf("answer %+v, error %v", answer, err)
				}
				if answer.Source == decisions.Shared {
					shared.Add(1)
				}
			})
		}
		all.Wait()
		if asked.Load() != 1 || shared.Load() != 99 {
			t.Errorf("asked %d times, shared with %d", asked.Load(), shared.Load())
		}
	})
}

func TestWhoAskedFirstMayLeaveWithoutHarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[string](decisions.Config{})
		question := func(ctx context.Context) (string, error) {
			select {
			case <-time.After(2 * time.Second):
				return "yes", nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
		first, leave := context.WithCancelCause(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := asker.Ask(first, key("a"), question); !errors.Is(err, errBroken) {
				t.Errorf("who left got %v", err)
			}
		})
		synctest.Wait()
		all.Go(func() {
			answer, err := asker.Ask(t.Context(), key("a"), question)
			if err != nil || answer.Value != "yes" || answer.Source != decisions.Shared {
				t.Errorf("who stayed got %+v, %v", answer, err)
			}
		})
		synctest.Wait()
		leave(errBroken)
		all.Wait()
	})
}

func TestAQuestionEndsWhenNobodyWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[string](decisions.Config{})
		ended := make(chan time.Duration, 1)
		began := time.Now()
		hangs := func(ctx context.Context) (string, error) {
			<-ctx.Done()
			ended <- time.Since(began)
			return "", ctx.Err()
		}
		var all sync.WaitGroup
		for i := range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i+1)*time.Second)
			all.Go(func() {
				defer cancel()
				_, _ = asker.Ask(ctx, key("a"), hangs)
			})
		}
		all.Wait()
		if after := <-ended; after != 3*time.Second {
			t.Errorf("the question ended after %s, want as soon as the last caller left", after)
		}
		var asked atomic.Int64
		if answer, err := asker.Ask(t.Context(), key("a"), func(context.Context) (string, error) { return fmt.Sprint(asked.Add(1)), nil }); err != nil || answer.Value != "1" {
			t.Errorf("who came after got %+v, %v", answer, err)
		}
	})
}

func TestOnlySoManyQuestionsAreAskedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[int64](decisions.Config{Concurrency: 2})
		var now, most atomic.Int64
		var all sync.WaitGroup
		began := time.Now()
		for i := range 6 {
			all.Go(func() {
				_, err := asker.Ask(t.Context(), key(fmt.Sprint(i)), func(context.Context) (int64, error) {
					if n := now.Add(1); n > most.Load() {
						most.Store(n)
					}
					defer now.Add(-1)
					time.Sleep(time.Second)
					return 0, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if most.Load() != 2 || time.Since(began) != 3*time.Second {
			t.Errorf("%d at once, %s in all", most.Load(), time.Since(began))
		}
	})
}

func TestWaitingForAPlaceCountsAgainstTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[int64](decisions.Config{Concurrency: 1, Timeout: 2 * time.Second})
		var all sync.WaitGroup
		// This one does not care that it should end, so it keeps its place.
		all.Go(func() {
			_, _ = asker.Ask(t.Context(), key("a"), func(context.Context) (int64, error) { time.Sleep(5 * time.Second); return 0, nil })
		})
		synctest.Wait()
		began := time.Now()
		_, err := asker.Ask(t.Context(), key("b"), func(context.Context) (int64, error) { t.Error("asked without a place"); return 0, nil })
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 2*time.Second {
			t.Errorf("error %v after %s", err, time.Since(began))
		}
		all.Wait()
		time.Sleep(10 * time.Second)
		var asked atomic.Int64
		if _, err := asker.Ask(t.Context(), key("b"), says(&asked)); err != nil {
			t.Errorf("the place was never given back: %v", err)
		}
	})
}

func TestAQuestionThatNeverReturnsHoldsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[string](decisions.Config{Timeout: 10 * time.Second})
		forget := make(chan struct{})
		stuck := func(context.Context) (string, error) { <-forget; return "late", nil }
		var all sync.WaitGroup
		all.Go(func() {
			began := time.Now()
			_, err := asker.Ask(t.Context(), key("a"), stuck)
			if slow, ok := errors.AsType[*decisions.TimeoutError](err); !ok || slow.After != 10*time.Second || time.Since(began) != 10*time.Second {
				t.Errorf("error %v after %s", err, time.Since(began))
			}
		})
		time.Sleep(8 * time.Second)
		all.Go(func() { // it came late, so it asks itself when the first question is given up
			answer, err := asker.Ask(t.Context(), key("a"), func(context.Context) (string, error) { return "mine", nil })
			if err != nil || answer.Value != "mine" || answer.Source != decisions.Asked {
				t.Errorf("answer %+v, error %v", answer, err)
			}
		})
		all.Wait()
		close(forget)
	})
}

func TestAnAnswerThatComesTooLateIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[string](decisions.Config{Timeout: time.Second})
		_, err := asker.Ask(t.Context(), key("a"), func(context.Context) (string, error) { time.Sleep(3 * time.Second); return "late", nil })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error %v", err)
		}
		time.Sleep(3 * time.Second)
		answer, err := asker.Ask(t.Context(), key("a"), func(context.Context) (string, error) { return "", errBroken })
		if err != nil || answer.Value != "late" || answer.Source != decisions.Remembered {
			t.Errorf("answer %+v, error %v", answer, err)
		}
	})
}

func TestACallerWhoIsGoneAsksNothing(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBroken)
	asker := decisions.NewAsker[int64](decisions.Config{})
	if _, err := asker.Ask(ctx, key("a"), func(context.Context) (int64, error) { t.Error("asked"); return 0, nil }); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

// Many callers with every kind of patience and luck: each gets an answer or an
// error, and nothing is left behind.
func TestCallersOfAllKindsAreServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asker := decisions.NewAsker[int](decisions.Config{Concurrency: 3, Keep: 50 * time.Millisecond, Entries: 4, Timeout: time.Second})
		var all sync.WaitGroup
		for i := range 400 {
			all.Go(func() {
				time.Sleep(time.Duration(i*7%300) * time.Millisecond)
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*13%900)*time.Millisecond)
				defer cancel()
				want := i % 9
				answer, err := asker.Ask(ctx, key(fmt.Sprint(want)), func(ctx context.Context) (int, error) {
					switch i % 5 {
					case 0:
						return 0, decisions.RetryNow(errBroken)
					case 1:
						panic("no")
					case 2:
						<-ctx.Done()
						return 0, ctx.Err()
					}
					time.Sleep(time.Duration(i%40) * time.Millisecond)
					return want, nil
				})
				if err == nil && answer.Value != want {
					t.Errorf("answer %d to question %d", answer.Value, want)
				}
			})
		}
		all.Wait()
		time.Sleep(time.Second) // for questions that nobody waits for and that do not notice
	})
}

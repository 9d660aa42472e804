package memory

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func locking(t *testing.T) *Memory {
	m, err := New(NewInMemory(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTurnsOnOneConversationWaitInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := locking(t)
		var order []int
		first, err := m.Lock(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			go func() {
				unlock, err := m.Lock(t.Context(), "a")
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, i)
				unlock()
			}()
			synctest.Wait()
		}
		if len(order) != 0 {
			t.Errorf("%v did not wait", order)
		}
		other, err := m.Lock(t.Context(), "b")
		if err != nil {
			t.Fatal(err)
		}
		other()
		first()
		synctest.Wait()
		if fmt.Sprint(order) != "[0 1 2 3 4]" {
			t.Errorf("the order was %v", order)
		}
		if len(m.turns.named) != 0 {
			t.Errorf("%d locks are left", len(m.turns.named))
		}
	})
}

func TestUnlockingTwiceDoesNotUnlockForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := locking(t)
		first, _ := m.Lock(t.Context(), "a")
		first()
		second, _ := m.Lock(t.Context(), "a")
		first()
		first()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := m.Lock(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		second()
		second()
		if len(m.turns.named) != 0 {
			t.Errorf("%d locks are left", len(m.turns.named))
		}
	})
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := locking(t)
		why := errors.New("enough")
		unlock, _ := m.Lock(t.Context(), "a")
		ctx, cancel := context.WithCancelCause(t.Context())
		var failed error
		go func() { _, failed = m.Lock(ctx, "a") }()
		synctest.Wait()
		cancel(why)
		synctest.Wait()
		if !errors.Is(failed, why) {
			t.Errorf("%v", failed)
		}
		// A context that is done takes no lock, even if it is free.
		for range 100 {
			if _, err := m.Lock(ctx, "free"); !errors.Is(err, why) {
				t.Fatalf("%v", err)
			}
		}
		unlock()
		if len(m.turns.named) != 0 {
			t.Errorf("%d locks are left", len(m.turns.named))
		}
		if _, err := m.Lock(t.Context(), ""); !errors.Is(err, ErrNoConversation) {
			t.Errorf("%v", err)
		}
	})
}

func TestLocksExcludeEachOtherAndLeaveNothing(t *testing.T) {
	m := locking(t)
	counters := make([]int, 3)
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			ctx := t.Context()
			if i%5 == 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithCancel(ctx)
				go cancel()
			}
			for range 20 {
				unlock, err := m.Lock(ctx, fmt.Sprint(i%3))
				if err != nil {
					return
				}
				counters[i%3]++
				unlock()
			}
		})
	}
	wg.Wait()
	if len(m.turns.named) != 0 {
		t.Errorf("%d locks are left", len(m.turns.named))
	}
	for i, n := range counters {
		if n < 16*20 {
			t.Errorf("conversation %d was locked %d times", i, n)
		}
	}
}

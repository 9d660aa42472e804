package gateway

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
)

// attacked is an exchange that has not begun.
func attacked(t *testing.T, g *Gateway) *exchange {
	t.Helper()
	x := &exchange{g: g}
	x.ctx, x.cancel = context.WithCancelCause(t.Context())
	return x
}

// Exchanges come and go in any order: those that run are cut, each with the
// reason, and no other.
func TestAttackOnlyWhatRunsIsCut(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 200 {
		g, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		var running, left []*exchange
		for range random.IntN(30) {
			if len(running) > 0 && random.IntN(5) < 2 {
				i := random.IntN(len(running))
				g.leave(running[i])
				left = append(left, running[i])
				running = append(running[:i], running[i+1:]...)
				continue
			}
			x := attacked(t, g)
			if no := g.enter(x); no != nil {
				t.Fatal(no)
			}
			running = append(running, x)
		}
		if cut := g.cut(); cut != len(running) || g.Open() != len(running) {
			t.Fatalf("%d were cut of %d, %d are open", cut, len(running), g.Open())
		}
		for _, x := range running {
			if !errors.Is(context.Cause(x.ctx), ErrStopping) {
				t.Fatal("one that runs was not cut")
			}
			g.leave(x)
		}
		for _, x := range left {
			if x.ctx.Err() != nil {
				t.Fatal("one that had left was cut")
			}
			x.cancel(nil)
		}
		if g.first != nil || g.Open() != 0 {
			t.Fatalf("%d are open in the end", g.Open())
		}
	}
}

// While exchanges come and go, the gateway stops: all of them end, and none
// begins afterwards.
func TestAttackStopsWhileExchangesComeAndGo(t *testing.T) {
	for range 50 {
		g, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for {
					x := attacked(t, g)
					if no := g.enter(x); no != nil {
						if x.cancel(nil); no.status != http.StatusServiceUnavailable {
							t.Error(no)
						}
						return
					}
					g.leave(x)
					x.cancel(nil)
				}
			})
		}
		stopped := attacked(t, g)
		if g.enter(stopped) == nil {
			all.Go(func() {
				<-stopped.ctx.Done()
				g.leave(stopped)
			})
		}
		_ = g.Close()
		all.Wait()
		if g.Open() != 0 || g.first != nil {
			t.Fatalf("%d are open after the end", g.Open())
		}
	}
}

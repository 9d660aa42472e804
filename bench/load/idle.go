package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// openRate is how many streams are opened in a second.
const openRate = 1000

// idle opens many nearly silent streams through both proxies and measures the
// memory of each. The proxies are new, because a process does not return memory
// that it once had; both have their streams at the same time, because memory
// measurements do not disturb each other.
func idle(streams int) func(context.Context, *bench, mode, int) error {
	return func(ctx context.Context, b *bench, m mode, round int) error {
		streams := streams
		// Each process has two connections for a stream: this one and the
		// upstream because of the two proxies, a proxy because it has two sides.
		if most := (openFiles() - 512) / 2; streams > most {
			_, _ = fmt.Fprintf(b.stderr, "only %d streams: raise the limit of open files (ulimit -n) to %d\n", most, 2*streams+512)
			streams = most
		}
		var group sync.WaitGroup
		var lock sync.Mutex
		var failed error
		for _, name := range []string{floor, sluice} {
			group.Go(func() {
				err := b.idle(ctx, m, round, name, streams, &lock)
				lock.Lock()
				defer lock.Unlock()
				failed = errors.Join(failed, err)
			})
		}
		group.Wait()
		return failed
	}
}

// idle measures one proxy.
func (b *bench) idle(ctx context.Context, m mode, round int, name string, streams int, lock *sync.Mutex) error {
	p, err := b.start(ctx, name, b.upstream.URL, "", b.options.profile != "")
	if err != nil {
		return err
	}
	defer p.stop()
	t := target{name, p.URL, p}
	// One answer first: what a process makes once is not part of a stream.
	if _, err := newClient(b.transport).fetch(ctx, t.url, b.scripts[modelTurn]); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	empty, err := p.memory(ctx)
	if err != nil {
		return err
	}
	watch := &idleWatch{}
	open, closeAll := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(time.Second / openRate)
		defer tick.Stop()
		for range streams {
			<-tick.C
			group.Go(func() { watch.follow(open, b, t) })
		}
	})
	defer group.Wait()
	defer closeAll()
	pause(ctx, time.Duration(streams)*time.Second/openRate+b.settle()/2)
	half, err := p.usage(ctx)
	if err != nil {
		return err
	}
	seen := watch.events.Load()
	begin := time.Now()
	pause(ctx, b.settle()/2)
	busy, err := p.usage(ctx)
	if err != nil {
		return err
	}
	alive, events, elapsed := watch.alive.Load(), watch.events.Load()-seen, time.Since(begin)
	full, err := p.memory(ctx)
	if err != nil {
		return err
	}
	b.saveIdle(ctx, m, round, p)

	lock.Lock()
	defer lock.Unlock()
	per := func(from, to int64) float64 { return float64(to-from) / 1024 / float64(streams) }
	b.board.add(m.name, name, figEmpty, float64(empty.RSS)/(1<<20))
	b.board.add(m.name, name, figStream, per(empty.RSS, full.RSS))
	b.board.add(m.name, name, figHeap, per(empty.Heap, full.Heap))
	b.board.add(m.name, name, figStack, per(empty.Stack, full.Stack))
	b.board.add(m.name, name, figBusy, float64(busy.CPU-half.CPU)/float64(elapsed.Microseconds())*100)
	if int(alive) != streams {
		b.board.fail(m.name, name, streams-int(alive), fmt.Errorf("%d of %d streams are open: %w", alive, streams, watch.err()))
	}
	if want := elapsed.Seconds() * float64(streams); float64(events) < want*0.8 {
		b.board.fail(m.name, name, 1, fmt.Errorf("%d events came, not %.0f", events, want))
	}
	return nil
}

// idleWatch counts the open streams that had an event, and the events.
type idleWatch struct {
	alive, events atomic.Int64
	first         atomic.Pointer[error]
}

func (w *idleWatch) err() error {
	if e := w.first.Load(); e != nil {
		return *e
	}
	return errors.New("the others are slow")
}

// follow reads one stream until it is stopped.
func (w *idleWatch) follow(ctx context.Context, b *bench, t target) {
	fail := func(err error) {
		if ctx.Err() == nil {
			w.first.CompareAndSwap(nil, &err)
		}
	}
	c := &client{http: newClient(b.transport).http, buf: make([]byte, 2<<10)}
	s := b.scripts[modelIdle]
	res, err := c.open(ctx, t.url, s)
	if err != nil {
		fail(err)
		return
	}
	defer func() { _ = res.Body.Close() }()
	v := verifier{script: s}
	for first := true; ; first = false {
		n, err := res.Body.Read(c.buf)
		if err == nil {
			err = v.take(c.buf[:n], time.Now(), nil)
		}
		if err != nil {
			fail(err)
			if !first && ctx.Err() == nil {
				w.alive.Add(-1)
			}
			return
		}
		if first {
			w.alive.Add(1)
		}
		w.events.Add(1)
	}
}

// pause waits, or until the run is over.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

package main

import (
	"context"
	"sync"
	"time"
)

// target is what is asked: a proxy, or the upstream itself.
type target struct {
	name string
	url  string
	// process is the proxy's, nil for the upstream.
	process *process
}

// window is what a target did in a period of time.
type window struct {
	answers  int
	elapsed  time.Duration
	firsts   []time.Duration
	wholes   []time.Duration
	transits []time.Duration
	// cpu is the proxy's processor time, upstream the upstream's.
	cpu, upstream time.Duration
	http2         int64
	errors        int
	err           error
}

// cpuPer is processor time in microseconds.
func (w *window) cpuPer(what int) float64 {
	if what == 0 {
		return 0
	}
	return float64(w.cpu.Nanoseconds()) / 1000 / float64(what)
}

// load says how a target is asked in a window.
type load struct {
	script *script
	// streams is how many clients ask at the same time. Each asks again and
	// again for the duration, or as often as count says.
	streams  int
	duration time.Duration
	count    int
	// stagger is the time between the starts of two clients.
	stagger time.Duration
}

// measure lets clients ask a target, and says what happened between the first
// request and the end of the last answer.
func (b *bench) measure(ctx context.Context, t target, l load) (*window, error) {
	var before, after, upBefore, upAfter usage
	ask := func(mine, up *usage) (err error) {
		if t.process != nil {
			if *mine, err = t.process.usage(ctx); err != nil {
				return err
			}
		}
		*up, err = b.upstream.usage(ctx)
		return err
	}
	if err := ask(&before, &upBefore); err != nil {
		return nil, err
	}
	w := &window{}
	var lock sync.Mutex
	var group sync.WaitGroup
	begin := time.Now()
	for i := range l.streams {
		group.Go(func() {
			time.Sleep(time.Duration(i) * l.stagger)
			one := l.ask(ctx, t, newClient(b.transport), begin)
			lock.Lock()
			defer lock.Unlock()
			w.join(one)
		})
	}
	group.Wait()
	w.elapsed = time.Since(begin)
	if err := ask(&after, &upAfter); err != nil {
		return nil, err
	}
	w.cpu = time.Duration(after.CPU-before.CPU) * time.Microsecond
	w.upstream = time.Duration(upAfter.CPU-upBefore.CPU) * time.Microsecond
	w.http2 = upAfter.HTTP2 - upBefore.HTTP2
	return w, ctx.Err()
}

// ask is what one client does in a window.
func (l load) ask(ctx context.Context, t target, c *client, begin time.Time) *window {
	w := &window{}
	for ctx.Err() == nil && w.errors < 10 {
		if l.count > 0 && w.answers == l.count || l.count == 0 && time.Since(begin) >= l.duration {
			break
		}
		timing, err := c.fetch(ctx, t.url, l.script)
		if err != nil {
			w.errors++
			w.err = err
			continue
		}
		w.answers++
		w.firsts = append(w.firsts, timing.first)
		w.wholes = append(w.wholes, timing.whole)
	}
	w.transits = c.transits
	return w
}

// join adds what another client saw, or what happened in another window.
func (w *window) join(o *window) {
	w.answers += o.answers
	w.elapsed += o.elapsed
	w.cpu += o.cpu
	w.upstream += o.upstream
	w.http2 += o.http2
	w.firsts = append(w.firsts, o.firsts...)
	w.wholes = append(w.wholes, o.wholes...)
	w.transits = append(w.transits, o.transits...)
	w.errors += o.errors
	if w.err == nil {
		w.err = o.err
	}
}

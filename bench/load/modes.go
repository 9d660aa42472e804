package main

import (
	"context"
	"strings"
	"time"
)

// mode is a load pattern. A round of it asks all targets in turn.
type mode struct {
	name  string
	title string
	// figures are the columns of its table.
	figures []string
	round   func(ctx context.Context, b *bench, m mode, round int) error
}

// The figures.
const (
	figTTFT50      = "TTFT p50 ms"
	figTTFT99      = "TTFT p99 ms"
	figAdded50     = "added p50 ms"
	figAdded99     = "added p99 ms"
	figWhole       = "whole p50 ms"
	figRate        = "per second"
	figCPU         = "CPU us each"
	figCPUEvent    = "CPU us/event"
	figUpstream    = "upstream CPU us"
	figTransit     = "transit p50 ms"
	figTransit99   = "transit p99 ms"
	figAddTransit  = "added transit p50 ms"
	figMillisecond = "CPU ms each"
	figEmpty       = "empty MB"
	figStream      = "KB/stream"
	figHeap        = "of it heap KB"
	figStack       = "of it stacks KB"
	figBusy        = "CPU %"
	figHTTP2       = "HTTP/2 %"
)

// The modes, by name.
const (
	modeAlone     = "alone"
	modeBurst     = "burst"
	modeAnthropic = "burst-anthropic"
	modePaced     = "paced"
	modeLong      = "long"
	modeLongAlone = "long-alone"
	modePlain     = "plain"
	modeHistory   = "history"
	modeHTTP1     = "tls-http1"
	modeHTTP2     = "tls-http2"
	modeIdle      = "idle"
	modeIdleFull  = "idle-5000"
)

// pacedStreams is the number of paced streams, crowd that of concurrent streams in
// the modes that saturate the machine, and longStreams that of long ones.
const (
	pacedStreams = 40
	crowd        = 64
	longStreams  = 16
)

func modes(o options) []mode {
	rate := []string{figRate, figCPU, figCPUEvent, figUpstream}
	list := []mode{
		{modeAlone, "One stream at a time, 137 events (Chat Completions)", []string{figTTFT50, figAdded50, figTTFT99, figAdded99, figWhole, figCPUEvent}, alone},
		{modeBurst, "64 streams at a time, 137 events each, as fast as they go (Chat Completions)", rate, crowded(modelTurn)},
		{modeAnthropic, "64 streams at a time, 145 events each, as fast as they go (Anthropic Messages)", rate, crowded(modelAnthropic)},
		{modePaced, "40 streams, an event every 10 ms in each", []string{figTransit, figAddTransit, figTransit99, figCPUEvent}, paced},
		{modeLong, "16 streams at a time of one tool call in 3,000 pieces, held and judged", []string{figMillisecond, figCPUEvent, figWhole}, long(longStreams)},
		{modeLongAlone, "The same, one stream at a time", []string{figMillisecond, figCPUEvent, figWhole}, long(1)},
		{modePlain, "64 requests at a time, answers in one piece", []string{figRate, figCPU, figUpstream}, crowded(modelPlain)},
		{modeHistory, "64 streams at a time, requests of 256 KB", rate, crowded(modelHistory)},
		{modeHTTP1, "64 streams at a time, HTTP/1.1 with TLS to the upstream", append(rate[:3:3], figHTTP2), secure(func(a addresses) string { return a.HTTP1 })},
		{modeHTTP2, "64 streams at a time, HTTP/2 with TLS to the upstream", append(rate[:3:3], figHTTP2), secure(func(a addresses) string { return a.HTTP2 })},
	}
	memory := []string{figEmpty, figStream, figHeap, figStack, figBusy}
	streams, title := 2000, "2,000 open streams, an event every second in each"
	if o.quick {
		streams, title = 200, "200 open streams, an event every second in each"
	}
	list = append(list, mode{modeIdle, title, memory, idle(streams)})
	if o.full {
		list = append(list, mode{modeIdleFull, "5,000 open streams, an event every second in each", memory, idle(5000)})
	}
	var chosen []mode
	for _, m := range list {
		if strings.Contains(m.name, o.mode) {
			chosen = append(chosen, m)
		}
	}
	return chosen
}

// order is the order in which n targets take n turns each. A target that follows
// itself finds warm caches, and one that follows another pays for what that left
// behind: so each target follows each once, including itself, when the order repeats.
func order(n int) []int {
	who := make([]int, 0, n*n)
	for i := range n {
		who = append(who, i)
		for j := i + 1; j < n; j++ {
			who = append(who, i, j)
		}
	}
	return who
}

// turns measures the targets one after the other, several times, so that other
// load on the machine affects all of them.
func (b *bench) turns(ctx context.Context, m mode, round int, targets []target, l load, note func(target, *window)) error {
	windows := make([]window, len(targets))
	who := order(len(targets))
	who = append(who, who...)
	if b.options.quick || b.options.profile != "" {
		who = who[:0]
		for i := range targets {
			who = append(who, i)
		}
	}
	l.duration /= time.Duration(len(who) / len(targets))
	for _, i := range who {
		stop := b.profile(ctx, m, targets[i], round)
		w, err := b.measure(ctx, targets[i], l)
		stop()
		if err != nil {
			return err
		}
		windows[i].join(w)
	}
	for i, t := range targets {
		b.board.fail(m.name, t.name, windows[i].errors, windows[i].err)
		note(t, &windows[i])
	}
	return nil
}

func alone(ctx context.Context, b *bench, m mode, round int) error {
	s := b.scripts[modelTurn]
	err := b.turns(ctx, m, round, b.targets, load{script: s, streams: 1, duration: b.window}, func(t target, w *window) {
		b.board.add(m.name, t.name, figTTFT50, quantile(w.firsts, 0.5))
		b.board.add(m.name, t.name, figTTFT99, quantile(w.firsts, 0.99))
		b.board.add(m.name, t.name, figWhole, quantile(w.wholes, 0.5))
		b.board.add(m.name, t.name, figCPUEvent, w.cpuPer(w.answers*len(s.events)))
	})
	b.board.added(m.name, figTTFT50, figAdded50)
	b.board.added(m.name, figTTFT99, figAdded99)
	return err
}

// crowded saturates the machine with one script.
func crowded(model string) func(context.Context, *bench, mode, int) error {
	return func(ctx context.Context, b *bench, m mode, round int) error {
		return b.crowd(ctx, m, round, model, b.targets)
	}
}

func (b *bench) crowd(ctx context.Context, m mode, round int, model string, targets []target) error {
	s := b.scripts[model]
	return b.turns(ctx, m, round, targets, load{script: s, streams: crowd, duration: b.window}, func(t target, w *window) {
		b.board.add(m.name, t.name, figRate, float64(w.answers)/w.elapsed.Seconds())
		b.board.add(m.name, t.name, figCPU, w.cpuPer(w.answers))
		b.board.add(m.name, t.name, figCPUEvent, w.cpuPer(w.answers*len(s.events)))
		b.board.add(m.name, t.name, figUpstream, float64(w.upstream.Microseconds())/float64(max(1, w.answers)))
		b.board.add(m.name, t.name, figHTTP2, 100*float64(w.http2)/float64(max(1, w.answers)))
	})
}

func paced(ctx context.Context, b *bench, m mode, round int) error {
	s := b.scripts[modelPaced]
	l := load{script: s, streams: pacedStreams, count: 1, stagger: s.pace / pacedStreams}
	err := b.turns(ctx, m, round, b.targets, l, func(t target, w *window) {
		b.board.add(m.name, t.name, figTransit, quantile(w.transits, 0.5))
		b.board.add(m.name, t.name, figTransit99, quantile(w.transits, 0.99))
		b.board.add(m.name, t.name, figCPUEvent, w.cpuPer(w.answers*len(s.events)))
	})
	b.board.added(m.name, figTransit, figAddTransit)
	return err
}

// long sends a call in many pieces. With one stream a proxy's cost is mostly being
// woken for each piece; many at a time show what the pieces cost.
func long(streams int) func(context.Context, *bench, mode, int) error {
	return func(ctx context.Context, b *bench, m mode, round int) error {
		s := b.scripts[modelLong]
		return b.turns(ctx, m, round, b.targets, load{script: s, streams: streams, duration: b.window}, func(t target, w *window) {
			b.board.add(m.name, t.name, figMillisecond, w.cpuPer(w.answers)/1000)
			b.board.add(m.name, t.name, figCPUEvent, w.cpuPer(w.answers*len(s.events)))
			b.board.add(m.name, t.name, figWhole, quantile(w.wholes, 0.5))
		})
	}
}

// secure measures separate proxies, whose upstream speaks TLS and only one
// protocol.
func secure(address func(addresses) string) func(context.Context, *bench, mode, int) error {
	return func(ctx context.Context, b *bench, m mode, round int) error {
		list, stop, err := b.proxies(ctx, address(b.upstream.addresses), b.upstream.Certificate)
		defer stop()
		if err != nil {
			return err
		}
		warm := load{script: b.scripts[modelTurn], streams: crowd, count: 1}
		for _, t := range list { // connections and their handshakes
			if _, err := b.measure(ctx, t, warm); err != nil {
				return err
			}
		}
		return b.crowd(ctx, m, round, modelTurn, list)
	}
}

// settle is how long idle streams are open before memory is measured.
func (b *bench) settle() time.Duration {
	if b.options.quick {
		return 2 * time.Second
	}
	return 20 * time.Second
}

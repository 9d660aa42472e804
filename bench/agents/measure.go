package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// path is a mode of asking.
type path string

// The paths.
const (
	pathCall    path = "call"    // answers in one piece
	pathCollect path = "collect" // answers in pieces, whole at the end
	pathStream  path = "stream"  // answers in pieces, yielded as they arrive
)

func paths() []path { return []path{pathCall, pathCollect, pathStream} }

// sample is the cost of one round of a script: the cost of all, the last answer
// included, divided by how often the model was asked.
type sample struct {
	ns, cpu, bytes, allocs float64
}

// timed is something that is done again and again.
type timed struct {
	ask func() error
	// times is how often it is done in a measurement. It is fixed before the
	// first, so that each does the same work.
	times   int
	samples []sample
}

// cell is one contender on one script and path: its loop and, for comparison, the
// model and the tools alone.
type cell struct {
	script     *script
	path       path
	contender  string
	loop, bare *timed
}

// newCells prepares the cells of a contender on a script.
func newCells(ctx context.Context, c contender, s *script, atLeast time.Duration) ([]*cell, error) {
	l, err := c.prepare(ctx, s, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	length := 0
	count := func(piece string) { length += len(piece) }
	asks := []struct {
		path       path
		loop, bare func() error
	}{
		{pathCall, func() error { _, err := l.call(); return err }, l.bareCall},
		{pathCollect, func() error { _, err := l.collect(); return err }, l.bareStream},
		{pathStream, func() error { return l.stream(count) }, l.bareStream},
	}
	cells := make([]*cell, len(asks))
	for i, a := range asks {
		cells[i] = &cell{script: s, path: a.path, contender: c.name, loop: &timed{ask: a.loop}, bare: &timed{ask: a.bare}}
		for _, t := range []*timed{cells[i].loop, cells[i].bare} {
			if err := t.settle(atLeast); err != nil {
				return nil, fmt.Errorf("%s, %s, %s: %w", c.name, s.name, a.path, err)
			}
		}
	}
	return cells, nil
}

// settle finds out how often it must be done to last about as long as asked for.
func (t *timed) settle(atLeast time.Duration) error {
	for range 3 { // buffers and caches
		if err := t.ask(); err != nil {
			return err
		}
	}
	start := time.Now()
	const tries = 5
	for range tries {
		if err := t.ask(); err != nil {
			return err
		}
	}
	once := max(time.Since(start)/tries, 100*time.Nanosecond)
	t.times = int(max(1, atLeast/once))
	return nil
}

// measure adds a sample of the loop and one of the bare model and tools.
func (x *cell) measure() {
	x.loop.measure(x.script.asks())
	x.bare.measure(x.script.asks())
}

// measure adds one sample. The garbage of the others is collected first; what its
// own costs is part of its time.
func (t *timed) measure(asks int) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, cpu := time.Now(), cpuTime()
	for range t.times {
		must(t.ask())
	}
	took, spent := time.Since(start), cpuTime()-cpu
	runtime.ReadMemStats(&after)
	n := float64(t.times * asks)
	t.samples = append(t.samples, sample{
		ns:     float64(took.Nanoseconds()) / n,
		cpu:    float64(spent.Nanoseconds()) / n,
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / n,
		allocs: float64(after.Mallocs-before.Mallocs) / n,
	})
}

// row summarises the rounds of a cell.
type row struct {
	Script    string `json:"script"`
	Asks      int    `json:"asks"`
	Path      path   `json:"path"`
	Contender string `json:"contender"`
	// Whole is the cost of one round, Bare that of the model and the tools in it,
	// Added what the loop adds: the median of the differences.
	Whole cost `json:"whole"`
	Bare  cost `json:"bare"`
	Added cost `json:"added"`
	// Ratio is the whole in units of Sluice's, the median of the ratios in the
	// rounds; AddedRatio is that of what is added.
	Ratio      ratio `json:"ratio"`
	AddedRatio ratio `json:"added_ratio"`
}

// cost is the cost of one round of a script.
type cost struct {
	NS     spread  `json:"ns"`
	CPU    spread  `json:"cpu_ns"`
	Bytes  float64 `json:"bytes"`
	Allocs float64 `json:"allocs"`
}

// ratio compares with Sluice.
type ratio struct {
	NS     float64 `json:"ns"`
	CPU    float64 `json:"cpu_ns"`
	Bytes  float64 `json:"bytes"`
	Allocs float64 `json:"allocs"`
}

// spread is a median with its range.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// collect makes a row of each cell.
func collect(cells []*cell) []row {
	rows := make([]row, len(cells))
	for i, x := range cells {
		added := x.added()
		rows[i] = row{
			Script: x.script.name, Asks: x.script.asks(), Path: x.path, Contender: x.contender,
			Whole: costOf(x.loop.samples), Bare: costOf(x.bare.samples), Added: costOf(added),
		}
		for _, base := range cells {
			if base.contender == nameSluice && base.script == x.script && base.path == x.path {
				rows[i].Ratio = ratioOf(x.loop.samples, base.loop.samples)
				rows[i].AddedRatio = ratioOf(added, base.added())
			}
		}
	}
	return rows
}

// added is what the loop added in each round.
func (x *cell) added() []sample {
	list := make([]sample, len(x.loop.samples))
	for i, l := range x.loop.samples {
		b := x.bare.samples[i]
		list[i] = sample{l.ns - b.ns, l.cpu - b.cpu, l.bytes - b.bytes, l.allocs - b.allocs}
	}
	return list
}

func costOf(list []sample) cost {
	return cost{
		NS:     spreadOf(list, func(s sample) float64 { return s.ns }),
		CPU:    spreadOf(list, func(s sample) float64 { return s.cpu }),
		Bytes:  spreadOf(list, func(s sample) float64 { return s.bytes }).Median,
		Allocs: spreadOf(list, func(s sample) float64 { return s.allocs }).Median,
	}
}

func spreadOf(samples []sample, get func(sample) float64) spread {
	list := make([]float64, len(samples))
	for i, s := range samples {
		list[i] = get(s)
	}
	slices.Sort(list)
	n := len(list)
	return spread{Median: (list[(n-1)/2] + list[n/2]) / 2, Min: list[0], Max: list[n-1]}
}

// ratioOf compares round by round: the two run directly after each other, so that
// a slow phase of the machine affects both.
func ratioOf(of, to []sample) ratio {
	list := make([]sample, len(of))
	for i := range of {
		list[i] = sample{of[i].ns / to[i].ns, of[i].cpu / to[i].cpu, of[i].bytes / to[i].bytes, of[i].allocs / to[i].allocs}
	}
	c := costOf(list)
	return ratio{c.NS.Median, c.CPU.Median, c.Bytes, c.Allocs}
}

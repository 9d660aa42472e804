package main

import (
	"runtime"
	"slices"
	"time"
)

// sample is the cost of one chunk in one round.
type sample struct {
	ns, cpu, bytes, allocs float64
}

// cell is one contender on one load.
type cell struct {
	load      load
	contender contender
	run       func([]byte) int
	// times is how often the stream is read in a round. It is fixed before the
	// first round, so that every round does the same work.
	times   int
	samples []sample
}

// newCell prepares a cell and determines how often the stream must be read for
// a round of the requested duration.
func newCell(l load, c contender, atLeast time.Duration) *cell {
	x := &cell{load: l, contender: c, run: c.prepare(l.format)}
	x.readAll() // buffers and caches
	start := time.Now()
	x.readAll()
	once := max(time.Since(start), time.Microsecond)
	x.times = int(max(1, atLeast/once))
	return x
}

// readAll reads every stream of the load.
func (x *cell) readAll() {
	for _, body := range x.load.bodies {
		x.run(body)
	}
}

// measure adds one sample. The garbage of the others is collected first; what a
// contender's own garbage costs is part of its time.
func (x *cell) measure() {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, cpu := time.Now(), cpuTime()
	for range x.times {
		x.readAll()
	}
	took, spent := time.Since(start), cpuTime()-cpu
	runtime.ReadMemStats(&after)
	chunks := float64(x.times * x.load.chunks)
	x.samples = append(x.samples, sample{
		ns:     float64(took.Nanoseconds()) / chunks,
		cpu:    float64(spent.Nanoseconds()) / chunks,
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / chunks,
		allocs: float64(after.Mallocs-before.Mallocs) / chunks,
	})
}

// summary summarises the rounds of a cell.
type summary struct {
	NS     spread  `json:"ns"`
	CPU    spread  `json:"cpu_ns"`
	Bytes  float64 `json:"bytes"`
	Allocs float64 `json:"allocs"`
}

// spread is a median with its range.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

func (x *cell) summary() summary {
	of := func(get func(sample) float64) spread {
		list := make([]float64, len(x.samples))
		for i, s := range x.samples {
			list[i] = get(s)
		}
		return spreadOf(list)
	}
	return summary{
		NS:     of(func(s sample) float64 { return s.ns }),
		CPU:    of(func(s sample) float64 { return s.cpu }),
		Bytes:  of(func(s sample) float64 { return s.bytes }).Median,
		Allocs: of(func(s sample) float64 { return s.allocs }).Median,
	}
}

func spreadOf(list []float64) spread {
	list = slices.Sorted(slices.Values(list))
	n := len(list)
	return spread{Median: (list[(n-1)/2] + list[n/2]) / 2, Min: list[0], Max: list[n-1]}
}

// ratio is the processor time of x in units of base, round by round: the two
// run directly after each other, so that a slow phase of the machine affects
// both.
func (x *cell) ratio(base *cell) float64 {
	cpu := func(x *cell) []float64 {
		list := make([]float64, len(x.samples))
		for i := range x.samples {
			list[i] = x.samples[i].cpu
		}
		return list
	}
	return medianRatio(cpu(x), cpu(base))
}

func medianRatio(of, to []float64) float64 {
	list := make([]float64, min(len(of), len(to)))
	for i := range list {
		list[i] = of[i] / to[i]
	}
	return spreadOf(list).Median
}

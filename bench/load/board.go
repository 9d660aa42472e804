package main

import (
	"fmt"
	"slices"
	"time"
)

// The targets that take turns.
const (
	direct = "direct"
	floor  = "floor"
	sluice = "sluice"
)

// series has the values of one figure of one target in all rounds.
type series struct {
	Mode   string    `json:"mode"`
	Target string    `json:"target"`
	Figure string    `json:"figure"`
	Rounds []float64 `json:"rounds"`
	Median float64   `json:"median"`
}

// board collects figures in order.
type board struct {
	list []*series
	// errors counts what went wrong, and first is the first of it.
	errors int
	first  error
}

// add adds the value of a round. The targets of a mode get a figure in every
// round or never, so that the values of a round can be compared.
func (b *board) add(mode, target, figure string, value float64) {
	s := b.find(mode, target, figure)
	if s == nil {
		s = &series{Mode: mode, Target: target, Figure: figure}
		b.list = append(b.list, s)
	}
	s.Rounds = append(s.Rounds, value)
	s.Median = median(s.Rounds)
}

// fail notes an error of a target.
func (b *board) fail(mode, target string, count int, err error) {
	b.errors += count
	if b.first == nil && err != nil {
		b.first = fmt.Errorf("%s, %s: %w", mode, target, err)
	}
}

func (b *board) find(mode, target, figure string) *series {
	i := slices.IndexFunc(b.list, func(s *series) bool { return s.Mode == mode && s.Target == target && s.Figure == figure })
	if i < 0 {
		return nil
	}
	return b.list[i]
}

// rounds returns the values of all rounds, nil if there are none.
func (b *board) rounds(mode, target, figure string) []float64 {
	if s := b.find(mode, target, figure); s != nil {
		return s.Rounds
	}
	return nil
}

// ratio is the median of the ratios to the floor in the same rounds, 0 if one
// of the two was not measured.
func (b *board) ratio(mode, target, figure string) float64 {
	return median(combine(b.rounds(mode, target, figure), b.rounds(mode, floor, figure), func(x, y float64) float64 {
		if y == 0 {
			return 0
		}
		return x / y
	}))
}

// added subtracts direct's value of a figure, round by round, and adds the
// difference as a figure.
func (b *board) added(mode, figure, name string) {
	base := b.rounds(mode, direct, figure)
	for _, target := range []string{floor, sluice} {
		own := b.rounds(mode, target, figure)
		if n := len(own); n > 0 && n == len(base) {
			b.add(mode, target, name, own[n-1]-base[n-1])
		}
	}
}

// combine pairs what the same rounds say.
func combine(a, b []float64, with func(x, y float64) float64) []float64 {
	list := make([]float64, 0, len(a))
	for i := range min(len(a), len(b)) {
		list = append(list, with(a[i], b[i]))
	}
	return list
}

// median of a list, 0 of none.
func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// quantile of durations in milliseconds. It sorts the list.
func quantile(list []time.Duration, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return float64(list[int(q*float64(len(list)-1))]) / float64(time.Millisecond)
}

package main

import "fmt"

// promise is a target of the loop, and what was measured.
type promise struct {
	Name string `json:"name"`
	// Said is the worst figure and where it was measured.
	Said string `json:"said"`
	Met  bool   `json:"met"`
	// Measured is false if what it needs was left out.
	Measured bool `json:"measured"`
}

// The targets for one round, each for every script and path.
const (
	addedMicros = 50  // time beyond the model and the tools
	addedAllocs = 100 // allocations beyond them
)

func judge(rows []row) []promise {
	list := make([]promise, 0, 9)
	list = append(list,
		atMost(rows, fmt.Sprintf("the loop adds less than %d us of time to a round", addedMicros), addedMicros, "us",
			func(r *row) float64 { return r.Added.NS.Median / 1e3 }),
		atMost(rows, fmt.Sprintf("the loop adds less than %d us of processor time to a round", addedMicros), addedMicros, "us",
			func(r *row) float64 { return r.Added.CPU.Median / 1e3 }),
		atMost(rows, fmt.Sprintf("the loop adds less than %d allocations to a round", addedAllocs), addedAllocs, "allocations",
			func(r *row) float64 { return r.Added.Allocs }))
	for _, peer := range []string{nameEino, nameGenkit} {
		list = append(list,
			ahead(rows, peer, "time", func(r ratio) float64 { return r.NS }),
			ahead(rows, peer, "processor time", func(r ratio) float64 { return r.CPU }),
			ahead(rows, peer, "allocations", func(r ratio) float64 { return r.Allocs }))
	}
	return list
}

// atMost judges the worst row of Sluice.
func atMost(rows []row, name string, limit float64, unit string, get func(*row) float64) promise {
	p := promise{Name: name}
	worst := 0.0
	for i := range rows {
		if r := &rows[i]; r.Contender == nameSluice && (!p.Measured || get(r) > worst) {
			p.Measured, worst = true, get(r)
			p.Said = fmt.Sprintf("at most %.1f %s (%s, %s)", worst, unit, r.Script, r.Path)
		}
	}
	p.Met = worst < limit
	return p
}

// ahead judges the row in which another loop comes closest: the round as a
// whole, and what the loop adds to it.
func ahead(rows []row, peer, what string, get func(ratio) float64) promise {
	p := promise{Name: fmt.Sprintf("less %s than %s", what, peer)}
	var whole, added *row
	for i := range rows {
		r := &rows[i]
		if r.Contender != peer || r.Ratio == (ratio{}) {
			continue
		}
		if whole == nil || get(r.Ratio) < get(whole.Ratio) {
			whole = r
		}
		if added == nil || get(r.AddedRatio) < get(added.AddedRatio) {
			added = r
		}
	}
	if whole == nil {
		return p
	}
	p.Measured = true
	p.Met = get(whole.Ratio) > 1 && get(added.AddedRatio) > 1
	p.Said = fmt.Sprintf("it takes at least x%.2f (%s, %s), and adds at least x%.2f (%s, %s)",
		get(whole.Ratio), whole.Script, whole.Path, get(added.AddedRatio), added.Script, added.Path)
	return p
}

package main

import "github.com/sluice-project/sluice/wire"

// row is one line of the table: a contender on a load.
type row struct {
	Stream    string  `json:"stream"`
	Format    string  `json:"format"`
	Chunks    int     `json:"chunks"`
	Contender string  `json:"contender"`
	Cost      summary `json:"per_chunk"`
	// Ratio is the processor time in units of Sluice's on the same stream, the
	// median of the ratios of the rounds; 0 if Sluice was not measured.
	Ratio float64 `json:"ratio"`
	// Host is the same in units of a host without an engine, for hosts with
	// one; 0 for all others.
	Host float64 `json:"host_ratio,omitempty"`

	role   role
	family string
	length int
}

// results are the rows in the order of the table.
type results []row

func collect(cells []*cell) results {
	base, hosts := map[string]*cell{}, map[string]*cell{}
	for _, x := range cells {
		switch x.contender.role {
		case ours:
			base[x.load.name] = x
		case plain:
			hosts[x.load.name] = x
		default:
		}
	}
	list := make(results, 0, len(cells))
	for _, x := range cells {
		r := row{
			Stream: x.load.name, Format: string(x.load.format), Chunks: x.load.chunks,
			Contender: x.contender.name, Cost: x.summary(),
			role: x.contender.role, family: x.load.family, length: x.load.length,
		}
		if b := base[x.load.name]; b != nil {
			r.Ratio = x.ratio(b)
		}
		if h := hosts[x.load.name]; h != nil && x.contender.role == engine {
			r.Host = x.ratio(h)
		}
		list = append(list, r)
	}
	return list
}

// streams returns the names of the streams in order.
func (rs results) streams() []string {
	var list []string
	for _, r := range rs {
		if len(list) == 0 || list[len(list)-1] != r.Stream {
			list = append(list, r.Stream)
		}
	}
	return list
}

// growth is how the cost of a chunk changes from the shortest to the longest
// stream of a family.
type growth struct {
	Family    string  `json:"family"`
	Contender string  `json:"contender"`
	From      int     `json:"from"`
	To        int     `json:"to"`
	NS        float64 `json:"cpu_ns"`
	Bytes     float64 `json:"bytes"`
	// Allocs is what each further chunk of the longest stream allocates.
	Allocs float64 `json:"marginal_allocs"`

	role role
}

func (rs results) growth() []growth {
	type key struct{ family, contender string }
	var order []key
	first, last := map[key]row{}, map[key]row{}
	for _, r := range rs {
		if r.family == "" {
			continue
		}
		k := key{r.family, r.Contender}
		if _, seen := first[k]; !seen {
			order = append(order, k)
			first[k] = r
		}
		last[k] = r
	}
	var list []growth
	for _, k := range order {
		a, b := first[k], last[k]
		if a.length == b.length {
			continue
		}
		total := func(r row) float64 { return r.Cost.Allocs * float64(r.Chunks) }
		list = append(list, growth{
			Family: k.family, Contender: k.contender, From: a.length, To: b.length,
			// The two lengths do not run directly after each other, so the
			// fastest, undisturbed round of each is compared.
			NS: quotient(b.Cost.CPU.Min, a.Cost.CPU.Min), Bytes: quotient(b.Cost.Bytes, a.Cost.Bytes),
			Allocs: (total(b) - total(a)) / float64(b.Chunks-a.Chunks), role: a.role,
		})
	}
	return list
}

// quotient of two costs. Less than one byte or nanosecond per chunk counts as
// one.
func quotient(to, from float64) float64 {
	return max(to, 1) / max(from, 1)
}

// isFormat reports whether the row is of a stream in the format.
func (r row) isFormat(f wire.Format) bool { return r.Format == string(f) }

package alloc

// Pool allocates zero values in batches. The first value is inline in the pool:
// most users need only one, and those that need two usually need several. Values
// are not returned to the pool. The zero value is ready to use; a pool must not be
// copied after first use.
type Pool[V any] struct {
	first V
	spare []V
	count int
}

// The smallest and the largest batch.
const (
	minBatch = 3
	maxBatch = 16
)

// New returns a zero value that was not handed out before.
func (p *Pool[V]) New() *V {
	p.count++
	if p.count == 1 {
		return &p.first
	}
	if len(p.spare) == 0 {
		p.spare = make([]V, min(max(minBatch, p.count), maxBatch))
	}
	v := &p.spare[0]
	p.spare = p.spare[1:]
	return v
}

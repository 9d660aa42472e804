package arena

import "unsafe"

// Of hands out pieces of larger allocations, which grow with what is asked for:
// a text has many small commands.
type Of[T any] struct {
	all  []T
	used int
}

// Most is how many bytes are allocated at once, if not more is asked for.
const Most = 128 << 10

// limit is how many values that are.
func (a *Of[T]) limit() int {
	var one T
	return Most / int(unsafe.Sizeof(one))
}

// Take returns n zero values.
func (a *Of[T]) Take(n int) []T {
	if n == 0 {
		return []T{}
	}
	if n > len(a.all)-a.used {
		a.all, a.used = make([]T, max(n, min(2*len(a.all)+n, a.limit()))), 0
	}
	taken := a.all[a.used : a.used+n : a.used+n]
	a.used += n
	return taken
}

// Room returns an empty list with room for n.
func (a *Of[T]) Room(n int) []T { return a.Take(n)[:0] }

// Reset takes back what was handed out. Nobody may have a piece of it.
func (a *Of[T]) Reset() {
	if a.used > 0 {
		a.empty()
	}
}

func (a *Of[T]) empty() {
	if len(a.all) > a.limit() { // one that asked for much
		a.all, a.used = nil, 0
	}
	clear(a.all[:a.used])
	a.used = 0
}

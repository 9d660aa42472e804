package text

// queue is a FIFO list that reuses its memory: once it is large enough nothing is
// allocated, and each item is moved a bounded number of times.
type queue[T any] struct {
	items []T
	room  []T // the backing array, from its beginning
}

// push adds items at the end.
func (q *queue[T]) push(items ...T) {
	need := len(q.items) + len(items)
	if need <= cap(q.items) {
		q.items = append(q.items, items...)
		return
	}
	if 2*need <= cap(q.room) { // at least half of it was dropped
		q.items = append(q.room[:0], q.items...)
		q.items = append(q.items, items...)
		return
	}
	room := make([]T, 0, 2*need+8)
	q.items = append(append(room, q.items...), items...)
	q.room = room
}

// drop removes n items at the beginning.
func (q *queue[T]) drop(n int) {
	if n == len(q.items) {
		q.items = q.room[:0]
		return
	}
	q.items = q.items[n:]
}

// truncate removes all items but the first n.
func (q *queue[T]) truncate(n int) { q.items = q.items[:n] }

// size is the number of items.
func (q *queue[T]) size() int { return len(q.items) }

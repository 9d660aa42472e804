package decisions

import (
	"container/list"
	"time"
)

// cache holds answers for a while. All have the same lifetime, so the oldest is
// always the next to expire, and one list in order of arrival serves both
// expiry and eviction.
type cache[T any] struct {
	keep    time.Duration
	most    int
	entries map[Key]*list.Element
	order   *list.List // oldest first
}

type entry[T any] struct {
	key   Key
	value T
	ends  time.Time
}

func newCache[T any](keep time.Duration, most int) cache[T] {
	return cache[T]{keep: keep, most: most, entries: make(map[Key]*list.Element), order: list.New()}
}

func (s *cache[T]) get(key Key, now time.Time) (value T, ok bool) {
	element, ok := s.entries[key]
	if !ok {
		return value, false
	}
	e, ok := element.Value.(entry[T])
	if !ok || !now.Before(e.ends) {
		s.remove(element)
		return value, false
	}
	return e.value, true
}

func (s *cache[T]) put(key Key, value T, now time.Time) {
	if s.keep < 0 {
		return
	}
	if old, known := s.entries[key]; known {
		s.remove(old)
	}
	for oldest := s.order.Front(); oldest != nil; oldest = s.order.Front() {
		if e, ok := oldest.Value.(entry[T]); ok && now.Before(e.ends) && s.order.Len() < s.most {
			break
		}
		s.remove(oldest)
	}
	s.entries[key] = s.order.PushBack(entry[T]{key: key, value: value, ends: now.Add(s.keep)})
}

func (s *cache[T]) remove(element *list.Element) {
	if e, ok := s.order.Remove(element).(entry[T]); ok {
		delete(s.entries, e.key)
	}
}

package command

import "github.com/sluice-project/sluice/policy/internal/arena"

// Room is memory for what descriptions make of the invocations of one text. Without one, each
// has its own. It may not be used concurrently.
type Room struct {
	apart    arena.Of[takenApart]
	readings arena.Of[Reading]
	given    arena.Of[given]
	words    arena.Of[operand]
	bound    arena.Of[binding]
	ofRoles  arena.Of[value]
}

// Reset takes everything back: nobody may have a [Reading] of the text any more.
func (r *Room) Reset() {
	r.apart.Reset()
	r.readings.Reset()
	r.given.Reset()
	r.words.Reset()
	r.bound.Reset()
	r.ofRoles.Reset()
}

func (r *Room) takenApart() *takenApart {
	if r == nil {
		return new(takenApart)
	}
	return &r.apart.Take(1)[0]
}

func (r *Room) reading() *Reading {
	if r == nil {
		return new(Reading)
	}
	return &r.readings.Take(1)[0]
}

func (r *Room) options(n int) []given {
	if r == nil {
		return make([]given, 0, n)
	}
	return r.given.Room(n)
}

func (r *Room) operands(n int) []operand {
	if r == nil {
		return make([]operand, 0, n)
	}
	return r.words.Room(n)
}

func (r *Room) bindings(n int) []binding {
	if r == nil {
		return make([]binding, 0, n)
	}
	return r.bound.Room(n)
}

func (r *Room) values(n int) []value {
	if r == nil {
		return make([]value, 0, n)
	}
	return r.ofRoles.Room(n)
}

package alloc_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sluice-project/sluice/wire/internal/alloc"
)

func TestSmallMapIsAMap(t *testing.T) {
	for _, keys := range []int{1, 4, 5, 20} { // up to four need no map
		rnd := rand.New(rand.NewPCG(1, uint64(keys)))
		var n alloc.SmallMap[int]
		want := make(map[int]*int)
		for range 2000 {
			key := rnd.IntN(keys)
			switch rnd.IntN(8) {
			case 0:
				n.Clear()
				clear(want)
			case 1, 2, 3:
				n.Remove(key)
				delete(want, key)
			default:
				value := new(int)
				n.Put(key, value)
				want[key] = value
			}
			for key := range keys {
				if n.Get(key) != want[key] {
					t.Fatalf("of %d keys, %d leads to %p, want %p", keys, key, n.Get(key), want[key])
				}
			}
		}
	}
}

func TestFourEntriesDoNotAllocate(t *testing.T) {
	value := new(int)
	if allocs := testing.AllocsPerRun(100, func() {
		var n alloc.SmallMap[int]
		for key := range 4 {
			n.Put(key, value)
		}
		n.Remove(2)
		n.Put(9, value)
		if n.Get(9) != value || n.Get(2) != nil {
			t.Error("not what was put there")
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

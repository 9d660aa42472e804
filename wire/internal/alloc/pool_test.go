package alloc_test

import (
	"testing"

	"github.com/sluice-project/sluice/wire/internal/alloc"
)

func TestPoolHandsOutEachValueOnce(t *testing.T) {
	var s alloc.Pool[int]
	made := make([]*int, 100)
	for i := range made {
		made[i] = s.New()
		if *made[i] != 0 {
			t.Fatalf("value %d is %d", i, *made[i])
		}
		*made[i] = i + 1
	}
	for i, v := range made {
		if *v != i+1 {
			t.Errorf("value %d is %d: it was handed out twice", i, *v)
		}
	}
}

func TestPoolAllocatesManyAtOnce(t *testing.T) {
	for made, want := range map[int]float64{1: 1, 2: 2, 4: 2, 5: 3} { // the pool itself is one
		if allocs := testing.AllocsPerRun(100, func() {
			s := new(alloc.Pool[[4]int])
			for range made {
				if v := s.New(); v[0] != 0 {
					t.Error("not zero")
				}
			}
		}); allocs > want {
			t.Errorf("%d values: %v allocations, want at most %v", made, allocs, want)
		}
	}
}

package server

import "testing"

// The collector rests until the least heap is in use, and never more often than
// without anybody's advice.
func TestPace(t *testing.T) {
	for _, tc := range []struct {
		name string
		live uint64
		want int
	}{
		{"nothing in use", 0, 3200},
		{"almost nothing", leastHeap / 64, 3200},
		{"a sixteenth", leastHeap / 16, 1500},
		{"a quarter", leastHeap / 4, 300},
		{"just below a half", leastHeap/2 - 1, 100},
		{"a half", leastHeap / 2, 100},
		{"all of it", leastHeap, 100},
		{"much more", 100 * leastHeap, 100},
	} {
		if got := pace(tc.live); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

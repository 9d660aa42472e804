package server

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastHeap is how much memory may be in use before the first collection.
const leastHeap = 64 << 20

// SpareCollections lets the garbage collector of this process rest while little
// memory is in use: a gateway keeps a few megabytes and makes many times that
// per second for a moment each, so that it would be collected again and again.
// With more in use, the collector works as always. What was needed only to start
// is given back first. Where GOGC is set, it does nothing. It is for programs
// that have started, and for once.
func SpareCollections() {
	if os.Getenv("GOGC") == "" {
		debug.FreeOSMemory()
		spare()
	}
}

// spare sets the pace of the collector, now and after every collection.
func spare() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	percent := pace(sample[0].Value.Uint64())
	debug.SetGCPercent(percent)
	runtime.AddCleanup(new([64]byte), func(struct{}) { spare() }, struct{}{})
}

// pace is by how much memory may grow, in percent of what is in use.
func pace(live uint64) int {
	const usual, most = 100, 3200
	if live >= leastHeap/2 {
		return usual
	}
	return int(min(100*leastHeap/max(live, 1)-100, most))
}

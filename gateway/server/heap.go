package server

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastHeap is how much memory may be in use before the first collection.
const leastHeap = 64 << 20

// SpareCollections keeps the garbage collector of this process from running
// while little memory is in use: a gateway retains a few megabytes and allocates
// many times that per second for short periods, so the collector would run all
// the time. With more in use, the collector works as usual. Memory that was
// needed only at startup is released first. If GOGC is set, it does nothing.
// Call it once, after startup.
func SpareCollections() {
	if os.Getenv("GOGC") == "" {
		debug.FreeOSMemory()
		spare()
	}
}

// spare sets GOGC, now and after every collection.
func spare() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	percent := pace(sample[0].Value.Uint64())
	debug.SetGCPercent(percent)
	runtime.AddCleanup(new([64]byte), func(struct{}) { spare() }, struct{}{})
}

// pace returns the value for GOGC: by how much memory may grow, in percent of
// what is in use.
func pace(live uint64) int {
	const usual, most = 100, 3200
	if live >= leastHeap/2 {
		return usual
	}
	return int(min(100*leastHeap/max(live, 1)-100, most))
}

package main

import (
	"bytes"
	"os"
	"runtime/metrics"
	"strconv"
)

// usage is what a process has used since it started. Reading it must be cheap, because
// it happens during the measurement.
type usage struct {
	// CPU is processor time, of the program and of the system for it, in microseconds.
	CPU int64 `json:"cpu_us"`
	// Requests and HTTP2 are what the upstream was asked, and how.
	Requests int64 `json:"requests"`
	HTTP2    int64 `json:"http2"`
}

func usageNow() usage {
	return usage{CPU: processorTime()}
}

// memory is the current memory of a process, in bytes. Reading it makes the system
// walk through all mappings.
type memory struct {
	// RSS is all of it, Heap and Stack what of it Go uses for objects and for stacks.
	RSS   int64 `json:"rss"`
	Heap  int64 `json:"heap"`
	Stack int64 `json:"stack"`
}

func memoryNow() memory {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return memory{
		RSS:  told("/proc/self/smaps_rollup", "Rss:") << 10,
		Heap: int64(samples[0].Value.Uint64()), Stack: int64(samples[1].Value.Uint64()),
	}
}

// told reads a number that the system reports about this process, 0 if it does not.
// For memory the file is the one with the total of all mappings, which is exact; the
// counters in other files lag behind.
func told(file, name string) int64 {
	text, err := os.ReadFile(file) //nolint:gosec // the system about this process
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(text, []byte("\n"+name))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

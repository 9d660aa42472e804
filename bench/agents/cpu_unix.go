//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that this process has used, on all cores: the
// garbage collector, which works next to the reader, is part of what garbage
// costs.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

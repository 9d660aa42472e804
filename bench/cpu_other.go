//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime is the elapsed time, on systems that do not report the CPU time of a
// process.
func cpuTime() time.Duration { return time.Since(started) }

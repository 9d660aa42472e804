//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime is the time that has passed, where the system does not say how much of
// it was spent by this process.
func cpuTime() time.Duration { return time.Since(started) }

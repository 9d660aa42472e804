package shell

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every program that is known, in a megabyte of lines and with a megabyte of
// arguments: how long the slowest reading takes, the better one of two.
func BenchmarkEveryProgram(b *testing.B) {
	const size = 1 << 20
	for b.Loop() {
		slowest, of := time.Duration(0), ""
		for _, name := range slices.Sorted(maps.Keys(verbs)) {
			for _, args := range []string{" a /b https://e/x ~/.env", " -x --y=z -e 'a b' x", ` "$x" <(a)`} {
				for _, text := range []string{
					strings.Repeat(name+args+"\n", size/(len(name)+len(args)+1)),
					name + strings.Repeat(args, size/len(args)),
				} {
					best := time.Hour
					for range 2 {
						began := time.Now()
						Read(text, place)
						best = min(best, time.Since(began))
					}
					if best > slowest {
						slowest, of = best, name+args
					}
				}
			}
		}
		b.ReportMetric(float64(slowest.Milliseconds()), "ms/slowest")
		b.Logf("%d programs, the slowest reading is of %s", len(verbs), of)
	}
}

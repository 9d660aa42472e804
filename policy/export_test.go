package policy

import (
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// HoldsStrayCall reports whether a payload holds a call where its dialect has none,
// whatever its decoder knows of it.
func HoldsStrayCall(format wire.Format, c *stream.Chunk) bool {
	e := &Engine{set: &Set{enforces: true}, opts: Options{Format: format}}
	read := *c
	read.Repeats, read.Known = false, false
	return e.strayCall(&read) != nil
}

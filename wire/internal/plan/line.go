package plan

import (
	"bytes"

	"github.com/sluice-project/sluice/stream"
)

// OneLine returns a chunk of a stream with spaces for the line breaks in its payload,
// which stand between tokens only, so that it leaves as one data line: there are
// clients that take each data line for a payload, and would not read what others do.
// A whole answer stays as it is.
func OneLine(c *stream.Chunk, whole bool) *stream.Chunk {
	// What is like the payload before it has no line breaks; see shape.Learn.
	if whole || c.Whole || c.Repeats || bytes.IndexByte(c.Raw, '\n') < 0 && bytes.IndexByte(c.Raw, '\r') < 0 {
		return c
	}
	flat := *c
	flat.Raw = bytes.Clone(c.Raw)
	for i, b := range flat.Raw {
		if b == '\n' || b == '\r' {
			flat.Raw[i] = ' ' // one for one: what stands behind stays in its place
		}
	}
	return &flat
}

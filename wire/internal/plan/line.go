package plan

import (
	"bytes"

	"github.com/sluice-project/sluice/stream"
)

// OneLine returns a chunk of a stream with the line breaks in its payload, which occur
// only between tokens, replaced by spaces, so that it is sent as one data line: some
// clients take each data line for a payload, and would read something else than others
// do. A whole answer stays unchanged.
func OneLine(c *stream.Chunk, whole bool) *stream.Chunk {
	// A payload that matches the one before has no line breaks; see shape.Learn.
	if whole || c.Whole || c.Repeats {
		return c
	}
	return Flat(c)
}

// Flat is OneLine for a chunk that is sent in a stream, also if it is a whole answer.
func Flat(c *stream.Chunk) *stream.Chunk {
	if bytes.IndexByte(c.Raw, '\n') < 0 && bytes.IndexByte(c.Raw, '\r') < 0 {
		return c
	}
	flat := *c
	flat.Raw = bytes.Clone(c.Raw)
	for i, b := range flat.Raw {
		if b == '\n' || b == '\r' {
			flat.Raw[i] = ' ' // one for one: offsets stay valid
		}
	}
	return &flat
}

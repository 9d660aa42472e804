package sse

import (
	"bytes"
	"slices"
)

// Framer is AppendEvent for a stream of events: most events of a stream have the same
// name as the one before, so its line is built once. The zero value is ready to use; it
// must not be copied after first use and is not safe for concurrent use.
type Framer struct {
	name string
	head []byte // the lines before the payload of an event with that name
	room [64]byte
}

// Append appends one event to dst, as [AppendEvent] does.
func (f *Framer) Append(dst []byte, name string, data []byte) []byte {
	if name != f.name || f.head == nil {
		f.name = name
		if f.head == nil {
			f.head = f.room[:0]
		}
		f.head = f.head[:0]
		if plain := plainName(name); plain != "" {
			f.head = append(append(append(f.head, "event: "...), plain...), '\n')
		}
		f.head = append(f.head, "data: "...)
	}
	if bytes.IndexByte(data, '\n') >= 0 || bytes.IndexByte(data, '\r') >= 0 {
		return AppendEvent(dst, name, data)
	}
	dst = slices.Grow(dst, len(f.head)+len(data)+2) // once, not piece by piece
	dst = append(dst, f.head...)
	dst = append(dst, data...)
	return append(dst, "\n\n"...)
}

package sse

import "bytes"

// Framer is AppendEvent for one stream after another event: most events of a
// stream have the name of the one before, so that its line is made once. The
// zero value is ready; it is not safe for concurrent use.
type Framer struct {
	name string
	head []byte // the lines before the payload of an event with that name
}

// Append appends one event to dst, as [AppendEvent] does.
func (f *Framer) Append(dst []byte, name string, data []byte) []byte {
	if name != f.name || f.head == nil {
		f.name = name
		f.head = f.head[:0]
		if plain := plainName(name); plain != "" {
			f.head = append(append(append(f.head, "event: "...), plain...), '\n')
		}
		f.head = append(f.head, "data: "...)
	}
	if bytes.IndexByte(data, '\n') >= 0 || bytes.IndexByte(data, '\r') >= 0 {
		return AppendEvent(dst, name, data)
	}
	dst = append(dst, f.head...)
	dst = append(dst, data...)
	return append(dst, "\n\n"...)
}

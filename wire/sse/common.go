package sse

import "bytes"

// common fills in ev, which is zero, with the next event if that is completely buffered
// and has the common layout: an event line or none, one data line, an empty line, no
// CR. Otherwise it returns false and consumes nothing; ev must not be used then.
//
// It is tried once per event, so bytes that it searches in vain are searched twice at
// most.
func (r *Reader) common(ev *Event) bool {
	b := &r.buf
	if r.size != 0 || r.hasData || r.hasName || r.atStart || r.discard || b.skipLF {
		return false
	}
	b.findCR()
	// There is no CR up to b.cr. The slice ends there, or with the buffer.
	rest := b.b[b.pos:b.cr]
	size, used := 0, 0
	if len(rest) > 6 && string(rest[:6]) == "event:" {
		n := bytes.IndexByte(rest, '\n')
		b.work += n + 1
		if n < 0 {
			return false
		}
		ev.Name = trimOneSpace(rest[6:n:n])
		size, used = n, n+1
		rest = rest[used:]
	}
	if len(rest) < 5 || string(rest[:5]) != "data:" {
		return false
	}
	n := bytes.IndexByte(rest, '\n')
	b.work += n + 1
	if n < 0 || n+1 >= len(rest) || rest[n+1] != '\n' {
		return false
	}
	if size += n; size > r.opts.MaxEvent {
		return false
	}
	ev.Data = trimOneSpace(rest[5:n:n])
	b.pos += used + n + 2
	return true
}

// trimOneSpace returns value without one leading space.
func trimOneSpace(value []byte) []byte {
	if len(value) > 0 && value[0] == ' ' {
		return value[1:]
	}
	return value
}

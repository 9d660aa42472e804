package sse

import (
	"bytes"
	"io"
)

const (
	// initialBuffer is the initial size of a buffer. It holds a few ordinary events: a
	// stream that arrives as it is generated never needs more, and there may be
	// thousands of idle ones.
	initialBuffer = 2 << 10

	// burstBuffer is the buffer size of a stream that arrives in bursts: the end of a
	// read split an event, so more is probably on its way.
	burstBuffer = 8 << 10

	// goodRead is the space offered to a Read if it costs little: a source that buffers
	// by itself, like an HTTP body, can then return all it has at once. A host may do
	// something costly before each Read.
	goodRead = 4 << 10

	// minRead is the minimum space offered to a Read. With less, the buffer is
	// compacted or grown first.
	minRead = 512

	// keepBuffer is the largest buffer that is kept when its content is consumed.
	keepBuffer = 1 << 20

	// maxEmptyReads is how many times in a row a source may return (0, nil).
	maxEmptyReads = 100
)

// buffer splits the bytes of a source into lines.
//
//	b: [ ... | data | gap | unread | free ]
//	          ^      ^     ^        ^
//	   dataFrom  dataTo  pos      end
//
// The data of the event being collected stays in place ahead of the unread
// bytes, so that the usual event, which has one data line, is never copied.
//
// Every byte is searched at most once for LF and once for CR, no matter how
// the lines and the reads are cut: lf and cr remember how far each search got.
type buffer struct {
	src io.Reader
	b   []byte
	err error // what the source's last Read returned; set once

	dataFrom, dataTo int // collected data; equal positions hold nothing
	pos, end         int // unread bytes

	// There is no LF in b[pos:lf]. If lfHit, b[lf] is one. The same for CR. A position
	// below pos is stale and means pos.
	lf, cr       int
	lfHit, crHit bool

	skipLF bool // the last line ended in CR: an LF at pos belongs to it

	// work counts bytes searched and bytes moved. Nothing depends on it; a test uses it
	// to prove without a clock that the work is linear.
	work int
}

// reset starts over with a new source. The memory is kept unless it is large.
func (b *buffer) reset(src io.Reader) {
	mem := b.b
	if len(mem) == 0 || len(mem) > burstBuffer {
		mem = make([]byte, initialBuffer)
	}
	*b = buffer{src: src, b: mem}
}

// release drops all content, and the memory too if it is large.
func (b *buffer) release() {
	b.dataFrom, b.dataTo, b.pos, b.end = 0, 0, 0, 0
	if len(b.b) > keepBuffer {
		b.b = nil
	}
}

// nextLine consumes one line and returns its bounds without the line end.
// It returns ok false if no unread line is complete; then the unread bytes
// contain no line end.
func (b *buffer) nextLine() (from, to int, ok bool) {
	pos, end := b.pos, b.end
	if b.skipLF && pos < end {
		b.skipLF = false
		if b.b[pos] == '\n' {
			pos++
			b.pos = pos
		}
	}
	if pos < end && b.b[pos] == '\n' { // every event has one of these
		b.pos = pos + 1
		return pos, pos, true
	}

	b.findCR()
	if b.lf < pos {
		b.lf, b.lfHit = pos, false
	}
	if !b.lfHit && b.lf < end {
		if i := bytes.IndexByte(b.b[b.lf:end], '\n'); i >= 0 {
			b.work += i + 1
			b.lf += i
			b.lfHit = true
		} else {
			b.work += end - b.lf
			b.lf = end
		}
	}

	switch {
	case b.crHit && (!b.lfHit || b.cr < b.lf):
		// The line is complete even if the LF of a CRLF is yet to come: a
		// live stream must not stall waiting for it.
		b.skipLF = true
		b.pos = b.cr + 1
		return pos, b.cr, true
	case b.lfHit:
		b.pos = b.lf + 1
		return pos, b.lf, true
	}
	return pos, pos, false
}

// findCR updates cr. The search runs ahead to the end of the buffer: a stream without
// CR thus pays for it once per read and not once per line.
func (b *buffer) findCR() {
	if b.cr < b.pos {
		b.cr, b.crHit = b.pos, false
	}
	if b.crHit || b.cr == b.end {
		return
	}
	if i := bytes.IndexByte(b.b[b.cr:b.end], '\r'); i >= 0 {
		b.work += i + 1
		b.cr += i
		b.crHit = true
	} else {
		b.work += b.end - b.cr
		b.cr = b.end
	}
}

// appendData joins b[from:to], the value of a further data line, to the collected data
// with an LF. The bytes move down to the end of the data. They overwrite only consumed
// bytes: the line's own field name lies between the data and from, and so leaves space
// for the LF.
func (b *buffer) appendData(from, to int) {
	b.b[b.dataTo] = '\n'
	n := copy(b.b[b.dataTo+1:], b.b[from:to])
	b.dataTo += 1 + n
	b.work += n
}

// fill reads once, more often only while the source returns (0, nil). It sets
// b.err to the source's error. It must not be called while a complete line is
// unread. limit is the size an ordinary buffer need not exceed.
func (b *buffer) fill(limit int) {
	b.makeRoom(limit)
	for range maxEmptyReads {
		n, err := b.src.Read(b.b[b.end:])
		if n < 0 || n > len(b.b)-b.end {
			b.err = errInvalidRead
			return
		}
		b.end += n
		b.err = err
		if n > 0 || err != nil {
			return
		}
	}
	b.err = io.ErrNoProgress
}

// makeRoom makes at least minRead bytes free after b.end, or goodRead if that takes no
// more than closing a gap.
//
// Compacting in place moves each byte at most once: the data goes to the
// front once per event, and the unread bytes, which are one incomplete line,
// close a gap that cannot open again before that line is complete.
func (b *buffer) makeRoom(limit int) {
	used := b.dataTo - b.dataFrom + b.end - b.pos
	size := len(b.b)
	switch {
	case size > keepBuffer && used <= size/4:
		// A very large event has been consumed, and the stream may now be
		// idle for long.
		b.moveTo(make([]byte, max(initialBuffer, 2*used)))
	case used > 0 && size < burstBuffer && size-b.end < goodRead:
		b.moveTo(make([]byte, burstBuffer))
	case used > 0 && size-b.end < goodRead && b.pos > b.dataTo && size-used >= goodRead:
		b.moveTo(b.b)
	case size-b.end >= minRead && used > 0:
		// Room enough. The marks stay valid.
	case size-used >= minRead:
		b.moveTo(b.b)
	default:
		grown := 2 * size
		// Doubling would give an event near the limit twice what it can use.
		if room := used + minRead; grown-initialBuffer > limit && room-initialBuffer <= limit {
			grown = limit + initialBuffer
		}
		b.moveTo(make([]byte, grown))
	}
}

// moveTo moves the content to the front of mem, which may be b.b.
func (b *buffer) moveTo(mem []byte) {
	inPlace := &mem[0] == &b.b[0]
	n := b.dataTo - b.dataFrom
	if n > 0 && !(inPlace && b.dataFrom == 0) {
		copy(mem, b.b[b.dataFrom:b.dataTo])
		b.work += n
	}
	b.dataFrom, b.dataTo = 0, n
	m := b.end - b.pos
	if m > 0 && !(inPlace && b.pos == n) {
		copy(mem[n:], b.b[b.pos:b.end])
		b.work += m
	}
	b.b, b.pos, b.end = mem, n, n+m
	// The unread bytes hold no line end, or fill would not have been called.
	b.lf, b.cr, b.lfHit, b.crHit = b.end, b.end, false, false
}

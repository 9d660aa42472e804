package sse

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
)

// DefaultMaxEvent is the limit used if [Options.MaxEvent] is not positive.
// Single payloads of a megabyte are normal (images, whole tool arguments).
const DefaultMaxEvent = 16 << 20

// keepName is the largest buffer for an event name that is kept while the reader waits
// for input.
const keepName = 1 << 10

// Event is one dispatched event, or one comment. Its slices borrow the
// reader's memory: they are valid until the next call of Next or Reset, and
// appending to them does not harm the reader.
type Event struct {
	// Name is the value of the last event field, nil if there was none.
	Name []byte

	// Data is the value of the data field, several of them joined with LF.
	// It is never nil except for a comment, but may be empty.
	Data []byte

	// Comment is the text of a comment line without the colon and one space
	// after it. It is not nil, though maybe empty, for a comment line and nil
	// for everything else; Name and Data of a comment are nil.
	Comment []byte
}

// Options configures a [Reader]. The zero value is ready to use.
type Options struct {
	// MaxEvent limits the size of one event: the bytes of all its lines,
	// field names included, line ends and comments not. An event of exactly
	// this size is fine. DefaultMaxEvent if not positive.
	MaxEvent int

	// Comments makes Next return comment lines, as soon as each is complete,
	// even in the middle of an event. A gateway resets its idle timer on
	// them. A comment line longer than MaxEvent, and one that the end of the
	// body cuts off, is skipped. By default all comments are.
	Comments bool
}

// Reader reads events from a byte stream. It takes whatever each Read of the source
// returns, so it may have read past the event that it returns. It is not safe for
// concurrent use. Create one with [NewReader].
type Reader struct {
	buf  buffer
	opts Options

	// The event being collected. Its data is buf's dataFrom and dataTo.
	hasData bool
	hasName bool
	name    []byte // a copy: joining data would overwrite it in buf
	size    int    // bytes of its lines so far
	room    [64]byte

	atStart bool  // the byte order mark has not been checked for
	discard bool  // inside a comment line that is discarded as it arrives
	failed  error // what Next returns from now on
}

// NewReader returns a Reader that reads from src.
func NewReader(src io.Reader, opts Options) *Reader {
	r := &Reader{opts: opts}
	r.Reset(src)
	return r
}

// NextPayload returns the name and the data of the next event, which are valid until
// the next call. Comments are skipped. It makes a Reader a source for stream.Process.
func (r *Reader) NextPayload() (name, data []byte, err error) {
	for {
		event, err := r.Next()
		if err != nil || event.Comment == nil {
			return event.Name, event.Data, err
		}
	}
}

// Reset makes r read a new body from src, as if newly created with the same options. It
// keeps r's memory unless an event made it very large.
func (r *Reader) Reset(src io.Reader) {
	if r.opts.MaxEvent <= 0 {
		r.opts.MaxEvent = DefaultMaxEvent
	}
	r.buf.reset(src)
	r.failed = nil
	r.atStart = true
	r.discard = false
	r.clear()
	r.trimName()
}

// Next returns the next event. It blocks in the source's Read only if no whole
// event is buffered.
//
// After the last event it returns
//   - [io.EOF] if the body ended cleanly,
//   - [ErrTruncated] if it ended inside an event that is not evidently whole,
//   - a [*TooLongError] if an event exceeds the limit,
//   - [io.ErrNoProgress] if the source keeps returning nothing,
//   - or the source's own error, unchanged; a pending event is then dropped.
//
// Every later call returns the same error. The Event that comes with an error
// is zero.
func (r *Reader) Next() (ev Event, err error) {
	if r.failed != nil {
		return Event{}, r.failed
	}
	if r.common(&ev) {
		return ev, nil
	}
	return r.next()
}

// Buffered returns the next event if it is already buffered and has the common layout.
// If not, a host can do other work before it waits in Next, which may still find that
// it need not wait.
func (r *Reader) Buffered() (ev Event, ok bool) {
	if r.failed != nil || !r.common(&ev) {
		return Event{}, false
	}
	return ev, true
}

// next is Next for events of any layout.
func (r *Reader) next() (Event, error) {
	for {
		if !r.atStart || r.skipBOM() {
			for {
				from, to, ok := r.buf.nextLine()
				if !ok {
					break
				}
				if r.discard { // the rest of a line, not a line
					r.discard = false
					continue
				}
				if from == to {
					if r.hasData {
						return r.dispatch(), nil
					}
					r.clear()
					continue
				}
				if r.buf.b[from] == ':' {
					if r.opts.Comments && to-from <= r.opts.MaxEvent {
						from = r.skipSpace(from+1, to)
						return Event{Comment: r.buf.b[from:to:to]}, nil
					}
					continue
				}
				if !r.field(from, to) {
					return r.fail(&TooLongError{Limit: r.opts.MaxEvent})
				}
			}
			if !r.checkPartial() {
				return r.fail(&TooLongError{Limit: r.opts.MaxEvent})
			}
		}
		if r.buf.err != nil {
			return r.finish()
		}
		if !r.hasName {
			r.trimName()
		}
		r.buf.fill(r.opts.MaxEvent)
	}
}

// skipBOM drops a byte order mark at the start of the body. It returns false
// while the bytes read so far might be the beginning of one and more may come;
// those hold no line end, so that waiting delays no event.
func (r *Reader) skipBOM() bool {
	const bom = "\xEF\xBB\xBF"
	start := r.buf.b[r.buf.pos:r.buf.end]
	if r.buf.err == nil && len(start) < len(bom) && string(start) == bom[:len(start)] {
		return false
	}
	if bytes.HasPrefix(start, []byte(bom)) {
		r.buf.pos += len(bom)
	}
	r.atStart = false
	return true
}

// field applies the line b[from:to], which is not empty and no comment. It
// returns false if the line makes the event too long.
func (r *Reader) field(from, to int) bool {
	// No overflow: both are at most about the limit, which is memory in use.
	r.size += to - from
	if r.size > r.opts.MaxEvent {
		return false
	}
	// Only the two known names are compared. Searching for the colon would be another
	// pass over long lines.
	line := r.buf.b[from:to]
	switch {
	case len(line) >= 5 && string(line[:5]) == "data:":
		r.data(r.skipSpace(from+5, to), to)
	case len(line) >= 6 && string(line[:6]) == "event:":
		from = r.skipSpace(from+6, to)
		r.name = append(r.name[:0], r.buf.b[from:to]...)
		r.hasName = true
	case string(line) == "data":
		r.data(to, to)
	case string(line) == "event":
		r.name = r.name[:0]
		r.hasName = true
	}
	return true
}

// data adds one data line's value to the event.
func (r *Reader) data(from, to int) {
	if r.hasData {
		r.buf.appendData(from, to)
		return
	}
	r.buf.dataFrom, r.buf.dataTo = from, to
	r.hasData = true
}

// skipSpace returns from, moved past one space if there is one in b[from:to].
func (r *Reader) skipSpace(from, to int) int {
	if from < to && r.buf.b[from] == ' ' {
		from++
	}
	return from
}

// checkPartial checks the incomplete line at the end of the buffer. It discards it if
// it is a comment that nobody will see, and returns false if it already makes the event
// too long.
func (r *Reader) checkPartial() bool {
	b := &r.buf
	n := b.end - b.pos
	if n == 0 {
		return true
	}
	if !r.discard && b.b[b.pos] != ':' {
		return n <= r.opts.MaxEvent-r.size
	}
	if r.discard || !r.opts.Comments || n > r.opts.MaxEvent {
		r.discard = true
		b.pos = b.end
	}
	return true
}

// dispatch returns the collected event and starts a new one.
func (r *Reader) dispatch() Event {
	b := &r.buf
	ev := Event{Data: b.b[b.dataFrom:b.dataTo:b.dataTo]}
	if r.hasName {
		ev.Name = slices.Clip(r.name)
	}
	r.clear()
	return ev
}

// clear starts a new event. The memory of the last one stays untouched until
// the next call of Next.
func (r *Reader) clear() {
	r.buf.dataFrom, r.buf.dataTo = 0, 0
	r.hasData, r.hasName, r.size = false, false, 0
}

// trimName makes sure that there is a name buffer to reuse (an empty name must not be
// nil) and that it is not a large one.
func (r *Reader) trimName() {
	if c := cap(r.name); c == 0 || c > keepName {
		r.name = r.room[:0]
	}
}

// finish is called when the source has ended and no complete line is left.
func (r *Reader) finish() (Event, error) {
	b := &r.buf
	if b.err != io.EOF { //nolint:errorlint // only io.EOF itself is an end; an error that wraps it is one
		return r.fail(b.err)
	}
	// An incomplete last line counts if it includes its colon. A comment does not: it
	// may be incomplete.
	from, to := b.pos, b.end
	b.pos = b.end
	if bytes.IndexByte(b.b[from:to], ':') > 0 {
		r.field(from, to) // not too long: checkPartial has checked it
	}
	if !r.hasData {
		return r.fail(io.EOF)
	}
	if data := b.b[b.dataFrom:b.dataTo]; string(data) != "[DONE]" && !json.Valid(data) {
		return r.fail(ErrTruncated)
	}
	r.failed = io.EOF
	return r.dispatch(), nil
}

// fail makes err the result of this and all later calls of Next.
func (r *Reader) fail(err error) (Event, error) {
	r.failed = err
	r.clear()
	r.buf.release()
	return Event{}, err
}

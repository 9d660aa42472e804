package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// errEmpty is an answer without any bytes.
var errEmpty = errors.New("the upstream sent an empty answer")

// answer reads a judged answer from an upstream: a policy.Source. Before it waits
// for more, it flushes what the client may have.
type answer struct {
	ctx   context.Context //nolint:containedctx // it lives as long as the exchange
	conn  *ahead          // that it arrives on, nil if it is shared
	body  io.ReadCloser   // decoded
	sink  *sink
	clock *clock
	keep  Recorder // nil if nothing is recorded

	format wire.Format
	id     string // the provider's, if it stores answers by id
	looked int
	// rushes: the last read brought much, so that more may be there already.
	rushes bool
	left   bool    // what may leave has, before the next read
	late   bool    // what may leave was put off, since more was there
	dry    bool    // no event has arrived whole since Buffered was asked last
	limit  int     // of a body
	events *reader // nil for a body
	rest   peeked
	read   bool
	ended  bool // nothing more comes, so that nothing is waited for
}

// Read reads from the upstream. The client does not wait while it waits.
func (a *answer) Read(p []byte) (int, error) {
	if !a.left {
		if err := a.leave(); err != nil {
			return 0, err
		}
	}
	a.left = false
	n, err := a.body.Read(p)
	a.rushes = n >= much && err == nil
	if n > 0 {
		a.clock.noteRead()
		if a.keep != nil {
			a.keep.Write(p[:n])
		}
	}
	if err == nil {
		return n, nil
	}
	if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		a.ended = true
		a.clock.upstreamEnded()
		return n, io.EOF
	}
	if a.late && !a.sink.begun() { // what came before it broke off has come
		if err := a.sink.Flush(); err != nil {
			return n, err
		}
	}
	if cause := context.Cause(a.ctx); cause != nil {
		return n, cause
	}
	return n, &brokenError{err}
}

// much is more than a read brings of an answer that comes as it is made.
const much = sniffed

// leave lets go what the client may have, unless the upstream is known to be
// ahead, so that it is not waited for. What people wait for is what comes first:
// it is put off only once, for what is there by then. At its end, an answer leaves
// together with it.
func (a *answer) leave() error {
	if a.ended {
		a.sink.owe()
		return nil
	}
	if a.rushes && a.conn != nil && a.conn.more(a.sink, !a.late || a.sink.begun()) {
		a.late = true
		return nil
	}
	return a.sink.Flush()
}

// brokenError is an answer that broke off. The cause is for the log; the client
// is told only that it broke off.
type brokenError struct{ err error }

// Error is what the client is told.
func (e *brokenError) Error() string { return "the upstream's answer broke off before its end" }

// Unwrap returns the cause.
func (e *brokenError) Unwrap() []error { return []error{e.err, io.ErrUnexpectedEOF} }

// sniffed is how many bytes are read to detect the form of an answer.
const sniffed = 512

// form detects whether the answer is one body or a stream of events. Its headers
// do not decide: servers send wrong ones, and answer requests for a stream with
// a body. A body begins with a brace or a bracket; no meaningful line of an
// event stream does.
func (a *answer) form(payload int) (isBody bool, err error) {
	buf, ok := heads.Get().(*[sniffed]byte)
	if !ok {
		buf = new([sniffed]byte)
	}
	head := buf[:0]
	for {
		n, err := a.Read(head[len(head):cap(head)])
		head = head[:len(head)+n]
		if said := bytes.TrimLeft(head, " \t\r\n"); len(said) > 0 {
			isBody = said[0] == '{' || said[0] == '['
			break
		}
		switch {
		case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return false, errEmpty
		case err != nil:
			return false, err
		case len(head) == cap(head):
			return false, fmt.Errorf("the upstream's answer begins with %d bytes of white space", len(head))
		}
	}
	a.rest = peeked{head: head, buf: buf, Reader: a}
	if !isBody {
		a.events = readerOf(&a.rest, payload)
	}
	return isBody, nil
}

// heads is a pool of buffers for the first bytes of answers.
var heads = sync.Pool{New: func() any { return new([sniffed]byte) }}

// readers is a pool of readers for streams. They all have the same limit.
var readers = sync.Pool{}

func readerOf(src io.Reader, limit int) *reader {
	r, ok := readers.Get().(*reader)
	if !ok || r.limit != limit {
		return &reader{sse.NewReader(src, sse.Options{MaxEvent: limit}), limit}
	}
	r.Reset(src)
	return r
}

// reader is a reader of events and its limit.
type reader struct {
	*sse.Reader

	limit int
}

// Close returns buffers to their pools. Nothing may be read afterwards.
func (a *answer) Close() {
	if a.events != nil {
		a.events.Reset(nil)
		readers.Put(a.events)
		a.events = nil
	}
	_ = a.body.Close()
}

// peeked reads what was peeked at first, then the rest.
type peeked struct {
	io.Reader

	head []byte
	buf  *[sniffed]byte // that head is in, returned to the pool once it was read
}

// Read reads.
func (p *peeked) Read(to []byte) (int, error) {
	if len(p.head) == 0 {
		return p.Reader.Read(to)
	}
	n := copy(to, p.head)
	if p.head = p.head[n:]; len(p.head) == 0 {
		clear(p.buf[:])
		heads.Put(p.buf)
		p.head, p.buf = nil, nil
	}
	return n, nil
}

// mostLooked is how many payloads are searched for the id of the answer.
const mostLooked = 8

// Next returns the next payload.
func (a *answer) Next() (name string, payload []byte, err error) {
	if a.events == nil {
		payload, err = a.one()
	} else {
		ev, ok := sse.Event{}, false
		if !a.dry {
			ev, ok = a.events.Buffered()
		}
		if !ok {
			// Read would do it too, but further down on the stack.
			if err := a.leave(); err != nil {
				return "", nil, err
			}
			a.left = true
			ev, err = a.events.Next()
		}
		a.dry = false
		name, payload = wire.EventName(ev.Name), ev.Data
	}
	beginWork(len(payload))
	if a.looks() && err == nil {
		a.looked++
		a.id = answerID(a.format, payload)
	}
	return name, payload, err
}

// Buffered returns the next payload if it has arrived.
func (a *answer) Buffered() (name string, payload []byte, ok bool) {
	if a.events == nil || a.looks() {
		return "", nil, false
	}
	ev, ok := a.events.Buffered()
	a.dry = !ok
	beginWork(len(ev.Data))
	return wire.EventName(ev.Name), ev.Data, ok
}

// looks reports whether the next payload is searched for the id of the answer.
func (a *answer) looks() bool { return a.looked < mostLooked && a.id == "" }

// one returns the body, once.
func (a *answer) one() ([]byte, error) {
	if a.read {
		return nil, io.EOF
	}
	a.read = true
	body, err := io.ReadAll(io.LimitReader(&a.rest, int64(a.limit)+1))
	if err != nil {
		return nil, err
	}
	if len(body) > a.limit {
		return nil, fmt.Errorf("the upstream's answer is larger than %d bytes", a.limit)
	}
	return body, nil
}

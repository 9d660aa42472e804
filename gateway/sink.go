package gateway

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// sink is the way back to the client. What is written is collected and leaves
// together when it is flushed: before the gateway waits for the upstream, after a
// verdict, at the end. The status line leaves with the first flush, so that up to
// then an answer can still become an error with a status of its own.
//
// Everything that is written at once is whole events, so that a sign of life can
// be put between any two writes. It is safe for concurrent use.
type sink struct {
	w        http.ResponseWriter
	control  *http.ResponseController
	cork     *cork         // nil if the connection cannot be corked
	batch    int           // how much leaves at once
	patience time.Duration // for a client that does not read

	mu sync.Mutex
	// buf is borrowed while there is something to send: most streams wait most
	// of the time.
	buf  []byte
	home *[]byte
	// begin sets the headers before the status line is sent.
	status    int
	begin     func(http.Header)
	whole     bool // a body, which leaves in one piece with its length
	committed bool
	owed      bool // what was written is the client's, though nothing has left
	closed    bool
	ends      bool      // the rest: the server flushes it with the end of the body
	deadline  time.Time // of the connection
	last      time.Time // when bytes left last
	first     time.Time // when they first did
	sent      int64
	err       error // the client's, which stays
}

// open begins a way back to the client, which must not have been used before.
func (s *sink) open(w http.ResponseWriter, control *http.ResponseController, c *cork, patience time.Duration) *sink {
	s.w, s.control, s.cork, s.batch, s.patience, s.last = w, control, c, oneWrite, patience, time.Now()
	if c != nil {
		s.batch = oneBatch
	}
	return s
}

// form says how the answer is to be sent once it begins. A body leaves in one
// piece; a stream event by event. It reports false for a body where a stream has
// begun already.
func (s *sink) form(status int, whole bool, begin func(http.Header)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if whole && s.committed {
		return false
	}
	s.status, s.whole, s.begin = status, whole, begin
	return true
}

// Write takes in bytes for the client.
func (s *sink) Write(p []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if len(s.buf)+len(p) > s.batch && len(s.buf) > 0 && !s.whole {
		if err := s.flush(); err != nil {
			return err
		}
	}
	if s.home == nil {
		s.home = borrow()
		s.buf = *s.home
	}
	s.buf = append(s.buf, p...)
	return nil
}

// buffers are for what is about to leave.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, oneWrite)
	return &b
}}

func borrow() *[]byte {
	if b, ok := buffers.Get().(*[]byte); ok {
		return b
	}
	return new([]byte)
}

// giveBack gives a buffer to another stream, unless it has become large.
func giveBack(home *[]byte, buf []byte) {
	if home != nil && cap(buf) <= keptBuffer {
		*home = buf[:0]
		buffers.Put(home)
	}
}

func (s *sink) giveBack() {
	giveBack(s.home, s.buf)
	s.buf, s.home = nil, nil
}

const (
	// oneWrite is what net/http's buffer takes with the framing of a chunk: a
	// little more would become two writes, the second of them tiny.
	oneWrite = 4<<10 - 16
	// oneBatch is what leaves at once where the connection can be corked.
	oneBatch = 32 << 10
	// keptBuffer is the largest buffer that goes from stream to stream.
	keptBuffer = 64 << 10
)

// Flush sends what was written. Of a body nothing leaves before finish.
func (s *sink) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.whole {
		return s.err
	}
	return s.flush()
}

// owe is Flush where what was written leaves soon, with the end of the answer: it
// cannot be taken back, as if it had left.
func (s *sink) owe() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owed = s.owed || len(s.buf) > 0 && !s.whole
}

func (s *sink) flush() error {
	if s.err != nil || len(s.buf) == 0 || s.closed {
		return s.err
	}
	s.send(s.buf)
	s.giveBack()
	return s.err
}

// send sends bytes, and the status line before the first of them.
func (s *sink) send(p []byte) {
	now := time.Now()
	if !s.committed {
		s.commit()
		s.first = now
	}
	s.last = now
	if now.Add(s.patience / 2).After(s.deadline) {
		// Setting it costs more than a short write; a client has between half
		// of its time and all of it. The connection may not have deadlines, as
		// in tests; then nothing is lost.
		s.deadline = now.Add(s.patience)
		_ = s.control.SetWriteDeadline(s.deadline)
	}
	if len(p) > oneWrite && s.cork != nil && !s.whole {
		s.cork.push()
		defer s.uncork()
	}
	n, err := s.w.Write(p)
	s.sent += int64(n)
	if err == nil && !s.whole && !s.ends {
		err = s.control.Flush()
		if errors.Is(err, http.ErrNotSupported) {
			err = nil
		}
	}
	s.err = err
}

// uncork lets what was sent leave, at the end together with that.
func (s *sink) uncork() {
	if s.ends && s.err == nil {
		s.cork.pullLater()
		return
	}
	if err := s.cork.pull(); s.err == nil {
		s.err = err
	}
}

func (s *sink) commit() {
	s.committed = true
	header := s.w.Header()
	if s.begin != nil {
		s.begin(header)
	}
	if s.whole {
		header.Set("Content-Length", strconv.Itoa(len(s.buf)))
	}
	s.w.WriteHeader(s.status)
}

// keepalive sends a sign of life if the client heard nothing for so long, which
// is another time before the status line, and returns when to look again. It
// gives up if bytes are on their way anyhow.
func (s *sink) keepalive(sign []byte, before, silence time.Duration, now time.Time) time.Duration {
	if !s.mu.TryLock() {
		return silence
	}
	defer s.mu.Unlock()
	if !s.committed {
		silence = before
	}
	switch left := s.last.Add(silence).Sub(now); {
	case s.err != nil || s.closed || s.whole || s.begin == nil:
	case left > 0:
		return left
	case len(s.buf) == 0:
		s.send(sign)
	}
	return silence
}

// retract takes the answer back if nothing of it has left or has to, so that another
// can take its place, and reports whether it could.
func (s *sink) retract() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.committed || s.owed || s.closed || s.err != nil {
		return false
	}
	s.closed = true
	s.giveBack()
	return true
}

// close lets nothing more leave. The response is not the exchange's any more
// when its handler has returned: a sign of life then would go to whoever uses the
// connection next.
func (s *sink) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.giveBack()
}

// finish sends the rest. Nothing leaves afterwards.
func (s *sink) finish() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.buf) > 0 && s.err == nil && !s.closed {
		s.ends = true
		s.send(s.buf)
	} else if !s.committed && !s.closed && s.err == nil {
		s.commit()
	}
	s.closed = true
	s.giveBack()
	return s.err
}

// begun reports whether something has left.
func (s *sink) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.committed
}

// failed is the error with which the client stopped reading, nil if it did not.
func (s *sink) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// told reports how many bytes left and when the first did.
func (s *sink) told() (sent int64, first time.Time, committed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent, s.first, s.committed
}

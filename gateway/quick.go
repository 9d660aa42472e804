package gateway

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
)

// quick is a connection that is read and written without a word to the runtime's
// scheduler. Where nothing has to be waited for, moving an event takes no time. But
// while the program has nothing to do, as between two events, the runtime's watcher
// sleeps, and the word that a system call begins, which might take long, wakes it:
// for each event anew, and that costs more than the call.
//
// The watcher takes the processor from those who have had it for long. So it is
// woken where that may be: before much is judged, by who takes or decodes much and
// never has to wait, and, as always, by a call that moves much.
type quick struct {
	*net.TCPConn

	raw     syscall.RawConn
	in, out move
}

// move is a read or a write.
type move struct {
	mu    sync.Mutex
	try   func(fd uintptr) bool // made once
	p     []byte
	n     int
	why   syscall.Errno
	taken int // since something was waited for
}

const (
	// mostQuick is how much is moved without a word.
	mostQuick = 64 << 10
	// shortWork is how much is worked on without a word: that takes a fraction of
	// a millisecond, and where somebody means ill some ten of them.
	shortWork = 16 << 10
	// leastWork is what moving, or judging, anything counts for.
	leastWork = 1 << 10
)

// wakeWatcher wakes the watcher if it sleeps. Tests count it.
var wakeWatcher = tellScheduler

// beginWork is to be called before work on so many bytes begins.
func beginWork(size int) {
	if size > shortWork {
		wakeWatcher()
	}
}

// quickly makes a connection quick where it can be, nil if it is not TCP.
func quickly(conn net.Conn) *quick {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	q := &quick{TCPConn: tcp, raw: raw}
	q.in.try, q.out.try = q.in.receive, q.out.send
	return q
}

// Read reads.
func (q *quick) Read(p []byte) (int, error) {
	if !canLook || len(p) == 0 || len(p) > mostQuick {
		return q.TCPConn.Read(p)
	}
	n, err := q.in.do(q.raw.Read, p)
	switch {
	case err != nil:
		return n, q.failed("read", err)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write writes.
func (q *quick) Write(p []byte) (int, error) {
	if !canLook || len(p) > mostQuick {
		return q.TCPConn.Write(p)
	}
	n, err := q.out.do(q.raw.Write, p)
	if err != nil {
		return n, q.failed("write", err)
	}
	return n, nil
}

// failed is an error as connections return it.
func (q *quick) failed(op string, err error) error {
	if known := new(net.OpError); errors.As(err, &known) {
		err = known.Err
	} else {
		err = os.NewSyscallError(op, err)
	}
	return &net.OpError{Op: op, Net: "tcp", Source: q.LocalAddr(), Addr: q.RemoteAddr(), Err: err}
}

// do tries until it is done, and waits in between.
func (m *move) do(wait func(func(uintptr) bool) error, p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.p, m.n, m.why = p, 0, 0
	err := wait(m.try)
	m.p = nil
	if err == nil && m.why != 0 {
		err = m.why
	}
	return m.n, err
}

// receive reads what has arrived, and reports false if that is nothing.
func (m *move) receive(fd uintptr) bool {
	m.n, m.why = m.take(fd, m.p)
	return m.why != syscall.EAGAIN
}

// take reads what has arrived. Who takes much and never has to wait for more leaves
// the processor to nobody.
func (m *move) take(fd uintptr, p []byte) (int, syscall.Errno) {
	n, why := again(receiveNow, fd, p)
	if m.taken += max(n, leastWork); why == syscall.EAGAIN {
		m.taken = 0
	} else if m.taken > mostQuick {
		m.taken = 0
		wakeWatcher()
	}
	return n, why
}

// send writes all, and reports false if there is no room for more.
func (m *move) send(fd uintptr) bool {
	for m.why = 0; m.n < len(m.p) && m.why == 0; {
		var n int
		n, m.why = again(sendNow, fd, m.p[m.n:])
		m.n += n
	}
	return m.why != syscall.EAGAIN
}

// again makes a call until no signal interrupts it.
func again(call func(uintptr, []byte) (int, syscall.Errno), fd uintptr, p []byte) (int, syscall.Errno) {
	n, why := call(fd, p)
	for why == syscall.EINTR {
		n, why = call(fd, p)
	}
	return n, why
}

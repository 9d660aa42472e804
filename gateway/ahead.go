package gateway

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"syscall"
)

// ahead is a connection to an upstream that can take in what has arrived without
// waiting for more. While an upstream sends faster than its answer is judged, what
// may leave is collected over several reads and leaves in fewer, larger writes.
type ahead struct {
	net.Conn // and nothing else of it, which would not know of the rest

	quick *quick
	// look and await are takeIn and takeInLater, made once.
	look  func(fd uintptr)
	await func(fd uintptr) bool
	// rushes: the last read brought all it could, so the next takes in more. It
	// is for whoever reads.
	rushes bool

	mu sync.Mutex
	// rest is what was taken in and not yet read. It is in borrowed memory,
	// which an idle connection has none of.
	rest []byte
	home *[]byte
	err  error // why nothing came, for the next Read
	// before is flushed before a Read waits, nil if nothing was put off.
	before *sink
}

// aheadOf makes the connections of a dialer be read ahead where they can be.
func aheadOf(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if q := quickly(conn); q != nil && canLook {
			return readAhead(q), nil
		}
		return conn, nil
	}
}

func readAhead(q *quick) *ahead {
	c := &ahead{Conn: q, quick: q}
	c.look, c.await = c.takeIn, c.takeInLater
	return c
}

// connOf makes a request's context note on which connection it is sent. When the
// answer was read to its end, the transport waits on the connection for the next
// one: nothing of this exchange must keep it from doing so.
func connOf(ctx context.Context, on **ahead) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			conn := got.Conn
			if secure, ok := conn.(*tls.Conn); ok {
				conn = secure.NetConn()
			}
			*on, _ = conn.(*ahead)
		},
		PutIdleConn: func(error) {
			if conn := *on; conn != nil {
				conn.forget()
			}
		},
	})
}

// alone is the connection that an answer has for itself as long as it is read, nil
// if it shares one, or if what decodes it may have come to its end before whoever
// reads knows.
func alone(res *http.Response, on *ahead) *ahead {
	if res.ProtoMajor != 1 || encodingOf(res.Header) != "" {
		return nil
	}
	return on
}

// more reports whether something has arrived: was taken in already or, if looks,
// can be now. If so, the sink need not be flushed before the answer is read
// further: should what has arrived not be enough, as when it is a part of a
// chunk, it is flushed before more is waited for. Nobody else may be reading.
func (c *ahead) more(s *sink, looks bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.empty() && (!looks || c.quick.raw.Control(c.look) != nil || c.empty()) {
		return false
	}
	c.before = s
	return true
}

// forget lets go of the sink of an answer that was read to its end.
func (c *ahead) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.before = nil
}

// empty reports whether nothing was taken in.
func (c *ahead) empty() bool { return len(c.rest) == 0 && c.err == nil }

// takeIn takes in what has arrived.
func (c *ahead) takeIn(fd uintptr) {
	buf := c.borrow()
	n, why := c.quick.in.take(fd, buf)
	if n > 0 {
		c.rest = buf[:n]
		return
	}
	c.giveBack()
	switch why {
	case 0:
		c.err = io.EOF
	case syscall.EAGAIN:
	default:
		c.err = c.quick.failed("read", why)
	}
}

// takeInLater takes in what has arrived, and reports false if that is nothing.
func (c *ahead) takeInLater(fd uintptr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.takeIn(fd)
	return !c.empty()
}

// Read reads what was taken in, else what the connection has.
func (c *ahead) Read(p []byte) (int, error) {
	n, before, err := c.taken(p)
	if n > 0 || err != nil || len(p) == 0 {
		return n, err
	}
	if before != nil {
		if err := before.Flush(); err != nil {
			return 0, err
		}
	}
	if !c.rushes {
		n, err := c.Conn.Read(p)
		c.rushes = n == len(p)
		return n, err
	}
	if err := c.quick.raw.Read(c.await); err != nil {
		return 0, c.quick.failed("read", err)
	}
	n, _, err = c.taken(p)
	c.rushes = n == len(p)
	return n, err
}

// taken hands over what was taken in. Where that is nothing, a sink may have to be
// flushed before more is waited for.
func (c *ahead) taken(p []byte) (n int, before *sink, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n = copy(p, c.rest); n > 0 {
		if c.rest = c.rest[n:]; len(c.rest) == 0 {
			c.giveBack()
		}
		return n, nil, nil
	}
	before, err = c.before, c.err
	c.before, c.err = nil, nil
	return 0, before, err
}

// Close closes the connection.
func (c *ahead) Close() error {
	c.mu.Lock()
	c.giveBack()
	c.mu.Unlock()
	return c.Conn.Close()
}

func (c *ahead) giveBack() {
	if c.home != nil {
		arrivals.Put(c.home)
	}
	c.rest, c.home = nil, nil
}

// oneRead is how much is taken in at once.
const oneRead = 32 << 10

// arrivals is memory for what is taken in.
var arrivals = sync.Pool{New: func() any { return new([]byte) }}

func (c *ahead) borrow() []byte {
	c.home, _ = arrivals.Get().(*[]byte)
	if *c.home == nil {
		*c.home = make([]byte, oneRead)
	}
	return *c.home
}

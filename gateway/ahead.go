package gateway

import (
	"context"
	"crypto/tls"
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
	net.Conn

	raw     syscall.RawConn
	attempt func(fd uintptr) // takeIn, made once

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
		if sc, ok := conn.(syscall.Conn); ok {
			if raw, err := sc.SyscallConn(); err == nil {
				c := &ahead{Conn: conn, raw: raw}
				c.attempt = c.takeIn
				return c, nil
			}
		}
		return conn, nil
	}
}

// connOf makes a request's context note on which connection it is sent.
func connOf(ctx context.Context, on **ahead) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		conn := got.Conn
		if secure, ok := conn.(*tls.Conn); ok {
			conn = secure.NetConn()
		}
		*on, _ = conn.(*ahead)
	}})
}

// alone is the connection that an answer has for itself, nil if it shares one.
func alone(res *http.Response, on *ahead) *ahead {
	if res.ProtoMajor != 1 {
		return nil
	}
	return on
}

// more reports whether the next Read finds something without waiting. If so, the
// sink need not be flushed first: should what has arrived not be enough for whoever
// reads, it is flushed before he waits. Nobody else may be reading.
func (c *ahead) more(s *sink) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.rest) == 0 && c.err == nil {
		if err := c.raw.Control(c.attempt); err != nil {
			return false // Read says why
		}
	}
	if len(c.rest) == 0 && c.err == nil {
		return false
	}
	c.before = s
	return true
}

// Read reads what was taken in, else what the connection has.
func (c *ahead) Read(p []byte) (int, error) {
	c.mu.Lock()
	if n := copy(p, c.rest); n > 0 {
		if c.rest = c.rest[n:]; len(c.rest) == 0 {
			c.giveBack()
		}
		c.mu.Unlock()
		return n, nil
	}
	before, err := c.before, c.err
	c.before, c.err = nil, nil
	c.mu.Unlock()
	if err != nil {
		return 0, err
	}
	if before != nil {
		if err := before.Flush(); err != nil {
			return 0, err
		}
	}
	return c.Conn.Read(p)
}

// forget lets go of a sink whose exchange is over: the connection lives on.
func (c *ahead) forget(s *sink) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.before == s {
		c.before = nil
	}
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
const oneRead = 16 << 10

// arrivals is memory for what is taken in.
var arrivals = sync.Pool{New: func() any { return new([]byte) }}

func (c *ahead) borrow() []byte {
	c.home, _ = arrivals.Get().(*[]byte)
	if *c.home == nil {
		*c.home = make([]byte, oneRead)
	}
	return *c.home
}

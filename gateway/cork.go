package gateway

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// Tune prepares a server and its listener for events: what a server of net/http
// would send in pieces of 4 KB leaves in one write, and on Linux a write costs less.
// It is to be called before the server serves on the listener that Tune returns. The
// gateway works in any other server as well, with more, and more expensive, writes.
func Tune(s *http.Server, l net.Listener) net.Listener {
	first := s.ConnContext
	s.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		if first != nil {
			ctx = first(ctx, conn)
		}
		if secure, ok := conn.(*tls.Conn); ok {
			conn = secure.NetConn()
		}
		if c, ok := conn.(*cork); ok {
			ctx = context.WithValue(ctx, corkKey{}, c)
		}
		return ctx
	}
	return corks{l}
}

// corkKey is where the context of a request has its connection.
type corkKey struct{}

// corkOf is the connection that a request came on, nil if it is not known, if others
// use it too, or if no end is written after the body.
func corkOf(r *http.Request) *cork {
	if r.ProtoMajor != 1 || r.ProtoMinor == 0 { // where a body has no end of its own
		return nil
	}
	c, _ := r.Context().Value(corkKey{}).(*cork)
	return c
}

// corks is a listener whose connections can be corked.
type corks struct{ net.Listener }

// Accept waits for the next connection.
func (l corks) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if q := quickly(conn); q != nil {
		return &cork{quick: q}, nil
	}
	return conn, nil
}

// cork is a connection to a client that keeps what is written to it until it is
// pulled. It is corked by whoever sends an answer, only while he does.
type cork struct {
	*quick

	mu   sync.Mutex
	home *[]byte // nil while it is not corked
	last bool    // the next write pulls it
	err  error   // with which something kept could not be sent: it stays
}

// push corks the connection.
func (c *cork) push() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.home == nil {
		c.home = borrow()
	}
}

// pullLater lets what was kept leave with what is written next: the end of the body,
// which a server writes when the handler has returned.
func (c *cork) pullLater() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = true
}

// pull sends what was kept.
func (c *cork) pull() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.send()
}

func (c *cork) send() error {
	if c.home == nil {
		return c.err
	}
	kept := *c.home
	if c.err == nil && len(kept) > 0 {
		_, c.err = c.quick.Write(kept)
	}
	giveBack(c.home, kept)
	c.home, c.last = nil, false
	return c.err
}

// Write writes, or keeps what is to be written.
func (c *cork) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.err != nil:
		return 0, c.err
	case c.home == nil:
		return c.quick.Write(p)
	}
	*c.home = append(*c.home, p...)
	if c.last {
		if err := c.send(); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

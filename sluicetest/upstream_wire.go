package sluicetest

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
)

// answerer is where a reply goes.
type answerer interface {
	// inform sends an informational status.
	inform(status int) error
	// begin sends status and header.
	begin(status int, header http.Header) error
	// write sends a piece of the body at once.
	write(p []byte) error
	// end ends the answer as HTTP wants.
	end(trailer http.Header) error
	// cut breaks the connection. It may not return.
	cut(reset bool)
}

// served is an answer through the HTTP server.
type served struct {
	w     http.ResponseWriter
	flush func() error
	conn  net.Conn
}

func (s *served) inform(status int) error {
	s.w.WriteHeader(status)
	return nil
}

func (s *served) begin(status int, header http.Header) error {
	maps.Copy(s.w.Header(), header)
	if _, given := header["Content-Type"]; !given {
		s.w.Header()["Content-Type"] = nil // or the server would guess
	}
	s.w.WriteHeader(status)
	return s.flush()
}

func (s *served) write(p []byte) error {
	if _, err := s.w.Write(p); err != nil {
		return err
	}
	return s.flush()
}

func (s *served) end(trailer http.Header) error {
	for name, values := range trailer {
		s.w.Header()[http.TrailerPrefix+name] = values
	}
	return nil
}

func (s *served) cut(reset bool) {
	if reset {
		resetConn(s.conn)
	}
	panic(http.ErrAbortHandler)
}

// hijacked is an answer on a connection of HTTP/1 that was taken from the server.
type hijacked struct {
	conn   net.Conn
	chunks io.WriteCloser // nil if the body is not in chunks
}

func (h *hijacked) inform(status int) error {
	_, err := fmt.Fprintf(h.conn, "HTTP/1.1 %d %s\r\n\r\n", status, http.StatusText(status))
	return err
}

func (h *hijacked) begin(status int, header http.Header) error {
	if header.Get("Content-Length") == "" && status != http.StatusNoContent && status != http.StatusNotModified {
		header.Set("Transfer-Encoding", "chunked")
		h.chunks = httputil.NewChunkedWriter(h.conn)
	}
	_, err := fmt.Fprintf(h.conn, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	if err == nil {
		err = header.Write(h.conn)
	}
	if err == nil {
		_, err = io.WriteString(h.conn, "\r\n")
	}
	return err
}

func (h *hijacked) write(p []byte) error {
	out := io.Writer(h.conn)
	if h.chunks != nil {
		out = h.chunks
	}
	_, err := out.Write(p)
	return err
}

func (h *hijacked) end(trailer http.Header) error {
	if h.chunks == nil {
		return nil
	}
	err := h.chunks.Close() // does not write the empty line, for the sake of trailers
	if err == nil {
		err = trailer.Write(h.conn)
	}
	if err == nil {
		_, err = io.WriteString(h.conn, "\r\n")
	}
	return err
}

func (h *hijacked) cut(reset bool) {
	if reset {
		resetConn(h.conn)
		return
	}
	_ = h.conn.Close() // what matters is that it is closed
}

// connKey is under which a request's context has its connection.
type connKey struct{}

func withConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

func connOf(ctx context.Context) net.Conn {
	conn, _ := ctx.Value(connKey{}).(net.Conn)
	return conn
}

// resetConn closes a connection so that the other side sees a reset.
func resetConn(conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // closing drops what is not sent, and resets
	}
	_ = conn.Close() // what matters is that it is closed
}

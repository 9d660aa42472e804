package gateway

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// corked is a connection that can be corked, and its other end.
func corked(t *testing.T) (*cork, net.Conn) {
	t.Helper()
	client, conn := connected(t)
	return &cork{quick: quickly(conn)}, client
}

// writesTo is a response on a connection.
type writesTo struct {
	*httptest.ResponseRecorder

	to io.Writer
}

func (w writesTo) Write(p []byte) (int, error) { return w.to.Write(p) }

// The last piece of an answer leaves with the end of its body, in one write.
func TestTheLastPieceLeavesWithTheEnd(t *testing.T) {
	for _, size := range []int{oneWrite, oneWrite + 1, oneBatch} {
		c, client := corked(t)
		w := writesTo{httptest.NewRecorder(), c}
		s := new(sink).open(w, http.NewResponseController(w.ResponseRecorder), c, time.Minute)
		s.form(http.StatusOK, false, nil)
		if err := s.Write(bytes.Repeat([]byte("x"), size)); err != nil {
			t.Fatal(err)
		}
		if err := s.finish(); err != nil {
			t.Fatal(err)
		}
		// A small piece is in the server's own buffer, which this server has not.
		if kept := c.home != nil && len(*c.home) == size; kept != (size > oneWrite) {
			t.Errorf("%d bytes are kept: %v", size, kept)
		}
		if _, err := c.Write([]byte("0\r\n\r\n")); err != nil {
			t.Fatal(err)
		}
		if c.home != nil {
			t.Errorf("%d bytes are kept on", len(*c.home))
		}
		got := make([]byte, size+5)
		if _, err := io.ReadFull(client, got); err != nil || !bytes.HasSuffix(got, []byte("x0\r\n\r\n")) {
			t.Errorf("the client got %q: %v", got[size:], err)
		}
		c.push()
		if _, err := c.Write([]byte("next")); err != nil || len(*c.home) != 4 {
			t.Fatalf("of the next answer %d bytes are kept: %v", len(*c.home), err)
		}
		if err := c.pull(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(client, got[:4]); err != nil || string(got[:4]) != "next" {
			t.Errorf("of the next answer the client got %q: %v", got[:4], err)
		}
	}
}

// A connection that was closed says so to whoever writes the end.
func TestTheEndOfALostConnectionFails(t *testing.T) {
	c, _ := corked(t)
	c.push()
	if _, err := c.Write([]byte("kept")); err != nil {
		t.Fatal(err)
	}
	c.pullLater()
	_ = c.Close()
	if n, err := c.Write([]byte("end")); n != 0 || err == nil {
		t.Errorf("%d bytes left, and the error is %v", n, err)
	}
}

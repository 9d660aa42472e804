package gateway

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"
)

// connected are the two ends of a connection.
func connected(t *testing.T) (dialled, accepted net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if dialled, err = net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dialled.Close() })
	if accepted, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = accepted.Close() })
	return dialled, accepted
}

// What comes first is put off once, for what is there by then, and not for as long
// as the upstream is ahead.
func TestTheFirstWordsArePutOffOnce(t *testing.T) {
	dialled, up := connected(t)
	if !canLook {
		t.Skip("connections cannot be read ahead here")
	}
	conn := readAhead(quickly(dialled))

	to := httptest.NewRecorder()
	s := new(sink).open(to, http.NewResponseController(to), nil, time.Minute)
	s.form(http.StatusOK, false, nil)
	if err := s.Write([]byte("first")); err != nil {
		t.Fatal(err)
	}
	a := &answer{conn: conn, sink: s, rushes: true}
	if _, err := up.Write(bytes.Repeat([]byte("x"), 3*oneRead)); err != nil {
		t.Fatal(err)
	}
	for !conn.more(s, true) {
		runtime.Gosched() // until something has arrived
	}
	if err := a.leave(); err != nil || s.begun() {
		t.Fatalf("with more at hand the first words left at once, or: %v", err)
	}
	conn.mu.Lock()
	conn.giveBack() // as if what was taken in had been read; the rest waits behind it
	conn.mu.Unlock()
	if err := a.leave(); err != nil || !s.begun() || to.Body.String() != "first" {
		t.Errorf("the first words wait on: %q, %v", to.Body, err)
	}
}

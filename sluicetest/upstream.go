package sluicetest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Upstream is an HTTP server on 127.0.0.1 that answers as scripted, byte for byte, with
// every fault that a real one can have; see [Reply]. It is safe for concurrent use.
//
// It speaks HTTP/1.1 with connections that are kept alive, and with TLS HTTP/2
// too.
type Upstream struct {
	// URL is its address, without a trailing slash.
	URL string
	// CAs are the certificate authorities of its certificate, nil without TLS.
	CAs *x509.CertPool

	server *httptest.Server
	// complain reports misuse of the kit to the test.
	complain func(problem string)
	closing  chan struct{}
	handlers sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	answer   func(r *http.Request) Reply
	received []Received
	arrived  chan struct{} // closed and replaced when received grows
}

// Received is a request that an [Upstream] received.
type Received struct {
	Method string
	// Path and Query are the two halves of the request's target as they were on
	// the wire, still escaped.
	Path, Query string
	// Host is what the client called the upstream, Proto the protocol: HTTP/1.1.
	Host, Proto string
	// Header has the request's header without Host.
	Header http.Header
	// Body is the request body as received: not decompressed, only without the chunk
	// framing. A body longer than 32 MiB is truncated, and Err is set. If the reply
	// leaves the body unread, it is what the Answer function read.
	Body []byte
	// Err says why Body is not whole: the client left, or it is too long.
	Err error
	// RemoteAddr is the client's end of the connection: requests with the same
	// one came over the same connection.
	RemoteAddr string
	// Gone is closed if the client leaves before the reply is over, also by
	// resetting its HTTP/2 stream. It stays open if the reply ends first, or
	// the upstream is closed. When the body was left unread the client's leaving
	// shows only when writing to it fails.
	Gone <-chan struct{}
	// Done is closed when the reply is over, however it ended.
	Done <-chan struct{}
}

// maxReceivedBody is how much is kept of a request's body.
const maxReceivedBody = 32 << 20

// NewUpstream starts an upstream that plays the replies as [Upstream.Script]
// says, and closes it at the end of the test. A reply that cannot be played
// fails the test.
func NewUpstream(t testing.TB, replies ...Reply) *Upstream {
	t.Helper()
	return newUpstream(t, false, replies)
}

// NewUpstreamTLS is [NewUpstream] with TLS, HTTP/2 and HTTP/1.1.
func NewUpstreamTLS(t testing.TB, replies ...Reply) *Upstream {
	t.Helper()
	return newUpstream(t, true, replies)
}

func newUpstream(t testing.TB, secure bool, replies []Reply) *Upstream {
	t.Helper()
	up, err := startUpstream(secure, func(problem string) { t.Error(problem) }, replies)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(up.Close)
	return up
}

// StartUpstream is [NewUpstream] for programs, which must call [Upstream.Close].
// A reply that cannot be played becomes a status 500 that says why.
func StartUpstream(replies ...Reply) (*Upstream, error) {
	return startUpstream(false, func(string) {}, replies)
}

// StartUpstreamTLS is [StartUpstream] with TLS, HTTP/2 and HTTP/1.1.
func StartUpstreamTLS(replies ...Reply) (*Upstream, error) {
	return startUpstream(true, func(string) {}, replies)
}

func startUpstream(secure bool, complain func(string), replies []Reply) (*Upstream, error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start an upstream: %w", err)
	}
	up := &Upstream{complain: complain, closing: make(chan struct{}), arrived: make(chan struct{})}
	up.Script(replies...)
	up.server = &httptest.Server{
		Listener:    listener,
		EnableHTTP2: true,
		TLS:         &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}},
		Config: &http.Server{
			Handler:           http.HandlerFunc(up.serve),
			ConnContext:       withConn,
			ErrorLog:          log.New(io.Discard, "", 0), // faults are what it is for
			ReadHeaderTimeout: time.Minute,
		},
	}
	if secure {
		up.server.StartTLS()
		up.CAs = x509.NewCertPool()
		up.CAs.AddCert(up.server.Certificate())
	} else {
		up.server.Start()
	}
	up.URL = up.server.URL
	return up, nil
}

// Script sets the replies: the first request gets the first one, and so on; the
// last one is repeated for ever. A request takes its reply when its header has
// arrived. Requests that are already being answered are not affected.
func (up *Upstream) Script(replies ...Reply) {
	var (
		mu   sync.Mutex
		next int
		own  = slices.Clone(replies)
	)
	up.Answer(func(*http.Request) Reply {
		mu.Lock()
		defer mu.Unlock()
		if len(own) == 0 {
			return Reply{misuse: "sluicetest: the upstream has no reply: give it one with Script or Answer"}
		}
		reply := own[min(next, len(own)-1)]
		next++
		return reply
	})
}

// Answer sets a function that chooses the reply to each request, instead of a script.
// It may read the body, which is still recorded, and is called concurrently. Close
// waits for it.
func (up *Upstream) Answer(choose func(r *http.Request) Reply) {
	up.mu.Lock()
	defer up.mu.Unlock()
	up.answer = choose
}

// Requests returns the requests so far. A request is included when its body has been
// read, or at once if the reply leaves it unread, and always before the first byte of
// the reply is sent. They are kept as long as the upstream.
func (up *Upstream) Requests() []Received {
	up.mu.Lock()
	defer up.mu.Unlock()
	return slices.Clone(up.received)
}

// Request waits for the request with the number n, counted from 0, and returns
// it. The error is that of the context, or says that the upstream was closed.
func (up *Upstream) Request(ctx context.Context, n int) (Received, error) {
	for {
		up.mu.Lock()
		received, arrived := up.received, up.arrived
		up.mu.Unlock()
		if n < len(received) {
			return received[n], nil
		}
		select {
		case <-arrived:
		case <-up.closing:
			return Received{}, errors.New("wait for a request: the upstream is closed")
		case <-ctx.Done():
			return Received{}, context.Cause(ctx)
		}
	}
}

// Client returns a client that trusts the upstream and speaks HTTP/2 with it if
// it has TLS. Its idle connections are closed with the upstream.
func (up *Upstream) Client() *http.Client { return up.server.Client() }

// Close ends all replies, closes all connections and waits until all goroutines of the
// upstream have ended. It may be called more than once.
func (up *Upstream) Close() {
	up.mu.Lock()
	first := !up.closed
	up.closed = true
	up.mu.Unlock()
	if first {
		close(up.closing)
		up.server.CloseClientConnections() // unblocks writes to clients that do not read
	}
	up.handlers.Wait()
	up.server.Close()
}

// enter counts a request that is being served; false when the upstream is closing.
func (up *Upstream) enter() bool {
	up.mu.Lock()
	defer up.mu.Unlock()
	if !up.closed {
		up.handlers.Add(1)
	}
	return !up.closed
}

// choose gets the reply to a request.
func (up *Upstream) choose(r *http.Request) (reply Reply) {
	up.mu.Lock()
	answer := up.answer
	up.mu.Unlock()
	defer func() {
		if problem := recover(); problem != nil {
			reply = Reply{misuse: fmt.Sprintf("sluicetest: the Answer function panicked: %v", problem)}
		}
	}()
	return answer(r)
}

// record adds a request to those that came.
func (up *Upstream) record(received Received) {
	up.mu.Lock()
	defer up.mu.Unlock()
	up.received = append(up.received, received)
	close(up.arrived)
	up.arrived = make(chan struct{})
}

// receive returns what is known about a request before its body.
func receive(r *http.Request) Received {
	path, query, _ := strings.Cut(r.RequestURI, "?")
	return Received{
		Method: r.Method, Path: path, Query: query, Host: r.Host, Proto: r.Proto,
		Header: r.Header.Clone(), RemoteAddr: r.RemoteAddr,
	}
}

// recording keeps the beginning of what is written to it.
type recording struct {
	kept bytes.Buffer
	long bool
}

func (b *recording) Write(p []byte) (int, error) {
	room := maxReceivedBody - b.kept.Len()
	b.long = b.long || len(p) > room
	b.kept.Write(p[:min(room, len(p))])
	return len(p), nil
}

// recordedBody is a request's body whose reading is recorded.
type recordedBody struct {
	io.Reader
	io.Closer
}

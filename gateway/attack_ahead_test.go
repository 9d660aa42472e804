package gateway

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// client is a client that reads, until it is told otherwise.
type client struct {
	header http.Header
	write  func(p []byte) (int, error)
}

func (c *client) Header() http.Header { return c.header }
func (c *client) WriteHeader(int)     {}
func (c *client) Write(p []byte) (int, error) {
	if c.write == nil {
		return len(p), nil
	}
	return c.write(p)
}

// A client that does not read its answer, or has gone, harms no other whose
// answer comes on the same connection later.
func TestAttackConnectionsWaitForNoFormerClient(t *testing.T) {
	for _, tc := range []struct {
		name  string
		write func(released <-chan struct{}) func(p []byte) (int, error)
	}{
		{"one that does not read", func(released <-chan struct{}) func(p []byte) (int, error) {
			return func(p []byte) (int, error) {
				<-released
				return len(p), nil
			}
		}},
		{"one that has gone", func(<-chan struct{}) func(p []byte) (int, error) {
			return func([]byte) (int, error) { return 0, errors.New("gone") }
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			released, goOn := make(chan struct{}), make(chan struct{})
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			served := make(chan struct{})
			go func() {
				defer close(served)
				conn, err := listener.Accept()
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				in := bufio.NewReader(conn)
				chunk := func(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
				if _, err := http.ReadRequest(in); err != nil {
					t.Error(err)
				}
				_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+chunk(strings.Repeat("a", 1000)))
				<-goOn
				_, _ = io.WriteString(conn, chunk(strings.Repeat("b", 1000))+"0\r\n\r\n")
				if _, err := http.ReadRequest(in); err == nil {
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond")
				}
			}()
			transport := NewTransport()
			transport.Proxy, transport.MaxConnsPerHost = nil, 1
			ask := func(ctx context.Context) (*http.Response, *ahead, error) {
				var on *ahead
				req, err := http.NewRequestWithContext(connOf(ctx, &on), http.MethodGet, "http://"+listener.Addr().String()+"/", http.NoBody)
				if err != nil {
					return nil, nil, err
				}
				res, err := transport.RoundTrip(req)
				if err != nil {
					return nil, nil, err
				}
				return res, alone(res, on), nil
			}
			defer func() {
				close(released)
				transport.CloseIdleConnections()
				_ = listener.Close()
				<-served
			}()

			res, conn, err := ask(t.Context()) //nolint:bodyclose // it is read to its end
			if err != nil || conn == nil {
				t.Fatalf("%v, %v", conn, err)
			}
			to := &client{header: http.Header{}}
			s := new(sink).open(to, http.NewResponseController(to), nil, time.Minute)
			s.form(http.StatusOK, false, nil)
			limits := Limits{}.withDefaults()
			watch := new(clock).start(&limits, func(error) {}, nil)
			defer watch.stop()
			src := &answer{ctx: t.Context(), conn: conn, body: res.Body, sink: s, clock: watch}
			if err := errors.Join(s.Write([]byte("first")), s.Flush()); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(src, make([]byte, 1000)); err != nil {
				t.Fatal(err)
			}
			to.write = tc.write(released)
			_ = s.Write([]byte("what may leave"))
			close(goOn)
			for !conn.more(s, true) {
				runtime.Gosched()
			}
			src.left = true // as after leave
			for err == nil {
				_, err = src.Read(make([]byte, 4096))
				src.left = true
			}
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}

			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // else it would wait for ever
			defer cancel()
			next, _, err := ask(ctx)
			if err != nil {
				t.Fatalf("the next answer on the connection: %v", err)
			}
			got, err := io.ReadAll(next.Body)
			_ = next.Body.Close()
			if string(got) != "second" || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

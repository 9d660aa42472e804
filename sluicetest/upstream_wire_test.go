package sluicetest_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sluice-project/sluice/sluicetest"
)

// get is the plainest of requests.
const get = "GET /v1 HTTP/1.1\r\nHost: up\r\n\r\n"

// twoEvents is a stream of 9 bytes each.
const twoEvents = "data: a\n\ndata: b\n\n"

// dial opens a connection to an upstream and sends bytes.
func dial(t *testing.T, up *sluicetest.Upstream, send string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(up.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute)) // only if something is broken
	if _, err := io.WriteString(conn, send); err != nil {
		t.Fatal(err)
	}
	return conn
}

var dateLine = regexp.MustCompile(`Date: [^\r]*\r\n`)

// What a reply puts on the wire of HTTP/1.1, to the last byte, if the client asks
// for the connection to be closed.
func TestUpstreamOnTheWire(t *testing.T) {
	t.Parallel()
	const (
		ok      = "HTTP/1.1 200 OK\r\n"
		closing = "Connection: close\r\n"
		chunked = "Transfer-Encoding: chunked\r\n"
		stream  = ok + "Cache-Control: no-cache\r\nContent-Type: text/event-stream\r\n" + closing + chunked + "\r\n"
	)
	events := sluicetest.Events([]byte(twoEvents))
	with := func(r sluicetest.Reply, change func(r *sluicetest.Reply)) sluicetest.Reply {
		change(&r)
		return r
	}
	for _, tc := range []struct {
		name  string
		reply sluicetest.Reply
		want  string
	}{
		{
			"the zero reply says nothing and guesses nothing",
			sluicetest.Reply{},
			ok + "Content-Length: 0\r\n" + closing + "\r\n",
		},
		{
			"a JSON body has its length",
			sluicetest.JSON(529, `{"e":1}`),
			"HTTP/1.1 529 status code 529\r\nContent-Length: 7\r\nContent-Type: application/json\r\n" + closing + "\r\n" + `{"e":1}`,
		},
		{
			"a stream goes event by event",
			events,
			stream + "9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n",
		},
		{
			"a stream split at a size, across events",
			with(events, func(r *sluicetest.Reply) { r.Piece = 13 }),
			stream + "d\r\ndata: a\n\ndata\r\n5\r\n: b\n\n\r\n0\r\n\r\n",
		},
		{
			"a stream split at a pause",
			with(events, func(r *sluicetest.Reply) { r.Pauses = []sluicetest.Pause{{At: 4, For: 1}} }),
			stream + "4\r\ndata\r\n5\r\n: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n",
		},
		{
			"cut after the header: no end of chunks",
			with(events, func(r *sluicetest.Reply) { r.Cut = &sluicetest.Cut{} }),
			stream,
		},
		{
			"cut inside an event: no end of chunks",
			with(events, func(r *sluicetest.Reply) { r.Cut = &sluicetest.Cut{At: 11} }),
			stream + "9\r\ndata: a\n\n\r\n2\r\nda\r\n",
		},
		{
			"cut counted from the end",
			with(events, func(r *sluicetest.Reply) { r.Cut = &sluicetest.Cut{At: -1} }),
			stream + "9\r\ndata: a\n\n\r\n8\r\ndata: b\n\r\n",
		},
		{
			"cut after the last byte, before the end of chunks",
			with(events, func(r *sluicetest.Reply) { r.Cut = &sluicetest.Cut{At: 1000} }),
			stream + "9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n",
		},
		{
			"cut before the header: closed without an answer",
			with(events, func(r *sluicetest.Reply) { r.Cut = &sluicetest.Cut{At: sluicetest.BeforeHeader} }),
			"",
		},
		{
			"cut cleanly inside an event: a good end for HTTP alone",
			with(events, func(r *sluicetest.Reply) { r.Cut = &sluicetest.Cut{At: 11, How: sluicetest.CutClean} }),
			stream + "9\r\ndata: a\n\n\r\n2\r\nda\r\n0\r\n\r\n",
		},
		{
			"a body cut cleanly announces what is sent",
			with(sluicetest.JSON(200, `{"a":1}`), func(r *sluicetest.Reply) { r.Cut = &sluicetest.Cut{At: 3, How: sluicetest.CutClean} }),
			ok + "Content-Length: 3\r\nContent-Type: application/json\r\n" + closing + "\r\n" + `{"a`,
		},
		{
			"a body cut hard announces more than is sent",
			with(sluicetest.JSON(200, `{"a":1}`), func(r *sluicetest.Reply) { r.Cut = &sluicetest.Cut{At: 3} }),
			ok + "Content-Length: 7\r\nContent-Type: application/json\r\n" + closing + "\r\n" + `{"a`,
		},
		{
			"a Content-Length that is too long",
			sluicetest.Reply{Header: http.Header{"Content-Length": {"99"}}, Body: []byte("short")},
			ok + "Content-Length: 99\r\n" + closing + "\r\nshort",
		},
		{
			"a Content-Length that is left out",
			sluicetest.Reply{Header: http.Header{"Content-Length": nil}, Body: []byte("x")},
			ok + closing + chunked + "\r\n1\r\nx\r\n0\r\n\r\n",
		},
		{
			"SSE where JSON was asked for, with the wrong type and a length",
			with(sluicetest.JSON(200, ""), func(r *sluicetest.Reply) { r.Body = []byte(twoEvents) }),
			ok + "Content-Length: 18\r\nContent-Type: application/json\r\n" + closing + "\r\n" + twoEvents,
		},
		{
			"a stream without a type",
			with(events, func(r *sluicetest.Reply) { r.Header = nil }),
			ok + closing + chunked + "\r\n9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n",
		},
		{
			"garbage between two events",
			events.Insert(1, "data: {]\n\n"),
			stream + "9\r\ndata: a\n\n\r\na\r\ndata: {]\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n",
		},
		{
			"a redirect",
			sluicetest.Reply{Status: 307, Header: http.Header{"Location": {"http://elsewhere.example/"}}},
			"HTTP/1.1 307 Temporary Redirect\r\nContent-Length: 0\r\nLocation: http://elsewhere.example/\r\n" + closing + "\r\n",
		},
		{
			"a status without a body",
			sluicetest.Reply{Status: 204},
			"HTTP/1.1 204 No Content\r\n" + closing + "\r\n",
		},
		{
			"informational answers",
			sluicetest.Reply{Informational: []int{102, 103}},
			"HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + ok + "Content-Length: 0\r\n" + closing + "\r\n",
		},
		{
			"trailers",
			sluicetest.Reply{Body: []byte("x"), Trailer: http.Header{"X-Late": {"1"}}},
			ok + closing + chunked + "\r\n1\r\nx\r\n0\r\nX-Late: 1\r\n\r\n",
		},
		{
			"for ever, until a cut",
			sluicetest.Reply{Body: []byte("["), Forever: []byte("ab"), Cut: &sluicetest.Cut{At: 4, How: sluicetest.CutClean}},
			ok + closing + chunked + "\r\n1\r\n[\r\n2\r\nab\r\n1\r\na\r\n0\r\n\r\n",
		},
		{
			"raw: HTTP/1.0 without a length",
			sluicetest.Reply{Raw: true, Body: []byte("HTTP/1.0 200 OK\r\n\r\nold")},
			"HTTP/1.0 200 OK\r\n\r\nold",
		},
		{
			"raw: slow headers, cut inside of one",
			sluicetest.Reply{
				Raw: true, Body: []byte("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"),
				Piece: 1, Each: sluicetest.Pause{For: 1}, Cut: &sluicetest.Cut{At: 20},
			},
			"HTTP/1.1 200 OK\r\nCon",
		},
		{
			"raw: no HTTP at all",
			sluicetest.Reply{Raw: true, Body: []byte("\x00\x01\x02"), Status: 7, Informational: []int{999}},
			"\x00\x01\x02",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			up := sluicetest.NewUpstream(t, tc.reply)
			conn := dial(t, up, "GET / HTTP/1.1\r\nHost: up\r\nConnection: close\r\n\r\n")
			got, err := io.ReadAll(conn)
			if err != nil {
				t.Errorf("want the connection closed in order, got %v", err)
			}
			if got := dateLine.ReplaceAllString(string(got), ""); got != tc.want {
				t.Errorf("on the wire:\n got %q\nwant %q", got, tc.want)
			}
			received := up.Requests()[0]
			<-received.Done
			select {
			case <-received.Gone:
				t.Error("the client did not leave, and Gone says so")
			default:
			}
		})
	}
}

func TestUpstreamResetsAConnection(t *testing.T) {
	t.Parallel()
	raw := sluicetest.Reply{Raw: true, Body: []byte("HTTP/1.1 200 OK\r\n\r\nxxx"), Cut: &sluicetest.Cut{At: -1, How: sluicetest.CutReset}}
	events := sluicetest.Events([]byte(twoEvents))
	events.Cut = &sluicetest.Cut{At: 11, How: sluicetest.CutReset}
	silent := sluicetest.Reply{Cut: &sluicetest.Cut{At: sluicetest.BeforeHeader, How: sluicetest.CutReset}}
	for name, reply := range map[string]sluicetest.Reply{"raw": raw, "events": events, "before the header": silent} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up := sluicetest.NewUpstream(t, reply)
			_, err := io.ReadAll(dial(t, up, get))
			if !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("want a reset, got %v", err)
			}
			received := up.Requests()[0]
			<-received.Done
			select {
			case <-received.Gone:
				t.Error("the client did not leave, and Gone says so")
			default:
			}
		})
	}
}

// The answer is whole although most of the body was never sent, and the
// connection stays open.
func TestUpstreamAnswersBeforeTheBodyAndNeverReadsIt(t *testing.T) {
	t.Parallel()
	const post = "POST / HTTP/1.1\r\nHost: up\r\nContent-Length: 1000000000\r\n\r\nthe beginning"
	chunks := sluicetest.Events([]byte(twoEvents))
	chunks.Header = nil
	chunks.Unread = true
	chunks.Informational = []int{100}
	chunks.Trailer = http.Header{"X-Late": {"1"}}
	for name, tc := range map[string]struct {
		reply sluicetest.Reply
		want  string
		ends  bool
	}{
		"a body": {
			sluicetest.Reply{Unread: true, Status: 413, Body: []byte("no")},
			"HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: 2\r\n\r\nno", false,
		},
		"a stream": {
			chunks,
			"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
				"9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\nX-Late: 1\r\n\r\n", false,
		},
		"a raw one": {
			sluicetest.Reply{Unread: true, Raw: true, Body: []byte("HTTP/1.1 400 No\r\n\r\nraw")},
			"HTTP/1.1 400 No\r\n\r\nraw", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up := sluicetest.NewUpstream(t, tc.reply)
			conn := dial(t, up, post)
			got := make([]byte, len(tc.want))
			if _, err := io.ReadFull(conn, got); err != nil || string(got) != tc.want {
				t.Fatalf("got %q, %v\nwant %q", got, err, tc.want)
			}
			received := up.Requests()[0]
			<-received.Done
			if len(received.Body) != 0 {
				t.Errorf("the body was read: %q", received.Body)
			}
			if tc.ends {
				if rest, err := io.ReadAll(conn); err != nil || len(rest) > 0 {
					t.Errorf("want the end, got %q, %v", rest, err)
				}
			}
			if !tc.ends { // a broken connection says so at once, an open one says nothing
				conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
				if n, err := conn.Read(got); !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("want the connection open, got %d bytes, %v", n, err)
				}
			}
		})
	}
}

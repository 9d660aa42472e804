package sluicetest_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// fetched is an answer and what the client saw of its end.
type fetched struct {
	status int
	proto  string
	header http.Header
	closes bool // the answer announces that the connection will be closed
	body   string
	err    error
}

// fetch asks an upstream and reads all of the answer.
func fetch(up *sluicetest.Upstream) fetched {
	resp, err := up.Client().Get(up.URL)
	if err != nil {
		return fetched{err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return fetched{resp.StatusCode, resp.Proto, resp.Header, resp.Close, string(body), err}
}

func TestUpstreamPlaysItsScriptAndRepeatsTheEnd(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstream(t, sluicetest.JSON(200, "1"), sluicetest.JSON(200, "2"))
	var got string
	for range 4 {
		got += fetch(up).body
	}
	up.Script(sluicetest.JSON(200, "3"))
	if got += fetch(up).body; got != "12223" {
		t.Errorf("got the replies %s", got)
	}
	all := up.Requests()
	if len(all) != 5 {
		t.Fatalf("got %d requests", len(all))
	}
	for _, r := range all {
		if r.RemoteAddr != all[0].RemoteAddr {
			t.Error("whole replies keep the connection alive, and this came over another one")
		}
	}
}

// A complete answer after which the connection is closed without a word is what
// makes the connections in a client's pool stale.
func TestUpstreamClosesAConnectionAfterAWholeAnswer(t *testing.T) {
	t.Parallel()
	stale := sluicetest.JSON(200, "{}")
	stale.Cut = &sluicetest.Cut{At: len(stale.Body)}
	up := sluicetest.NewUpstream(t, stale)
	for range 2 {
		if got := fetch(up); got.err != nil || got.body != "{}" || got.closes {
			t.Errorf("want a whole answer that announces nothing, got %+v", got)
		}
	}
	if all := up.Requests(); all[0].RemoteAddr == all[1].RemoteAddr {
		t.Error("the connection was used again")
	}
}

func TestUpstreamRecordsRequestsAsTheyCame(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstream(t)
	up.Answer(func(r *http.Request) sluicetest.Reply {
		body, _ := io.ReadAll(r.Body)
		return sluicetest.JSON(200, fmt.Sprint(len(body)))
	})
	conn := dial(t, up, "POST /v1/a%2Fb?k=%20&k HTTP/1.1\r\nHost: name\r\nContent-Encoding: gzip\r\nx-key: 1\r\nX-Key: 2\r\n"+
		"Transfer-Encoding: chunked\r\n\r\n3\r\n\x1f\x8b\x00\r\n2\r\n!!\r\n0\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if answer, _ := io.ReadAll(resp.Body); string(answer) != "5" {
		t.Errorf("the function read %s bytes", answer)
	}
	r := up.Requests()[0]
	got := fmt.Sprintf("%s %s %s %s %s %q %v %v", r.Method, r.Path, r.Query, r.Host, r.Proto, r.Body, r.Header, r.Err)
	want := `POST /v1/a%2Fb k=%20&k name HTTP/1.1 "\x1f\x8b\x00!!" map[Content-Encoding:[gzip] X-Key:[1 2]] <nil>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestUpstreamRecordsHalfARequest(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstream(t, sluicetest.JSON(200, "{}"))
	conn := dial(t, up, "POST / HTTP/1.1\r\nHost: up\r\nContent-Length: 9\r\n\r\nhalf")
	conn.Close()
	r, err := up.Request(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	<-r.Gone
	<-r.Done
	if string(r.Body) != "half" || r.Err == nil {
		t.Errorf("got %q, %v", r.Body, r.Err)
	}
}

func TestUpstreamKeepsABodyUpToItsLimit(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstream(t, sluicetest.JSON(200, "{}"))
	const limit = 32 << 20
	for _, n := range []int{limit, limit + 1} {
		resp, err := up.Client().Post(up.URL, "", io.LimitReader(zeros{}, int64(n)))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	for i, long := range []bool{false, true} {
		if r := up.Requests()[i]; len(r.Body) != limit || (r.Err != nil) != long {
			t.Errorf("request %d: %d bytes kept, %v", i, len(r.Body), r.Err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Each pause is a meeting: the send returns when the answer has come so far.
func TestUpstreamPausesWhereItIsTold(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	reply := sluicetest.Events([]byte(twoEvents))
	reply.Pauses = []sluicetest.Pause{
		{At: 1000, Until: gate},
		{At: reply.Event(1), Until: gate},
		{At: -1, Until: gate},
		{At: 0, Until: gate},
		{At: sluicetest.BeforeHeader, Until: gate},
	}
	up := sluicetest.NewUpstream(t, reply)
	conn := dial(t, up, get)
	r, err := up.Request(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	see := func(want string) {
		t.Helper()
		got := make([]byte, len(want))
		if _, err := io.ReadFull(in, got); err != nil || string(got) != want {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
		if in.Buffered() > 0 {
			rest, _ := in.Peek(in.Buffered())
			t.Fatalf("too early: %q", rest)
		}
	}
	see("")
	gate <- struct{}{}
	for line := ""; line != "\r\n"; {
		if line, err = in.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	see("")
	gate <- struct{}{}
	see("9\r\ndata: a\n\n\r\n")
	gate <- struct{}{}
	see("8\r\ndata: b\n\r\n")
	gate <- struct{}{}
	see("1\r\n\n\r\n")
	gate <- struct{}{}
	see("0\r\n\r\n")
	<-r.Done
}

func TestUpstreamPausesBetweenPieces(t *testing.T) {
	t.Parallel()
	step := make(chan struct{})
	reply := sluicetest.Reply{Raw: true, Body: []byte("HTTP/1.1 200 OK\r\n\r\n"), Piece: 1, Each: sluicetest.Pause{Until: step}}
	up := sluicetest.NewUpstream(t, reply)
	conn := dial(t, up, get)
	one := make([]byte, 1)
	for i, want := range reply.Body {
		if i > 0 {
			step <- struct{}{}
		}
		if _, err := conn.Read(one); err != nil || one[0] != want {
			t.Fatalf("byte %d: got %q, %v", i, one, err)
		}
	}
	if n, err := conn.Read(one); err != io.EOF {
		t.Errorf("want the end, got %d bytes, %v", n, err)
	}
}

func TestUpstreamSeesTheClientLeave(t *testing.T) {
	t.Parallel()
	held := sluicetest.Events([]byte(twoEvents))
	held.Pauses = []sluicetest.Pause{{At: 9, Until: make(chan struct{})}}
	raw := sluicetest.Reply{Raw: true, Body: []byte("HTTP/1.1 200 OK\r\n\r\n"), Pauses: []sluicetest.Pause{{At: 3, Until: make(chan struct{})}}}
	silent := sluicetest.Reply{Pauses: []sluicetest.Pause{{At: sluicetest.BeforeHeader, Until: make(chan struct{})}}}
	comments := sluicetest.Events([]byte(twoEvents))
	comments.Forever = []byte(": still here\n\n")
	bigEvent := sluicetest.Events([]byte("data: "))
	bigEvent.Forever = bytes.Repeat([]byte("x"), 1<<16)
	unread := bigEvent
	unread.Unread = true
	for name, reply := range map[string]sluicetest.Reply{
		"held in a stream": held, "held in a raw answer": raw, "held before the header": silent,
		"in endless comments": comments, "in an endless event": bigEvent, "in an endless answer to an unread request": unread,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up := sluicetest.NewUpstream(t, reply)
			conn := dial(t, up, get)
			r, err := up.Request(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			conn.Close()
			<-r.Gone
			<-r.Done
		})
	}
}

func TestUpstreamCloseEndsEverything(t *testing.T) {
	t.Parallel()
	held := sluicetest.Reply{Pauses: []sluicetest.Pause{{At: 0, Until: make(chan struct{})}}}
	raw := sluicetest.Reply{Raw: true, Pauses: []sluicetest.Pause{{At: 0, Until: make(chan struct{})}}}
	endless := sluicetest.Reply{Forever: bytes.Repeat([]byte("x"), 1<<20)} // nobody reads it
	rawEndless := endless
	rawEndless.Raw = true
	unread := sluicetest.Reply{Unread: true}
	unreadEndless := endless
	unreadEndless.Unread = true
	replies := []sluicetest.Reply{held, raw, endless, rawEndless, unread, unreadEndless}

	up, err := sluicetest.StartUpstream(replies...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range replies {
		dial(t, up, get)
		if _, err := up.Request(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	dial(t, up, "POST / HTTP/1.1\r\nHost: up\r\nContent-Length: 9\r\n\r\nhalf")
	dial(t, up, "GET / HT")
	up.Close()
	up.Close()
	for i, r := range up.Requests() {
		<-r.Done
		select {
		case <-r.Gone:
			if i < len(replies) {
				t.Errorf("request %d: the upstream closed, and Gone says that the client left", i)
			}
		default:
		}
	}
	if _, err := up.Request(t.Context(), 100); err == nil {
		t.Error("waiting for a request at a closed upstream must end")
	}
}

func TestUpstreamRequestWaits(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstream(t, sluicetest.Reply{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := up.Request(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	var client sync.WaitGroup
	client.Go(func() { fetch(up) })
	if r, err := up.Request(t.Context(), 0); err != nil || r.Path != "/" {
		t.Errorf("got %v, %v", r, err)
	}
	client.Wait()
}

func TestUpstreamServesManyAtOnce(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstream(t)
	up.Answer(func(r *http.Request) sluicetest.Reply { return sluicetest.JSON(200, r.URL.Path) })
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			for j := range 20 {
				path := fmt.Sprintf("/%d/%d", i, j)
				resp, err := up.Client().Get(up.URL + path)
				if err != nil {
					t.Error(err)
					return
				}
				body, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if string(body) != path {
					t.Errorf("got %s for %s", body, path)
				}
			}
		})
	}
	clients.Wait()
	if n := len(up.Requests()); n != 160 {
		t.Errorf("%d requests recorded", n)
	}
}

// Whatever the pieces and pauses: what arrives is the body up to the cut, and it
// looks whole to HTTP only if the cut is clean.
func TestUpstreamSendsTheBodyUpToTheCut(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstream(t)
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		blocks := sluicetest.RandomBlocks(random, sluicetest.Anthropic)
		reply := sluicetest.Events(sluicetest.SSE(sluicetest.Anthropic,
			sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: random})))
		want := reply.Body
		reply.Stream = random.IntN(2) == 0
		reply.Piece = random.IntN(50)
		reply.Seed = uint64(random.IntN(3))
		if reply.Piece > 0 && reply.Piece < 8 {
			reply.Piece += 8 // each write is a system call
		}
		for range random.IntN(4) {
			reply.Pauses = append(reply.Pauses, sluicetest.Pause{At: random.IntN(3*len(want)) - len(want), For: 1})
		}
		whole := true
		if random.IntN(2) == 0 {
			at := random.IntN(len(want))
			reply.Cut = &sluicetest.Cut{At: at, How: sluicetest.CutHow(2 * random.IntN(2))}
			want, whole = want[:at], reply.Cut.How == sluicetest.CutClean
		}
		up.Script(reply)
		got := fetch(up)
		if got.body != string(want) || (got.err == nil) != whole {
			t.Fatalf("seed %d: got %d bytes and %v, want %d and whole=%v", seed, len(got.body), got.err, len(want), whole)
		}
	}
}

func TestUpstreamRandomPiecesAreTheSameAgain(t *testing.T) {
	t.Parallel()
	reply := sluicetest.Events([]byte(strings.Repeat(twoEvents, 20)))
	reply.Seed = 7
	up := sluicetest.NewUpstream(t, reply)
	var seen [2]string
	for i := range seen {
		wire, _ := io.ReadAll(dial(t, up, "GET / HTTP/1.1\r\nHost: up\r\nConnection: close\r\n\r\n"))
		seen[i] = dateLine.ReplaceAllString(string(wire), "")
	}
	if seen[0] != seen[1] {
		t.Errorf("got %q\nand %q", seen[0], seen[1])
	}
	if n := strings.Count(seen[0], "\r\n"); n < 2*len(reply.Body)/16 {
		t.Errorf("only %d lines of framing", n)
	}
}

func TestUpstreamSaysWhatCannotBePlayed(t *testing.T) {
	t.Parallel()
	for want, reply := range map[string]sluicetest.Reply{
		"7 cannot be the status":          {Status: 7},
		"101 cannot be the status":        {Status: 101},
		"not all informational: [100 20]": {Informational: []int{100, 20}},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			up, err := sluicetest.StartUpstream(reply)
			if err != nil {
				t.Fatal(err)
			}
			defer up.Close()
			if got := fetch(up); got.status != 500 || !strings.Contains(got.body, want) {
				t.Errorf("got %+v", got)
			}
		})
	}
	complaints := &fakeTest{TB: t}
	up := sluicetest.NewUpstream(complaints)
	fetch(up)
	up.Answer(func(*http.Request) sluicetest.Reply { panic("oh") })
	fetch(up)
	if got := strings.Join(complaints.said, "\n"); !strings.Contains(got, "has no reply") || !strings.Contains(got, "panicked: oh") {
		t.Errorf("the test was told %q", got)
	}
}

// fakeTest is a test that may fail.
type fakeTest struct {
	testing.TB
	said []string
}

func (f *fakeTest) Error(args ...any) { f.said = append(f.said, fmt.Sprint(args...)) }

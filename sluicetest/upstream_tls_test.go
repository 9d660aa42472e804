package sluicetest_test

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
)

func TestUpstreamOverHTTP2(t *testing.T) {
	t.Parallel()
	events := sluicetest.Events([]byte(twoEvents))
	cut := func(at int, how sluicetest.CutHow) sluicetest.Reply {
		r := events
		r.Cut = &sluicetest.Cut{At: at, How: how}
		return r
	}
	for _, tc := range []struct {
		name  string
		reply sluicetest.Reply
		want  string
		fails string // part of the error; "" if the answer is whole
	}{
		{"a whole stream", events, twoEvents, ""},
		{"pieces", sluicetest.Reply{Body: []byte("abc"), Piece: 1}, "abc", ""},
		{"a stream cut", cut(11, sluicetest.CutClose), twoEvents[:11], "INTERNAL_ERROR"},
		{"a stream cut cleanly", cut(11, sluicetest.CutClean), twoEvents[:11], ""},
		{"no answer", cut(sluicetest.BeforeHeader, sluicetest.CutClose), "", "INTERNAL_ERROR"},
		{"a Content-Length that is too long", sluicetest.Reply{Header: http.Header{"Content-Length": {"9"}}, Body: []byte("abc")}, "abc", "EOF"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			up := sluicetest.NewUpstreamTLS(t, tc.reply)
			got := fetch(up)
			if got.body != tc.want {
				t.Errorf("got %q, want %q", got.body, tc.want)
			}
			if (got.err == nil) != (tc.fails == "") || got.err != nil && !strings.Contains(got.err.Error(), tc.fails) {
				t.Errorf("got the error %v, want %q", got.err, tc.fails)
			}
			if got.status != 0 && got.proto != "HTTP/2.0" {
				t.Errorf("answered over %s", got.proto)
			}
			if got := up.Requests()[0].Proto; got != "HTTP/2.0" {
				t.Errorf("asked over %s", got)
			}
		})
	}
}

func TestUpstreamResetsTheConnectionOfHTTP2(t *testing.T) {
	t.Parallel()
	reply := sluicetest.Reply{Body: []byte("abc"), Cut: &sluicetest.Cut{At: 1, How: sluicetest.CutReset}}
	up, err := sluicetest.StartUpstreamTLS(reply, sluicetest.JSON(200, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer up.Close()
	if got := fetch(up); got.err == nil {
		t.Errorf("want an error, got %+v", got)
	}
	if got := fetch(up); got.body != "{}" {
		t.Errorf("want an answer over a new connection, got %+v", got)
	}
	if all := up.Requests(); all[0].RemoteAddr == all[len(all)-1].RemoteAddr {
		t.Error("the connection was used again")
	}
}

func TestUpstreamInformsAndTrailsOverHTTP2(t *testing.T) {
	t.Parallel()
	up := sluicetest.NewUpstreamTLS(t, sluicetest.Reply{Informational: []int{103}, Body: []byte("x"), Trailer: http.Header{"X-Late": {"1"}}})
	var informed int
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		Got1xxResponse: func(code int, _ textproto.MIMEHeader) error { informed = code; return nil },
	})
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, up.URL, http.NoBody)
	resp, err := up.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != "x" || informed != 103 || resp.Trailer.Get("X-Late") != "1" {
		t.Errorf("got %q, %v, informed %d, trailer %v", body, err, informed, resp.Trailer)
	}
}

func TestUpstreamSeesAStreamOfHTTP2Reset(t *testing.T) {
	t.Parallel()
	held := sluicetest.Events([]byte(twoEvents))
	held.Pauses = []sluicetest.Pause{{At: 9, Until: make(chan struct{})}}
	up := sluicetest.NewUpstreamTLS(t, held)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, up.URL, http.NoBody)
	resp, err := up.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	cancel()
	r := up.Requests()[0]
	<-r.Gone
	<-r.Done
}

func TestUpstreamLeavesABodyUnreadOverHTTP2(t *testing.T) {
	t.Parallel()
	reply := sluicetest.JSON(413, "no")
	reply.Unread = true
	up := sluicetest.NewUpstreamTLS(t, reply)
	never, feeder := io.Pipe()
	defer feeder.Close()
	resp, err := up.Client().Post(up.URL, "", never)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "no" || resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("got %q, %v", body, err)
	}
}

func TestUpstreamRawNeedsHTTP1(t *testing.T) {
	t.Parallel()
	raw := sluicetest.Reply{Raw: true, Body: []byte("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")}
	complaints := &fakeTest{TB: t}
	up := sluicetest.NewUpstreamTLS(complaints, raw)
	if got := fetch(up); got.status != 500 || len(complaints.said) != 1 {
		t.Errorf("got %+v and the complaints %q", got, complaints.said)
	}

	// A client that offers no HTTP/2 is served with HTTP/1.1, raw or not.
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: up.CAs, NextProtos: []string{"http/1.1"}}}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Get(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "x" || resp.ProtoMajor != 1 {
		t.Errorf("got %q, %v over %s", body, err, resp.Proto)
	}
}

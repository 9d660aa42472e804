package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// longAnswer is a stream with a text of many pieces. It is made while it is read:
// one event of a short answer is repeated.
type longAnswer struct {
	head, piece, tail []byte
	times             int
	rest              []byte
	part              int
	last              func() // is called when all pieces were read
}

// newLongAnswer makes an answer of a dialect whose text is so many times mark.
func newLongAnswer(format wire.Format, mark string, times int) *longAnswer {
	blocks := []llm.Block{{Kind: llm.Content, Text: mark}}
	events := sluicetest.SSE(string(format), sluicetest.Build(string(format), [][]llm.Block{blocks}, sluicetest.BuildOptions{}))
	at := bytes.Index(events, []byte(mark))
	start := bytes.LastIndex(events[:at], []byte("\n\n")) + 2
	end := at + bytes.Index(events[at:], []byte("\n\n")) + 2
	return &longAnswer{head: events[:start], piece: events[start:end], tail: events[end:], times: times}
}

func (l *longAnswer) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		switch {
		case l.part == 0:
			l.rest = l.head
		case l.part <= l.times:
			l.rest = l.piece
		case l.part == l.times+1:
			if l.last != nil {
				l.last()
			}
			l.rest = l.tail
		default:
			return 0, io.EOF
		}
		l.part++
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func (l *longAnswer) Close() error { return nil }

// nowhere is a client that reads everything and keeps nothing.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header         { return n.header }
func (n nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (n nowhere) WriteHeader(int)             {}
func (n nowhere) Flush()                      {}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestHeld(t *testing.T) {
	for _, format := range wire.Formats() {
		const size = 16 << 20
		mark := strings.Repeat("word ", 200)
		body := newLongAnswer(format, mark, size/len(mark))
		var before, during runtime.MemStats
		body.last = func() { runtime.GC(); runtime.ReadMemStats(&during) }
		g, err := gateway.New(gateway.Config{Policies: policy.NewLive(recommended()), Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: headers("Content-Type", "text/event-stream"), ContentLength: -1, Body: body, Request: r}, nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&before)
		g.ServeHTTP(nowhere{http.Header{}}, httptest.NewRequest(http.MethodPost, target(format, true), bytes.NewReader(question(format, true))))
		fmt.Printf("%s held %.1f MB of %d MB\n", format, float64(int64(during.HeapAlloc)-int64(before.HeapAlloc))/1e6, size>>20)
		_ = g.Close()
	}
}

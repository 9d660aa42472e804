package gateway_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
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
	if format == wire.Gemini { // which ends with its text
		event := func(more string) []byte {
			return []byte(`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"` + mark + `"}]}` + more + `,"index":0}]}` + "\n\n")
		}
		return &longAnswer{piece: event(""), tail: event(`,"finishReason":"STOP"`), times: times}
	}
	blocks := []llm.Block{{Kind: llm.Content, Text: mark}}
	events := sluicetest.SSE(string(format), sluicetest.Build(string(format), [][]llm.Block{blocks}, sluicetest.BuildOptions{}))
	at := bytes.Index(events, []byte(mark))
	start := bytes.LastIndex(events[:at], []byte("\n\n")) + 2
	end := at + bytes.Index(events[at:], []byte("\n\n")) + 2
	return &longAnswer{head: events[:start], piece: events[start:end], tail: events[end:], times: times}
}

func (l *longAnswer) Read(p []byte) (int, error) {
	for len(l.rest) == 0 { // the head may be empty
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

// inFrontOf is a gateway whose upstream answers with a body.
func inFrontOf(t *testing.T, observe func(gateway.Event), body func() io.ReadCloser) *gateway.Gateway {
	t.Helper()
	g, err := gateway.New(gateway.Config{
		Policies: policy.NewLive(recommended()), Observe: observe,
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: headers("Content-Type", "text/event-stream"), ContentLength: -1, Body: body(), Request: r}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// heapInUse is how many bytes are in use.
func heapInUse() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// What has been said and left is not kept, where no policy reads it. The writer of
// Responses needs it once: its last events repeat all texts.
func TestALongTextIsNotKept(t *testing.T) { //nolint:paralleltest // what others allocate would be counted
	const size = 8 << 20
	mark := strings.Repeat("word ", 200)
	for _, format := range wire.Formats() {
		most := 3 << 20
		if format == wire.OpenAIResponses {
			most += size * 3 / 2
		}
		before, held := 0, 0
		body := newLongAnswer(format, mark, size/len(mark))
		body.last = func() { held = heapInUse() - before }
		var told []policy.Record
		observe := func(e gateway.Event) {
			if e.Record != nil && e.Record.Kind == llm.Content {
				told = append(told, *e.Record)
			}
		}
		g := inFrontOf(t, observe, func() io.ReadCloser { return body })
		before = heapInUse()
		g.ServeHTTP(nowhere{http.Header{}}, httptest.NewRequest(http.MethodPost, target(format, true), bytes.NewReader(question(format, true))))
		if body.part < body.times+2 {
			t.Errorf("%s: %d of %d pieces were read", format, body.part, body.times)
		}
		pieces := body.times
		if format == wire.Gemini {
			pieces++ // the last comes with the end
		}
		sum := sha256.Sum256([]byte(strings.Repeat(mark, pieces)))
		want := hex.EncodeToString(sum[:])
		if len(told) != 1 || told[0].Size != pieces*len(mark) || told[0].HashIn() != want || told[0].HashOut() != want || told[0].In != "" {
			t.Errorf("%s: the record of the text has its length, its hash and not the text: %d records", format, len(told))
		}
		if held > most {
			t.Errorf("%s: %d KB are held of a text of %d KB, at most %d may be", format, held>>10, size>>10, most>>10)
		}
	}
}

// stuck is a client that reads a little and then nothing more, until it goes away.
type stuck struct {
	nowhere

	left  int
	still chan<- struct{} // is told when it stops
	gone  <-chan struct{}
}

func (s *stuck) Write(p []byte) (int, error) {
	if s.left -= len(p); s.left > 0 {
		return len(p), nil
	}
	s.still <- struct{}{}
	<-s.gone
	return 0, io.ErrClosedPipe
}

// Clients that do not read stop their upstreams: what waits for them is what was read
// ahead, whatever the upstream has to say, and however much has left before: the
// operating system takes megabytes for a client that reads nothing. The writer of
// Responses needs the texts once more.
func TestStreamsThatNobodyReadsAreBounded(t *testing.T) { //nolint:paralleltest // what others allocate would be counted
	for _, format := range wire.Formats() {
		nobodyReads(t, format, 200, 16<<10)
		nobodyReads(t, format, 40, 100<<10)
		nobodyReads(t, format, 40, 900<<10) // less than policy.MaxTexts
		nobodyReads(t, format, 40, 3<<20)
	}
}

// nobodyReads measures streams whose clients stop reading after a number of bytes.
func nobodyReads(t *testing.T, format wire.Format, streams, left int) {
	t.Helper()
	each := 128 << 10
	if format == wire.OpenAIResponses {
		each += left * 3 / 2
	}
	if format == wire.OpenAIResponses && left <= policy.MaxTexts { // for the request that goes on from it
		each += left * 3 / 2
	}
	mark := strings.Repeat("word ", 200)
	g := inFrontOf(t, nil, func() io.ReadCloser { return newLongAnswer(format, mark, 64<<10) })
	still, gone := make(chan struct{}, streams), make(chan struct{})
	var clients sync.WaitGroup
	runtime.GC() // what pools have is gone after the second
	before := heapInUse()
	for range streams {
		clients.Go(func() {
			client := &stuck{nowhere: nowhere{http.Header{}}, left: left, still: still, gone: gone}
			g.ServeHTTP(client, httptest.NewRequest(http.MethodPost, target(format, true), bytes.NewReader(question(format, true))))
		})
	}
	for range streams {
		<-still
	}
	if held := heapInUse() - before; held > streams*each {
		t.Errorf("%s: %d streams that nobody reads hold %d KB each, at most %d may be, after %d KB", format, streams, held/streams>>10, each>>10, left>>10)
	} else {
		t.Logf("%s: %d KB each after %d KB", format, held/streams>>10, left>>10)
	}
	close(gone)
	clients.Wait()
}

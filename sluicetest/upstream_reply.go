package sluicetest

import (
	"bytes"
	"iter"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Reply is what an [Upstream] answers, with its faults, which can be combined.
// The zero value is an empty 200 without a Content-Type. The package
// documentation has a table of faults.
//
// All offsets count bytes of Body, as it is on the wire: after compression and
// before the framing of HTTP. [Reply.Event] finds the offset of an event.
type Reply struct {
	// Status is the status, 0 for 200. Those below 200 are for Informational.
	Status int
	// Header is sent unchanged; nothing is guessed, so without Content-Type there is
	// none. Only Content-Length is filled in: with the length of what is sent, unless
	// it is set here (a nil value omits it) or is unknown because of Stream, Forever or
	// Trailer.
	Header http.Header
	Body   []byte
	// Forever is sent after Body again and again, until the client leaves or
	// Cut is reached.
	Forever []byte
	// Stream sends Body event by event, without Content-Length.
	Stream bool
	// Trailer is sent after the body.
	Trailer http.Header

	// Raw makes Body all that is sent, from the status line on, after which the
	// connection is closed: for what a proper server never sends. Status, Header,
	// Trailer and Informational are not used. It needs HTTP/1.
	Raw bool
	// Informational are statuses such as 103 that are sent before anything else,
	// even before the pauses.
	Informational []int
	// Unread answers without waiting for the request's body, and never reads
	// it. Over HTTP/1 the connection stays open after the answer, and unread,
	// until the upstream is closed; with Raw only its sending half is closed.
	Unread bool

	// Piece is how many bytes go into one write, each of which is flushed.
	// 0 means one event with Stream, else all.
	Piece int
	// Seed, if not 0, makes the writes of random lengths from 1 to Piece, or to
	// 16 if that is 0.
	Seed uint64
	// Each is the pause between two writes; its At is not used.
	Each Pause
	// Pauses are made where they say, in order.
	Pauses []Pause
	// Cut ends the answer early; nil means that all of it is sent.
	Cut *Cut

	// events are the offsets where events end in a compressed Body.
	events []int
	// misuse says why this cannot be played.
	misuse string
}

// BeforeHeader is the place of a [Pause] or [Cut] before the first byte of the
// answer.
const BeforeHeader = math.MinInt

// Pause delays an answer. It ends early if the client leaves.
type Pause struct {
	// At is the offset before which it is made: 0 is after the header and before
	// the body, a negative one counts from the end of Body, one beyond Body is the
	// end before the last chunk or trailer is sent. [BeforeHeader] is before all.
	At int
	// For is how long it takes.
	For time.Duration
	// Until, if not nil, is received from after that. Close it to continue the answer;
	// or make it unbuffered and send to it, to know that the answer has reached the
	// pause.
	Until <-chan struct{}
}

// Cut ends an answer before its end.
type Cut struct {
	// At is the offset of the first byte that is not sent; like Pause.At.
	// Where a pause is at the same place it is made first.
	At int
	// How is what happens then.
	How CutHow
}

// CutHow is how an answer is cut.
type CutHow int

const (
	// CutClose closes the connection in order (FIN), without an end of the
	// answer in the sense of HTTP. HTTP/2 resets the stream.
	CutClose CutHow = iota
	// CutReset resets the connection (RST), with HTTP/2 that of all streams.
	// The client may lose bytes that were sent before.
	CutReset
	// CutClean ends the answer correctly for HTTP, though its content is not whole.
	CutClean
)

// Events is a reply with an event stream, such as [SSE] makes.
func Events(stream []byte) Reply {
	return Reply{
		Header: http.Header{"Content-Type": {"text/event-stream"}, "Cache-Control": {"no-cache"}},
		Body:   stream,
		Stream: true,
	}
}

// JSON is a reply with a JSON body: an answer that is not streamed, such as
// [BuildBody] makes, or an error.
func JSON(status int, body string) Reply {
	return Reply{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
}

// Event returns the offset at which event n begins, counted from 0: the end of
// the last one if there are fewer. An event is what ends with a blank line, so
// comments and garbage count too.
func (r Reply) Event(n int) int {
	ends := r.ends()
	switch {
	case n <= 0 || len(ends) == 0:
		return 0
	default:
		return min(ends[min(n, len(ends))-1], len(r.Body))
	}
}

// Insert returns the reply with bytes put before event n: garbage, an error
// event, a comment, half a line. Compress afterwards.
func (r Reply) Insert(n int, raw string) Reply {
	at := r.Event(n)
	r.Body = slices.Concat(r.Body[:at], []byte(raw), r.Body[at:])
	r.events = nil
	return r
}

// ends returns the offsets at which the events of Body end, in order.
func (r Reply) ends() []int {
	if r.events != nil {
		return r.events
	}
	var (
		ends    []int
		line    bool // there is something on this line
		content bool // there is something in this event
	)
	for i := 0; i < len(r.Body); i++ {
		if c := r.Body[i]; c != '\n' && c != '\r' {
			line, content = true, true
			continue
		}
		if bytes.HasPrefix(r.Body[i:], []byte("\r\n")) {
			i++
		}
		if !line && content {
			ends = append(ends, i+1)
			content = false
		}
		line = false
	}
	return ends
}

// header returns the header to send, with the length of what is sent.
func (r Reply) header() http.Header {
	header := r.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if _, given := header["Content-Length"]; given || r.Stream || r.Forever != nil || r.Trailer != nil || !r.hasBody() {
		return header
	}
	length := len(r.Body)
	if r.Cut != nil && r.Cut.How == CutClean {
		length = max(0, r.offset(r.Cut.At))
	}
	header.Set("Content-Length", strconv.Itoa(length))
	return header
}

// status returns the status to send.
func (r Reply) status() int {
	if r.Status == 0 {
		return http.StatusOK
	}
	return r.Status
}

// hasBody is false for the statuses that HTTP gives no body.
func (r Reply) hasBody() bool {
	return r.Status != http.StatusNoContent && r.Status != http.StatusNotModified
}

// offset resolves a place: -1 is before the header.
func (r Reply) offset(at int) int {
	switch {
	case at == BeforeHeader:
		return -1
	case at < 0:
		return max(0, len(r.Body)+at)
	case len(r.Forever) == 0:
		return min(at, len(r.Body))
	default:
		return at
	}
}

// pieces returns what goes into one write each. It has no end with Forever.
func (r Reply) pieces() iter.Seq[[]byte] {
	var events []int
	if r.Stream {
		events = r.ends()
	}
	size := func() int { return r.Piece }
	if r.Seed != 0 {
		longest := r.Piece
		if longest <= 0 {
			longest = 16
		}
		random := rand.New(rand.NewPCG(r.Seed, 0)) //nolint:gosec // a test wants the same bytes again
		size = func() int { return 1 + random.IntN(longest) }
	}
	return func(yield func([]byte) bool) {
		chop := func(part []byte) bool {
			for len(part) > 0 {
				n := size()
				if n <= 0 {
					n = len(part)
				}
				n = min(n, len(part))
				if !yield(part[:n]) {
					return false
				}
				part = part[n:]
			}
			return true
		}
		if r.Piece > 0 || r.Seed != 0 {
			events = nil // pieces may reach from one event into the next
		}
		for part := range cutBefore(r.Body, events) {
			if !chop(part) {
				return
			}
		}
		for more := len(r.Forever) > 0; more; {
			more = chop(r.Forever)
		}
	}
}

// cutBefore returns the parts of the data between the offsets; none is empty.
func cutBefore(data []byte, offsets []int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		from := 0
		for _, to := range append(slices.Clone(offsets), len(data)) {
			to = min(to, len(data)) // Body may have been changed since
			if to > from && !yield(data[from:to]) {
				return
			}
			from = max(from, to)
		}
	}
}

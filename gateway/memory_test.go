package gateway_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// A request of any shape costs memory in proportion to its bytes, whether it is
// served or refused, with all recommended policies: at most mostTimes of them, and
// perPart for each of its messages, parts and tools, of which there is a limit, and
// perSecret for each secret in it. That
// holds for all that is allocated over the whole exchange, which is more than what is
// ever held at once, and by far for what is held while the upstream is asked and while
// a call of its answer is judged.
const (
	mostTimes = 8
	perPart   = 4 << 10
	heldTimes = 4
	heldPart  = 2 << 10
	// perSecret is what each secret costs that is found, and heldSecret what is held.
	perSecret  = 2 << 10
	heldSecret = 512
	// anyRequest is what a request of no size costs.
	anyRequest = 3 << 20
)

// measured is a gateway without a network whose cost can be measured. Its upstream
// answers every request with a text and a call.
type measured struct {
	*gateway.Gateway

	held func() // is called while the upstream is asked, and when a call was judged
}

func newMeasured(t testing.TB) *measured {
	t.Helper()
	m := &measured{held: func() {}}
	observe := func(e gateway.Event) {
		if r := e.Record; r != nil && r.Stage == policy.StageAnswer && r.Kind == llm.ToolCall {
			m.held()
		}
	}
	g, err := gateway.New(gateway.Config{Policies: policy.NewLive(recommended()), Transport: m, Observe: observe})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	m.Gateway = g
	return m
}

// RoundTrip answers in the dialect of the path.
func (m *measured) RoundTrip(r *http.Request) (*http.Response, error) {
	m.held()
	if r.Body != nil {
		_ = r.Body.Close()
	}
	for _, format := range wire.Formats() {
		if path, _, _ := strings.Cut(target(format, true), "?"); r.URL.Path == path {
			events := sluicetest.SSE(string(format), sluicetest.Build(string(format), [][]llm.Block{said("hm", "git push origin main")}, sluicetest.BuildOptions{}))
			return &http.Response{
				StatusCode: http.StatusOK, Header: headers("Content-Type", "text/event-stream"), ContentLength: -1,
				Body: io.NopCloser(bytes.NewReader(events)), Request: r,
			}, nil
		}
	}
	return nil, io.ErrUnexpectedEOF
}

// cost is what a request has cost.
type cost struct {
	status    int
	said      string
	allocated int // bytes
	pieces    int // in so many
	held      int // the most bytes at once, where it is looked
}

// ask serves one request.
func (m *measured) ask(format wire.Format, body []byte) (c cost) {
	var before, after runtime.MemStats
	r := httptest.NewRequest(http.MethodPost, target(format, true), bytes.NewReader(body))
	got := httptest.NewRecorder()
	runtime.GC()
	runtime.ReadMemStats(&before)
	m.held = func() {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		c.held = max(c.held, int(now.HeapAlloc)-int(before.HeapAlloc))
	}
	m.ServeHTTP(got, r)
	runtime.ReadMemStats(&after)
	c.status, c.said = got.Code, got.Body.String()
	c.allocated, c.pieces = int(after.TotalAlloc-before.TotalAlloc), int(after.Mallocs-before.Mallocs)
	return c
}

// partsOf counts what a request is made of, 0 if it is refused.
func partsOf(format wire.Format, body []byte) int {
	req, err := format.ReadRequest(body)
	if err != nil {
		return 0
	}
	n := len(req.Messages) + len(req.Tools) + len(req.System)
	for i := range req.Messages {
		n += len(req.Messages[i].Blocks)
	}
	return n
}

// listed are the shapes that are measured in sizes that take long.
var listed = []string{"empty parts", "empty calls", "empty messages", "a deep result", "empty tools", "instructions in parts", "escapes"}

// It is not parallel: what others allocate would be counted.
func TestMemoryGrowsWithTheBytesOfARequest(t *testing.T) { //nolint:paralleltest // see above
	if looksForRaces {
		t.Skip("what is allocated is measured without the race detector, which takes minutes for it and has memory of its own")
	}
	m := newMeasured(t)
	for _, format := range wire.Formats() {
		m.ask(format, question(format, true)) // what is made once
		for _, name := range slices.Sorted(maps.Keys(bigShapes)) {
			sizes := []int{1, 2}
			if slices.Contains(listed, name) {
				sizes = []int{1, 4, 16}
			}
			if testing.Short() {
				sizes = sizes[:1]
			}
			var last cost
			for i, size := range sizes {
				body := bigShapes[name](format, size<<20)
				now := m.ask(format, body)
				parts := partsOf(format, body)
				secrets := len(secret.Find(string(body)))
				if most := mostTimes*len(body) + perPart*parts + perSecret*secrets + anyRequest; now.allocated > most {
					t.Errorf("%s, %s of %d MB: %d KB are allocated, at most %d may be; status %d", format, name, size, now.allocated>>10, most>>10, now.status)
				}
				if most := heldTimes*len(body) + heldPart*parts + heldSecret*secrets + anyRequest; now.held > most {
					t.Errorf("%s, %s of %d MB: %d KB are held, at most %d may be; status %d", format, name, size, now.held>>10, most>>10, now.status)
				}
				if now.status != http.StatusOK && (now.status != http.StatusBadRequest && now.status != http.StatusForbidden || !strings.Contains(now.said, "more than") && !strings.Contains(now.said, "not an object")) {
					t.Errorf("%s, %s of %d MB: status %d %.300s", format, name, size, now.status, now.said)
				}
				if i == 0 || now.status != last.status {
					last = now
					continue
				}
				times := size / sizes[i-1]
				steps := len(body) // in which the body is read, and lists grow
				if now.allocated > times*last.allocated+steps+anyRequest || now.pieces > times*last.pieces+last.pieces/4+10_000 {
					t.Errorf("%s, %s: %d MB cost %d KB in %d pieces, %d MB %d KB in %d", format, name, size, now.allocated>>10, now.pieces, sizes[i-1], last.allocated>>10, last.pieces)
				}
				last = now
			}
		}
	}
}

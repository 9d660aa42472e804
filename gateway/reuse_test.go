package gateway_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
)

// byCase is an upstream that plays the answer that a request names.
type byCase map[string]string

func (c byCase) RoundTrip(r *http.Request) (*http.Response, error) {
	return played(c[r.Header.Get(caseHeader)]).RoundTrip(r)
}

// toldStories collects the events of a gateway's exchanges.
type toldStories struct {
	mu  sync.Mutex
	all map[string]*strings.Builder
}

func (s *toldStories) observe(e gateway.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.all[e.Exchange.ID]
	if b == nil {
		b = new(strings.Builder)
		s.all[e.Exchange.ID] = b
	}
	if e.Record != nil {
		r := *e.Record
		fmt.Fprintln(b, r.Kind, r.ID, r.Name, r.Status, r.In, r.Out, r.Delivered, r.Verdict.Action, r.Verdict.Policy, r.Verdict.Reason)
	}
	if e.End != nil {
		fmt.Fprintln(b, e.End.Outcome, e.End.Status, e.End.Error, e.End.AnswerBytes, e.End.Blocks, e.End.Blocked)
	}
}

func (s *toldStories) of(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[id].String()
}

var randomIDs = regexp.MustCompile(`[A-Z2-7]{26}`)

// An answer leaves, and is judged, as if the gateway had never served another:
// what exchanges leave to each other is empty, whatever they were.
func TestAnAnswerIsTheSameAfterAnyOther(t *testing.T) {
	paths := map[wire.Format]string{
		wire.OpenAIChat: "/v1/chat/completions", wire.Anthropic: "/v1/messages",
		wire.OpenAIResponses: "/v1/responses", wire.Gemini: "/v1beta/models/m:streamGenerateContent?alt=sse",
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	upstream, pathOf := byCase{}, map[string]string{}
	var names []string
	add := func(format wire.Format, name, body string) {
		name = fmt.Sprint(len(names), " ", format, " ", name)
		upstream[name], pathOf[name], names = body, paths[format], append(names, name)
	}
	vary := func(format wire.Format, name, body string) {
		add(format, name, body)
		add(format, name+" cut", body[:rnd.IntN(len(body))])
		at := rnd.IntN(len(body))
		add(format, name+" garbled", body[:at]+"}"+body[at:])
	}
	for _, c := range []struct {
		name     string
		commands []string
	}{
		{"usual", usualCommands}, {"without calls", nil}, {"one blocked", []string{"ls -la", "rm -rf /", "wc -l README.md"}},
		{"all blocked", []string{"rm -rf /", "rm -rf ~"}}, {"many", slices.Repeat(usualCommands, 10)},
	} {
		vary(wire.OpenAIChat, c.name, chatAnswer(c.commands))
		vary(wire.Anthropic, c.name, anthropicAnswer(c.commands))
	}
	if os.Getenv("SLUICE_CORPUS") != "" {
		all := recordedStreams(t)
		for range 24 {
			r := all[rnd.IntN(len(all))]
			vary(r.format, r.name, string(r.body))
		}
	}
	stories := &toldStories{all: make(map[string]*strings.Builder)}
	g, err := gateway.New(gateway.Config{Policies: policy.NewLive(recommended()), Observe: stories.observe, Transport: upstream})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	serve := func(name string) string {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1"+pathOf[name], strings.NewReader(`{"model":"m","stream":true}`))
		r.Header.Set(caseHeader, name)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		body, _ := io.ReadAll(w.Body)
		id := w.Header().Get("X-Sluice-Exchange")
		text := fmt.Sprintf("%d %s\n%s", w.Code, body, stories.of(id))
		return randomIDs.ReplaceAllString(text, "ID")
	}
	want := make(map[string]string, len(names))
	for _, name := range names {
		runtime.GC()
		runtime.GC() // what exchanges left to each other is gone
		want[name] = serve(name)
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(worker), 2))
			for range 150 {
				name := names[rnd.IntN(len(names))]
				if got := serve(name); got != want[name] {
					t.Errorf("%s: got\n%s\nwant\n%s", name, got, want[name])
					return
				}
			}
		})
	}
	group.Wait()
	for _, name := range names {
		if strings.HasSuffix(name, "blocked") && !strings.Contains(want[name], "Sluice blocked") {
			t.Errorf("%s: nothing was blocked:\n%s", name, want[name])
		}
	}
}

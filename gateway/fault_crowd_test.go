package gateway_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// TestFaultCrowd lets many streams be open at once, of which some end well, some
// have calls that are held or blocked, and some lose their clients. One of the
// upstreams speaks HTTP/2, so that its streams share connections.
func TestFaultCrowd(t *testing.T) {
	leakFree(t)
	crowd := roomFor(t, size(300, 5000))
	gate := make(chan struct{})
	answers := map[string][]llm.Block{
		"text":    {{Kind: llm.Content, Text: "First this."}, {Kind: llm.Content, Text: "Then that."}},
		"held":    {{Kind: llm.Content, Text: "First this."}, allowedCall("call_1")},
		"blocked": {{Kind: llm.Content, Text: "First this."}, blockedCall("call_1")},
		"leaves":  {{Kind: llm.Content, Text: "First this."}, allowedCall("call_1")},
	}
	kinds := []string{"text", "held", "blocked", "leaves"}
	transport := gateway.NewTransport()
	shared := sluicetest.NewUpstreamTLS(t)
	transport.TLSClientConfig = &tls.Config{RootCAs: shared.CAs}
	b := newBench(t, withMarks(t, func(c *gateway.Config) {
		c.Transport = transport
		c.Upstreams.Anthropic.URL = shared.URL
	}))
	b.client.Transport.(*http.Transport).DisableKeepAlives = true
	answer := func(r *http.Request) sluicetest.Reply {
		kind := r.Header.Get("X-Kind")
		format := wire.Format(r.Header.Get("X-Format"))
		reply := reply(format, true, answers[kind], pieces)
		if kind == "" {
			return reply
		}
		reply.Pauses = []sluicetest.Pause{{At: reply.Event(eventWith(reply, "First this.")), Until: gate}}
		return reply
	}
	b.up.Answer(answer)
	shared.Answer(answer)
	b.ask(wire.Anthropic, true, "X-Format", "anthropic") // what is made once is made now
	transport.CloseIdleConnections()
	goroutines, memory := runtime.NumGoroutine(), heap()

	leave := make(chan struct{})
	var begun, over sync.WaitGroup
	for i := range crowd {
		begun.Add(1)
		over.Go(func() {
			format := wire.Formats()[i/4%4]
			one := &one{b: b, kind: kinds[i%4], format: format, n: i}
			one.run(&begun, gate, leave)
		})
	}
	begun.Wait()
	if b.Open() != crowd {
		t.Errorf("%d exchanges are open, want %d", b.Open(), crowd)
	}
	close(leave)
	eventually(t, "those who leave have left", func() bool { return b.Open() == crowd-crowd/4 })
	close(gate)
	over.Wait()
	b.settled()

	got := make(map[string]int)
	for _, s := range b.allStories(crowd + 1) {
		got[strings.TrimRight(s.exchange.Session, "0123456789")+" "+string(s.end.Outcome)]++
	}
	quarter := crowd / 4
	for _, want := range []string{"text complete", "held complete", "blocked complete", "leaves client_gone"} {
		if got[want] != quarter {
			t.Errorf("%d exchanges ended as %q, want %d; all: %v", got[want], want, quarter, got)
		}
	}
	b.mu.Lock()
	clear(b.stories)
	b.mu.Unlock()
	b.up.Answer(nil)
	shared.Answer(nil)
	eventually(t, "the goroutines are gone", func() bool {
		transport.CloseIdleConnections()
		return runtime.NumGoroutine() <= goroutines+10
	})
	// What the kit keeps of each request is counted too.
	if grown := heap() - memory; grown > 8<<20+int64(crowd)*10<<10 {
		t.Errorf("%d KB are kept after %d exchanges", grown>>10, crowd)
	}
}

// one is a client of the crowd.
type one struct {
	b      *bench
	kind   string
	format wire.Format
	n      int
}

func (o *one) run(begun *sync.WaitGroup, gate, leave <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.b.url+target(o.format, true), bytes.NewReader(question(o.format, true)))
	if err != nil {
		panic(err)
	}
	req.Header.Set("X-Kind", o.kind)
	req.Header.Set("X-Format", string(o.format))
	req.Header.Set("Session-Id", o.kind+strconv.Itoa(o.n))
	res, err := o.b.client.Do(req)
	if err != nil {
		begun.Done()
		o.b.t.Errorf("%s %d: %v", o.kind, o.n, err)
		return
	}
	defer res.Body.Close()
	head := readUntil(res.Body, "First this.")
	begun.Done()
	if o.kind == "leaves" {
		<-leave
		cancel()
		return
	}
	<-gate
	rest, err := io.ReadAll(res.Body)
	body := append([]byte(head), rest...)
	report, invalid := sluicetest.Inspect(string(o.format), body)
	calls := map[string]int{"held": 1}[o.kind]
	if err != nil || invalid != nil || !report.Ended || len(report.Calls) != calls || bytes.Contains(body, []byte(blockedMark)) {
		o.b.t.Errorf("%s %d: %v, %v, %+v\n%s", o.kind, o.n, err, invalid, report, body)
	}
}

// TestFaultSwap swaps the policies under load: every exchange is judged by one
// version from its beginning to its end, and says by which.
func TestFaultSwap(t *testing.T) {
	leakFree(t)
	sets := make([]*policy.Set, 2)
	for i := range sets {
		sets[i] = setOf(t, policy.Func(fmt.Sprintf("version-%d", i), func(*policy.Subject) policy.Verdict {
			return policy.Verdict{Action: policy.Block, Reason: fmt.Sprintf("says version %d", i)}
		}))
	}
	current := policy.NewLive(sets[0])
	b := newBench(t, func(c *gateway.Config) { c.Policies = current })
	b.up.Answer(func(*http.Request) sluicetest.Reply {
		r := reply(wire.OpenAIResponses, true, []llm.Block{allowedCall("call_1"), {Kind: llm.Content, Text: "And"}, allowedCall("call_2")}, pieces)
		r.Piece = 200
		return r
	})
	stop, swapped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(swapped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				current.Swap(sets[i%2])
				runtime.Gosched()
			}
		}
	}()
	exchanges := size(200, 2000)
	var clients sync.WaitGroup
	for range 20 {
		clients.Go(func() {
			for range exchanges / 20 {
				a := b.ask(wire.OpenAIResponses, true)
				s := a.story()
				versions := map[string]bool{s.exchange.Policies: true}
				names := map[string]bool{}
				for _, r := range s.records {
					versions[r.Version] = true
					if r.Kind == llm.ToolCall {
						names[r.Verdict.Policy] = true
					}
				}
				old, young := bytes.Contains(a.body, []byte("says version 0")), bytes.Contains(a.body, []byte("says version 1"))
				if len(versions) != 1 || len(names) != 1 || old == young {
					t.Errorf("an exchange was judged by %v, %v: %s", versions, names, a.body)
				}
			}
		})
	}
	clients.Wait()
	close(stop)
	<-swapped
}

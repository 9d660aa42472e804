package gateway_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// size chooses between the sizes of the usual test run and of the full one,
// which SLUICE_FULL asks for.
func size(usual, full int) int {
	if os.Getenv("SLUICE_FULL") != "" {
		return full
	}
	return usual
}

// every returns what says of each case in turn whether it is tried: all are, and in the short form one in n.
// An n that is prime to the numbers of values that are combined tries each of these.
func every(n int) func() bool {
	at := -1
	return func() bool {
		at++
		return !testing.Short() || at%n == 0
	}
}

// leakFree checks in the end that no goroutine was left. It must be called
// before anything is started.
func leakFree(t *testing.T) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
}

// patience is how long a test waits for what must happen, before it says that it
// did not. Nothing is measured with it.
const patience = 2 * time.Minute

// keepable returns a limit, at least the given one, that a request that nothing is wrong
// with keeps by far, however busy the machine is.
func keepable(t testing.TB, least time.Duration) time.Duration {
	t.Helper()
	b := newBench(t, nil, reply(wire.Anthropic, true, mixture(wire.Anthropic)))
	began := time.Now()
	b.ask(wire.Anthropic, true)
	return max(least, 10*time.Since(began))
}

// happens waits for a channel to be closed.
func happens(t testing.TB, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatalf("it never happened: %s", what)
	}
}

// eventually waits for a condition that nothing signals.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for until := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("it never became true: %s", what)
		}
	}
}

// The calls of the tests: what is in one argument occurs nowhere else, and is
// not split by deltas.
const (
	allowedMark = "ALLOW7c1e"
	blockedMark = "BLOCK93fa"
)

func allowedCall(id string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: id, Name: "Bash", Arguments: `{"command":"ls ` + allowedMark + `"}`}
}

func blockedCall(id string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: id, Name: "Bash", Arguments: `{"command":"rm ` + blockedMark + `"}`}
}

// mixture is an answer with something of everything: thinking where the dialect
// has it, text, a call that is allowed, one that is blocked.
func mixture(format wire.Format) []llm.Block {
	blocks := []llm.Block{{Kind: llm.Content, Text: "First I look – naïvely."}, allowedCall("call_1"), blockedCall("call_2")}
	if format != wire.OpenAIChat {
		blocks = slices.Insert(blocks, 0, llm.Block{Kind: llm.Thinking, Text: "Careful?", Signature: "c2ln"})
	}
	return blocks
}

// verdictOn decides by the marks.
func verdictOn(s *policy.Subject) policy.Verdict {
	if strings.Contains(s.Block.Arguments, blockedMark) {
		return policy.Verdict{Action: policy.Block, Reason: "not that"}
	}
	return policy.Verdict{Action: policy.Allow}
}

// marks is a set that blocks what is marked.
func marks(t testing.TB) *policy.Live { return live(t, policy.Func("marks", verdictOn)) }

func live(t testing.TB, defs ...policy.Definition) *policy.Live {
	t.Helper()
	return policy.NewLive(setOf(t, defs...))
}

func setOf(t testing.TB, defs ...policy.Definition) *policy.Set {
	t.Helper()
	set, err := policy.NewSet(defs...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// withMarks is a configuration that judges by the marks.
func withMarks(t testing.TB, change func(c *gateway.Config)) func(c *gateway.Config) {
	return func(c *gateway.Config) {
		c.Policies = marks(t)
		if change != nil {
			change(c)
		}
	}
}

// pieces are the options of streams in small deltas.
var pieces = sluicetest.BuildOptions{MaxPiece: 24}

// open sends a request and returns when the answer's header is there. The
// caller reads the body, or cancels ctx to go away.
func (b *bench) open(ctx context.Context, format wire.Format, streamed bool) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url+target(format, streamed), bytes.NewReader(question(format, streamed)))
	if err != nil {
		return nil, err
	}
	return b.client.Do(req)
}

// whole reads what is left of an opened answer.
func (b *bench) whole(res *http.Response) *answer {
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	return &answer{status: res.StatusCode, header: res.Header, body: body, err: err, b: b}
}

// allStories returns the events of all exchanges once n are over.
func (b *bench) allStories(n int) []*story {
	b.t.Helper()
	var all []*story
	eventually(b.t, fmt.Sprintf("%d exchanges are over", n), func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		all = all[:0]
		for _, s := range b.stories {
			select {
			case <-s.over:
				all = append(all, s)
			default:
			}
		}
		return len(all) >= n
	})
	return all
}

// only returns the story of the one exchange that there was.
func (b *bench) only() *story {
	b.t.Helper()
	all := b.allStories(1)
	if len(all) != 1 {
		b.t.Fatalf("%d exchanges were told of, want one", len(all))
	}
	return all[0]
}

// settled checks that nothing runs in the gateway any more.
func (b *bench) settled() {
	b.t.Helper()
	eventually(b.t, "no exchange is open", func() bool { return b.Open() == 0 })
}

// ended checks how an exchange ended.
func (s *story) ended(t testing.TB, want gateway.Outcome) {
	t.Helper()
	if s.end.Outcome != want {
		t.Errorf("the outcome is %q (%s), want %q", s.end.Outcome, s.end.Error, want)
	}
}

// wholeBefore reads a stream with the decoder and says whether it is whole.
func wholeBefore(format wire.Format, events []byte) (llm.Response, error) {
	p := stream.NewProcessor(format.NewDecoder(), stream.Limits{}, nil, nil)
	r := sse.NewReader(bytes.NewReader(events), sse.Options{})
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			err = p.End(context.Background())
			return p.State().Response(), err
		}
		if err == nil {
			err = p.Feed(context.Background(), wire.EventName(ev.Name), ev.Data)
		}
		if err != nil {
			return p.State().Response(), err
		}
	}
}

// nothingUnjudged checks that what a client got has no call that was not whole
// and allowed.
func nothingUnjudged(t testing.TB, format wire.Format, a *answer, calls []sluicetest.Call) {
	t.Helper()
	if bytes.Contains(a.body, []byte(blockedMark)) {
		t.Errorf("something of the blocked call left:\n%s", a.body)
	}
	delivered := 0
	for _, r := range a.story().records {
		if r.Kind == llm.ToolCall && r.Delivered {
			delivered++
			if r.In != allowedCall("").Arguments || r.Out != r.In {
				t.Errorf("the record says that %q was delivered as %q", r.In, r.Out)
			}
		}
	}
	for _, call := range calls {
		if call.Arguments != allowedCall("").Arguments {
			t.Errorf("the client got the call %s %s, which was not allowed like that", call.Name, call.Arguments)
		}
	}
	if len(calls) > delivered {
		t.Errorf("the client got %d calls, but only %d are recorded as delivered", len(calls), delivered)
	}
	if len(calls) == 0 && format != wire.OpenAIResponses && bytes.Contains(a.body, []byte(allowedMark)) {
		t.Errorf("a part of a call left:\n%s", a.body)
	}
}

// failedStream checks that a stream is legal and ends with an error, which it
// returns.
func failedStream(t testing.TB, format wire.Format, a *answer) sluicetest.Report {
	t.Helper()
	report, err := sluicetest.Inspect(string(format), a.body)
	if err != nil {
		t.Errorf("the client got an illegal stream: %v\n%s", err, a.body)
	}
	if !report.Failed || report.Ended {
		t.Errorf("the stream does not end with an error of its dialect:\n%s", a.body)
	}
	if _, cut := wholeBefore(format, a.body); cut == nil {
		t.Errorf("the decoder takes the stream for a whole answer:\n%s", a.body)
	}
	if a.err != nil {
		t.Errorf("the answer is not whole as HTTP wants it: %v", a.err)
	}
	return report
}

// goodStream checks that a stream is legal and ends well.
func goodStream(t testing.TB, format wire.Format, a *answer) sluicetest.Report {
	t.Helper()
	if a.status != http.StatusOK || a.err != nil {
		t.Errorf("status %d, %v", a.status, a.err)
	}
	report, err := sluicetest.Inspect(string(format), a.body)
	if err != nil || !report.Ended {
		t.Errorf("the stream does not end well (%v):\n%s", err, a.body)
	}
	return report
}

// refused checks that an answer is an error of the dialect, and returns what it
// says.
func refused(t testing.TB, format wire.Format, a *answer, status int) string {
	t.Helper()
	if a.status != status {
		t.Errorf("the status is %d, want %d: %s", a.status, status, a.body)
	}
	if a.err != nil {
		t.Errorf("the error is not whole: %v", a.err)
	}
	message, _ := errorIn(t, format, a.body)
	return message
}

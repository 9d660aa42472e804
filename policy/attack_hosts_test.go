package policy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// A client that goes while a payload is being judged does not leave the loop
// behind, waiting for a reader that went first.
func TestAClientThatGoesDuringAJudgementEndsTheRun(t *testing.T) {
	for _, format := range sluicetest.Formats() {
		synctest.Test(t, func(t *testing.T) {
			ctx, gone := context.WithCancel(t.Context())
			def := policy.Func("judge", func(*policy.Subject) policy.Verdict {
				gone()
				synctest.Wait() // until all others have seen it
				return policy.Verdict{Action: policy.Allow}
			})
			events := sluicetest.SSE(format, sluicetest.Build(format, [][]llm.Block{{call("x", `{}`), call("y", `{}`)}}, sluicetest.BuildOptions{}))
			d := sluicetest.Enforcement{Set: set(t, def)}.Stream(ctx, format, bytes.NewReader(events))
			if !errors.Is(d.Err, context.Canceled) && d.Err != nil {
				t.Errorf("%s: %v", format, d.Err)
			}
			for block, n := range recordedBlocks(d.Records) {
				if n != 1 {
					t.Errorf("%s: block %v has %d records", format, block, n)
				}
			}
		})
	}
}

var errGone = errors.New("the client is gone")

// A client that goes at any write ends the run with what it went with. Nothing
// is written after that but an error that ends the answer.
func TestAClientThatGoesAtAnyWriteEndsTheRun(t *testing.T) {
	blocks := [][]llm.Block{{says("hello"), call("good", `{"a":1}`), call("bad", `{"secret":"X9ZZY"}`), call("good", `{}`)}}
	for _, format := range sluicetest.Formats() {
		for _, waits := range []bool{false, true} {
			events := sluicetest.SSE(format, sluicetest.Build(format, blocks, sluicetest.BuildOptions{MaxPiece: 4, Usage: true}))
			for at, failed := 0, true; failed; at++ {
				failed = false
				var records []policy.Record
				var after [][]byte
				def := blockNamed("bad")
				def.Waits = waits
				e := policy.NewEngine(set(t, def), nil, policy.Options{
					Format: wire.Format(format), Record: func(r *policy.Record) { records = append(records, *r) },
				})
				writes := 0
				out := stream.NewOutput(wire.Format(format).NewWriter(e.WriterOptions()), func(p []byte) error {
					switch writes++; {
					case failed:
						after = append(after, p)
					case writes > at:
						failed = true
						return errGone
					case bytes.Contains(p, []byte("X9ZZY")):
						t.Errorf("%s, write %d: a blocked call left: %s", format, at, p)
					}
					return nil
				})
				err := e.Run(context.Background(), source{Reader: sse.NewReader(bytes.NewReader(events), sse.Options{})}, out, policy.RunOptions{})
				if errors.Is(err, errGone) != failed || err != nil && !failed {
					t.Errorf("%s, write %d: %v", format, at, err)
				}
				if len(after) > 1 || len(after) == 1 && !bytes.Contains(after[0], []byte(`"error"`)) {
					t.Errorf("%s, write %d: then sent %s", format, at, after)
				}
				for block, n := range recordedBlocks(records) {
					if n != 1 {
						t.Errorf("%s, write %d: block %v has %d records", format, at, block, n)
					}
				}
			}
		}
	}
}

// broken is a source that fails after some payloads.
type broken struct {
	list
	fail func() error
}

func (b *broken) Next() (string, []byte, error) {
	if len(b.list) == 0 {
		return "", nil, b.fail()
	}
	return b.list.Next()
}

// hurried is a source that has everything at once, up to where it breaks.
type hurried struct{ broken }

func (h *hurried) Buffered() (string, []byte, bool) {
	name, payload, err := h.Next()
	return name, payload, err == nil
}

// An answer that is there at once is judged and sent as one that comes bit by bit.
func TestWhatIsThereAlreadyIsJudgedLikeWhatComes(t *testing.T) {
	blocks := []llm.Block{says("hello"), call("bad", `{"secret":"X9ZZY"}`), call("good", `{"a":1}`), says("bye")}
	ends := func() error { return io.EOF }
	for _, format := range sluicetest.Formats() {
		payloads := sluicetest.Build(format, [][]llm.Block{blocks}, sluicetest.BuildOptions{MaxPiece: 3})
		var sent [2][]byte
		var records [2][]policy.Verdict
		for i, src := range []policy.Source{&broken{list: append(list(nil), payloads...), fail: ends}, &hurried{broken: broken{list: append(list(nil), payloads...), fail: ends}}} {
			e := policy.NewEngine(set(t, blockNamed("bad")), nil, policy.Options{
				Format: wire.Format(format), Record: func(r *policy.Record) { records[i] = append(records[i], r.Verdict) },
			})
			options := e.WriterOptions()
			options.NewID = func() string { return "1" }
			out := stream.NewOutput(wire.Format(format).NewWriter(options), func(p []byte) error {
				sent[i] = append(sent[i], p...)
				return nil
			})
			if err := e.Run(context.Background(), src, out, policy.RunOptions{}); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
		}
		if !bytes.Equal(sent[0], sent[1]) || len(records[0]) != len(records[1]) || bytes.Contains(sent[1], []byte("X9ZZY")) {
			t.Errorf("%s: bit by bit\n%s\nat once\n%s\nverdicts %v and %v", format, sent[0], sent[1], records[0], records[1])
		}
	}
}

// A source that breaks, in whatever way, ends the answer with an error that the
// client gets.
func TestASourceThatBreaksEndsTheAnswer(t *testing.T) {
	for name, fail := range map[string]func() error{
		"a panic": func() error { panic("oh") }, "an error": func() error { return errBroken }, "an early end": func() error { return io.EOF },
		"half a payload": func() error { return io.ErrUnexpectedEOF },
	} {
		for _, format := range sluicetest.Formats() {
			payloads := sluicetest.Build(format, [][]llm.Block{{says("hello"), call("good", `{"secret":"X9ZZY"}`)}}, sluicetest.BuildOptions{})
			for n := 2; n < 2*len(payloads)-4; n++ {
				var sent []byte
				var src policy.Source = &broken{list: append(list(nil), payloads[:n/2]...), fail: fail}
				if n%2 == 1 {
					src = &hurried{broken: broken{list: append(list(nil), payloads[:n/2]...), fail: fail}}
				}
				e := policy.NewEngine(set(t, blockNamed("bad"), allTogether("all", always(policy.Allow))), nil, policy.Options{Format: wire.Format(format)})
				out := stream.NewOutput(wire.Format(format).NewWriter(e.WriterOptions()), func(p []byte) error {
					sent = append(sent, p...)
					return nil
				})
				err := e.Run(context.Background(), src, out, policy.RunOptions{})
				report, invalid := sluicetest.Inspect(format, sent)
				if err == nil || invalid != nil || report.Ended || bytes.Contains(sent, []byte("X9ZZY")) {
					t.Errorf("%s, %s after %d payloads: %v, %v\n%s", name, format, n/2, err, invalid, sent)
				}
			}
		}
	}
}

// A host may hand in answers when the exchange is over. They count for nothing.
func TestAnswersAfterTheEndCountForNothing(t *testing.T) {
	yes := func(context.Context, *policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} }
	shadow := policy.WaitFunc("shadow", time.Minute, yes)
	shadow.Mode = policy.Shadow
	for name, end := range map[string]func(e *policy.Engine, out *stream.Output){
		"cancelled": func(e *policy.Engine, _ *stream.Output) { e.Cancel() },
		"failed":    func(e *policy.Engine, out *stream.Output) { e.Fail(errBroken, out) },
		"closed":    func(e *policy.Engine, _ *stream.Output) { e.Cancel(); e.Close() },
	} {
		var records int
		var sent []byte
		e := policy.NewEngine(set(t, policy.WaitFunc("slow", time.Minute, yes), shadow), nil, policy.Options{
			Format: wire.OpenAIChat, Record: func(*policy.Record) { records++ },
		})
		out := stream.NewOutput(wire.OpenAIChat.NewWriter(e.WriterOptions()), func(p []byte) error {
			sent = append(sent, p...)
			return nil
		})
		p := stream.NewProcessor(wire.OpenAIChat.NewDecoder(), stream.Limits{}, e, out)
		for _, payload := range sluicetest.Build(sluicetest.OpenAIChat, [][]llm.Block{{call("x", `{"secret":"X9ZZY"}`)}}, sluicetest.BuildOptions{}) {
			if err := p.Feed(context.Background(), "", []byte(payload)); err != nil {
				t.Fatal(err)
			}
		}
		questions := e.Questions()
		end(e, out)
		before, told := len(sent), records
		for _, q := range questions {
			if err := e.Take(context.Background(), q.Ask(context.Background()), out); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if len(questions) != 2 || told != 1 || records != told || len(sent) != before || e.Pending()+e.Shadowing() != 0 || bytes.Contains(sent, []byte("X9ZZY")) {
			t.Errorf("%s: %d questions, %d records, then %d, sent %s", name, len(questions), told, records, sent)
		}
	}
}

// A policy that looks at every chunk must say so. One that does not is not even
// made before there is something to judge, and one that panics is left out.
func TestAPolicyThatSeesMustSaySo(t *testing.T) {
	answer := chatOf(`{"index":0,"delta":{"role":"assistant","content":"x"}}`, `{"index":0,"delta":{},"finish_reason":"stop"}`)
	for _, tc := range []struct {
		says, panics bool
		want         string
	}{{true, false, "made 1, saw 4"}, {true, true, "made 1, saw 1"}, {false, false, "made 0, saw 0"}} {
		made, saw := 0, 0
		def := policy.Definition{Name: "sees", Sees: tc.says, New: func(*policy.Exchange) policy.Policy {
			made++
			return policy.Policy{See: func(*stream.Chunk, *stream.State) {
				if saw++; tc.panics {
					panic("oh")
				}
			}}
		}}
		d := judged(t, sluicetest.OpenAIChat, answer, def)
		if got := fmt.Sprintf("made %d, saw %d", made, saw); got != tc.want || d.Err != nil || string(d.Bytes) != answer {
			t.Errorf("%+v: %s, %v\n%s", tc, got, d.Err, d.Bytes)
		}
	}
}

// However many calls wait, judges are asked a few at a time, and all are asked.
func TestOnlySoManyJudgesAreAskedAtOnce(t *testing.T) {
	for _, most := range []int{0, 1, 7} {
		synctest.Test(t, func(t *testing.T) {
			var now, peak, asked atomic.Int64
			def := policy.WaitFunc("slow", time.Minute, func(context.Context, *policy.Subject) policy.Verdict {
				asked.Add(1)
				peak.Store(max(peak.Load(), now.Add(1)))
				time.Sleep(time.Second)
				now.Add(-1)
				return policy.Verdict{Action: policy.Allow}
			})
			var blocks []llm.Block
			for i := range 100 {
				blocks = append(blocks, call(fmt.Sprint("c", i), "{}"))
			}
			events := sluicetest.SSE(sluicetest.OpenAIChat, sluicetest.Build(sluicetest.OpenAIChat, [][]llm.Block{blocks}, sluicetest.BuildOptions{}))
			n := sluicetest.Enforcement{Set: set(t, def), Run: policy.RunOptions{Questions: most}}
			d := n.Stream(t.Context(), sluicetest.OpenAIChat, bytes.NewReader(events))
			want := int64(most)
			if most == 0 {
				want = 64
			}
			if d.Err != nil || len(d.Report.Calls) != len(blocks) || asked.Load() != 100 || peak.Load() > want {
				t.Errorf("%d at once: %v, %d calls, %d asked, %d at once", most, d.Err, len(d.Report.Calls), asked.Load(), peak.Load())
			}
		})
	}
}

// The client gets the provider's error, once.
func TestAProvidersErrorIsToldOnce(t *testing.T) {
	for _, format := range sluicetest.Formats() {
		for _, blocks := range [][]llm.Block{{}, {says("hello")}, {says("x"), call("good", `{"secret":"X9ZZY"}`)}} {
			events := sluicetest.SSE(format, sluicetest.Build(format, [][]llm.Block{blocks}, sluicetest.BuildOptions{Error: "overloaded"}))
			d := judged(t, format, string(events), blockNamed("bad"), allTogether("all", always(policy.Allow)))
			if d.Err == nil || d.Invalid != nil || !d.Report.Failed || leaks(d) || strings.Count(string(d.Bytes), "overloaded") != 1 {
				t.Errorf("%s, %d blocks: %v, %v\n%s", format, len(blocks), d.Err, d.Invalid, d.Bytes)
			}
			if len(blocks) < 2 && !bytes.Equal(d.Bytes, events) {
				t.Errorf("%s, %d blocks: did not leave as it came:\n%s", format, len(blocks), d.Bytes)
			}
		}
	}
}

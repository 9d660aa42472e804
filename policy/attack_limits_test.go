package policy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// fed is an engine that is fed Chat payloads and asked nothing.
type fed struct {
	*policy.Engine
	processor *stream.Processor
	out       *stream.Output
	sent      int
}

func feedChat(t *testing.T, opts policy.Options, definitions ...policy.Definition) *fed {
	opts.Format = wire.OpenAIChat
	f := &fed{Engine: policy.NewEngine(set(t, definitions...), nil, opts)}
	f.out = stream.NewOutput(opts.Format.NewWriter(f.WriterOptions()), func(p []byte) error {
		f.sent += len(p)
		return nil
	})
	f.processor = stream.NewProcessor(opts.Format.NewDecoder(), stream.Limits{}, f, f.out)
	return f
}

func (f *fed) feed(choices string) error {
	return f.processor.Feed(context.Background(), "", []byte(chatPayload(choices)))
}

func (f *fed) mustFeed(t *testing.T, choices string) {
	t.Helper()
	if err := f.feed(choices); err != nil {
		t.Fatal(err)
	}
}

// live returns how much memory is in use.
func live() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func callDelta(choice, index int, arguments string) string {
	return fmt.Sprintf(`{"index":%d,"delta":{"tool_calls":[{"index":%d,"function":{"arguments":%q}}]}}`, choice, index, arguments)
}

func callStart(choice, index int) string {
	return fmt.Sprintf(`{"index":%d,"delta":{"role":"assistant","tool_calls":[{"index":%d,"id":"a%d","type":"function","function":{"name":"x","arguments":"{}"}}]}}`, choice, index, index)
}

func chatEnd(choice int) string {
	return fmt.Sprintf(`{"index":%d,"delta":{},"finish_reason":"tool_calls"}`, choice)
}

// A long call in small pieces is an everyday thing: it waits within the default
// limits and leaves unchanged.
func TestACallOfTwentyThousandDeltasPasses(t *testing.T) {
	f := feedChat(t, policy.Options{}, allows("x"))
	came := 0
	feed := func(choices string) {
		f.mustFeed(t, choices)
		came += len("data: ") + len(chatPayload(choices)) + len("\n\n")
	}
	feed(strings.Replace(callStart(0, 0), `"{}"`, `"{\"a\":\""`, 1))
	for range 20_000 {
		feed(callDelta(0, 0, "a"))
	}
	feed(callDelta(0, 0, `"}`))
	if f.sent > 0 {
		t.Errorf("%d bytes left before a verdict", f.sent)
	}
	if feed(chatEnd(0)); f.sent != came || f.Waiting() {
		t.Errorf("%d bytes of %d left", f.sent, came)
	}
}

// What waits is counted with everything that is kept of it: small things in one
// payload are not free.
func TestManyEventsInOnePayloadCount(t *testing.T) {
	const limit = 4 << 20
	payload := `{"index":0,"delta":{"content":[` + strings.TrimSuffix(strings.Repeat(`"a",`, 10_000), ",") + `]}}`
	f := feedChat(t, policy.Options{Limits: policy.Limits{Queue: limit}}, allows("x"))
	f.mustFeed(t, callStart(0, 0))
	before, came := live(), 0
	var err error
	for err == nil && came < limit {
		came += len(payload)
		if used := live() - before; used > 2*limit {
			t.Fatalf("%d bytes of payloads take %d", came, used)
		}
		err = f.feed(payload)
	}
	var exceeded *policy.LimitError
	if !errors.As(err, &exceeded) || exceeded.Limit != limit || came > limit/10 {
		t.Errorf("after %d bytes: %v", came, err)
	}
	if kept := live() - before; kept >= limit {
		t.Errorf("%d bytes are kept when nothing waits any more", kept)
	}
	runtime.KeepAlive(f)
}

// A block of an unknown type that is small when it begins is measured again
// when it ends.
func TestAnUnknownTypeThatGrowsAtItsEndIsMeasured(t *testing.T) {
	item := func(n int) string {
		return `{"type":"gadget_call","id":"g_1","name":"good","arguments":"` + strings.Repeat("x", n) + `","status":"completed"}`
	}
	for _, large := range []bool{false, true} {
		size := 100
		if large {
			size = 5000
		}
		events := strings.Replace(responsesWith(item(size)), item(size), item(0), 1)
		for name, defs := range map[string][]policy.Definition{
			"at its own end": {allows("x")}, "at the end": {allows("x"), allTogether("all", always(policy.Allow))},
		} {
			n := sluicetest.Enforcement{Set: set(t, defs...), Options: policy.Options{Limits: policy.Limits{Block: 1000}}}
			d := n.Stream(context.Background(), sluicetest.OpenAIResponses, strings.NewReader(events))
			if d.Err != nil || bytes.Contains(d.Bytes, []byte(strings.Repeat("x", size))) == large {
				t.Errorf("%s, large %v: %v\n%.500s", name, large, d.Err, d.Bytes)
			}
			if v := d.Records[0].Verdict; large && v.Cause != policy.CauseLimit {
				t.Errorf("%s: recorded %+v", name, v)
			}
		}
	}
}

// Calls that wait for their judges see what came before them. That does not
// cost each a copy of all the others.
func TestWaitingCallsShareWhatCameBefore(t *testing.T) {
	const calls, each = 2000, 8 << 10
	def := policy.WaitFunc("slow", time.Minute, func(_ context.Context, s *policy.Subject) policy.Verdict {
		if s.Position%100 == 0 && len(s.Before()) != s.Position {
			return policy.Verdict{Action: policy.Block}
		}
		return policy.Verdict{Action: policy.Allow}
	})
	var records []policy.Record
	f := feedChat(t, policy.Options{Record: func(r *policy.Record) { records = append(records, *r) }}, def)
	before := live()
	for i := range calls {
		f.mustFeed(t, callStart(0, i))
	}
	f.mustFeed(t, chatEnd(0))
	if used := live() - before; used > calls*each || f.Pending() != calls {
		t.Errorf("%d calls take %d bytes, %d are pending", calls, used, f.Pending())
	}
	for _, q := range f.Questions() {
		if err := f.Take(context.Background(), q.Ask(context.Background()), f.out); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range records {
		if !r.Delivered {
			t.Fatalf("recorded %+v", r)
		}
	}
	if len(records) != calls || f.Waiting() {
		t.Errorf("%d records, waiting %v", len(records), f.Waiting())
	}
}

// What is about all choices waits for all of them, and what comes after it
// waits behind it: with many choices that is counted, and ends.
func TestManyChoicesThatWaitForEachOther(t *testing.T) {
	const choices, small, limit = 128, 2000, 8 << 20
	for _, queue := range []int{0, limit} {
		f := feedChat(t, policy.Options{Limits: policy.Limits{Queue: queue}}, allows("x"))
		before := live()
		for i := range choices {
			f.mustFeed(t, callStart(i, 0))
		}
		usage := `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
		if err := f.processor.Feed(context.Background(), "", []byte(usage)); err != nil {
			t.Fatal(err)
		}
		var err error
		for i := 0; i < small && err == nil; i++ {
			err = f.feed(`{"index":0,"delta":{"content":"a"}}`)
		}
		used := live() - before
		if queue == limit {
			var exceeded *policy.LimitError
			if err != nil && !errors.As(err, &exceeded) || used > 2*limit {
				t.Errorf("%v, %d bytes wait within a limit of %d", err, used, limit)
			}
			continue
		}
		if err != nil || f.sent > 0 {
			t.Fatalf("%v, %d bytes left before a verdict", err, f.sent)
		}
		for i := range choices {
			f.mustFeed(t, chatEnd(i))
		}
		if f.Waiting() || f.sent == 0 {
			t.Errorf("waiting %v, %d bytes left", f.Waiting(), f.sent)
		}
		runtime.KeepAlive(f)
	}
}

// Deltas of many held calls in one payload: each payload is kept once.
func TestPayloadsOfManyHeldCallsAreKeptOnce(t *testing.T) {
	const calls, payloads = 2000, 10
	f := feedChat(t, policy.Options{}, allows("x"))
	var start, more []string
	for i := range calls {
		start = append(start, fmt.Sprintf(`{"index":%d,"id":"a%d","type":"function","function":{"name":"x","arguments":"{"}}`, i, i))
		more = append(more, fmt.Sprintf(`{"index":%d,"function":{"arguments":" "}}`, i))
	}
	f.mustFeed(t, `{"index":0,"delta":{"tool_calls":[`+strings.Join(start, ",")+`]}}`)
	before := live()
	for range payloads {
		f.mustFeed(t, `{"index":0,"delta":{"tool_calls":[`+strings.Join(more, ",")+`]}}`)
	}
	if used := live() - before; used > payloads*calls*1024 {
		t.Errorf("%d payloads of %d calls take %d bytes", payloads, calls, used)
	}
	runtime.KeepAlive(f)
}

// The host hears how long a block is before any policy sees it.
func TestTheHostKnowsBeforeABlockIsJudged(t *testing.T) {
	var heard, seen []int
	def := policy.Func("sees", func(s *policy.Subject) policy.Verdict {
		if seen = append(seen, len(s.Block.Arguments)); len(heard) != len(seen) {
			t.Errorf("heard of %v before %v was seen", heard, seen)
		}
		return policy.Verdict{Action: policy.Allow}
	})
	f := feedChat(t, policy.Options{Judging: func(size int) { heard = append(heard, size) }}, def)
	f.mustFeed(t, callStart(0, 0))
	f.mustFeed(t, callStart(0, 1))
	f.mustFeed(t, chatEnd(0))
	if len(seen) != 2 || !slices.Equal(heard, seen) {
		t.Errorf("heard of %v, seen %v", heard, seen)
	}
}

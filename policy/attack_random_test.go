package policy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// fault is what goes wrong in an exchange.
type fault int

const (
	nothing fault = iota
	clientGoes
	sourceFails
	answerIsCut
	writeFails
	faults
)

// exchange is a random answer, judged by random policies, with a random fault.
type exchange struct {
	*rand.Rand

	format   string
	defs     []policy.Definition
	feedback bool
	choices  [][]llm.Block
	payloads []string
	fault    fault
	// at is where it goes wrong: before this payload, or at this write.
	at   int
	host *again

	sent    []byte
	records []policy.Record
	err     error
}

// In every combination, nothing of a blocked call leaves, what leaves is
// legal, the exchange ends, and the records say what happened.
func TestRandomExchangesKeepTheirPromises(t *testing.T) {
	for seed := range 25 * seeds() {
		synctest.Test(t, func(t *testing.T) {
			x := newExchange(seed)
			x.run(t)
			x.check(t)
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func (x *exchange) chance(n int) bool { return x.IntN(n) == 0 }

func newExchange(seed uint64) *exchange {
	x := &exchange{Rand: rand.New(rand.NewPCG(seed, 77))}
	x.format = sluicetest.Formats()[x.IntN(4)]
	x.feedback = x.chance(2)
	x.policies()
	x.choices = [][]llm.Block{x.blocks()}
	if (x.format == sluicetest.OpenAIChat || x.format == sluicetest.Gemini) && x.chance(3) {
		x.choices = append(x.choices, x.blocks())
	}
	x.payloads = sluicetest.Build(x.format, x.choices, sluicetest.BuildOptions{
		Rand: x.Rand, MaxPiece: 1 + x.IntN(20), Usage: x.chance(2), Quirks: sluicetest.Quirks(x.Uint32()),
	})
	x.fault = fault(x.IntN(int(faults)))
	x.at = x.IntN(len(x.payloads) + 1)
	x.host = &again{format: x.format}
	for range x.IntN(4) {
		x.host.next = append(x.host.next, x.blocks())
	}
	return x
}

// blocks returns texts and calls; those whose name begins with bad are blocked.
func (x *exchange) blocks() (blocks []llm.Block) {
	for range 1 + x.IntN(3) {
		blocks = append(blocks, says([]string{"hello ", "a SECRETabc and ", "SECRE", "more"}[x.IntN(4)]))
	}
	for range x.IntN(5) {
		b := call("good", `{"a":1}`)
		if x.chance(2) {
			b = call("bad"+strings.Repeat("x", x.IntN(4)), `{"s":"X9ZZY"}`)
		}
		b.ID = fmt.Sprint("call_", x.Uint32())
		blocks = append(blocks, b)
	}
	return blocks
}

// policies draws one policy that blocks, and others that must not matter.
func (x *exchange) policies() {
	promises, aborts := x.feedback && x.chance(2), x.chance(3)
	decide := func(s *policy.Subject) policy.Action {
		if !strings.HasPrefix(s.Block.Name, "bad") {
			return policy.Allow
		}
		switch a := []policy.Action{policy.Block, policy.BlockFeedback, policy.BlockEndTurn, policy.Abort}[len(s.Block.Name)%4]; {
		case a == policy.Abort && !aborts, a == policy.BlockEndTurn && promises:
			return policy.Block
		default:
			return a
		}
	}
	var blocks policy.Definition
	switch x.IntN(3) {
	case 0:
		blocks = policy.Func("blocks", func(s *policy.Subject) policy.Verdict { return policy.Verdict{Action: decide(s)} })
	case 1:
		blocks = policy.WaitFunc("blocks", time.Second, func(ctx context.Context, s *policy.Subject) policy.Verdict {
			select {
			case <-time.After(time.Duration(len(s.Block.Name)+len(s.Before())) * time.Millisecond):
				return policy.Verdict{Action: decide(s)}
			case <-ctx.Done():
				return policy.Verdict{Err: ctx.Err()}
			}
		})
	default:
		blocks = allTogether("blocks", decide)
		blocks.Waits = x.chance(2)
	}
	blocks.Feedback = promises
	x.defs = []policy.Definition{blocks}
	add := func(d policy.Definition) {
		if d.New != nil {
			d.Waits = x.chance(2)
		}
		x.defs = append(x.defs, d)
	}
	if x.chance(2) {
		d := blockNamed("good")
		d.Mode = policy.Shadow
		add(d)
	}
	if x.chance(3) {
		d := allTogether("shadow", always(policy.Abort))
		d.Mode = policy.Shadow
		add(d)
	}
	if x.chance(3) {
		add(policy.Definition{Name: "texts", Applies: policy.KindsOf(llm.Content), Text: []text.Rule{{Name: "r", Patterns: []string{"SECRET[a-z]*"}, Replacement: "[gone]"}}})
	}
	if x.chance(3) {
		d := allows("contents")
		d.Applies = policy.KindsOf(llm.Content, llm.Thinking, llm.Refusal)
		add(d)
	}
}

// faulty is a source that does something at a payload.
type faulty struct {
	policy.Source

	at int
	do func() error
}

func (f *faulty) Next() (string, []byte, error) {
	if f.at--; f.at == -1 && f.do != nil {
		if err := f.do(); err != nil {
			return "", nil, err
		}
	}
	return f.Source.Next()
}

func (x *exchange) run(t *testing.T) {
	ctx, gone := context.WithCancel(t.Context())
	defer gone()
	src := &faulty{Source: source{Reader: sse.NewReader(bytes.NewReader(sluicetest.SSE(x.format, x.payloads)), sse.Options{})}, at: x.at}
	src.do = map[fault]func() error{
		clientGoes:  func() error { gone(); return nil },
		sourceFails: func() error { return errBroken },
		answerIsCut: func() error { return io.EOF },
	}[x.fault]
	e := policy.NewEngine(set(t, x.defs...), nil, policy.Options{
		Format: wire.Format(x.format), Feedback: x.feedback, Record: func(r *policy.Record) { x.records = append(x.records, *r) },
	})
	writes := 0
	out := stream.NewOutput(wire.Format(x.format).NewWriter(e.WriterOptions()), func(p []byte) error {
		if writes++; x.fault == writeFails && writes > x.at {
			return errGone
		}
		x.sent = append(x.sent, p...)
		return nil
	})
	x.err = e.Run(ctx, src, out, policy.RunOptions{Feedback: x.host})
}

func (x *exchange) check(t *testing.T) {
	if bytes.Contains(x.sent, []byte("X9ZZY")) {
		t.Errorf("a blocked call left:\n%s", x.sent)
	}
	report, invalid := sluicetest.Inspect(x.format, x.sent)
	switch x.fault {
	case clientGoes, writeFails:
		return
	case answerIsCut:
		if _, cut := sluicetest.Inspect(x.format, sluicetest.SSE(x.format, x.payloads[:x.at])); cut != nil {
			return // not legal when it arrived
		}
	default:
	}
	if invalid != nil {
		t.Errorf("fault %d: %v, %v\n%s", x.fault, invalid, x.err, x.sent)
	}
	if x.fault != nothing {
		return
	}
	var abort *policy.AbortError
	if x.err != nil && (!errors.As(x.err, &abort) || abort.Policy != "blocks") {
		t.Errorf("%v\n%s", x.err, x.sent)
	}
	if x.err == nil && !report.Ended {
		t.Errorf("it did not end:\n%s", x.sent)
	}
	delivered := 0
	for _, r := range x.records {
		if r.Kind == llm.ToolCall && r.Delivered {
			delivered++
		}
	}
	if delivered != len(report.Calls) {
		t.Errorf("%d calls are recorded as delivered, the client has %d: %v", delivered, len(report.Calls), x.err)
	}
	if x.err != nil || len(x.host.told) > 0 {
		return
	}
	if got, want := recordedBlocks(x.records), blocksIn(x.format, sluicetest.SSE(x.format, x.payloads)); !maps.Equal(got, want) {
		t.Errorf("recorded %v, want %v", got, want)
	}
	good := 0
	for _, blocks := range x.choices {
		for _, b := range blocks {
			if b.Name == "good" {
				good++
			}
		}
	}
	if len(report.Calls) != good {
		t.Errorf("%d calls, want %d", len(report.Calls), good)
	}
}

package policy_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/sluicetest/contradict"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// However an answer contradicts itself, nothing of a forbidden call leaves: not as
// a call, not as a copy of one. Of an answer that does not contradict itself nothing
// else is lost.
//
// A failure names its seed, with which SLUICE_SEED begins the next run. It fails again
// unless its guard is the one that judges beside the stream, where the time matters.
func TestContradictionsLetNothingForbiddenOut(t *testing.T) {
	contradictions(t, 1000, 250_000, func(plan *contradict.Plan) {
		plan.Steps = slices.DeleteFunc(plan.Steps, func(s contradict.Step) bool { return unread[s.Name] })
	}, leftArguments, leftName, stopped, notWhole, recombined)
}

// The promises.
const (
	leftArguments = "forbidden arguments left"
	leftName      = "a forbidden name left"
	stopped       = "only the last look at what leaves stopped it: a writer's defect"
	notWhole      = "a good answer did not leave whole"
	recombined    = "a client reads a call that no verdict allowed"
)

// unread are the contradictions that put a call where no known client looks.
var unread = func() map[string]bool {
	names := map[string]bool{}
	for _, c := range contradict.All() {
		names[c.Name] = c.Unread
	}
	return names
}()

// contradictions lets many answers of each dialect pass guards and fails with the
// first that breaks one of the promises, made small.
func contradictions(t *testing.T, each, full uint64, change func(*contradict.Plan), promises ...string) {
	first := uint64(1)
	if os.Getenv("SLUICE_FULL") != "" {
		each = full
	}
	if s := os.Getenv("SLUICE_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("SLUICE_SEED is no number: %v", err)
		}
		first = n
	}
	g := guardsOf(t)
	for _, format := range sluicetest.Formats() {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			for seed := first; seed < first+each; seed++ {
				plan := contradict.NewPlan(format, seed)
				if change != nil {
					change(&plan)
				}
				if b := g.check(t.Context(), plan.Answer(), promises); b != nil {
					t.Fatal(g.smallest(t.Context(), plan, b))
				}
			}
		})
	}
}

// guards are sets of policies, each of which lets no forbidden call pass.
type guards []*policy.Set

func guardsOf(t testing.TB) guards {
	blocks := func(action policy.Action) policy.Definition {
		return policy.Func("guard", func(s *policy.Subject) policy.Verdict { return verdictOn(s, action) })
	}
	waits := policy.WaitFunc("guard", time.Minute, func(_ context.Context, s *policy.Subject) policy.Verdict {
		return verdictOn(s, policy.BlockEndTurn)
	})
	changes := func(action policy.Action) policy.Definition {
		return policy.Definition{Name: "guard", Policy: &policy.Policy{
			Change: func(_ context.Context, s *policy.Subject) policy.Change {
				switch {
				case contradict.MarkedName(s.Block.Name):
					return policy.Change{Action: policy.Block}
				case !isForbidden(&s.Block):
					return policy.Change{}
				case s.Block.Freeform():
					return policy.Change{Action: action, Text: "echo changed"}
				default:
					return policy.Change{Action: action, Text: `{"command":"echo changed"}`}
				}
			},
			// What cannot be changed must not pass unchanged.
			Judge: func(_ context.Context, s *policy.Subject) policy.Verdict { return verdictOn(s, policy.BlockEndTurn) },
		}}
	}
	return guards{
		set(t, blocks(policy.BlockEndTurn)), set(t, blocks(policy.BlockEndTurn)), set(t, blocks(policy.BlockFeedback)),
		set(t, changes(policy.Rewrite)), set(t, changes(policy.Redact)), set(t, waits), set(t, blocks(policy.Abort)),
	}
}

func verdictOn(s *policy.Subject, action policy.Action) policy.Verdict {
	if isForbidden(&s.Block) {
		return policy.Verdict{Action: action, Reason: "not this one"}
	}
	return policy.Verdict{Action: policy.Allow}
}

// isForbidden looks at a call as policies do: at its name and its arguments.
func isForbidden(b *llm.Block) bool {
	return contradict.MarkedName(b.Name) || contradict.Marked(b.Arguments) || contradict.Marked(b.Text) ||
		b.Kind != llm.ToolCall && contradict.Marked(string(b.Raw))
}

// brokenPromise is a promise that was not kept.
type brokenPromise struct {
	promise string
	reason  error
	out     []byte
	err     error
}

// check lets an answer pass a guard and says which of the promises was broken, nil if
// none was.
func (g guards) check(ctx context.Context, a contradict.Answer, promises []string) *brokenPromise {
	r := rand.New(rand.NewPCG(a.Plan.Seed, 4))
	guard := g[r.IntN(len(g))]
	format := wire.Format(a.Plan.Dialect)
	var allowed []readPair
	e := policy.NewEngine(guard, nil, policy.Options{Format: format, Whole: a.Plan.Whole, Record: func(r *policy.Record) {
		if r.Verdict.Action.Passes() {
			allowed = append(allowed, readPair{r.Name, r.In}, readPair{r.Name, r.Out})
		}
	}})
	options := e.WriterOptions()
	ids := 0
	options.NewID = func() string { ids++; return "new" + strconv.Itoa(ids) }
	var sent []byte
	out := stream.NewOutput(watchedWriter{Writer: format.NewWriter(options)}, func(p []byte) error { sent = append(sent, p...); return nil })
	err := e.Run(ctx, sourceOf(&a, r), out, policy.RunOptions{})
	for _, promise := range promises {
		kept, reason := keeps(promise, &a, sent, err, guard == g[len(g)-1])
		if promise == recombined {
			reason = allOf(readEveryWay(&a, sent), allowed, err != nil)
			kept = reason == nil
		}
		if !kept {
			return &brokenPromise{promise: promise, reason: reason, out: sent, err: err}
		}
	}
	return nil
}

// watchedWriter has all that leaves read once more, and not only what was edited.
type watchedWriter struct{ stream.Writer }

func (watchedWriter) Edited() bool { return true }

// sourceOf delivers an answer in one of the ways in which it can arrive.
func sourceOf(a *contradict.Answer, r *rand.Rand) policy.Source {
	if a.Plan.Whole {
		return &eventList{events: a.Events}
	}
	switch r.IntN(4) {
	case 0:
		return source{Reader: sse.NewReader(sluicetest.Chopped(a.SSE(), r), sse.Options{})}
	case 1:
		return source{Reader: sse.NewReader(bytes.NewReader(a.SSE()), sse.Options{})}
	case 2:
		return &eventList{events: a.Events}
	default:
		return &eventsAhead{eventList: eventList{events: a.Events}, Rand: r}
	}
}

// eventList gives one event after the other.
type eventList struct {
	events []contradict.Event
	buffer []byte
}

func (l *eventList) Next() (string, []byte, error) {
	if len(l.events) == 0 {
		return "", nil, io.EOF
	}
	ev := l.events[0]
	l.events = l.events[1:]
	l.buffer = append(l.buffer[:0], ev.Payload...) // what was borrowed before is gone
	return ev.Name, l.buffer, nil
}

// eventsAhead has some of the next events at hand.
type eventsAhead struct {
	eventList

	*rand.Rand
}

func (l *eventsAhead) Buffered() (string, []byte, bool) {
	if len(l.events) == 0 || l.IntN(3) == 0 {
		return "", nil, false
	}
	name, payload, _ := l.Next()
	return name, payload, true
}

// smallest removes what a failure does not need and returns the rest.
func (g guards) smallest(ctx context.Context, plan contradict.Plan, b *brokenPromise) string {
	fails := func(a contradict.Answer) bool {
		now := g.check(ctx, a, []string{b.promise})
		if now != nil {
			b = now
		}
		return now != nil
	}
	for again := true; again; {
		again = false
		for i := range plan.Steps {
			less := plan
			less.Steps = slices.Delete(slices.Clone(plan.Steps), i, i+1)
			if fails(less.Answer()) {
				plan, again = less, true
				break
			}
		}
		for i := range plan.Blocks {
			less := plan
			less.Blocks = slices.Delete(slices.Clone(plan.Blocks), i, i+1)
			if len(less.Blocks) > 0 && fails(less.Answer()) {
				plan, again = less, true
				break
			}
		}
	}
	a := plan.Answer()
	// Without some of its events an answer contradicts itself in another way. No
	// answer may let something out, but only a legal one must leave legally.
	leaks := b.promise == leftArguments || b.promise == leftName
	for i := len(a.Events) - 1; i >= 0 && leaks; i-- {
		less := a
		less.Events = slices.Delete(slices.Clone(a.Events), i, i+1)
		if fails(less) {
			a = less
		}
	}
	fails(a)
	return fmt.Sprintf("%s: %v\nagain with SLUICE_SEED=%d\n\n%s\nended with: %v\nwhat left:\n%s",
		b.promise, b.reason, plan.Seed, a.String(), b.err, b.out)
}

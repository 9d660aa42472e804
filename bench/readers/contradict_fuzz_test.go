package readers

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/sluicetest/contradict"
	"github.com/sluice-project/sluice/wire"
)

// streams is how many answers each reader gets: SLUICE_STREAMS, or a sample.
func streams(t *testing.T) int {
	given := os.Getenv("SLUICE_STREAMS")
	if given == "" {
		return 200
	}
	n, err := strconv.Atoi(given)
	if err != nil || n < 1 {
		t.Fatalf("SLUICE_STREAMS is no number of streams: %q", given)
	}
	return n
}

// guarded is an answer that contradicts itself, before and after a guard that
// blocks every forbidden call.
type guarded struct {
	answer contradict.Answer
	came   Answer
	left   Answer
	failed bool
}

// However an answer contradicts itself, no client reads a forbidden call in what is
// left of it. Of an answer that does not, every client gets all that it would have
// got without Sluice, apart from that.
func TestSDKNoClientReadsAForbiddenCall(t *testing.T) {
	guard, err := policy.NewSet(policy.Func("guard", func(s *policy.Subject) policy.Verdict {
		b := &s.Block
		if contradict.MarkedName(b.Name) || contradict.Marked(b.Arguments) || contradict.Marked(b.Text) || contradict.Marked(string(b.Raw)) {
			return policy.Verdict{Action: policy.BlockEndTurn, Reason: "not this one"}
		}
		return policy.Verdict{Action: policy.Allow}
	}))
	if err != nil {
		t.Fatal(err)
	}
	first := uint64(1)
	if s := os.Getenv("SLUICE_SEED"); s != "" {
		if first, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatalf("SLUICE_SEED is no number: %v", err)
		}
	}
	total := streams(t)
	eachReader(t, func(t *testing.T, r Reader) {
		dialects := r.Dialects()
		const batch = 100
		whole := 0
		for from := 0; from < total; from += batch {
			var answers []guarded
			for i := from; i < min(from+batch, total); i++ {
				answers = append(answers, guardedAnswer(t.Context(), guard, dialects[i%len(dialects)], first+uint64(i)))
			}
			whole += readAll(t, r, answers)
			if t.Failed() {
				return
			}
		}
		t.Logf("%d streams, %d of them well formed", total, whole)
	})
}

// guardedAnswer makes an answer and lets it pass the guard.
func guardedAnswer(ctx context.Context, guard *policy.Set, dialect wire.Format, seed uint64) guarded {
	a := contradict.New(string(dialect), seed)
	g := guarded{answer: a}
	n := sluicetest.Enforcement{Set: guard}
	var d sluicetest.Delivered
	if a.Plan.Whole {
		d = n.Body(ctx, string(dialect), a.Body())
		g.came.Body = a.Body()
	} else {
		d = n.Stream(ctx, string(dialect), strings.NewReader(string(a.SSE())))
		g.came.Body = a.SSE()
	}
	g.came.Dialect, g.came.Stream = dialect, !a.Plan.Whole
	g.left = Answer{Dialect: dialect, Stream: !a.Plan.Whole, Body: d.Bytes}
	g.failed = d.Err != nil
	return g
}

// readAll lets a reader read what left, and of well-formed answers what came. It
// returns how many of those there were.
func readAll(t *testing.T, r Reader, answers []guarded) int {
	t.Helper()
	var texts []Answer
	for i := range answers {
		texts = append(texts, answers[i].left)
	}
	for i := range answers {
		if answers[i].answer.WellFormed {
			texts = append(texts, answers[i].came)
		}
	}
	readings, err := r.Read(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	next := len(answers)
	for i := range answers {
		g := &answers[i]
		for _, c := range readings[i].Calls {
			if contradict.MarkedName(c.Name) || contradict.Marked(c.Arguments) {
				t.Errorf("%s reads a forbidden call (%s): %s %s\n%s\nwhat left:\n%s", r.Name(), c.Via, c.Name, c.Arguments, g.answer.String(), g.left.Body)
			}
		}
		if !g.answer.WellFormed {
			continue
		}
		if g.failed {
			t.Errorf("a good answer failed:\n%s\nwhat left:\n%s", g.answer.String(), g.left.Body)
		}
		for _, c := range g.answer.Calls {
			if !c.Forbidden && has(readings[next], c.Token) && !has(readings[i], c.Token) {
				t.Errorf("%s does not find %s any more:\n%s\nwhat left:\n%s", r.Name(), c.Token, g.answer.String(), g.left.Body)
			}
		}
		next++
	}
	return next - len(answers)
}

// has reports whether a call with a token was read.
func has(r Reading, token string) bool {
	for _, c := range r.Calls {
		if strings.Contains(c.Arguments, token) {
			return true
		}
	}
	return false
}

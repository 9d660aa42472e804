package policy_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// kept is what a policy has retained of a run: subjects, and copies of what
// they contained at that time.
type kept struct {
	mu       sync.Mutex
	subjects []*policy.Subject
	said     []string
	before   [][]llm.Block
}

func (k *kept) keep(s *policy.Subject) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.subjects, k.said, k.before = append(k.subjects, s), append(k.said, tell(s)), append(k.before, s.Before())
}

// tell copies the contents of a subject.
func tell(s *policy.Subject) string {
	args, err := s.Arguments()
	return fmt.Sprintf("%+v %d %d %s %v %v", s.Block, s.Choice, s.Position, s.Digest(), args, err)
}

// unchanged reports what has changed since.
func (k *kept) unchanged(t *testing.T) {
	t.Helper()
	for i, s := range k.subjects {
		if now := tell(s); now != k.said[i] {
			t.Errorf("a subject that was kept has changed:\n%s\nit was\n%s", now, k.said[i])
		}
		// It is too late to ask. The answer may be nothing, but nobody else's.
		for j, b := range s.Before() {
			if was := &k.before[i][j]; b.Kind != was.Kind || b.ID != was.ID || !strings.HasPrefix(b.Text+b.Arguments, was.Text+was.Arguments) {
				t.Errorf("a subject leads to another block after its run: %+v, want %+v", b, was)
			}
		}
	}
}

// answers are recorded answers, and what can become of them on the way: cut,
// garbled, repeated.
func answers(t testing.TB, rnd *rand.Rand) []recorded {
	all := corpus(t)
	for _, r := range all {
		n := len(r.payloads)
		if n < 3 {
			continue
		}
		at := 1 + rnd.IntN(n-1)
		cut, garbled, repeated := r, r, r
		cut.name, cut.payloads = r.name+" cut", r.payloads[:at]
		garbled.name = r.name + " garbled"
		garbled.payloads = slices.Insert(slices.Clone(r.payloads), at, r.payloads[at][:rnd.IntN(len(r.payloads[at]))])
		repeated.name, repeated.payloads = r.name+" repeated", slices.Insert(slices.Clone(r.payloads), at, r.payloads[at])
		all = append(all, cut, garbled, repeated)
	}
	return all
}

func events(payloads []string) *bytes.Reader {
	var b bytes.Buffer
	for _, p := range payloads {
		fmt.Fprintf(&b, "data: %s\n\n", p)
	}
	return bytes.NewReader(b.Bytes())
}

// ids are random where the writer gives them.
var ids = regexp.MustCompile(`[A-Z2-7]{26}`)

// outcome is what is compared of two runs.
func outcome(d *sluicetest.Delivered) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%v\n", ids.ReplaceAll(d.Bytes, []byte("ID")), d.Err)
	for _, r := range d.Records {
		r.Held, r.Latency = 0, 0
		r.Verdict.Latency = 0
		r.Verdicts = slices.Clone(r.Verdicts)
		for i := range r.Verdicts {
			r.Verdicts[i].Latency = 0
		}
		fmt.Fprintf(&b, "%+v\n", r)
	}
	return b.String()
}

// What one answer leaves behind must not be seen in another, whatever both are:
// a run gives the same after any others as it gives as the first.
func TestARunIsTheSameAfterAnyOther(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	all := answers(t, rnd)
	keeper := new(kept)
	settings := []lottery{{seed: 1}, {seed: 2, content: true}, {seed: 3, rewrite: true, texts: true}, {seed: 4, waits: true}}
	runs := make([]sluicetest.Enforcement, 0, len(settings)+1)
	for _, l := range settings {
		runs = append(runs, sluicetest.Enforcement{Set: l.set(t)})
	}
	// One whose policy keeps what it may keep.
	runs = append(runs, sluicetest.Enforcement{Set: set(t, policy.Definition{
		Name: "keeper", Applies: policy.KindsOf(llm.ToolCall, llm.Content),
		New: func(*policy.Exchange) policy.Policy {
			return policy.Policy{Judge: func(_ context.Context, s *policy.Subject) policy.Verdict {
				keeper.keep(s)
				return policy.Verdict{Action: settings[0].action(s.Block.Kind, s.Block.Name, s.Text()), Reason: "drawn"}
			}}
		},
	})})
	run := func(alone bool, which, answer int) (sluicetest.Delivered, string) {
		n := runs[which]
		if n.Run.Keepalive = 0; alone {
			n.Run.Keepalive = -1 // nothing runs concurrently, so that it can return its workspace
		}
		d := n.Stream(t.Context(), all[answer].format, events(all[answer].payloads))
		told := outcome(&d)
		return d, told
	}

	// With a clock beside them runs give nothing back: each of these is a first.
	runtime.GC()
	runtime.GC() // what others gave back is gone
	want := make([][]string, len(runs))
	for i := range runs {
		for j := range all {
			_, told := run(false, i, j)
			want[i] = append(want[i], told)
		}
	}
	rounds := 2 * len(all)
	if testing.Short() {
		rounds = len(all) / 4
	}
	var delivered []sluicetest.Delivered
	var was []string
	for round := range rounds {
		i, j := rnd.IntN(len(runs)), rnd.IntN(len(all))
		d, told := run(true, i, j)
		late := i < len(settings) && settings[i].waits && d.Err != nil // whether verdicts come before the failure is a matter of luck
		if told != want[i][j] && !late {
			t.Fatalf("%s is not as it was alone, under policies %d:\n%s\nwant\n%s", all[j].name, i, told, want[i][j])
		}
		if round < 64 { // they are looked at again when all others have run
			delivered, was = append(delivered, d), append(was, told)
		}
	}
	for i := range delivered {
		if told := outcome(&delivered[i]); told != was[i] {
			t.Errorf("the records of a run have changed:\n%s\nthey were\n%s", told, was[i])
		}
	}
	keeper.unchanged(t)
}

// Runs at the same time must not meet either.
func TestRunsAtTheSameTimeDoNotMeet(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	all := answers(t, rnd)
	l := lottery{seed: 9}
	n := sluicetest.Enforcement{Set: l.set(t), Run: policy.RunOptions{Keepalive: -1}}
	want := make([]string, len(all))
	for i := range all {
		d := n.Stream(t.Context(), all[i].format, events(all[i].payloads))
		want[i] = outcome(&d)
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(worker), 1))
			for range len(all) / 4 {
				i := rnd.IntN(len(all))
				d := n.Stream(t.Context(), all[i].format, events(all[i].payloads))
				if told := outcome(&d); told != want[i] {
					t.Errorf("%s is not as it was alone:\n%s\nwant\n%s", all[i].name, told, want[i])
				}
			}
		})
	}
	group.Wait()
}

package evasion_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/evasion"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// wanted returns the cases of the files that SLUICE_EVASION names.
func wanted(cases []evasion.Case) []evasion.Case {
	names := os.Getenv("SLUICE_EVASION")
	if names == "" || names == "1" {
		return cases
	}
	return slices.DeleteFunc(cases, func(c evasion.Case) bool {
		name, _, _ := strings.Cut(c.Name, ":")
		return !slices.Contains(strings.Split(names, ","), name)
	})
}

// long says that every case is tried in all shapes, dialects and chunkings.
func long() bool { return os.Getenv("SLUICE_LONG") != "" }

// brief says that each case is judged in one form. Whether there is a race does not depend
// on the form, so the race detector sees that, too; `make test-all` judges the rest
// without it.
func brief() bool { return !long() && (testing.Short() || looksForRaces) }

func hostile(t *testing.T) []evasion.Case  { return must(t)(evasion.Hostile()) }
func harmless(t *testing.T) []evasion.Case { return must(t)(evasion.Harmless()) }

func must(t *testing.T) func([]evasion.Case, error) []evasion.Case {
	t.Helper()
	return func(cases []evasion.Case, err error) []evasion.Case {
		if err != nil {
			t.Fatal(err)
		}
		return cases
	}
}

func recommended(t *testing.T) *policy.Set {
	t.Helper()
	// Notices would say in part what a call would have done, and nothing of it may leave.
	loaded, err := file.Load(file.Options{ShortNotices: true}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Set
}

// dialects are the formats in which the suites are tried.
var dialects = []wire.Format{wire.OpenAIChat, wire.Anthropic, wire.OpenAIResponses}

// exchange returns what is known when the case is judged. A place that is not
// known is only tried for cases that do not name one.
func exchange(t *testing.T, c *evasion.Case, format wire.Format, known bool) *policy.Exchange {
	t.Helper()
	r, err := c.Request(format)
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	x := &policy.Exchange{Request: r, Session: policy.Session{Cwd: c.Cwd, Home: c.Home}}
	if known {
		if x.Session.Cwd == "" {
			x.Session.Cwd = "/home/alice/project"
		}
		if x.Session.Home == "" {
			x.Session.Home = "/home/alice"
		}
	}
	return x
}

// decided is how one form of a case was judged.
type decided struct {
	shape   string
	known   bool
	blocked bool
	said    string // the verdict in words
}

// decide judges all forms of a case, in a known and in an unknown place; in brief one
// form, in one of the places.
func decide(t *testing.T, set *policy.Set, n int, c *evasion.Case) []decided {
	t.Helper()
	var all []decided
	for _, known := range []bool{true, false} {
		if !known && c.Cwd+c.Home != "" {
			continue
		}
		forms := c.Forms()
		if brief() {
			if c.Cwd+c.Home == "" && known != (n%2 == 0) {
				continue
			}
			forms = forms[n%len(forms):][:1]
		}
		x := exchange(t, c, dialects[n%len(dialects)], known)
		for _, form := range forms {
			all = append(all, decideForm(t, set, x, form, known))
		}
		if form := respelled(forms[n%len(forms)]); form != nil && !brief() { // the same JSON, its letters hidden
			all = append(all, decideForm(t, set, x, form, known))
		}
	}
	return all
}

// respelled is a form whose arguments are in escapes, nil if they are not JSON.
func respelled(form []llm.Block) []llm.Block {
	form = slices.Clone(form)
	changed := false
	for i := range form {
		if b := &form[i]; !b.Freeform() {
			before := b.Arguments
			b.Arguments = escaped(before)
			changed = changed || b.Arguments != before
		}
	}
	if !changed {
		return nil
	}
	return form
}

func decideForm(t *testing.T, set *policy.Set, x *policy.Exchange, form []llm.Block, known bool) decided {
	t.Helper()
	last := form[len(form)-1]
	d := decided{shape: shapeOf(&last), known: known}
	if len(form) == 1 {
		r := set.Decide(t.Context(), x, last, policy.Options{})
		d.blocked = r.Verdict.Action.Blocks() && !r.Delivered
		d.said = verdict(&r)
		return d
	}
	// Earlier blocks of the same message are known only to the engine.
	body := sluicetest.BuildBody(sluicetest.OpenAIResponses, [][]llm.Block{typed(wire.OpenAIResponses, form)}, sluicetest.BuildOptions{})
	got := sluicetest.Enforcement{Set: set, Exchange: x}.Body(t.Context(), sluicetest.OpenAIResponses, []byte(body))
	d.blocked = !executes(&got, &last)
	d.said = "answer"
	for i := range got.Records {
		if i < len(form) {
			d.said += " " + verdict(&got.Records[i])
		}
	}
	return d
}

func verdict(r *policy.Record) string {
	said := r.Verdict.Action.String()
	if r.Verdict.Policy != "" {
		said += " by " + r.Verdict.Policy
	}
	if r.Verdict.Cause != "" {
		said += " (" + string(r.Verdict.Cause) + ")"
	}
	return said
}

// executes reports whether a client would execute the call.
func executes(d *sluicetest.Delivered, b *llm.Block) bool {
	return slices.ContainsFunc(d.Report.Calls, func(c sluicetest.Call) bool {
		return c.ID == b.ID || c.ID == "" && c.Arguments == b.Arguments // the old field has no id
	})
}

func shapeOf(b *llm.Block) string {
	if b.Name == "" {
		return b.Type
	}
	return b.Name
}

// wrong returns the forms that were not judged as they should be, in few words.
func wrong(all []decided, block bool) string {
	var shapes, said []string
	count, nowhere := 0, 0
	for _, d := range all {
		if d.blocked == block {
			continue
		}
		count++
		if !d.known {
			nowhere++
		}
		if !slices.Contains(shapes, d.shape) {
			shapes = append(shapes, d.shape)
		}
		if !slices.Contains(said, d.said) {
			said = append(said, d.said)
		}
	}
	switch {
	case count == 0:
		return ""
	case count == len(all):
		return "all: " + strings.Join(said, ", ")
	}
	where := ""
	if nowhere == count {
		where = " in an unknown place"
	}
	return fmt.Sprintf("%s%s: %s", strings.Join(shapes, " "), where, strings.Join(said, ", "))
}

func TestTheSuitesAreLargeAndRepeatNothing(t *testing.T) {
	t.Parallel()
	seen := map[string]string{} // in both: what is hostile is not harmless
	for name, cases := range map[string][]evasion.Case{"hostile": hostile(t), "harmless": harmless(t)} {
		for _, c := range cases {
			if first := seen[c.Text]; first != "" {
				t.Errorf("%s/%s repeats %s: %s", name, c.Name, first, c.Text)
			}
			seen[c.Text] = name + "/" + c.Name
		}
		if t.Logf("%s: %d cases", name, len(cases)); len(cases) < 500 {
			t.Errorf("%s: only %d cases, want 500", name, len(cases))
		}
	}
}

func TestHostileCallsAreBlocked(t *testing.T) {
	t.Parallel()
	set := recommended(t)
	cases := wanted(hostile(t))
	type count struct{ cases, missed int }
	by := map[string]*count{}
	var missed []string
	for n := range cases {
		c := &cases[n]
		how := wrong(decide(t, set, n, c), true)
		for _, danger := range c.Dangers {
			if by[danger] == nil {
				by[danger] = &count{}
			}
			by[danger].cases++
			if how != "" {
				by[danger].missed++
			}
		}
		if how != "" {
			missed = append(missed, fmt.Sprintf("%-16s %-12s [%s] %s", c.Name, strings.Join(c.Dangers, ","), how, describe(c)))
		}
	}
	var table strings.Builder
	for _, danger := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(&table, "\n%-14s %4d cases %4d missed", danger, by[danger].cases, by[danger].missed)
	}
	t.Logf("%d hostile cases, %d missed%s", len(cases), len(missed), table.String())
	if len(missed) > 0 {
		t.Errorf("%d hostile cases pass:\n%s", len(missed), strings.Join(missed, "\n"))
	}
}

func TestHarmlessCallsPass(t *testing.T) {
	t.Parallel()
	set := recommended(t)
	cases := wanted(harmless(t))
	var blocked []string
	for n := range cases {
		c := &cases[n]
		if how := wrong(decide(t, set, n, c), false); how != "" {
			blocked = append(blocked, fmt.Sprintf("%-16s [%s] %s", c.Name, how, describe(c)))
		}
	}
	t.Logf("%d harmless cases, %d blocked (%.2f %%)\n%s", len(cases), len(blocked), 100*float64(len(blocked))/float64(max(1, len(cases))), strings.Join(blocked, "\n"))
	if len(blocked)*100 > len(cases) {
		t.Errorf("more than 1 %% of the harmless cases are blocked")
	}
}

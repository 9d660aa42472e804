package policy_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
)

// named returns a policy that allows everything: a name, then ~ for another
// version, then ? for shadow.
func named(t *testing.T, words ...string) *policy.Set {
	t.Helper()
	var list []policy.Definition
	for _, word := range words {
		d := policy.Func(strings.TrimRight(word, "~?"), func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} })
		if strings.Contains(word, "~") {
			d.Version = "2"
		}
		if strings.HasSuffix(word, "?") {
			d.Mode = policy.Shadow
		}
		list = append(list, d)
	}
	set, err := policy.NewSet(list...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestWhatMakesASetWeaker(t *testing.T) {
	for _, tc := range []struct{ before, now, want string }{
		{"a b", "a b", ""},
		{"a b", "a x b y", ""},
		{"a? b", "a b", ""},
		{"", "a", ""},
		{"a b", "b", "a was removed"},
		{"a b", "", "a was removed, b was removed"},
		{"a b", "a b~", "b has changed"},
		{"a b", "a? b", "a only observes now"},
		{"a? b", "b", "a was removed"},
		{"a b c", "a c b", "c comes earlier than it did"},
		{"a b", "x b", "a was removed"},
		{"a b", "a~? x", "a has changed, b was removed"},
	} {
		got := strings.Join(named(t, strings.Fields(tc.now)...).Weaker(named(t, strings.Fields(tc.before)...)), ", ")
		if got != tc.want {
			t.Errorf("from %q to %q: %q, want %q", tc.before, tc.now, got, tc.want)
		}
	}
}

// A policy of which only the wording has changed decides the same.
func TestAnotherWordingIsNotWeaker(t *testing.T) {
	of := func(version, decides string) *policy.Set {
		d := policy.Func("a", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} })
		d.Version, d.Decides = version, decides
		set, err := policy.NewSet(d)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	if got := of("2", "x").Weaker(of("1", "x")); len(got) > 0 {
		t.Errorf("another wording: %q", got)
	}
	if got := of("2", "y").Weaker(of("1", "x")); len(got) != 1 {
		t.Errorf("another condition: %q", got)
	}
}

// Whatever is added in whatever places, nothing is weaker; whatever one thing is
// taken away or changed then, something is.
func TestOnlyAddedPoliciesAreNotWeaker(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		before := []string{"a", "b", "c?", "d"}[:1+random.IntN(4)]
		now := slices.Clone(before)
		for i := range random.IntN(4) {
			now = slices.Insert(now, random.IntN(len(now)+1), "new"+string(rune('0'+i)))
		}
		if got := named(t, now...).Weaker(named(t, before...)); len(got) != 0 {
			t.Fatalf("from %v to %v: %v", before, now, got)
		}
		i := slices.Index(now, before[random.IntN(len(before))])
		if random.IntN(2) == 0 {
			now = slices.Delete(now, i, i+1)
		} else {
			now[i] = strings.TrimSuffix(now[i], "?") + "~"
		}
		if got := named(t, now...).Weaker(named(t, before...)); len(got) != 1 {
			t.Fatalf("from %v to %v: %v", before, now, got)
		}
	}
}

package policy_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// A policy that says in place that it has nothing to say about a block is not
// called; one that cannot say so is.
func TestAPolicyWithNothingToSayIsNotCalled(t *testing.T) {
	for _, tc := range []struct {
		name  string
		asks  func(*policy.Subject) bool
		waits bool
		want  bool
	}{
		{"it may have something to say", nil, false, true},
		{"it has", func(*policy.Subject) bool { return true }, false, true},
		{"it has nothing", func(*policy.Subject) bool { return false }, false, false},
		{"it panics", func(*policy.Subject) bool { panic("x") }, false, true},
		{"it takes its time and has nothing", func(*policy.Subject) bool { return false }, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			called := false
			s := set(t, policy.Definition{Name: "p", Waits: tc.waits, Policy: &policy.Policy{
				Asks: tc.asks,
				Judge: func(context.Context, *policy.Subject) policy.Verdict {
					called = true
					return policy.Verdict{Action: policy.Block, Reason: "no"}
				},
			}})
			b := call("Bash", `{"command":"ls"}`)
			b.Status = llm.Complete
			if r := s.Decide(t.Context(), nil, b, policy.Options{}); called != tc.want || r.Delivered == tc.want {
				t.Errorf("called: %v, delivered: %v", called, r.Delivered)
			}
		})
	}
}

// A gate is asked once for all of its policies. Policies that it is not asked
// about, or cannot rule out, are evaluated.
func TestAGateTellsOfManyPolicies(t *testing.T) {
	asked := 0
	gate := func(open uint64) *policy.Gate {
		return &policy.Gate{Open: func(*policy.Subject) uint64 { asked++; return open }}
	}
	one, none := gate(1<<1|1<<63), gate(0)
	panics := &policy.Gate{Open: func(*policy.Subject) uint64 { asked++; panic("x") }}
	type at struct {
		gate   *policy.Gate
		number int
	}
	for _, tc := range []struct {
		name  string
		parts []at
		want  string
	}{
		{"one gate", []at{{gate: one, number: 0}, {gate: one, number: 1}, {gate: one, number: 2}, {gate: one, number: 63}}, "13"},
		{"no gate", []at{{gate: nil, number: 0}, {gate: none, number: 0}}, "0"},
		{"numbers that a gate does not have", []at{{gate: none, number: 63}, {gate: none, number: 64}, {gate: none, number: 65}}, "12"},
		{"another gate", []at{{gate: one, number: 0}, {gate: none, number: 0}, {gate: one, number: 2}}, "1"},
		{"a gate that panics", []at{{gate: panics, number: 0}, {gate: panics, number: 1}}, "01"},
	} {
		asked = 0
		called := ""
		var list []policy.Definition
		for i, p := range tc.parts {
			list = append(list, policy.Definition{Name: strconv.Itoa(i), Policy: &policy.Policy{
				Gate: p.gate, Number: p.number,
				Judge: func(context.Context, *policy.Subject) policy.Verdict {
					called += strconv.Itoa(i)
					return policy.Verdict{Action: policy.Allow}
				},
			}})
		}
		b := call("Bash", `{"command":"ls"}`)
		b.Status = llm.Complete
		set(t, list...).Decide(t.Context(), nil, b, policy.Options{})
		if called != tc.want || asked != 1 {
			t.Errorf("%s: %q were called, want %q; gates were asked %d times", tc.name, called, tc.want, asked)
		}
	}
}

// What the engine has checked need not be checked again; what a policy changed
// must be.
func TestArgumentsAreCheckedOnce(t *testing.T) {
	seen := map[string]bool{}
	judge := policy.Func("sees", func(s *policy.Subject) policy.Verdict {
		seen[s.Block.Arguments] = s.Readable()
		return policy.Verdict{Action: policy.Allow}
	})
	change := policy.Definition{Name: "changes", Policy: &policy.Policy{Change: func(_ context.Context, s *policy.Subject) policy.Change {
		return policy.Change{Action: policy.Rewrite, Text: s.Block.Arguments + " "}
	}}}
	for _, s := range []*policy.Set{set(t, judge), set(t, change, judge)} {
		b := call("Bash", `{"command":"ls"}`)
		b.Status = llm.Complete
		s.Decide(t.Context(), nil, b, policy.Options{})
	}
	patch := llm.Block{Kind: llm.ToolCall, Type: "custom_tool_call", ID: "c", Name: "apply_patch", Arguments: `*** Begin Patch`, Status: llm.Complete}
	set(t, judge).Decide(t.Context(), nil, patch, policy.Options{})
	if len(seen) != 3 || !seen[`{"command":"ls"}`] || seen[`{"command":"ls"} `] || seen[`*** Begin Patch`] {
		t.Errorf("got %v", seen)
	}
	if policy.NewSubject(nil, call("Bash", `{}`)).Readable() {
		t.Error("a call that nobody checked is readable")
	}
}

package policy_test

import (
	"context"
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

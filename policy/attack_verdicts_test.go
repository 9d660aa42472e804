package policy_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// allTogether returns a policy that is given all calls of a message and decides
// about each by itself.
func allTogether(name string, decide func(s *policy.Subject) policy.Action) policy.Definition {
	return policy.Definition{Name: name, New: func(*policy.Exchange) policy.Policy {
		return policy.Policy{JudgeAll: func(_ context.Context, calls []*policy.Subject) []policy.Verdict {
			verdicts := make([]policy.Verdict, len(calls))
			for i, c := range calls {
				verdicts[i] = policy.Verdict{Action: decide(c), Reason: name}
			}
			return verdicts
		}}
	}}
}

// always decides the same about every call.
func always(a policy.Action) func(*policy.Subject) policy.Action {
	return func(*policy.Subject) policy.Action { return a }
}

// A person's approval for one policy does not override the verdicts of the
// others, in whatever order they come.
func TestAnApprovalCountsForItsOwnQuestionOnly(t *testing.T) {
	ask := policy.Func("ask", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Ask} })
	asks, asksToo := allTogether("one", always(policy.Ask)), allTogether("two", always(policy.Ask))
	blocks, allowed := allTogether("blocks", always(policy.Block)), allTogether("allows", always(policy.Allow))
	slowly := func(d policy.Definition) policy.Definition {
		d.Waits = true
		return d
	}
	for _, tc := range []struct {
		name   string
		defs   []policy.Definition
		denied string // the policy whose question is denied, after all others were answered
		passes bool
	}{
		{"nobody else objects", []policy.Definition{asks, allowed}, "", true},
		{"two are approved", []policy.Definition{asks, asksToo}, "", true},
		{"one of two is denied", []policy.Definition{asks, asksToo}, "two", false},
		{"the other of two is denied", []policy.Definition{asks, asksToo}, "one", false},
		{"another blocks after it", []policy.Definition{asks, blocks}, "", false},
		{"another blocks before it", []policy.Definition{blocks, asks}, "", false},
		{"another blocks, slowly", []policy.Definition{asks, slowly(blocks)}, "", false},
		{"it was asked slowly, another blocks", []policy.Definition{slowly(asks), blocks}, "", false},
		{"asked about one call, blocked among all", []policy.Definition{ask, blocks}, "", false},
		{"asked about one call and among all", []policy.Definition{ask, asks}, "one", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := sluicetest.Enforcement{Set: set(t, tc.defs...), Options: policy.Options{
					Approver: approver(func(_ context.Context, a policy.Approval) (policy.Decision, error) {
						if a.Policy == tc.denied {
							synctest.Wait() // until everybody else has spoken
						}
						return policy.Decision{Approved: a.Policy != tc.denied}, nil
					}),
				}}
				for _, format := range sluicetest.Formats() {
					events := sluicetest.SSE(format, sluicetest.Build(format, [][]llm.Block{{call("deploy", `{"secret":"X9ZZY"}`)}}, sluicetest.BuildOptions{}))
					d := n.Stream(t.Context(), format, bytes.NewReader(events))
					if d.Err != nil || d.Invalid != nil || len(d.Report.Calls) == 1 != tc.passes || leaks(d) != tc.passes {
						t.Errorf("%s: %v, %v, %+v\n%s", format, d.Err, d.Invalid, d.Report, d.Bytes)
					}
					if len(d.Records) != 1 || d.Records[0].Delivered != tc.passes || d.Records[0].Verdict.Action.Passes() != tc.passes {
						t.Errorf("%s: recorded %+v", format, d.Records)
					}
				}
			})
		})
	}
}

// A finish does not bypass policies that judge a message as a whole: they also
// get what comes after it.
func TestCallsAfterAFinishAreJudgedTogether(t *testing.T) {
	const bad = `{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"bad","arguments":"{\"s\":\"X9ZZY\"}"}}]}}`
	def := allTogether("all", func(s *policy.Subject) policy.Action {
		if s.Block.Name == "bad" {
			return policy.Block
		}
		return policy.Allow
	})
	for name, first := range map[string]string{
		"after a text": `{"index":0,"delta":{"role":"assistant","content":"hi"}}`,
		"after a call": `{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"g","type":"function","function":{"name":"good","arguments":"{}"}}]}}`,
	} {
		for _, waits := range []bool{false, true} {
			def.Waits = waits
			if d := judged(t, sluicetest.OpenAIChat, chatOf(first, chatCallsEnd, bad, chatCallsEnd), def); leaks(d) {
				t.Errorf("%s, waits %v: an unjudged call left: %v\n%s", name, waits, d.Err, d.Bytes)
			}
		}
	}
}

// An abort ends the answer whichever policy decides it, and nothing of the
// message leaves.
func TestAnAbortOfThoseWhoJudgeTogetherEndsTheAnswer(t *testing.T) {
	for _, waits := range []bool{false, true} {
		def := allTogether("all", func(s *policy.Subject) policy.Action {
			if s.Block.Name == "bad" {
				return policy.Abort
			}
			return policy.Allow
		})
		def.Waits = waits
		blocks := []llm.Block{call("good", `{"secret":"X9ZZY"}`), call("bad", `{"secret":"X9ZZY"}`), call("fine", `{"secret":"X9ZZY"}`)}
		sluicetest.Enforcement{Set: set(t, def)}.EachForm(context.Background(), blocks, func(name, _ string, d sluicetest.Delivered) {
			var abort *policy.AbortError
			if !errors.As(d.Err, &abort) || abort.Policy != "all" || leaks(d) || d.Report.Ended || len(d.Records) != len(blocks) {
				t.Errorf("waits %v, %s: %v, %d records\n%s", waits, name, d.Err, len(d.Records), d.Bytes)
			}
			for _, r := range d.Records {
				if r.Delivered {
					t.Errorf("waits %v, %s: recorded as delivered: %+v", waits, name, r)
				}
			}
		})
	}
}

// Allowed calls leave early where a policy promised never to end a turn. One
// that breaks its promise ends the answer: there is no place for a notice.
func TestAPolicyThatBreaksItsPromiseEndsTheAnswer(t *testing.T) {
	def := policy.Func("promise", func(s *policy.Subject) policy.Verdict {
		if s.Block.Name == "bad" {
			return policy.Verdict{Action: policy.BlockEndTurn}
		}
		return policy.Verdict{Action: policy.Allow}
	})
	def.Feedback = true
	n := sluicetest.Enforcement{Set: set(t, def), Options: policy.Options{Feedback: true}, Run: policy.RunOptions{Feedback: &again{format: sluicetest.Anthropic}}}
	events := sluicetest.SSE(sluicetest.Anthropic, sluicetest.Build(sluicetest.Anthropic,
		[][]llm.Block{{call("good", `{}`), call("bad", `{"secret":"X9ZZY"}`)}}, sluicetest.BuildOptions{}))
	d := n.Stream(context.Background(), sluicetest.Anthropic, bytes.NewReader(events))
	var abort *policy.AbortError
	if !errors.As(d.Err, &abort) || d.Invalid != nil || !d.Report.Failed || leaks(d) {
		t.Errorf("%v, %v, %+v\n%s", d.Err, d.Invalid, d.Report, d.Bytes)
	}
	for _, r := range d.Records {
		if r.Delivered != (r.Name == "good") {
			t.Errorf("recorded %+v", r)
		}
	}
}

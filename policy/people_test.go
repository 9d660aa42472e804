package policy_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire/sse"
)

type approver func(ctx context.Context, a policy.Approval) (policy.Decision, error)

func (f approver) Approve(ctx context.Context, a policy.Approval) (policy.Decision, error) {
	return f(ctx, a)
}

func asks() policy.Definition {
	return policy.Func("careful", func(*policy.Subject) policy.Verdict {
		return policy.Verdict{Action: policy.Ask, Reason: "deploys"}
	})
}

func TestAPersonDecidesWhereAPolicyAsks(t *testing.T) {
	for _, tc := range []struct {
		name     string
		approver policy.Approver
		passes   bool
		cause    policy.Cause
	}{
		{"approved", approver(func(_ context.Context, a policy.Approval) (policy.Decision, error) {
			if a.Digest != policy.NewSubject(nil, a.Subject.Block).Digest() || a.Policy != "careful" || a.Reason != "deploys" {
				return policy.Decision{}, errBroken
			}
			return policy.Decision{Approved: true, By: "ada"}, nil
		}), true, policy.CauseApproved},
		{"denied", approver(func(context.Context, policy.Approval) (policy.Decision, error) {
			return policy.Decision{Comment: "not on a Friday"}, nil
		}), false, policy.CauseDenied},
		{"an error", approver(func(context.Context, policy.Approval) (policy.Decision, error) {
			return policy.Decision{Approved: true}, errBroken
		}), false, policy.CauseNoAnswer},
		{"a panic", approver(func(context.Context, policy.Approval) (policy.Decision, error) { panic("oh") }), false, policy.CauseNoAnswer},
		{"nobody answers", approver(func(ctx context.Context, _ policy.Approval) (policy.Decision, error) {
			<-ctx.Done()
			return policy.Decision{}, ctx.Err()
		}), false, policy.CauseNoAnswer},
		{"nobody can be asked", nil, false, policy.CauseNoAnswer},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := sluicetest.Enforcement{Set: set(t, asks()), Options: policy.Options{Approver: tc.approver}}
				n.EachForm(t.Context(), []llm.Block{call("deploy", `{"to":"prod"}`)}, func(name, _ string, d sluicetest.Delivered) {
					if d.Err != nil || d.Invalid != nil || len(d.Report.Calls) == 1 != tc.passes {
						t.Errorf("%s: %v, %v, %+v", name, d.Err, d.Invalid, d.Report)
					}
					v := d.Records[0].Verdict
					if v.Cause != tc.cause || v.Policy != "careful" {
						t.Errorf("%s: recorded %+v", name, v)
					}
					if tc.name == "denied" && !bytes.Contains(d.Bytes, []byte("not on a Friday")) {
						t.Errorf("%s: the comment is lost: %s", name, d.Bytes)
					}
				})
			})
		})
	}
}

// While a person thinks, the client hears something.
func TestTheClientIsKeptAliveWhileSomebodyThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := sluicetest.Enforcement{Set: set(t, asks()), Options: policy.Options{
			Approver: approver(func(ctx context.Context, _ policy.Approval) (policy.Decision, error) {
				select {
				case <-time.After(35 * time.Second):
				case <-ctx.Done():
				}
				return policy.Decision{Approved: true}, nil
			}),
		}}
		for _, format := range sluicetest.Formats() {
			events := sluicetest.SSE(format, sluicetest.Build(format, [][]llm.Block{{call("deploy", `{}`)}}, sluicetest.BuildOptions{}))
			d := n.Stream(t.Context(), format, bytes.NewReader(events))
			signs := bytes.Count(d.Bytes, []byte("event: ping")) + bytes.Count(d.Bytes, []byte("\n: ")) + bytes.Count(d.Bytes, []byte("\n:\n"))
			if format == sluicetest.Gemini {
				signs = bytes.Count(d.Bytes, []byte("\n\n")) - bytes.Count(d.Bytes, []byte("data:"))
			}
			if bytes.HasPrefix(d.Bytes, []byte(":")) {
				signs++
			}
			if d.Err != nil || d.Invalid != nil || signs < 2 || len(d.Report.Calls) != 1 {
				t.Errorf("%s: %v, %v, %d signs of life\n%s", format, d.Err, d.Invalid, signs, d.Bytes)
			}
		}
	})
}

// again is a model that answers once more.
type again struct {
	format string
	next   [][]llm.Block
	told   []policy.Denial
	kept   []policy.Denial
	err    error
	body   bool
}

func (a *again) Again(_ context.Context, denials []policy.Denial) (policy.Source, error) {
	a.told = append(a.told, denials...)
	if a.err != nil || len(a.next) == 0 {
		return nil, errors.Join(errBroken, a.err)
	}
	if a.body {
		body := sluicetest.BuildBody(a.format, a.next[:1], sluicetest.BuildOptions{ID: "second"})
		a.next = a.next[1:]
		return &list{body}, nil
	}
	events := sluicetest.SSE(a.format, sluicetest.Build(a.format, a.next[:1], sluicetest.BuildOptions{MaxPiece: 5, ID: "second"}))
	a.next = a.next[1:]
	return source{Reader: sse.NewReader(bytes.NewReader(events), sse.Options{})}, nil
}

func (a *again) Keep(denials []policy.Denial) { a.kept = append(a.kept, denials...) }

type source struct{ *sse.Reader }

func (s source) Next() (string, []byte, error) {
	ev, err := s.Reader.Next()
	return string(ev.Name), ev.Data, err
}

func TestTheModelIsToldInsteadOfTheClient(t *testing.T) {
	bad, good := call("bad", `{"secret":"X9ZZY"}`), call("good", `{"a":1}`)
	for _, tc := range []struct {
		name   string
		first  []llm.Block
		next   [][]llm.Block
		calls  string
		texts  string
		denied int
		kept   int
	}{
		{"a better answer follows", []llm.Block{says("one"), bad}, [][]llm.Block{{says("two"), good}}, "good", "one|two", 1, 0},
		{"a call follows", []llm.Block{says("one"), bad}, [][]llm.Block{{good}}, "good", "one", 1, 0},
		{"a text follows", []llm.Block{bad, bad}, [][]llm.Block{{says("two")}}, "", "two", 2, 0},
		{"others are delivered", []llm.Block{says("one"), bad, good}, nil, "good", "one", 0, 1},
		{"others are delivered first", []llm.Block{good, bad}, nil, "good", "", 0, 1},
		{"three times at most", []llm.Block{bad}, [][]llm.Block{{bad}, {bad}, {bad}, {says("never")}}, "", "Sluice blocked the tool call bad", 3, 0},
		{"the model cannot be asked", []llm.Block{says("one"), bad}, nil, "", "Sluice blocked the tool call bad", 1, 0},
	} {
		for _, format := range sluicetest.Formats() {
			for _, waits := range []bool{false, true} {
				t.Run(tc.name+"/"+format+"/body", func(t *testing.T) {
					def := blockNamed("bad")
					def.Feedback, def.Waits = true, waits
					host := &again{format: format, next: tc.next, body: true}
					n := sluicetest.Enforcement{Set: set(t, def), Options: policy.Options{Feedback: true}, Run: policy.RunOptions{Feedback: host}}
					d := n.Body(context.Background(), format, []byte(sluicetest.BuildBody(format, [][]llm.Block{tc.first}, sluicetest.BuildOptions{})))
					texts := strings.ReplaceAll(strings.Join(d.Report.Texts, "|"), "one\n\ntwo", "one|two")
					var calls []string
					for _, c := range d.Report.Calls {
						calls = append(calls, c.Name)
					}
					if d.Err != nil || d.Invalid != nil || strings.Join(calls, " ") != tc.calls || !strings.Contains(texts, tc.texts) {
						t.Errorf("%v, %v, calls %v, texts %q\n%s", d.Err, d.Invalid, calls, texts, d.Bytes)
					}
					if len(host.told) != tc.denied || len(host.kept) != tc.kept || bytes.Contains(d.Bytes, []byte("X9ZZY")) {
						t.Errorf("told %+v, kept %+v\n%s", host.told, host.kept, d.Bytes)
					}
				})
				t.Run(tc.name+"/"+format, func(t *testing.T) {
					def := blockNamed("bad")
					def.Feedback, def.Waits = true, waits
					host := &again{format: format, next: tc.next}
					n := sluicetest.Enforcement{
						Set: set(t, def), Options: policy.Options{Feedback: true, Keep: host.Keep}, Run: policy.RunOptions{Feedback: host},
					}
					events := sluicetest.SSE(format, sluicetest.Build(format, [][]llm.Block{tc.first}, sluicetest.BuildOptions{MaxPiece: 4, Usage: true}))
					d := n.Stream(context.Background(), format, bytes.NewReader(events))
					var calls []string
					for _, c := range d.Report.Calls {
						calls = append(calls, c.Name)
					}
					texts := strings.Join(d.Report.Texts, "|")
					if format == sluicetest.OpenAIChat || format == sluicetest.Gemini {
						texts = strings.ReplaceAll(texts, "onetwo", "one|two")
					}
					if d.Err != nil || d.Invalid != nil || strings.Join(calls, " ") != tc.calls || !strings.Contains(texts, tc.texts) {
						t.Errorf("%v, %v, calls %v, texts %q\n%s", d.Err, d.Invalid, calls, texts, d.Bytes)
					}
					if len(host.told) != tc.denied || len(host.kept) != tc.kept {
						t.Errorf("told %+v, kept %+v", host.told, host.kept)
					}
					for _, denial := range append(host.told, host.kept...) {
						if denial.Name != "bad" || !strings.Contains(denial.Text, "not bad (policy names)") {
							t.Errorf("got %+v", denial)
						}
					}
					if bytes.Contains(d.Bytes, []byte("X9ZZY")) {
						t.Errorf("a denied call left:\n%s", d.Bytes)
					}
				})
			}
		}
	}
}

package policy_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// The strictest verdict wins, whichever policy gives it.
func TestTheStrictestVerdictWins(t *testing.T) {
	actions := []policy.Action{policy.Allow, policy.Annotate, policy.Ask, policy.Block, policy.BlockFeedback, policy.BlockEndTurn, policy.Abort}
	carried := map[policy.Action]policy.Action{
		policy.Ask: policy.BlockEndTurn, policy.Block: policy.BlockEndTurn, policy.BlockFeedback: policy.BlockEndTurn,
	}
	for _, first := range actions {
		for _, second := range actions {
			for _, waits := range []bool{false, true} {
				var defs []policy.Definition
				for i, a := range []policy.Action{first, second} {
					d := policy.Func(fmt.Sprint("policy ", i), func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: a} })
					d.Waits = waits && i == 0
					defs = append(defs, d)
				}
				want := max(first, second)
				if waits && second >= policy.Block {
					want = second // blocked at once, so no asynchronous policy is asked
				}
				if c, ok := carried[want]; ok {
					want = c
				}
				if r := set(t, defs...).Decide(context.Background(), nil, call("x", "{}"), policy.Options{}); r.Verdict.Action != want {
					t.Errorf("%s and %s: got %s, want %s", first, second, r.Verdict.Action, want)
				}
			}
		}
	}
}

// In shadow everything is recorded and nothing changes, not even the time.
func TestShadowOnlyRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := blockNamed("bad")
		block.Mode = policy.Shadow
		slow := policy.WaitFunc("slow", time.Minute, func(ctx context.Context, _ *policy.Subject) policy.Verdict {
			select {
			case <-time.After(30 * time.Second):
			case <-ctx.Done():
			}
			return policy.Verdict{Action: policy.Abort, Reason: "slow"}
		})
		slow.Mode = policy.Shadow
		words := policy.Definition{
			Name: "words", Mode: policy.Shadow, Applies: policy.KindsOf(llm.Content),
			Text: []text.Rule{{Name: "words", Patterns: []string{"hello"}, Replacement: "[gone]", Literal: true}},
		}
		blocks := []llm.Block{says("hello"), call("bad", `{"a":1}`)}
		sluicetest.Enforcement{}.EachForm(t.Context(), blocks, func(name, format string, plain sluicetest.Delivered) {
			_ = format
			if len(plain.Report.Calls) != 1 {
				t.Fatalf("%s: %+v", name, plain.Report)
			}
		})
		sluicetest.Enforcement{Set: set(t, block, slow, words)}.EachForm(t.Context(), blocks, func(name, _ string, d sluicetest.Delivered) {
			if d.Err != nil || len(d.Report.Calls) != 1 || strings.Join(d.Report.Texts, "") != "hello" {
				t.Errorf("%s: %v, %+v", name, d.Err, d.Report)
			}
			var seen []string
			for _, r := range d.Records {
				if !r.Verdict.Action.Passes() || !r.Delivered {
					t.Errorf("%s: enforced %+v", name, r)
				}
				for _, v := range r.Verdicts {
					seen = append(seen, fmt.Sprint(v.Policy, " ", v.Action, " ", v.Shadow))
				}
			}
			if got := strings.Join(seen, ", "); got != "words redact true, names block true, slow abort true" {
				t.Errorf("%s: recorded %s", name, got)
			}
		})
	})
}

// The calls of a message can be judged together, and still one by one.
func TestCallsAreJudgedTogether(t *testing.T) {
	pair := policy.Definition{Name: "pair", New: func(*policy.Exchange) policy.Policy {
		return policy.Policy{JudgeAll: func(_ context.Context, calls []*policy.Subject) []policy.Verdict {
			verdicts := make([]policy.Verdict, len(calls))
			names := ""
			for i, c := range calls {
				names += c.Block.Name + " "
				verdicts[i] = policy.Verdict{Action: policy.Allow}
			}
			if names == "read destroy " {
				verdicts[1] = policy.Verdict{Action: policy.Abort, Reason: "never"}
			}
			if names == "read send " { // harmless alone
				verdicts[1] = policy.Verdict{Action: policy.Block, Reason: "reads and sends"}
			}
			return verdicts
		}}
	}}
	for _, waits := range []bool{false, true} {
		pair.Waits = waits
		s := set(t, blockNamed("bad"), pair)
		sluicetest.Enforcement{Set: s}.EachForm(context.Background(), []llm.Block{call("read", `{}`), call("destroy", `{}`)}, func(name, _ string, d sluicetest.Delivered) {
			var abort *policy.AbortError
			if !errors.As(d.Err, &abort) || len(d.Report.Calls) > 0 || d.Report.Ended {
				t.Errorf("%s: %v, %+v", name, d.Err, d.Report)
			}
		})
		for _, tc := range []struct{ calls, want string }{
			{"read send", "read"}, {"send", "send"}, {"read bad send", "read"}, {"send read", "send read"}, {"bad", ""},
		} {
			var blocks []llm.Block
			for name := range strings.FieldsSeq(tc.calls) {
				blocks = append(blocks, call(name, `{"a":1}`))
			}
			sluicetest.Enforcement{Set: s}.EachForm(context.Background(), blocks, func(name, _ string, d sluicetest.Delivered) {
				var got []string
				for _, c := range d.Report.Calls {
					got = append(got, c.Name)
				}
				if d.Err != nil || d.Invalid != nil || strings.Join(got, " ") != tc.want {
					t.Errorf("%s, %s: %v, %v, got %v, want %q", tc.calls, name, d.Err, d.Invalid, got, tc.want)
				}
			})
		}
	}
}

// Policies that change text do so in their order, and the result is that of the
// whole text.
func TestTextIsReplacedInOrder(t *testing.T) {
	rule := func(name, pattern, with string) policy.Definition {
		return policy.Definition{Name: name, Applies: policy.KindsOf(llm.Content), Reason: "because",
			Text: []text.Rule{{Name: name, Patterns: []string{pattern}, Replacement: with}}}
	}
	s := set(t, rule("first", `secret-(\d+)`, "key $1"), rule("second", `key 1+\b`, "[one]"), blockNamed("bad"))
	said := "a secret-111 and secret-12, no secret, secret-"
	want := regexp.MustCompile(`key 1+\b`).ReplaceAllString(regexp.MustCompile(`secret-(\d+)`).ReplaceAllString(said, "key $1"), "[one]")
	sluicetest.Enforcement{Set: s}.EachForm(context.Background(), []llm.Block{says(said), call("good", `{"secret":"secret-111"}`)}, func(name, _ string, d sluicetest.Delivered) {
		if got := strings.Join(d.Report.Texts, ""); d.Err != nil || d.Invalid != nil || got != want {
			t.Errorf("%s: %v, %v, got %q, want %q", name, d.Err, d.Invalid, got, want)
		}
		if len(d.Report.Calls) != 1 || !strings.Contains(d.Report.Calls[0].Arguments, "secret-111") {
			t.Errorf("%s: calls are not text: %+v", name, d.Report.Calls)
		}
		r := recordOf(d, llm.Content)
		if r.Verdict.Action != policy.Redact || r.HashIn() == r.HashOut() || len(r.Verdicts) != 2 {
			t.Errorf("%s: recorded %+v", name, r)
		}
	})
}

// Tool results in a request are changed where they stand, and nothing else is.
func TestToolResultsInRequests(t *testing.T) {
	key := regexp.MustCompile(`key-\d+`)
	redact := policy.Definition{Name: "keys", Applies: policy.KindsOf(llm.ToolResult), New: func(*policy.Exchange) policy.Policy {
		return policy.Policy{
			Change: func(_ context.Context, s *policy.Subject) policy.Change {
				return policy.Change{Action: policy.Redact, Text: key.ReplaceAllString(s.Text(), "[key]")}
			},
			Judge: func(_ context.Context, s *policy.Subject) policy.Verdict {
				switch {
				case strings.Contains(s.Text(), "forbidden"):
					return policy.Verdict{Action: policy.Block, Reason: "from " + s.Block.Name}
				case strings.Contains(s.Text(), "deadly"):
					return policy.Verdict{Action: policy.Abort}
				}
				return policy.Verdict{Action: policy.Allow}
			},
		}
	}}
	for _, tc := range []struct {
		format wire.Format
		body   string
	}{
		{wire.Anthropic, `{"model":"m", "messages":[{"role":"user","content":"key-1"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"cat","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"%s"}]}]}`},
		{wire.Anthropic, `{"model":"m", "messages":[{"role":"user","content":"key-1"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"cat","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"%s"}]}]}]}`},
		{wire.OpenAIChat, `{"model":"m","messages":[{"role":"user","content":"key-1"},{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"cat","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t1","content":"%s"}]}`},
		{wire.OpenAIResponses, `{"model":"m","input":[{"role":"user","content":"key-1"},{"type":"function_call","call_id":"t1","name":"cat","arguments":"{}"},{"type":"function_call_output","call_id":"t1","output":"%s"}]}`},
		{wire.Gemini, `{"contents":[{"role":"user","parts":[{"text":"key-1"}]},{"role":"model","parts":[{"functionCall":{"name":"cat","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"cat","response":{"output":"%s"}}}]}]}`},
	} {
		judge := func(result string) (string, error) {
			body := strings.Replace(tc.body, "%s", result, 1)
			req, err := tc.format.ReadRequest([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			e := policy.NewEngine(set(t, redact), &policy.Exchange{Request: req}, policy.Options{Format: tc.format})
			out, err := e.JudgeRequest(context.Background(), []byte(body))
			return string(out), err
		}
		for result, want := range map[string]string{
			"clean": "clean", `two key-12\nkey-3`: `two [key]\n[key]`,
		} {
			if got, err := judge(result); err != nil || got != strings.Replace(tc.body, "%s", want, 1) {
				t.Errorf("%s: %v\n%s", tc.format, err, got)
			}
		}
		got, err := judge("forbidden")
		if _, bad := tc.format.ReadRequest([]byte(got)); err != nil || bad != nil || strings.Contains(got, "forbidden") ||
			!strings.Contains(got, "Sluice withheld this tool result: from cat (policy keys)") || !strings.Contains(got, `"key-1"`) {
			t.Errorf("%s: %v, %v\n%s", tc.format, err, bad, got)
		}
		if got, err := judge("deadly"); err == nil || got != "" {
			t.Errorf("%s: a request that must not be sent: %v\n%s", tc.format, err, got)
		}
	}
}

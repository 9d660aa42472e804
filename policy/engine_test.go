package policy_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

func blockNamed(names ...string) policy.Definition {
	return policy.Func("names", func(s *policy.Subject) policy.Verdict {
		for _, n := range names {
			if s.Block.Name == n {
				return policy.Verdict{Action: policy.Block, Reason: "not " + n}
			}
		}
		return policy.Verdict{Action: policy.Allow}
	})
}

func set(t testing.TB, definitions ...policy.Definition) *policy.Set {
	t.Helper()
	s, err := policy.NewSet(definitions...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// recordOf returns the record of the first block of a kind.
func recordOf(d sluicetest.Delivered, kind llm.Kind) policy.Record {
	for _, r := range d.Records {
		if r.Kind == kind {
			return r
		}
	}
	return policy.Record{}
}

func call(name, arguments string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: "call_" + name, Name: name, Arguments: arguments}
}

func says(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }

func TestABlockedCallBecomesATextAndTheOthersStay(t *testing.T) {
	n := sluicetest.Enforcement{Set: set(t, blockNamed("bad"))}
	blocks := []llm.Block{says("hello"), call("good", `{"a":1}`), call("bad", `{"secret":"X9ZZY"}`), call("fine", `{}`)}
	n.EachForm(context.Background(), blocks, func(name, _ string, d sluicetest.Delivered) {
		if d.Err != nil || d.Invalid != nil || d.Cut != nil {
			t.Errorf("%s: err %v, invalid %v, cut %v\n%s", name, d.Err, d.Invalid, d.Cut, d.Bytes)
			return
		}
		if strings.Contains(string(d.Bytes), "X9ZZY") {
			t.Errorf("%s: a part of the blocked call left:\n%s", name, d.Bytes)
		}
		if len(d.Report.Calls) != 2 || d.Report.Calls[0].Name != "good" || d.Report.Calls[1].Name != "fine" {
			t.Errorf("%s: got %+v\n%s", name, d.Report, d.Bytes)
		}
		if !strings.Contains(strings.Join(d.Report.Texts, "|"), "Sluice blocked the tool call bad: not bad (policy names)") {
			t.Errorf("%s: no notice: %q", name, d.Report.Texts)
		}
		if len(d.Records) != 4 {
			t.Errorf("%s: %d records", name, len(d.Records))
		}
	})
}

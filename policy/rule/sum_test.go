package rule_test

import (
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// sum adds numbers; what is not there adds nothing, what is no number is a failure, and what is
// not known is unknown.
func TestSumOfNumbers(t *testing.T) {
	t.Parallel()

	const over = `call.args.items.map(i, i.amount).sum() > 5000`
	for _, tc := range []struct {
		source, arguments string
		want              rule.Outcome
		fails             bool
	}{
		{over, `{"items":[{"amount":3000},{"amount":2001}]}`, rule.True, false},
		{over, `{"items":[{"amount":3000},{"amount":2000}]}`, rule.False, false},
		{over, `{"items":[{"amount":3000},{"amount":2000.5}]}`, rule.True, false},
		{over, `{"items":[{"amount":5000.25}]}`, rule.True, false},
		{over, `{"items":[]}`, rule.False, false},
		{over, `{}`, rule.False, false},
		{over, `{"items":[{"amount":6000},{}]}`, rule.True, false},
		{over, `{"items":[{"amount":-1},{"amount":6000},{"x":1}]}`, rule.True, false},
		{over, `{"items":[{"amount":"6000"}]}`, rule.Unknown, true},
		{over, `{"items":[{"amount":true},{"amount":6000}]}`, rule.Unknown, true},
		{over, `{"items":[{"amount":null}]}`, rule.Unknown, true},
		{over, `{"items":[{"amount":9223372036854775807},{"amount":1}]}`, rule.Unknown, true},
		{`call.args.list.sum() == 6`, `{"list":[1,2,3]}`, rule.True, false},
		{`call.args.list.sum() == 6.5`, `{"list":[1,2.5,3]}`, rule.True, false},
		{`[call.args.a, call.args.b].sum() >= 3`, `{"a":1,"b":2}`, rule.True, false},
		{`[1, 2].sum() == 3 && call.args.x`, `{"x":true}`, rule.True, false},
	} {
		got, what, err := compile(t, tc.source).Match(called("pay", tc.arguments))
		if got != tc.want || (err != nil) != tc.fails {
			t.Errorf("%s for %s: %s (%s, %v), want %s", tc.source, tc.arguments, got, what, err, tc.want)
		}
	}
	broken := policy.NewSubject(nil, llm.Block{Kind: llm.ToolCall, Name: "pay", Arguments: `{"items":`, Status: llm.Complete})
	if got, _, err := compile(t, over).Match(broken); got != rule.Unknown || err != nil {
		t.Errorf("arguments that cannot be read: %s, %v", got, err)
	}
}

package policy_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// Some clients run the call of a tool that belongs to a set under the name of the set, with
// the tool's name as its action: that call is judged too.
func TestAttackACallOfAToolsetIsJudgedUnderItsName(t *testing.T) {
	t.Parallel()
	noHarm := policy.Func("no-harm", func(s *policy.Subject) policy.Verdict {
		if s.Block.Name == "shell" && strings.Contains(s.Block.Arguments, "X9ZZY") || s.Block.Name == "shell" && strings.Contains(s.Block.Arguments, `"action":"wipe"`) {
			return policy.Verdict{Action: policy.Block}
		}
		return policy.Verdict{Action: policy.Allow}
	})
	for name, c := range map[string]struct {
		block  string
		passes bool
	}{
		"harmful arguments":  {`{"type":"tool_use","id":"i","name":"read","toolset_name":"shell","input":{"s":"X9ZZY"}}`, false},
		"a harmful action":   {`{"type":"tool_use","id":"X9ZZY","name":"wipe","toolset_name":"shell","input":{}}`, false},
		"its own action":     {`{"type":"tool_use","id":"X9ZZY","name":"read","toolset_name":"shell","input":{"action":"wipe"}}`, false},
		"escaped":            {`{"type":"tool_use","id":"i","name":"read","toolset\u005fname":"she\u006cl","input":{"s":"X9ZZY"}}`, false},
		"another set":        {`{"type":"tool_use","id":"X9ZZY","name":"wipe","toolset_name":"screen","input":{"s":"X9ZZY"}}`, true},
		"a harmless action":  {`{"type":"tool_use","id":"X9ZZY","name":"list","toolset_name":"shell","input":{"s":"fine"}}`, true},
		"no set":             {`{"type":"tool_use","id":"i","name":"read","toolset_name":null,"input":{"s":"X9ZZY"}}`, true},
		"nothing in the set": {`{"type":"tool_use","id":"i","name":"read","toolset_name":"","input":{"s":"X9ZZY"}}`, true},
	} {
		begun := strings.Replace(c.block, `"input":{"s":"X9ZZY"}`, `"input":{}`, 1)
		pieces := []string{`{"type":"input_json_delta","partial_json":""}`}
		if begun != c.block {
			pieces = append(pieces, `{"type":"input_json_delta","partial_json":"{\"s\":\"X9ZZY"}`, `{"type":"input_json_delta","partial_json":"\"}"}`)
		}
		n := sluicetest.Enforcement{Set: set(t, noHarm)}
		whole := `{"id":"m","type":"message","role":"assistant","model":"m","content":[` + c.block + `],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`
		for form, d := range map[string]sluicetest.Delivered{
			"whole":     n.Stream(context.Background(), sluicetest.Anthropic, strings.NewReader(anthropicWith(c.block))),
			"in pieces": n.Stream(context.Background(), sluicetest.Anthropic, strings.NewReader(anthropicWith(begun, pieces...))),
			"a body":    n.Body(context.Background(), sluicetest.Anthropic, []byte(whole)),
		} {
			if d.Err != nil || leaks(d) != c.passes || c.passes && !bytes.Contains(d.Bytes, []byte(`toolset_name`)) {
				t.Errorf("%s, %s: it passes %t, %v\n%s", name, form, leaks(d), d.Err, d.Bytes)
			}
		}
	}
}

// A change of a call of a set reaches its tool too, because they share their arguments:
// a change of one of them alone blocks it.
func TestAttackAChangeOfAToolsetsCall(t *testing.T) {
	t.Parallel()
	changes := func(only string) policy.Definition {
		return policy.Definition{Name: "change", Policy: &policy.Policy{Change: func(_ context.Context, s *policy.Subject) policy.Change {
			if only != "" && s.Block.Name != only {
				return policy.Change{}
			}
			return policy.Change{Action: policy.Rewrite, Text: strings.ReplaceAll(s.Block.Arguments, "X9ZZY", "tame")}
		}}}
	}
	answer := anthropicWith(`{"type":"tool_use","id":"i","name":"read","toolset_name":"shell","input":{"s":"X9ZZY"}}`)
	for only, passes := range map[string]bool{"": true, "read": false, "shell": false} {
		d := judged(t, sluicetest.Anthropic, answer, changes(only))
		if d.Err != nil || leaks(d) || bytes.Contains(d.Bytes, []byte("tame")) != passes {
			t.Errorf("a change of %q: %v\n%s", only, d.Err, d.Bytes)
		}
	}
}

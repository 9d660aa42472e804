package file_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// decided is what the policies of a file make of a call: the arguments that leave, or the
// verdict that holds them back and its reason.
func decided(t *testing.T, source string, block llm.Block) (arguments string, v policy.Verdict) {
	t.Helper()
	record := must(t, file.Options{}, source).Set.Decide(t.Context(), nil, block, policy.Options{})
	if !record.Verdict.Action.Passes() {
		return "", record.Verdict
	}
	return cmp.Or(record.Out, record.In), record.Verdict
}

// An argument of a call that a dispatcher passes on is changed where it is, and never that
// of the dispatcher.
func TestArgumentsOfCallsThatArePassedOnAreChangedInThem(t *testing.T) {
	t.Parallel()

	const one, changed = `{"id":"1", "deep":{"n":1}}`, `{"id":"1", "deep":{"n":1},"dry_run":true}`
	for _, tc := range []struct{ tool, arguments, want string }{
		{"refund_order", "%s", "%s"},
		{"call_tool", `{"name":"refund_order","arguments":%s}`, ""},
		{"call_tool", `{"name":"refundOrder","arguments":%s, "dry_run": false}`, ""},
		{"use_mcp_tool", `{"server_name":"shop","tool_name":"refund_order","arguments":%s,"dry_run":false}`, ""},
		{"batch", `{"timeout":1,"tool_calls":[{"tool":"refund_order","parameters":%s},{"tool":"get_order","parameters":{"id":"1"}}]}`, ""},
		{"batch", `{"tool_calls":[{"tool":"refund_order","parameters":%[1]s},{"tool":"get_order","parameters":{}},{"tool":"refund-order","parameters":%[1]s}]}`, ""},
		{"multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"functions.refund_order","parameters":%s}]}`, ""},
		{"batch", `{"tool_calls":[{"tool":"call_tool","parameters":{"name":"refund_order","arguments":%s}}]}`, ""},
	} {
		const policies = `policies: [{preset: none}, {name: p, when: 'call.name == "refund_order"', then: {rewrite: {add: {dry_run: "true"}}}}]`
		got, v := decided(t, policies, call(tc.tool, fmt.Sprintf(tc.arguments, one)))
		if want := fmt.Sprintf(tc.arguments, changed); got != want {
			t.Errorf("%s: %s (%s)\nwant %s", tc.tool, got, v.Reason, want)
		}
		if strings.Contains(tc.arguments, `"%s"`) || tc.tool == "refund_order" {
			continue
		}
		got, v = decided(t, policies, call(tc.tool, fmt.Sprintf(tc.arguments, quoted(one))))
		if want := fmt.Sprintf(tc.arguments, quoted(changed)); got != want {
			t.Errorf("%s with arguments as a text: %s (%s)\nwant %s", tc.tool, got, v.Reason, want)
		}
		other := strings.NewReplacer("refund", "find").Replace(fmt.Sprintf(tc.arguments, one))
		if got, v = decided(t, policies, call(tc.tool, other)); got != other {
			t.Errorf("%s of another tool: %s (%s)", tc.tool, got, v.Reason)
		}
	}
	got, v := decided(t, `policies: [{preset: none}, {name: p, when: 'call.name == "refund_order"', then: {rewrite: {set: {amount: "call.args.amount / 2"}}}}]`,
		call("batch", `{"tool_calls":[{"tool":"refund_order","parameters":{"amount":10}},{"tool":"refund_order","parameters":{"amount":20}}]}`))
	if got != `{"tool_calls":[{"tool":"refund_order","parameters":{"amount":5}},{"tool":"refund_order","parameters":{"amount":10}}]}` {
		t.Errorf("%s (%s)", got, v.Reason)
	}
}

// Where it is not sure which arguments a call that is passed on gets, it does not pass.
func TestArgumentsThatCannotSurelyBeChangedAreNot(t *testing.T) {
	t.Parallel()

	for _, block := range []llm.Block{
		call("call_tool", `{"name":"refund_order","id":"1"}`),                                  // which are beside
		call("call_tool", `{"name":"refund_order","arguments":{"id":"1"},"input":{"id":"1"}}`), // two of them
		call("call_tool", `{"name":"refund_order","arguments":"order 1"}`),                     // free text
		call("call_tool", `{"name":"refund_order","arguments":["1"]}`),                         // a list
		call("unheard_of", `{"name":"Bash","arguments":{"command":"ls"}}`),                     // perhaps no dispatcher
		call("call_tool", `{"name":"refund_\u006frder","arguments":{"id":"1"}}`),               // moved by escapes
		call("exec", `{"code":"await tools.refund_order({id: '1'})"}`),
	} {
		for _, condition := range []string{`call.name == "refund_order"`, `true`} {
			if condition != `true` && block.Name == "unheard_of" {
				continue
			}
			source := `policies: [{preset: none}, {name: p, when: '` + condition + `', then: {rewrite: {add: {dry_run: "true"}}}}]`
			if condition == `true` {
				source = `policies: [{preset: none}, {name: p, then: {rewrite: {add: {dry_run: "true"}}}}]`
			}
			got, v := decided(t, source, block)
			if !v.Action.Blocks() {
				t.Errorf("%s: %s %s passes as %s", condition, block.Name, block.Arguments, got)
			}
		}
	}
	_, v := decided(t, `policies: [{preset: none}, {name: p, when: 'call.name == "refund_order"', then: {rewrite: {add: {dry_run: "true"}}}, reason: Refunds are dry.}]`,
		call("call_tool", `{"name":"refund_order","id":"1"}`))
	if !strings.Contains(v.Reason, "call that tool by itself") {
		t.Errorf("reason %q", v.Reason)
	}
}

// A dot in the name of an argument stands before a member of it, unless there is an argument
// with the dot.
func TestMembersOfArgumentsAreSet(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ change, arguments, want string }{
		{`{set: {item.qty: "1"}}`, `{"item":{"qty":7,"sku":"a"},"x":1}`, `{"item":{"qty":1,"sku":"a"},"x":1}`},
		{`{set: {item.qty: "1"}}`, `{"item.qty":7,"item":{"qty":7}}`, `{"item.qty":1,"item":{"qty":7}}`},
		{`{add: {item.qty: "1"}}`, `{"item": {"sku":"a"} }`, `{"item": {"sku":"a","qty":1} }`},
		{`{add: {item.qty: "1"}}`, `{"x":1}`, `{"x":1,"item":{"qty":1}}`},
		{`{set: {a.b.c: "1"}}`, `{"a":{"b":{"c":2}}}`, `{"a":{"b":{"c":1}}}`},
		{`{set: {item.qty: "1"}}`, `{"item":{"sku":"a"}}`, ""},
		{`{set: {item.qty: "1"}}`, `{"item":[{"qty":7}]}`, ""},
		{`{add: {item.qty: "1"}}`, `{"item":"x"}`, ""},
	} {
		got, v := decided(t, `policies: [{preset: none}, {name: p, then: {rewrite: `+tc.change+`}}]`, call("order", tc.arguments))
		if got != tc.want || tc.want == "" && !v.Action.Blocks() {
			t.Errorf("%s of %s: %s (%s %v), want %s", tc.change, tc.arguments, got, v.Reason, v.Notes, tc.want)
		}
	}
}

package tools_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/tools"
)

func FuzzJudge(f *testing.F) {
	f.Add(`{"type":"object","required":["a"]}`, `{"a":1}`, "f", "f*")
	f.Add(`{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"b":{"$ref":"#"}}}}}`, `{"b":{"b":{}}}`, "mcp__a__b", "a/*")
	f.Add(`{"anyOf":[{"pattern":"(a|b)*$"},{"enum":[1,[],{}]}],"unevaluatedProperties":false}`, `{"a":[1e400,-0]}`, "", "*a*b*")
	f.Add(`{"dependencies":{"a":["b"],"b":{"not":{}}},"items":[{}],"additionalItems":false}`, `{"b":null}`, "x", "*")
	f.Fuzz(func(t *testing.T, schema, arguments, name, pattern string) {
		p, err := tools.New(tools.Config{Schema: true, Deny: []string{pattern, "never"}})
		if err != nil {
			return
		}
		declared := llm.Tool{Name: name, Schema: []byte(schema)}
		v := p.Judge(t.Context(), subject(llm.Block{Name: name, Arguments: arguments}, declared))
		if (v.Action == 0) != (v.Err != nil) {
			t.Errorf("%v without a decision or with too many: %v", v.Action, v.Err)
		}
		if v.Action != 0 && v.Action != policy.Allow && (v.Reason == "" || len(v.Reason) > 4*700) {
			t.Errorf("reason of %d bytes", len(v.Reason))
		}
		again := p.Judge(t.Context(), subject(llm.Block{Name: name, Arguments: arguments}, declared))
		if v.Action != again.Action || v.Reason != again.Reason {
			t.Errorf("%s %s, and later %s %s", v.Action, v.Reason, again.Action, again.Reason)
		}
	})
}

func TestManyExchangesAtOnce(t *testing.T) {
	p, err := tools.New(tools.Config{Schema: true})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 200 {
				n := (i + j) % 50
				schema := fmt.Sprintf(`{"properties":{"a":{"const":%d,"pattern":"^x{0,9}$"}}}`, n)
				right := p.Judge(t.Context(), subject(llm.Block{Name: "f", Arguments: fmt.Sprintf(`{"a":%d}`, n)}, tool(schema)))
				wrong := p.Judge(t.Context(), subject(llm.Block{Name: "f", Arguments: `{"a":-1}`}, tool(schema)))
				if right.Action != policy.Allow || wrong.Action != policy.Block {
					t.Errorf("%s and %s", right.Action, wrong.Action)
				}
			}
		})
	}
	wg.Wait()
}

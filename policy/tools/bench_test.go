package tools_test

import (
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/tools"
)

// A call whose schema is known already, and which is right or wrong.
func BenchmarkJudge(b *testing.B) {
	p, err := tools.New(tools.Config{Schema: true})
	if err != nil {
		b.Fatal(err)
	}
	declared := tool(`{"type":"object","required":["city"],"additionalProperties":false,"properties":{"city":{"type":"string","minLength":1},` +
		`"days":{"type":"integer","minimum":0},"tags":{"type":"array","items":{"enum":["a","b"]}},"when":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`)
	for _, c := range []struct {
		name, arguments string
		want            policy.Action
	}{
		{"right", `{"city":"Paris","days":3,"tags":["a","b"],"when":null}`, policy.Allow},
		{"wrong", `{"city":"Paris","days":3,"tags":["a","c"],"when":null}`, policy.Block},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := subject(llm.Block{Name: "f", Type: "function", Arguments: c.arguments}, declared)
			b.ReportAllocs()
			for b.Loop() {
				if v := p.Judge(b.Context(), s); v.Action != c.want {
					b.Fatal(v.Action, v.Reason, v.Err)
				}
			}
		})
	}
}

package sluicetest_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
)

// A policy is tested in every dialect, streamed in several ways and as a body.
func ExampleEnforcement_EachForm() {
	set, err := policy.NewSet(policy.Func("no-shell", func(s *policy.Subject) policy.Verdict {
		if s.Block.Name == "Bash" {
			return policy.Verdict{Action: policy.Block, Reason: "no shell here"}
		}
		return policy.Verdict{Action: policy.Allow}
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer := []llm.Block{
		{Kind: llm.Content, Text: "Let me look."},
		{Kind: llm.ToolCall, ID: "1", Name: "Read", Arguments: `{"path":"a.go"}`},
		{Kind: llm.ToolCall, ID: "2", Name: "Bash", Arguments: `{"command":"cat a.go"}`},
	}
	forms := 0
	sluicetest.Enforcement{Set: set}.EachForm(context.Background(), answer, func(name, _ string, d sluicetest.Delivered) {
		if d.Err != nil || d.Invalid != nil || len(d.Report.Calls) != 1 || strings.Contains(string(d.Bytes), "cat a.go") {
			fmt.Println(name, "went wrong:", d.Err, d.Invalid)
		}
		forms++
	})
	fmt.Println(forms, "forms")
	// Output: 28 forms
}

package tools_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/tools"
)

func Example() {
	p, err := tools.New(tools.Config{Deny: []string{"github/delete_*"}, Schema: true})
	if err != nil {
		panic(err)
	}
	exchange := &policy.Exchange{Request: &llm.Request{Tools: []llm.Tool{
		{Name: "weather", Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)},
		{Name: "mcp__github__delete_repo"},
	}}}
	ask := func(name, arguments string) {
		b := llm.Block{Kind: llm.ToolCall, Name: name, Arguments: arguments, Status: llm.Complete}
		v := p.Judge(context.Background(), policy.NewSubject(exchange, b))
		fmt.Println(v.Action, "-", v.Reason+".")
	}
	ask("weather", `{"city":"Oslo"}`)
	ask("weather", `{"town":"Oslo"}`)
	ask("mcp__github__delete_repo", `{"name":"x"}`)
	// Output:
	// allow - .
	// block - the arguments of "weather" do not fit its declaration: the arguments: the property "city", a string, is missing.
	// block - the tool "mcp__github__delete_repo" is on the list of denied tools; tools that can be called are "weather".
}

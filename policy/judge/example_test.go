package judge_test

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/judge"
	"github.com/sluice-project/sluice/stream"
)

// A scripted model stands in for a real one: it finds deletions risky.
func Example() {
	small := model.Func(func(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
		question := req.UserText()
		id := strings.Fields(question)[1]
		answer := `{"id":"` + id + `","risk":0.1,"reason":"only looks"}`
		if strings.Contains(question, "DROP TABLE") {
			answer = `{"id":"` + id + `","risk":0.95,"reason":"the user asked for a count, this deletes the table"}`
		}
		return scripted.New(scripted.Round{scripted.Text(answer)}).Stream(ctx, req)
	})
	j, err := judge.New(judge.Config{Name: "asked-for", Model: small})
	if err != nil {
		fmt.Println(err)
		return
	}

	x := &policy.Exchange{Request: &llm.Request{Messages: []llm.Message{
		{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "How many users are there?"}}},
	}}}
	for _, arguments := range []string{`{"sql":"SELECT count(*) FROM users"}`, `{"sql":"DROP TABLE users"}`} {
		call := llm.Block{Kind: llm.ToolCall, Name: "query", Arguments: arguments, Status: llm.Complete}
		v := j.Judge(context.Background(), policy.NewSubject(x, call))
		fmt.Printf("%s: %q\n", v.Action, v.Reason)
	}
	// Output:
	// allow: ""
	// block: "the judge asked-for found it too risky, in its own words: \"the user asked for a count, this deletes the table\""
}

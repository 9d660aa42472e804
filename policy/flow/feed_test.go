package flow_test

import (
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// payloads is an answer.
type payloads []string

func (p *payloads) Next() (string, []byte, error) {
	if len(*p) == 0 {
		return "", nil, io.EOF
	}
	next := (*p)[0]
	*p = (*p)[1:]
	return "", []byte(next), nil
}

// feed lets policies judge an answer with calls.
func feed(t *testing.T, set *policy.Set, x *policy.Exchange, calls ...llm.Block) {
	t.Helper()
	var answer payloads
	for i, c := range calls {
		delta := map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"tool_calls": []any{map[string]any{
			"index": i, "id": string(rune('a' + i)), "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.Arguments},
		}}}}}}
		raw, err := json.Marshal(delta)
		if err != nil {
			t.Fatal(err)
		}
		answer = append(answer, string(raw))
	}
	answer = append(answer, `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, `[DONE]`)
	engine := policy.NewEngine(set, x, policy.Options{Format: wire.OpenAIChat})
	out := stream.NewOutput(wire.OpenAIChat.NewWriter(engine.WriterOptions()), func([]byte) error { return nil })
	if err := engine.Run(context.Background(), &answer, out, policy.RunOptions{}); err != nil {
		t.Fatal(err)
	}
}

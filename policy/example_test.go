package policy_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// A policy in code, and a single call judged by it.
func ExampleSet_Decide() {
	set, err := policy.NewSet(policy.Func("no-rm", func(s *policy.Subject) policy.Verdict {
		args, err := s.Arguments()
		if err != nil {
			return policy.Verdict{Err: err}
		}
		if command, _ := args["command"].(string); strings.HasPrefix(command, "rm ") {
			return policy.Verdict{Action: policy.Block, Reason: "move it to the trash instead"}
		}
		return policy.Verdict{Action: policy.Allow}
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, command := range []string{"ls", "rm -r build"} {
		call := llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: fmt.Sprintf(`{"command":%q}`, command)}
		r := set.Decide(context.Background(), nil, call, policy.Options{})
		fmt.Printf("%s -> %s %q\n", command, r.Verdict.Action, r.Verdict.Reason)
	}
	// Output:
	// ls -> allow ""
	// rm -r build -> block end_turn "move it to the trash instead"
}

// list gives payloads one after the other.
type list []string

func (l *list) Next() (string, []byte, error) {
	if len(*l) == 0 {
		return "", nil, io.EOF
	}
	first := (*l)[0]
	*l = (*l)[1:]
	return "", []byte(first), nil
}

// A policy that keeps a count for itself: each exchange has its own.
func ExampleEngine_Run() {
	twice := policy.Definition{
		Name: "once-only",
		New: func(*policy.Exchange) policy.Policy {
			seen := map[string]bool{}
			return policy.Policy{Judge: func(_ context.Context, s *policy.Subject) policy.Verdict {
				if seen[s.Digest()] {
					return policy.Verdict{Action: policy.Block, Reason: "it was called already"}
				}
				seen[s.Digest()] = true
				return policy.Verdict{Action: policy.Allow}
			}}
		},
	}
	set, err := policy.NewSet(twice)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer := list{
		`{"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"pay","arguments":"{}"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"pay","arguments":"{}"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
		`[DONE]`,
	}
	engine := policy.NewEngine(set, nil, policy.Options{
		Format: wire.OpenAIChat,
		Record: func(r *policy.Record) { fmt.Println(r.ID, r.Verdict.Action) },
	})
	options := engine.WriterOptions()
	options.NewID = func() string { return "1" }
	writer := wire.OpenAIChat.NewWriter(options)
	out := stream.NewOutput(writer, func(p []byte) error {
		_, err := os.Stdout.Write(p)
		return err
	})
	if err := engine.Run(context.Background(), &answer, out, policy.RunOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// a allow
	// b block end_turn
	// data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":0,"model":"","choices":[{"index":0,"delta":{"role":"assistant","content":"\n\n[Sluice blocked the tool call pay: it was called already (policy once-only)]"},"finish_reason":null}]}
	//
	// data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"pay","arguments":"{}"}}]}}]}
	//
	// data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}
	//
	// data: [DONE]
}

package call_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
)

// A null among the words of a command is left out by some clients and becomes a word in
// others: such a call does what either would do.
func TestNullAmongTheWordsIsReadBothWays(t *testing.T) {
	shapes := map[string]func(words []any) *llm.Block{
		"command": func(words []any) *llm.Block { return function("shell", asJSON(map[string]any{"command": words})) },
		"argv":    func(words []any) *llm.Block { return function("execute", asJSON(map[string]any{"argv": words})) },
		"program": func(words []any) *llm.Block {
			return function("run_process", asJSON(map[string]any{"program": words[0], "args": words[1:]}))
		},
		"text": func(words []any) *llm.Block {
			return function("shell", asJSON(map[string]any{"command": fmt.Sprint("nice -n 5 ", words[0]), "args": words[1:]}))
		},
		"local shell": func(words []any) *llm.Block {
			return &llm.Block{Kind: llm.ToolCall, Type: "local_shell_call", Arguments: asJSON(map[string]any{"type": "exec", "command": words})}
		},
	}
	for _, line := range [][]any{
		{"rm", "-rf", "/home/u"}, {"sh", "-c", "rm -rf ~"}, {"env", "-u", "rm", "-rf", "/home/u"}, {"timeout", "5", "rm", "-rf", "/home/u"},
		{"sudo", "-u", "rm", "-rf", "/home/u"}, {"bash", "-c", "ls", "x"}, {"xargs", "-I", "rm", "-rf", "/home/u"},
	} {
		for at := 1; at <= len(line); at++ {
			for name, shape := range shapes {
				got := effectsOf(call.Read(shape(slices.Insert(slices.Clone(line), at, any(nil))), home))
				for _, reading := range [][]any{line, slices.Insert(slices.Clone(line), at, any("null"))} {
					for _, want := range effectsOf(call.Read(shape(reading), home)) {
						if !slices.Contains(got, want) {
							t.Errorf("%s %v with null at %d does %q, want also %q", name, line, at, got, want)
						}
					}
				}
			}
		}
	}
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

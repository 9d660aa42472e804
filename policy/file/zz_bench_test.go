package file_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

func BenchmarkDecideTmp(b *testing.B) {
	l, err := file.Load(file.Options{}, "preset:recommended")
	if err != nil {
		b.Fatal(err)
	}
	for name, blk := range map[string]llm.Block{
		"weather": {Kind: llm.ToolCall, Name: "get_weather", Arguments: `{"location":"` + strings.Repeat("x", 4000) + `"}`},
		"bash":    {Kind: llm.ToolCall, Name: "Bash", Arguments: `{"command":"go test ./... && git status # ` + strings.Repeat("x", 4000) + `"}`},
		"write":   {Kind: llm.ToolCall, Name: "Write", Arguments: `{"file_path":"/home/u/p/main.go","content":"` + strings.Repeat("x y ", 1000) + `"}`},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.Set.Decide(context.Background(), nil, blk, policy.Options{})
			}
		})
	}
}

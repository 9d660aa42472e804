package flow

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
)

func TestCallsThatMayMakeAnotherName(t *testing.T) {
	for _, tc := range []struct {
		name, tool, arguments string
		want                  bool
	}{
		{"ln", "Bash", `{"command":"ln -s ~/.ssh k"}`, true},
		{"quotes within", "Bash", `{"command":"l''n -s ~/.ssh k"}`, true},
		{"escaped quotes within", "Bash", `{"command":"l\"\"n -s ~/.ssh k"}`, true},
		{"a backslash within", "Bash", `{"command":"l\\n -s ~/.ssh k"}`, true},
		{"capitals", "Bash", `{"command":"LN -s ~/.ssh k"}`, true},
		{"a variable", "Bash", `{"command":"a=l; b=n; $a$b -s ~/.ssh k"}`, true},
		{"letters as numbers", "Bash", `{"command":"\u006cn -s ~/.ssh k"}`, true},
		{"a program", "Bash", `{"command":"python3 -c 'import os; os.symlink(1, 2)'"}`, true},
		{"the name of a tool", "create_symlink", `{"from":"/a","to":"/b"}`, true},
		{"copies that are names", "Bash", `{"command":"cp -rs ~/.ssh k"}`, true},
		{"a junction", "Bash", `{"command":"New-Item -ItemType Junction k"}`, true},
		{"what looks around", "Bash", `{"command":"grep -rn TODO src | head -5"}`, false},
		{"a test", "Bash", `{"command":"go test ./... 2>&1"}`, false},
		{"a word that ends as it begins", "Bash", `{"command":"wc -l"}`, false},
		{"many letters", "Bash", strings.Repeat("l", 1<<16), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := mayLink([]llm.Block{{Kind: llm.ToolCall, Name: tc.tool, Arguments: tc.arguments}}); got != tc.want {
				t.Errorf("%s: %v", tc.arguments, got)
			}
		})
	}
}

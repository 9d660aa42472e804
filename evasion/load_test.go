package evasion_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/evasion"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
)

func TestALineIsACommandOrACall(t *testing.T) {
	t.Parallel()
	cases, err := evasion.Parse("f", strings.Join([]string{
		"# a comment", "",
		`files,reads  rm -rf ~ `,
		`files "a\nb"`,
		`files "r"m -rf /`,
		`files { rm -rf /; }`,
		`writes {"tool":"Write","arguments":{"a":1, "a":2}}`,
		`files {"tool":"exec","type":"custom_tool_call","input":"x","choice":1}`,
		`scripts {"calls":[{"tool":"A","arguments":{}},{"shell":"sh a"}],"before":[{"user":"hi"},{"shell":"ls","result":"a","failed":true}],"cwd":"/w"}`,
	}, "\n"), true)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 7 || cases[0].Name != "f:3" || len(cases[0].Dangers) != 2 {
		t.Fatalf("read %+v", cases)
	}
	for i, want := range []string{"rm -rf ~", "a\nb", `"r"m -rf /`, "{ rm -rf /; }"} {
		if got := cases[i].Calls[0].Shell; got != want {
			t.Errorf("command %q, want %q", got, want)
		}
	}
	if got := cases[4].Calls[0]; got.Tool != "Write" || got.Arguments != `{"a":1, "a":2}` {
		t.Errorf("the arguments are kept byte for byte: %+v", got)
	}
	if c := cases[5]; c.Calls[0].Arguments != "x" || c.Calls[0].Type != "custom_tool_call" || c.Choice != 1 {
		t.Errorf("read %+v", c)
	}
	last := cases[6]
	if len(last.Calls) != 2 || last.Before[0].User != "hi" || last.Before[1].Call.Shell != "ls" || !last.Before[1].Failed || last.Cwd != "/w" {
		t.Errorf("read %+v", last)
	}
	if forms := last.Forms(); len(forms) != len(call.Shapes("ls")) || len(forms[3]) != 2 || forms[3][0].ID == forms[3][1].ID {
		t.Errorf("%d forms, want one for each client's shape with ids of their own", len(forms))
	}
	if forms := cases[4].Forms(); len(forms) != 1 {
		t.Errorf("%d forms of a tool's call, want 1", len(forms))
	}
}

func TestALineThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	for line, why := range map[string]string{
		`files`:                                         "nothing is called",
		`files {"tool":"x"`:                             "not valid",
		`files {"tool":"x","argument":{}}`:              "argument",
		`files {"arguments":{}}`:                        "either shell, or tool or type",
		`files {"shell":"ls","tool":"x"}`:               "either shell, or tool or type",
		`files {"tool":"x","before":[{}]}`:              "either shell, or tool or type",
		`files {"tool":"x","arguments":{},"input":"y"}`: "either arguments or input",
	} {
		_, err := evasion.Parse("f", "\n"+line, true)
		if err == nil || !strings.HasPrefix(err.Error(), "f:2: ") || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", line, err, why)
		}
	}
}

// What was before must be a conversation that a client could send.
func TestRequestsHaveTheHistory(t *testing.T) {
	t.Parallel()
	cases, err := evasion.Parse("f", `{"shell":"sh a.sh","before":[{"user":"hi"},{"tool":"Write","arguments":{"file_path":"a.sh","content":"x"},"result":"done"},{"tool":"exec","type":"custom_tool_call","input":"text(1)","result":"1"},{"assistant":"so"},{"shell":"ls","result":"a.sh"}]}`, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range dialects {
		r, err := cases[0].Request(format)
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		var calls, results []string
		for _, m := range r.Messages {
			for _, b := range m.Blocks {
				switch b.Kind {
				case llm.ToolCall:
					calls = append(calls, b.Name)
				case llm.ToolResult:
					results = append(results, b.Text)
				default:
				}
			}
		}
		if len(calls) != 3 || calls[0] != "Write" || strings.Join(results, " ") != "done 1 a.sh" || r.UserText() != "hi" {
			t.Errorf("%s: calls %v, results %v", format, calls, results)
		}
	}
}

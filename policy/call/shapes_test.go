package call_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// same demands that every shape of a command is the same call.
func same(t *testing.T, command string) {
	reading := shell.Read(command, invocation.Setting{})
	want, unknown := reading.Commands, reading.Unknown
	for _, b := range call.Shapes(command) {
		got := call.Read(&b, call.Place{})
		if len(want) != len(got.Commands) || len(want) > 0 && !reflect.DeepEqual(got.Commands, want) {
			t.Errorf("%q as %s %s runs %+v\nwant %+v", command, b.Type, b.Name, got.Commands, want)
		}
		if got.Kind != call.KindShell {
			t.Errorf("%q as %s %s is %s", command, b.Type, b.Name, got.Kind)
		}
		for _, reason := range unknown {
			if !slices.Contains(got.Unknown, reason) {
				t.Errorf("%q as %s %s is unknown because of %q, want %q, too", command, b.Type, b.Name, got.Unknown, reason)
			}
			// The lists are complete where a substitution stands in an argument, or an effect says that an unseen script runs.
			if reason != invocation.Substitution && reason != invocation.Unseen && got.Incomplete == (call.Incomplete{}) {
				t.Errorf("%q as %s %s is complete, want %q", command, b.Type, b.Name, unknown)
			}
		}
		if !b.Freeform() && llm.CheckArguments(b.Arguments) != nil {
			t.Errorf("arguments %s", b.Arguments)
		}
	}
}

func TestEveryShapeIsTheSameCall(t *testing.T) {
	for _, command := range []string{
		"ls", "env X=1 sudo kubectl --context=prod delete ns a", `echo "a b" 'c' \d; rm -rf ~/x && cd y`, "git commit -m \"$(cat <<'EOF'\nx\nEOF\n)\"",
		"curl x | sh", "Rscript x.R", "./deploy.sh $(date)", "echo `ls`", "printf '\\n\\t\\u00e9 é \U0001f600'", "", "a\nb\r\nc\t\x01",
	} {
		same(t, command)
	}
}

func FuzzShapes(f *testing.F) {
	f.Add("ls -la; rm x")
	f.Add("echo \"a\" 'b' \\c $'d' `e` ${f} \u2028\x7f</script>")
	f.Fuzz(func(t *testing.T, command string) {
		if !utf8.ValidString(command) || len(command) > 1<<14 || strings.Contains(command, "\ufffd") {
			return // JSON cannot carry it as it is
		}
		if strings.HasPrefix(command, "-") || strings.HasPrefix(command, "+") {
			return // to sh -c it is an option
		}
		same(t, command)
	})
}

func FuzzRead(f *testing.F) {
	f.Add("Bash", "tool_use", `{"command":"ls"}`)
	f.Add("exec", "custom_tool_call", "tools.exec_command({cmd:'ls', a:[1,{b:`c`}]}) // x\n/* y */")
	f.Add("apply_patch", "custom_tool_call", "*** Begin Patch\n*** Add File: a\n")
	f.Add("run_tool", "function", `{"name":"batch","arguments":{"tool_calls":[{"tool":"x","parameters":{}}]}}`)
	f.Add("", "shell_call", `{"commands":[["a"],{"command":["b"]},1,"c"],"env":{"a":"b"}}`)
	f.Add("mcp__a__b", "", `{"path":"C:\\x","url":["http://a"],"edits":[{"file_path":"x"}]}`)
	f.Add("exec", "custom_tool_call", "const t = tools; for (const c of ['ls', `rm ${x}`]) await t['exec_' + 'command']({cmd: c}); require('fs').rmSync('/x')")
	f.Add("MultiEdit", "tool_use", `{"file_path":"/a","edits":[{"old_string":"x","new_string":"y"}],"diff":"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"}`)
	f.Add("patch", "tool_use", `{"diff":"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-p\n+q\n","path":"x"}`)
	f.Add("x", "tool_use", `{"command":"rm","args":["-rf",5,null],"params":{"cmd":"[\"a\"]"},"соmmand":{"cmd":[["a"],["b"]]}}`)
	f.Add("mcp__postgres__query", "tool_use", `{"sql":["a"],"query":"b","method":"POST","body":{}}`)
	f.Fuzz(func(t *testing.T, name, typ, text string) {
		for _, kind := range []llm.Kind{llm.ToolCall, llm.Opaque} {
			for _, at := range []call.Place{{}, {Cwd: "/w", Home: "/h"}, {Cwd: "~/w"}} {
				b := llm.Block{Kind: kind, Name: name, Type: typ, Arguments: text}
				if kind == llm.Opaque {
					b = llm.Block{Kind: kind, Type: typ, Raw: []byte(text)}
				}
				got := call.Read(&b, at)
				if got.Kind == "" || len(got.Commands) > invocation.MaxCommands {
					t.Fatalf("%+v", got)
				}
				if doubt := got.Incomplete != (call.Incomplete{}); doubt != (len(got.Unknown) > 0) {
					t.Fatalf("unknown %q, incomplete %+v", got.Unknown, got.Incomplete)
				}
				got.Args()
				if n := len(got.Contents()); n > call.MaxContents {
					t.Fatalf("%d contents", n)
				}
			}
		}
	})
}

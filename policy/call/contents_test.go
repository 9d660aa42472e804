package call_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
)

func TestWhatIsPutIntoFiles(t *testing.T) {
	cases := []struct {
		name  string
		block *llm.Block
		want  string
	}{
		{"write", function("Write", `{"file_path":"a","content":"x\ny"}`), `/w/a whole "x\ny"`},
		{"write in another order", function("write_file", `{"content":"x","path":"/a"}`), `/a whole "x"`},
		{"an empty file", function("Write", `{"file_path":"/a","content":""}`), `/a whole ""`},
		{"JSON that is no text", function("write_file", `{"path":"/a","content":{"b":1}}`), `/a whole "{\"b\":1}"`},
		{"at the end", function("write_file", `{"path":"/a","content":"x","mode":"append"}`), `/a part "x"`},
		{"edit", function("Edit", `{"file_path":"/a","old_string":"x","new_string":"y"}`), `/a part "y" for "x"`},
		{"edits", function("MultiEdit", `{"file_path":"/a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"v","new_string":"w"}]}`), `/a part "y" for "x"; /a part "w" for "v"`},
		{"edits of several files", function("multi_replace_string_in_file", `{"replacements":[{"filePath":"/a","oldString":"x","newString":"y"}]}`), `/a part "y" for "x"`},
		{"edits of a server", function("mcp__filesystem__edit_file", `{"path":"/a","edits":[{"oldText":"x","newText":"y"}]}`), `/a part "y" for "x"`},
		{"a notebook", function("NotebookEdit", `{"notebook_path":"/a.ipynb","new_source":"x"}`), `/a.ipynb part "x"`},
		{"an editor that creates", function("str_replace_based_edit_tool", `{"command":"create","path":"/a","file_text":"x"}`), `/a whole "x"`},
		{"an editor that replaces", function("str_replace_based_edit_tool", `{"command":"str_replace","path":"/a","old_str":"x","new_str":"y"}`), `/a part "y" for "x"`},
		{"an editor that inserts", function("str_replace_based_edit_tool", `{"command":"insert","path":"/a","insert_line":0,"insert_text":"y"}`), `/a part "y"`},
		{"a patch", custom("apply_patch", "*** Begin Patch\n*** Add File: a\n+x\n+y\n*** Update File: b\n@@\n c\n-d\n+e\n@@\n+f\n*** End Patch"), `/w/a whole "x\ny\n"; /w/b part "e\n" for "d\n"; /w/b part "f\n"`},
		{"a patch by a shell", &call.Shapes("apply_patch <<'EOF'\n*** Add File: a\n+x\nEOF")[0], `/w/a whole "x\n"`},
		{"a diff", function("patch", `{"diff":"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-p\n+q\n"}`), `/w/x part "q\n" for "p\n"`},
		{"a diff as an item", &llm.Block{Kind: llm.ToolCall, Type: "apply_patch_call", Arguments: `{"type":"update_file","path":"x","diff":"@@\n-p\n+q\n"}`}, `/w/x part "q\n" for "p\n"`},
		{"search and replace", function("replace_in_file", `{"path":"/a","diff":"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"}`), `/a part "y\n" for "x\n"`},
		{"in a program", custom("exec", "const b = 'x'; await tools.apply_patch(`*** Begin Patch\n*** Add File: a\n+${b}\n*** End Patch`)"), `/w/a whole "x\n"`},
		{"in a batch", function("batch", `{"tool_calls":[{"tool":"Write","parameters":{"file_path":"/a","content":"x"}},{"tool":"Write","parameters":{"file_path":"/b","content":"y"}}]}`), `/a whole "x"; /b whole "y"`},
		{"by a program itself", custom("js_repl", `require("fs").writeFileSync("a", "x")`), `/w/a whole "x"`},
		{"nothing", function("Read", `{"file_path":"/a"}`), ``},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, content := range call.Read(c.block, call.Place{Cwd: "/w"}).Contents() {
				line := content.Path + " part " + strconv.Quote(content.Text)
				if content.Whole {
					line = content.Path + " whole " + strconv.Quote(content.Text)
				}
				if content.Old != "" {
					line += " for " + strconv.Quote(content.Old)
				}
				got = append(got, line)
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), c.want)
			}
		})
	}
}

func TestAsManyContentsAsAllowed(t *testing.T) {
	for _, n := range []int{call.MaxContents, call.MaxContents + 1} {
		edits := strings.TrimSuffix(strings.Repeat(`{"old_string":"x","new_string":"y"},`, n), ",")
		got := call.Read(function("MultiEdit", `{"file_path":"/a","edits":[`+edits+`]}`), call.Place{}).Contents()
		if len(got) != call.MaxContents {
			t.Errorf("%d edits: %d contents", n, len(got))
		}
	}
}

func TestWhatToolsAreFor(t *testing.T) {
	cases := []struct {
		name, arguments  string
		sql              string
		sends, untrusted bool
	}{
		{"mcp__postgres__query", `{"sql":"select 1"}`, "select 1", false, true},
		{"mcp__sqlite__write_query", `{"query":"delete from t"}`, "delete from t", false, true},
		{"mcp__mysql__mysql_query", `{"query":"drop table t"}`, "drop table t", false, true},
		{"mcp__supabase__execute_sql", `{"project_id":"p","query":"drop table t"}`, "drop table t", false, true},
		{"execute_sql", `{"statements":["a","b"]}`, "a; b", false, false},
		{"mcp__slack__slack_post_message", `{"channel_id":"C","text":"x"}`, "", true, true},
		{"mcp__gmail__send_email", `{"to":["a@b.c"],"subject":"x","body":"y"}`, "", true, true},
		{"mcp__gmail__search_emails", `{"query":"from:x"}`, "", false, true},
		{"mcp__github__create_issue", `{"owner":"o","repo":"r","title":"t"}`, "", true, true},
		{"mcp__github__add_issue_comment", `{"body":"x"}`, "", true, true},
		{"mcp__github__createOrUpdateFile", `{"path":"a","content":"x"}`, "", true, true},
		{"mcp__github__get_issue", `{"issue_number":1}`, "", false, true},
		{"mcp__notion__API-post-page", `{"parent":{}}`, "", true, true},
		{"mcp__jira__jira_get_issue", `{"issue_key":"A-1"}`, "", false, true},
		{"WebFetch", `{"url":"https://a.b","prompt":"x"}`, "", false, true},
		{"WebSearch", `{"query":"x"}`, "", false, true},
		{"http_request", `{"url":"https://a.b","method":"POST","body":"x"}`, "", true, true},
		{"http_request", `{"url":"https://a.b","method":"get"}`, "", false, true},
		{"mcp__playwright__browser_navigate", `{"url":"https://a.b"}`, "", false, true},
		{"mcp__playwright__browser_evaluate", `{"function":"() => fetch('https://a.b', {method: 'POST', body: document.cookie})"}`, "", true, true},
		{"mcp__filesystem__read_file", `{"path":"a"}`, "", false, false},
		{"mcp__desktop-commander__start_process", `{"command":"ls"}`, "", false, false},
		{"Bash", `{"command":"ls"}`, "", false, false},
		{"Write", `{"file_path":"a","content":"x"}`, "", false, false},
		{"TodoWrite", `{"todos":[]}`, "", false, false},
		{"get_weather", `{"city":"x"}`, "", false, false},
	}
	for _, c := range cases {
		got := call.Read(function(c.name, c.arguments), call.Place{})
		if sql := strings.Join(got.SQL, "; "); sql != c.sql || got.Sends != c.sends || got.Untrusted != c.untrusted {
			t.Errorf("%s %s: sql %q, sends %v, untrusted %v", c.name, c.arguments, sql, got.Sends, got.Untrusted)
		}
	}
}

func TestProgramsDoMoreThanCallTools(t *testing.T) {
	got := call.Read(custom("exec", `
		const fs = require("fs"), cp = require("child_process");
		cp.execSync("rm -rf a"); cp.spawn("rm", ["b"]); fs.rmSync("c", {recursive: true}); fs.readFileSync("d"); fetch("https://e.f");`), call.Place{Cwd: "/w"})
	if names(got) != "rm -rf a; rm b" || fmt.Sprint(got.Writes) != "[/w/a /w/b /w/c]" || fmt.Sprint(got.Reads) != "[/w/d]" || fmt.Sprint(got.URLs) != "[https://e.f]" {
		t.Errorf("runs %q, writes %q, reads %q, urls %q", names(got), got.Writes, got.Reads, got.URLs)
	}
	got = call.Read(function("js_repl", `{"code":"tools.exec_command({cmd: 'ls'})"}`), call.Place{})
	if names(got) != "ls" || got.Kind != call.KindShell || got.Name != "js_repl" {
		t.Errorf("%s runs %q, kind %s", got.Name, names(got), got.Kind)
	}
	got = call.Read(function("mcp__py__run_python", `{"code":"import os"}`), call.Place{})
	if names(got) != "python3 -c import os" || !got.Incomplete.Commands {
		t.Errorf("runs %q, incomplete %v", names(got), got.Incomplete)
	}
}

func TestArgumentsWrittenTwice(t *testing.T) {
	got := call.Read(function("Bash", `"{\"command\":\"ls\"}"`), call.Place{})
	if names(got) != "ls" || got.Args()["command"] != "ls" {
		t.Errorf("runs %q, args %v", names(got), got.Args())
	}
}

package call_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/invocation"
)

// function is a call of a tool by name with JSON arguments.
func function(name, arguments string) *llm.Block {
	return &llm.Block{Kind: llm.ToolCall, Type: "tool_use", Name: name, Arguments: arguments, Status: llm.Complete}
}

// custom is a call of a tool with free-form input.
func custom(name, input string) *llm.Block {
	return &llm.Block{Kind: llm.ToolCall, Type: "custom_tool_call", Name: name, Arguments: input, Status: llm.Complete}
}

// names are the names of a call's commands.
func names(c *call.Call) string {
	out := make([]string, 0, len(c.Commands))
	for i := range c.Commands {
		out = append(out, strings.TrimSpace(c.Commands[i].Name+" "+strings.Join(c.Commands[i].Args, " ")))
	}
	return strings.Join(out, "; ")
}

// numbers are n different words.
func numbers(n int, between string) string {
	words := make([]string, n)
	for i := range words {
		words[i] = strconv.Itoa(i)
	}
	return strings.Join(words, between)
}

func TestToolsHaveOneName(t *testing.T) {
	cases := []struct {
		name, raw    string
		want, server string
		kind         call.Kind
	}{
		{"as it is", "Bash", "Bash", "", call.KindShell},
		{"in another case", "BASH", "Bash", "", call.KindShell},
		{"blanks around it", " bash\n", "Bash", "", call.KindShell},
		{"signs without width", "Ba\u200bsh\ufeff", "Bash", "", call.KindShell},
		{"control characters", "Ba\x00s\x1bh", "Bash", "", call.KindShell},
		{"full width letters", "Ｂａｓｈ", "Bash", "", call.KindShell},
		{"cyrillic letters", "Ваѕһ", "Bash", "", call.KindShell},
		{"greek letters", "Βαsh", "Bash", "", call.KindShell},
		{"mathematical letters", "𝐁𝐚𝐬𝐡", "Bash", "", call.KindShell},
		{"a prefix", "functions.exec_command", "exec_command", "", call.KindShell},
		{"another prefix", "default_api:read_file", "read_file", "", call.KindRead},
		{"two prefixes", "tools.functions.Write", "Write", "", call.KindWrite},
		{"numbered", "functions.Bash:3", "Bash", "", call.KindShell},
		{"a dot of its own", "container.exec", "container.exec", "", call.KindShell},
		{"a tool of a server", "mcp__github__create_issue", "create_issue", "github", call.KindMCP},
		{"a server with a sign in it", "mcp__my_server__run_it", "run_it", "my_server", call.KindMCP},
		{"one line between", "mcp_github_create_issue", "create_issue", "github", call.KindMCP},
		{"a colon between", "github:create_issue", "create_issue", "github", call.KindMCP},
		{"two lines between", "github__create_issue", "create_issue", "github", call.KindMCP},
		{"a known tool of a server", "mcp__box__BASH", "Bash", "box", call.KindMCP},
		{"nothing known", "get_thing2", "get_thing2", "", call.KindOther},
		{"words in capitals", "RunShellCommand", "run_shell_command", "", call.KindShell},
		{"words joined by dashes", "run-shell-command", "run_shell_command", "", call.KindShell},
		{"words joined by blanks", "Run Shell Command", "run_shell_command", "", call.KindShell},
		{"a number behind it", "Bash_2", "Bash", "", call.KindShell},
		{"signs of a model's format", "Bash<|channel|>commentary", "Bash", "", call.KindShell},
		{"letters in circles", "Ⓑⓐⓢⓗ", "Bash", "", call.KindShell},
		{"small capitals", "ʙᴀꜱʜ", "Bash", "", call.KindShell},
		{"cherokee and armenian letters", "Ᏼaսsh", "Baush", "", call.KindOther},
		{"raised letters", "ᵇᵃˢʰ", "Bash", "", call.KindShell},
		{"marks on letters", "Ba\u0301s\u0327h", "Bash", "", call.KindShell},
		{"letters in squares", "🄱🄰🅂🄷", "Bash", "", call.KindShell},
		{"web", "WebFetch", "WebFetch", "", call.KindFetch},
		{"web of another client", "web_fetch", "web_fetch", "", call.KindFetch},
		{"edit", "MultiEdit", "MultiEdit", "", call.KindEdit},
		{"task", "Task", "Task", "", call.KindTask},
		{"empty", "", "tool_use", "", call.KindOther},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := call.Read(function(c.raw, `{}`), call.Place{})
			if got.Name != c.want || got.Server != c.server || got.Kind != c.kind {
				t.Errorf("%q is %q of %q, kind %s", c.raw, got.Name, got.Server, got.Kind)
			}
			if c.raw != "" && got.RawName != c.raw {
				t.Errorf("raw name %q", got.RawName)
			}
		})
	}
}

func TestCommandsAreFoundInEveryShape(t *testing.T) {
	cases := []struct {
		name  string
		block *llm.Block
		want  string
	}{
		{"argument list without a shell", function("shell", `{"command":["rm","-rf","a b"]}`), "rm -rf a b"},
		{"argument list with one text", function("shell", `{"command":["ls -la; pwd"]}`), "ls -la; pwd"},
		{"list of texts", function("x", `{"commands":["ls","pwd"]}`), "ls; pwd"},
		{"list of argument lists", function("x", `{"commands":[["ls","a"],["pwd"]]}`), "ls a; pwd"},
		{"list of objects", function("x", `{"commands":[{"command":"ls"},{"cmd":"pwd"}]}`), "ls; pwd"},
		{"an unknown tool", function("do_it", `{"script":"ls"}`), "ls"},
		{"members in another case", function("do_it", `{"Command":"ls"}`), "ls"},
		{"two members", function("do_it", `{"command":"ls","Command":"rm x"}`), "ls; rm x"},
		{"a tool of a server", function("mcp__box__go", `{"command":"ls"}`), "ls"},
		{"a windows client", function("run_command", `{"CommandLine":"ls","Cwd":"C:\\x"}`), "ls"},
		{"an object around it", function("do_it", `{"action":{"command":["ls"]}}`), "ls"},
		{"free text", custom("shell", "ls; pwd"), "ls; pwd"},
		{"a program", custom("exec", `await tools.exec_command({cmd: 'l\x73', workdir: "/x", n: 1}); await tools.exec_command({"cmd": "pwd",});`), "ls; pwd"},
		{"a program with a regular expression", custom("exec", `tools.exec_command({cmd:"ls"}); /"/; tools.exec_command({cmd:"rm"}); /"/`), "ls; rm"},
		{"a program that computes", custom("exec", `const t = tools, c = ["l", "s"]; t["exec_" + "command"]({cmd: c.join("")})`), "ls"},
		{"a program and its arguments", function("x", `{"command":"rm","args":["-rf","a b"]}`), "rm -rf a b"},
		{"arguments before the program", function("x", `{"args":["-rf","/"],"command":"rm"}`), "rm -rf /"},
		{"arguments as text", function("x", `{"command":"rm","args":"-rf /"}`), "rm -rf /"},
		{"arguments of a shell text", function("x", `{"command":"rm -rf","args":["it's"]}`), "rm -rf it's"},
		{"numbers among the arguments", function("shell", `{"command":["sleep",5]}`), "sleep 5"},
		{"a list as text", function("x", `{"command":"[\"rm\",\"-rf\",\"/\"]"}`), "rm -rf /"},
		{"an object as text", function("x", `{"command":"{\"cmd\":\"ls\"}"}`), "ls"},
		{"arguments written twice", function("Bash", `"{\"command\":\"ls\"}"`), "ls"},
		{"in parameters", function("x", `{"params":{"command":"ls"}}`), "ls"},
		{"in a text", function("x", `{"input":"{\"command\":\"ls\"}"}`), "ls"},
		{"a member with a look-alike letter", function("x", `{"соmmand":"ls"}`), "ls"},
		{"a member with an escape", function("x", `{"\u0063ommand":"ls"}`), "ls"},
		{"a member with a hidden sign", function("x", `{"com\u200bmand":"ls"}`), "ls"},
		{"a member called bash", function("x", `{"bash":"ls"}`), "ls"},
		{"a dispatcher with the arguments beside the name", function("run_tool", `{"tool":"Bash","command":"ls"}`), "ls"},
		{"a list of lists", function("x", `{"command":[["rm","-rf"],["x"]]}`), "rm -rf x; rm -rf; x"},
		{"a dispatcher of a server", function("use_mcp_tool", `{"server_name":"desktop-commander","tool_name":"start_process","arguments":"{\"command\":\"ls\"}"}`), "ls"},
		{"invocations", function("batch", `{"invocations":[{"tool_name":"Bash","input":{"command":"ls"}}]}`), "ls"},
		{"through a dispatcher", function("mcp__gw__run_tool", `{"name":"Bash","arguments":{"command":"ls"}}`), "ls"},
		{"through a dispatcher with text", function("call_tool", `{"tool":"Bash","args":"{\"command\":\"ls\"}"}`), "ls"},
		{"through two dispatchers", function("run_tool", `{"name":"execute_tool","input":{"tool_name":"Bash","arguments":{"command":"ls"}}}`), "ls"},
		{"many at once", function("batch", `{"tool_calls":[{"tool":"bash","parameters":{"command":"ls"}},{"tool":"bash","parameters":{"command":"pwd"}}]}`), "ls; pwd"},
		{"in parallel", function("multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"functions.shell","parameters":{"command":["ls"]}}]}`), "ls"},
		{"opaque", &llm.Block{Kind: llm.Opaque, Type: "new_call", Raw: []byte(`{"type":"new_call","name":"Bash","input":{"command":"ls"}}`)}, "ls"},
		{"opaque with text", &llm.Block{Kind: llm.Opaque, Type: "new_call", Raw: []byte(`{"type":"new_call","name":"Bash","arguments":"{\"command\":\"ls\"}"}`)}, "ls"},
		{"opaque with an action", &llm.Block{Kind: llm.Opaque, Type: "new_shell_call", Raw: []byte(`{"type":"new_shell_call","action":{"commands":["ls"]}}`)}, "ls"},
		{"opaque with a command", &llm.Block{Kind: llm.Opaque, Type: "x", Raw: []byte(`{"type":"x","command":"ls"}`)}, "ls"},
		{"an editor's command is none", function("str_replace_based_edit_tool", `{"command":"view","path":"/a"}`), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := call.Read(c.block, call.Place{})
			if names(got) != c.want || len(got.Unknown) > 0 {
				t.Errorf("runs %q, unknown %q", names(got), got.Unknown)
			}
			if c.want != "" && got.Kind != call.KindShell && got.Kind != call.KindMCP {
				t.Errorf("kind %s", got.Kind)
			}
		})
	}
}

func TestDispatchersAreUnwrapped(t *testing.T) {
	got := call.Read(function("mcp__gw__run_tool", `{"name":"github__push","arguments":{"branch":"main"}}`), call.Place{})
	if got.Name != "push" || got.Server != "github" || got.Kind != call.KindMCP || got.Args()["branch"] != "main" || got.RawName != "mcp__gw__run_tool" {
		t.Errorf("%+v %v", got, got.Args())
	}
	deep := `{}`
	for range 10 {
		deep = `{"name":"run_tool","arguments":` + deep + `}`
	}
	if got := call.Read(function("run_tool", deep), call.Place{}); !slices.Contains(got.Unknown, invocation.Nesting) {
		t.Errorf("unknown %q", got.Unknown)
	}
	approval := &llm.Block{Kind: llm.ToolCall, Type: "mcp_approval_request", Name: "go", Arguments: `{"url":"https://a.b/"}`, Raw: []byte(`{"server_label":"zip1"}`)}
	if got := call.Read(approval, call.Place{}); got.Server != "zip1" || got.Kind != call.KindMCP || !slices.Equal(got.URLs, []string{"https://a.b/"}) {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsTouched(t *testing.T) {
	at := call.Place{Cwd: "/repo", Home: "/home/u"}
	bash := func(command string) *llm.Block { return &call.Shapes(command)[0] }
	cases := []struct {
		name                string
		block               *llm.Block
		reads, writes, urls string
	}{
		{"read", function("Read", `{"file_path":"a/../b"}`), "/repo/b", "", ""},
		{"read in another style", function("read", `{"filePath":"~/.ssh/../.ssh/id_rsa"}`), "/home/u/.ssh/id_rsa", "", ""},
		{"read many", function("read_many_files", `{"paths":["a","/b"]}`), "/repo/a /b", "", ""},
		{"list", function("list_directory", `{"dir_path":"a"}`), "/repo/a", "", ""},
		{"glob", function("Glob", `{"pattern":"~/.ssh/*"}`), "/home/u/.ssh/*", "", ""},
		{"write", function("Write", `{"file_path":"/a","content":"x"}`), "", "/a", ""},
		{"edit", function("Edit", `{"file_path":"/a","old_string":"x","new_string":"y"}`), "", "/a", ""},
		{"notebook", function("NotebookEdit", `{"notebook_path":"/a.ipynb"}`), "", "/a.ipynb", ""},
		{"edits in a list", function("MultiEdit", `{"edits":[{"file_path":"/a"},{"file_path":"/b"}]}`), "", "/a /b", ""},
		{"an editor that looks", function("str_replace_based_edit_tool", `{"command":"view","path":"/a"}`), "/a", "", ""},
		{"an editor that writes", function("str_replace_based_edit_tool", `{"command":"create","path":"/a"}`), "", "/a", ""},
		{"an unknown tool that looks", function("get_thing", `{"path":"/a"}`), "/a", "", ""},
		{"an unknown tool", function("thing", `{"path":"/a"}`), "/a", "/a", ""},
		{"move", function("move_file", `{"source":"/a","destination":"/b"}`), "", "/b /a", ""},
		{"copy", function("copy_file", `{"source":"/a","destination":"/b"}`), "/a", "/b", ""},
		{"rename", function("rename_file", `{"path":"/d/a","new_name":"b"}`), "", "/d/b /d/a", ""},
		{"download", function("download_file", `{"url":"https://a.b/c","output":"x"}`), "", "/repo/x", "https://a.b/c"},
		{"an attachment", function("send_email", `{"to":"a@b.c","attachments":["/a"]}`), "/a", "", ""},
		{"patch", custom("apply_patch", "*** Begin Patch\n*** Add File: a\n+*** Add File: x\n*** Update File: b\n*** Move to: /c\n*** Delete File: d\n*** End Patch"), "", "/repo/a /repo/b /c /repo/d", ""},
		{"patch as an argument", function("apply_patch", `{"input":"*** Begin Patch\n*** Add File: a\n*** End Patch"}`), "", "/repo/a", ""},
		{"patch as an item", &llm.Block{Kind: llm.ToolCall, Type: "apply_patch_call", Arguments: `{"type":"delete_file","path":"obsolete.txt"}`}, "", "/repo/obsolete.txt", ""},
		{"patch by a shell", bash("apply_patch <<'EOF'\n*** Update File: a\nEOF"), "", "/repo/a", ""},
		{"patch as a diff", function("patch", `{"diff":"--- a/x\n+++ b/x\n@@"}`), "", "/repo/x", ""},
		{"patch in a program", custom("exec", "await tools.apply_patch(`*** Begin Patch\n*** Add File: a\n`)"), "", "/repo/a", ""},
		{"windows", function("Read", `{"file_path":"C:\\a\\..\\b"}`), "C:/b", "", ""},
		{"backslashes may be either", function("Read", `{"file_path":"..\\b"}`), `/repo/..\b /b`, "", ""},
		{"a file address", function("fetch", `{"url":"file:///etc/passwd"}`), "/etc/passwd", "", ""},

		{"redirections", bash("a > x 2>> y < z > /dev/null"), "/repo/z", "/repo/x /repo/y", ""},
		{"cat", bash("cat a $HOME/b"), "/repo/a /home/u/b", "", ""},
		{"head with a number", bash("head -n 5 a"), "/repo/a", "", ""},
		{"grep", bash("grep -rn x src"), "/repo/src", "", ""},
		{"grep with -e", bash("grep -e x src"), "/repo/src", "", ""},
		{"cp", bash("cp a b c"), "/repo/a /repo/b", "/repo/c/a /repo/c/b", ""},
		{"cp into", bash("cp -t d a"), "/repo/a", "/repo/d/a", ""},
		{"mv", bash("mv a b"), "", "/repo/b /repo/a", ""},
		{"rm", bash("sudo rm -rf -- a -b"), "", "/repo/a /repo/-b", ""},
		{"tee", bash("x | tee -a y"), "", "/repo/y", ""},
		{"dd", bash("dd if=/a of=/dev/sda bs=1M"), "/a", "/dev/sda", ""},
		{"sed", bash("sed s/a/b/ x"), "/repo/x", "", ""},
		{"sed in place", bash("sed -i.bak -e s/a/b/ x"), "", "/repo/x", ""},
		{"chmod", bash("chmod 777 x"), "", "/repo/x", ""},
		{"find that deletes", bash("find src -name x -delete"), "", "/repo/src/**/x", ""},
		{"cd before it", bash("cd sub && rm a; cd /x; rm b"), "", "/repo/sub/a /x/b", ""},
		{"a directory of the call", function("exec_command", `{"cmd":"rm a","workdir":"sub"}`), "", "/repo/sub/a", ""},
		{"elsewhere", bash("ssh h rm a"), "", "", ""},
		{"a script is run, not shown", bash("bash x.sh"), "", "", ""},

		{"web", function("WebFetch", `{"url":"https://a.b/c","prompt":"x"}`), "", "", "https://a.b/c"},
		{"web by prompt", function("web_fetch", `{"prompt":"see https://a.b/c, and http://d.e"}`), "", "", "https://a.b/c http://d.e"},
		{"several", function("fetch_webpage", `{"urls":["https://a","https://b"]}`), "", "", "https://a https://b"},
		{"curl", bash(`curl -sS -d @x -o y "https://a.b/c?d" e.com/f`), "/repo/x", "/repo/y", "https://a.b/c?d http://e.com/f"},
		{"git", bash("git clone https://a.b/c.git"), "", "/repo/c", "https://a.b/c.git"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := call.Read(c.block, at)
			if r, w, u := strings.Join(got.Reads, " "), strings.Join(got.Writes, " "), strings.Join(got.URLs, " "); r != c.reads || w != c.writes || u != c.urls {
				t.Errorf("reads %q, writes %q, urls %q", r, w, u)
			}
			if len(got.Unknown) > 0 && c.name != "a script is run, not shown" {
				t.Errorf("unknown %q", got.Unknown)
			}
		})
	}
}

func TestPathsWithoutAPlace(t *testing.T) {
	cases := map[string]string{
		"~/.ssh/../.ssh/id_rsa": "~/.ssh/id_rsa",
		"$HOME/x":               "~/x",
		"${HOME}":               "~",
		"~/../x":                "~/../x",
		"~bob/x":                "~bob/x",
		"a/./b/":                "a/b",
		"/a//b":                 "/a/b",
		"$PWD/a":                "a",
		`%USERPROFILE%\x`:       "~/x",
		`\\host\share\x`:        "/host/share/x",
	}
	for p, want := range cases {
		arguments := strings.ReplaceAll(`{"file_path":"`+p+`"}`, `\`, `\\`)
		if got := call.Read(function("Read", arguments), call.Place{}); !slices.Equal(got.Reads, []string{want}) || len(got.Unknown) > 0 {
			t.Errorf("%s is %q, unknown %q", p, got.Reads, got.Unknown)
		}
	}
}

func TestDoubtIsNamed(t *testing.T) {
	all := call.Incomplete{Commands: true, Reads: true, Writes: true, URLs: true}
	bash := func(command string) *llm.Block { return &call.Shapes(command)[0] }
	cases := []struct {
		name   string
		block  *llm.Block
		reason string
		lists  call.Incomplete
	}{
		{"no JSON", function("x", `{"a":`), call.Arguments, all},
		{"a key twice", function("Bash", `{"command":"ls","command":"rm"}`), call.Arguments, all},
		{"no object", function("x", `[]`), call.Arguments, all},
		{"cut", &llm.Block{Kind: llm.ToolCall, Name: "x", Arguments: `{}`, Status: llm.Incomplete}, call.Unfinished, all},
		{"a command that is no text", function("Bash", `{"command":5}`), call.Shape, all},
		{"a shell without a command", function("Bash", `{"x":"ls"}`), call.Shape, all},
		{"an edit without a file", function("Edit", `{"x":"ls"}`), call.Shape, call.Incomplete{Writes: true}},
		{"a shell text", bash("$X -rf a"), invocation.Variable, all},
		{"input of a program", function("write_stdin", `{"session_id":1,"chars":"rm x\n"}`), call.Input, all},
		{"a program with a variable", custom("exec", `tools.exec_command({cmd: x})`), call.Script, all},
		{"a program with a template", custom("exec", "tools.exec_command({cmd: `ls ${x}`})"), call.Script, all},
		{"a program with a sum", custom("exec", `tools.exec_command({cmd: "ls" + x})`), call.Script, all},
		{"a program that computes a name", custom("exec", `tools.exec_command({cmd:"ls"}); tools["exec"+x]({cmd:"rm"})`), call.Script, all},
		{"a program with an alias", custom("exec", `tools.exec_command({cmd:"ls"}); other(tools)`), call.Script, all},
		{"a program with eval", custom("exec", `tools.exec_command({cmd:"ls"}); eval(x.y)`), call.Script, all},
		{"a program with a hidden line end", custom("exec", "tools.exec_command({cmd:\"ls\"}); // x\u2028tools.exec_command({cmd:y})"), call.Script, all},
		{"a program without calls", custom("exec", `1+1`), call.Script, all},
		{"code", function("code_execution", `{"code":"x"}`), call.Script, all},
		{"a variable in a path", bash("rm -rf $X/a"), invocation.Path, call.Incomplete{Reads: true, Writes: true}},
		{"a variable in a file to read", bash("cat $X"), invocation.Path, call.Incomplete{Reads: true, Writes: true}},
		{"a variable as an address", bash("curl $X"), invocation.Variable, call.Incomplete{URLs: true}},
		{"xargs", bash("list | xargs rm"), invocation.More, call.Incomplete{Reads: true, Writes: true}},
		{"a lost directory", bash("cd -; rm a"), invocation.Path, call.Incomplete{Reads: true, Writes: true}},
		{"a mouse", &llm.Block{Kind: llm.ToolCall, Type: "computer_call", Arguments: `{"type":"click","x":1}`}, call.Computer, all},
		{"another shell", function("PowerShell", `{"command":"ls"}`), invocation.Dialect, all},
		{"too many files", bash("rm " + numbers(call.MaxPaths+1, " ")), invocation.Many, call.Incomplete{Writes: true}},
		{"too many addresses", function("fetch", `{"urls":["`+numbers(call.MaxPaths+1, `","`)+`"]}`), invocation.Many, call.Incomplete{URLs: true}},
		{"a directory that is too long", function("shell", `{"command":["rm","a"],"workdir":"/`+strings.Repeat("x", 4096)+`"}`), call.Location, call.Incomplete{Reads: true, Writes: true}},
		{"too many commands", function("x", `{"commands":["`+strings.Repeat("a;", 600)+`","`+strings.Repeat("a;", 600)+`"]}`), invocation.Many, all},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := call.Read(c.block, call.Place{Cwd: "/w"})
			if !slices.Contains(got.Unknown, c.reason) || got.Incomplete != c.lists {
				t.Errorf("unknown %q, incomplete %+v", got.Unknown, got.Incomplete)
			}
		})
	}
	for _, b := range []*llm.Block{
		function("write_stdin", `{"session_id":1,"chars":""}`), function("write_stdin", `{"session_id":1,"chars":"\u0003"}`),
		function("bash", `{"restart":true}`), function("get_weather", `{"city":"x"}`), function("get_weather", ``),
	} {
		if got := call.Read(b, call.Place{}); len(got.Unknown) > 0 || len(got.Commands) > 0 {
			t.Errorf("%s %s: unknown %q, runs %q", b.Name, b.Arguments, got.Unknown, names(got))
		}
	}
}

func TestVariablesOfTheCallReachItsCommands(t *testing.T) {
	got := call.Read(function("shell", `{"command":["env","B=2","kubectl"],"env":{"A":"1"},"workdir":"/x"}`), call.Place{})
	if env := got.Commands[0].Env; env["A"] != "1" || env["B"] != "2" || got.Cwd != "/x" {
		t.Errorf("env %v in %q", env, got.Cwd)
	}
}

func TestArgsAreTheParsedArguments(t *testing.T) {
	if got := call.Read(function("x", `{"a":"b"}`), call.Place{}); got.Args()["a"] != "b" || got.Raw != `{"a":"b"}` {
		t.Errorf("args %v, raw %s", got.Args(), got.Raw)
	}
	if got := call.Read(function("x", `{"a":`), call.Place{}); got.Args() != nil {
		t.Errorf("args %v", got.Args())
	}
	if got := call.Read(custom("shell", `{"a":1}`), call.Place{}); got.Args() != nil {
		t.Errorf("args %v", got.Args())
	}
}

func TestAsManyFilesAsAllowed(t *testing.T) {
	got := call.Read(&call.Shapes("rm " + numbers(call.MaxPaths, " "))[0], call.Place{Cwd: "/w"})
	if len(got.Writes) != call.MaxPaths || len(got.Unknown) > 0 {
		t.Errorf("%d files, unknown %q", len(got.Writes), got.Unknown)
	}
}

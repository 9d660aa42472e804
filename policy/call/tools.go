package call

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// touch says what a tool does with the paths it is given.
type touch uint8

const (
	reads  touch = 1
	writes touch = 2
	// byVerb tools take the action in a member named command: view, create,
	// str_replace. It is not a shell command.
	byVerb touch = 4
	// removes is set in addition to writes if the file is removed.
	removes touch = 8
)

// tool is a tool that is known by name.
type tool struct {
	name  string // usual spelling
	kind  Kind
	touch touch
}

// tools are the tools of the usual clients by their names in lower case.
var tools = index(
	// Shells. Claude Code, Codex, opencode, Gemini CLI, Qwen Code, Cursor, Cline, editors and frameworks.
	list(KindShell, 0, "Bash", "PowerShell", "shell", "shell_command", "exec_command", "write_stdin", "local_shell", "container.exec",
		"unified_exec", "exec", "run_shell_command", "run_terminal_cmd", "run_terminal_command", "run_terminal_command_v2", "execute_command", "run_command",
		"run_in_terminal", "runInTerminal", "execute_bash", "terminal", "bash_code_execution", "start_process", "interact_with_process",
		"send_to_terminal", "sh", "zsh", "run_bash", "run_script", "execute_shell", "shell_exec", "Monitor", "cmd", "console",
		"execute_shell_command", "run_shell", "run_bash_command", "execute_bash_command", "bash_tool", "shell_tool", "terminal_execute", "execute_in_terminal",
		"run_command_in_terminal", "start_terminal", "create_terminal", "send_terminal_text", "ssh_exec", "ssh_execute", "docker_exec", "exec_in_container"),
	list(KindRead, reads, "Read", "read_file", "read_many_files", "view", "view_file", "view_image", "cat", "open_file", "NotebookRead", "LS", "list",
		"list_dir", "list_directory", "list_files", "Glob", "Grep", "grep_search", "grep_files", "search_file_content", "search_files",
		"file_search", "find_files", "read_multiple_files", "read_text_file", "read_media_file", "get_file_info", "list_code_definition_names", "read_notebook",
		"directory_tree", "list_directory_with_sizes", "list_allowed_directories", "read_resource", "codebase_search", "start_search", "get_more_search_results"),
	list(KindWrite, writes, "Write", "write_file", "create_file", "write_to_file", "file_write", "new_file", "create_directory", "delete_file",
		"remove_file", "move_file", "rename_file", "copy_file", "create_new_file", "save_file", "mkdir", "append_file", "append_to_file", "delete_directory",
		"remove_directory", "delete_path", "write_pdf", "create_text_file"),
	list(KindEdit, writes, "Edit", "MultiEdit", "NotebookEdit", "replace", "edit_file", "search_replace", "apply_patch", "patch", "apply_diff",
		"replace_in_file", "insert_content", "insert_edit_into_file", "replace_string_in_file", "multi_replace_string_in_file", "smart_edit", "edit_notebook", "edit_notebook_file",
		"edit_block", "str_replace", "insert_at_line", "replace_lines", "edit_files", "multi_edit", "update_file", "modify_file", "apply_edit", "write_patch"),
	list(KindEdit, byVerb, "str_replace_based_edit_tool", "str_replace_editor", "text_editor", "text_editor_code_execution", "memory", "editor"),
	list(KindFetch, 0, "WebFetch", "web_fetch", "fetch", "fetch_webpage", "fetch_url", "http_request", "browser_action", "browser_navigate",
		"open_simple_browser", "WebSearch", "web_search", "google_web_search", "web_search_call", "read_url_content", "http_get", "url_fetch",
		"puppeteer_navigate", "playwright_navigate", "navigate", "navigate_page", "new_page", "browser_open", "browser_goto", "goto", "open_url", "curl", "download_file",
		"fetch_html", "fetch_markdown", "fetch_txt", "fetch_json", "fetch_text", "firecrawl_scrape", "firecrawl_crawl", "tavily_search", "tavily_extract", "brave_web_search",
		"scrape", "crawl", "web_extract", "web_search_exa", "get_page", "browse", "browse_page", "http_post", "post_url", "make_request", "api_request"),
	list(KindTask, 0, "Task", "Agent", "spawn_agent", "send_input", "new_task", "delegate_to_agent", "codebase_investigator", "subagent", "dispatch_agent", "run_subagent", "runSubagent"),
	list(KindOther, 0, "TodoWrite", "todo_write", "todoread", "update_plan", "BashOutput", "KillShell", "KillBash", "TaskOutput", "TaskStop", "ExitPlanMode",
		"AskUserQuestion", "Skill", "SlashCommand", "save_memory", "get_weather", "computer", "code_execution", "js_repl", "python", "code", "code_interpreter"),
)

// Names are the names of the known tools in lower case, sorted.
func Names() []string { return slices.Sorted(maps.Keys(tools)) }

// IsKnown reports whether a tool of that name is known, in whatever spelling.
func IsKnown(name string) bool {
	_, ok := tools[strings.ToLower(name)]
	return ok
}

// list makes tools of one sort.
func list(kind Kind, does touch, names ...string) []tool {
	made := make([]tool, len(names))
	for i, name := range names {
		made[i] = tool{name: name, kind: kind, touch: does}
	}
	return made
}

// index makes the table of tools.
func index(lists ...[]tool) map[string]tool {
	table := make(map[string]tool, 300)
	for _, l := range lists {
		for _, t := range l {
			table[strings.ToLower(t.name)] = t
		}
	}
	return table
}

// foldedTools are the same by their names without the signs that join words. Of
// several that are alike, each does the same.
var foldedTools = func() map[string]tool {
	table := make(map[string]tool, len(tools))
	for key, t := range tools {
		f := folded(key)
		if other, ok := table[f]; !ok || t.name < other.name {
			table[f] = t
		}
	}
	return table
}()

// mostName is the length of the longest name that is looked at.
const mostName = 64

// lookup finds a tool whatever the case of its name.
func lookup(name string) (tool, bool) {
	if len(name) > mostName {
		return tool{}, false
	}
	var b [mostName]byte
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			t, ok := tools[strings.ToLower(name)]
			return t, ok
		}
		b[i] = lower(c)
	}
	t, ok := tools[string(b[:len(name)])]
	return t, ok
}

// lookupFolded finds a tool whatever joins the words of its name, and without a
// number behind it: RunShellCommand, run-shell-command, bash_2.
func lookupFolded(name string) (tool, bool) {
	if len(name) > mostName {
		return tool{}, false
	}
	var room [mostName]byte
	b := appendFolded(room[:0], name)
	t, ok := foldedTools[string(b)]
	if !ok {
		short := bytes.TrimRight(b, "0123456789#()[]")
		if len(short) > 0 && len(short) < len(b) {
			t, ok = foldedTools[string(short)]
		}
	}
	return t, ok
}

// lower is a letter of ASCII in lower case, and any other byte.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// dispatches reports whether a tool only passes a call on to another tool, and
// whether it does so for a list of calls.
func dispatches(name string) (one, many bool) {
	switch string(appendFolded(make([]byte, 0, mostName), name)) {
	case "runtool", "calltool", "executetool", "usetool", "invoketool", "usemcptool", "callmcptool", "mcpcalltool", "executemcptool",
		"dispatchtool", "toolcall", "runmcptool", "toolexecute", "toolrun", "toolcaller", "invokemcptool", "calltoolbyname", "mcptool", "mcpcall", "mcp",
		"executeaction", "toolproxy", "proxytool", "calltoolonserver", "toolinvoke", "functioncall", "callfunction", "runfunction":
		return true, false
	case "batch", "parallel", "multitooluse.parallel", "multitooluse", "paralleltools", "calltools", "runtools", "batchexecute", "batchtools", "batchtool",
		"composiomultiexecutetool", "multiexecutetool", "executetools", "invoketools", "usetools", "paralleltooluse", "toolbatch", "multitool", "batchcall", "multicall":
		return false, true
	}
	return false, false
}

// folded is a name without case, blanks and the signs that join words.
func folded(name string) string {
	if len(name) > mostName {
		return name
	}
	return string(appendFolded(make([]byte, 0, mostName), name))
}

// appendFolded appends a name as folded has it. No name that is longer than
// mostName is one that is known.
func appendFolded(b []byte, name string) []byte {
	if len(name) > mostName {
		return b
	}
	for i := range len(name) {
		if c := name[i]; c != '_' && c != '-' && c != ' ' {
			b = append(b, lower(c))
		}
	}
	return b
}

// isComputer reports whether a tool moves a mouse and a keyboard.
func isComputer(name string) bool {
	switch string(appendFolded(make([]byte, 0, mostName), name)) {
	case "computer", "computeruse", "mouseclick", "leftclick", "keyboardtype", "typetext", "presskey", "clickscreen", "desktopclick", "desktoptype", "pyautogui":
		return true
	}
	return false
}

// isForeign reports whether a tool runs the language of another system's shell.
func isForeign(name string) bool {
	switch string(appendFolded(make([]byte, 0, mostName), name)) {
	case "applescript", "runapplescript", "executeapplescript", "osascript", "applescriptexecute", "runpowershell", "executepowershell", "pwsh", "powershellexecute", "runcmd", "cmdexe":
		return true
	}
	return false
}

// verbs of tools that only look.
var looks = []string{"read", "get", "list", "search", "view", "find", "show", "open", "cat", "grep", "glob", "stat", "query", "describe", "load", "inspect", "info", "tree"}

// guess says what a tool that is not known does with paths, by its name.
func guess(name string) touch {
	name = strings.ToLower(name)
	for _, verb := range looks {
		if strings.HasPrefix(name, verb) || strings.Contains(name, "_"+verb) || strings.Contains(name, "-"+verb) {
			return reads
		}
	}
	return reads | writes
}

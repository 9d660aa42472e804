package project

import (
	"slices"
	"strings"
)

// PythonTasks returns a file of tasks in Python without the bodies of those tasks that
// no argument names and that no other wanted task mentions. What stands above a task and
// in its first line runs when the file is loaded, and stays. If the arguments name
// something else, or nobody can tell what asks for what, all tasks are wanted.
func PythonTasks(content string, args []string) string {
	if len(args) > maxItems || slices.ContainsFunc(dispatching, func(word string) bool { return strings.Contains(content, word) }) {
		return content
	}
	blocks := pythonBlocks(content)
	wanted := make([]bool, len(blocks))
	for _, arg := range args {
		found := strings.HasPrefix(arg, "-")
		for i := range blocks {
			if b := &blocks[i]; b.task != "" && (isTask(arg, b.task) || strings.Contains(b.text[:b.body], arg)) {
				wanted[i], found = true, true
			}
		}
		if !found {
			return content
		}
	}
	if !slices.Contains(wanted, true) {
		return content
	}
	var asking []string // what asks for tasks
	for i := range blocks {
		if b := &blocks[i]; b.task == "" || wanted[i] {
			asking = append(asking, b.text)
		}
		if !isWhole(blocks[i].text) {
			return content
		}
	}
	for ; len(asking) > 0; asking = asking[1:] {
		for i := range blocks {
			if b := &blocks[i]; !wanted[i] && b.task != "" && (strings.Contains(asking[0], b.task) || strings.Contains(asking[0], dashed(b.task))) {
				wanted[i], asking = true, append(asking, b.text)
			}
		}
	}
	var b strings.Builder
	for i := range blocks {
		switch block := &blocks[i]; {
		case block.task == "" || wanted[i]:
			b.WriteString(block.text)
		default:
			b.WriteString(block.text[:block.body])
			b.WriteString("    pass\n")
		}
	}
	return b.String()
}

// dispatching are words of programs that may call what they do not name, or that mean
// something else by a task.
var dispatching = []string{"globals(", "locals(", "getattr(", "eval(", "exec(", "importlib", "__import__", "sys.modules", " as task", " as session", "task =", "session =", "inspect."}

// taskMarks are the decorators that make a function a task, and nothing else.
var taskMarks = []string{"@task", "@invoke.task", "@fabric.task", "@nox.session"}

// pythonBlock is a statement of a module with everything in it. If it is a task, task is
// its name and body is where its body begins.
type pythonBlock struct {
	text, task string
	body       int
}

// pythonBlocks splits a module into its statements. The last one holds everything beyond
// maxTargets.
func pythonBlocks(content string) []pythonBlock {
	var blocks []pythonBlock
	var block pythonBlock
	start, at := 0, 0
	marked, decorated := true, false // by task marks alone, by anything
	for line := range strings.Lines(content) {
		if begins := strings.IndexByte(" \t\r\n)]}", line[0]) < 0; begins && !decorated && at > start && len(blocks) < maxTargets {
			block.text = content[start:at]
			blocks = append(blocks, block)
			start, block, marked = at, pythonBlock{}, true
		}
		switch after, def := strings.CutPrefix(line, "def "); {
		case line[0] == '@':
			decorated = true
			marked = marked && slices.ContainsFunc(taskMarks, func(mark string) bool {
				rest, ok := strings.CutPrefix(strings.TrimSpace(line), mark)
				return ok && (rest == "" || rest[0] == '(')
			})
		case decorated && def:
			decorated = false
			name, _, _ := strings.Cut(after, "(")
			if marked && strings.HasSuffix(strings.TrimRight(line, " \t\r\n"), ":") {
				block.task, block.body = strings.TrimSpace(name), at+len(line)-start
			}
		case decorated && (strings.HasPrefix(line, "class ") || strings.HasPrefix(line, "async ")):
			decorated = false
		}
		at += len(line)
	}
	block.text = content[start:]
	if len(blocks) == maxTargets {
		block.task = ""
	}
	return append(blocks, block)
}

// isTask reports whether an argument names a task.
func isTask(arg, name string) bool {
	arg = arg[strings.LastIndexAny(arg, ".=")+1:]
	return strings.ReplaceAll(arg, "-", "_") == name
}

// dashed returns the name of a task as a command line has it.
func dashed(task string) string { return strings.ReplaceAll(task, "_", "-") }

// isWhole reports whether everything that a block opens is closed in it. A text of
// several lines that are not indented may end behind it.
func isWhole(text string) bool {
	return strings.Count(text, `"""`)%2 == 0 && strings.Count(text, "'''")%2 == 0 && strings.Count(text, "(") == strings.Count(text, ")") &&
		strings.Count(text, "[") == strings.Count(text, "]") && strings.Count(text, "{") == strings.Count(text, "}") && !strings.Contains(text, "\\\n")
}

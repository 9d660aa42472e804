package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/internal/scan"
	"github.com/sluice-project/sluice/policy/invocation"
)

// DeletesInEditor notes what a function of the editor's own deletes: delete(x,
// "rf") in its language, and in Lua.
func DeletesInEditor(a *invocation.Act, command string) {
	_, after, ok := strings.Cut(command, "delete(")
	if !ok || !strings.Contains(after, "rf") {
		return
	}
	for _, home := range [...]string{"vim.env.HOME", "$HOME", `expand("~")`, "expand('~')", `vim.fn.expand("~")`, "vim.fn.expand('~')", `os.getenv("HOME")`, "os.getenv('HOME')"} {
		if rest, ok := strings.CutPrefix(after, home); ok && strings.HasPrefix(strings.TrimLeft(rest, " "), ",") {
			a.DeletesFiles(true, "~")
		}
	}
	if p, quoted := QuotedText(after); quoted && strings.Contains(command, "vim.fn") {
		a.DeletesFiles(true, p)
	}
}

// TypedKeys reads keys as the text that a shell would get, without the names of
// those that stand for no character, and what an editor is told behind a colon.
func TypedKeys(a *invocation.Act, keys string) {
	text := keyNames.Replace(Ansi(keys))
	text = strings.TrimLeft(text, "\x03\x04\x15\x1b \t")
	if command, ok := strings.CutPrefix(text, ":"); ok {
		for line := range strings.Lines(command) {
			ExCommand(a, strings.TrimSpace(line))
			DeletesInEditor(a, line)
		}
		return
	}
	if strings.ContainsAny(text, " \t\n") {
		a.Script(text)
	}
}

// keyNames are keys as editors write them.
var keyNames = strings.NewReplacer("<CR>", "\n", "<cr>", "\n", "<Enter>", "\n", "<Return>", "\n", "<Esc>", "", "<esc>", "", "<ESC>", "", "<C-c>", "", "<C-\\>", "", "<C-n>", "", "\r", "\n", "<Space>", " ", "<lt>", "<")

// mostModifiers is how many words before a command of ex only say how it runs.
const mostModifiers = 8

// ExCommand notes what a command of ex does outside of the text: it runs what
// follows a !, and what functions of the editor are given.
func ExCommand(a *invocation.Act, line string) {
	for range mostModifiers {
		line = strings.TrimLeft(line, " \t:")
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "silent", "silent!", "sil", "sil!", "noautocmd", "keepjumps", "keepalt", "verbose":
			line = rest
			continue
		case "exe", "exec", "execute":
			if text, ok := QuotedText(rest); ok {
				line = text
				continue
			}
		}
		break
	}
	if i := strings.IndexByte(line, '!'); i >= 0 && isExBang(line[:i]) {
		a.Script(line[i+1:])
		return
	}
	if exProgram(a, line) {
		return
	}
	if Calls(a, line, "system(", "systemlist(", "job_start(", "jobstart(", "termopen(", "os.execute(", "io.popen(") {
		return
	}
	word, rest, _ := strings.Cut(line, " ")
	switch strings.TrimLeft(word, "%0123456789,$.'") {
	case "redi", "redi!", "redir", "redir!": // what is shown goes there
		if to, _, _ := strings.Cut(rest, "|"); strings.HasPrefix(to, ">") {
			a.Put(strings.TrimSpace(strings.TrimLeft(to, ">")), "")
		}
	case "w", "write", "w!", "wq", "x", "sav", "saveas", "W", "f":
		if rest = strings.TrimSpace(strings.TrimLeft(rest, ">")); rest != "" {
			a.Put(rest, "")
		}
	case "r", "read", "e", "edit":
		ReadsFiles(a, strings.TrimSpace(rest))
	case "term", "terminal":
		a.Script(rest)
	case "so", "source", "luafile", "pyfile", "py3file":
		a.Runs(strings.TrimSpace(rest))
	case "exe", "execute":
		a.Doubt(invocation.Eval)
	}
}

// exProgram reads the commands of ex that are followed by a program in another
// language, or by an expression of the editor's own. It reports false for others.
func exProgram(a *invocation.Act, line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	language := "lua"
	switch word {
	case "py", "py3", "python", "python3", "pyx", "pythonx":
		language = "python"
	case "perl", "pe":
		language = "perl"
	case "ruby", "rub":
		language = "ruby"
	case "lua", "lua=":
	case "call", "cal", "echo", "ec", "echom", "echomsg", "let", "eval", "return", "put", "=":
		rest = exFunctions.Replace(rest)
	default:
		return false
	}
	Program(a, Interpreters[language], strings.TrimPrefix(rest, "<<"), -1, nil)
	return true
}

// exFunctions writes an expression of the editor as Lua has it.
var exFunctions = strings.NewReplacer(
	"delete(", "vim.fn.delete(", "systemlist(", "vim.fn.systemlist(", "system(", "vim.fn.system(", "job_start(", "vim.fn.job_start(", "jobstart(", "vim.fn.jobstart(", "termopen(", "vim.fn.termopen(", "term_start(", "vim.fn.term_start(", "expand(", "vim.fn.expand(",
	"writefile(", "vim.fn.writefile(", "readfile(", "vim.fn.readfile(", "rename(", "vim.fn.rename(", "glob(", "vim.fn.glob(", "fnamemodify(", "vim.fn.fnamemodify(", "execute(", "vim.fn.execute(", "setfperm(", "vim.fn.setfperm(", "luaeval(", "vim.fn.luaeval(", "join(", "vim.fn.join(",
	"$HOME", `os.getenv("HOME")`, " . ", " .. ", "[", "{", "]", "}",
)

// isExBang reports whether a ! behind a text runs a command: behind nothing, a
// range, r, w and silent, but not in wq! and the like.
func isExBang(before string) bool {
	before = strings.TrimLeft(before, "%0123456789,$.'<> ")
	if before == "" {
		return true
	}
	word := strings.TrimSpace(before)
	word = word[strings.LastIndexByte(word, ' ')+1:]
	switch word {
	case "r", "read", "w", "write", "silent", "sil":
		return strings.HasSuffix(before, " ") || word == "r" || word == "read"
	case "silent!":
		return true
	}
	return strings.HasSuffix(word, "|") || strings.HasSuffix(word, "'") || strings.HasSuffix(word, `"`)
}

// Calls reads the texts that calls in a program of another language give to a
// shell, as far as they are literal. It reports whether there were any.
func Calls(a *invocation.Act, program string, names ...string) bool {
	found := false
	for _, name := range names {
		rest := program
		for {
			_, after, ok := strings.Cut(rest, name)
			if !ok {
				break
			}
			found, rest = true, after
			if text, known := QuotedText(after); known {
				a.Script(text)
			} else {
				a.Doubt(invocation.Eval)
			}
		}
	}
	return found
}

// QuotedText reads the string literal that a text begins with.
func QuotedText(s string) (text string, ok bool) { return scan.Literal(s) }

package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
)

// runs notes that a program runs a file in its own language. It returns what is
// in it, if that is known.
func (a *act) runs(file string) string {
	if file == "-" || file == "/dev/stdin" {
		switch {
		case a.in.remote != "":
			a.does(effect.RunRemote, a.in.remote)
		case !a.in.known:
			a.doubt(Pipe)
		}
		return a.in.text
	}
	if isNoFile(file) {
		return ""
	}
	content, known := a.file(file)
	if !known {
		a.does(effect.Run, a.path(file))
	}
	return content
}

// runsInput notes that each line of the input is given to a shell.
func (a *act) runsInput() {
	if a.in.piped {
		a.r.runInput(a)
		return
	}
	a.doubt(Eval)
}

// ed changes a file by the commands on its input.
func ed(a *act, in *command.Reading) {
	for _, file := range in.Values("path") {
		if strings.HasPrefix(file, "!") {
			a.script(file[1:])
			continue
		}
		if a.in.known && exEmpties(lines(a.in.text)) {
			a.emptied(file)
		}
		a.writes(file)
		if !a.in.known && a.in.piped || a.in.known && slices.ContainsFunc(lines(a.in.text), exPrints) {
			a.looks(false, file)
		}
	}
	if a.in.known {
		for line := range strings.Lines(a.in.text) {
			a.exCommand(strings.TrimRight(line, "\r\n"))
		}
	}
}

// vi is for the editors that take commands of ex with -c and +.
func vi(a *act, in *command.Reading) {
	commands, files := in.Values("instruction"), in.Values("path")
	for _, file := range in.Values("script") {
		if !strings.EqualFold(file, "NONE") && file != "NORC" && file != "DEFAULTS" {
			a.runs(file)
		}
	}
	silent := in.Has("e") || in.Has("E") || in.Has("es") || in.Has("Es") || in.Name == "ex"
	if in.Has("s") && !silent && len(files) > 0 { // keys from a file
		a.runs(files[0])
		files = files[1:]
	}
	if a.in.known && (silent || in.Has("s")) {
		for line := range strings.Lines(a.in.text) {
			commands = append(commands, strings.TrimRight(line, "\r\n"))
		}
	}
	for _, command := range commands {
		a.exCommand(command)
	}
	if slices.ContainsFunc(commands, exPrints) {
		a.looks(false, files...)
	}
	if in.Name == "view" || in.Name == "rview" || in.Surely("R") || in.Name == "vimdiff" {
		a.looks(false, files...)
		return
	}
	for _, file := range files {
		if exEmpties(commands) {
			a.emptied(file)
		}
		a.put(file, "")
	}
}

// exPrints reports whether a command of ex or ed prints what is edited.
func exPrints(line string) bool {
	switch word := strings.TrimLeft(strings.TrimSpace(line), "%0123456789,$.:' "); word {
	case "p", "print", "l", "list", "n", "nu", "number", "P", "#":
		return true
	default:
		return (strings.HasPrefix(word, "g/") || strings.HasPrefix(word, "v/")) && (strings.HasSuffix(word, "/p") || strings.HasSuffix(word, "/nu"))
	}
}

// mostModifiers is how many words before a command of ex only say how it runs.
const mostModifiers = 8

// exCommand notes what a command of ex does outside of the text: it runs what
// follows a !, and what functions of the editor are given.
func (a *act) exCommand(line string) {
	for range mostModifiers {
		line = strings.TrimLeft(line, " \t:")
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "silent", "silent!", "sil", "sil!", "noautocmd", "keepjumps", "keepalt", "verbose":
			line = rest
			continue
		case "exe", "exec", "execute":
			if text, ok := quotedText(rest); ok {
				line = text
				continue
			}
		}
		break
	}
	if i := strings.IndexByte(line, '!'); i >= 0 && isExBang(line[:i]) {
		a.script(line[i+1:])
		return
	}
	if a.exProgram(line) {
		return
	}
	if a.calls(line, "system(", "systemlist(", "job_start(", "jobstart(", "termopen(", "os.execute(", "io.popen(") {
		return
	}
	word, rest, _ := strings.Cut(line, " ")
	switch strings.TrimLeft(word, "%0123456789,$.'") {
	case "redi", "redi!", "redir", "redir!": // what is shown goes there
		if to, _, _ := strings.Cut(rest, "|"); strings.HasPrefix(to, ">") {
			a.put(strings.TrimSpace(strings.TrimLeft(to, ">")), "")
		}
	case "w", "write", "w!", "wq", "x", "sav", "saveas", "W", "f":
		if rest = strings.TrimSpace(strings.TrimLeft(rest, ">")); rest != "" {
			a.put(rest, "")
		}
	case "r", "read", "e", "edit":
		a.reads(strings.TrimSpace(rest))
	case "term", "terminal":
		a.script(rest)
	case "so", "source", "luafile", "pyfile", "py3file":
		a.runs(strings.TrimSpace(rest))
	case "exe", "execute":
		a.doubt(Eval)
	}
}

// exProgram reads the commands of ex that are followed by a program in another
// language, or by an expression of the editor's own. It reports false for others.
func (a *act) exProgram(line string) bool {
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
	a.program(interpreters[language], strings.TrimPrefix(rest, "<<"), -1, nil)
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

// calls reads the texts that calls in a program of another language give to a
// shell, as far as they are literal. It reports whether there were any.
func (a *act) calls(program string, names ...string) bool {
	found := false
	for _, name := range names {
		rest := program
		for {
			_, after, ok := strings.Cut(rest, name)
			if !ok {
				break
			}
			found, rest = true, after
			if text, known := quotedText(after); known {
				a.script(text)
			} else {
				a.doubt(Eval)
			}
		}
	}
	return found
}

// quotedText reads the string literal that a text begins with.
func quotedText(s string) (text string, ok bool) { return scan.Literal(s) }

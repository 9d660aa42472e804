package shell

import (
	"strings"

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
func ed(a *act) {
	g := a.given(&usage{values: "p", long: []string{"prompt"}})
	file := g.first()
	if strings.HasPrefix(file, "!") {
		a.script(file[1:])
		return
	}
	if a.in.known && exEmpties(lines(a.in.text)) {
		a.emptied(file)
	}
	a.writes(file)
	if a.in.known {
		for line := range strings.Lines(a.in.text) {
			a.exCommand(strings.TrimRight(line, "\r\n"))
		}
	}
}

// vi is for the editors that take commands of ex with -c and +.
func vi(a *act) {
	var commands, files []string
	for i := 0; i < len(a.Args); i++ {
		arg := a.Args[i]
		next := ""
		if i+1 < len(a.Args) {
			next = a.Args[i+1]
		}
		switch {
		case arg == "-c", arg == "--cmd":
			commands = append(commands, next)
			i++
		case strings.HasPrefix(arg, "-c"):
			commands = append(commands, arg[2:])
		case len(arg) > 2 && arg[0] == '-' && strings.Trim(arg[1:], "esEnNRbmMvVyZ") == "c" && strings.HasSuffix(arg, "c"):
			commands = append(commands, next)
			i++
		case strings.HasPrefix(arg, "+"):
			commands = append(commands, arg[1:])
		case arg == "-S", arg == "-u", arg == "-U", arg == "-l", arg == "-s" && a.Name != "ex" && !strings.HasPrefix(next, "-"):
			if !strings.EqualFold(next, "NONE") && next != "NORC" && next != "DEFAULTS" {
				a.runs(next)
			}
			i++
		case arg == "-w", arg == "-W":
			a.writes(next)
			i++
		case arg == "-T", arg == "-i", arg == "-t", arg == "-q", arg == "-r", arg == "--servername", arg == "--remote-send", arg == "--remote-expr":
			i++
		case arg == "--":
			files = append(files, a.Args[i+1:]...)
			i = len(a.Args)
		case !strings.HasPrefix(arg, "-"):
			files = append(files, arg)
		}
	}
	if a.in.known && (a.Name == "ex" || a.Has("e") || a.Has("es") || a.Has("s")) {
		for line := range strings.Lines(a.in.text) {
			commands = append(commands, strings.TrimRight(line, "\r\n"))
		}
	}
	for _, command := range commands {
		a.exCommand(command)
	}
	if a.Name == "view" || a.Has("R") || a.Name == "vimdiff" {
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

// mostModifiers is how many words before a command of ex only say how it runs.
const mostModifiers = 8

// exCommand notes what a command of ex does outside of the text: it runs what
// follows a !, and what functions of the editor are given.
func (a *act) exCommand(command string) {
	for range mostModifiers {
		command = strings.TrimLeft(command, " \t:")
		word, rest, _ := strings.Cut(command, " ")
		switch word {
		case "silent", "silent!", "sil", "sil!", "noautocmd", "keepjumps", "keepalt", "verbose":
			command = rest
			continue
		case "exe", "exec", "execute":
			if text, ok := quotedText(rest); ok {
				command = text
				continue
			}
		}
		break
	}
	if i := strings.IndexByte(command, '!'); i >= 0 && isExBang(command[:i]) {
		a.script(command[i+1:])
		return
	}
	if a.exProgram(command) {
		return
	}
	if a.calls(command, "system(", "systemlist(", "job_start(", "jobstart(", "termopen(", "os.execute(", "io.popen(") {
		return
	}
	word, rest, _ := strings.Cut(command, " ")
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
func (a *act) exProgram(command string) bool {
	word, rest, _ := strings.Cut(command, " ")
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

// emacs runs Lisp that is given in its arguments.
func emacs(a *act) {
	g := a.given(&usage{values: "lLfqtd", long: []string{"eval", "load", "script", "funcall", "directory", "execute", "file", "insert"}})
	for _, lisp := range append(a.after("-eval", "-execute", "-e"), g.all("eval", "execute")...) {
		a.lispDeletes(lisp)
		if !a.calls(lisp, "(shell-command ", "(shell-command-to-string ", "(async-shell-command ", "(start-process-shell-command ") && strings.ContainsAny(lisp, "(") {
			a.r.lookOver(a, lisp)
			a.doubt(Eval)
		}
	}
	for _, file := range append(a.after("-script", "-l"), g.all("load", "script")...) {
		a.runs(file)
	}
	for _, p := range g.operands {
		if !strings.HasPrefix(p, "(") && !strings.HasPrefix(p, "+") {
			a.put(p, "")
		}
	}
}

// lispDeletes reads the calls of Lisp that delete, with what lies in a directory
// if they are given its list.
func (a *act) lispDeletes(lisp string) {
	deletes := false
	for _, name := range []string{"delete-file", "delete-directory", "move-file-to-trash"} {
		eachAfter(lisp, name, func(_, after string) {
			deletes = true
			form, _, _ := strings.Cut(after[:min(len(after), 200)], ")")
			for _, p := range inQuotes(form) {
				if p != "HOME" {
					a.deletes(name != "delete-file", p)
				}
			}
		})
	}
	if !deletes {
		return
	}
	for _, name := range []string{"(directory-files ", "(directory-files-recursively "} {
		eachAfter(lisp, name, func(_, after string) {
			if p, ok := quotedText(after); ok {
				a.deletes(true, join(p, "*"))
			}
		})
	}
}

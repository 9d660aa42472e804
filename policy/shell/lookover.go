package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
)

// lookOver reads a program in a language of which nothing is known but how most
// languages look: names, parentheses and texts in quotes. A text beside a name
// that runs commands is read as one, a path beside a name that deletes is
// deleted.
func (r *reader) lookOver(a *act, program string) {
	runs, deletes := false, false
	words := strings.FieldsFunc(strings.ToLower(withoutTexts(program)), func(c rune) bool {
		return (c < 'a' || c > 'z') && c != '_'
	})
	for _, w := range words {
		switch w {
		case "system", "exec", "popen", "command", "callcommand", "execute", "spawn", "shell", "process", "cmd", "run", "os_cmd", "sh", "runtime", "processbuilder", "proc_open", "subprocess", "shellexecute", "readprocess", "qx", "child_process", "getruntime", "syscmd", "esyscmd", "commandexecution", "execute_process", "call_process", "start_process", "unix", "run_program", "run_shell_command", "execl", "execlp", "execle", "execv", "execvp", "execve", "execvpe", "posix_spawn", "posix_spawnp":
			runs = true
		case "rm", "rm_rf", "remove", "removeall", "removeitem", "remove_all", "remove_dir_all", "remove_file", "unlink", "delete", "deleteall", "rmdir", "rmtree", "deletedirectory", "removedir", "deleterecursively", "remove_dir", "removedirectoryrecursive", "deletedir", "removepathforcibly", "deletetree", "deletetreeabsolute", "deletefileabsolute", "rmrf":
			deletes = true
		}
	}
	if strings.Contains(program, "`") || strings.Contains(program, ".!") {
		runs = true
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(program, ";", "\n"), "\n") { // expect, tcl, dc, ex
		line = strings.TrimSpace(line)
		a.tclDeletes(line)
		for _, word := range []string{"spawn ", "exec ", "!", ":!", "silent !", "silent! !", "system ", "shell ", "eval ", "platform shell "} {
			if command, ok := strings.CutPrefix(line, word); ok && command != "" && strings.IndexByte("(=", command[0]) < 0 {
				a.script(command)
			}
		}
	}
	a.calledIn(program)
	a.readsJoined(program)
	a.writesStart(program)
	a.givenIn(program)
	a.runsFetched(program)
	a.opensShell(program)
	if !runs && !deletes {
		return
	}
	texts := inQuotes(program)
	if runs {
		texts := texts
		if strings.Contains(program, "HOME") || strings.Contains(program, "ome") {
			texts = inQuotes(homesQuoted.Replace(program))
		}
		for i, s := range texts {
			if strings.Contains(s, " ") {
				a.script(s)
			} else if i+1 < len(texts) && r.isProgram(s) { // a command and its arguments, each by itself
				a.argv(texts[i:min(i+8, len(texts))])
			}
		}
	}
	if deletes {
		a.deletesHome(program)
		for _, s := range texts {
			if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~") {
				a.add(effect.Effect{Verb: effect.Delete, Object: a.path(s), Wide: true})
			}
		}
	}
}

// homes are what languages call the home directory.
var homes = []string{"homedir()", "user_home!()", "user_home!", "user_home()", "NSHomeDirectory()", "homeDirectoryForCurrentUser", `"user.home"`, `ENV["HOME"]`, `get_env("HOME")`, `getenv("HOME")`, "UserHomeDir()", "getHomeDirectory", "home_dir()", "$*HOME", "[file normalize ~]", "$env(HOME)", "$::env(HOME)", `(getenv "HOME")`}

// deletesHome notes that a program deletes the home directory, or what lies at a
// path in it that follows.
func (a *act) deletesHome(program string) {
	for _, home := range homes {
		_, after, ok := strings.Cut(program, home)
		if !ok {
			continue
		}
		end := strings.IndexAny(after, ";\n{=")
		if end < 0 {
			end = len(after)
		}
		p := "~"
		if below := inQuotes(after[:min(end, 120)]); len(below) > 0 {
			p = join(p, strings.TrimPrefix(below[0], "/"))
		}
		a.deletes(true, p)
		return
	}
}

// tclDeletes reads file delete ?-force? ?--? NAME... of Tcl.
func (a *act) tclDeletes(line string) {
	rest, ok := strings.CutPrefix(line, "file delete ")
	if !ok {
		return
	}
	called := false // [glob ~/x/*]
	for _, word := range a.few(strings.Fields(rest)) {
		called = called || strings.HasPrefix(word, "[")
		switch {
		case strings.HasPrefix(word, "-"), called && strings.Trim(word, "/~") == word:
		case strings.ContainsAny(word, "$("):
			a.doubt(Path)
		default:
			a.deletes(true, strings.Trim(word, `"{}]`))
		}
	}
}

// mostQuoted is how many texts of a program are looked at.
const mostQuoted = scan.MaxQuoted

// inQuotes are the texts between quotes.
func inQuotes(program string) []string { return scan.Quoted(program) }

// withoutTexts is a program without what is in quotes.
func withoutTexts(program string) string {
	var b strings.Builder
	for i := 0; i < len(program); i++ {
		c := program[i]
		if c != '"' && c != '\'' {
			b.WriteByte(c)
			continue
		}
		end := i + 1
		for end < len(program) && program[end] != c && program[end] != '\n' {
			if program[end] == '\\' {
				end++
			}
			end++
		}
		b.WriteByte(' ')
		i = end
	}
	return b.String()
}

// otherLanguages are interpreters of languages that are only looked over, with
// the flags that are followed by a program.
var otherLanguages = map[string][]string{
	"R": {"e"}, "Rscript": {"e"}, "julia": {"e", "E", "eval"}, "elixir": {"e", "eval"}, "erl": {"eval"}, "groovy": {"e"},
	"scala": {"e"}, "scala-cli": {"e"}, "ghc": {"e"}, "runghc": {"e"}, "swift": {"e"}, "crystal": {"e", "eval"}, "nim": {"eval"}, "kotlin": {"e"},
	"clojure": {"e", "eval", "M"}, "clj": {"e", "M"}, "bb": {"e"}, "racket": {"e"}, "sbcl": {"eval"}, "guile": {"c"}, "tclsh": {"c"}, "raku": {"e"},
	"dart": {"e"}, "jshell": {"e"}, "expect": {"c"}, "octave": {"eval"}, "matlab": {"batch", "r"}, "gawk": {}, "emacs": {"eval"}, "ocaml": {"e"}, "dc": {"e"}, "m4": {}, "bc": {}, "iex": {"e"}, "gforth": {"e"}, "psysh": {}, "tinker": {},
	"zx": {}, "swipl": {"g", "t"}, "yap": {"g"}, "gprolog": {"query-goal", "entry-goal"}, "gnuplot": {"e"}, "maxima": {"batch-string", "r"}, "scilab": {"e"}, "gp": {"c"}, "ecl": {"eval"}, "clisp": {"x"}, "csi": {"e"}, "chicken-csi": {"e"}, "janet": {"e"},
	"fennel": {"e"}, "scheme": {"eval"}, "mit-scheme": {"eval"}, "picolisp": {}, "v": {}, "blender": {"python-expr"}, "gimp": {"b", "batch"}, "freecad": {"c"}, "FreeCAD": {"c"}, "sage": {"c"}, "pymol": {"d"}, "inkscape": {"actions"}, "escript": {},
	"jrunscript": {"e"}, "jjs": {}, "octave-cli": {"eval"}, "wish": {},
}

// looked reads the program that an interpreter is given.
func (r *reader) looked(a *act, flags []string) {
	texts := 0
	for i, arg := range a.Args {
		body, dashes := cutDashes(arg)
		name, value, inline := strings.Cut(body, "=")
		if !inline && a.Name == "nim" {
			name, value, inline = strings.Cut(body, ":")
		}
		for _, flag := range flags {
			switch {
			case dashes == 0 || name != flag:
			case inline:
				r.lookOver(a, value)
				texts++
			case i+1 < len(a.Args):
				r.lookOver(a, a.Args[i+1])
				texts++
			}
		}
	}
	if texts > 0 {
		return
	}
	for i, p := range a.Args {
		if strings.HasPrefix(p, "-") {
			continue
		}
		if strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") {
			a.does(effect.RunRemote, p)
			continue
		}
		switch made := a.words()[i].made; {
		case made == nil:
		case made.known:
			r.lookOver(a, made.text)
		case made.remote != "":
			a.does(effect.RunRemote, made.remote)
		}
		if content, known := a.file(p); known {
			r.lookOver(a, content)
		} else if strings.ContainsAny(p, "(`") { // a program as an operand
			r.lookOver(a, p)
		}
	}
	switch {
	case a.in.remote != "":
		a.does(effect.RunRemote, a.in.remote)
	case a.in.hidden != "" && !a.in.known:
		a.does(effect.RunHidden, a.in.hidden)
	case a.in.known:
		r.lookOver(a, a.in.text)
	case len(a.Args) == 0 && !a.in.piped: // the lines that follow are meant for it
		if _, rest, ok := strings.Cut(r.src, a.Name+"\n"); ok {
			r.lookOver(a, rest)
		}
	}
}

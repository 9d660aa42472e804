package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// LookOver reads a program in a language of which nothing is known but how most
// languages look: names, parentheses and texts in quotes. A text beside a name
// that runs commands is read as one, a path beside a name that deletes is
// deleted.
func (r *reader) LookOver(a *invocation.Act, program string) {
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
		tclDeletes(a, line)
		for _, word := range []string{"spawn ", "exec ", "!", ":!", "silent !", "silent! !", "system ", "shell ", "eval ", "platform shell "} {
			if command, ok := strings.CutPrefix(line, word); ok && command != "" && strings.IndexByte("(=", command[0]) < 0 {
				a.Script(command)
			}
		}
	}
	follow.CalledIn(a, program)
	output.ReadsJoined(a, program)
	guard.WritesStart(a, program)
	r.namedIn(a, program)
	givenIn(a, program)
	runsFetched(a, program)
	follow.OpensShell(a, program)
	if !runs && !deletes {
		return
	}
	texts := follow.InQuotes(program)
	if runs {
		texts := texts
		if strings.Contains(program, "HOME") || strings.Contains(program, "ome") {
			texts = follow.InQuotes(homesQuoted.Replace(program))
		}
		for i, s := range texts {
			if strings.Contains(s, " ") {
				a.Script(s)
			} else if i+1 < len(texts) && r.IsProgram(s) { // a command and its arguments, each by itself
				a.Argv(texts[i:min(i+8, len(texts))])
			}
		}
	}
	if deletes {
		deletesHome(a, program)
		for _, s := range texts {
			if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~") {
				a.Add(effect.Effect{Verb: effect.Delete, Object: a.Path(s), Wide: true})
			}
		}
	}
}

// homes are what languages call the home directory.
var homes = []string{"homedir()", "user_home!()", "user_home!", "user_home()", "NSHomeDirectory()", "homeDirectoryForCurrentUser", `"user.home"`, `ENV["HOME"]`, `get_env("HOME")`, `getenv("HOME")`, "UserHomeDir()", "getHomeDirectory", "home_dir()", "$*HOME", "[file normalize ~]", "$env(HOME)", "$::env(HOME)", `(getenv "HOME")`}

// deletesHome notes that a program deletes the home directory, or what lies at a
// path in it that follows.
func deletesHome(a *invocation.Act, program string) {
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
		if below := follow.InQuotes(after[:min(end, 120)]); len(below) > 0 {
			p = follow.Join(p, strings.TrimPrefix(below[0], "/"))
		}
		a.DeletesFiles(true, p)
		return
	}
}

// tclDeletes reads file delete ?-force? ?--? NAME... of Tcl.
func tclDeletes(a *invocation.Act, line string) {
	rest, ok := strings.CutPrefix(line, "file delete ")
	if !ok {
		return
	}
	called := false // [glob ~/x/*]
	for _, word := range follow.Few(a, strings.Fields(rest)) {
		called = called || strings.HasPrefix(word, "[")
		switch {
		case strings.HasPrefix(word, "-"), called && strings.Trim(word, "/~") == word:
		case strings.ContainsAny(word, "$("):
			a.Doubt(invocation.Path)
		default:
			a.DeletesFiles(true, strings.Trim(word, `"{}]`))
		}
	}
}

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
	"scala": {"e"}, "scala-cli": {"e"}, "ghc": {"e"}, "ghci": {"e"}, "runhaskell": {"e"}, "runghc": {"e"}, "swift": {"e"}, "crystal": {"e", "eval"}, "nim": {"eval"}, "kotlin": {"e"},
	"clojure": {"e", "eval", "M"}, "clj": {"e", "M"}, "bb": {"e"}, "racket": {"e"}, "sbcl": {"eval"}, "guile": {"c"}, "tclsh": {"c"}, "raku": {"e"},
	"dart": {"e"}, "jshell": {"e"}, "expect": {"c"}, "octave": {"eval"}, "matlab": {"batch", "r"}, "gawk": {}, "emacs": {"eval"}, "ocaml": {"e"}, "dc": {"e"}, "m4": {}, "bc": {}, "iex": {"e"}, "gforth": {"e"}, "psysh": {}, "tinker": {},
	"zx": {}, "swipl": {"g", "t"}, "yap": {"g"}, "gprolog": {"query-goal", "entry-goal"}, "gnuplot": {"e"}, "maxima": {"batch-string", "r"}, "scilab": {"e"}, "gp": {"c"}, "ecl": {"eval"}, "clisp": {"x"}, "csi": {"e"}, "chicken-csi": {"e"}, "janet": {"e"},
	"fennel": {"e"}, "scheme": {"eval"}, "mit-scheme": {"eval"}, "picolisp": {}, "v": {}, "blender": {"python-expr"}, "gimp": {"b", "batch"}, "freecad": {"c"}, "FreeCAD": {"c"}, "sage": {"c"}, "pymol": {"d"}, "inkscape": {"actions"}, "escript": {},
	"jrunscript": {"e"}, "jjs": {}, "octave-cli": {"eval"}, "wish": {},
}

// looked reads the program that an interpreter is given.
func (r *reader) looked(a *invocation.Act, flags []string) {
	texts := 0
	for i, arg := range a.Args {
		body, dashes := invocation.CutDashes(arg)
		name, value, inline := strings.Cut(body, "=")
		if !inline && a.Name == "nim" {
			name, value, inline = strings.Cut(body, ":")
		}
		for _, flag := range flags {
			switch {
			case dashes == 0 || name != flag:
			case inline:
				r.LookOver(a, value)
				texts++
			case i+1 < len(a.Args):
				r.LookOver(a, a.Args[i+1])
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
			a.Does(effect.RunRemote, p)
			continue
		}
		switch made := a.Words()[i].Made; {
		case made == nil:
		case made.Known:
			r.LookOver(a, made.Text)
		case made.Remote != "":
			a.Does(effect.RunRemote, made.Remote)
		}
		if content, known := a.File(p); known {
			r.LookOver(a, content)
		} else if strings.ContainsAny(p, "(`") { // a program as an operand
			r.LookOver(a, p)
		}
	}
	switch {
	case a.In.Remote != "":
		a.Does(effect.RunRemote, a.In.Remote)
	case a.In.Hidden != "" && !a.In.Known:
		a.Does(effect.RunHidden, a.In.Hidden)
	case a.In.Known:
		r.LookOver(a, a.In.Text)
	}
}

package follow

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/project"
)

// Ansi reads the escapes of $'...', echo -e and printf.
func Ansi(s string) string { return scan.Unescape(s) }

// IsWord reports whether a pattern is a word.
func IsWord(s string) bool {
	for i := range len(s) {
		if !invocation.IsNameByte(s[i]) && s[i] != '.' && s[i] != '-' {
			return false
		}
	}
	return s != ""
}

// Steps adds what a file of a project tells a program to do.
func Steps(a *invocation.Act, s project.Steps, in invocation.Flow) {
	for i := range s.Commands {
		step(a, &s.Commands[i], in)
	}
	for _, removal := range s.Removals {
		a.DeletesFiles(removal.All, removal.Path)
	}
	if s.Unknown {
		a.Doubt(invocation.Unseen)
	}
}

// step runs one command, where and with what the file says.
func step(a *invocation.Act, c *project.Command, in invocation.Flow) {
	r, from, outer := a.R, a.Origin(), a.R.Scope
	if c.Dir != "" {
		r.Scope = r.Sub(outer)
		r.Scope.At.Cwd = a.Path(c.Dir)
		r.Scope.Dir = r.Scope.At.Cwd
	}
	if len(c.Env) > 0 {
		from.Env = maps.Clone(c.Env)
		maps.Copy(from.Env, a.Env)
	}
	if len(c.Args) > 0 {
		r.Shell.Argv(c.Args, from, in)
	} else {
		r.Shell.Inner(c.Shell, from, in)
	}
	r.Scope = outer
}

// tasked reads a Taskfile for what a command line names.
func tasked(a *invocation.Act) func(f project.File) project.Steps {
	var names []string
	for _, word := range a.Operands("t", "taskfile", "d", "dir", "C", "concurrency", "o", "output", "I", "interval") {
		if !strings.Contains(word, "=") {
			names = append(names, word)
		}
	}
	return parsing(a.R, "task "+strings.Join(names, " "), func(f project.File) project.Steps { return project.Taskfile(f, names) })
}

// MostOptions is how many options a file of them may have.
const MostOptions = 1000

// mostQuoted is how many texts of a program are looked at.
const mostQuoted = scan.MaxQuoted

// InQuotes are the texts between quotes.
func InQuotes(program string) []string { return scan.Quoted(program) }

// deletersOf are the names of functions that delete a directory with what is in
// it, with what stands before the path.
var deletersOf = []string{"RemoveAll(", "remove_dir_all(", "remove_all(", "removeDir(", "rmdirRecurse(", "deleteDirectory(", "Directory.Delete(", "deleteDirectory(new File(", "deleteRecursively(", "removeDirectoryRecursive ", "removePathForcibly ", "removeItem(atPath: ", "rm_rf!(", "rm_rf(", "rm_r(", "(delete-directory ", "(delete-directory-and-files ", "rm("}

// homesGiven are the ways to ask for the home directory that programs also have
// for other reasons: they count where the answer itself is deleted.
var homesGiven = []string{`etenv("HOME")`, `var("HOME")`, `env("HOME")`, `env::var_os("HOME")`, `GetEnvironmentVariable("HOME")`, "SpecialFolder.UserProfile)", `environment["HOME"]`, `(expand-file-name "~")`, "UserHomeDir()", "homedir()"}

// CalledIn notes what calls in a program of any language delete or open to
// others, where what they are given stands beside them.
func CalledIn(a *invocation.Act, program string) {
	for _, name := range deletersOf {
		EachAfter(program, name, func(before, after string) {
			if name == "rm(" && (!strings.Contains(after[:min(len(after), 120)], "recursive") || before != "" && invocation.IsNameByte(before[len(before)-1])) { // Julia's
				return
			}
			if p, ok := QuotedText(after); ok && p != "" && (strings.HasPrefix(p, "file://") || !strings.Contains(p, "://")) {
				a.DeletesFiles(true, strings.TrimPrefix(p, "file://"))
				return
			}
			for _, home := range homesGiven {
				if at := strings.Index(after[:min(len(after), 80)], home); at >= 0 && !strings.ContainsAny(after[:at], ";\n\"") {
					a.DeletesFiles(true, below("~", after[at+len(home):]))
				}
			}
			variable := after[:max(0, strings.IndexAny(after, ",)"))]
			if variable != "" && len(variable) < 40 && holdsHome(program, strings.TrimLeft(variable, "&")) {
				a.DeletesFiles(true, "~")
			}
		})
	}
	for _, name := range []string{"Chmod(", "chmod(", "(set-file-modes "} {
		EachAfter(program, name, func(_, after string) {
			p, ok := QuotedText(after)
			if !ok {
				return
			}
			_, mode, _ := strings.Cut(after[:min(len(after), 200)], p)
			mode = strings.TrimLeft(mode, `"', #o`)
			mode = mode[:len(mode)-len(strings.TrimLeft(mode, "01234567o"))]
			if mode = strings.TrimPrefix(mode, "0o"); mode != "" {
				Mode(a, p, mode, false)
			}
		})
	}
}

// below is a directory, or what the text that follows it in a call names in it.
func below(dir, after string) string {
	end := strings.IndexAny(after, ");\n")
	if end < 0 || end == 0 {
		return dir
	}
	if texts := InQuotes(after[:min(end, 120)]); len(texts) > 0 {
		return Join(dir, strings.TrimPrefix(texts[0], "/"))
	}
	return dir
}

// holdsHome reports whether a variable of a program is given the home directory
// and nothing more.
func holdsHome(program, variable string) bool {
	for _, home := range homesGiven {
		before, after, ok := strings.Cut(program, home)
		if !ok {
			continue
		}
		line := before[strings.LastIndexAny(before, "\n;{")+1:]
		names, _, given := strings.Cut(line, "=")
		rest, _, _ := strings.Cut(after, "\n")
		if rest = strings.TrimLeft(rest, ").?;"); given && !strings.Contains(line, "oin(") && !strings.ContainsAny(rest, `"+`) {
			if slices.Contains(strings.FieldsFunc(names, func(c rune) bool { return strings.ContainsRune(" ,:\t(", c) }), variable) {
				return true
			}
		}
	}
	return false
}

// MostGiven is the length of the longest program of which files that it reads
// count as what it sends.
const MostGiven = 2 << 10

// AddressIn is the first address in a program, or that it opens a connection.
func AddressIn(program string) string {
	for _, scheme := range []string{"https://", "http://", "ftp://"} {
		if at := strings.Index(program, scheme); at >= 0 {
			address := program[at:]
			if end := strings.IndexAny(address, "\"'` \t\n)]}>;,"); end >= 0 {
				address = address[:end]
			}
			return address
		}
	}
	if _, after, ok := strings.Cut(program, "[socket "); ok { // Tcl's
		host, _, _ := strings.Cut(after, " ")
		return host
	}
	for _, word := range []string{"Dial(", "TcpStream", "TcpClient", "Socket(", "open-network-stream", "gen_tcp", "connect("} {
		if _, after, ok := strings.Cut(program, word); ok {
			if texts := InQuotes(after[:min(len(after), 120)]); len(texts) > 0 {
				return texts[0]
			}
			return "connection"
		}
	}
	return ""
}

// EachAfter calls f with what stands before and behind a name, wherever it is in
// a program.
func EachAfter(program, name string, f func(before, after string)) { scan.After(program, name, f) }

// socketWords are how languages open a connection, or wait for one, in lower case.
var socketWords = []string{"socket", "tcpstream", "tcpclient", "tcplistener", "tcpserver", "net.dial", "net.listen", "createserver", "createconnection", "gen_tcp", "open-network-stream", "make-network-process", "sockaddr", "inetaddress", "connect("}

// hearingWords are how they take in what the other side says.
var hearingWords = []string{"readline(", "receive(", "recv(", "gets $", "read-line", "readutf8line", ".accept(", "accept(", "gen_tcp.recv", "getinputstream", "scanner(", "bufferedreader(", ".gets", "<$", ".receive", "recvline(", "readlines(", ".read($", ".listen("}

// doingWords are how they run a command that is not written in the program.
var doingWords = []string{"exec $", "exec(", "eval $", "popen(", "system(", "run(pipeline", "run(`", "read(`", "processbuilder", "command::new", "exec.command", "os.cmd", "os:cmd", "spawn(", "syscall.exec", "execve(", "process.start(", "process.new(", "execprocess(", "`#{", "`$", "callcommand", "iex ", "iex(", "invoke-expression"}

// MostShell is the length of the longest program that is looked at for a shell that
// others talk to: larger ones are applications.
const MostShell = 8 << 10

// OpensShell notes that a program in any language joins a connection and a shell, or
// runs what the other side says.
func OpensShell(a *invocation.Act, program string) {
	if len(program) > MostShell {
		return
	}
	lower := strings.ToLower(program)
	if !invocation.ContainsAny(lower, socketWords) {
		return
	}
	if joinsShell(lower) || invocation.ContainsAny(lower, hearingWords) && invocation.ContainsAny(lower, doingWords) {
		to := AddressIn(program)
		if to == "" {
			to = "connection"
		}
		a.Does(effect.ReverseShell, to)
	}
}

// joinsShell reports whether a program, in lower case, starts a shell by its path or
// its name alone.
func joinsShell(lower string) bool {
	for _, shell := range []string{"/bin/sh", "/bin/bash", "/bin/zsh", "/bin/dash", "/bin/ash", "cmd.exe", "powershell.exe", "/system/bin/sh"} {
		if strings.Contains(lower, shell) {
			return true
		}
	}
	for _, shell := range []string{`"sh"`, `'sh'`, `"bash"`, `'bash'`, `"cmd"`} {
		if strings.Contains(lower, shell) && invocation.ContainsAny(lower, doingWords) {
			return true
		}
	}
	return false
}

// MostMatched is the longest text that is matched with a pattern.
const MostMatched = 4096

// IsPattern reports whether a path stands for several: it has a wildcard.
func IsPattern(p string) bool { return strings.ContainsAny(p, "*?[") }

// SortedNames are the names of variables, so that they are read in one order.
func SortedNames(env map[string]string) []string {
	if len(env) == 0 {
		return nil // as of most commands
	}
	return slices.Sorted(maps.Keys(env))
}

// Limits of what a word becomes.
const (
	MostReadings = 8   // of one word
	MostBraces   = 256 // words that braces make of one
)

// Join is a name in a directory as a shell writes it: no part is resolved yet.
func Join(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }

// SomeOf stands in paths for some of the files in a directory, which no list names.
const SomeOf = "(some)"

package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
)

// deletersOf are the names of functions that delete a directory with what is in
// it, with what stands before the path.
var deletersOf = []string{"RemoveAll(", "remove_dir_all(", "remove_all(", "removeDir(", "rmdirRecurse(", "deleteDirectory(", "Directory.Delete(", "deleteDirectory(new File(", "deleteRecursively(", "removeDirectoryRecursive ", "removePathForcibly ", "removeItem(atPath: ", "rm_rf!(", "rm_rf(", "rm_r(", "(delete-directory ", "(delete-directory-and-files ", "rm("}

// homesGiven are the ways to ask for the home directory that programs also have
// for other reasons: they count where the answer itself is deleted.
var homesGiven = []string{`etenv("HOME")`, `var("HOME")`, `env("HOME")`, `env::var_os("HOME")`, `GetEnvironmentVariable("HOME")`, "SpecialFolder.UserProfile)", `environment["HOME"]`, `(expand-file-name "~")`, "UserHomeDir()", "homedir()"}

// homesQuoted writes the home directory as a text.
var homesQuoted = strings.NewReplacer(`os.Getenv("HOME")`, `"~"`, `std::env::var("HOME")`, `"~"`, `env::var("HOME")`, `"~"`, `System.getenv("HOME")`, `"~"`, `System.getProperty("user.home")`, `"~"`, `ENV["HOME"]`, `"~"`, "homedir()", `"~"`, `(getenv "HOME")`, `"~"`, `(System/getProperty "user.home")`, `"~"`, `(System/getenv "HOME")`, `"~"`, `System.get_env("HOME")`, `"~"`)

// calledIn notes what calls in a program of any language delete or open to
// others, where what they are given stands beside them.
func (a *act) calledIn(program string) {
	for _, name := range deletersOf {
		eachAfter(program, name, func(before, after string) {
			if name == "rm(" && (!strings.Contains(after[:min(len(after), 120)], "recursive") || before != "" && isNameByte(before[len(before)-1])) { // Julia's
				return
			}
			if p, ok := quotedText(after); ok && p != "" && (strings.HasPrefix(p, "file://") || !strings.Contains(p, "://")) {
				a.deletes(true, strings.TrimPrefix(p, "file://"))
				return
			}
			for _, home := range homesGiven {
				if at := strings.Index(after[:min(len(after), 80)], home); at >= 0 && !strings.ContainsAny(after[:at], ";\n\"") {
					a.deletes(true, below("~", after[at+len(home):]))
				}
			}
			variable := after[:max(0, strings.IndexAny(after, ",)"))]
			if variable != "" && len(variable) < 40 && a.holdsHome(program, strings.TrimLeft(variable, "&")) {
				a.deletes(true, "~")
			}
		})
	}
	for _, name := range []string{"Chmod(", "chmod(", "(set-file-modes "} {
		eachAfter(program, name, func(_, after string) {
			p, ok := quotedText(after)
			if !ok {
				return
			}
			_, mode, _ := strings.Cut(after[:min(len(after), 200)], p)
			mode = strings.TrimLeft(mode, `"', #o`)
			mode = mode[:len(mode)-len(strings.TrimLeft(mode, "01234567o"))]
			if mode = strings.TrimPrefix(mode, "0o"); mode != "" {
				a.mode(p, mode, false)
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
	if texts := inQuotes(after[:min(end, 120)]); len(texts) > 0 {
		return join(dir, strings.TrimPrefix(texts[0], "/"))
	}
	return dir
}

// holdsHome reports whether a variable of a program is given the home directory
// and nothing more.
func (a *act) holdsHome(program, variable string) bool {
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

// readersOf are the names of functions that read a file, in lower case, with what
// stands before the path.
var readersOf = []string{
	"readfile(", "readfile ", "read(", "open(", "[open ", "offile(", "insert-file-contents ", "insert-file-contents-literally ", "upload_file(", "readallbytes(", "readstring(", "readalltext(", "readalllines(", "lines(", "slurp(", "slurp ", "read_to_string(",
	"file.read!(", "file.read(", "file_get_contents(", "fileread(", "readlines(", "inputfile(", "bytestring.readfile ", "fileinputstream(", "filereader(", "fromfile(", "contentsoffile:", "contentsof:", "readtext(",
}

// givers are words of programs that give something away, in lower case.
var givers = []string{"post", "put", "upload", "-query", "send", "request-data", "write", "dial", "body", "puts"}

// mostGiven is the length of the longest program of which files that it reads
// count as what it sends.
const mostGiven = 2 << 10

// mostCalls is how many calls of a name are looked at.
const mostCalls = 32

// givenIn notes files that a program of any language reads and sends: the names
// of files beside what reads them, if there is also what sends and to where.
func (a *act) givenIn(program string) {
	if len(program) > mostGiven { // larger ones are applications, which read settings and ask services
		return
	}
	to := addressIn(program)
	if to == "" {
		return
	}
	lower := strings.ToLower(program)
	gives := false
	for _, word := range givers {
		gives = gives || strings.Contains(lower, word)
	}
	if !gives || len(lower) != len(program) {
		return
	}
	for _, name := range readersOf {
		eachAfter(lower, name, func(before, _ string) {
			p := program[len(before)+len(name):]
			if p = fileNamed(p[:min(len(p), 200)], name == "[open "); p != "" {
				a.add(effect.Effect{Verb: effect.Send, Object: to, From: a.place(p)})
			}
		})
	}
}

// fileNamed is the path that a call begins with, within what makes a path of it:
// Path.of("x"). In Tcl it may stand without quotes.
func fileNamed(s string, bare bool) string {
	at := strings.IndexAny(s, `"'`)
	if bare && (at != 0) {
		p := s[:len(s)-len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/~"))]
		return p
	}
	if at < 0 || strings.Trim(s[:at], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.:( ") != "" {
		return ""
	}
	p, ok := quotedText(s[at:])
	if !ok || p == "" || strings.Contains(p, "://") || strings.ContainsAny(p, "\n ") {
		return ""
	}
	return p
}

// addressIn is the first address in a program, or that it opens a connection.
func addressIn(program string) string {
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
			if texts := inQuotes(after[:min(len(after), 120)]); len(texts) > 0 {
				return texts[0]
			}
			return "connection"
		}
	}
	return ""
}

// eachAfter calls f with what stands before and behind a name, wherever it is in
// a program.
func eachAfter(program, name string, f func(before, after string)) { scan.After(program, name, f) }

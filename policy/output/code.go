package output

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// ReadersOf are the names of functions that read a file, in lower case, with what
// stands before the path.
var ReadersOf = []string{
	"readfile(", "readfile ", "read(", "open(", "[open ", "offile(", "insert-file-contents ", "insert-file-contents-literally ", "upload_file(", "readallbytes(", "readstring(", "readalltext(", "readalllines(", "lines(", "slurp(", "slurp ", "read_to_string(",
	"file.read!(", "file.read(", "file_get_contents(", "fileread(", "readlines(", "inputfile(", "bytestring.readfile ", "fileinputstream(", "filereader(", "fromfile(", "contentsoffile:", "contentsof:", "readtext(",
}

// codeShows reports whether the program that an interpreter is given prints what
// it reads, as far as its words tell.
func codeShows(a *invocation.Act) bool {
	if printsResult(a) || slices.Contains(a.Args, "json.tool") {
		return true
	}
	if printsWindows(a.Name) {
		return windowsPrints(strings.ToLower(strings.Join(a.Args, " ")))
	}
	return slices.ContainsFunc(a.Args, CodePrints) || a.In.Known && CodePrints(a.In.Text)
}

// printsResult reports whether an interpreter is told to print each line, or what
// comes out: -p.
func printsResult(a *invocation.Act) bool {
	if printsWindows(a.Name) || strings.HasPrefix(a.Name, "python") {
		return false
	}
	for i, arg := range a.Args {
		if body, dashes := invocation.CutDashes(arg); dashes == 1 && invocation.IsCluster(body) && i+1 < len(a.Args) && strings.Contains(body, "p") && !strings.Contains(body, "i") {
			return true
		}
	}
	return false
}

func printsWindows(name string) bool {
	switch strings.ToLower(name) {
	case "pwsh", "powershell", "cmd", "type", "get-content", "gc", "findstr", "select-string", "sls":
		return true
	}
	return false
}

// CodePrints reports whether a program prints.
func CodePrints(code string) bool {
	return invocation.ContainsAny(code, printing) && !namesOfDotenv(code)
}

// namesOfDotenv reports whether a program does nothing but print the names, or the
// number, of a file with settings: each of its statements is known, and there is no
// other.
func namesOfDotenv(code string) bool {
	prints := false
	for statement := range strings.FieldsFuncSeq(code, func(c rune) bool { return c == ';' || c == '\n' }) {
		switch statement = strings.TrimSpace(statement); {
		case statement == "import dotenv", statement == "from dotenv import dotenv_values":
		case printsDotenv.MatchString(statement):
			prints = true
		default:
			return false
		}
	}
	return prints
}

var printsDotenv = regexp.MustCompile(`^print\((list|sorted|len|set|tuple)\((dotenv\.)?dotenv_values\(("[^"\\]*"|'[^'\\]*')?\)\)\)$`)

// printing are the words by which programs print, capturing those by which they
// take what others print.
var (
	printing = []string{
		"print", "console.", "puts", "write(", "say ", "echo", "dump", "p ", "readfile", "display", "cat(", "princ", "format(", "passthru", "show(", "Bun.stdout", "writeln", "IO.", "process.env", "pp ", "inspect",
	}
	capturing = []string{"check_output", "capture_output", "stdout=", "execSync", "popen", "getoutput", "spawnSync", "Open3", "`"}
)

// printsEnviron reports whether a program prints all variables, and not one.
func printsEnviron(code string) bool {
	if len(code) < len("os.environ") || !strings.Contains(code, "s.env") {
		return false
	}
	for _, all := range []string{"process.env", "os.environ"} {
		if _, after, ok := strings.Cut(code, all); ok && !strings.HasPrefix(after, ".") && !strings.HasPrefix(after, "[") && CodePrints(code) {
			return true
		}
	}
	return false
}

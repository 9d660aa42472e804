package shell

import (
	"slices"
	"strings"
)

// codeShows reports whether the program that an interpreter is given prints what
// it reads, as far as its words tell.
func (a *act) codeShows() bool {
	if a.printsResult() || slices.Contains(a.Args, "json.tool") {
		return true
	}
	if printsWindows(a.Name) {
		return windowsPrints(strings.ToLower(strings.Join(a.Args, " ")))
	}
	return slices.ContainsFunc(a.Args, codePrints) || a.in.known && codePrints(a.in.text)
}

// printsResult reports whether an interpreter is told to print each line, or what
// comes out: -p.
func (a *act) printsResult() bool {
	if printsWindows(a.Name) || strings.HasPrefix(a.Name, "python") {
		return false
	}
	for i, arg := range a.Args {
		if body, dashes := cutDashes(arg); dashes == 1 && isCluster(body) && i+1 < len(a.Args) && strings.Contains(body, "p") && !strings.Contains(body, "i") {
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

// windowsPrints reports whether a line for PowerShell or cmd prints a file, and
// does not only use it. It is in lower case.
func windowsPrints(line string) bool {
	return containsAny(line, []string{"get-content", "gc ", "cat ", "type ", "more ", "select-string", "sls ", "findstr", "readalltext", "readalllines", "format-hex"}) &&
		!containsAny(line, []string{"set-content", "out-file", "out-null", "-quiet", "stringdata", "foreach", "%{", "% {", "setenvironmentvariable", "$env:", ">", "measure", "split('=')[0]"})
}

// codePrints reports whether a program prints, and not only names or lengths.
func codePrints(code string) bool {
	return containsAny(code, printing) && !containsAny(code, namesOnly) && !namesOfDotenv(code)
}

// namesOfDotenv reports whether a program takes the names alone out of a file with
// settings, list(dotenv_values(".env")), and reads nothing besides.
func namesOfDotenv(code string) bool {
	const call = "dotenv_values("
	named := strings.Count(code, "dotenv_values") - strings.Count(code, call)
	before, after, ok := strings.Cut(code, call)
	if !ok || named > 1 || named == 1 && !strings.Contains(code, "import dotenv_values") || containsAny(code, []string{"open(", "read", "environ", "getenv", "eval", "exec", " as "}) {
		return false
	}
	for ok {
		before = strings.TrimSuffix(before, "dotenv.")
		closed := strings.IndexByte(after, ')')
		if closed < 0 || !strings.HasPrefix(after[closed:], "))") || strings.ContainsAny(after[:closed], "(") || strings.HasPrefix(after[closed+2:], "[") ||
			!strings.HasSuffix(before, "list(") && !strings.HasSuffix(before, "sorted(") && !strings.HasSuffix(before, "len(") && !strings.HasSuffix(before, "set(") && !strings.HasSuffix(before, "tuple(") {
			return false
		}
		before, after, ok = strings.Cut(after[closed+2:], call)
	}
	return true
}

// printing are the words by which programs print, capturing those by which they
// take what others print, namesOnly those by which they leave the values out.
var (
	printing = []string{
		"print", "console.", "puts", "write(", "say ", "echo", "dump", "p ", "readfile", "display", "cat(", "princ", "format(", "passthru", "show(", "Bun.stdout", "writeln", "IO.", "process.env", "pp ", "inspect",
	}
	capturing = []string{"check_output", "capture_output", "stdout=", "execSync", "popen", "getoutput", "spawnSync", "Open3", "`"}
	namesOnly = []string{
		`split('=')[0]`, `split("=")[0]`, `split('=', 1)[0]`, `split("=", 1)[0]`, `split("=",1)[0]`, `split('=',1)[0]`, `partition('=')[0]`, `partition("=")[0]`, ".keys()", "Object.keys", "len(open", ".length)",
	}
)

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// printsEnviron reports whether a program prints all variables, and not one.
func printsEnviron(code string) bool {
	if len(code) < len("os.environ") || !strings.Contains(code, "s.env") {
		return false
	}
	for _, all := range []string{"process.env", "os.environ"} {
		if _, after, ok := strings.Cut(code, all); ok && !strings.HasPrefix(after, ".") && !strings.HasPrefix(after, "[") && codePrints(code) {
			return true
		}
	}
	return false
}

package invocation

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// ContainsAny reports whether a text contains one of the words.
func ContainsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// IsForWindows reports whether a program is one of Windows, which people also
// start from other shells.
func IsForWindows(name string) bool {
	return command.Builtin().In("windows-programs", strings.ToLower(name))
}

// InterpreterName is what an interpreter is called without its version, or empty.
func InterpreterName(name string) string {
	end := len(name) // without a version
	for end > 0 && (name[end-1] >= '0' && name[end-1] <= '9' || name[end-1] == '.' || name[end-1] == '-') {
		end--
	}
	switch base := strings.ToLower(name[:end]); base {
	case "python", "pypy", "ipython", "pythonw", "py", "micropython", "jython", "graalpy":
		return "python"
	case "perl", "ruby", "php", "lua", "node", "cmd":
		return base
	case "jruby", "truffleruby", "irb", "mruby":
		return "ruby"
	case "luajit", "texlua":
		return "lua"
	case "rscript", "r", "littler":
		return "r"
	case "php-cgi", "php-cli", "hhvm":
		return "php"
	case "nodejs", "bun", "deno", "tsx", "ts-node", "qjs", "d8":
		return "node"
	case "powershell", "pwsh", "pwsh-preview":
		return "powershell"
	}
	return ""
}

// IsCode reports whether the command runs a program in another language, or one
// of Windows.
func (a *Act) IsCode() bool { return a.Facts().IsCode() }

// IsOfWindows reports whether a program comes with Windows or is made for it,
// beside those that isForWindows knows.
func IsOfWindows(name string) bool {
	return command.Builtin().In("programs-of-windows", strings.ToLower(name))
}

// IsGuardPort reports whether a text is the port on which the guard listens.
func IsGuardPort(text string) bool { return strings.Trim(text, ": \\b$^") == "8484" }

package invocation

import (
	"strings"
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
	switch strings.ToLower(name) {
	case "vssadmin", "wmic", "wbadmin", "bcdedit", "robocopy", "takeown", "icacls", "fsutil", "wevtutil", "reg", "rd", "del", "erase", "certutil", "bitsadmin", "mshta", "regsvr32",
		"rundll32", "msiexec", "cscript", "wscript", "schtasks", "sc", "setx", "cmdkey", "vaultcmd", "procdump", "taskkill", "diskpart", "format", "cipher", "net", "net1", "copy", "xcopy", "move", "attrib", "cacls", "powercfg", "netsh":
		return true
	}
	return false
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
	switch strings.ToLower(name) {
	case "auditpol", "ntdsutil", "sdelete", "sdelete64", "mpcmdrun", "manage-bde", "forfiles", "runas", "reagentc", "start", "bcdboot", "tskill", "esentutl", "cmstp", "installutil", "procdump64":
		return true
	}
	return false
}

// IsGuardPort reports whether a text is the port on which the guard listens.
func IsGuardPort(text string) bool { return strings.Trim(text, ": \\b$^") == "8484" }

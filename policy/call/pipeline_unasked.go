package call

import (
	"strings"
)

// unasked are the scripts of a package that run when it is installed.
var unasked = []string{`"preinstall"`, `"install"`, `"postinstall"`, `"prepare"`, `"post-install-cmd"`, `"pre-install-cmd"`, `"post-update-cmd"`, `"post-autoload-dump"`}

// installScripts are the commands of a package that run when it is installed.
func installScripts(text string) string {
	var b strings.Builder
	for _, key := range unasked {
		_, after, ok := strings.Cut(text, key)
		if !ok {
			continue
		}
		after = strings.TrimLeft(after, " \t\r\n:")
		end := strings.IndexByte(after, '\n')
		if strings.HasPrefix(after, "[") {
			end = strings.IndexByte(after, ']')
		}
		if end < 0 {
			end = len(after)
		}
		list := quotedTexts(after[:end], `"`)
		if !strings.HasPrefix(after, "[") {
			list = list[:min(1, len(list))]
		}
		for _, command := range list {
			b.WriteString(command + "\n")
		}
	}
	return b.String()
}

// pythonProgram is a program that is read only if it mentions what it could leak
// or where more of it could come from.
func pythonProgram(text string) string {
	for _, sign := range []string{"/dev/tcp/", ".ssh", ".aws", "environ", "socket", "curl ", "wget ", "urlopen", "requests."} {
		if strings.Contains(text, sign) {
			return "python3 -c '" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
	}
	return ""
}

// handsOver are the lines of a script that open a reverse shell, if any:
// nothing else in a script that is not run yet matters.
func handsOver(text string) string {
	if !strings.Contains(text, "/dev/tcp/") || len(text) > 16<<10 {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		_, host, ok := strings.Cut(line, "/dev/tcp/")
		if trimmed := strings.TrimSpace(line); !ok || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "echo") {
			continue
		}
		host, _, _ = strings.Cut(host, "/")
		if !isNear(host) && (strings.Contains(line, "sh -i") || strings.Contains(line, "exec ")) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// isNear reports whether a host is this machine or in the same network, or
// unknown.
func isNear(host string) bool {
	for _, start := range []string{"127.", "10.", "192.168.", "172.", "localhost", "$", "\"$", "{", "<", "0.0.0.0"} {
		if strings.HasPrefix(host, start) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}

// isSample reports whether a file is an example or a test fixture.
func isSample(file string) bool {
	for _, word := range []string{"test", "spec", "fixture", "sample", "example", "payload", "exploit", "ctf", "malware", "corpus", "doc", "attack", "lab", "poc", "honeypot", "mock", "redteam", "red-team", "pentest"} {
		if strings.Contains(strings.ToLower(file), word) {
			return true
		}
	}
	return false
}

// isOwnKey reports whether a file contains a person's keys, which nothing that
// runs unasked may leak.
func isOwnKey(file string) bool {
	return strings.Contains(file, "/.ssh/id_") && !strings.HasSuffix(file, ".pub") || strings.HasSuffix(file, "/.aws/credentials") || strings.HasSuffix(file, "/.netrc") || strings.HasSuffix(file, "/.git-credentials") || strings.HasSuffix(file, "/.kube/config")
}

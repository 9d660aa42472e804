package follow

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
)

// scriptNames are the scripts that a command runs, and false if it may be any.
func scriptNames(a *invocation.Act) (names []string, some bool) {
	words := a.Operands("prefix", "cwd", "C", "dir", "filter", "F", "w", "workspace")
	if len(words) == 0 {
		words = []string{"install"} // yarn
	}
	sub := words[0]
	switch sub {
	case "run", "run-script", "rum", "exec", "workspace", "workspaces", "foreach", "recursive", "affected":
		if words = words[1:]; sub == "workspace" && len(words) > 0 {
			words = words[1:] // of its name
		}
		if len(words) > 0 && words[0] == "run" {
			words = words[1:]
		}
		if len(words) == 0 {
			return nil, true // lists them
		}
		names = words[:1]
		if a.Name == "turbo" || a.Name == "nx" || a.Name == "lerna" {
			names = words
		}
	case "install", "i", "ci", "add", "install-test", "it", "update", "up", "upgrade", "remove", "uninstall", "rebuild", "link", "dedupe":
		names = []string{"install", "prepublish", "prepare", "dependencies"}
	case "test", "t", "tst":
		names = []string{"test"}
	case "pack", "publish":
		names = []string{"prepack", "prepare", "prepublishOnly", "publish", "pack"}
	case "version":
		names = []string{"version"}
	case "restart":
		names = []string{"restart", "stop", "start"}
	case "start", "stop":
		names = []string{sub}
	case "ls", "list", "view", "info", "outdated", "audit", "config", "why", "explain", "search", "login", "whoami", "init", "create", "dlx", "x", "cache", "help", "root", "bin", "prefix", "fund", "doctor", "ping", "pkg", "query":
		if a.Name == "npm" {
			return nil, true
		}
		names = words[:1] // if there is a script of that name
	default:
		if a.Name == "npm" {
			return nil, false
		}
		names = words[:1] // yarn build
	}
	for _, name := range names {
		if invocation.Unknown(name) || strings.ContainsAny(name, "*:#") && (a.Name == "turbo" || a.Name == "nx") {
			return nil, false
		}
	}
	return names, true
}

// IsInstaller reports whether an address is that of a tool's own installer, which its
// makers tell people to pipe into a shell: images and pipelines are made so every day.
func IsInstaller(address string) bool {
	rest, ok := strings.CutPrefix(address, "https://")
	if !ok || strings.Contains(rest, "..") || strings.ContainsAny(rest, "%\\") { // which may lead elsewhere
		return false
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if !strings.Contains(rest, "/") {
		rest += "/"
	}
	return slices.ContainsFunc(command.Builtin().Set("installers"), func(begin string) bool { return strings.HasPrefix(rest, begin) })
}

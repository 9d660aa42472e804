package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/project"
)

// scripted reads the scripts of a package.json that a command runs.
func scripted(a *act) func(f project.File) project.Steps {
	names, some := scriptNames(a)
	return func(f project.File) project.Steps { return project.Scripts(f, names, !some) }
}

// scriptNames are the scripts that a command runs, and false if it may be any.
func scriptNames(a *act) (names []string, some bool) {
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
		if unknown(name) || strings.ContainsAny(name, "*:#") && (a.Name == "turbo" || a.Name == "nx") {
			return nil, false
		}
	}
	return names, true
}

package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// gitDiscardsAll notes that all changes are given up.
func gitDiscardsAll(a *act, _ *command.Reading) {
	a.add(effect.Effect{Verb: effect.Discard, Object: "changes", From: a.at.Cwd})
	if a.at.Cwd != a.r.scope.at.Cwd {
		a.gitCleans(".") // of another tree: -C, --work-tree
	}
}

// gitDiscards notes that changes in paths are given up: in those that are paths, and in
// words that can be nothing else.
func gitDiscards(a *act, in *command.Reading) {
	paths, words := in.Values("path"), in.Values("word")
	if a.More && len(paths)+len(words) == 0 {
		gitDiscardsAll(a, in)
	}
	for _, word := range words {
		if isTreePath(word) {
			paths = append(paths, word)
		}
	}
	for _, p := range paths {
		switch strings.TrimSuffix(p, "/") {
		case ".", ":", "*", "./*", ":(top)", "./.", "..", ":.":
			a.add(effect.Effect{Verb: effect.Discard, Object: "changes", From: a.at.Cwd})
		default:
			a.add(effect.Effect{Verb: effect.Discard, Object: "changes in " + p, From: a.path(p)})
			a.gitHides(p)
		}
	}
}

func gitHide(a *act, in *command.Reading) { a.gitHides(in.Values("path")...) }

// gitHides notes that settings, which lie in files and directories that do not show,
// are not what they were.
func (a *act) gitHides(paths ...string) {
	for _, p := range a.few(paths) {
		for element := range strings.SplitSeq(p, "/") {
			if len(element) > 2 && element[0] == '.' || element == "opencode.json" {
				a.deletes(false, p)
				break
			}
		}
	}
}

// isTreePath reports whether an operand can only be a path, not a branch.
func isTreePath(s string) bool {
	switch {
	case s == "." || s == ":/" || s == "*" || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasSuffix(s, "/"):
		return true
	case strings.ContainsAny(s, "*?[") || strings.HasPrefix(s, ":("):
		return true
	}
	dot := strings.LastIndexByte(s, '.')
	return dot > 0 && len(s)-dot <= 5 && dot+1 < len(s) && isCluster(s[dot+1:]) && (s[dot+1] < '0' || s[dot+1] > '9')
}

func gitCleansTree(a *act, _ *command.Reading) { a.gitCleans(".") }

// gitCleans notes that a tree is cleaned which is more than a project: all that git
// does not know in it is lost.
func (a *act) gitCleans(tree string) {
	switch dir := a.path(tree); {
	case dir == "~", dir == "$HOME", dir == "/", dir == "/etc", dir == "/usr", dir == "/var", dir == "/opt", dir == "/srv", dir == "/root", strings.HasPrefix(a.at.Home+"/", strings.TrimSuffix(dir, "/")+"/"):
		a.deletes(true, tree)
	}
}

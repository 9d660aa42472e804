package hook

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// gitDiscardsAll notes that all changes are given up.
func gitDiscardsAll(a *invocation.Act, _ *command.Reading) {
	a.Add(effect.Effect{Verb: effect.Discard, Object: "changes", From: a.At.Cwd})
	if a.At.Cwd != a.R.Scope.At.Cwd {
		gitCleans(a, ".") // of another tree: -C, --work-tree
	}
}

// gitDiscards notes that changes in paths are given up: in those that are paths, and in
// words that can be nothing else.
func gitDiscards(a *invocation.Act, in *command.Reading) {
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
			a.Add(effect.Effect{Verb: effect.Discard, Object: "changes", From: a.At.Cwd})
		default:
			a.Add(effect.Effect{Verb: effect.Discard, Object: "changes in " + p, From: a.Path(p)})
			gitHides(a, p)
		}
	}
}

// gitHides notes that settings, which lie in files and directories that do not show,
// are not what they were.
func gitHides(a *invocation.Act, paths ...string) {
	for _, p := range follow.Few(a, paths) {
		for element := range strings.SplitSeq(p, "/") {
			if len(element) > 2 && element[0] == '.' || element == "opencode.json" {
				a.DeletesFiles(false, p)
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
	return dot > 0 && len(s)-dot <= 5 && dot+1 < len(s) && invocation.IsCluster(s[dot+1:]) && (s[dot+1] < '0' || s[dot+1] > '9')
}

// gitCleans notes that a tree is cleaned which is more than a project: all that git
// does not know in it is lost.
func gitCleans(a *invocation.Act, tree string) {
	switch dir := a.Path(tree); {
	case dir == "~", dir == "$HOME", dir == "/", dir == "/etc", dir == "/usr", dir == "/var", dir == "/opt", dir == "/srv", dir == "/root", strings.HasPrefix(a.At.Home+"/", strings.TrimSuffix(dir, "/")+"/"):
		a.DeletesFiles(true, tree)
	}
}

package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// discards notes that changes in paths are given up, in all of the tree if
// there are none.
func (a *act) discards(paths []string) {
	if len(paths) == 0 {
		a.add(effect.Effect{Verb: effect.Discard, Object: "changes", From: a.at.Cwd})
		if a.at.Cwd != a.r.scope.at.Cwd {
			a.gitCleans(".") // of another tree: -C, --work-tree
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

func gitReset(a *act, l *line) {
	if l.has("hard") || l.exact("har") {
		a.discards(nil)
	}
}

func gitCheckout(a *act, l *line) {
	switch paths := l.after; {
	case l.exact("f") || l.has("force"):
		a.discards(nil)
	case l.has("p", "patch", "ours", "theirs", "b", "B", "orphan"):
	case len(paths) > 0, l.has("pathspec-from-file"):
		a.discards(paths)
	default:
		for _, operand := range l.operands {
			if isTreePath(operand) {
				a.discards([]string{operand})
			}
		}
		if a.More && len(l.operands) == 0 {
			a.discards(nil)
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

func gitSwitch(a *act, l *line) {
	if l.exact("f") || l.has("force", "discard-changes") {
		a.discards(nil)
	}
}

func gitRestore(a *act, l *line) {
	if l.has("p", "patch") || l.has("S", "staged") && !l.has("W", "worktree") {
		return
	}
	if len(l.operands) > 0 || l.has("pathspec-from-file") || a.More {
		a.discards(l.operands)
	}
}

func gitClean(a *act, l *line) {
	forced := l.exact("f") || l.has("force")
	for i := range a.Args { // git -c clean.requireForce=false clean
		forced = forced || strings.EqualFold(a.Args[i], "clean.requireForce=false")
	}
	if !forced || l.exact("n", "i") || l.has("dry-run", "interactive") {
		return
	}
	wide := l.exact("x", "X") && !keepsPrivate(l)
	if len(l.operands) == 0 {
		a.gitCleans(".")
		a.add(effect.Effect{Verb: effect.Discard, Object: "untracked files", From: a.at.Cwd, Wide: wide})
	}
	for _, p := range l.operands {
		a.add(effect.Effect{Verb: effect.Discard, Object: "untracked files in " + p, From: a.path(p), Wide: wide && (p == "." || strings.HasPrefix(p, "/") || strings.HasPrefix(p, ".."))})
	}
}

// keepsPrivate reports whether git clean leaves out what nobody can make again of
// the files that git does not know: settings with secrets in them.
func keepsPrivate(l *line) bool {
	kept := false
	for _, pattern := range l.values("e", "exclude") {
		switch strings.TrimPrefix(strings.TrimPrefix(pattern, "**/"), "/") {
		case ".env", ".env*", "*.env", ".env**":
			kept = true
		}
		if strings.HasPrefix(pattern, "!") { // but not that one
			return false
		}
	}
	return kept
}

func gitStash(a *act, l *line) {
	switch l.operand(0) {
	case "drop":
		a.does(effect.Discard, "stash")
	case "clear":
		a.does(effect.Discard, "all stashes")
	case "store", "create", "apply", "pop", "list", "show", "branch":
	default: // push, which need not be said
		paths := l.after
		if l.operand(0) == "push" {
			paths = l.from(1)
		}
		for _, p := range a.few(paths) {
			a.add(effect.Effect{Verb: effect.Discard, Object: "changes in " + p, From: a.path(p)})
		}
		a.gitHides(paths...)
	}
}

// gitCleans notes that a tree is cleaned which is more than a project: all that git
// does not know in it is lost.
func (a *act) gitCleans(tree string) {
	switch dir := a.path(tree); {
	case dir == "~", dir == "$HOME", dir == "/", dir == "/etc", dir == "/usr", dir == "/var", dir == "/opt", dir == "/srv", dir == "/root", strings.HasPrefix(a.at.Home+"/", strings.TrimSuffix(dir, "/")+"/"):
		a.deletes(true, tree)
	}
}

func gitBranch(a *act, l *line) {
	if !l.exact("D") && (!l.has("d", "delete") || !l.has("f", "force")) || l.exact("r") || l.has("remotes") {
		return
	}
	for _, name := range l.operands {
		a.does(effect.Discard, "branch "+name)
	}
	if a.More && len(l.operands) == 0 {
		a.does(effect.Discard, "branch *")
	}
}

func gitUpdateRef(a *act, l *line) {
	if l.exact("d") {
		a.does(effect.Discard, "ref "+l.operand(0))
	}
	switch branch, ok := strings.CutPrefix(l.operand(0), "refs/heads/"); {
	case ok && isTrunk(branch): // deleted, or put where it was not
		a.does(effect.DeleteBranch, branch)
	case l.exact("d") && a.More:
		a.add(effect.Effect{Verb: effect.DeleteBranch, Object: "*", Wide: true})
	}
	if l.has("stdin") {
		a.gitUpdatesListed()
	}
}

// isTrunk reports whether a branch is one that others build on.
func isTrunk(name string) bool {
	switch name {
	case "main", "master", "trunk", "develop", "production", "prod", "release":
		return true
	}
	return strings.HasPrefix(name, "release/")
}

func gitReflog(a *act, l *line) {
	if sub := l.operand(0); (sub == "expire" || sub == "delete") && !l.exact("n") && !l.has("dry-run") {
		a.does(effect.Discard, "reflog")
	}
}

func gitGC(a *act, l *line) {
	if when := l.value("prune"); when == "now" || when == "all" {
		a.gitForgets()
	}
}

func gitPrune(a *act, l *line) {
	if !l.exact("n") && !l.has("dry-run") {
		a.gitForgets()
	}
}

func gitWorktree(a *act, l *line) {
	if l.operand(0) == "remove" && (l.exact("f") || l.has("force")) {
		a.does(effect.Discard, "worktree "+l.operand(1))
	}
}

func gitRemove(a *act, l *line) {
	if (l.exact("f") || l.has("force")) && !l.has("cached", "n", "dry-run") {
		a.discards(l.operands)
	} else if !l.has("cached", "n", "dry-run") {
		a.deletes(false, a.few(l.operands)...)
	}
}

// gitMove moves files that git knows.
func gitMove(a *act, l *line) {
	if from := l.operands; len(from) > 1 && !l.has("n", "dry-run") {
		a.deletes(false, a.few(from[:len(from)-1])...) // as mv does
	}
}

func gitReadTree(a *act, l *line) {
	if l.has("reset") && l.exact("u") {
		a.discards(nil)
	}
}

func gitCheckoutIndex(a *act, l *line) {
	if l.exact("f") || l.has("force") {
		a.discards(l.operands)
	}
}

func gitFilterBranch(a *act, l *line) {
	a.does(effect.RewriteHistory, "history")
	for i := range l.flags {
		if o := &l.flags[i]; strings.HasSuffix(o.name, "-filter") && o.name != "subdirectory-filter" || o.name == "setup" {
			a.script(o.value)
		}
	}
}

func gitFilterRepo(a *act, l *line) {
	if l.has("analyze", "dry-run") {
		return
	}
	a.does(effect.RewriteHistory, "history")
	if l.has("force") || l.exact("f") { // what it was is deleted at once, and not only of a fresh clone
		a.add(effect.Effect{Verb: effect.Discard, Object: "history", From: a.at.Cwd, Wide: true})
	}
}

package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// gitVerbs are git and the programs for the places where repositories live.
var gitVerbs = map[string]verb{
	"git":              git,
	"git-filter-repo":  gitNamed("filter-repo"),
	"git-receive-pack": harmless, "git-upload-pack": harmless, "git-lfs": harmless,
}

// gitCalled are the commands that can be called by the name of a program of
// their own: git-push.
var gitCalled = strings.Fields(`add push send-pack remote reset checkout switch restore clean stash branch update-ref reflog gc prune worktree rm mv read-tree checkout-index
	filter-branch commit merge am apply cherry-pick revert config submodule bisect rebase difftool mergetool archive clone fetch pull ls-remote fetch-pack daemon instaweb show cat-file diff log send-email imap-send init`)

// gitNamed is git-push for git push.
func gitNamed(sub string) verb {
	return func(a *act) {
		own := *a.Command
		own.Name, own.Sub, own.Args = "git", sub, append([]string{sub}, a.Args...)
		given := *a
		given.Command, given.values = &own, append(make([]value, 1), a.words()...)
		git(&given)
	}
}

var gitTakes = valued("C c git-dir work-tree namespace exec-path super-prefix config-env attr-source list-cmds")

// gitCommands are the commands of git that do more than look and record.
var gitCommands = map[string]func(a *act, l *line){
	"add": gitAdd, "stage": gitAdd, "push": gitPush, "send-pack": gitPush, "remote": gitRemote,
	"reset": gitReset, "checkout": gitCheckout, "switch": gitSwitch, "restore": gitRestore, "clean": gitClean, "stash": gitStash,
	"branch": gitBranch, "update-ref": gitUpdateRef, "reflog": gitReflog, "gc": gitGC, "prune": gitPrune, "worktree": gitWorktree,
	"rm": gitRemove, "mv": gitMove, "read-tree": gitReadTree, "checkout-index": gitCheckoutIndex,
	"filter-branch": gitFilterBranch, "filter-repo": gitFilterRepo,
	"commit": gitCommit, "merge": gitUnchecked, "am": gitApply, "apply": gitApply, "cherry-pick": gitUnchecked, "revert": gitUnchecked,
	"config":    gitConfig,
	"submodule": gitSubmodule, "bisect": gitBisect, "rebase": gitRebase, "difftool": gitDifftool, "mergetool": gitDifftool, "grep": gitGrep,
	"archive": gitArchive, "bundle": gitBundle, "clone": gitClone, "init": gitInit, "fetch": gitFetch, "pull": gitFetch, "ls-remote": gitFetch, "fetch-pack": gitFetch,
	"credential": gitCredential, "credential-store": gitCredential, "credential-cache": gitCredential, "credential-osxkeychain": gitCredential, "credential-manager": gitCredential,
	"daemon": gitServe, "instaweb": gitServe, "http-backend": gitServe,
	"show": gitShow, "cat-file": gitShow, "blame": gitShow, "diff": gitShow, "log": gitShow, "annotate": gitShow,
	"send-email": gitSendMail, "imap-send": gitSendMail,
}

// gitFlags are the flags with a value of each command.
var gitFlags = map[string]takes{
	"push":          valued("repo receive-pack exec o push-option"),
	"send-pack":     valued("receive-pack exec remote"),
	"init":          valued("template b initial-branch separate-git-dir object-format ref-format"),
	"remote":        valued("t m"),
	"reset":         valued("pathspec-from-file"),
	"checkout":      valued("b B conflict pathspec-from-file orphan"),
	"switch":        valued("c C orphan conflict"),
	"restore":       valued("s source pathspec-from-file conflict"),
	"clean":         valued("e exclude"),
	"stash":         valued("m message pathspec-from-file"),
	"branch":        valued("u set-upstream-to contains no-contains merged no-merged points-at sort format"),
	"update-ref":    valued("m"),
	"filter-branch": valued("env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter subdirectory-filter setup d original state-branch"),
	"commit":        valued("m message F file C reuse-message c reedit-message author date t template fixup squash cleanup trailer pathspec-from-file"),
	"apply":         valued("directory p C exclude include whitespace"),
	"am":            valued("directory p C exclude include whitespace patch-format"),
	"merge":         valued("m F s strategy X strategy-option into-name cleanup"),
	"config":        valued("f file blob type default comment value url"),
	"submodule":     valued("b branch name reference depth j jobs"),
	"rebase":        valued("x exec onto s strategy X strategy-option C whitespace"),
	"difftool":      valued("x extcmd t tool"),
	"mergetool":     valued("t tool"),
	"grep":          valued("e f m A B C max-depth threads"),
	"archive":       valued("o output remote exec format prefix add-file"),
	"clone":         valued("b branch o origin u upload-pack c config template reference reference-if-able depth shallow-since shallow-exclude separate-git-dir j jobs filter server-option bundle-uri"),
	"fetch":         valued("upload-pack depth deepen shallow-since shallow-exclude j jobs o server-option refmap negotiation-tip"),
	"pull":          valued("upload-pack depth s strategy X strategy-option j jobs o server-option"),
	"ls-remote":     valued("upload-pack exec sort o server-option"),
	"log":           valued("output n max-count since until after before author committer grep format S G L O"),
	"diff":          valued("output S G O l inter-hunk-context"),
	"show":          valued("output format S G"),
	"worktree":      valued("b B reason"),
	"blame":         valued("L S contents ignore-rev ignore-revs-file"),
}

func git(a *act) {
	global := cutLine(a.Args, gitTakes, firstEnds)
	for _, dir := range global.values("C") {
		moved := *a
		moved.at.Cwd = a.path(dir)
		a = &moved
	}
	tree := global.value("work-tree")
	if tree == "" {
		tree = a.Env["GIT_WORK_TREE"]
	}
	if tree != "" {
		moved := *a
		moved.at.Cwd = a.path(tree)
		a = &moved
	}
	settings := a.gitSettings(&global)
	for _, setting := range settings {
		a.gitSetting(setting.key, setting.value, false)
	}
	if len(global.values("config-env")) > 0 {
		a.doubt(Variable)
	}
	if dir := global.value("exec-path"); dir != "" {
		a.does(effect.Run, a.path(dir))
	}
	a.gitEnvironment()
	if len(global.operands) == 0 {
		return
	}
	name := global.operands[0]
	if do := gitCommands[name]; do != nil {
		l := cutLine(global.operands[1:], gitFlags[name], shortens)
		do(a, &l)
		return
	}
	if unknown(name) {
		a.doubt(Variable)
	}
	if meant := a.gitAlias(name, settings); meant != "" && !strings.HasPrefix(meant, "!") { // a command for the shell was read where it was set
		a.script("git " + meant + " " + quoted(global.operands[1:]))
	}
}

// gitPair is a setting of git.
type gitPair struct{ key, value string }

// gitSettings are those for this command alone: by -c, and by the environment.
func (a *act) gitSettings(global *line) []gitPair {
	var list []gitPair
	for _, setting := range a.few(global.values("c")) {
		key, value, _ := strings.Cut(setting, "=")
		list = append(list, gitPair{key, value})
	}
	for _, name := range sortedNames(a.Env) {
		if number, ok := strings.CutPrefix(name, "GIT_CONFIG_KEY_"); ok && len(list) < mostAddresses {
			list = append(list, gitPair{a.Env[name], a.Env["GIT_CONFIG_VALUE_"+number]})
		}
	}
	for setting := range strings.SplitSeq(a.Env["GIT_CONFIG_PARAMETERS"], "' '") { // 'a.b=c' 'd.e'='f'
		if key, value, ok := strings.Cut(strings.ReplaceAll(setting, "'", ""), "="); ok && len(list) < mostAddresses {
			list = append(list, gitPair{strings.TrimSpace(key), value})
		}
	}
	return list
}

// gitAlias is what a word stands for, where that was set for this command or by
// one before it.
func (a *act) gitAlias(name string, settings []gitPair) string {
	for _, setting := range settings {
		if strings.EqualFold(setting.key, "alias."+name) {
			return setting.value
		}
	}
	for _, e := range slices.Backward(a.r.reading.Effects) {
		if e.Verb == effect.SetVariable && strings.EqualFold(e.Object, aliasVariable+name) {
			return e.From
		}
	}
	return ""
}

// aliasVariable is how an alias is noted.
const aliasVariable = "git alias."

// gitEnvironment follows the variables by which git is told to run something.
func (a *act) gitEnvironment() {
	for _, name := range sortedNames(a.Env) {
		value := a.Env[name]
		switch name {
		case "GIT_SSH_COMMAND", "GIT_SSH", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_ASKPASS":
			if !strings.Contains(value, " ") && !strings.Contains(value, "$(") { // those are read for every program
				a.gitRuns(value)
			}
		case "GIT_SSL_NO_VERIFY":
			if value != "" && value != "0" && value != "false" {
				a.does(effect.Disarm, "git http.sslVerify")
			}
		case "HUSKY", "LEFTHOOK":
			if value == "0" || value == "false" {
				a.does(effect.SkipChecks, "hooks")
			}
		case "HUSKY_SKIP_HOOKS", "PRE_COMMIT_ALLOW_NO_CONFIG", "OVERCOMMIT_DISABLE":
			a.does(effect.SkipChecks, "hooks")
		case "SKIP":
			if value != "" && (a.Sub == "commit" || a.Sub == "push") {
				a.does(effect.SkipChecks, "hooks "+value)
			}
		case "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR":
			a.does(effect.Run, a.path(value))
		case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG":
			a.gitSettingsIn(value)
		case "GIT_WORK_TREE":
			if a.Sub == "clean" {
				a.gitCleans(value)
			}
		}
	}
}

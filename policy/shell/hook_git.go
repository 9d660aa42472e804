package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// gitPlace goes where git is told to work, and reads the settings for this command
// alone.
func gitPlace(a *act, in *command.Reading) {
	at := a.r.scope.at // not where another reading of the same command has gone
	for _, dir := range a.few(in.Values("cd")) {
		at.Cwd, _ = at.Resolve(dir)
	}
	if tree := in.Value("work-tree"); tree != "" {
		at.Cwd, _ = at.Resolve(tree)
	}
	a.at = at
	for _, setting := range a.gitSettings(in) {
		a.gitSetting(setting.key, setting.value, false)
	}
	for _, file := range in.Values("settings-file") {
		a.gitSettingsIn(file)
	}
	if in.Has("config-env") {
		a.doubt(Variable)
	}
}

// gitPair is a setting of git.
type gitPair struct{ key, value string }

// gitSettings are those for this command alone: by -c, and by the environment.
func (a *act) gitSettings(in *command.Reading) []gitPair {
	var list []gitPair
	for _, setting := range a.few(in.Values("setting")) {
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

// gitAlias runs what a word stands for that is no command of git, where that was set for
// this command or by one before it. Otherwise it may be anything.
func gitAlias(a *act, in *command.Reading) {
	name := in.Value("command")
	meant := a.gitAliasOf(name, a.gitSettings(in))
	switch {
	case meant != "" && !strings.HasPrefix(meant, "!"): // a command for the shell was read where it was set
		a.script("git " + meant + " " + quoted(in.Behind("command")))
	case meant == "" && !in.Maybe("command", 0):
		a.doubt(Subcommand)
		if unknown(name) {
			a.doubt(Variable)
		}
	}
}

func (a *act) gitAliasOf(name string, settings []gitPair) string {
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

// gitApply reads the patch on its input, or in a file that the conversation wrote, and
// notes the files that it changes.
func gitApply(a *act, in *command.Reading) {
	files := a.few(in.Values("patch"))
	patches := make([]string, 0, len(files)+1)
	for _, p := range files {
		content, _ := a.file(p)
		patches = append(patches, content)
	}
	patch := strings.Join(append(patches, a.in.text), "\n")
	dir := in.Value("directory")
	if dir != "" && in.Has("unsafe-paths") {
		if a.within(dir, ""); strings.Contains(dir, "..") {
			a.within("/", "") // how far up that is nobody knows
		}
	}
	for text := range strings.Lines(patch) {
		p, ok := strings.CutPrefix(text, "+++ ")
		if !ok {
			continue
		}
		p, _, _ = strings.Cut(strings.TrimSpace(p), "\t")
		p = strings.TrimPrefix(p, "b/")
		if dir != "" {
			p = strings.TrimSuffix(dir, "/") + "/" + p
		}
		a.writes(p)
	}
}

// gitTemplate: the hooks in a template run with everyday commands from then on.
func gitTemplate(a *act, in *command.Reading) {
	a.add(effect.Effect{Verb: effect.Persist, Object: "git template", From: a.path(in.Value("template"))})
}

// gitRemoteIs follows addresses that run a command.
func gitRemoteIs(a *act, in *command.Reading) {
	for _, address := range a.few(in.Values("remote")) {
		a.gitAddress(address)
	}
}

func (a *act) gitAddress(address string) {
	if text, ok := strings.CutPrefix(address, "ext::"); ok {
		a.script(strings.ReplaceAll(text, "% ", `\ `))
	}
	if strings.HasPrefix(address, "-") || strings.Contains(address, "://-") {
		a.doubt(Variable)
	}
}

// gitFetch notes an address that a repository is fetched from.
func gitFetch(a *act, in *command.Reading) {
	gitRemoteIs(a, in)
	for _, address := range in.Values("remote") {
		if strings.Contains(address, "://") || strings.Contains(address, "@") || strings.Contains(address, "::") {
			a.asks(address, false)
		}
	}
}

// gitClone notes the directory that a repository gets, which is made if all goes well:
// it fails where something is in it.
func gitClone(a *act, in *command.Reading) {
	for _, address := range a.few(in.Values("remote")) { // more than one if it is not known which it is
		to := in.Value("directory")
		if to == "" || to == address {
			to = strings.TrimSuffix(lastName(strings.TrimSuffix(address, "/")), ".git")
			to = to[strings.LastIndexByte(to, ':')+1:]
		}
		a.saves(to, address)
		makes := func(option string) bool { return slices.Contains(cloneSays, option) }
		if !strings.ContainsAny(to, "*?[{") && !slices.ContainsFunc(in.Options(), func(option string) bool { return !makes(option) }) {
			a.sure(begun, a.path(to))
		}
	}
}

// cloneSays are the options of git clone with which it makes a repository, or
// fails.
var cloneSays = strings.Fields("q quiet v verbose progress depth b branch single-branch no-tags recurse-submodules recursive shallow-submodules filter sparse j jobs o origin")

// gitObjects are the files in REVISION:PATH, which are shown as they were, and in paths
// with signs before them, of which some leave files out.
func gitObjects(a *act, in *command.Reading) {
	for _, object := range a.few(in.Values("object")) {
		if _, p, ok := strings.Cut(object, ":"); ok && p != "" && !strings.Contains(object, "://") {
			a.reads(p)
		}
	}
	for _, path := range a.few(in.Values("path")) {
		if p, ok := strings.CutPrefix(path, ":"); ok && p != "" && strings.IndexByte("!^(", p[0]) < 0 {
			a.reads(strings.TrimPrefix(p, "/"))
		}
	}
}

// gitPaths are the words that are files by their look, and would otherwise be revisions.
func gitPaths(a *act, in *command.Reading) {
	for _, p := range a.few(slices.Concat(in.Values("object"), in.Values("path"))) {
		if mayBeSecretFile(p) {
			a.looks(false, p)
		}
	}
}

func gitStaged(a *act, _ *command.Reading) { a.looks(false, a.staged()...) }

// hooksOf are the hooks that commands of git run.
var hooksOf = map[string][]string{
	"commit": {"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"}, "push": {"pre-push"}, "merge": {"pre-merge-commit", "post-merge"}, "pull": {"post-merge", "post-checkout"},
	"checkout": {"post-checkout"}, "switch": {"post-checkout"}, "rebase": {"pre-rebase", "post-rewrite"}, "am": {"applypatch-msg", "pre-applypatch", "post-applypatch"}, "worktree": {"post-checkout"}, "clone": {"post-checkout"},
}

// gitHookFiles reads the hooks of the project that a command of git runs.
func gitHookFiles(a *act, in *command.Reading) {
	r, hooks := a.r, hooksOf[in.Value("command")]
	if len(hooks) == 0 || !r.hasFiles() || !r.pay(searchSteps) {
		return
	}
	dirs := []string{".git/hooks", ".husky", ".githooks"}
	for _, setting := range in.Values("setting") {
		if dir, ok := cutFold(setting, "core.hookspath="); ok && dir != "" {
			dirs = []string{dir}
		}
	}
	ways := make([]string, 0, len(dirs)*len(hooks))
	for _, dir := range dirs {
		for _, hook := range hooks {
			ways = append(ways, strings.TrimSuffix(dir, "/")+"/"+hook)
		}
	}
	if r.file(a.path("**/"+strings.Join(ways, "|**/"))) == nil && len(dirs) > 1 {
		return
	}
	for _, p := range ways {
		if p = a.path(p); r.file(p) != nil {
			r.once("hook "+p, func() { r.runFile(a, p) })
		}
	}
}

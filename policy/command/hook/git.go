package hook

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// gitPlace goes where git is told to work, and reads the settings for this command
// alone.
func gitPlace(a *invocation.Act, in *command.Reading) {
	at := a.R.Scope.At // not where another reading of the same command has gone
	for _, dir := range follow.Few(a, in.Values("cd")) {
		at.Cwd, _ = at.Resolve(dir)
	}
	if tree := in.Value("work-tree"); tree != "" {
		at.Cwd, _ = at.Resolve(tree)
	}
	a.At = at
	for _, setting := range gitSettings(a, in) {
		gitSetting(a, setting.key, setting.value)
	}
	for _, file := range in.Values("settings-file") {
		gitSettingsIn(a, file)
	}
	if in.Has("config-env") {
		a.Doubt(invocation.Variable)
	}
}

// gitPair is a setting of git.
type gitPair struct{ key, value string }

// gitSettings are those for this command alone: by -c, and by the environment.
func gitSettings(a *invocation.Act, in *command.Reading) []gitPair {
	var list []gitPair
	for _, setting := range follow.Few(a, in.Values("setting")) {
		key, value, _ := strings.Cut(setting, "=")
		list = append(list, gitPair{key, value})
	}
	for _, name := range follow.SortedNames(a.Env) {
		if number, ok := strings.CutPrefix(name, "GIT_CONFIG_KEY_"); ok && len(list) < follow.MostAddresses {
			list = append(list, gitPair{a.Env[name], a.Env["GIT_CONFIG_VALUE_"+number]})
		}
	}
	for setting := range strings.SplitSeq(a.Env["GIT_CONFIG_PARAMETERS"], "' '") { // 'a.b=c' 'd.e'='f'
		if key, value, ok := strings.Cut(strings.ReplaceAll(setting, "'", ""), "="); ok && len(list) < follow.MostAddresses {
			list = append(list, gitPair{strings.TrimSpace(key), value})
		}
	}
	return list
}

// gitAlias runs what a word stands for that is no command of git, where that was set for
// this command or by one before it. Otherwise it may be anything.
func gitAlias(a *invocation.Act, in *command.Reading) {
	name := in.Value("command")
	meant := gitAliasOf(a, name, gitSettings(a, in))
	switch {
	case meant != "" && !strings.HasPrefix(meant, "!"): // a command for the shell was read where it was set
		a.Script("git " + meant + " " + invocation.Quoted(in.Behind("command")))
	case meant == "" && !in.Maybe("command", 0):
		a.Doubt(invocation.Subcommand)
		if invocation.Unknown(name) {
			a.Doubt(invocation.Variable)
		}
	}
}

func gitAliasOf(a *invocation.Act, name string, settings []gitPair) string {
	for _, setting := range settings {
		if strings.EqualFold(setting.key, "alias."+name) {
			return setting.value
		}
	}
	for _, e := range slices.Backward(a.R.Reading.Effects) {
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
func gitApply(a *invocation.Act, in *command.Reading) {
	files := follow.Few(a, in.Values("patch"))
	patches := make([]string, 0, len(files)+1)
	known := len(files) > 0 || !a.In.Piped || a.In.Known
	for _, p := range files {
		content, ok := a.File(p)
		patches = append(patches, content)
		known = known && ok
	}
	patch := strings.Join(append(patches, a.In.Text), "\n")
	dir := in.Value("directory")
	if dir != "" && in.Has("unsafe-paths") {
		if a.Within(dir, ""); strings.Contains(dir, "..") {
			a.Within("/", "") // how far up that is nobody knows
		}
	}
	p := follow.Patch{Text: patch, Strip: 1, Dir: dir, Reverse: in.Has("reverse")}
	if n, err := strconv.Atoi(in.Value("p")); err == nil {
		p.Strip = n
	}
	if p.Apply(a); !known {
		a.Within(cmp.Or(dir, "."), "")
	}
}

// gitTemplate: the hooks in a template run with everyday commands from then on.
func gitTemplate(a *invocation.Act, in *command.Reading) {
	a.Add(effect.Effect{Verb: effect.Persist, Object: "git template", From: a.Path(in.Value("template"))})
}

// gitRemoteIs follows addresses that run a command.
func gitRemoteIs(a *invocation.Act, in *command.Reading) {
	for _, address := range follow.Few(a, in.Values("remote")) {
		gitAddress(a, address)
	}
}

func gitAddress(a *invocation.Act, address string) {
	if text, ok := strings.CutPrefix(address, "ext::"); ok {
		a.Script(strings.ReplaceAll(text, "% ", `\ `))
	}
	if strings.HasPrefix(address, "-") || strings.Contains(address, "://-") {
		a.Doubt(invocation.Variable)
	}
}

// gitFetch notes an address that a repository is fetched from.
func gitFetch(a *invocation.Act, in *command.Reading) {
	gitRemoteIs(a, in)
	for _, address := range in.Values("remote") {
		if strings.Contains(address, "://") || strings.Contains(address, "@") || strings.Contains(address, "::") {
			a.Asks(address, false)
		} else {
			a.MayFetch(address)
		}
	}
}

// gitClone notes the directory that a repository gets, which is made if all goes well:
// it fails where something is in it.
func gitClone(a *invocation.Act, in *command.Reading) {
	for _, address := range follow.Few(a, in.Values("remote")) { // more than one if it is not known which it is
		to := in.Value("directory")
		if to == "" || to == address {
			to = strings.TrimSuffix(fileops.LastName(strings.TrimSuffix(address, "/")), ".git")
			to = to[strings.LastIndexByte(to, ':')+1:]
		}
		a.As(effect.Clone, func() { fileops.Saves(a, to, address) })
		makes := func(option string) bool { return slices.Contains(cloneSays, option) }
		if !strings.ContainsAny(to, "*?[{") && !slices.ContainsFunc(in.Options(), func(option string) bool { return !makes(option) }) {
			Sure(a, invocation.Begun, a.Path(to))
		}
	}
}

// cloneSays are the options of git clone with which it makes a repository, or
// fails.
var cloneSays = strings.Fields("q quiet v verbose progress depth b branch single-branch no-tags recurse-submodules recursive shallow-submodules filter sparse j jobs o origin")

// gitObjects are the files in REVISION:PATH, which are shown as they were, and in paths
// with signs before them, of which some leave files out.
func gitObjects(a *invocation.Act, in *command.Reading) {
	for _, object := range follow.Few(a, in.Values("object")) {
		if _, p, ok := strings.Cut(object, ":"); ok && p != "" && !strings.Contains(object, "://") {
			follow.ReadsFiles(a, p)
		}
	}
	for _, path := range follow.Few(a, in.Values("path")) {
		if p, ok := strings.CutPrefix(path, ":"); ok && p != "" && strings.IndexByte("!^(", p[0]) < 0 {
			follow.ReadsFiles(a, strings.TrimPrefix(p, "/"))
		}
	}
}

// gitPaths are the words that are files by their look, and would otherwise be revisions.
func gitPaths(a *invocation.Act, in *command.Reading) {
	for _, p := range follow.Few(a, slices.Concat(in.Values("object"), in.Values("path"))) {
		if output.MayBeSecretFile(p) {
			a.Looks(false, p)
		}
	}
}

// gitHookFiles reads the hooks of the project that a command of git runs.
func gitHookFiles(a *invocation.Act, in *command.Reading) {
	r, hooks := a.R, command.Builtin().Table("git-hooks")[in.Value("command")]
	if len(hooks) == 0 || !r.HasFiles() || !r.Pay(invocation.SearchSteps) {
		return
	}
	dirs := []string{".git/hooks", ".husky", ".githooks"}
	if dir := hooksDir(r, in); dir != "" {
		dirs = []string{dir}
	}
	ways := make([]string, 0, len(dirs)*len(hooks))
	for _, dir := range dirs {
		for _, hook := range hooks {
			ways = append(ways, strings.TrimSuffix(dir, "/")+"/"+hook)
		}
	}
	if r.File(a.Path("**/"+strings.Join(ways, "|**/"))) == nil && len(dirs) > 1 {
		return
	}
	for _, p := range ways {
		if p = a.Path(p); r.File(p) != nil {
			follow.Once(r, "hook "+p, func() { follow.RunFile(r, a, p) })
		}
	}
}

// hooksDir is the directory that the command, or one before it, has set for hooks, empty if
// none has.
func hooksDir(r *invocation.Reader, in *command.Reading) (dir string) {
	for i := range r.Reading.Commands {
		c := &r.Reading.Commands[i]
		if c.Name != "git" || !slices.Contains(c.Args, "config") {
			continue
		}
		for at, arg := range c.Args[:len(c.Args)-1] {
			if strings.EqualFold(arg, "core.hookspath") {
				dir = c.Args[at+1]
			}
		}
	}
	for _, setting := range in.Values("setting") {
		if own, ok := follow.CutFold(setting, "core.hookspath="); ok && own != "" {
			dir = own
		}
	}
	return dir
}

// Sure notes that a command has done what it is for: what follows it with && does
// not run otherwise. It must be written as such, as what runs it may hide that it
// failed, or that it ran elsewhere.
func Sure(a *invocation.Act, f invocation.Fact, dir string) {
	if a.Guess || a.Depth > 0 || a.More || a.Remote || a.Sudo || invocation.Unknown(dir) || len(a.R.Verified) >= fileops.MostVerified || !a.IsWritten() {
		return
	}
	a.R.Verified = append(a.R.Verified, invocation.Verified{Path: dir, Fact: f})
}

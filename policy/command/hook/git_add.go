package hook

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// gitAdd notes the files that the next commit takes in, and what they were made from,
// which goes with them.
func gitAdd(a *invocation.Act, in *command.Reading) {
	paths := follow.Few(a, in.Values("path"))
	for _, file := range in.Values("pathspec-from-file") {
		text, _ := a.File(file)
		if file == "-" || file == "/dev/stdin" {
			text = gitInput(a)
		}
		paths = append(paths, follow.Few(a, strings.FieldsFunc(text, isBetweenNames))...)
	}
	if in.Has("stdin") {
		paths = append(paths, follow.Few(a, strings.FieldsFunc(gitInput(a), isBetweenNames))...)
	}
	for _, info := range in.Values("cacheinfo") { // mode,object,path
		if name := info[strings.LastIndexByte(info, ',')+1:]; name != info {
			paths = append(paths, name)
		}
	}
	if len(paths) == 0 && (in.Has("all") || in.Has("update")) {
		paths = []string{"."}
	}
	for _, p := range paths {
		if p = strings.TrimPrefix(p, ":/"); !strings.HasPrefix(p, ":!") && !strings.HasPrefix(p, ":^") && p != "" {
			gitStages(a, a.Path(p), in.Has("force"))
		}
	}
}

func isBetweenNames(c rune) bool { return c == '\n' || c == 0 }

// gitInput is the list of files on the input.
func gitInput(a *invocation.Act) string {
	if a.In.Known {
		return a.In.Text
	}
	return strings.Join(a.In.Roots, "\n")
}

// gitStages notes that a file is taken in, or what is in a directory: also what git is told
// to ignore, if it is forced to.
func gitStages(a *invocation.Act, p string, force bool) {
	stage := func(from string, wide bool) {
		a.Add(effect.Effect{Verb: effect.SetVariable, Object: addedVariable, From: from, Wide: wide, Kind: effect.Stage})
	}
	dir := strings.TrimSuffix(p, "/") + "/"
	everything := force && lies(a.At.Cwd, dir)
	stage(p, everything)
	if everything { // the first that a project keeps out of sight
		a.Add(effect.Effect{Verb: effect.SetVariable, Object: addedVariable, From: dir + ".env", Kind: effect.Stage, Possible: true})
	}
	for _, origin := range a.R.OriginsAlone(p)[1:] {
		stage(origin, false)
	}
	for _, name := range slices.Sorted(maps.Keys(a.R.Wrote)) { // what the text has put there
		if !strings.HasPrefix(name, dir) || mayHoldSecrets(name) && !force { // git ignores those that people know as such
			continue
		}
		for _, origin := range a.R.Origins(name)[1:] {
			stage(origin, false)
		}
	}
}

// gives notes the files that the text adds before it pushes them, of those that are no
// everyday work.
func (p *push) gives() {
	to := p.remote
	if strings.ContainsAny(to, ":@") {
		to = gitHost(to)
	}
	for _, e := range p.R.Reading.Effects {
		if e.Verb == effect.SetVariable && e.Object == addedVariable && (e.Kind != effect.Stage || p.tells(&e)) {
			p.Add(effect.Effect{Verb: effect.Send, Object: to, From: e.From, Wide: e.Wide, Possible: e.Possible})
		}
	}
}

// tells reports whether somebody may learn from a file what is not in repositories every
// day: one with secrets, and what lies elsewhere on the machine and was copied.
func (p *push) tells(e *effect.Effect) bool {
	switch {
	case mayHoldSecrets(e.From), e.Wide, invocation.IsPrivateSource(e.From):
		return true
	case p.At.Cwd == "" || lies(e.From, p.At.Cwd) || lies(e.From, "/tmp") || lies(e.From, "/var/tmp"):
		return false
	}
	return effect.IsAbs(e.From) || strings.HasPrefix(e.From, "~")
}

func lies(p, dir string) bool { return strings.HasPrefix(p+"/", strings.TrimSuffix(dir, "/")+"/") }

// addedVariable is how a file is noted that is added to a repository.
const addedVariable = "git added"

// Authored notes where the value of a committer's name comes from: the next push
// publishes it.
func Authored(r *invocation.Reader, v *invocation.Value) {
	for _, source := range v.Sources {
		if invocation.IsPrivateSource(source) {
			r.Effect(effect.Effect{Verb: effect.SetVariable, Object: addedVariable, From: source, How: "git", Command: -1})
		}
	}
}

// mayHoldSecrets reports whether a file is by its name one with secrets.
func mayHoldSecrets(p string) bool {
	base := path.Base(p)
	switch path.Ext(base) {
	case ".pem", ".key", ".p12", ".pfx", ".tfstate", ".tfvars", ".kdbx", ".jks", ".keystore":
		return true
	}
	return strings.HasPrefix(base, ".env") || strings.HasPrefix(base, "id_") || strings.Contains(base, "credential") || strings.Contains(base, "secret") || base == ".npmrc" || base == ".netrc" || base == ".pgpass" ||
		strings.Contains(p, ".ssh") || strings.Contains(p, ".aws") || strings.Contains(p, ".gnupg") || strings.Contains(p, ".kube")
}

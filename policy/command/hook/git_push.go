package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// push is a push to a remote, its name or address.
type push struct {
	*invocation.Act

	remote string
	// force overwrites what is there, lease only what was seen before.
	force, lease bool
}

// gitPush notes what happens to each of the refs of a push.
func gitPush(a *invocation.Act, in *command.Reading) {
	refs := in.Values("ref")
	if in.Has("stdin") {
		refs = append(refs, gitListed(a)...)
	}
	if a.More && len(refs) == 0 {
		refs = []string{"*"}
	}
	remotes := in.Values("remote") // more than one if it is not known which it is
	if len(remotes) == 0 {
		remotes = []string{""}
	}
	for _, remote := range follow.Few(a, remotes) {
		p := push{Act: a, remote: gitRemoteAddress(a, remote), force: in.Has("force") || in.Has("mirror"), lease: in.Has("force-with-lease") || in.Has("force-if-includes")}
		p.pushes(in, refs)
	}
}

func (p *push) pushes(in *command.Reading, refs []string) {
	switch {
	case in.Has("delete"):
		for _, ref := range refs {
			p.ref(":" + ref)
		}
		return
	case in.Has("mirror"):
		p.ref("+*:*")
		p.does(effect.DeleteBranch, "*")
	case in.Has("all"):
		p.ref("*:*")
	case len(refs) == 0 && in.Has("tags"):
		p.ref("tags")
	case len(refs) == 0:
		branch := gitBranch(p.Act)
		if ref, _, _ := strings.Cut(in.Value("lease"), ":"); branch == "HEAD" && ref != "" {
			branch = ref
		}
		p.ref(branch)
	}
	p.gives()
	if in.Has("prune") {
		p.does(effect.DeleteBranch, "*")
	}
	for i := range refs {
		if refs[i] == "tag" && i+1 < len(refs) {
			continue
		}
		p.ref(refs[i])
	}
}

// ref notes what happens to the ref of a refspec: [+]src[:dst].
func (p *push) ref(spec string) {
	spec, force := strings.CutPrefix(spec, "+")
	src, dst, both := strings.Cut(spec, ":")
	if !both {
		dst = src
	}
	name := strings.TrimPrefix(strings.TrimPrefix(dst, "refs/"), "heads/")
	if strings.Contains(name, "*") && !invocation.Substitutes(name) || name == "" {
		name = "*"
	}
	switch {
	case both && src == "" && dst != "":
		if isListed(name) && gitEvery(p.Act, false) {
			name = "*"
		}
		p.does(effect.DeleteBranch, name)
	case p.force, force && !p.lease:
		current := name == "HEAD" || name == "@" || invocation.Unknown(name) && !strings.Contains(name, "/")
		p.Add(effect.Effect{Verb: effect.ForcePush, Object: name, From: p.remote, Wide: name == "*" || current})
	case force, p.lease:
		p.does(effect.ForcePush, name)
	default:
		p.does(effect.Push, name)
	}
}

func (p *push) does(verb effect.Verb, object string) {
	p.Add(effect.Effect{Verb: verb, Object: object, From: p.remote, Wide: object == "*"})
}

// gitBranch is the branch that is checked out, as far as the text tells.
func gitBranch(a *invocation.Act) string {
	for _, c := range slices.Backward(a.R.Reading.Commands) {
		if c.Name != "git" || c.Sub != "checkout" && c.Sub != "switch" {
			continue
		}
		if words := c.Operands(command.Builtin().Program("git").ValueFlags()...); len(words) == 2 && !c.Has("--") {
			return words[1]
		}
	}
	return "HEAD"
}

// remoteVariable is how the address of a remote is noted.
const remoteVariable = "git remote "

// gitRemoteAddress is the address of a remote, if it was set in the same text.
// Empty is the default one, which may be any.
func gitRemoteAddress(a *invocation.Act, remote string) string {
	if remote == "" {
		return gitDefaultRemote(a)
	}
	for _, e := range slices.Backward(a.R.Reading.Effects) {
		if e.Verb == effect.SetVariable && e.Object == remoteVariable+remote {
			return e.From
		}
	}
	return remote
}

// gitDefaultRemote is the remote that is pushed to where none is named, as far as
// the text tells: the address of origin, if it was set there.
func gitDefaultRemote(a *invocation.Act) string {
	if address := gitRemoteAddress(a, "origin"); address != "origin" {
		return address
	}
	return ""
}

// IsAuthor reports whether a setting, or a variable, of git says who makes commits.
func IsAuthor(name string) bool {
	for _, of := range [...]string{"user.name", "user.email", "author.", "committer.", "GIT_AUTHOR_", "GIT_COMMITTER_"} {
		if strings.HasPrefix(name, of) {
			return true
		}
	}
	return false
}

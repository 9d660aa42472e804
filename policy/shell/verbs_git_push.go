package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

func gitPush(a *act, l *line) {
	if command := l.value("receive-pack", "exec"); command != "" {
		a.script(command)
	}
	remote := l.operand(0)
	if remote == "" {
		remote = l.value("repo")
	}
	a.gitAddress(remote)
	if l.exact("n") || l.has("dry-run") {
		return
	}
	if l.exact("no-verify") {
		a.does(effect.SkipChecks, "hooks")
	}
	p := push{act: a, remote: a.gitRemoteAddress(remote), force: l.exact("f", "force", "forc", "mirror"), lease: l.has("force-with-lease", "force-if-includes")}
	refs := l.from(1)
	if l.exact("stdin") {
		refs = append(refs, a.gitListed()...)
	}
	if a.More && len(refs) == 0 {
		refs = []string{"*"}
	}
	switch {
	case l.exact("d") || l.has("delete"):
		for _, ref := range refs {
			p.ref(":" + ref)
		}
		return
	case l.has("mirror"):
		p.ref("+*:*")
		p.does(effect.DeleteBranch, "*")
	case l.exact("all") || l.has("branches"):
		p.ref("*:*")
	case len(refs) == 0 && l.exact("tags"):
		p.ref("tags")
	case len(refs) == 0:
		branch := a.gitBranch()
		if ref, _, _ := strings.Cut(l.value("force-with-lease"), ":"); branch == "HEAD" && ref != "" {
			branch = ref
		}
		p.ref(branch)
	}
	p.gives()
	if l.exact("prune") {
		p.does(effect.DeleteBranch, "*")
	}
	for i := range refs {
		if refs[i] == "tag" && i+1 < len(refs) {
			continue
		}
		p.ref(refs[i])
	}
}

// push is a push to a remote, its name or address.
type push struct {
	*act

	remote string
	// force overwrites what is there, lease only what was seen before.
	force, lease bool
}

// ref notes what happens to the ref of a refspec: [+]src[:dst].
func (p *push) ref(spec string) {
	spec, force := strings.CutPrefix(spec, "+")
	src, dst, both := strings.Cut(spec, ":")
	if !both {
		dst = src
	}
	name := strings.TrimPrefix(strings.TrimPrefix(dst, "refs/"), "heads/")
	if strings.Contains(name, "*") && !substitutes(name) || name == "" {
		name = "*"
	}
	switch {
	case both && src == "" && dst != "":
		if isListed(name) && p.gitEvery() {
			name = "*"
		}
		p.does(effect.DeleteBranch, name)
	case p.force, force && !p.lease:
		current := name == "HEAD" || name == "@" || unknown(name) && !strings.Contains(name, "/")
		p.add(effect.Effect{Verb: effect.ForcePush, Object: name, From: p.remote, Wide: name == "*" || current})
	case force, p.lease:
		p.does(effect.ForcePush, name)
	default:
		p.does(effect.Push, name)
	}
}

func (p *push) does(verb effect.Verb, object string) {
	p.add(effect.Effect{Verb: verb, Object: object, From: p.remote, Wide: object == "*"})
}

// gives notes the files that the text adds before it pushes them, of those that
// gitAdd has an eye on.
func (p *push) gives() {
	to := p.remote
	if strings.ContainsAny(to, ":@") {
		to = gitHost(to)
	}
	for _, e := range p.r.reading.Effects {
		if e.Verb == effect.SetVariable && e.Object == addedVariable {
			p.add(effect.Effect{Verb: effect.Send, Object: to, From: e.From})
		}
	}
}

// addedVariable is how a file is noted that is added to a repository.
const addedVariable = "git added"

// authored notes what the name of somebody who makes commits was made from: it goes
// with the next push.
func (r *reader) authored(v *value) {
	for _, source := range v.sources {
		if isPrivateSource(source) {
			r.effect(effect.Effect{Verb: effect.SetVariable, Object: addedVariable, From: source, How: "git", Command: -1})
		}
	}
}

// gitAdd notes files that are added which may hold secrets. Others are everyday
// work.
func gitAdd(a *act, l *line) {
	if l.exact("n") || l.has("dry-run") {
		return
	}
	for _, operand := range a.few(l.operands) {
		for _, p := range a.r.origins(a.path(operand)) { // what it was made from goes with it
			if mayHoldSecrets(p) {
				a.add(effect.Effect{Verb: effect.SetVariable, Object: addedVariable, From: p})
			}
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

// gitBranch is the branch that is checked out, as far as the text tells.
func (a *act) gitBranch() string {
	for _, c := range slices.Backward(a.r.reading.Commands) {
		if c.Name != "git" || c.Sub != "checkout" && c.Sub != "switch" {
			continue
		}
		if words := c.Operands(valueFlags["git"]...); len(words) == 2 && !c.Has("--") {
			return words[1]
		}
	}
	return "HEAD"
}

// gitAddress follows an address that runs a command, and notes a local one.
func (a *act) gitAddress(address string) {
	if command, ok := strings.CutPrefix(address, "ext::"); ok {
		a.script(strings.ReplaceAll(command, "% ", `\ `))
	}
	if strings.HasPrefix(address, "-") || strings.Contains(address, "://-") {
		a.doubt(Variable)
	}
}

// remoteVariable is how the address of a remote is noted.
const remoteVariable = "git remote "

// gitRemoteAddress is the address of a remote, if it was set in the same text.
// Empty is the default one, which may be any.
func (a *act) gitRemoteAddress(remote string) string {
	if remote == "" {
		return a.gitDefaultRemote()
	}
	for _, e := range slices.Backward(a.r.reading.Effects) {
		if e.Verb == effect.SetVariable && e.Object == remoteVariable+remote {
			return e.From
		}
	}
	return remote
}

// gitDefaultRemote is the remote that is pushed to where none is named, as far as
// the text tells: the address of origin, if it was set there.
func (a *act) gitDefaultRemote() string {
	if address := a.gitRemoteAddress("origin"); address != "origin" {
		return address
	}
	return ""
}

func gitRemote(a *act, l *line) {
	switch l.operand(0) {
	case "add", "set-url":
		if l.has("mirror") && l.value("mirror") != "fetch" { // each push to it overwrites and deletes
			a.add(effect.Effect{Verb: effect.ForcePush, Object: "*", From: l.operand(1), Wide: true})
		}
		address := l.operand(2)
		a.gitAddress(address)
		if !l.has("delete") && address != "" {
			a.add(effect.Effect{Verb: effect.SetVariable, Object: remoteVariable + l.operand(1), From: address})
		}
	}
}

func gitCommit(a *act, l *line) {
	for _, source := range a.sources() { // what is in the message goes with the next push
		a.add(effect.Effect{Verb: effect.SetVariable, Object: addedVariable, From: source})
	}
	if l.exact("n") || l.exact("no-verify", "no-verif") {
		a.does(effect.SkipChecks, "hooks")
	}
	if l.exact("no-gpg-sign") {
		a.does(effect.SkipChecks, "signature")
	}
}

func gitUnchecked(a *act, l *line) {
	if l.exact("no-verify", "no-verif") {
		a.does(effect.SkipChecks, "hooks")
	}
	if l.exact("no-gpg-sign", "no-verify-signatures") {
		a.does(effect.SkipChecks, "signature")
	}
}

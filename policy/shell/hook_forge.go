package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// siteOf is the place that a program is for.
func siteOf(program string) string {
	if program == "glab" {
		return "gitlab.com"
	}
	return "github.com"
}

// ghSource is gh repo create --source DIR --push.
func ghSource(a *act, in *command.Reading) {
	if source := in.Value("source"); source != "" && in.Has("push") {
		a.add(effect.Effect{Verb: effect.Send, Object: siteOf(in.Name), From: a.path(source), Wide: true})
	}
}

// ghInputs: what a workflow is given is there for others to read.
func ghInputs(a *act, in *command.Reading) {
	if from := a.contentsGiven(); len(from) > 0 {
		a.gives(siteOf(in.Name), from)
	}
}

// ghAlias is gh alias set NAME COMMAND, which may be one for a shell.
func ghAlias(a *act, in *command.Reading) {
	given := in.Values("command")
	said := lastOf(given)
	if text, shell := strings.CutPrefix(said, "!"); shell || in.Has("shell") {
		a.script(text)
		a.add(effect.Effect{Verb: effect.Persist, Object: "gh alias " + in.Value("name"), From: said})
	}
}

// ghAddress is the address of a repository that may be named owner/name.
func ghAddress(site, repo string) string {
	if strings.Contains(repo, "://") || strings.Contains(repo, "@") {
		return repo
	}
	return "https://" + site + "/" + repo
}

// ghDownloads notes what a release is saved as: what the pattern names, or
// anything.
func ghDownloads(a *act, in *command.Reading) {
	site := siteOf(in.Name)
	from := ghAddress(site, strings.TrimPrefix(in.Value("repository"), site+"/"))
	a.does(effect.Fetch, from)
	dir := in.Value("dir")
	names := append(in.Values("output"), in.Values("pattern")...)
	if len(names) == 0 {
		names = []string{"*"}
	}
	for _, name := range a.few(names) {
		if dir != "" {
			name = join(dir, name)
		}
		a.saves(name, from)
	}
}

// ghAPI asks the interface of GitHub, or of GitLab.
func ghAPI(a *act, in *command.Reading) {
	where := strings.TrimPrefix(in.Value("endpoint"), "/")
	fields := append(in.Values("raw"), in.Values("field")...)
	method := strings.ToUpper(in.Value("method"))
	if method == "" && (len(fields) > 0 || in.Value("input") != "") {
		method = "POST"
	}
	if where == "graphql" {
		query := strings.Join(fields, "\n")
		switch lower := strings.ToLower(query); {
		case strings.Contains(lower, "deleterepository"), strings.Contains(lower, "archiverepository"):
			a.add(effect.Effect{Verb: effect.Destroy, Object: "repository by graphql", Wide: true})
		case strings.Contains(lower, "deleteref"):
			a.add(effect.Effect{Verb: effect.DeleteBranch, Object: "*", Wide: true})
		case strings.Contains(lower, "deletebranchprotectionrule"), strings.Contains(lower, "deleterepositoryruleset"):
			a.does(effect.Disarm, "branch protection")
		case strings.Contains(lower, "mutation") && strings.Contains(lower, "delete"):
			a.add(effect.Effect{Verb: effect.Destroy, Object: "graphql", Wide: deletesShared(lower)})
		case strings.Contains(lower, "mutation"):
			a.sendsTo("api.github.com")
		default:
			a.asks("https://api.github.com/graphql", false)
		}
		return
	}
	set := func(field string) bool { return slices.Contains(fields, field) }
	switch method {
	case "DELETE":
		a.restDelete(where)
		return
	case "PATCH", "PUT", "POST":
		switch {
		case strings.Contains(where, "/git/refs/") && set("force=true"):
			_, branch, _ := strings.Cut(where, "/git/refs/")
			a.does(effect.ForcePush, strings.TrimPrefix(branch, "heads/"))
		case method == "PUT" && (strings.Contains(where, "/collaborators/") || strings.Contains(where, "/memberships/") || strings.Contains(where, "/actions/permissions")), where == "user/keys", where == "user/gpg_keys", strings.HasSuffix(where, "/invitations"), method == "POST" && (strings.HasSuffix(where, "/keys") || strings.HasSuffix(where, "/hooks")):
			a.does(effect.Grant, where)
		case strings.Contains(where, "/contents/") && method == "PUT":
			a.restWrites(where, fields)
		case strings.HasPrefix(where, "repos/"):
			a.restPatch(where, strings.Join(fields, " ")+" "+a.in.text)
		}
		var files []string
		for _, f := range in.Values("field") {
			if _, value, _ := strings.Cut(f, "="); strings.HasPrefix(value, "@") {
				files = append(files, value[1:])
			}
		}
		a.sendsTo("https://api.github.com/"+where, append(files, in.Values("input")...)...)
	default:
		a.asks("https://api.github.com/"+where, false)
	}
}

// opensRepository notes that everybody may read what only some could.
func (a *act) opensRepository(name string) {
	a.does(effect.Grant, "public access to repository "+name)
}

// restPatch says what a change of a repository through the interface of GitHub
// means, by the settings in its text: fields or JSON.
func (a *act) restPatch(where, text string) {
	text = strings.NewReplacer(" ", "", "\"", "", "'", "", ":", "=").Replace(text)
	name := strings.TrimPrefix(strings.Trim(where, "/"), "repos/")
	switch {
	case strings.Count(name, "/") != 1:
	case strings.Contains(text, "private=false"), strings.Contains(text, "visibility=public"):
		a.opensRepository(name)
	case strings.Contains(text, "archived=true"):
		a.add(effect.Effect{Verb: effect.Destroy, Object: "repository " + name, Wide: true})
	}
}

// restWrites notes a file that is written in a repository, with what is put there.
func (a *act) restWrites(where string, fields []string) {
	_, file, _ := strings.Cut(where, "/contents/")
	e := effect.Effect{Verb: effect.Write, Object: file, Remote: true}
	for _, f := range fields {
		if encoded, ok := strings.CutPrefix(f, "content="); ok {
			if text, ok := unbase64(encoded); ok && len(text) <= mostKnown {
				e.Content = text
			}
		}
	}
	a.add(e)
}

// restDelete says what a DELETE of the interface of GitHub deletes.
func (a *act) restDelete(where string) {
	where, _, _ = strings.Cut(strings.Trim(where, "/"), "?")
	parts := strings.Split(where, "/")
	if len(parts) > 1 && parts[0] == "projects" && a.Name == "glab" {
		a.gitlabDelete(parts[1], strings.Join(parts[2:], "/"))
		return
	}
	if len(parts) < 3 || parts[0] != "repos" {
		a.does(effect.Destroy, where)
		return
	}
	repo := parts[1] + "/" + parts[2]
	rest := strings.Join(parts[3:], "/")
	switch {
	case rest == "":
		a.add(effect.Effect{Verb: effect.Destroy, Object: "repository " + repo, Wide: true})
	case strings.HasPrefix(rest, "git/refs/"):
		a.does(effect.DeleteBranch, strings.TrimPrefix(strings.TrimPrefix(rest, "git/refs/"), "heads/"))
	case strings.Contains(rest, "/protection"), strings.HasPrefix(rest, "rulesets/"):
		a.does(effect.Disarm, "branch protection of "+repo)
	default:
		a.add(effect.Effect{Verb: effect.Destroy, Object: repo + "/" + rest, Wide: strings.HasPrefix(rest, "releases/")})
	}
}

// gitlabDelete is restDelete for a project of GitLab.
func (a *act) gitlabDelete(project, rest string) {
	project = strings.ReplaceAll(strings.ReplaceAll(project, "%2F", "/"), "%2f", "/")
	switch branch, of := strings.CutPrefix(rest, "repository/branches/"); {
	case rest == "":
		a.add(effect.Effect{Verb: effect.Destroy, Object: "repository " + project, Wide: true})
	case of:
		a.does(effect.DeleteBranch, branch)
	case strings.HasPrefix(rest, "protected_branches"), strings.HasPrefix(rest, "push_rule"), strings.HasPrefix(rest, "approval_rules"):
		a.does(effect.Disarm, "branch protection of "+project)
	default:
		a.add(effect.Effect{Verb: effect.Destroy, Object: project + "/" + rest, Wide: strings.HasPrefix(rest, "variables/") || strings.HasPrefix(rest, "releases/") || strings.HasPrefix(rest, "registry/")})
	}
}

// deletesShared reports whether a query deletes something with all that people put
// into it. A part of it, as an item of a project, is everyday work.
func deletesShared(query string) bool {
	for _, named := range []string{"deleteprojectv2", "deleteproject", "deleteenvironment", "deleteteamdiscussion", "deletepackageversion"} {
		for rest := query; ; {
			_, after, ok := strings.Cut(rest, named)
			if !ok {
				break
			}
			if strings.HasPrefix(strings.TrimSpace(after), "(") {
				return true
			}
			rest = after
		}
	}
	return false
}

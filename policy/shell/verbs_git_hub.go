package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var ghTakes = valued(`R repo hostname X method f raw-field F field H header input q jq t template cache preview p
	b body body-file title T l label a assignee r reviewer m milestone base B head d desc description filename ref source remote o org e env
	env-file user u app visibility v branch notes pattern O output n notes-file target repos-file with tag homepage c codespace D dir json L limit s state message subject`)

// gh is the command line of a host of repositories.
func gh(a *act) {
	l := a.line(ghTakes)
	site := "github.com"
	if a.Name == "glab" {
		site = "gitlab.com"
	}
	topic, sub := l.operand(0), l.operand(1)
	if a.Name == "glab" && topic == "project" {
		topic = "repo"
	}
	about := strings.Join(l.from(2), " ")
	switch topic + " " + sub {
	case "repo delete":
		a.add(effect.Effect{Verb: effect.Destroy, Object: "repository " + about, Wide: true})
	case "repo archive":
		a.add(effect.Effect{Verb: effect.Destroy, Object: "repository " + about, Wide: true})
	case "repo edit", "repo update":
		if l.value("visibility") == "public" {
			a.opensRepository(about)
		}
	case "repo create", "repo new":
		if l.has("public") || l.value("visibility") == "public" {
			a.does(effect.Publish, "repository "+about)
		}
		if l.has("push") {
			a.add(effect.Effect{Verb: effect.Push, Object: "HEAD", From: "https://" + site + "/" + l.operand(2)})
			if source := l.value("s", "source"); source != "" {
				a.add(effect.Effect{Verb: effect.Send, Object: site, From: a.path(source), Wide: true})
			}
		}
	case "codespace cp", "cs cp":
		c := Command{Args: a.Args[slices.Index(a.Args, "cp")+1:]}
		if files := c.Operands("c", "codespace", "p", "profile", "R", "repo", "repo-owner"); len(files) > 1 && strings.HasPrefix(files[len(files)-1], "remote:") {
			for _, file := range a.few(files[:len(files)-1]) {
				a.ships(site, file, mayBeDirectory(file))
			}
		}
	case "repo clone":
		a.does(effect.Fetch, ghAddress(site, l.operand(2)))
	case "repo deploy-key", "deploy-key add", "ssh-key add", "gpg-key add":
		if sub == "add" || l.operand(2) == "add" {
			a.does(effect.Grant, "login on "+site)
		}
	case "release delete", "release delete-asset", "issue delete", "label delete", "run delete", "cache delete", "gist delete", "variable delete",
		"secret delete", "secret remove", "codespace delete", "cs delete", "project delete", "ssh-key delete", "environment delete", "mr delete", "variable remove":
		a.add(effect.Effect{Verb: effect.Destroy, Object: strings.TrimSpace(topic + " " + about), Wide: l.has("all") && topic != "cache" && topic != "run" || topic == "secret" || topic == "release" && sub == "delete"})
	case "release download":
		a.ghDownloads(&l, site)
	case "repo transfer":
		a.add(effect.Effect{Verb: effect.Destroy, Object: "repository " + about, Wide: true})
	case "ruleset delete", "rs delete":
		a.does(effect.Disarm, "branch protection of "+firstOr(l.values("R", "repo"), "this repository"))
	case "release create", "release upload":
		a.does(effect.Publish, "release "+l.operand(2))
		a.sendsTo(site, append(l.values("F", "notes-file"), l.from(3)...)...)
	case "secret set", "variable set", "variable update":
		a.sendsTo(site, l.values("f", "env-file")...)
	case "gist create", "snippet create", "gist edit", "gist new":
		a.sendsTo("gist."+site, append(l.from(2), l.values("add")...)...)
	case "repo sync":
		if l.has("force") {
			if about == "" {
				a.discards(nil)
			} else {
				a.does(effect.ForcePush, firstOr(l.values("b", "branch"), "main"))
			}
		}
	case "auth refresh", "auth login":
		if scopes := strings.Join(l.values("s", "scopes"), ","); strings.Contains(scopes, "admin:") || strings.Contains(scopes, "delete_repo") {
			a.does(effect.Grant, "scopes "+scopes)
		}
	case "pr merge", "mr merge":
		if l.has("admin") {
			a.does(effect.SkipChecks, "merge rules")
		}
	case "pr close", "mr close":
		if l.has("d", "delete-branch") {
			a.does(effect.DeleteBranch, about)
		}
	case "workflow run", "ci run", "pipeline run":
		a.does(effect.Apply, "workflow "+about)
	case "auth token", "config get":
		if topic == "auth" || strings.Contains(about, "token") {
			a.reveals(site + " token")
		}
	case "auth status":
		if l.has("show-token") || l.exact("t") || a.Has("t") {
			a.reveals(site + " token")
		}
	case "issue create", "issue comment", "issue edit", "pr create", "pr comment", "pr edit", "pr review", "issue close", "issue note", "mr create", "mr note", "mr update", "issue new", "pr new", "discussion create":
		a.sendsTo(site, ghFiles(&l)...)
	case "extension install", "ext install", "extensions install":
		a.add(effect.Effect{Verb: effect.Install, Object: "gh extension " + about, From: ghAddress(site, about)})
	case "alias set":
		command := l.operand(3)
		if text, shell := strings.CutPrefix(command, "!"); shell || a.Has("s") || a.Has("--shell") {
			a.script(text)
			a.add(effect.Effect{Verb: effect.Persist, Object: "gh alias " + l.operand(2), From: command})
		}
	case "codespace ssh", "cs ssh":
		if len(l.after) > 0 {
			a.remotely(strings.Join(l.after, " "))
		}
	case "codespace ports", "cs ports":
		if strings.Contains(about, "public") {
			a.does(effect.Listen, "codespace "+about)
		}
	default:
		if topic == "api" {
			a.ghAPI(&l, sub)
		}
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
func (a *act) ghDownloads(l *line, site string) {
	from := ghAddress(site, strings.TrimPrefix(l.value("R", "repo"), site+"/"))
	a.does(effect.Fetch, from)
	dir := l.value("D", "dir")
	names := append(l.values("O", "output"), l.values("p", "pattern")...)
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

// ghFiles are the files whose text becomes public by an issue or a comment. F is
// a file there, as field is of an api call.
func ghFiles(l *line) []string {
	return l.values("F", "body-file")
}

func (a *act) ghAPI(l *line, where string) {
	where = strings.TrimPrefix(where, "/")
	fields := append(l.values("f", "raw-field"), l.values("F", "field")...)
	method := strings.ToUpper(l.value("X", "method"))
	if method == "" && (len(fields) > 0 || l.has("input")) {
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
		for _, f := range l.values("F", "field") {
			if _, value, _ := strings.Cut(f, "="); strings.HasPrefix(value, "@") {
				files = append(files, value[1:])
			}
		}
		a.sendsTo("https://api.github.com/"+where, append(files, l.values("input")...)...)
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

// hub is git with a few words more.
func hub(a *act) {
	switch a.Sub {
	case "delete":
		l := a.line(nil)
		a.add(effect.Effect{Verb: effect.Destroy, Object: "repository " + l.operand(1), Wide: true})
	case "gist", "issue", "pull-request":
		a.sendsTo("github.com")
	case "api":
		l := a.line(ghTakes)
		a.ghAPI(&l, l.operand(1))
	default:
		git(a)
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

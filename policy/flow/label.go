package flow

import (
	"net"
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// labels are what the result of a call brings into a conversation: what others
// wrote, and what is private; empty if it does not.
type labels struct {
	foreign, of     string
	private, secret string
}

// label says what a call brings.
func (d *digest) label(c *call.Call, b *llm.Block) labels {
	var l labels
	if b.Kind == llm.ServerTool {
		l.provider(c, b)
		return l
	}
	words := wordsOf(c.Server + " " + c.Name)
	l.private, l.secret = d.privateOf(c, words)
	switch {
	case continues(c.Name):
		if d.streams {
			l.foreign = "the output of a command that fetches"
		}
		return l
	case c.Kind == call.KindFetch:
		if len(c.URLs) == 0 || !slices.ContainsFunc(c.URLs, isLocal) || slices.ContainsFunc(c.URLs, isElsewhere) {
			l.foreign, l.of = "a page of the web", firstOf(c.URLs)
		}
	case c.Kind == call.KindTask:
		l.foreign = "the report of another agent"
	case c.Kind == call.KindMCP && !isLocalServer(c.Server) && !listsResources(c.RawName):
		l.foreign, l.of = "the result of a server's tool", c.Server
	case c.Kind == call.KindOther && !isFamiliar(c.Name):
		l.foreign, l.of = "the result of a tool that is not known", firstOf(c.URLs)
	}
	if l.foreign == "" {
		l.foreign, l.of = d.foreignOf(c)
		d.streams = d.streams || l.foreign != "" && c.Kind == call.KindShell
	}
	return l
}

// provider says what a tool brings that the provider runs.
func (l *labels) provider(c *call.Call, b *llm.Block) {
	switch kind := strings.ToLower(b.Type + " " + b.Name); {
	case strings.Contains(kind, "file_search"):
		l.private, l.secret = "files that the provider searches", c.Name
	case strings.Contains(kind, "code"), strings.Contains(kind, "image_generation"), strings.Contains(kind, "tool_search"), strings.Contains(kind, "shell"),
		strings.Contains(kind, "text_editor"):
	default:
		l.foreign, l.of = "what the provider found on the web or got from a server", c.Name
	}
}

// foreignOf finds what a call reads that others wrote: what it fetches, and files
// that nobody here made.
func (d *digest) foreignOf(c *call.Call) (why, object string) {
	for i := range c.Effects {
		switch e := &c.Effects[i]; e.Verb {
		case effect.Fetch:
			if !isLocal(e.Object) {
				return "something from the network", e.Object
			}
		case effect.Read:
			if !e.Remote && d.fromOthers(e.Object) {
				return "a file that nobody here wrote", e.Object
			}
		default:
		}
	}
	for i := range c.Commands {
		cmd := &c.Commands[i]
		if fetches(cmd) {
			return "something from the network", brief(cmd.Text)
		}
	}
	return "", ""
}

// fetches reports whether a command shows what others wrote: issues, comments,
// pages, mail.
func fetches(c *invocation.Command) bool {
	switch c.Name {
	case "gh", "glab", "hub", "tea":
		switch c.Sub {
		case "issue", "pr", "mr", "api", "search", "gist", "release", "discussion", "repo", "browse", "run", "snippet":
			return true
		}
	case "curl", "wget", "http", "https", "xh", "aria2c":
		return !slices.ContainsFunc(c.Args, isLocal)
	case "lynx", "w3m", "links", "mail", "mutt", "neomutt", "himalaya", "notmuch", "jira", "slackcat":
		return true
	}
	return false
}

// isLocal reports whether an address is on the client's own machine.
func isLocal(address string) bool {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		rest = address
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	host := rest[strings.LastIndexByte(rest, '@')+1:]
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(strings.ToLower(host), "[]")
	switch {
	case host == "localhost", host == "0.0.0.0", host == "host.docker.internal", strings.HasSuffix(host, ".localhost"):
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func isElsewhere(address string) bool { return !isLocal(address) }

func firstOf(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// fromOthers reports whether a file may hold what others wrote: it was fetched,
// belongs to a package of others, or lies outside the working directory. What
// this conversation wrote and what is a part of the system is not of that sort.
func (d *digest) fromOthers(p string) bool {
	if fetched, known := d.files.origin(p); known {
		return fetched
	}
	for _, dir := range packages {
		if strings.Contains(p, dir) {
			return true
		}
	}
	if !effect.IsAbs(p) && !strings.HasPrefix(p, "~") && !strings.HasPrefix(p, "..") {
		return false
	}
	for _, dir := range passing {
		if strings.HasPrefix(p, dir) || strings.Contains(p, "/Downloads/") || strings.HasPrefix(p, "~/Downloads") {
			return !within(p, d.at.Cwd)
		}
	}
	if d.at.Cwd == "" || within(p, d.at.Cwd) {
		return strings.HasPrefix(p, "..")
	}
	if isConfig(p, d.at.Home) {
		return false
	}
	for _, dir := range system {
		if within(strings.ToLower(p), dir) {
			return false
		}
	}
	return true
}

// packages are directories of packages that others wrote.
var packages = []string{"node_modules/", "/site-packages/", "/dist-packages/", "/.cargo/registry/", "/go/pkg/mod/"}

// passing are directories where things come and go.
var passing = []string{"/tmp/", "/var/tmp/", "/private/tmp/", "/dev/shm/", "/mnt/", "/media/", "/Volumes/"}

// system are directories of the system.
var system = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev", "/opt", "/run", "/nix", "/snap", "/system", "/library", "/applications",
	"/var/log", "/var/lib", "c:/windows", "c:/program files",
}

// within reports whether a path is a directory or in it.
func within(p, dir string) bool {
	rest, ok := strings.CutPrefix(p, dir)
	return ok && dir != "" && (rest == "" || rest[0] == '/' || dir == "/")
}

// isConfig reports whether a path is one of the user's own settings.
func isConfig(p, home string) bool {
	rest, ok := strings.CutPrefix(p, "~/.")
	if !ok && home != "" {
		rest, ok = strings.CutPrefix(p, home+"/.")
	}
	return ok && path.Clean(rest) != "."
}

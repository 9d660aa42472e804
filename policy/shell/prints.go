package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// places leaves out the variables that everybody knows.
var places = strings.NewReplacer("$HOME", "", "$PWD", "")

// prints is what a command prints, as far as it can be told: the programs that
// people hide text with are followed, those that only pass text on hand on what
// is known of where it came from.
func (r *reader) prints(a *act) flow {
	out := flow{piped: true, by: a.Name, own: a.in.by == "" && printsSetup(a.Command)}
	if a.in.piped {
		out = a.in.through(a.Name)
	}
	for i := range a.mixture() {
		out.sources = merge(out.sources, a.words()[i].sources)
		if out.remote == "" {
			out.remote = a.words()[i].remote
		}
		if a.words()[i].about == guardName {
			out.about = guardName
		}
	}
	say := func(s string) flow {
		if len(s) > mostKnown || unknown(s) && unknown(places.Replace(s)) && !a.plain() {
			return out
		}
		out.known, out.text = true, s
		return out
	}
	switch a.Name {
	case "echo":
		return say(echo(a.Args))
	case "printf":
		if s, ok := r.printf(a); ok {
			return say(s)
		}
	case "awk", "gawk", "mawk", "nawk", "jq", "gojq":
		if s, ok := printedText(a); ok {
			return say(s)
		}
		return r.filter(a, out)
	case "cat", "tac", "bat", "less", "more", "nl", "head", "tail", "tee", "zcat", "xxd", "od", "hexdump", "strings", "rev", "base64", "base32", "gzip", "gunzip", "bzip2", "xz", "zstd", "tr", "openssl", "sed", "cut", "sort", "grep", "rg", "uuencode", "gpg", "tar", "zip", "basenc", "dd":
		return r.filter(a, out)
	case "psql", "mysql", "mariadb", "sqlite3", "clickhouse-client", "duckdb", "sqlcmd":
		if printsRows(a.Args) {
			out.sources = with(out.sources, rows)
		}
	case "ps", "lsof", "ss", "docker", "podman", "nerdctl", "systemctl", "fuser", "compgen", "tmux":
		r.printsFound(a, &out)
		switch {
		case a.Name == "compgen" && (a.Has("e") || a.Has("v")), a.Name == "ps" && showsEnvironment(a.Args):
			out.sources = with(out.sources, environment)
		case (a.Sub == "save" || a.Sub == "export") && (a.Name == "docker" || a.Name == "podman" || a.Name == "nerdctl"):
			out.sources = with(out.sources, repository)
		}
	case "pgrep", "pidof":
		if words := a.Operands("u", "g", "P", "t", "x"); len(words) > 0 {
			out.about = words[0]
		}
	case "redis-cli", "valkey-cli", "keydb-cli":
		out.about = redisLists(a)
	case "export", "declare", "typeset":
		out.sources = with(out.sources, environment)
	case "history", "fc":
		out.sources = with(out.sources, "~/.bash_history")
	case "tcpdump", "tshark":
		out.sources = with(out.sources, secret)
	case "dig", "nslookup", "host", "drill":
		out.remote = address(a)
	case "yes":
		return say(strings.Join(a.Args, " ") + "\n")
	case "true", "false", ":", "cd", "test", "[", "mkdir", "rm", "touch", "set", "sleep":
		if a.Name == "set" && len(a.Args) == 0 {
			out.sources = with(out.sources, environment)
			return out
		}
		return flow{}
	case "printenv":
		if words := a.Operands(); len(words) == 1 && (words[0] == "HOME" || words[0] == "PWD") {
			return say("$" + words[0] + "\n")
		}
		out.sources = with(out.sources, environment)
		r.printsFound(a, &out)
	case "df", "mount", "findmnt", "lsblk":
		out.roots = []string{"/"}
	case "getent":
		if a.Sub == "passwd" {
			out.roots = []string{"~"}
		}
	case "env":
		out.sources = with(out.sources, environment)
	case "pwd":
		if r.scope.at.Cwd == "" {
			return say(".\n")
		}
		return say(r.scope.at.Cwd + "\n")
	case "basename":
		if words := a.Operands("s", "suffix"); len(words) > 0 && !unknown(words[0]) {
			return say(strings.TrimSuffix(path.Base(words[0]), strings.Join(words[1:], "")) + "\n")
		}
	case "dirname":
		if words := a.Operands(); len(words) > 0 && words[0] != "bash" { // $0 may be anywhere
			if p, known := a.at.Resolve(words[0]); known || strings.HasPrefix(p, "$PWD") {
				return say(path.Dir(p) + "\n")
			}
		}
	case "realpath", "readlink":
		if words := a.Operands(); len(words) > 0 && a.Name == "realpath" || a.Has("f") && len(words) > 0 {
			return say(a.path(words[0]) + "\n")
		}
	case "which", "type", "command", "whence":
		if words := a.Operands(); len(words) > 0 {
			return say("/usr/bin/" + words[len(words)-1] + "\n")
		}
	case "mktemp":
		return say(a.temporary() + "\n")
	case "seq", "date", "whoami", "hostname", "uname", "id", "nproc", "wc":
		return out
	case "find", "gfind", "fd", "fdfind":
		out.roots = found(a)
	case "locate", "mlocate", "plocate", "slocate", "glocate", "mdfind":
		out.roots = located(a)
	case "ls", "dir", "exa", "eza", "lsd":
		r.listing(a, &out)
		out.each = a.listsEach()
	case "kubectl", "oc", "k", "kubecolor":
		out.each = a.listsEach()
	case "git":
		switch {
		case a.Sub == "ls-files":
			out.roots = []string{"./**/(tracked)"}
		case a.Sub == "rev-parse" && a.Has("--show-toplevel"):
			if r.scope.at.Cwd == "" {
				return say(".\n")
			}
			return say(r.scope.at.Cwd + "\n")
		case a.Sub == "rev-parse" && (a.Has("--git-dir") || a.Has("--git-common-dir") || a.Has("--absolute-git-dir")):
			return say(".git\n")
		case a.Sub == "rev-parse" && a.Flag("git-path") != "":
			return say(".git/" + a.Flag("git-path") + "\n")
		case a.Sub == "bundle" || a.Sub == "archive":
			out.sources = with(out.sources, repository)
		}
	case "curl", "wget", "http", "https", "xh", "aria2c", "lynx", "w3m", "fetch", "ftp", "lftp", "nc", "ncat", "netcat", "socat", "irm", "iwr", "Invoke-WebRequest", "Invoke-RestMethod":
		out.remote = address(a)
	case "ssh":
		out.remote = "ssh://" + a.Sub
	case "gh", "glab":
		if a.Sub == "api" || a.Sub == "gist" {
			out.remote = "https://github.com"
		}
	case "aws", "gsutil", "gcloud", "az":
		if slices.Contains(a.Args, "-") {
			out.remote = a.Name
		}
	}
	switch {
	case printsDump(a):
		out.sources = with(out.sources, database)
	case watches(a):
		out.sources = with(out.sources, secret)
	}
	if a.isCode() {
		if in := interpreterNamed(a.Name); in != nil {
			if s, ok := a.printed(in); ok {
				return say(s)
			}
			if containsAny(strings.Join(a.Args, " "), decoding) {
				out.hidden = a.Name
			}
		}
		for _, e := range r.reading.Effects[a.first:] { // what a program reads it may print
			if e.Verb == effect.Read && e.Command == a.number && a.number >= 0 {
				out.sources = with(out.sources, e.Object)
			}
		}
		if slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, "environ") || strings.Contains(s, "process.env") }) {
			out.sources = with(out.sources, environment)
		}
	}
	for _, e := range r.reading.Effects[max(0, len(r.reading.Effects)-4):] {
		if e.Verb == effect.Reveal && e.Command == a.number && a.number >= 0 {
			out.sources = with(out.sources, secret)
		}
	}
	return out
}

// plain reports whether nothing in the command's arguments stands for something
// else.
func (a *act) plain() bool {
	return !slices.ContainsFunc(a.mixture(), func(w value) bool { return !w.plain && unknown(w.texts[0].as) })
}

// What a flow carries that is in no file.
const (
	environment = "environment"
	secret      = "secret"
	database    = "database"
	repository  = "repository"
)

// listing is what ls prints: names, which are paths only from where it looks.
func (r *reader) listing(a *act, out *flow) {
	words := a.Operands("I", "ignore", "w", "T")
	if len(words) == 0 {
		out.roots = []string{"./*"}
	}
	for _, w := range words {
		if len(out.roots) < mostRoots {
			if strings.ContainsAny(w, "*?[") || a.Has("d") {
				out.roots = append(out.roots, w)
			} else {
				out.roots = append(out.roots, strings.TrimSuffix(w, "/")+"/*")
			}
		}
	}
}

// address is what a program that fetches something is told to fetch.
func address(a *act) string {
	for _, arg := range a.Args {
		if strings.Contains(arg, "://") {
			return arg
		}
	}
	for _, arg := range a.Args {
		if !strings.HasPrefix(arg, "-") && strings.Contains(arg, ".") {
			return "http://" + arg
		}
	}
	return "http://the-network"
}

package output

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// places leaves out the variables that everybody knows.
var places = strings.NewReplacer("$HOME", "", "$PWD", "")

// Prints is what a command prints, as far as it can be told: the programs that
// people hide text with are followed, those that only pass text on hand on what
// is known of where it came from.
func Prints(r *invocation.Reader, a *invocation.Act) invocation.Flow {
	out := invocation.Flow{Piped: true, By: a.Name, Own: a.In.By == "" && printsSetup(a.Command)}
	if a.In.Piped {
		out = a.In.Through(a.Name)
		if out.About == invocation.EveryProcess && !keepsProcesses(a) {
			out.About = ""
		}
	}
	for i := range a.Mixture() {
		out.Sources = invocation.Merge(out.Sources, a.Words()[i].Sources)
		if out.Remote == "" {
			out.Remote = a.Words()[i].Remote
		}
		if a.Words()[i].About == invocation.GuardName {
			out.About = invocation.GuardName
		}
	}
	say := func(s string) invocation.Flow {
		if len(s) > invocation.MostKnown || invocation.Unknown(s) && invocation.Unknown(places.Replace(s)) && !plain(a) {
			return out
		}
		out.Known, out.Text = true, s
		return out
	}
	switch a.Name {
	case "echo":
		return say(echo(a.Args))
	case "printf":
		if s, ok := printf(r, a); ok {
			return say(s)
		}
	case "awk", "gawk", "mawk", "nawk", "jq", "gojq":
		if s, ok := follow.PrintedText(a); ok {
			return say(s)
		}
		return filter(r, a, out)
	case "cat", "tac", "bat", "less", "more", "nl", "head", "tail", "tee", "zcat", "xxd", "od", "hexdump", "strings", "rev", "base64", "base32", "gzip", "gunzip", "bzip2", "xz", "zstd", "tr", "openssl", "sed", "cut", "sort", "grep", "rg", "uuencode", "gpg", "tar", "zip", "basenc", "dd":
		return filter(r, a, out)
	case "ps", "lsof", "ss", "docker", "podman", "nerdctl", "systemctl", "fuser", "compgen", "tmux":
		guard.PrintsFound(a, &out)
		if a.Name == "ps" && out.About == "" && listsProcesses(a.Args) {
			out.About = invocation.EveryProcess
		}
		if a.Name == "ps" && showsEnvironment(a.Args) {
			out.Sources = invocation.With(out.Sources, invocation.Environment)
		}
	case "pgrep", "pidof":
		if words := a.Operands("u", "g", "P", "t", "x"); len(words) > 0 {
			out.About = words[0]
		}
	case "redis-cli", "valkey-cli", "keydb-cli":
		out.About = redisLists(a)
	case "dig", "nslookup", "host", "drill":
		out.Remote = address(a)
	case "yes":
		return say(strings.Join(a.Args, " ") + "\n")
	case "true", "false", ":", "cd", "test", "[", "mkdir", "rm", "touch", "set", "sleep":
		if a.Name == "set" && len(a.Args) == 0 {
			out.Sources = invocation.With(out.Sources, invocation.Environment)
			return out
		}
		return invocation.Flow{}
	case "printenv":
		if words := a.Operands(); len(words) == 1 && (words[0] == "HOME" || words[0] == "PWD") {
			return say("$" + words[0] + "\n")
		}
		guard.PrintsFound(a, &out)
	case "df", "mount", "findmnt", "lsblk":
		out.Roots = []string{"/"}
	case "getent":
		if a.Sub == "passwd" {
			out.Roots = []string{"~"}
		}
	case "pwd":
		if r.Scope.At.Cwd == "" {
			return say(".\n")
		}
		return say(r.Scope.At.Cwd + "\n")
	case "basename":
		if words := a.Operands("s", "suffix"); len(words) > 0 && !invocation.Unknown(words[0]) {
			return say(strings.TrimSuffix(path.Base(words[0]), strings.Join(words[1:], "")) + "\n")
		}
	case "dirname":
		if words := a.Operands(); len(words) > 0 && words[0] != "bash" { // $0 may be anywhere
			if p, known := a.At.Resolve(words[0]); known || strings.HasPrefix(p, "$PWD") {
				return say(path.Dir(p) + "\n")
			}
		}
	case "realpath", "readlink":
		if words := a.Operands(); len(words) > 0 && a.Name == "realpath" || a.Has("f") && len(words) > 0 {
			return say(a.Path(words[0]) + "\n")
		}
	case "which", "type", "command", "whence":
		if words := a.Operands(); len(words) > 0 {
			return say("/usr/bin/" + words[len(words)-1] + "\n")
		}
	case "mktemp":
		return say(temporary(a) + "\n")
	case "seq", "date", "whoami", "hostname", "uname", "id", "nproc", "wc":
		return out
	case "find", "gfind", "fd", "fdfind":
		out.Roots = Found(a)
	case "locate", "mlocate", "plocate", "slocate", "glocate", "mdfind":
		out.Roots = located(a)
	case "ls", "dir", "exa", "eza", "lsd":
		listing(a, &out)
		if slices.Contains(a.Args, "/proc") || slices.Contains(a.Args, "/proc/") {
			out.About = invocation.EveryProcess
		}
		out.Each = listsEach(a)
	case "kubectl", "oc", "k", "kubecolor":
		out.Each = listsEach(a)
	case "git":
		switch {
		case a.Sub == "ls-files":
			out.Roots = []string{"./**/(" + gitFiles(a) + ")"}
		case a.Sub == "rev-parse" && a.Has("--show-toplevel"):
			if r.Scope.At.Cwd == "" {
				return say(".\n")
			}
			return say(r.Scope.At.Cwd + "\n")
		case a.Sub == "rev-parse" && (a.Has("--git-dir") || a.Has("--git-common-dir") || a.Has("--absolute-git-dir")):
			return say(".git\n")
		case a.Sub == "rev-parse" && a.Flag("git-path") != "":
			return say(".git/" + a.Flag("git-path") + "\n")
		}
	case "curl", "wget", "http", "https", "xh", "aria2c", "lynx", "w3m", "fetch", "ftp", "lftp", "nc", "ncat", "netcat", "socat", "irm", "iwr", "Invoke-WebRequest", "Invoke-RestMethod":
		out.Remote = address(a)
	case "ssh":
		out.Remote = "ssh://" + a.Sub
	case "gh", "glab":
		if a.Sub == "api" || a.Sub == "gist" {
			out.Remote = "https://github.com"
		}
	case "aws", "gsutil", "gcloud", "az":
		if slices.Contains(a.Args, "-") {
			out.Remote = a.Name
		}
	}
	for _, of := range sourcesOf {
		if says(a, of.prints) {
			out.Sources = invocation.With(out.Sources, of.source)
		}
	}
	if says(a, "rows") && printsRows(a.Args) {
		out.Sources = invocation.With(out.Sources, invocation.Rows)
	}
	if printsDump(a) {
		out.Sources = invocation.With(out.Sources, invocation.Database)
	}
	if a.IsCode() {
		if in := follow.InterpreterNamed(a.Name); in != nil {
			if s, ok := follow.Printed(a, in); ok {
				return say(s)
			}
			if invocation.ContainsAny(strings.Join(a.Args, " "), decoding) {
				out.Hidden = a.Name
			}
		}
		for _, e := range r.Reading.Effects[a.First:] { // what a program reads it may print
			if e.Verb == effect.Read && e.Command == a.Number && a.Number >= 0 {
				out.Sources = invocation.With(out.Sources, e.Object)
			}
		}
		if slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, "environ") || strings.Contains(s, "process.env") }) {
			out.Sources = invocation.With(out.Sources, invocation.Environment)
		}
	}
	for _, e := range r.Reading.Effects[max(0, len(r.Reading.Effects)-4):] {
		if e.Verb == effect.Reveal && e.Command == a.Number && a.Number >= 0 {
			out.Sources = invocation.With(out.Sources, invocation.Secret)
		}
	}
	return out
}

// sourcesOf are the sources of what is in a program's output.
var sourcesOf = [...]struct{ prints, source string }{
	{"environment", invocation.Environment}, {"history", "~/.bash_history"}, {"secret", invocation.Secret}, {"watched", invocation.Secret}, {"repository", invocation.Repository},
}

// plain reports whether nothing in the command's arguments stands for something
// else.
func plain(a *invocation.Act) bool {
	return !slices.ContainsFunc(a.Mixture(), func(w invocation.Value) bool { return !w.Plain && invocation.Unknown(w.Texts[0].As) })
}

// listing is what ls prints: names, which are paths only from where it looks.
func listing(a *invocation.Act, out *invocation.Flow) {
	words := a.Operands("I", "ignore", "w", "T")
	if len(words) == 0 {
		out.Roots = []string{"./*"}
	}
	for _, w := range words {
		if len(out.Roots) < MostRoots {
			if strings.ContainsAny(w, "*?[") || a.Has("d") {
				out.Roots = append(out.Roots, w)
			} else {
				out.Roots = append(out.Roots, strings.TrimSuffix(w, "/")+"/*")
			}
		}
	}
}

// address is what a program that fetches something is told to fetch.
func address(a *invocation.Act) string {
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

// printsSetup reports whether a program prints setup code for shells, such as
// completions. The program could do whatever that code does.
func printsSetup(c *invocation.Command) bool {
	if strings.Contains(c.Name, "/") || len(c.Args) == 0 || len(c.Args) > 3 {
		return false
	}
	switch c.Args[0] {
	case "completion", "completions", "generate-shell-completion", "shell-completion", "shellenv":
		return true
	}
	return false
}

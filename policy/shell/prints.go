package shell

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/policy/effect"
)

// places leaves out the variables that everybody knows.
var places = strings.NewReplacer("$HOME", "", "$PWD", "")

// prints is what a command prints, as far as it can be told: the programs that
// people hide text with are followed, those that only pass text on hand on what
// is known of where it came from.
func (r *reader) prints(a *act) flow {
	out := a.in.through(a.Name)
	if !a.in.piped {
		out = flow{piped: true, by: a.Name}
	}
	for i := range a.words {
		out.sources = merge(out.sources, a.words[i].sources)
		if out.remote == "" {
			out.remote = a.words[i].remote
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
	case "cat", "tac", "bat", "less", "more", "nl", "head", "tail", "tee", "zcat", "xxd", "od", "hexdump", "strings", "rev", "base64", "base32", "gzip", "gunzip", "bzip2", "xz", "zstd", "tr", "openssl", "sed", "awk", "cut", "jq", "sort", "grep", "rg", "uuencode", "gpg", "tar", "zip", "basenc", "dd":
		return r.filter(a, out)
	case "pgrep", "pidof":
		if words := a.Operands("u", "g", "P", "t", "x"); len(words) > 0 {
			out.about = words[0]
		}
	case "export", "declare", "typeset":
		out.sources = merge(out.sources, []string{environment})
	case "history", "fc":
		out.sources = merge(out.sources, []string{"~/.bash_history"})
	case "pg_dump", "pg_dumpall", "mysqldump", "mongodump", "mariadb-dump":
		if !a.Has("s") && !a.Has("--schema-only") && !a.Has("--no-data") {
			out.sources = merge(out.sources, []string{database})
		}
	case "sqlite3":
		if slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, ".dump") }) {
			out.sources = merge(out.sources, []string{database})
		}
	case "tcpdump", "tshark":
		out.sources = merge(out.sources, []string{secret})
	case "dig", "nslookup", "host", "drill":
		out.remote = address(a)
	case "yes":
		return say(strings.Join(a.Args, " ") + "\n")
	case "true", "false", ":", "cd", "test", "[", "mkdir", "rm", "touch", "set", "sleep":
		if a.Name == "set" && len(a.Args) == 0 {
			out.sources = merge(out.sources, []string{environment})
			return out
		}
		return flow{}
	case "printenv":
		if len(a.Args) == 1 && (a.Args[0] == "HOME" || a.Args[0] == "PWD") {
			return say("$" + a.Args[0] + "\n")
		}
		out.sources = merge(out.sources, []string{environment})
	case "df", "mount", "findmnt", "lsblk":
		out.roots = []string{"/"}
	case "getent":
		if a.Sub == "passwd" {
			out.roots = []string{"~"}
		}
	case "env":
		out.sources = merge(out.sources, []string{environment})
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
		return say("/tmp/tmp.XXXXXXXXXX\n")
	case "seq", "date", "whoami", "hostname", "uname", "id", "nproc", "wc":
		return out
	case "find", "gfind", "fd", "fdfind":
		out.roots = found(a)
	case "ls", "dir", "exa", "eza", "lsd":
		r.listing(a, &out)
	case "git":
		switch {
		case a.Sub == "ls-files":
			out.roots = []string{"./**/(tracked)"}
		case a.Sub == "rev-parse" && a.Has("--show-toplevel"):
			if r.scope.at.Cwd == "" {
				return say(".\n")
			}
			return say(r.scope.at.Cwd + "\n")
		case a.Sub == "bundle" || a.Sub == "archive":
			out.sources = merge(out.sources, []string{repository})
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
	if a.r.verbs[a.Name] == nil && codeVerb(a.Name) != nil {
		for _, e := range r.reading.Effects { // what a program reads it may print
			if e.Verb == effect.Read && e.Command == a.number && a.number >= 0 {
				out.sources = merge(out.sources, []string{e.Object})
			}
		}
		if slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, "environ") || strings.Contains(s, "process.env") }) {
			out.sources = merge(out.sources, []string{environment})
		}
	}
	for _, e := range r.reading.Effects[max(0, len(r.reading.Effects)-4):] {
		if e.Verb == effect.Reveal && e.Command == a.number && a.number >= 0 {
			out.sources = merge(out.sources, []string{secret})
		}
	}
	return out
}

// plain reports whether nothing in the command's arguments stands for something
// else.
func (a *act) plain() bool {
	return !slices.ContainsFunc(a.words, func(w value) bool { return !w.plain && unknown(w.texts[0].as) })
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

// echo is what echo prints. It leans to reading escapes, as some shells do.
func echo(args []string) string {
	newline, escapes := "\n", false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		if strings.Contains(args[0], "n") {
			newline = ""
		}
		escapes = escapes || strings.Contains(args[0], "e")
		args = args[1:]
	}
	s := strings.Join(args, " ")
	if escapes || strings.Contains(s, `\x`) || strings.Contains(s, `\0`) {
		s = ansi(s)
	}
	return s + newline
}

// printf is what printf prints, and what -v stores.
func (r *reader) printf(a *act) (string, bool) {
	args := a.Args
	into := ""
	if len(args) > 1 && args[0] == "-v" {
		into, args = args[1], args[2:]
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return "", false
	}
	format, args := ansi(args[0]), args[1:]
	var b strings.Builder
	for round := 0; round == 0 || len(args) > 0 && round < 64 && strings.Contains(format, "%"); round++ {
		for i := 0; i < len(format); i++ {
			if format[i] != '%' {
				b.WriteByte(format[i])
				continue
			}
			end := i + 1
			for end < len(format) && strings.IndexByte("-+ #0123456789.*", format[end]) >= 0 {
				end++
			}
			if end == len(format) {
				break
			}
			arg := ""
			if format[end] != '%' && len(args) > 0 {
				arg, args = args[0], args[1:]
			}
			switch format[end] {
			case '%':
				b.WriteByte('%')
			case 'b':
				b.WriteString(ansi(arg))
			case 'c':
				b.WriteString(arg[:min(1, len(arg))])
			case 'x', 'o', 'd', 'i', 'u', 'X':
				n, err := strconv.ParseInt(strings.TrimLeft(arg, "'\""), 0, 64)
				if err != nil && len(arg) > 1 {
					n = int64(arg[1])
				}
				base := map[byte]int{'x': 16, 'X': 16, 'o': 8}[format[end]]
				b.WriteString(strconv.FormatInt(n, max(base, 10)))
				if base == 8 {
					return "", false
				}
			default:
				b.WriteString(arg)
			}
			i = end
			if b.Len() > mostKnown {
				return "", false
			}
		}
	}
	s := b.String()
	if into != "" {
		if isEnvironmentName(into) {
			a.add(effect.Effect{Verb: effect.SetVariable, Object: into, From: s})
		}
		r.scope.set(into, literal(s))
		return "", true
	}
	return s, true
}

// filter is what a program prints that changes what it reads.
func (r *reader) filter(a *act, out flow) flow {
	files := a.Operands("n", "c", "d", "f", "w", "s", "l", "m", "S", "k", "t", "A", "B", "C", "e")
	in, known := a.in.text, a.in.known
	decodes := a.Has("d") || a.Has("D") || a.Has("--decode") || a.Has("-decode") || a.Has("r")
	switch a.Name {
	case "cat", "tac", "bat", "less", "more", "nl", "head", "tail", "strings", "base64", "base32", "xxd", "zcat", "gunzip", "gzip", "rev", "sort":
		if (a.Name == "base64" || a.Name == "xxd") && len(files) > 1 {
			files = files[:1]
		}
		if len(files) > 0 {
			of := r.fromFiles(files)
			in, known = of.text, of.known
			out.sources = merge(out.sources, of.sources)
			if out.remote == "" {
				out.remote = of.remote
			}
		}
	case "grep", "rg", "egrep", "ag":
		if words := a.Operands("A", "B", "C", "m", "e"); len(words) > 0 && out.about == "" {
			out.about = strings.NewReplacer("[", "", "]", "").Replace(words[0])
		}
		for _, e := range r.reading.Effects {
			if e.Verb == effect.Read && e.Command == a.number && a.number >= 0 {
				out.sources = merge(out.sources, []string{e.Object})
			}
		}
	case "dd", "sed", "awk", "cut", "jq", "openssl", "gpg", "tar", "zip":
		for _, e := range r.reading.Effects {
			if e.Verb == effect.Read && e.Command == a.number && a.number >= 0 {
				out.sources = merge(out.sources, []string{e.Object})
			}
		}
	}
	set := func(s string, ok bool) flow {
		if !ok || len(s) > mostKnown {
			out.hidden = a.Name
			return out
		}
		out.known, out.text = true, s
		return out
	}
	switch a.Name {
	case "cat", "bat", "less", "more", "tee", "nl", "head", "tail", "sort":
		if known {
			return set(in, true)
		}
	case "tac":
		if known {
			list := strings.Split(strings.TrimSuffix(in, "\n"), "\n")
			slices.Reverse(list)
			return set(strings.Join(list, "\n")+"\n", true)
		}
	case "rev":
		if known {
			list := strings.Split(in, "\n")
			for i := range list {
				list[i] = reversed(list[i])
			}
			return set(strings.Join(list, "\n"), true)
		}
		out.hidden = a.Name
	case "base64", "basenc", "base32", "uuencode":
		if decodes {
			if known {
				return set(unbase64(in))
			}
			out.hidden = a.Name
		}
	case "openssl":
		if slices.Contains(a.Args, "base64") || slices.Contains(a.Args, "-base64") || slices.Contains(a.Args, "-a") {
			if known && a.Has("d") {
				return set(unbase64(in))
			}
		}
		if a.Has("d") || a.Has("-d") {
			out.hidden = a.Name
		}
	case "xxd":
		if a.Has("r") {
			if known {
				return set(unhex(in))
			}
			out.hidden = a.Name
		}
	case "zcat", "gunzip", "gzip", "bzip2", "xz", "zstd", "gpg", "dd":
		if a.Name != "dd" && (a.Name == "zcat" || a.Name == "gunzip" || decodes) {
			out.hidden = a.Name
		}
	case "tr":
		if known {
			if s, ok := translate(a, in); ok {
				return set(s, true)
			}
		}
		out.hidden = a.Name
	case "sed":
		if known {
			if s, ok := substitute(a, in); ok {
				return set(s, true)
			}
			out.hidden = a.Name
		}
	case "awk", "cut":
		if slices.Contains(out.sources, "/etc/passwd") {
			out.roots = []string{"~"} // where people's homes are
		} else if len(a.in.roots) > 0 {
			out.roots = a.in.roots
		}
		if known {
			out.hidden = a.Name
		}
	}
	if len(a.in.roots) > 0 && !out.known && out.roots == nil && len(files) == 0 {
		switch a.Name { // what passes a list on passes on what it is about
		case "cat", "sort", "head", "tail", "tee", "tr":
			out.roots, out.hidden = a.in.roots, a.in.hidden
		}
	}
	if len(a.in.roots) > 0 && (a.Name == "sed" || a.Name == "awk" || a.Name == "grep") {
		out.roots, out.hidden = a.in.roots, a.in.hidden
	}
	return out
}

func reversed(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// unbase64 decodes as leniently as programs do.
func unbase64(s string) (string, bool) {
	s = strings.Map(func(c rune) rune {
		if strings.ContainsRune(" \t\r\n", c) {
			return -1
		}
		return c
	}, s)
	s = strings.TrimRight(s, "=")
	for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if b, err := e.DecodeString(s); err == nil && utf8.Valid(b) {
			return string(b), true
		}
	}
	return "", false
}

func unhex(s string) (string, bool) {
	s = strings.Map(func(c rune) rune {
		if strings.ContainsRune("0123456789abcdefABCDEF", c) {
			return c
		}
		return -1
	}, s)
	b, err := hex.DecodeString(s)
	return string(b), err == nil
}

// mostSet is how long a set of characters may be.
const mostSet = 256

// translate is what tr makes of a text.
func translate(a *act, in string) (string, bool) {
	words := a.Operands()
	for _, w := range words {
		if len(w) > mostSet || !a.r.pay(len(in)) {
			return "", false
		}
	}
	if a.Has("d") && len(words) == 1 {
		set := spell(words[0])
		return strings.Map(func(c rune) rune {
			if strings.ContainsRune(set, c) {
				return -1
			}
			return c
		}, in), true
	}
	if len(words) != 2 || a.Has("c") || a.Has("C") {
		return "", false
	}
	from, to := []rune(spell(words[0])), []rune(spell(words[1]))
	if len(to) == 0 {
		return "", false
	}
	return strings.Map(func(c rune) rune {
		if i := slices.Index(from, c); i >= 0 {
			return to[min(i, len(to)-1)]
		}
		return c
	}, in), true
}

// spell writes the ranges of a set out: a-c is abc.
func spell(set string) string {
	set = ansi(strings.NewReplacer("[:lower:]", "a-z", "[:upper:]", "A-Z", "[:digit:]", "0-9", "[:space:]", " \t\n").Replace(set))
	var b strings.Builder
	runes := []rune(set)
	for i := 0; i < len(runes); i++ {
		if i+2 < len(runes) && runes[i+1] == '-' && runes[i] <= runes[i+2] && runes[i+2]-runes[i] < 256 {
			for c := runes[i]; c <= runes[i+2]; c++ {
				b.WriteRune(c)
			}
			i += 2
			continue
		}
		b.WriteRune(runes[i])
	}
	return b.String()
}

// substitute is what a single s/a/b/ of literal texts makes of a text.
func substitute(a *act, in string) (string, bool) {
	words := a.Operands()
	script := a.Flag("e")
	if script == "" && len(words) > 0 {
		script = words[0]
	}
	if len(script) < 4 || script[0] != 's' {
		return "", false
	}
	parts := strings.Split(script[2:], script[1:2])
	if len(parts) != 3 || strings.ContainsAny(parts[0], `.*[]\^$+?()|`) || strings.ContainsAny(parts[1], `\&`) || parts[0] == "" {
		return "", false
	}
	n := 1
	if strings.Contains(parts[2], "g") {
		n = -1
	}
	if len(in)*(1+len(parts[1])) > mostKnown {
		return "", false
	}
	list := strings.Split(in, "\n")
	for i := range list {
		list[i] = strings.Replace(list[i], parts[0], parts[1], n)
	}
	return strings.Join(list, "\n"), true
}

package invocation

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// wholeSent notes that a project as a whole, or somebody's documents, are given
// to a machine outside that nobody logs in to.
func (a *Act) wholeSent(e *effect.Effect, from string) {
	if from == "" || e.Remote || !command.Builtin().In("open-senders", a.Name) || from != Rows && !isWholeTree(from, a.At) && !isPersonal(from, a.At) {
		return
	}
	host := HostOf(e.Object)
	if a.IsCode() && strings.Contains(from, "**/") && strings.Contains(e.Object, "://") { // a program that asks a service about sources
		return
	}
	if a.Name == "svn" && a.Sub != "import" || a.Name == "rsync" && !strings.HasPrefix(e.Object, "rsync://") || !IsOutside(host) || a.logsIn() {
		return
	}
	whole := *e
	if whole.From = Repository; from == Rows {
		whole.From = Database
	}
	a.R.Effect(whole)
}

// IsOutside reports whether a host is surely none of one's own network.
func IsOutside(host string) bool {
	if Unknown(host) || !strings.Contains(host, ".") && strings.Count(host, ":") < 2 || strings.HasPrefix(host, "169.254.") {
		return false
	}
	if second, ok := strings.CutPrefix(host, "172."); ok {
		if second, _, _ = strings.Cut(second, "."); len(second) == 2 && second >= "16" && second <= "31" {
			return false
		}
	}
	return !IsInside(host) && !isLoopback(host) || strings.HasSuffix(host, ".test")
}

// isLoopback reports whether an address of version six is this machine or of its
// own network.
func isLoopback(host string) bool {
	return strings.Contains(host, ":") && (host == "::1" || strings.HasPrefix(host, "fc") || strings.HasPrefix(host, "fd") || strings.HasPrefix(host, "fe80"))
}

// logsIn reports whether the command says who it is: what is uploaded that way goes
// where somebody has an account.
func (a *Act) logsIn() bool {
	if a.IsCode() {
		return false
	}
	flags := command.Builtin().Table("login-options")[a.Name]
	for i, arg := range a.Args {
		name, value, _ := strings.Cut(arg, "=")
		if slices.Contains(flags, name) || slices.Contains(flags, "-u") && strings.HasPrefix(arg, "-u") {
			return true
		}
		switch header, attached := strings.CutPrefix(arg, "-H"); {
		case name == "--header" && value != "":
			attached, header = true, value
			fallthrough
		case attached || i > 0 && a.Args[i-1] == "--header":
			if header == "" && i+1 < len(a.Args) {
				header = a.Args[i+1]
			} else if !attached {
				header = arg
			}
			if IsCredential(header) {
				return true
			}
		}
		if _, rest, ok := strings.Cut(arg, "://"); ok {
			if host, _, _ := strings.Cut(rest, "/"); strings.Contains(host, "@") {
				return true
			}
		} else if strings.Contains(arg, "::") && strings.Contains(arg, "@") && a.Name == "rsync" {
			return true
		}
	}
	return false
}

// Taken are the files that the command has read so far, and those that it was given: what it
// makes of them has a part of each.
func (a *Act) Taken() []string {
	var list []string
	for _, e := range a.R.Reading.Effects[min(a.First, len(a.R.Reading.Effects)):] {
		if e.Verb == effect.Read && e.Command == a.Number {
			if list = merged(list, []string{e.Object}); len(list) >= mostOrigins {
				a.R.Mark(Many)
				break
			}
		}
	}
	return list
}

// PutAll is Put for what is made of several files. What matters most is the first.
func (a *Act) PutAll(p, first string, from []string) {
	own := a.Path(p)
	if first != "" || !slices.ContainsFunc(from, func(f string) bool { return f != own }) {
		a.Put(p, first)
	}
	for _, f := range from {
		if f != first && f != own {
			a.Put(p, f)
		}
	}
}

// Packed is what the command has put into an archive and whoever gets that should
// not have: something private, a whole tree, a document. It is empty where it took
// less, as the sources alone.
func (a *Act) Packed() string {
	whole := ""
	for _, e := range a.R.Reading.Effects[min(a.First, len(a.R.Reading.Effects)):] {
		if e.Verb != effect.Read {
			continue
		}
		if slices.ContainsFunc(a.R.Origins(e.Object), IsPrivateSource) {
			return e.Object
		}
		if whole == "" && path.Base(e.Object) != "src" && (isWholeTree(e.Object, a.At) || isPersonal(e.Object, a.At)) {
			whole = e.Object
		}
	}
	return whole
}

// isWholeTree reports whether a path is the project with all that is in it, what
// lies around it, or one of the trees in a home; or a search for all sources.
func isWholeTree(from string, at effect.Place) bool {
	dir := strings.TrimSuffix(strings.TrimSuffix(from, "/**"), "/*")
	if strings.HasPrefix(dir, "**/") {
		dir = "./" + dir
	}
	if root, name, ok := strings.Cut(dir, "/**/"); ok && strings.HasPrefix(name, "*.") && command.Builtin().In("source-ends", name[1:]) {
		dir = root
	}
	switch dir {
	case "", ".", "~", "/", "$PWD", "$HOME", ".git", "..", "/home", "/Users", "/root", "/srv", "/var/lib", "/opt":
		return from != ""
	case at.Cwd, at.Home, at.Cwd + "/.git", at.Cwd + "/src", "src":
		return dir != "/.git" && dir != "/src"
	}
	if strings.HasPrefix(at.Cwd, dir+"/") && strings.HasPrefix(dir, "/") && !strings.HasPrefix(dir, "/tmp") {
		return true
	}
	rest, ok := InHome(dir, at)
	return ok && (rest == "" || command.Builtin().In("home-trees", rest))
}

// InHome is a path below somebody's home.
func InHome(p string, at effect.Place) (string, bool) {
	for _, home := range [...]string{at.Home, "~", "$HOME", "/root"} {
		if rest, ok := strings.CutPrefix(p, home); ok && home != "" && (rest == "" || rest[0] == '/') {
			return strings.TrimPrefix(rest, "/"), true
		}
	}
	for _, homes := range [...]string{"/home/", "/Users/"} {
		if rest, ok := strings.CutPrefix(p, homes); ok {
			_, rest, _ = strings.Cut(rest, "/")
			return rest, true
		}
	}
	return "", false
}

// isPersonal reports whether a path is one of somebody's documents. Many keep their
// projects beside them: what lies in the project is none.
func isPersonal(from string, at effect.Place) bool {
	rest, ok := InHome(from, at)
	if !ok || at.Cwd != "" && strings.HasPrefix(from, at.Cwd+"/") {
		return false
	}
	rest, ok = strings.CutPrefix(rest, "Documents/")
	if !ok {
		return false
	}
	switch strings.ToLower(path.Ext(rest)) {
	case ".pdf", ".doc", ".docx", ".xls", ".xlsx", ".odt", ".ods", ".rtf", ".pages", ".numbers":
		return true
	}
	return !strings.Contains(rest, "/")
}

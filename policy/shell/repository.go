package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// sparesHistory reports whether a path that is deleted is, or lies in, the .git of a
// repository that is not the project: one that the commands before it have just made, one in
// /tmp, or one that the project keeps for tests or has from others. A project that
// is begun from a template loses no history of its own.
func (a *act) sparesHistory(p string) bool {
	if !strings.Contains(p, ".git") {
		return false
	}
	if a.Remote || a.guess || strings.Contains(p, "..") || unknown(p) || !leadsDown(a.Text) || a.leadsTo(p) != "" {
		return false
	}
	session := a.r.set.Place
	if a.at.Cwd != session.Cwd && !effect.IsAbs(p) && !a.r.isSure(entered, a.at.Cwd) { // the cd may have failed
		return false
	}
	dir, rest, ok := strings.Cut(a.path(p), "/.git")
	switch {
	case !ok, rest != "" && rest[0] != '/', unknown(dir), lies(session.Cwd, dir):
		return false
	case a.r.isSure(begun, dir):
		return true
	case lies(dir, "/tmp"), lies(dir, "/var/tmp"):
		return strings.Count(dir, "/") > 1 && !strings.ContainsAny(dir, "*?[{") && !strings.Contains(dir, doubtfulTemp)
	}
	return lies(dir, session.Cwd) && !lies(session.Home, session.Cwd) && isSpareDir(dir[min(len(dir), len(session.Cwd)):])
}

// lies reports whether a directory is another one or lies in it, however they are
// spelled. Nothing lies in one that is not known, but for what is not known itself.
func lies(dir, in string) bool {
	dir, in = strings.TrimPrefix(dir, "/private"), strings.TrimPrefix(in, "/private")
	if in == "" {
		return dir != "" && !effect.IsAbs(dir) && dir[0] != '~'
	}
	return len(dir) >= len(in) && strings.EqualFold(dir[:len(in)], in) && (len(dir) == len(in) || dir[len(in)] == '/')
}

// leadsDown reports whether variables in a command stand for nothing but the
// directories that paths begin with: one that is empty, because what should have set
// it has failed, leads to the root then, and not to the project.
func leadsDown(text string) bool {
	for {
		_, rest, ok := strings.Cut(text, "$")
		if !ok {
			return strings.IndexByte(text, '`') < 0
		}
		text = strings.TrimPrefix(rest, "{")
		for text != "" && isNameByte(text[0]) {
			text = text[1:]
		}
		if text = strings.TrimLeft(text, `}"`); text == "" || text[0] != '/' {
			return false
		}
	}
}

// isSpareDir reports whether the way to a directory leads through one whose
// repositories are for tests or of others.
func isSpareDir(way string) bool {
	for element := range strings.SplitSeq(strings.Trim(way, "/"), "/") {
		switch element {
		case "fixtures", "__fixtures__", "testdata", "vendor":
			return true
		}
		if element == "" || element[0] == '.' || strings.ContainsAny(element, "*?[{") {
			return false
		}
	}
	return false
}

// madeTemp stands for a directory that mktemp has made.
const madeTemp = "/tmp/tmp.XXXXXXXXXX"

// doubtfulTemp is in the names of directories that mktemp may have failed to make:
// what is empty then leads elsewhere.
const doubtfulTemp = "tmp.XXXXXXXXXX.if"

// temporary is the name that mktemp prints.
func (a *act) temporary() string {
	if set, _ := a.variable("TMPDIR"); set == "" && (len(a.Args) == 0 || len(a.Args) == 1 && a.Args[0] == "-d") {
		return madeTemp
	}
	return "/tmp/" + doubtfulTemp
}

// fact is something that is so wherever the commands run that are read now.
type fact byte

const (
	// checked: a file is what somebody says it is.
	checked fact = iota
	// begun: a directory was not there before, or was empty.
	begun
	// entered: a directory is the one that commands run in.
	entered
)

// sure notes that a command has done what it is for: what follows it with && does
// not run otherwise. It must be written as such, as what runs it may hide that it
// failed, or that it ran elsewhere.
func (a *act) sure(f fact, dir string) {
	if a.guess || a.Depth > 0 || a.More || a.Remote || a.Sudo || unknown(dir) || len(a.r.verified) >= mostVerified || !a.isWritten() {
		return
	}
	a.r.verified = append(a.r.verified, verified{path: dir, fact: f})
}

func (r *reader) isSure(f fact, dir string) bool {
	return slices.ContainsFunc(r.verified, func(v verified) bool { return v.fact == f && v.path == dir })
}

// unmakes takes back that a directory was made where something else may be there
// since.
func (r *reader) unmakes(e *effect.Effect) {
	object := e.Object
	if e.Verb == effect.Link {
		object = e.From
	}
	for i := range r.verified {
		if v := &r.verified[i]; v.fact == begun && e.How != "cp" && (lies(v.path, object) || object == v.path+"/.git") {
			v.path = ""
		}
	}
}

// enters notes that cd has gone where it was told to. Without a word, and with one
// that is empty, it goes elsewhere and says that all is well.
func (a *act) enters(dir string) {
	if a.Name != "cd" || len(a.Args) != 1 || a.Args[0] == "" || a.Args[0] != madeTemp && strings.ContainsAny(a.Text, "$`") {
		return
	}
	if _, set := a.r.scope.vars["CDPATH"]; !set && a.Env["CDPATH"] == "" {
		a.sure(entered, dir)
	}
}

package invocation

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// isMade reports whether a path lies in a directory that the text itself made, and
// nothing else was mounted there.
func (a *Act) isMade(p string) bool {
	for i := range a.R.Reading.Commands {
		name := a.R.Reading.Commands[i].Name
		if !a.R.Pay(1) || strings.Contains(name, "mount") || strings.HasSuffix(name, "fs") {
			return false
		}
	}
	for i := range a.R.Verified {
		if v := &a.R.Verified[i]; v.Fact == Begun && v.Path != "" && (p == v.Path || strings.HasPrefix(p, v.Path+"/")) {
			return true
		}
	}
	return false
}

// deletesMoved notes that what was moved to where everything is deleted now is
// gone: mv /srv/app /tmp/x && rm -rf /tmp/x.
func (a *Act) deletesMoved(p string) {
	for i := range a.R.Reading.Effects {
		if !a.R.Pay(1) {
			return
		}
		e := &a.R.Reading.Effects[i]
		if e.Verb != effect.Write || e.How != "mv" || e.From == "" || e.Object != p && !strings.HasPrefix(e.Object, p+"/") {
			continue
		}
		a.Add(effect.Effect{Verb: effect.Delete, Object: e.From, Wide: true})
	}
}

// sparesHistory reports whether a path that is deleted is, or lies in, the .git of a
// repository that is not the project: one that the commands before it have just made, one in
// /tmp, or one that the project keeps for tests or has from others. A project that
// is begun from a template loses no history of its own.
func (a *Act) sparesHistory(p string) bool {
	if !strings.Contains(p, ".git") {
		return false
	}
	if a.Remote || a.Guess || strings.Contains(p, "..") || Unknown(p) || !leadsDown(a.Text) || a.leadsTo(p) != "" {
		return false
	}
	session := a.R.Set.Place
	if a.At.Cwd != session.Cwd && !effect.IsAbs(p) && !a.R.isSure(Entered, a.At.Cwd) { // the cd may have failed
		return false
	}
	dir, rest, ok := strings.Cut(a.Path(p), "/.git")
	switch {
	case !ok, rest != "" && rest[0] != '/', Unknown(dir), lies(session.Cwd, dir):
		return false
	case a.R.isSure(Begun, dir):
		return true
	case lies(dir, "/tmp"), lies(dir, "/var/tmp"):
		return strings.Count(dir, "/") > 1 && !strings.ContainsAny(dir, "*?[{") && !strings.Contains(dir, DoubtfulTemp)
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
		for text != "" && IsNameByte(text[0]) {
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

// DoubtfulTemp is in the names of directories that mktemp may have failed to make:
// what is empty then leads elsewhere.
const DoubtfulTemp = "tmp.XXXXXXXXXX.if"

// Fact is something that is so wherever the commands run that are read now.
type Fact byte

const (
	// Checked: a file is what somebody says it is.
	Checked Fact = iota
	// Begun: a directory was not there before, or was empty.
	Begun
	// Entered: a directory is the one that commands run in.
	Entered
)

func (r *Reader) isSure(f Fact, dir string) bool {
	return slices.ContainsFunc(r.Verified, func(v Verified) bool { return v.Fact == f && v.Path == dir })
}

// unmakes takes back that a directory was made where something else may be there
// since.
func (r *Reader) unmakes(e *effect.Effect) {
	object := e.Object
	if e.Verb == effect.Link {
		object = e.From
	}
	for i := range r.Verified {
		if v := &r.Verified[i]; v.Fact == Begun && e.How != "cp" && (lies(v.Path, object) || object == v.Path+"/.git") {
			v.Path = ""
		}
	}
}

// Verified is a path of which a fact is sure, with what was known of the file
// before it was checked.
type Verified struct {
	Path   string
	Fact   Fact
	Before *File
}

package javascript

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// listed stands in texts for any name in a directory. It is not known which one,
// so that nothing can be said of comparisons with it.
const listed = "${__listed}"

// named is the name of a directory's entry where it is used: code that deletes or runs
// one entry does so with all of them, unless a condition has selected it.
func (e *evaluator) named(u *library.Use) {
	all := e.level == 0 && !e.mayHaveLeft(0) && (u.What == library.DeleteFile || u.What == library.Shell || u.What == library.Argv)
	found, open := false, false
	put := func(s string) string {
		found = found || strings.Contains(s, listed)
		if !all {
			return strings.ReplaceAll(s, listed, Unknown)
		}
		s = strings.ReplaceAll(s, listed, "*")
		open = open || strings.Contains(s, "${")
		return s
	}
	u.Text, u.Content = put(u.Text), put(u.Content)
	for i := range u.Args {
		u.Args[i] = put(u.Args[i])
	}
	u.Known = u.Known || found && all && !open
}

// chosen is an element that a condition has chosen of which nothing is known.
func chosen(v value) value {
	if v.kind == text && v.partial && strings.Contains(v.text, listed) {
		v.text = strings.ReplaceAll(v.text, listed, Unknown)
	}
	return v
}

// use notes a use once.
func (e *evaluator) use(u library.Use) {
	if !u.Known {
		e.named(&u)
	}
	key := u.What.String() + "\x00" + u.Text + "\x00" + strings.Join(u.Args, "\x00") + "\x00" + u.Dir
	if u.What == library.WriteFile || u.What == library.Send {
		key += "\x00" + u.Content
	}
	if e.seen[key] || !e.step(1+len(key)/256) {
		return
	}
	if len(e.out.Uses) >= MaxCalls {
		e.doubt(Many)
		return
	}
	e.seen[key] = true
	if !u.Known {
		e.doubt(Dynamic)
	}
	e.out.Uses = append(e.out.Uses, u)
}

// shape notes what only the whole program shows: a shell that somebody else talks to,
// and a server that gives away whatever file it is asked for.
func (e *evaluator) shape() {
	fetched := slices.IndexFunc(e.out.Uses, func(u library.Use) bool { return u.What == library.Fetch })
	switch {
	case !e.told:
	case e.connected != "":
		e.use(library.Use{What: library.ReverseShell, Text: e.connected, Known: true})
	case e.serves:
		e.use(library.Use{What: library.ReverseShell, Text: "connection", Known: true})
	case fetched >= 0: // it goes into the shell
		e.use(library.Use{What: library.Eval, Text: e.out.Uses[fetched].Text, Known: true})
	}
	for _, u := range e.out.Uses {
		dir, _, open := strings.Cut(u.Text, Unknown)
		if place := map[string]string{"$HOME": "~", "$HOME/": "~", "~/": "~", "/": "/"}[dir]; place != "" && open && e.serves && u.What == library.ReadFile && !u.Known {
			e.use(library.Use{What: library.Listen, Text: "a server of files", Dir: place, Known: true})
		}
	}
}

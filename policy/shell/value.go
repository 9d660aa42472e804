package shell

import (
	"slices"
	"strings"
)

// text is one reading of a word or a variable.
type text struct {
	// as is the text. Parts that are not known stand in it as they are
	// written: "$X/a".
	as string
	// bare is the same with all that may be empty left out: "/a". It is
	// the same text where nothing is.
	bare string
}

// value is what is known of a word or a variable.
type value struct {
	// texts are what it can be, at least one.
	texts []text
	// sources are the files, and "environment" or "secret", whose contents
	// were put into it.
	sources []string
	// shows are those of them that can be read from it, and variables with
	// secrets, as "$NAME".
	shows []string
	// remote is the address that it was fetched from.
	remote string
	// hidden names the program that decoded or made it, where its text is not
	// known.
	hidden string
	// about is what was looked for to make it: grep X, pgrep X.
	about string
	// plain: it is a word as written, in which a dollar is a dollar.
	plain bool
	// made is what can be read from it, where it is a file that the shell
	// makes of a command's output.
	made *flow
}

// flow is what goes through a pipe or into a command.
type flow struct {
	// piped: there is something, and it is not the terminal.
	piped bool
	// known: text is all of it.
	known bool
	text  string
	// sources, shows, remote and hidden are as in value.
	sources []string
	shows   []string
	remote  string
	hidden  string
	// roots: it is a list of paths, one a line, as find and ls print it. They
	// stand for the paths.
	roots []string
	// each is what every line stands for, as long as nothing has changed them:
	// pod/*, ./dist*.
	each []string
	// by is the program that made it, about as in value.
	by, about string
	// own: it is what a program prints for shells about itself, as completions.
	own bool
	// either are what it can be, where a command is for the case that another
	// fails: which python || which python3.
	either []string
}

// Limits of what is followed of one value.
const (
	mostTexts   = 32
	mostSources = 32
	// mostKnown is the longest text that a variable or a pipe is followed with.
	mostKnown = 64 << 10
)

// literal is a value that is known.
func literal(s string) value { return value{texts: []text{{s, s}}} }

// open is a value that is not known and may be empty; firm one that is not
// known and not empty.
func open(written string) value { return value{texts: []text{{written, ""}}} }

func firm(written string) value { return value{texts: []text{{written, written}}} }

// known returns the text, if it is certain.
func (v *value) known() (string, bool) {
	if len(v.texts) != 1 || v.texts[0].as != v.texts[0].bare || unknown(v.texts[0].as) {
		return "", false
	}
	return v.texts[0].as, true
}

// or is a value that is one of two.
func (v *value) or(other value) value {
	both := *v
	both.texts = slices.Clone(v.texts)
	for _, t := range other.texts {
		if !slices.Contains(both.texts, t) && len(both.texts) < mostTexts {
			both.texts = append(both.texts, t)
		}
	}
	both.taint(&other)
	return both
}

// each changes all texts.
func (v *value) each(change func(string) string) value {
	changed := *v
	changed.texts = make([]text, len(v.texts))
	for i, t := range v.texts {
		if t.as != t.bare || unknown(t.as) {
			changed.texts[i] = t
			continue
		}
		s := change(t.as)
		changed.texts[i] = text{s, s}
	}
	return changed
}

// merge adds what is missing. It never changes a list that others have: nobody does,
// so that lists are shared.
func merge(list, more []string) []string {
	if len(list) == 0 && len(more) == 1 {
		return more[:1:1]
	}
	for _, s := range more {
		list = with(list, s)
	}
	return list
}

// with is merge for one text.
func with(list []string, s string) []string {
	if len(list) < mostSources && !slices.Contains(list, s) {
		list = append(slices.Clip(list), s)
	}
	return list
}

// taint gives a value what another one was made from.
func (v *value) taint(from *value) {
	v.sources, v.shows = merge(v.sources, from.sources), merge(v.shows, from.shows)
	if v.remote == "" {
		v.remote = from.remote
	}
	if v.hidden == "" {
		v.hidden = from.hidden
	}
	if v.about == "" {
		v.about = from.about
	}
	if v.made == nil {
		v.made = from.made
	}
}

// taintAbout gives a value what another one was looked for by, where that is the
// guard.
func (v *value) taintAbout(from *value) {
	if from.about == guardName {
		v.about = guardName
	}
}

// through is what a program makes of its input that passes on, in some form,
// what it reads.
func (f *flow) through(by string) flow {
	return flow{piped: true, sources: f.sources, shows: f.shows, remote: f.remote, hidden: f.hidden, by: by, about: f.about, own: f.own && by == "Out-String"}
}

// and adds what comes out of a command behind others.
func (f *flow) and(next flow) {
	f.each, next.each = nil, nil
	switch {
	case !f.piped:
		*f = next
		return
	case !next.piped:
		return
	}
	both := flow{
		piped: true, known: f.known && next.known, sources: merge(f.sources, next.sources), shows: merge(f.shows, next.shows),
		roots: merge(f.roots, next.roots), remote: f.remote, hidden: f.hidden, by: next.by,
	}
	if both.remote == "" {
		both.remote = next.remote
	}
	if both.hidden == "" {
		both.hidden = next.hidden
	}
	if both.known = both.known && len(f.text)+len(next.text) <= mostKnown; both.known {
		both.text = f.text + next.text
	}
	*f = both
}

// or adds what comes out of a command in the place of another that fails.
func (f *flow) or(next flow) {
	either := append(f.texts(), next.texts()...)
	if f.and(next); len(either) > 1 && len(either) <= mostTexts && f.known {
		f.either = either
	}
}

// texts are what it can be, nil if it is nothing or not known.
func (f *flow) texts() []string {
	switch {
	case !f.known || strings.TrimSpace(f.text) == "":
		return nil
	case f.either != nil:
		return f.either
	default:
		return []string{f.text}
	}
}

// isSecretName reports whether a variable's name says that it holds a secret.
func isSecretName(name string) bool {
	name = strings.ToUpper(name)
	for _, word := range []string{"SECRET", "TOKEN", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

package invocation

import (
	"slices"
	"strings"
)

// What a flow carries that is in no file.
const (
	Environment = "environment"
	Secret      = "secret"
	Database    = "database"
	Repository  = "repository"
)

// Text is one reading of a word or a variable.
type Text struct {
	// as is the text. Parts that are not known stand in it as they are
	// written: "$X/a".
	As string
	// bare is the same with all that may be empty left out: "/a". It is
	// the same text where nothing is.
	Bare string
}

// Value is what is known of a word or a variable.
type Value struct {
	// texts are what it can be, at least one.
	Texts []Text
	// sources are the files, and "environment" or "secret", whose contents
	// were put into it.
	Sources []string
	// shows are those of them that can be read from it, and variables with
	// secrets, as "$NAME".
	Shows []string
	// remote is the address that it was fetched from.
	Remote string
	// hidden names the program that decoded or made it, where its text is not
	// known.
	Hidden string
	// about is what was looked for to make it: grep X, pgrep X.
	About string
	// plain: it is a word as written, in which a dollar is a dollar.
	Plain bool
	// made is what can be read from it, where it is a file that the shell
	// makes of a command's output.
	Made *Flow
}

// Flow is what goes through a pipe or into a command.
type Flow struct {
	// piped: there is something, and it is not the terminal.
	Piped bool
	// known: text is all of it.
	Known bool
	Text  string
	// sources, shows, remote and hidden are as in value.
	Sources []string
	Shows   []string
	Remote  string
	Hidden  string
	// roots: it is a list of paths, one a line, as find and ls print it. They
	// stand for the paths.
	Roots []string
	// each is what every line stands for, as long as nothing has changed them:
	// pod/*, ./dist*.
	Each []string
	// by is the program that made it, about as in value.
	By, About string
	// own: it is what a program prints for shells about itself, as completions.
	Own bool
	// either are what it can be, where a command is for the case that another
	// fails: which python || which python3.
	Either []string
}

// IgnoredFiles stands, in parentheses, for the files of a project that git ignores.
const IgnoredFiles = "ignored"

// EveryProcess is what kill calls all processes. A list of all of them was looked for by it.
const EveryProcess = "-1"

// Limits of what is followed of one value.
const (
	MostTexts   = 32
	MostSources = 32
	// MostKnown is the longest text that a variable or a pipe is followed with.
	MostKnown = 64 << 10
)

// Literal is a value that is known.
func Literal(s string) Value { return Value{Texts: []Text{{s, s}}} }

// Open is a value that is not known and may be empty; firm one that is not
// known and not empty.
func Open(written string) Value { return Value{Texts: []Text{{written, ""}}} }

// Known returns the text, if it is certain.
func (v *Value) Known() (string, bool) {
	if len(v.Texts) != 1 || v.Texts[0].As != v.Texts[0].Bare || Unknown(v.Texts[0].As) {
		return "", false
	}
	return v.Texts[0].As, true
}

// Openness is how much of the value is not known, where it is one word.
func (v *Value) Openness() Openness {
	switch {
	case len(v.Texts) > 1:
		return AnyWords
	case v.Plain || v.Texts[0].As == v.Texts[0].Bare && !Unknown(v.Texts[0].As):
		return Whole
	default:
		return OneWord
	}
}

// Or is a value that is one of two.
func (v *Value) Or(other Value) Value {
	both := *v
	both.Texts = slices.Clone(v.Texts)
	for _, t := range other.Texts {
		if !slices.Contains(both.Texts, t) && len(both.Texts) < MostTexts {
			both.Texts = append(both.Texts, t)
		}
	}
	both.Taint(&other)
	return both
}

// Each changes all texts.
func (v *Value) Each(change func(string) string) Value {
	changed := *v
	changed.Texts = make([]Text, len(v.Texts))
	for i, t := range v.Texts {
		if t.As != t.Bare || Unknown(t.As) {
			changed.Texts[i] = t
			continue
		}
		s := change(t.As)
		changed.Texts[i] = Text{s, s}
	}
	return changed
}

// Merge adds what is missing. It never changes a list that others have: nobody does,
// so that lists are shared.
func Merge(list, more []string) []string {
	if len(list) == 0 { // which has none twice
		return slices.Clip(more[:min(len(more), MostSources)])
	}
	for _, s := range more {
		list = With(list, s)
	}
	return list
}

// With is merge for one text.
func With(list []string, s string) []string {
	if len(list) < MostSources && !slices.Contains(list, s) {
		list = append(slices.Clip(list), s)
	}
	return list
}

// Taint gives a value what another one was made from.
func (v *Value) Taint(from *Value) {
	v.Sources, v.Shows = Merge(v.Sources, from.Sources), Merge(v.Shows, from.Shows)
	if v.Remote == "" {
		v.Remote = from.Remote
	}
	if v.Hidden == "" {
		v.Hidden = from.Hidden
	}
	if v.About == "" {
		v.About = from.About
	}
	if v.Made == nil {
		v.Made = from.Made
	}
}

// TaintAbout gives a value what another one was looked for by, where that is the
// guard.
func (v *Value) TaintAbout(from *Value) {
	if from.About == GuardName {
		v.About = GuardName
	}
}

// Through is the output of a program that passes its input on in some form.
func (f *Flow) Through(by string) Flow {
	return Flow{Piped: true, Sources: f.Sources, Shows: f.Shows, Remote: f.Remote, Hidden: f.Hidden, By: by, About: f.About, Own: f.Own && by == "Out-String"}
}

// And adds what comes out of a command behind others.
func (f *Flow) And(next Flow) {
	f.Each, next.Each = nil, nil
	switch {
	case !f.Piped:
		*f = next
		return
	case !next.Piped:
		return
	}
	both := Flow{
		Piped: true, Known: f.Known && next.Known, Sources: Merge(f.Sources, next.Sources), Shows: Merge(f.Shows, next.Shows),
		Roots: Merge(f.Roots, next.Roots), Remote: f.Remote, Hidden: f.Hidden, By: next.By,
	}
	if both.Remote == "" {
		both.Remote = next.Remote
	}
	if both.Hidden == "" {
		both.Hidden = next.Hidden
	}
	if both.Known = both.Known && len(f.Text)+len(next.Text) <= MostKnown; both.Known {
		both.Text = f.Text + next.Text
	}
	*f = both
}

// Or adds the output of a command that runs if another one fails.
func (f *Flow) Or(next Flow) {
	either := append(f.texts(), next.texts()...)
	if f.And(next); len(either) > 1 && len(either) <= MostTexts && f.Known {
		f.Either = either
	}
}

// texts are the texts that it can be, nil if there are none or they are not known.
func (f *Flow) texts() []string {
	switch {
	case !f.Known || strings.TrimSpace(f.Text) == "":
		return nil
	case f.Either != nil:
		return f.Either
	default:
		return []string{f.Text}
	}
}

// IsSecretName reports whether a variable's name says that it holds a secret, by one of the words
// in it or by its last one, or the address of a store.
func IsSecretName(name string) bool {
	name = strings.ToUpper(name)
	switch last := name[strings.LastIndexByte(name, '_')+1:]; last {
	case "PASS", "PWD", "PAT", "PASSPHRASE", "PASSWD":
		return name != "PWD" && name != "OLD_PWD" && name != "PAT"
	}
	if IsConnectionName(name) {
		return true
	}
	for _, word := range []string{"SECRET", "TOKEN", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// IsConnectionName reports whether a variable's name says that it holds the
// address of a store, in which there is mostly a password.
func IsConnectionName(name string) bool {
	name = strings.ToUpper(name)
	if strings.Contains(name, "CONNECTION_STRING") || strings.HasSuffix(name, "_DSN") {
		return true
	}
	if !strings.HasSuffix(name, "_URL") && !strings.HasSuffix(name, "_URI") {
		return false
	}
	for _, store := range []string{"DATABASE", "DB_", "POSTGRES", "MYSQL", "MARIADB", "MONGO", "REDIS", "AMQP", "RABBITMQ", "CLOUDINARY", "JDBC"} {
		if strings.Contains(name, store) {
			return true
		}
	}
	return false
}

// Arg is an argument of a command, with what it was made from.
type Arg struct {
	As, Bare string
	Of       *Value // nil for a plain one
	Quoted   bool
	Wild     bool // a wildcard that is not in quotes stands in it
	Loose    bool // something unknown in it is not in quotes, so the shell splits it
}

// Value is the argument as a value.
func (a *Arg) Value() Value {
	v := Value{Texts: []Text{{a.As, a.Bare}}}
	if a.Of != nil {
		v.Taint(a.Of)
	}
	return v
}

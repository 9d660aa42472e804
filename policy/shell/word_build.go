package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// builder puts the readings of a word together.
type builder struct {
	r        *reader
	readings []reading
	value    invocation.Value
	expands  bool // there is something in it that stands for something else
}

// reading is one way to read a word: the arguments that are complete and the one
// that is being put together.
type reading struct {
	done    []invocation.Arg
	as      []byte
	bare    []byte
	started bool // there is an argument, if only an empty one in quotes
	quoted  bool
	loose   bool
	wild    bool
}

func (b *reading) end() []invocation.Arg {
	if b.started {
		b.done = append(b.done, invocation.Arg{As: string(b.as), Bare: string(b.bare), Quoted: b.quoted, Loose: b.loose, Wild: b.wild})
	}
	return b.done
}

func (b *reading) clone() reading {
	c := *b
	c.done, c.as, c.bare = slices.Clone(b.done), slices.Clone(b.as), slices.Clone(b.bare)
	return c
}

// text adds a text that is not split.
func (b *reading) text(t invocation.Text) {
	b.as, b.bare = append(b.as, t.As...), append(b.bare, t.Bare...)
	b.started = true
}

// split adds a text that the shell splits at blanks, as outside of quotes.
func (b *reading) split(t invocation.Text, blanks string) {
	if t.As != t.Bare || invocation.Unknown(t.As) {
		b.text(t)
		b.loose = true
		return
	}
	rest := t.As
	for rest != "" {
		n := strings.IndexAny(rest, blanks)
		if n < 0 {
			b.text(invocation.Text{As: rest, Bare: rest})
			return
		}
		if n > 0 {
			b.text(invocation.Text{As: rest[:n], Bare: rest[:n]})
		}
		if b.started {
			b.done = append(b.done, invocation.Arg{As: string(b.as), Bare: string(b.bare), Quoted: b.quoted, Loose: b.loose, Wild: b.wild})
			b.as, b.bare, b.started, b.quoted, b.loose, b.wild = b.as[:0], b.bare[:0], false, false, false, false
		}
		rest = rest[n+1:]
	}
}

// blanks are the characters at which the shell splits what it expands.
func (r *reader) blanks() string {
	if v, ok := r.Scope.Vars["IFS"]; ok {
		if s, known := v.Known(); known {
			return s
		}
	}
	return " \t\n"
}

// parts adds the parts of a word, or of what is in double quotes.
func (b *builder) parts(parts []syntax.WordPart, quoted bool) {
	for _, p := range parts {
		if b.r.Full {
			return
		}
		switch p := p.(type) {
		case *syntax.Lit:
			s := unescape(p.Value, quoted)
			for i := range b.readings {
				b.readings[i].text(invocation.Text{As: s, Bare: s})
				if s != p.Value {
					b.readings[i].quoted = true
				} else if !quoted && strings.ContainsAny(s, "*?[") {
					b.readings[i].wild = true
				}
			}
		case *syntax.SglQuoted:
			s := p.Value
			if p.Dollar {
				s = follow.Ansi(s)
			}
			for i := range b.readings {
				b.readings[i].text(invocation.Text{As: s, Bare: s})
				b.readings[i].quoted = true
			}
		case *syntax.DblQuoted:
			for i := range b.readings {
				b.readings[i].started = b.readings[i].started || !isList(p)
				b.readings[i].quoted = true
			}
			b.parts(p.Parts, true)
		default:
			b.expands = true
			if list, ok := b.r.list(p); ok {
				b.list(list, quoted)
				continue
			}
			v := b.r.part(p)
			b.value.Taint(&v)
			b.add(v, quoted)
		}
	}
}

// add adds what a part can be to each reading.
func (b *builder) add(v invocation.Value, quoted bool) {
	size := 0
	for i := range v.Texts {
		size += len(v.Texts[i].As)
	}
	if !b.r.Pay(4 * size) {
		return
	}
	if len(b.readings)*len(v.Texts) > follow.MostReadings {
		if len(b.readings) > 1 { // not every combination, but every text once
			b.spread(v, quoted)
			return
		}
	}
	before, blanks := b.readings, b.r.blanks()
	b.readings = make([]reading, 0, len(before)*len(v.Texts))
	for i := range before {
		for n, t := range v.Texts {
			to := &before[i]
			if n < len(v.Texts)-1 {
				c := before[i].clone()
				to = &c
			}
			if quoted {
				to.text(t)
			} else {
				to.split(t, blanks)
			}
			b.readings = append(b.readings, *to)
		}
	}
}

func (b *builder) spread(v invocation.Value, quoted bool) {
	b.r.Mark(invocation.Variable)
	for len(b.readings) < len(v.Texts) {
		b.readings = append(b.readings, b.readings[len(b.readings)%2].clone())
	}
	for i := range b.readings {
		if t := v.Texts[i%len(v.Texts)]; quoted {
			b.readings[i].text(t)
		} else {
			b.readings[i].split(t, b.r.blanks())
		}
	}
}

// list adds the elements of "$@" or "${a[@]}", each an argument of its own.
func (b *builder) list(list []invocation.Value, quoted bool) {
	for n, v := range list {
		if n > 0 {
			for i := range b.readings {
				b.readings[i].split(invocation.Text{As: " ", Bare: " "}, " ")
			}
		}
		b.value.Taint(&v)
		b.add(v, quoted)
	}
}

// isList reports whether quotes hold nothing but a list, of which nothing is
// left if it is empty.
func isList(p *syntax.DblQuoted) bool {
	if len(p.Parts) != 1 {
		return false
	}
	e, ok := p.Parts[0].(*syntax.ParamExp)
	return ok && isListName(e)
}

package witness

import (
	"slices"
	"strings"
)

// piece is a call that grows: what came of it so far, in every way to read it.
type piece struct {
	typ       string
	names     []string // as they came
	initial   string   // what it began with
	arguments []byte
	touched   bool // since it was checked last
	done      bool // its end was told, so that the next one is of another call
	place     string
}

// named takes in a name, or a piece of one.
func (p *piece) named(names ...string) {
	for _, name := range names {
		if name != "" {
			p.names = append(p.names, name)
			p.touched = true
		}
	}
}

// given takes in a piece of what the call is given.
func (p *piece) given(text string) {
	p.arguments = append(p.arguments, text...)
	p.touched = true
}

// readings are the names that clients have for the call: the first, the last, and
// all of them joined. A provider that repeats a name with each piece gives those that
// join them a name that nobody has, with or without Sluice.
func (p *piece) readings() []string {
	switch len(p.names) {
	case 0:
		if p.typ == "" {
			return []string{""}
		}
		return []string{nameOf("", p.typ)}
	case 1:
		return p.names
	}
	first, last := p.names[0], p.names[len(p.names)-1]
	if !slices.ContainsFunc(p.names, func(name string) bool { return name != first }) {
		return p.names[:1]
	}
	return []string{first, last, strings.Join(p.names, "")}
}

// told is what the call is given so far: where nothing came in pieces, what it
// began with.
func (p *piece) told() string {
	if len(p.arguments) > 0 {
		return string(p.arguments)
	}
	return p.initial
}

// check reports a reading of a call that is not one of an allowed call: of its
// beginning while it grows, of all of it when it has ended.
func (w *Witness) check(p *piece, ended bool) error {
	if p == nil || !p.touched && !ended {
		return nil
	}
	p.touched = false
	arguments := p.told()
	for _, name := range p.readings() {
		switch {
		case name == "": // nobody can run it, or it began before the witness was asked
		case ended && !w.allowed.is(name, arguments), !ended && !w.allowed.begins(name, arguments):
			return &UnjudgedError{Name: name, Place: p.place}
		}
	}
	return nil
}

// grown checks all that grew since the last time.
func (w *Witness) grown() error {
	for _, p := range w.pieces() {
		if err := w.check(p, false); err != nil {
			return err
		}
	}
	return nil
}

// ended checks all calls at the end of a message.
func (w *Witness) ended() error {
	for _, p := range w.pieces() {
		if err := w.check(p, true); err != nil {
			return err
		}
	}
	return nil
}

// pieces are all calls that grow.
func (w *Witness) pieces() []*piece {
	all := make([]*piece, 0, len(w.byPosition)+len(w.byChoice)+len(w.byIndex))
	for _, p := range w.byPosition {
		if p != nil {
			all = append(all, p)
		}
	}
	for _, p := range w.byChoice {
		all = append(all, p)
	}
	for _, p := range w.byIndex {
		if p != nil {
			all = append(all, p)
		}
	}
	for _, p := range w.byID {
		all = append(all, p)
	}
	return all
}

// grow hands a piece of what a call is given to every call that clients take it
// for.
func grow(text string, targets ...*piece) {
	var before *piece
	for _, p := range targets {
		if p != nil && p != before {
			p.given(text)
			before = p
		}
	}
}

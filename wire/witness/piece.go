package witness

import "strings"

// piece is a growing call: what has arrived of it, in all possible readings.
type piece struct {
	typ       string
	choice    int64  // of Chat
	initial   string // its initial value
	arguments []byte
	touched   bool // since the last check
	open      bool // its end was not checked since it was touched
	done      bool // it has ended, so the next piece belongs to another call
	place     string

	// The names so far: the first, how often it was repeated before a different one,
	// the last, and from the first different one on all of them joined.
	first, last string
	times       int
	joined      []byte
	// read are the readings of these names, nil after a new one arrived.
	read []reading
}

// reading is a name that clients may have for a call, and how much of the arguments was
// compared with those allowed under it.
type reading struct {
	name string
	of   *texts
	at   progress
}

// addName adds a name, or a piece of one.
func (p *piece) addName(names ...string) {
	for _, name := range names {
		switch {
		case name == "":
			continue
		case p.first == "":
			p.first = name
			p.times = 1
			p.read = nil
		case p.joined == nil && name == p.first:
			p.times++
		default:
			if p.joined == nil {
				p.joined = []byte(strings.Repeat(p.first, p.times))
			}
			p.joined = append(p.joined, name...)
			p.read = nil
		}
		p.last = name
	}
}

// addArguments adds a piece of the arguments.
func (p *piece) addArguments(text string) { p.arguments = append(p.arguments, text...) }

// readings are the names that clients may have for the call: the first, the last, and
// all of them joined. If a provider repeats the name with each piece, clients that join
// them get an unknown name, with or without Sluice.
func (p *piece) readings() []reading {
	switch {
	case p.read != nil:
	case p.first != "" && p.joined != nil:
		p.read = []reading{{name: p.first}, {name: p.last}, {name: string(p.joined)}}
	case p.first != "" || p.typ == "":
		p.read = []reading{{name: p.first}}
	default:
		p.read = []reading{{name: nameOf("", p.typ)}}
	}
	return p.read
}

// touch records that a call started or grew, so that it is checked.
func (w *Witness) touch(p *piece) {
	if !p.touched {
		p.touched = true
		w.touched = append(w.touched, p)
	}
	if !p.open {
		p.open = true
		if w.open == nil {
			w.open = make(map[int64][]*piece)
		}
		w.open[p.choice] = append(w.open[p.choice], p)
	}
}

// check reports a reading of a call that was not allowed: of its prefix while it grows,
// of all of it when it has ended. Allowed calls stay allowed, so a call that has not
// grown since is not checked again.
func (w *Witness) check(p *piece, ended bool) error {
	if p == nil || ended && !p.open || !ended && !p.touched {
		return nil
	}
	readings := p.readings()
	for i := range readings {
		// Without a name nobody can execute it, or it started before the witness was
		// enabled.
		if r := &readings[i]; r.name != "" && !w.allows(p, r, ended) {
			return &UnjudgedError{Name: r.name, Place: p.place}
		}
	}
	p.touched = false
	if ended {
		p.open = false
	}
	return nil
}

// allows reports whether a reading of a call, or of its prefix, was allowed. If nothing
// arrived in pieces, the initial value counts.
func (w *Witness) allows(p *piece, r *reading, ended bool) bool {
	if r.of == nil {
		if r.of = w.allowed.names[r.name]; r.of == nil {
			return false
		}
	}
	switch grew := len(p.arguments) > 0; {
	case grew && ended:
		return r.of.has(string(p.arguments))
	case grew:
		return r.of.hasPrefix(&r.at, p.arguments)
	case ended:
		return r.of.has(p.initial)
	}
	return r.of.hasPrefix(new(progress), []byte(p.initial))
}

// grown checks everything that grew since the last check.
func (w *Witness) grown() error {
	for i, p := range w.touched {
		if err := w.check(p, false); err != nil {
			w.touched = w.touched[i:]
			return err
		}
	}
	w.touched = w.touched[:0]
	return nil
}

// ended checks all calls of a choice at the end of a message.
func (w *Witness) ended(choice int64) error {
	open := w.open[choice]
	for i, p := range open {
		if err := w.check(p, true); err != nil {
			w.open[choice] = open[i:]
			return err
		}
	}
	if open != nil {
		w.open[choice] = open[:0]
	}
	return nil
}

// grow adds a piece of arguments to every call that clients may assign it to.
func (w *Witness) grow(text string, targets ...*piece) {
	if text == "" {
		return
	}
	var before *piece
	for _, p := range targets {
		if p != nil && p != before {
			p.addArguments(text)
			w.touch(p)
			before = p
		}
	}
}

package text

import (
	"sort"
	"unicode/utf8"
)

// origin maps a part of a stage's text to the part of the input that it comes
// from.
type origin struct {
	from, to   int // in the stage's text
	start, end int // in the input
	// replaced is true if the text was written by a rule. Otherwise it is the
	// input itself and both ranges have the same length.
	//
	// When a replacement is cut, its last part has the whole range and the
	// parts before it the empty range at its beginning.
	replaced bool
}

// receiver takes the output of a stage, in order. The text is the receiver's
// only during the call.
type receiver interface {
	receive(text []byte, start, end int, replaced bool)
}

// stage applies one rule to one text: it receives the output of the stage
// before it, finds matches, and passes on what is certain.
type stage struct {
	finder
	index int // of the rule
	to    receiver
	hits  *hits
	limit int

	// held is the text from base on that was not handed on yet; the finder has
	// read it up to pos, and what follows is an incomplete character. origins
	// covers it.
	held    queue[byte]
	base    int
	origins queue[origin]

	overrun bool
	scratch []byte
}

// receive takes more text of the stage. After an overrun it takes nothing.
func (s *stage) receive(text []byte, start, end int, replaced bool) {
	if s.overrun {
		return
	}
	from := s.base + s.held.size()
	s.held.push(text...)
	s.note(origin{from: from, to: from + len(text), start: start, end: end, replaced: replaced})
	if len(text) == 0 {
		s.overrun = !s.idle() && end-s.origin(s.undecided()) > s.limit
	}
	for s.pos < s.base+s.held.size() && !s.overrun {
		if s.idle() && s.skip() {
			continue
		}
		class, width := s.prog.alphabet.at(s.held.items[s.pos-s.base:], false)
		if width == 0 {
			break
		}
		s.eat(class, width)
	}
	s.flush()
}

// note remembers where the text comes from.
func (s *stage) note(o origin) {
	if n := s.origins.size(); n > 0 && !o.replaced {
		if last := &s.origins.items[n-1]; !last.replaced && last.end == o.start {
			last.to, last.end = o.to, o.end
			return
		}
	}
	s.origins.push(o)
}

// skip passes over ASCII characters with which no match can begin.
func (s *stage) skip() bool {
	rest := s.held.items[s.pos-s.base:]
	n := 0
	for n < len(rest) && rest[n] < utf8.RuneSelf {
		class := s.prog.alphabet.bytes[rest[n]]
		if len(s.rule.starts[s.before][class]) > 0 {
			break
		}
		s.before = s.prog.alphabet.kinds[class]
		n++
	}
	if n == 0 {
		return false
	}
	s.pos += n
	s.nextTurn()
	return true
}

// eat lets the finder read a character and checks the limit: in the stage's own
// text and, where earlier rules made that longer or shorter, in the input.
func (s *stage) eat(class uint16, width int) {
	s.step(class, width)
	if s.idle() {
		return
	}
	from := s.undecided()
	s.overrun = s.pos-from > s.limit
	if !s.overrun && s.origins.items[s.origins.size()-1].end-s.origins.items[0].start > s.limit {
		s.overrun = s.originEnd(s.pos)-s.origin(from) > s.limit
	}
}

// finish is called when no text follows. It passes on everything.
func (s *stage) finish() {
	for s.pos < s.base+s.held.size() && !s.overrun {
		s.eat(s.prog.alphabet.at(s.held.items[s.pos-s.base:], true))
	}
	if !s.overrun {
		s.end()
	}
	s.flush()
}

// flush passes on what is certain.
func (s *stage) flush() {
	if n := s.certain(); n > 0 {
		for i := range n {
			s.replace(i)
		}
		s.take(n)
	}
	s.pass(s.undecided())
	s.hits.closed = s.hits.closed || s.overrun
}

// pass hands the text before to on as it is.
func (s *stage) pass(to int) {
	for s.origins.size() > 0 && s.origins.items[0].from <= to {
		o := &s.origins.items[0]
		cut := min(o.to, to)
		text := s.held.items[:cut-s.base]
		whole := cut == o.to
		switch {
		case whole:
			s.to.receive(text, o.start, o.end, o.replaced)
		case cut == o.from:
			return
		case o.replaced:
			s.to.receive(text, o.start, o.start, true)
		default:
			s.to.receive(text, o.start, o.start+len(text), false)
		}
		s.drop(cut)
		if !whole {
			return
		}
	}
}

// replace passes on the replacement of the i-th match.
func (s *stage) replace(i int) {
	m := &s.found.items[i]
	s.pass(m.start)
	if s.rule.except != nil && s.rule.except.Match(s.held.items[m.start-s.base:m.end-s.base]) {
		return
	}
	var text []byte
	if s.rule.replace == nil {
		text = s.replacement(i)
	} else {
		var replaced bool
		if text, replaced = s.ask(i); !replaced {
			return
		}
		s.pass(m.start)
	}
	start := s.origins.items[0].start
	end := start
	for s.origins.size() > 0 && s.origins.items[0].from < m.end {
		o := &s.origins.items[0]
		cut := min(o.to, m.end)
		switch {
		case cut == o.to:
			end = o.end
		case o.replaced:
			end = o.start
		default:
			end = o.start + cut - o.from
		}
		s.drop(cut)
	}
	s.hits.add(Hit{Rule: s.index, Pattern: m.pattern, Start: m.start, End: m.end, InputStart: start, InputEnd: end})
	if len(text) > 0 || start < end {
		s.to.receive(text, start, end, true)
	}
}

// replacement is the text for the i-th found match, valid until the next call.
func (s *stage) replacement(i int) []byte {
	s.scratch = s.scratch[:0]
	if s.rule.groups == nil {
		s.scratch = append(s.scratch, s.rule.template...)
		return s.scratch
	}
	n := s.rule.slots
	groups := s.groups.items[i*n : (i+1)*n]
	for j := range groups {
		if groups[j] >= 0 {
			groups[j] -= s.base
		}
	}
	s.scratch = s.rule.groups[s.found.items[i].pattern].Expand(s.scratch, s.rule.template, s.held.items, groups)
	return s.scratch
}

// drop forgets the held text before cut, which is in the first origin or at
// its end.
func (s *stage) drop(cut int) {
	o := &s.origins.items[0]
	switch {
	case cut == o.to:
		s.origins.drop(1)
	case !o.replaced:
		o.start += cut - o.from
		o.from = cut
	default:
		o.from = cut
	}
	s.held.drop(cut - s.base)
	s.base = cut
}

// origin is the offset in the input of the text at pos.
func (s *stage) origin(pos int) int {
	i := sort.Search(s.origins.size(), func(i int) bool { return s.origins.items[i].to > pos })
	if i == s.origins.size() {
		return s.origins.items[i-1].end
	}
	if o := &s.origins.items[i]; !o.replaced {
		return o.start + pos - o.from
	}
	return s.origins.items[i].start
}

// originEnd is the end, in the input, of the text before pos.
func (s *stage) originEnd(pos int) int {
	i := sort.Search(s.origins.size(), func(i int) bool { return s.origins.items[i].to >= pos })
	if o := &s.origins.items[i]; !o.replaced {
		return o.start + pos - o.from
	}
	return s.origins.items[i].end
}

// resting reports that the stage holds nothing and that the next character will
// meet it as if before was the last one.
func (s *stage) resting(before kind) bool {
	return s.idle() && s.held.size() == 0 && s.origins.size() == 0 && s.before == before
}

// moveOn skips n bytes of text in which nothing matched and after which no
// match is in progress.
func (s *stage) moveOn(n int, before kind) {
	s.pos += n
	s.base += n
	s.before = before
	s.nextTurn()
}

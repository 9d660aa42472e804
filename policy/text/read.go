package text

import (
	"sync/atomic"
	"unicode/utf8"
)

// watch notices when a match has been in progress for so long that the limit may
// be reached: it checks the anchor at intervals of at most half the limit.
type watch struct {
	step     int
	from, at int
}

func (w *watch) start(limit int) {
	w.step = max(1, min(4096, (limit-utf8.UTFMax)/2))
	w.next(0)
}

func (w *watch) next(pos int) { w.from, w.at = pos, pos+w.step }

// read takes the input from pos on, as far as there are whole characters. data
// is the input from s.start on.
func (s *Stream) read(data []byte, atEnd bool) {
	for i := s.pos - s.start; i < len(data) && !s.overrun; {
		before, exact := i, s.exact
		switch {
		case !s.exact:
			i = s.readFast(data, i, atEnd)
		case s.blind > 0:
			i = s.readBlind(data, i)
		default:
			i = s.readExact(data, i, atEnd)
		}
		if i == before && exact == s.exact {
			return // an incomplete character
		}
	}
}

// readFast reads with the automaton alone, up to a match or the next look at the
// watch.
func (s *Stream) readFast(data []byte, i int, atEnd bool) int {
	end := min(len(data), s.watch.at-s.start)
	i, hit := s.scan(data, i, end, atEnd)
	switch {
	case hit || s.credit < 0:
		s.enter(data)
	case s.pos >= s.watch.at:
		if s.anchor <= s.watch.from {
			s.enter(data)
		} else {
			s.watch.next(s.pos)
		}
	}
	return i
}

// scan is the loop that reads clean text. It stops behind a character that makes
// a match.
func (s *Stream) scan(data []byte, i, end int, atEnd bool) (_ int, hit bool) {
	alphabet, idle := s.chain.prog.alphabet, s.chain.auto.idle
	begin, rest := i, -1
	row := s.row
	several := len(s.chain.prog.rules) > 1
	for !hit && s.credit >= 0 {
		i, row, rest = glide(s.table.cells, &alphabet.bytes, data[:end], i, row, idle, rest)
		if i == end {
			break
		}
		// A longer character, a step that is not known yet, or a match.
		class, width := alphabet.at(data[i:], atEnd)
		if width == 0 {
			break
		}
		cell := atomic.LoadUint32(&s.table.cells[row+uint32(class)])
		if cell == 0 {
			cell = s.missed(row, class)
		}
		hit = cell >= cellHit
		row = cell &^ cellHit
		// A stray byte may become part of a character for a later rule, when an
		// earlier one deletes what is between them.
		stray := several && width == 1 && data[i] >= utf8.RuneSelf
		i += width
		if row <= idle && !hit && !stray {
			rest = i
		}
		end = max(end, i)
	}
	s.row = row
	s.pos = s.start + i
	s.earn(i - begin)
	if rest >= 0 {
		s.anchor = s.start + rest
	}
	return i, hit
}

// glide reads ASCII characters as long as every step is known and makes no
// match. It returns where it stopped, and the last position with no match in
// progress, if any. Nearly all text is read here.
func glide(cells []uint32, classes *[256]uint16, data []byte, i int, row, idle uint32, rest int) (int, uint32, int) {
	for i < len(data) {
		cell := atomic.LoadUint32(&cells[row+uint32(classes[data[i]])])
		if cell-1 >= cellHit-1 { // 0 or with cellHit
			break
		}
		row = cell
		i++
		if row <= idle {
			rest = i
		}
	}
	return i, row, rest
}

// holdsJustEnough reports that the stages would hold back no less than the text
// from the anchor on: a match that begins there is still in progress.
func (s *Stream) holdsJustEnough(data []byte) bool {
	if s.pos-s.anchor > min(s.chain.tune.patience, s.opts.Limit) {
		return false
	}
	auto, t := s.chain.auto, s.table
	row := auto.rest(here, s.kindBefore(data, s.anchor))
	held := data[s.anchor-s.start : s.pos-s.start]
	for i := 0; i < len(held); {
		class, width := s.chain.prog.alphabet.at(held[i:], true)
		cell := atomic.LoadUint32(&t.cells[row+uint32(class)])
		if cell == 0 {
			s.credit -= missPrice
			t, cell = auto.step(t, row, class)
			if t.generation == s.table.generation {
				s.table = t
			}
		}
		if row = cell &^ cellHit; auto.dead(row) {
			return false
		}
		i += width
	}
	return true
}

// missed takes a step that the table does not know.
func (s *Stream) missed(row uint32, class uint16) (cell uint32) {
	s.credit -= missPrice
	s.table, cell = s.chain.auto.step(s.table, row, class)
	return cell
}

// earn credits bytes that the automaton has read.
func (s *Stream) earn(n int) { s.credit = min(s.chain.tune.credit, s.credit+n) }

// readExact reads with the automaton up to a position where no match is in
// progress and lets the stages follow. If they are idle there as well, the
// automaton continues alone.
func (s *Stream) readExact(data []byte, i int, atEnd bool) int {
	auto := s.chain.auto
	enough, end := i+s.batch, min(len(data), i+2*maxBatch)
	j := i
	for j < end && (s.row > auto.idle || j < enough) {
		class, width := s.chain.prog.alphabet.at(data[j:], atEnd)
		if width == 0 {
			break
		}
		cell := atomic.LoadUint32(&s.table.cells[s.row+uint32(class)])
		if cell == 0 {
			cell = s.missed(s.row, class)
		}
		s.row = cell &^ cellHit
		j += width
	}
	if j == i {
		return i
	}
	s.earn(j - i)
	s.pos = s.start + j
	s.feed(data[i:j])
	switch {
	case s.overrun:
	case s.credit < 0:
		s.blind = s.pos + s.chain.tune.blind
	case s.row <= auto.idle && s.atRest(data):
		s.leave()
	default:
		s.batch = min(2*s.batch, maxBatch)
	}
	return j
}

// readBlind reads with the stages alone.
func (s *Stream) readBlind(data []byte, i int) int {
	n := 1
	if s.pos < s.blind {
		n = maxBatch
	}
	j := min(len(data), i+n)
	s.pos = s.start + j
	s.feed(data[i:j])
	if !s.overrun && s.pos >= s.blind && s.atRest(data) {
		s.table = s.chain.auto.current.Load()
		s.row = s.chain.auto.rest(anywhere, s.kindBefore(data, s.pos))
		s.blind = 0
		s.credit = s.chain.tune.credit
		s.leave()
	}
	return j
}

// kindBefore is the kind of the character before an offset of the input.
func (s *Stream) kindBefore(data []byte, offset int) kind {
	if offset == s.start {
		return s.last
	}
	return kindOf(data[offset-s.start-1])
}

// keep copies what may be needed again, because the caller keeps the rest.
func (s *Stream) keep(data []byte) {
	from := s.anchor
	if s.exact {
		from = s.pos
	}
	s.last = s.kindBefore(data, from)
	rest := data[from-s.start:]
	s.start = from
	if cap(s.buf) > roomy && len(rest) < roomy {
		s.buf = nil
	}
	s.buf = append(s.buf[:0], rest...)
}

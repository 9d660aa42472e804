package text

// Match is what [Rule.Replace] is asked about.
type Match struct {
	// Pattern is the position of the pattern in the rule, from 0.
	Pattern int
	// Text is the whole match, and Text[Start:End] the part of it that would be
	// replaced: the first group of the pattern that took part, or all of it where
	// there is none. Text is valid during the call only and must not be changed.
	Text       []byte
	Start, End int
}

// Part is the part of the match that would be replaced.
func (m Match) Part() []byte { return m.Text[m.Start:m.End] }

// ask lets the rule decide about the i-th found match, which it narrows to the
// part that is replaced. It reports false if the match is left as it is; the
// text is valid until the next call.
func (s *stage) ask(i int) (text []byte, replaced bool) {
	m := &s.found.items[i]
	start, end := m.start, m.end
	n := s.rule.slots
	for g := i*n + 2; g < (i+1)*n; g += 2 {
		if from, to := s.groups.items[g], s.groups.items[g+1]; from >= 0 && to >= 0 {
			start, end = from, to
			break
		}
	}
	if start == end {
		return nil, false
	}
	with, replaced := s.rule.replace(Match{
		Pattern: m.pattern, Text: s.held.items[m.start-s.base : m.end-s.base : m.end-s.base],
		Start: start - m.start, End: end - m.start,
	})
	if !replaced {
		return nil, false
	}
	m.start, m.end = start, end
	s.scratch = append(s.scratch[:0], with...)
	return s.scratch, true
}

package text

// DefaultLimit is the default of StreamOptions.Limit.
const DefaultLimit = 1 << 20

// StreamOptions configure a stream. The zero value is useful.
type StreamOptions struct {
	// Limit is how many bytes a possible match of a rule may stay undecided,
	// counted in the text that the rule sees and in the input that this text
	// comes from: a match that is longer and still not certain overruns the
	// stream. DefaultLimit if 0 or less.
	Limit int
	// Notice replaces once what is withheld after an overrun.
	Notice string
}

// Stream is one text passing through a chain. It is made by [Chain.NewStream],
// and not safe for concurrent use.
type Stream struct {
	chain *Chain
	opts  StreamOptions

	// buf is the input from offset start on that may be needed again: from the
	// anchor on, or what is left of an incomplete character.
	buf   []byte
	start int
	last  kind // of the character before start

	// The automaton has read the input up to pos and is in a row of the table.
	// No match was in progress at anchor.
	table  *table
	row    uint32
	pos    int
	anchor int
	watch  watch
	credit int // see missed
	blind  int // the automaton is left alone up to here; 0 if it is not

	// exact is true while the stages read along, from the anchor on.
	exact  bool
	stages []*stage
	fed    int  // the end of the input that the stages have read
	batch  int  // how much they read at least before they may rest
	fan    bool // every stage reads the input itself

	out      collector
	hits     hits
	total    int
	overrun  bool
	withheld int // where the overrun text begins
	ended    bool
	scratch  []byte
}

// NewStream starts a text.
func (c *Chain) NewStream(opts StreamOptions) *Stream { return c.newStream(opts, false) }

func (c *Chain) newStream(opts StreamOptions, fan bool) *Stream {
	if opts.Limit <= 0 {
		opts.Limit = DefaultLimit
	}
	s := &Stream{chain: c, opts: opts, fan: fan, table: c.auto.current.Load(), row: c.auto.rest(anywhere, edge), last: edge, credit: c.tune.credit}
	s.watch.start(opts.Limit)
	return s
}

// Write processes the next piece of the text. It reports whether all text so far
// is settled and unchanged: then everything may leave as it arrived. The stream
// does not keep the piece. After End it is ignored.
func (s *Stream) Write(piece []byte) (clean bool) {
	if s.ended {
		return false
	}
	s.total += len(piece)
	if s.overrun {
		s.out.withhold(s.total, "")
		return false
	}
	for len(s.buf) > 0 && len(piece) > splice {
		s.write(piece[:splice])
		piece = piece[splice:]
	}
	s.write(piece)
	return s.out.end == s.total && !s.out.changed
}

func (s *Stream) write(piece []byte) {
	if s.overrun {
		return
	}
	data := piece
	if len(s.buf) > 0 {
		s.buf = append(s.buf, piece...)
		data = s.buf
	}
	s.read(data, false)
	if !s.exact {
		s.out.unchanged(s.anchor)
		if !s.holdsJustEnough(data) {
			s.enter(data)
		}
	}
	if s.overrun {
		s.buf = nil
		return
	}
	s.keep(data)
}

// WriteString is Write for a string.
func (s *Stream) WriteString(piece string) (clean bool) {
	s.scratch = append(s.scratch[:0], piece...)
	clean = s.Write(s.scratch)
	if cap(s.scratch) > roomy {
		s.scratch = nil
	}
	return clean
}

// End says that the text is complete: everything is settled.
func (s *Stream) End() {
	if s.ended {
		return
	}
	s.ended = true
	if s.overrun {
		return
	}
	s.read(s.buf, true)
	if !s.exact && s.chain.auto.endsInMatch(s.table, s.row) {
		s.enter(s.buf)
	}
	if s.exact && !s.overrun {
		s.finish()
	}
	if !s.overrun {
		s.out.unchanged(s.total)
	}
	s.buf, s.scratch = nil, nil
	s.dismissStages()
}

// Settled is the input offset up to which the result is final and can be taken.
// It never decreases.
func (s *Stream) Settled() int { return s.out.end }

// Pieces returns the output that was settled since the last call. The result is
// valid until the next call of a method of the stream.
func (s *Stream) Pieces() []Piece {
	pieces := s.out.pieces
	s.out.pieces = pieces[:0]
	s.out.changed = false
	return pieces
}

// Hits returns the matches that became certain since the last call, in the
// order in which they did. The result is valid until the next call of a method of the
// stream.
func (s *Stream) Hits() []Hit {
	found := s.hits.list
	s.hits.list = found[:0]
	return found
}

// Overrun reports that text stayed undecided beyond the limit, and the input
// offset from which on everything is withheld.
func (s *Stream) Overrun() (from int, overrun bool) { return s.withheld, s.overrun }

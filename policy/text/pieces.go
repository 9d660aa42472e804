package text

// Piece is a part of the output together with the part of the input that it
// replaces or repeats. The pieces of a stream are adjacent: each begins where
// the one before it ended.
type Piece struct {
	// Start and End are offsets in the input; End is greater than Start.
	Start, End int
	// Replaced is true if Text replaces the range. Otherwise the range is
	// unchanged.
	Replaced bool
	// Text is the new text of a replaced piece. It is empty if the range was
	// deleted.
	Text string
}

// Hit is a match that was found, or the part of it that [Rule.Replace] replaced.
type Hit struct {
	// Rule and Pattern are positions, from 0, in the chain and in the rule.
	Rule, Pattern int
	// Start and End are offsets in the text that the rule saw: for the first
	// rule and for [Chain.Find] the input, for others the output of the rule
	// before.
	Start, End int
	// InputStart and InputEnd are the part of the input that the match stems
	// from. It is empty if the match is inside a text that an earlier rule
	// wrote: the piece that starts there has that text's range.
	InputStart, InputEnd int
}

// hits collects matches. Once a stage has overrun it is closed: how far other
// stages have read ahead of that must not show.
type hits struct {
	list   []Hit
	closed bool
}

func (h *hits) add(hit Hit) {
	if !h.closed {
		h.list = append(h.list, hit)
	}
}

// collector receives the output of the last stage.
type collector struct {
	pieces []Piece
	end    int // the end of the last piece
	// changed is true if a replaced piece was added since the pieces were taken.
	changed bool
	// partial is the beginning of a replacement whose last part, which has the
	// range, is still to come.
	partial []byte
}

// receive takes a part of the output.
func (c *collector) receive(text []byte, start, end int, replaced bool) {
	switch {
	case !replaced:
		c.unchanged(end)
	case start == end:
		c.partial = append(c.partial, text...)
	default:
		c.partial = append(c.partial, text...)
		c.pieces = append(c.pieces, Piece{Start: c.end, End: end, Replaced: true, Text: string(c.partial)})
		c.partial = c.partial[:0]
		c.end = end
		c.changed = true
	}
}

// unchanged takes the input up to end as it is.
func (c *collector) unchanged(end int) {
	if end <= c.end {
		return
	}
	if n := len(c.pieces); n > 0 && !c.pieces[n-1].Replaced {
		c.pieces[n-1].End = end
	} else {
		c.pieces = append(c.pieces, Piece{Start: c.end, End: end})
	}
	c.end = end
}

// withhold replaces the input up to end by a text.
func (c *collector) withhold(end int, text string) {
	if end > c.end {
		c.partial = append(c.partial[:0], text...)
		c.receive(nil, c.end, end, true)
	}
}

// unread is the receiver of stages that only look.
type unread struct{}

func (unread) receive([]byte, int, int, bool) {}

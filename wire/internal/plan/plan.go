package plan

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Plan is the plan of one client response. The zero value passes the stream on
// unchanged. It must not be copied after first use.
type Plan struct {
	// Edited is true from the first edit on: from then a writer must process each chunk
	// instead of passing its bytes on.
	Edited bool

	choices []*Choice
	next    int

	// only is the choice of answers that have a single one. It is inline, and so are
	// its first blocks.
	only struct {
		choice  Choice
		choices [1]*Choice
		entries [few]*Entry
		spare   [few]Entry
	}
}

// few is the number of blocks that most answers do not exceed.
const few = 4

// Choice is the plan of one choice.
type Choice struct {
	Number int
	// Waiting are blocks to be inserted at the next valid position.
	Waiting []llm.Block
	// Calls counts the client tool calls that were sent.
	Calls int
	// Blocks counts the blocks that were sent.
	Blocks int
	// Changed is true when blocks were added or removed, so that the finish must be
	// derived from the remaining ones.
	Changed bool
	// Finished is true when the choice's finish was sent.
	Finished bool

	entries []*Entry
	spare   []Entry // allocated, not in use
	// ahead are the positions of replaced calls whose texts may have to be sent before
	// them.
	ahead []int
}

// Sent says how much of a block was sent.
type Sent uint8

// The stages of sending a block.
const (
	Nothing Sent = iota
	Begun
	Ended
)

// Entry is the plan of one upstream block.
type Entry struct {
	Kind llm.Kind
	// Replaced is true when With is written instead of the block; nothing, if With is
	// empty.
	Replaced bool
	With     []llm.Block
	Sent     Sent
	// Offset is how much of its body was sent.
	Offset int
	// Edited is true when its text differs from the upstream's.
	Edited bool
	// Out is for the writer: the number it assigned to the block, -1 before.
	Out int
	// ID is for the writer: the id it assigned to the block, empty before.
	ID string
}

// Choice returns the plan of the choice with the provider's number n.
func (p *Plan) Choice(n int) *Choice {
	for _, c := range p.choices {
		if c.Number == n {
			return c
		}
	}
	c := &p.only.choice
	if p.choices == nil {
		p.choices = p.only.choices[:0]
		c.entries, c.spare = p.only.entries[:0], p.only.spare[:]
	} else {
		c = new(Choice)
	}
	c.Number = n
	p.choices = append(p.choices, c)
	return c
}

// Choices returns the plans of all choices seen so far.
func (p *Plan) Choices() []*Choice { return p.choices }

// Entry returns the plan of the block at a position.
func (c *Choice) Entry(block int) *Entry {
	for len(c.entries) <= block {
		if c.entries == nil {
			c.entries = make([]*Entry, 0, few)
		}
		if len(c.spare) == 0 {
			c.spare = make([]Entry, min(max(1, len(c.entries)), 4*few))
		}
		e := &c.spare[0]
		c.spare = c.spare[1:]
		e.Out = -1
		c.entries = append(c.entries, e)
	}
	return c.entries[block]
}

// Entries returns the plans of the blocks seen so far, by position.
func (c *Choice) Entries() []*Entry { return c.entries }

// maxBlock bounds the positions that Replace accepts, so that a wrong number cannot
// grow the plan without limit.
const maxBlock = 1 << 20

// Replace sets what is written instead of a block. See stream.Writer.
func (p *Plan) Replace(at stream.At, with []llm.Block) error {
	if at.Block < 0 || at.Block > maxBlock {
		return stream.ErrNotWritable
	}
	c := p.Choice(at.Choice)
	if at.Block < len(c.entries) && c.entries[at.Block].Sent != Nothing {
		return stream.ErrAlreadySent
	}
	if c.Finished {
		return stream.ErrTooLate
	}
	e := c.Entry(at.Block)
	if at.Kind != 0 {
		e.Kind = at.Kind
	}
	e.Replaced, e.With = true, slices.Clone(with)
	if e.Kind == llm.ToolCall {
		c.ahead = append(c.ahead, at.Block)
	}
	c.Changed = true
	p.Edited = true
	return nil
}

// Ahead removes and returns the texts that replace calls of which nothing has arrived
// yet. They go before the first remaining call; calls that replace calls keep their
// position. A writer asks for them when it is about to write a call.
func (c *Choice) Ahead() []llm.Block {
	var texts []llm.Block
	for _, block := range c.ahead {
		e := c.entries[block]
		var calls []llm.Block
		for _, b := range e.With {
			if b.Kind == llm.ToolCall {
				calls = append(calls, b)
			} else {
				texts = append(texts, b)
			}
		}
		e.With = calls
	}
	c.ahead = c.ahead[:0]
	return texts
}

// Observe checks whether c is the next chunk of its answer. A dropped, repeated or
// reordered chunk is an edit, and so is one with edited texts.
func (p *Plan) Observe(c *stream.Chunk) {
	if c.Seq != p.next || c.Edited {
		p.Edited = true
	}
	if c.Seq >= p.next {
		p.next = c.Seq + 1
	}
}

// Continue drops the blocks of the first upstream answer: the next chunk is the first
// of another one. Counts and insertions stay.
func (p *Plan) Continue() {
	p.Edited = true
	p.next = 0
	for _, c := range p.choices {
		c.entries, c.ahead = nil, nil
		c.Changed = true
	}
}

// Step is what a writer does with an event.
type Step uint8

// The steps.
const (
	// Pass: write the event.
	Pass Step = iota
	// Open: the caller dropped the start of the block; write a start and then the
	// event. Only for text blocks.
	Open
	// Skip: the event belongs to a block that is not sent, was sent before, or was
	// edited to nothing.
	Skip
	// Gap: a part of a block that must be whole was dropped. The answer must fail.
	Gap
)

// Track records that an event of a block (start, delta, whole, hint, end) is about to
// be written and says how. Replaced blocks are Skip: the writer puts their replacement
// at the position of their start.
func (p *Plan) Track(ev *stream.Event) (*Entry, Step) {
	if ev.Block < 0 {
		return &Entry{Out: -1}, Skip // of no block
	}
	c := p.Choice(ev.Choice)
	e := c.Entry(ev.Block)
	if ev.Kind != 0 {
		e.Kind = ev.Kind
	}
	if ev.Edited {
		e.Edited = true
	}
	if e.Replaced {
		return e, Skip
	}
	switch ev.Type {
	case stream.EventStart:
		if e.Sent != Nothing {
			return e, Skip
		}
		e.begin(c)
		return e, Pass
	case stream.EventDelta:
		step := e.delta(c, ev)
		return e, step
	case stream.EventEnd:
		switch e.Sent {
		case Begun:
			e.Sent = Ended
			return e, Pass
		case Nothing, Ended:
		}
		return e, Skip
	default:
	}
	if e.Sent == Nothing {
		return e, Skip
	}
	return e, Pass
}

func (e *Entry) begin(c *Choice) {
	e.Sent = Begun
	c.Blocks++
	if e.Kind == llm.ToolCall {
		c.Calls++
	}
}

func (e *Entry) delta(c *Choice, ev *stream.Event) Step {
	if ev.Edited && len(ev.Data) == 0 {
		return Skip // nothing of it remains
	}
	text := e.Kind == llm.Content || e.Kind == llm.Refusal
	switch e.Sent {
	case Ended:
		return Skip
	case Nothing:
		if !text || ev.Field != stream.Body {
			// Its start was dropped, so the whole block is.
			e.Replaced, e.With = true, nil
			c.Changed = true
			return Skip
		}
		e.begin(c)
		e.Offset = ev.Offset + len(ev.Data)
		return Open
	case Begun:
	}
	if ev.Field != stream.Body {
		return Pass
	}
	switch {
	case ev.Offset == e.Offset:
	case text && ev.Offset > e.Offset:
	case text:
		return Skip
	case ev.Offset < e.Offset && ev.Offset+len(ev.Data) <= e.Offset:
		return Skip
	default:
		return Gap
	}
	e.Offset = ev.Offset + len(ev.Data)
	return Pass
}

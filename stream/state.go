package stream

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// State is what has arrived of one answer. Apply updates it chunk by chunk, and it can
// be read in between; it is not safe for concurrent use.
//
// Blocks, Current and FinishReason refer to the first choice, which is the only one in
// most answers; Choice returns the others. Completed and Hinted cover all choices.
type State struct {
	limits    Limits
	choices   []*Choice
	completed []*Block
	hinted    []*Block
	id, model string
	usage     llm.Usage
	usageRaw  []byte // backs usage.Raw, reused
	hasUsage  bool
	err       *ProviderError
	done      bool
	blocks    int
	bytes     int
	enough    int     // number of bytes after which Apply takes the slow path
	spare     []Block // allocated, not in use

	// Inline storage for what nearly every answer needs: one choice and a few blocks,
	// which then need no allocation.
	only struct {
		choice    Choice
		choices   [1]*Choice
		blocks    [few]*Block
		completed [few]*Block
		hinted    [few]*Block
		made      [1]Block
	}
	// group holds the blocks after the first, nil until one is needed. Its memory is
	// reused when the processor is reset.
	group *[few - 1]Block
}

// few is the number of blocks that most answers do not exceed.
const few = 4

// NewState returns an empty state.
func NewState(limits Limits) *State {
	s := new(State)
	s.init(limits)
	return s
}

func (s *State) init(limits Limits) {
	s.limits = limits.withDefaults()
	if s.enough = s.limits.Bytes; s.limits.Texts > 0 {
		s.enough = min(s.enough, s.limits.Texts)
	}
	s.choices = s.only.choices[:0]
	s.completed, s.hinted = s.only.completed[:0], s.only.hinted[:0]
	s.spare = s.only.made[:]
}

// Choice is the state of one alternative of an answer.
type Choice struct {
	index    int
	blocks   []*Block
	current  *Block
	open     int
	finished bool
	inferred bool
	word     string
	reason   llm.FinishReason
}

var noChoice Choice

// Choice returns the state of the choice with the provider's number i. For a choice
// that has not started it is empty, not nil.
func (s *State) Choice(i int) *Choice {
	for _, c := range s.choices {
		if c.index == i {
			return c
		}
	}
	return &noChoice
}

// Choices returns the choices in the order in which they appeared. The caller must not
// change the slice.
func (s *State) Choices() []*Choice { return s.choices }

func (s *State) first() *Choice {
	if len(s.choices) == 0 {
		return &noChoice
	}
	return s.choices[0]
}

// Blocks returns the blocks of the first choice in the order in which they started. The
// caller must not change the slice.
func (s *State) Blocks() []*Block { return s.first().blocks }

// Current returns the block of the first choice that was updated last, nil if there is
// none or it has ended.
func (s *State) Current() *Block { return s.first().Current() }

// Text returns the text of the first choice so far: all its content, without
// thinking, refusals and calls.
func (s *State) Text() string { return s.first().Text() }

// Calls returns the tool calls of the first choice so far, ended or not, in the order
// in which they started.
func (s *State) Calls() []*Block { return s.first().Calls() }

// Completed returns the blocks whose end the last chunk proved, in the order in which
// they ended. One chunk can end several. It is valid until the next Apply.
func (s *State) Completed() []*Block { return s.completed }

// Hinted returns the blocks that seem to have ended with the last chunk, without proof.
// It is valid until the next Apply.
func (s *State) Hinted() []*Block { return s.hinted }

// FinishReason is the provider's finish reason of the first choice, empty until it sent
// one.
func (s *State) FinishReason() string { return s.first().word }

// Finished reports whether every choice that started has finished.
func (s *State) Finished() bool {
	for _, c := range s.choices {
		if !c.finished {
			return false
		}
	}
	return len(s.choices) > 0
}

// ID is the provider's id of the answer.
func (s *State) ID() string { return s.id }

// Model is the model that answered, as the provider names it.
func (s *State) Model() string { return s.model }

// Usage is the last usage the provider reported and whether it reported any.
// Its Raw must not be changed and is valid until the next Apply.
func (s *State) Usage() (llm.Usage, bool) { return s.usage, s.hasUsage }

// Err is the error that the provider reported inside the stream, or nil.
func (s *State) Err() *ProviderError { return s.err }

// Complete reports whether the answer ended without an error.
func (s *State) Complete() bool { return s.done && s.err == nil }

// Response returns a copy of the answer so far that owns its data.
func (s *State) Response() llm.Response {
	r := llm.Response{ID: s.id, Model: s.model, Usage: s.usage}
	r.Usage.Raw = slices.Clone(s.usage.Raw)
	for _, c := range s.choices {
		choice := llm.Choice{Index: c.index, FinishReason: c.word}
		for _, b := range c.blocks {
			choice.Blocks = append(choice.Blocks, b.Value())
		}
		r.Choices = append(r.Choices, choice)
	}
	return r
}

// Index is the provider's number of the choice.
func (c *Choice) Index() int { return c.index }

// Blocks returns the choice's blocks in the order in which they started.
func (c *Choice) Blocks() []*Block { return c.blocks }

// Text returns the choice's content so far. It does not allocate if that is one block.
func (c *Choice) Text() string {
	only := ""
	var all strings.Builder
	for _, b := range c.blocks {
		switch text := b.Text(); {
		case b.kind != llm.Content || text == "":
		case only == "" && all.Len() == 0:
			only = text
		default:
			all.WriteString(only)
			all.WriteString(text)
			only = ""
		}
	}
	if all.Len() == 0 {
		return only
	}
	return all.String()
}

// Calls returns the choice's tool calls so far, in the order in which they started.
func (c *Choice) Calls() []*Block {
	var calls []*Block
	for _, b := range c.blocks {
		if b.kind == llm.ToolCall {
			calls = append(calls, b)
		}
	}
	return calls
}

// Current returns the block that was updated last, nil if it has ended.
func (c *Choice) Current() *Block {
	if c.current == nil || c.current.status != llm.Open {
		return nil
	}
	return c.current
}

// Finished reports whether the choice has finished.
func (c *Choice) Finished() bool { return c.finished }

// FinishReason is the provider's finish reason, empty if it sent none.
func (c *Choice) FinishReason() string { return c.word }

// Finish is the meaning of the provider's finish reason.
func (c *Choice) Finish() llm.FinishReason { return c.reason }

// Inferred reports whether the provider sent no finish reason and it was inferred from
// the blocks.
func (c *Choice) Inferred() bool { return c.inferred }

// Apply updates the state with one chunk. After an error the state can still be read,
// but Apply must not be called again.
func (s *State) Apply(c *Chunk) error {
	s.completed = s.completed[:0]
	s.hinted = s.hinted[:0]
	for i := range c.Events {
		ev := &c.Events[i]
		if ev.Type == EventDelta && ev.Field == Body {
			// The fast path: nearly every event is one of these.
			if choice := s.Choice(ev.Choice); uint(ev.Block) < uint(len(choice.blocks)) {
				if b := choice.blocks[ev.Block]; b.status == llm.Open && len(b.name) <= maxWord && len(b.id) <= maxWord {
					if choice.current != b {
						choice.current = b
					}
					b.hinted = false
					b.body.append(ev.Data)
					if s.bytes += len(ev.Data); s.bytes <= s.enough {
						continue
					}
					if err := s.count(0); err != nil {
						return err
					}
					b.discardText()
					continue
				}
			}
		}
		if err := s.apply(c, ev); err != nil {
			return err
		}
	}
	for i := range c.Citations {
		if err := s.cite(&c.Citations[i]); err != nil {
			return err
		}
	}
	return nil
}

// Cut ends a truncated answer: every open block becomes incomplete.
func (s *State) Cut() {
	s.completed = s.completed[:0]
	s.hinted = s.hinted[:0]
	s.interrupt()
}

func (s *State) apply(c *Chunk, ev *Event) error {
	switch ev.Type {
	case EventDelta, EventWhole, EventHint, EventEnd:
		b, err := s.block(c, ev)
		if err != nil {
			return err
		}
		return s.grow(c, b, ev)
	case EventStart:
		return s.start(c, ev)
	case EventFinish:
		return s.finish(ev)
	case EventMeta:
		if s.id == "" {
			s.id = ev.ID
		}
		if s.model == "" {
			s.model = ev.Name
		}
	case EventUsage:
		s.hasUsage = true
		s.usageRaw = append(s.usageRaw[:0], ev.Usage.Raw...)
		s.usage = *ev.Usage
		s.usage.Raw = s.usageRaw
	case EventError:
		if s.err == nil {
			e := *ev.Err
			e.Raw = slices.Clone(e.Raw)
			s.err = &e
			s.interrupt()
		}
	case EventDone:
		s.done = true
	case EventCitation:
		return s.cite(ev)
	case EventPing, EventUnknown:
	}
	return nil
}

// interrupt marks open blocks as incomplete, without reporting them as completed.
func (s *State) interrupt() {
	for _, c := range s.choices {
		for _, b := range c.blocks {
			if b.status == llm.Open {
				b.end(llm.Incomplete)
			}
		}
		c.open = 0
	}
}

func (s *State) choice(i int) (*Choice, error) {
	for _, c := range s.choices {
		if c.index == i {
			return c, nil
		}
	}
	if len(s.choices) >= s.limits.Choices {
		return nil, &LimitError{What: "choices", Limit: s.limits.Choices}
	}
	c := &s.only.choice
	if len(s.choices) == 0 {
		c.blocks = s.only.blocks[:0]
	} else {
		c = new(Choice)
	}
	c.index = i
	s.choices = append(s.choices, c)
	return c, nil
}

func (s *State) block(c *Chunk, ev *Event) (*Block, error) {
	choice := s.Choice(ev.Choice)
	if ev.Block < 0 || ev.Block >= len(choice.blocks) {
		return nil, NewProtocolError(c, fmt.Sprintf("event %s for a block that never began", ev.Type), nil)
	}
	choice.current = choice.blocks[ev.Block]
	return choice.current, nil
}

func (s *State) start(c *Chunk, ev *Event) error {
	choice, err := s.choice(ev.Choice)
	if err != nil {
		return err
	}
	if ev.Block != len(choice.blocks) {
		return NewProtocolError(c, "a block began out of order", nil)
	}
	if s.blocks++; s.blocks > s.limits.Blocks {
		return &LimitError{What: "blocks", Limit: s.limits.Blocks}
	}
	b := s.newBlock()
	b.kind, b.choice, b.position, b.index = ev.Kind, ev.Choice, ev.Block, ev.Index
	b.id, b.name, b.providerType, b.toolUseID = ev.ID, ev.Name, ev.ProviderType, ev.ToolUseID
	b.raw, b.initial = shared(ev.Raw, ev.Data)
	choice.blocks = append(choice.blocks, b)
	choice.current = b
	choice.open++
	return s.count(len(ev.Data) + len(ev.Raw))
}

// newBlock returns a zero block. An answer with a second block usually has several
// calls, so these are allocated together.
func (s *State) newBlock() *Block {
	switch {
	case len(s.spare) > 0:
	case s.blocks <= few:
		if s.group == nil {
			s.group = new([few - 1]Block)
		}
		s.spare = s.group[:]
	default:
		s.spare = make([]Block, min(s.blocks, 4*few))
	}
	b := &s.spare[0]
	s.spare = s.spare[1:]
	return b
}

// shared returns both slices as strings. Results can be large, and their text is often
// a slice of their JSON: then they share memory.
func shared(raw, part []byte) (string, string) {
	whole := string(raw)
	// The capacities of two slices of one array differ by their distance.
	if at := cap(raw) - cap(part); len(part) > 0 && at >= 0 && at+len(part) <= len(raw) && &raw[at] == &part[0] {
		return whole, whole[at : at+len(part)]
	}
	return whole, string(part)
}

func (s *State) grow(c *Chunk, b *Block, ev *Event) error {
	if b.status != llm.Open && ev.Type != EventWhole && ev.Type != EventHint {
		return NewProtocolError(c, fmt.Sprintf("event %s for a block that has ended", ev.Type), nil)
	}
	switch ev.Type {
	case EventHint:
		if b.status == llm.Open {
			b.hinted = true
			s.hinted = append(s.hinted, b)
		}
		return nil
	case EventEnd:
		if ev.Raw != nil {
			b.raw = string(ev.Raw)
			if err := s.count(len(ev.Raw)); err != nil {
				return err
			}
		}
		s.Choice(ev.Choice).open--
		b.unclear = ev.Unclear
		b.end(ev.Status)
		s.completed = append(s.completed, b)
		return nil
	case EventWhole:
		return s.whole(b, ev)
	default:
	}
	b.hinted = false
	switch ev.Field {
	case Body:
		b.body.append(ev.Data)
	case Signature:
		b.signature.append(ev.Data)
	case Name:
		// A client that saw another block start may have taken the name as whole.
		b.renamed = b.renamed || b.name != "" && b.position < len(s.Choice(b.choice).blocks)-1
		b.name += string(ev.Data)
	case ID:
		b.id += string(ev.Data)
	}
	if len(b.name) > maxWord || len(b.id) > maxWord {
		return &LimitError{What: "bytes of a tool's name or id", Limit: maxWord}
	}
	return s.count(len(ev.Data))
}

// whole applies the provider's final value of a field. If the deltas had another value,
// both are kept: a client may have read either.
func (s *State) whole(b *Block, ev *Event) error {
	switch ev.Field {
	case Body:
		b.body.flush()
		streamed := b.body.String()
		switch {
		case len(ev.Data) > 0:
			if b.initial != "" && b.contradictsInitial(string(ev.Data)) {
				b.other, b.diverged = b.initial, true // a client may have read it
			}
			b.initial = "" // the final value replaces the initial one
		case b.kind == llm.ToolCall && b.contradictsInitial(""):
			b.other, b.diverged = "", true // a client may read only the end
		}
		switch {
		case !b.Kept():
			if b.body.digest.is(ev.Data) {
				return nil
			}
			b.other, b.diverged = string(ev.Data), true
		case streamed == string(ev.Data):
			return nil
		case b.status != llm.Open:
			// Too late to change what was already reported as complete.
			b.other, b.diverged = string(ev.Data), true
		case streamed == "":
			b.body.set(string(ev.Data))
		default:
			b.other, b.diverged = streamed, true
			b.body.set(string(ev.Data))
		}
	case Signature:
		if b.signature.String() == string(ev.Data) {
			return nil
		}
		b.signature.set(string(ev.Data))
	case Name:
		if b.name != string(ev.Data) {
			b.renamed, b.late = b.renamed || b.name != "", b.late || b.name == ""
			b.name = string(ev.Data)
		}
	case ID:
		if b.id != string(ev.Data) {
			b.id = string(ev.Data)
		}
	}
	return s.count(len(ev.Data))
}

func (s *State) finish(ev *Event) error {
	c, err := s.choice(ev.Choice)
	if err != nil {
		return err
	}
	c.finished = true
	if len(ev.Data) > 0 && c.word != string(ev.Data) {
		c.word = finishWord(ev.Data)
	}
	if ev.Reason != llm.FinishNone {
		c.reason = ev.Reason
	}
	c.inferred = ev.Inferred
	for _, b := range c.blocks {
		if c.open == 0 {
			break
		}
		if b.status == llm.Open {
			c.open--
			b.end(llm.Complete)
			s.completed = append(s.completed, b)
		}
	}
	// A limit truncates the last block. Truncated text is still valid text; a truncated
	// call is not a valid call.
	if n := len(c.blocks); n > 0 && ev.Reason.Truncates() {
		if b := c.blocks[n-1]; b.kind == llm.ToolCall && (b.status == llm.Malformed || llm.IsFreeform(b.providerType)) {
			b.status = llm.Incomplete
		}
	}
	return nil
}

// finishWord returns the finish reason as a string. Common ones do not allocate.
func finishWord(word []byte) string {
	switch string(word) {
	case "stop":
		return "stop"
	case "tool_calls":
		return "tool_calls"
	case "end_turn":
		return "end_turn"
	case "tool_use":
		return "tool_use"
	case "completed":
		return "completed"
	case "STOP":
		return "STOP"
	case "length":
		return "length"
	case "max_tokens":
		return "max_tokens"
	}
	return string(word)
}

func (s *State) count(n int) error {
	if s.bytes += n; s.bytes > s.limits.Bytes {
		return &LimitError{What: "bytes of text and arguments", Limit: s.limits.Bytes}
	}
	return nil
}

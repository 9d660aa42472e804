package gemini

import (
	"math"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// choice is one candidate while it arrives.
type choice struct {
	number int
	blocks int // blocks begun
	calls  int // of these, client calls
	seen   int // the last response object with this candidate

	// The open run of text parts.
	run      bool
	thought  bool
	runBlock int
	offset   int
	signed   signature

	call *streamedCall // the call whose arguments are arriving in pieces

	finished bool
	dirty    bool // blocks started after the finish
	word     string
}

// extra is an unknown member.
type extra struct {
	name string
	raw  []byte
	span llm.Span
}

func (d *Decoder) candidates(c *stream.Chunk) error {
	s := &d.scan
	if s.Null() {
		return nil
	}
	if !s.Array() {
		return stream.NewProtocolError(c, "candidates is not an array", nil)
	}
	var err error
	for err == nil && s.Elem() {
		err = d.candidate(c)
	}
	return err
}

const (
	seenIndex = 1 << iota
	seenContent
	seenFinish
)

// candidate reads one candidate: first its members, then, when its index is known,
// their meaning.
func (d *Decoder) candidate(c *stream.Chunk) error {
	s := &d.scan
	if s.Null() {
		return nil
	}
	if !s.Object() {
		return stream.NewProtocolError(c, "a candidate is not an object", nil)
	}
	if err := d.count(); err != nil {
		return err
	}
	clear(d.parts)
	d.parts, d.extras, d.sources = d.parts[:0], d.extras[:0], d.sources[:0]
	var (
		seen, bit uint
		err       error
		number    int
		finish    []byte
		finishAt  llm.Span
	)
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		bit = 0
		switch string(key) {
		case "index":
			bit = seenIndex
			if seen&bit == 0 && !s.Null() {
				n, ok := s.Index()
				if !ok || n < 0 || n > math.MaxInt32 {
					return stream.NewProtocolError(c, "a candidate's index is not a small whole number", nil)
				}
				number = int(n)
			}
		case "content":
			bit = seenContent
			if seen&bit == 0 {
				err = d.content(c)
			}
		case "finish_reason":
			d.snake(c)
			fallthrough
		case "finishReason":
			bit = seenFinish
			if seen&bit == 0 && !s.Null() {
				start := s.Pos()
				if finish, ok = s.Str(&d.buf); !ok {
					return stream.NewProtocolError(c, "finishReason is not a string", nil)
				}
				finishAt = llm.Span{Start: start, End: s.Pos()}
			}
		case "groundingMetadata", "citationMetadata":
			if sources := s.Raw(); len(sources) > len("{}") {
				d.sources = append(d.sources, sources)
			}
		case "finishMessage", "safetyRatings", "urlContextMetadata", "urlRetrievalMetadata",
			"groundingAttributions", "tokenCount", "avgLogprobs", "logprobsResult":
			s.Skip()
		default:
			err = d.keep(c, key)
		}
		if err != nil {
			return err
		}
		if seen&bit != 0 {
			return twice(c, "a candidate")
		}
		seen |= bit
	}
	if err := s.Err(); err != nil {
		return err
	}
	return d.apply(c, number, finish, finishAt)
}

// keep stores an unknown member until the candidate is known.
func (d *Decoder) keep(c *stream.Chunk, key []byte) error {
	if disguised(key) {
		return disguise(c)
	}
	start := d.scan.Pos()
	if d.scan.Null() {
		return nil
	}
	name, raw := string(key), d.scan.Raw()
	d.extras = append(d.extras, extra{name: name, raw: raw, span: llm.Span{Start: start, End: d.scan.Pos()}})
	return d.count()
}

// apply turns the content of a candidate into events.
func (d *Decoder) apply(c *stream.Chunk, number int, finish []byte, finishAt llm.Span) error {
	ch, err := d.choice(number)
	if err != nil {
		return err
	}
	twice := ch.seen == d.objects
	if twice {
		d.Note(c.Seq, "candidate-index-repeated", "two candidates of one payload have the same index")
	}
	first := ch.seen == 0
	ch.seen = d.objects
	if d.failed && len(d.parts) > 0 {
		return stream.NewProtocolError(c, "content after the provider's error", nil)
	}
	before, streams := len(c.Events), ch.call != nil
	for i := range d.parts {
		if err := d.part(c, ch, &d.parts[i]); err != nil {
			return err
		}
	}
	if twice && len(d.parts) > 0 && (streams || ch.call != nil) {
		// Clients that read one of the two would have other arguments.
		return stream.NewProtocolError(c, "a candidate with a piece of a call occurs twice in one payload", nil)
	}
	for i := range d.extras {
		x := &d.extras[i]
		ev := add(c, stream.EventUnknown)
		ev.Choice, ev.Name, ev.Raw, ev.Span = number, x.name, x.raw, x.span
	}
	for _, sources := range d.sources {
		c.Citations = append(c.Citations, stream.Event{
			Type: stream.EventCitation, Kind: llm.Content, Choice: number, Block: -1, Index: -1, Data: sources,
		})
	}
	d.finish(c, ch, finish, finishAt)
	if first && len(c.Events) == before {
		// It is still empty, but the client has seen it: it must finish.
		add(c, stream.EventPing).Choice = number
	}
	return nil
}

func (d *Decoder) choice(number int) (*choice, error) {
	if d.last != nil && d.last.number == number {
		return d.last, nil
	}
	for _, ch := range d.choices {
		if ch.number == number {
			d.last = ch
			return ch, nil
		}
	}
	if len(d.choices) >= maxChoices {
		return nil, &stream.LimitError{What: "choices", Limit: maxChoices}
	}
	ch := &d.single.choice
	if d.choices == nil {
		d.choices = d.single.choices[:0]
	} else {
		ch = new(choice)
	}
	ch.number = number
	d.choices = append(d.choices, ch)
	d.last = ch
	return ch, nil
}

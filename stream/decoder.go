package stream

// Decoder reads the payloads of one answer in one dialect. It is fed, never
// blocks, owns no goroutine and serves one answer only.
type Decoder interface {
	// Decode reads c.Raw (and c.Name, if the wire had an event name) and sets
	// every other field of c. A non-streaming response is an answer that
	// arrives in one payload. The error is a *ProtocolError or a *LimitError;
	// then the answer has failed and the decoder must not be fed again. An
	// error that the provider reports is not an error here but an event.
	//
	// What c holds afterwards borrows c.Raw and the decoder's buffers and is
	// valid until the next call.
	Decode(c *Chunk) error
	// End is told that the bytes have ended. It sets c to the events that
	// follow from that, and returns ErrIncomplete if the dialect's proof of
	// the end is missing. It returns nil if the provider reported an error.
	End(c *Chunk) error
	// Deviations lists what was unusual so far.
	Deviations() []Deviation
}

// Deviation is something a provider did that its dialect does not foresee, and
// that was read all the same.
type Deviation struct {
	// Code names the deviation: tool-index-reused.
	Code string
	// Text explains it in a few words.
	Text string
	// Count says how often it was seen; Seq is the payload that showed it first.
	Count, Seq int
}

// Deviations collects deviations. The zero value is empty and ready; noting
// costs nothing while a stream behaves.
type Deviations struct {
	list  []Deviation
	total int
}

// Note records a deviation seen in payload seq.
func (d *Deviations) Note(seq int, code, text string) {
	d.total++
	for i := range d.list {
		if d.list[i].Code == code {
			d.list[i].Count++
			return
		}
	}
	d.list = append(d.list, Deviation{Code: code, Text: text, Count: 1, Seq: seq})
}

// Total counts the notes, repeated ones too: a payload that noted nothing leaves
// it as it was.
func (d *Deviations) Total() int { return d.total }

// Deviations returns what was noted, in the order of first appearance. The
// caller must not change it.
func (d *Deviations) Deviations() []Deviation { return d.list }

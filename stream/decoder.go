package stream

// Decoder reads the payloads of one answer in one dialect. It does no I/O, starts no
// goroutine and serves one answer only.
type Decoder interface {
	// Decode reads c.Raw (and c.Name, if there was an event name) and sets every other
	// field of c. A non-streaming response is an answer in one payload. The error is a
	// *ProtocolError or a *LimitError; then the answer has failed and the decoder must
	// not be used again. An error that the provider reports is an event, not an error
	// of Decode.
	//
	// What c holds afterwards borrows c.Raw and the decoder's buffers and is
	// valid until the next call.
	Decode(c *Chunk) error
	// End marks the end of the input. It sets c to the events that follow from it, and
	// returns ErrIncomplete if the end of the answer was not proven. It returns nil if
	// the provider reported an error.
	End(c *Chunk) error
	// Deviations lists the deviations so far.
	Deviations() []Deviation
}

// Deviation is something that a provider sent against its dialect's specification and
// that could be read nevertheless.
type Deviation struct {
	// Code names the deviation: tool-index-reused.
	Code string
	// Text is a short explanation.
	Text string
	// Count says how often it occurred; Seq is the first payload that had it.
	Count, Seq int
}

// Deviations collects deviations. The zero value is empty and ready to use; a stream
// without deviations allocates nothing.
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

// Total counts all notes, including repeated ones, so that a caller can tell whether a
// payload added one.
func (d *Deviations) Total() int { return d.total }

// Deviations returns the deviations in the order of their first occurrence. The caller
// must not change the slice.
func (d *Deviations) Deviations() []Deviation { return d.list }

package openairesponses

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// maxDetails and maxDetailTexts bound the details stored for all open calls until they
// end: as many bytes as a held block may have, because no other limit counts them.
const (
	maxDetails     = 1 << 20
	maxDetailTexts = 1 << 10
)

// detail processes a separate piece of a call of a built-in tool: of a command, or of a
// patch. The final item is what is judged, so the pieces must match it: a client may
// have read them.
func (d *Decoder) detail(c *stream.Chunk, p *payload, typ string) string {
	it := d.find(c, p) // two items may share the index
	if it == nil || it.typ != typ {
		return "the payload is not of the kind of its item"
	}
	if it.done {
		return "a detail follows the end of its item"
	}
	if p.index < 0 && it.kind != llm.ToolCall {
		return "it is not clear which item the payload belongs to"
	}
	number := int64(0)
	if raw, _, ok := jsonscan.Get(c.Raw, "command_index"); ok {
		d.inner.Reset(raw)
		if number, ok = d.inner.Index(); !ok {
			return "the number of a command is not a place in a list"
		}
	}
	text, known := it.details[number]
	if !known {
		d.detailTexts++
	}
	before := len(text)
	text = append(text, p.delta...)
	for _, member := range [...]string{"command", "diff"} {
		raw, _, ok := jsonscan.Get(c.Raw, member)
		whole, isText := jsonscan.Unquote(nil, raw)
		switch {
		case !ok || !isText || len(whole) == 0:
		case !bytes.HasPrefix(whole, text):
			return "two copies of a call of a built-in tool differ"
		default:
			text = whole
		}
	}
	d.detailBytes += len(text) - before // the whole text replaces its deltas
	if d.detailBytes > maxDetails || d.detailTexts > maxDetailTexts {
		return "the details of a call are too long"
	}
	if it.details == nil {
		it.details = make(map[int64][]byte)
	}
	it.details[number] = text
	d.unknown(c, p.name, it.runs[0].block, c.Raw)
	return ""
}

// dropDetails drops the details of an item that has ended.
func (d *Decoder) dropDetails(it *item) {
	for _, text := range it.details {
		d.detailBytes -= len(text)
	}
	d.detailTexts -= len(it.details)
	it.details = nil
}

// detailed reports whether the details of a call are part of its arguments: each must
// be a string somewhere in them. These are read once, whatever their depth and the
// number of details.
func (it *item) detailed(body []byte) bool {
	if len(it.details) == 0 {
		return true
	}
	missing := make(map[string]struct{}, len(it.details))
	for _, text := range it.details {
		if len(text) > 0 {
			missing[string(text)] = struct{}{}
		}
	}
	var s jsonscan.Scanner
	s.Reset(body)
	eachString(&s, new([]byte), func(text []byte) {
		delete(missing, string(text))
	})
	return len(missing) == 0
}

// eachString calls found for every string in the JSON value at the cursor, except
// member names. The text is valid during the call.
func eachString(s *jsonscan.Scanner, buf *[]byte, found func(text []byte)) {
	switch s.Kind() {
	case jsonscan.Object:
		s.Object()
		for _, ok := s.Key(); ok; _, ok = s.Key() {
			eachString(s, buf, found)
		}
	case jsonscan.Array:
		s.Array()
		for s.Elem() {
			eachString(s, buf, found)
		}
	case jsonscan.String:
		*buf = (*buf)[:0]
		if text, ok := s.Str(buf); ok {
			found(text)
		}
	default:
		s.Skip()
	}
}

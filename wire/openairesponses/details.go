package openairesponses

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// maxDetails bounds what is kept of the details of a call until its end: as many
// bytes as a held block may have.
const maxDetails = 1 << 20

// detail takes in a piece of a call of a built-in tool that came on its own: of a
// command, or of a patch. What is judged is what the item ends with, so the pieces
// must say the same: a client may have read them.
func (d *Decoder) detail(c *stream.Chunk, p *payload, typ string) string {
	it := d.find(c, p) // two items may share the place
	if it == nil || it.typ != typ {
		return "the payload is not of the kind of its item"
	}
	if it.done {
		return "a detail follows the end of its item"
	}
	if p.index < 0 && it.kind != llm.ToolCall {
		return "it cannot be told which item the payload belongs to"
	}
	number, kept := int64(0), len(p.delta)
	if raw, _, ok := jsonscan.Get(c.Raw, "command_index"); ok {
		d.inner.Reset(raw)
		number, _ = d.inner.Int()
	}
	for _, text := range it.details {
		kept += len(text)
	}
	if it.details == nil {
		it.details = make(map[int64][]byte)
	}
	text := append(bytes.Clone(it.details[number]), p.delta...)
	for _, member := range [...]string{"command", "diff"} {
		raw, _, ok := jsonscan.Get(c.Raw, member)
		whole, isText := jsonscan.Unquote(nil, raw)
		switch {
		case !ok || !isText || len(whole) == 0:
		case !bytes.HasPrefix(whole, text):
			return "a call of a built-in tool is told in two ways"
		default:
			kept += len(whole)
			text = whole
		}
	}
	if kept > maxDetails || len(it.details) > maxDetails/1024 {
		return "the details of a call are too long"
	}
	it.details[number] = text
	d.unknown(c, p.name, it.runs[0].block, c.Raw)
	return ""
}

// detailed reports whether the details of a call are in what it is given.
func (it *item) detailed(body []byte) bool {
	for _, text := range it.details {
		if len(text) > 0 && !holdsText(body, text) {
			return false
		}
	}
	return true
}

// holdsText reports whether a string somewhere in a JSON value is a text.
func holdsText(raw, text []byte) bool {
	var s jsonscan.Scanner
	s.Reset(raw)
	switch s.Kind() {
	case jsonscan.Object:
		s.Object()
		for _, ok := s.Key(); ok; _, ok = s.Key() {
			if holdsText(s.Raw(), text) {
				return true
			}
		}
	case jsonscan.Array:
		s.Array()
		for s.Elem() {
			if holdsText(s.Raw(), text) {
				return true
			}
		}
	case jsonscan.String:
		value, _ := s.Str(new([]byte))
		return bytes.Equal(value, text)
	default:
	}
	return false
}

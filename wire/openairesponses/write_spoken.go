package openairesponses

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// spoken returns a response object whose output_text says what the texts of its
// output say, nil if it has none or it does.
func spoken(raw []byte) []byte {
	at, ok := stringAt(raw, "output_text")
	if !ok {
		return nil
	}
	var said []byte
	output, _, _ := jsonscan.Get(raw, "output")
	var s jsonscan.Scanner
	s.Reset(output)
	if s.Array() {
		for s.Elem() {
			said = append(said, spokenBy(s.Raw())...)
		}
	}
	if have, _ := jsonscan.Unquote(nil, at.In(raw)); bytes.Equal(have, said) {
		return nil
	}
	out := append([]byte(nil), raw[:at.Start]...)
	out = jsonscan.AppendStringBytes(out, said)
	return append(out, raw[at.End:]...)
}

// spokenBy joins the texts of an item.
func spokenBy(item []byte) []byte {
	var said []byte
	content, _, _ := jsonscan.Get(item, "content")
	if typ, _, _ := jsonscan.Get(item, "type"); string(typ) != `"message"` || len(content) == 0 {
		return nil
	}
	var s jsonscan.Scanner
	s.Reset(content)
	if text, ok := s.Str(new([]byte)); ok {
		return text
	}
	if !s.Array() {
		return nil
	}
	for s.Elem() {
		if read, reason := readPart(&s, new([]byte)); reason == "" && read.kind == llm.Content {
			said = append(said, read.text...)
		}
	}
	return said
}

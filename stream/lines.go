package stream

import (
	"bytes"
	"unicode/utf8"
)

// EscapeLineEnds makes the output write U+0085, U+2028 and U+2029 as JSON escapes from now
// on. An event stream ends its lines only at CR and LF, but some clients end them at these
// characters too, cannot read the payload then, and go on without it. The JSON means the
// same, with other bytes.
func (o *Output) EscapeLineEnds() { o.escapes = true }

// HasLineEnds reports whether text contains a character at which some clients end a line,
// besides CR and LF.
func HasLineEnds(text []byte) bool {
	for _, end := range lineEnds {
		if bytes.Contains(text, end.text) {
			return true
		}
	}
	return false
}

var lineEnds = [...]struct {
	text   []byte
	escape string
}{
	{[]byte("\u2028"), `\u2028`},
	{[]byte("\u2029"), `\u2029`},
	{[]byte("\u0085"), `\u0085`},
}

// escapeLineEnds escapes them in what follows from.
func escapeLineEnds(buf []byte, from int) []byte {
	if !HasLineEnds(buf[from:]) {
		return buf
	}
	written := bytes.Clone(buf[from:])
	buf = buf[:from]
next:
	for len(written) > 0 {
		for _, end := range lineEnds {
			if rest, ok := bytes.CutPrefix(written, end.text); ok {
				buf, written = append(buf, end.escape...), rest
				continue next
			}
		}
		_, size := utf8.DecodeRune(written)
		buf, written = append(buf, written[:size]...), written[size:]
	}
	return buf
}

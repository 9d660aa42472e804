package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendString appends s to dst as a JSON string with its quotes and returns
// the extended slice. It escapes what JSON requires: the quote, the
// backslash and control characters below 0x20 (\b \f \n \r \t in short form,
// others as \u00XX). It also escapes U+0085, U+2028 and U+2029, at which some clients
// end a line of an event stream. Other UTF-8 is left as is, also <, > and &.
//
// A byte that is not part of valid UTF-8 becomes \ufffd, except that the WTF-8 form of
// a surrogate becomes its \udXXX escape, so that [Unquote] restores it. Unquote turns a
// high and a low one in a row into the character they encode.
func AppendString(dst []byte, s string) []byte {
	// The compiler sees that the callee only reads the bytes, and does not copy them; a
	// test verifies it.
	return AppendStringBytes(dst, []byte(s))
}

// AppendStringBytes is AppendString for a byte slice, which is only read. It
// must not overlap the spare capacity of dst.
func AppendStringBytes(dst, s []byte) []byte {
	dst = append(dst, '"')
	start := 0 // of the run of bytes to copy as they are
	for i := skipPlain(s, 0); i < len(s); i = skipPlain(s, i) {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[i:])
			if r == '\u0085' || r == '\u2028' || r == '\u2029' {
				dst = append(dst, s[start:i]...)
				dst = append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
				i += size
				start = i
				continue
			}
			if r != utf8.RuneError || size != 1 {
				i += size
				continue
			}
			dst = append(dst, s[start:i]...)
			if r, ok := surrogateAt(s[i:]); ok {
				dst = append(dst, '\\', 'u', 'd', hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
				i += 3
			} else {
				dst = append(dst, `\ufffd`...)
				i++
			}
			start = i
			continue
		}
		dst = append(dst, s[start:i]...)
		if letter := letterOf[c]; letter != 0 {
			dst = append(dst, '\\', letter)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// letterOf maps a byte to the letter of its short escape, if it has one.
var letterOf = [utf8.RuneSelf]byte{
	'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}

// skipPlain returns the offset of the first byte at or after i that cannot be
// copied as it is without a further look, len(s) if there is none.
func skipPlain(s []byte, i int) int {
	for len(s)-i >= 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		if m := special(x) | x&highs; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	for i < len(s) && s[i] >= ' ' && s[i] != '"' && s[i] != '\\' && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

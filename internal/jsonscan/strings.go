package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
	"unsafe"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks the bytes of x that end a run of plain string bytes: a quote, a
// backslash or a control character. Of each mark only the high bit of the byte
// is set. Marks above the lowest may be false (borrows move upwards), so only
// the lowest one counts: in little endian order that is the first byte.
//
// Flipping bit 1 moves the quote (0x22) to 0x20, next to the control
// characters, so that one comparison with 0x21 finds both; it exchanges only
// bytes within the other ranges.
func special(x uint64) uint64 {
	low := (x ^ ones*0x02) - ones*0x21
	slash := (x ^ ones*'\\') - ones
	return (low | slash) &^ x & highs
}

// scanString scans a string from i, just after its opening quote, and returns the
// offset just past the closing one. See skip.go for how errors are returned.
func scanString(data []byte, i int) (end int, escaped bool) {
	for {
		for i >= 0 && i <= len(data)-8 {
			m := special(binary.LittleEndian.Uint64(data[i : i+8]))
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				goto found
			}
			i += 8
		}
		for uint(i) < uint(len(data)) && data[i] != '"' && data[i] != '\\' && data[i] >= ' ' {
			i++
		}
	found:
		if uint(i) >= uint(len(data)) {
			return ^len(data), escaped
		}
		switch data[i] {
		case '"':
			return i + 1, escaped
		case '\\':
			escaped = true
			if i = scanEscape(data, i+1); i < 0 {
				return i, escaped
			}
		default:
			return ^i, escaped
		}
	}
}

// scanEscape scans an escape from i, just after its backslash.
func scanEscape(data []byte, i int) int {
	if uint(i) >= uint(len(data)) {
		return ^i
	}
	c := data[i]
	if escapeOf[c] != 0 {
		return i + 1
	}
	if c != 'u' {
		return ^i
	}
	for n := 1; n <= 4; n++ {
		if uint(i+n) >= uint(len(data)) || hexOf[data[i+n]] == 0 {
			return ^(i + n)
		}
	}
	return i + 5
}

// escapeOf maps the letter of a short escape to its byte.
var escapeOf = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// hexOf maps a hexadecimal digit to 16 plus its value, other bytes to zero.
var hexOf = [256]byte{
	'0': 16, '1': 17, '2': 18, '3': 19, '4': 20, '5': 21, '6': 22, '7': 23, '8': 24, '9': 25,
	'a': 26, 'b': 27, 'c': 28, 'd': 29, 'e': 30, 'f': 31,
	'A': 26, 'B': 27, 'C': 28, 'D': 29, 'E': 30, 'F': 31,
}

// hex4 returns the value of the four hexadecimal digits at the start of b.
func hex4(b []byte) rune {
	_ = b[3]
	return rune(hexOf[b[0]]&15)<<12 | rune(hexOf[b[1]]&15)<<8 | rune(hexOf[b[2]]&15)<<4 | rune(hexOf[b[3]]&15)
}

// shortRun is the number of plain bytes that unescape scans itself to find the next
// escape. Escapes come in clusters, where function calls to find them would dominate.
const shortRun = 16

// unescape appends the content of a string that scanString accepted, without
// its quotes, to dst.
func unescape(dst, body []byte) []byte {
	// No escape is shorter than the character it encodes: grow once.
	dst = slices.Grow(dst, len(body))
	for {
		n := 0
		for n < len(body) && body[n] != '\\' {
			if n++; n == shortRun {
				if n = bytes.IndexByte(body, '\\'); n < 0 {
					n = len(body)
				}
				break
			}
		}
		dst = append(dst, body[:n]...)
		if n+1 >= len(body) {
			return dst
		}
		c := body[n+1]
		body = body[n+2:]
		if c != 'u' || len(body) < 4 {
			dst = append(dst, escapeOf[c])
			continue
		}
		r := hex4(body)
		body = body[4:]
		if isHigh(r) && len(body) >= 6 && body[0] == '\\' && body[1] == 'u' {
			if low := hex4(body[2:]); isLow(low) {
				r = join(r, low)
				body = body[6:]
			}
		}
		dst = appendWTF8(dst, r)
	}
}

// Unquote appends the unescaped content of quoted, a JSON string literal with
// its quotes and nothing around them, to dst and returns the extended slice.
// Lone surrogates become WTF-8 as the package comment says. If quoted is not
// such a literal it returns dst unchanged and false.
func Unquote(dst, quoted []byte) ([]byte, bool) {
	if len(quoted) < 2 || quoted[0] != '"' {
		return dst, false
	}
	end, escaped := scanString(quoted, 1)
	if end != len(quoted) {
		return dst, false
	}
	body := quoted[1 : end-1]
	if !escaped {
		return append(dst, body...), true
	}
	return unescape(dst, body), true
}

// Text is Unquote for callers that want a string of their own.
func Text(quoted []byte) (string, bool) {
	text, ok := Unquote(nil, quoted)
	return unsafe.String(unsafe.SliceData(text), len(text)), ok //nolint:gosec // nobody else has it
}

// StringEnd returns the offset just past the string literal that begins with
// the quote at data[i], and whether it has escapes. The end is negative if no
// valid literal begins there.
func StringEnd(data []byte, i int) (end int, escaped bool) {
	if uint(i) >= uint(len(data)) || data[i] != '"' {
		return -1, false
	}
	return scanString(data, i+1)
}

// AppendUnescaped appends the content of a literal that StringEnd accepted,
// given without its quotes, to dst and returns the extended slice.
func AppendUnescaped(dst, body []byte) []byte { return unescape(dst, body) }

func isHigh(r rune) bool { return r&^0x3FF == 0xD800 }
func isLow(r rune) bool  { return r&^0x3FF == 0xDC00 }

func join(high, low rune) rune { return (high-0xD800)<<10 | (low - 0xDC00) + 0x10000 }

// appendWTF8 is utf8.AppendRune for surrogates too.
func appendWTF8(dst []byte, r rune) []byte {
	if r&^0x7FF == 0xD800 {
		return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// surrogateAt returns the surrogate whose WTF-8 form b begins with.
func surrogateAt(b []byte) (r rune, ok bool) {
	if len(b) < 3 || b[0] != 0xED || b[1]&0xE0 != 0xA0 || b[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F), true
}

// JoinSurrogates reports whether prev ends with the WTF-8 form of a high surrogate and
// next begins with that of a low one, three bytes each, and returns the character they
// encode. Neither slice is modified; both may be nil. Otherwise it returns 0, false.
func JoinSurrogates(prev, next []byte) (r rune, ok bool) {
	if len(prev) < 3 {
		return 0, false
	}
	high, ok := surrogateAt(prev[len(prev)-3:])
	if !ok || !isHigh(high) {
		return 0, false
	}
	low, ok := surrogateAt(next)
	if !ok || !isLow(low) {
		return 0, false
	}
	return join(high, low), true
}

package flow

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Texts are compared without what changes when something is copied: case, white
// space, quotes, backslashes, characters that cannot be seen, and the escapes of
// addresses, pages and JSON.

// sort says what becomes of a byte.
type sort uint8

const (
	plain sort = iota
	blank
	mute
	percent
	ampersand
	backslash
	wide
)

// sorts are the sorts of the bytes.
var sorts = func() (table [256]sort) {
	for c := range 256 {
		switch {
		case c <= ' ' || c == 0x7f:
			table[c] = blank
		case c >= utf8.RuneSelf:
			table[c] = wide
		}
	}
	for _, c := range "\"'`" {
		table[c] = mute
	}
	table['%'], table['&'], table['\\'] = percent, ampersand, backslash
	return table
}()

// lower are the plain bytes in lower case, 0 for the others.
var lower = func() (table [256]byte) {
	for c := range 256 {
		switch {
		case sorts[c] != plain:
		case 'A' <= c && c <= 'Z':
			table[c] = byte(c) + 'a' - 'A'
		default:
			table[c] = byte(c)
		}
	}
	return table
}()

// appendNormal appends a text in the form in which texts are compared. A space
// stands for any white space, and none at the beginning.
func appendNormal(dst []byte, s string) []byte {
	start := len(dst)
	for i := 0; i < len(s); {
		c := s[i]
		if low := lower[c]; low != 0 { // most are
			dst = append(dst, low)
			i++
			continue
		}
		switch sorts[c] {
		case plain:
		case blank:
			dst = appendBlank(dst, start)
			i++
		case mute:
			i++
		case percent:
			if i+2 < len(s) {
				if v, ok := hex(s[i+1 : i+3]); ok {
					if i += 3; v < utf8.RuneSelf {
						dst = appendRune(dst, start, v)
					} else {
						dst = append(dst, byte(v)) // a part of a character
					}
					continue
				}
			}
			dst = append(dst, c)
			i++
		case ampersand:
			r, n := entity(s[i:])
			dst = appendRune(dst, start, r)
			i += n
		case backslash:
			r, n := escape(s[i:])
			if r >= 0 {
				dst = appendRune(dst, start, r)
			}
			i += n
		case wide:
			r, n := utf8.DecodeRuneInString(s[i:])
			dst = appendRune(dst, start, r)
			i += n
		}
	}
	return dst
}

func appendBlank(dst []byte, start int) []byte {
	if len(dst) > start && dst[len(dst)-1] != ' ' {
		dst = append(dst, ' ')
	}
	return dst
}

// appendRune appends a character that was written in some other way.
func appendRune(dst []byte, start int, r rune) []byte {
	switch {
	case r <= ' ' || r == 0x7f || unicode.IsSpace(r):
		return appendBlank(dst, start)
	case r < utf8.RuneSelf && sorts[r] == mute, r == '\\', isInvisible(r):
		return dst
	case r >= 0xff01 && r <= 0xff5e: // full width
		r += '!' - 0xff01
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// isInvisible reports whether a character takes no place.
func isInvisible(r rune) bool {
	return r >= utf8.RuneSelf && (r == '\u00ad' || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f ||
		r == 0xfeff || r == 0x180e || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0000 && r <= 0xe0fff)
}

// hex reads hexadecimal digits.
func hex(s string) (v rune, ok bool) {
	for i := range len(s) {
		switch c := s[i] | 0x20; {
		case '0' <= s[i] && s[i] <= '9':
			v = v<<4 | rune(s[i]-'0')
		case 'a' <= c && c <= 'f':
			v = v<<4 | rune(c-'a'+10)
		default:
			return 0, false
		}
	}
	return v, s != ""
}

// entities are the usual names of characters in pages.
var entities = []struct {
	name string
	r    rune
}{
	{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", ' '}, {"&sol;", '/'}, {"&colon;", ':'}, {"&period;", '.'}, {"&commat;", '@'}, {"&num;", '#'},
}

// entity reads a character of a page, and how long it is.
func entity(s string) (r rune, n int) {
	if len(s) < 2 || s[1] == ' ' || s[1] == '&' || s[1] == '=' {
		return '&', 1
	}
	for _, e := range entities {
		if len(s) >= len(e.name) && strings.EqualFold(s[:len(e.name)], e.name) {
			return e.r, len(e.name)
		}
	}
	if len(s) < 4 || s[1] != '#' {
		return '&', 1
	}
	end := strings.IndexByte(s[:min(len(s), 11)], ';')
	if end < 3 {
		return '&', 1
	}
	digits := s[2:end]
	if digits[0]|0x20 == 'x' {
		if v, ok := hex(digits[1:]); ok && utf8.ValidRune(v) {
			return v, end + 1
		}
		return '&', 1
	}
	v := rune(0)
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return '&', 1
		}
		v = v*10 + rune(digits[i]-'0')
	}
	if !utf8.ValidRune(v) {
		return '&', 1
	}
	return v, end + 1
}

// escape reads an escape of JSON and the like, and how long it is. The character
// is negative if there is none: the backslash alone is left out.
func escape(s string) (r rune, n int) {
	if len(s) < 2 {
		return -1, 1
	}
	switch s[1] {
	case 'n', 'r', 't':
		return ' ', 2
	case 'u', 'x':
		digits := 4
		if s[1] == 'x' {
			digits = 2
		}
		if len(s) >= 2+digits {
			if v, ok := hex(s[2 : 2+digits]); ok && utf8.ValidRune(v) {
				return v, 2 + digits
			}
		}
	}
	return -1, 1
}

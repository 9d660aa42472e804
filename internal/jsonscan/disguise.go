package jsonscan

import "bytes"

// Disguised reports whether key equals one of names except for case. Some JSON parsers
// ignore case (encoding/json is one), so they would read a member that was not judged.
// The names must be lower-case ASCII: then a key without capitals is rejected with one
// pass over its bytes.
func Disguised(key []byte, names []string) bool {
	for _, c := range key {
		if c-'A' < 26 || c >= 0x80 {
			return disguised(key, names)
		}
	}
	return false
}

func disguised(key []byte, names []string) bool {
	for _, name := range names {
		if bytes.EqualFold(key, []byte(name)) {
			return true
		}
	}
	return false
}

// Fold returns the form of a key in which encoding/json compares it: letters without case,
// which also takes two characters beyond ASCII for an s and a k. It is key itself if that
// is its form, or is longer than buf.
func Fold(buf, key []byte) []byte {
	plain := true
	for _, c := range key { // usually it is
		plain = plain && c-'A' >= 26 && c < 0x80
	}
	if plain || len(key) > len(buf) {
		return key
	}
	out := buf[:0]
	for i := 0; i < len(key); i++ {
		switch c := key[i]; {
		case c-'A' < 26:
			out = append(out, c+'a'-'A')
		case bytes.HasPrefix(key[i:], longS):
			out = append(out, 's')
			i += len(longS) - 1
		case bytes.HasPrefix(key[i:], kelvin):
			out = append(out, 'k')
			i += len(kelvin) - 1
		default:
			out = append(out, c)
		}
	}
	return out
}

var longS, kelvin = []byte("\u017f"), []byte("\u212a")

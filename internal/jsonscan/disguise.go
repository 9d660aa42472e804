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

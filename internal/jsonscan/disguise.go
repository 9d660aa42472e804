package jsonscan

import "bytes"

// Disguised reports whether key is one of names but for the case of its
// letters. Some readers of JSON do not mind the case (encoding/json is one), so
// that they would see what nobody judged. The names must be in lower case and
// ASCII: then a key without capitals costs one look at each of its bytes.
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

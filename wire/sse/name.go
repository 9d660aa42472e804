package sse

// IsPlainName reports whether an event name is printable ASCII only, as all names of
// the dialects are. Others can contain a line break: some clients also end a line at
// U+0085, U+2028 and other characters, and would read what follows as a field of its
// own.
func IsPlainName(name string) bool {
	for i := range len(name) {
		if name[i] < ' ' || name[i] > '~' {
			return false
		}
	}
	return true
}

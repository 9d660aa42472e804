package sse

// IsPlainName reports whether an event's name is of printable ASCII only, as
// all names of the dialects are. Others can carry a line break: some clients
// end a line at U+0085, U+2028 and more characters than the standard does, and
// would read what stands behind one as a field of its own.
func IsPlainName(name string) bool {
	for i := range len(name) {
		if name[i] < ' ' || name[i] > '~' {
			return false
		}
	}
	return true
}

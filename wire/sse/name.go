package sse

// IsPlainName reports whether an event name is printable ASCII without quotes and
// backslashes, as all names of the dialects are. Others can contain a line break: some
// clients also end a line at U+0085, U+2028 and other characters, and would read what
// follows as a field of its own. With quotes a name can hold JSON, and with it a call.
func IsPlainName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

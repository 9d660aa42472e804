package effect

import "strings"

// HostOf returns the host of an address with or without scheme, without user and
// port, in lower case.
func HostOf(address string) string {
	if i := strings.Index(address, "://"); i >= 0 {
		address = address[i+3:]
	}
	if i := strings.IndexAny(address, "/?#"); i >= 0 {
		address = address[:i]
	}
	address = address[strings.LastIndexByte(address, '@')+1:]
	if strings.HasPrefix(address, "[") {
		end := strings.IndexByte(address, ']')
		if end < 0 {
			return address
		}
		return address[1:end]
	}
	if i := strings.IndexByte(address, ':'); i >= 0 && strings.Count(address, ":") == 1 {
		address = address[:i]
	}
	return strings.ToLower(strings.TrimSuffix(address, "."))
}

package shell

import "strings"

// hostNamed is the host in a word that is an address, or a name with a port.
func hostNamed(word string) string {
	if strings.ContainsAny(word, " \n\"'{}()") {
		return ""
	}
	if strings.Contains(word, "://") {
		return hostOf(word)
	}
	host, port, ok := strings.Cut(word, ":")
	if !ok || port == "" || strings.Trim(port, "0123456789") != "" || !isHostName(host) {
		return ""
	}
	return strings.ToLower(host)
}

// isHostName reports whether a word may be the name of a host: letters, digits and
// dots.
func isHostName(s string) bool {
	if s == "" || s[0] == '.' || s[0] == '-' || len(s) > 253 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '.' && c != '-' && !('a' <= c && c <= 'z') && !('A' <= c && c <= 'Z') && !('0' <= c && c <= '9') {
			return false
		}
	}
	return true
}

// mayTell notes that a program which nobody knows may tell a host in its arguments
// what was put into the others: $(cat file).
func (a *act) mayTell() {
	for i := range a.mixture() {
		if len(a.words()[i].sources) == 0 {
			continue
		}
		for _, arg := range a.few(a.Args) {
			if host := hostNamed(arg); host != "" && isOutside(host) {
				a.carriesTo(host, nil)
				return
			}
		}
		return
	}
}

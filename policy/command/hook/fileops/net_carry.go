package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// HostNamed is the host in a word that is an address, or a name with a port.
func HostNamed(word string) string {
	if strings.ContainsAny(word, " \n\"'{}()") {
		return ""
	}
	if strings.Contains(word, "://") {
		return invocation.HostOf(word)
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

// LastName is the file name that an address ends in.
func LastName(address string) string {
	if i := strings.Index(address, "://"); i >= 0 {
		address = address[i+3:]
		slash := strings.IndexByte(address, '/')
		if slash < 0 {
			return "index.html"
		}
		address = address[slash:]
	}
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	if name := address[strings.LastIndexByte(address, '/')+1:]; name != "" {
		return name
	}
	return "index.html"
}

// Saves notes that a file is written with what an address gives.
func Saves(a *invocation.Act, file, from string) {
	if !invocation.IsNoFile(file) {
		a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(file), From: from})
	}
}

package where

import (
	"net/url"
	"strings"

	"github.com/sluice-project/sluice/policy/internal/partial"
)

// mostURL is the longest text that is parsed as a URL.
const mostURL = 64 << 10

// Host is the host name of an address in lower case, without port; numeric addresses are
// dotted. It is not
// known if two programs could extract different hosts, and empty if nobody takes the text
// for an address. It parses URLs, and what SSH, scp, rsync and git accept in their place:
// git@github.com:o/r.git, host::module.
func Host(raw string) (name string, known bool) {
	if len(raw) > mostURL || strings.ContainsAny(raw, "\\\t\n\r") {
		return "", false
	}
	if !strings.Contains(raw, "://") {
		if port, ok := strings.CutPrefix(raw, ":"); ok && port != "" && strings.Trim(port, "0123456789") == "" {
			return "", true // a port of this machine
		}
		if name, ok := sshHost(raw); ok {
			return name, name != ""
		}
		if strings.HasPrefix(raw, "./") || strings.HasPrefix(raw, "../") {
			return "", true // a directory of this machine
		}
		if isNoAddress(raw) {
			return "", true
		}
		raw = "//" + strings.TrimPrefix(raw, "//")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", false
	}
	return canonical(u.Hostname()), true
}

// isNoAddress reports whether nobody takes a text for an address: words where the host
// would be, as in "changes in a/b".
func isNoAddress(text string) bool {
	host := text
	if end := strings.IndexAny(text, "/?#"); end >= 0 {
		host = text[:end]
	}
	return strings.Contains(strings.TrimSpace(host), " ") && !strings.ContainsAny(host, "@:%[]")
}

// sshHost is the host of [user@]host:path. Some read a numeric path as a port,
// and the host is the same. The name is empty if the address is ambiguous.
func sshHost(raw string) (name string, ok bool) {
	before, rest, ok := strings.Cut(raw, ":")
	if !ok || strings.Contains(before, "/") || strings.Contains(before, "[") || rest == "" {
		return "", false
	}
	first, _, _ := strings.Cut(rest, "/")
	if strings.Contains(first, "@") || noHost[strings.ToLower(before)] {
		return "", true // a password for programs that parse it as a URL, or a URL without a host
	}
	if strings.Count(raw, ":") > 1 && !strings.HasPrefix(rest, ":") && !strings.Contains(before, "@") {
		return "", false // an IPv6 address, or nothing that anybody takes for a host
	}
	name = before[strings.LastIndexByte(before, '@')+1:]
	if strings.Count(before, "@") > 1 || name == "" || strings.ContainsAny(name, " ?#%$`\"'") {
		return "", true
	}
	return canonical(name), true
}

// noHost are the schemes of URLs that have no host and no slashes.
var noHost = map[string]bool{"data": true, "file": true, "mailto": true, "javascript": true, "about": true, "blob": true, "tel": true, "urn": true}

// PartlyHost is the host of an address of which a part is not known. It is known if
// it ends before that part: a variable behind https://a. could be b@c. As it is written,
// it also is where the part is the port: what is behind http://a: may be 80, or 80@c.
func PartlyHost(text string, written bool) (name string, known bool) {
	h := partial.New(text)
	_, rest, ok := strings.Cut(h.First(), "://")
	switch {
	case len(h.Holes) > 0 && !ok && isNoAddress(strings.TrimSpace(h.First())):
		return "", true
	case len(h.Holes) == 0 || !ok:
		return "", false
	case strings.ContainsAny(rest, "/?#"):
		return Host(h.First())
	case written && !strings.Contains(strings.Join(h.Pieces[1:], ""), "@"):
		if before := strings.TrimRight(h.First(), "0123456789"); strings.HasSuffix(before, ":") {
			return Host(strings.TrimSuffix(before, ":"))
		}
		return "", false
	default:
		return "", false
	}
}

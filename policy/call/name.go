package call

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean removes invisible characters from a name and replaces look-alikes of
// Latin letters, so that a name has one spelling.
func clean(name string) string {
	ascii := true
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f {
			ascii = false
			break
		}
	}
	if ascii {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		switch {
		case r < utf8.RuneSelf && r >= ' ' && r != 0x7f:
			b.WriteRune(r)
		case hidden(r):
		default:
			b.WriteRune(latin(r))
		}
	}
	return strings.TrimFunc(b.String(), unicode.IsSpace)
}

// prefixes that clients and models put before a tool's name.
var prefixes = []string{"functions", "default_api", "tools", "tool", "function", "namespace", "default", "builtin", "native", "client"}

// Canonical returns the canonical name of a tool, whatever the model calls it,
// and the server that its name contains.
func Canonical(raw string) (name, server string) {
	t, of, _ := canonical(raw)
	return t.name, of.server
}

// canonical returns a tool by its name without decoration, the server that it
// belongs to by its name, and whether the tool is known.
func canonical(raw string) (t tool, of owner, ok bool) {
	if t, ok = lookup(raw); ok && isWord(raw) { // undecorated, as most are
		return t, owner{}, true
	}
	name := unquotedName(raw)
	if i := strings.Index(name, "<|"); i > 0 { // signs of a model's own format
		name = name[:i]
	}
	for again := true; again; {
		again = false
		if strings.IndexByte(name, '.') < 0 && strings.IndexByte(name, ':') < 0 && strings.IndexByte(name, '/') < 0 {
			break
		}
		for _, p := range prefixes {
			if len(name) > len(p)+1 && (name[len(p)] == '.' || name[len(p)] == ':' || name[len(p)] == '/') && strings.EqualFold(name[:len(p)], p) {
				name, again = name[len(p)+1:], true
			}
		}
	}
	// Some models number their calls: name:0.
	if i := strings.LastIndexByte(name, ':'); i > 0 && i < len(name)-1 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	if t, ok = lookup(name); ok {
		return t, owner{}, true
	}
	if t, ok = lookupFolded(name); ok {
		return t, owner{}, true
	}
	if of, name := ownerOf(name); of.is {
		t, ok := toolOf(name)
		return t, of, ok
	}
	// Punctuation around a name is not part of it for clients that look for a
	// word in it.
	if bare := strings.TrimFunc(name, isSign); bare != name && bare != "" {
		if t, of, ok = canonical(bare); ok || of.is {
			return t, of, ok
		}
	}
	return tool{name: name, kind: KindOther}, owner{}, false
}

// toolOf is the tool of a server, by its name without the server's, and whether it is
// known.
func toolOf(name string) (tool, bool) {
	bare := strings.TrimFunc(name, isSign)
	if t, ok := lookup(bare); ok {
		return t, true
	}
	if t, ok := lookupFolded(bare); ok {
		return t, true
	}
	return tool{name: name, kind: KindOther}, false
}

// unquotedName is a clean name without the quotes around it that double encoding leaves.
func unquotedName(raw string) string { return strings.Trim(clean(raw), "\"'`\\ ") }

// isSign reports whether a character is not part of a word.
func isSign(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// isWord reports whether a name has letters, digits and underscores only.
func isWord(name string) bool {
	for i := range len(name) {
		if c := lower(name[i]); c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

package call

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// touch says what a tool does with the paths it is given.
type touch uint8

const (
	reads  touch = 1
	writes touch = 2
	// byVerb tools take the action in a member named command: view, create,
	// str_replace. It is not a shell command.
	byVerb touch = 4
	// removes is set in addition to writes if the file is removed.
	removes touch = 8
)

// tool is a tool that is known by name.
type tool struct {
	name  string // usual spelling
	kind  Kind
	touch touch
}

// Names are the names of the known tools in lower case, sorted.
func Names() []string { return slices.Sorted(maps.Keys(tables().tools)) }

// IsKnown reports whether a tool of that name is known, in whatever spelling.
func IsKnown(name string) bool {
	_, ok := tables().tools[strings.ToLower(name)]
	return ok
}

// mostName is the length of the longest name that is looked at.
const mostName = 64

// lookup finds a tool whatever the case of its name.
func lookup(name string) (t tool, ok bool) {
	if len(name) <= mostName {
		t, ok = tables().tools[strings.ToLower(name)]
	}
	return t, ok
}

// lookupFolded finds a tool whatever joins the words of its name, and without a
// number behind it: RunShellCommand, run-shell-command, bash_2.
func lookupFolded(name string) (t tool, ok bool) {
	if len(name) > mostName {
		return tool{}, false
	}
	b := fold(make([]byte, 0, mostName), name)
	if t, ok = tables().folded[string(b)]; !ok {
		t, ok = tables().folded[string(bytes.TrimRight(b, "0123456789#()[]"))]
	}
	return t, ok
}

// fold appends a name without case, blanks and the signs that join words.
func fold[T string | []byte](b []byte, name T) []byte {
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == ' ' || c == '.':
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		default:
			b = append(b, c)
		}
	}
	return b
}

func folded(name string) string { return string(fold(make([]byte, 0, mostName), name)) }

// guess says what a tool that is not known does with paths, by its name.
func guess(name string) touch {
	name = strings.ToLower(name)
	for _, verb := range tables().Words["looks"] {
		if strings.HasPrefix(name, verb) || strings.Contains(name, "_"+verb) || strings.Contains(name, "-"+verb) {
			return reads
		}
	}
	return reads | writes
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
		if c := name[i]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

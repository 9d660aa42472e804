package call

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
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
func lookup(name string) (tool, bool) {
	if len(name) > mostName {
		return tool{}, false
	}
	var b [mostName]byte
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			t, ok := tables().tools[strings.ToLower(name)]
			return t, ok
		}
		b[i] = lower(c)
	}
	t, ok := tables().tools[string(b[:len(name)])]
	return t, ok
}

// lookupFolded finds a tool whatever joins the words of its name, and without a
// number behind it: RunShellCommand, run-shell-command, bash_2.
func lookupFolded(name string) (tool, bool) {
	if len(name) > mostName {
		return tool{}, false
	}
	var room [mostName]byte
	b := appendFolded(room[:0], name)
	t, ok := tables().folded[string(b)]
	if !ok {
		short := bytes.TrimRight(b, "0123456789#()[]")
		if len(short) > 0 && len(short) < len(b) {
			t, ok = tables().folded[string(short)]
		}
	}
	return t, ok
}

// lower is a letter of ASCII in lower case, and any other byte.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// folded is a name without case, blanks and the signs that join words.
func folded(name string) string {
	if len(name) > mostName {
		return name
	}
	return string(appendFolded(make([]byte, 0, mostName), name))
}

// appendFolded appends a name as folded has it. No name that is longer than
// mostName is one that is known.
func appendFolded(b []byte, name string) []byte {
	if len(name) > mostName {
		return b
	}
	for i := range len(name) {
		if c := name[i]; c != '_' && c != '-' && c != ' ' {
			b = append(b, lower(c))
		}
	}
	return b
}

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

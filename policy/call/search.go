package call

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/output"
)

// Words in the names of tools that search.
var (
	searchWords = set("search searches searching lookup rg ag ack ripgrep ugrep find findstr")
	// contentWords say that contents are searched, and inWords that something in files is.
	contentWords = set("content contents text texts code codebase semantic pattern patterns string strings line lines regex regexp word words keyword keywords fulltext")
	inWords      = set("in within inside across through")
	// nameWords are what else is searched for: files, by their names.
	nameWords = set("file files filename filenames path paths name names dir dirs directory directories folder folders glob replace")
)

// searches reports whether a tool shows the contents of all files of a directory: one that
// searches them, and not one that looks for their names.
func searches(name, arguments string, m members) bool {
	if strings.Contains(strings.ToLower(name), "grep") {
		return true
	}
	var room [maxWords]string
	words := wordsOf(room[:0], name)
	if !anyOf(words, searchWords) || slices.Contains(words, "replace") {
		return false
	}
	kind := ""
	eachMember(arguments, func(key string, value []byte) {
		switch key {
		case "searchtype", "searchmode", "searchin":
			kind = strings.ToLower(string(value))
		}
	})
	switch {
	case strings.Contains(kind, "content"), strings.Contains(kind, "text"):
		return true
	case strings.HasPrefix(kind, `"file`), strings.HasPrefix(kind, `"name`):
		return false
	}
	switch {
	case m.has(fieldLookFor), anyOf(words, contentWords), anyOf(words, inWords):
		return true
	case anyOf(words, nameWords):
		return false
	default: // search, but not find, which takes names
		return !slices.Contains(words, "find") && (m.has(fieldPattern) || m.has(fieldPrompt))
	}
}

// looksForSettings reports whether a search is for lines that are named as settings are, and
// shows no others.
func (c *Call) looksForSettings(m members) bool {
	if !c.searching || c.showsOthers() {
		return false
	}
	looks, folds := false, false
	eachMember(c.Raw, func(key string, value []byte) {
		switch key {
		case "i", "ignorecase", "caseinsensitive":
			folds = folds || string(value) != "false"
		case "casesensitive":
			folds = folds || string(value) == "false"
		}
	})
	for i := range m {
		if f := m[i].field; f != fieldPattern && f != fieldLookFor {
			continue
		}
		looks = true
		if list := m[i].texts(); len(list) == 0 || slices.ContainsFunc(list, func(p string) bool { return !output.SettingsPattern(p, folds) }) {
			return false
		}
	}
	return looks
}

// besideKeys are the members with which a search returns more than the lines that it finds.
var besideKeys = set("a b c v before after context contextlines beforecontext aftercontext linesbefore linesafter contextbefore contextafter invert invertmatch")

// showsOthers reports whether a search returns lines around those that it finds, or those
// that it does not.
func (c *Call) showsOthers() (shows bool) {
	eachMember(c.Raw, func(key string, value []byte) {
		switch string(value) {
		case "null", "false", "0", `""`, `"0"`, `"false"`:
		default:
			shows = shows || besideKeys[key]
		}
	})
	return shows
}

// eachMember calls do with the members of arguments, by their folded names, and with those
// of objects in them.
func eachMember(arguments string, do func(key string, value []byte)) {
	var s jsonscan.Scanner
	s.Reset(jsonscan.View(arguments))
	if s.Kind() == jsonscan.Object {
		eachMemberOf(&s, 0, do)
	}
}

func eachMemberOf(s *jsonscan.Scanner, depth int, do func(key string, value []byte)) {
	s.Object()
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		var room [mostKey]byte
		name := foldKey(room[:0], key)
		if s.Kind() == jsonscan.Object && depth < maxNest {
			eachMemberOf(s, depth+1, do)
			continue
		}
		do(string(name), s.Raw())
	}
}

// viewSource is what browsers put before an address to show what is there.
const viewSource = "view-source:"

// namesFile reports whether an address is that of a file.
func (m members) namesFile() bool {
	for i := range m {
		if m[i].field != fieldURL {
			continue
		}
		for _, text := range m[i].texts() {
			if strings.HasPrefix(strings.TrimPrefix(strings.TrimSpace(text), viewSource), "file:") {
				return true
			}
		}
	}
	return false
}

package call

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/output"
)

// searches reports whether a tool shows the contents of all files of a directory: one that
// searches them, and not one that looks for their names.
func searches(name string, words []string, arguments string, m members) bool {
	if strings.Contains(strings.ToLower(name), "grep") {
		return true
	}
	if !says(words, "searching") || slices.Contains(words, "replace") {
		return false
	}
	kind := ""
	eachMember(arguments, func(key, value []byte) {
		switch string(key) {
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
	case m.has(fieldLookFor), says(words, "contents"), says(words, "inside-files"):
		return true
	case says(words, "file-names"):
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
	eachMember(c.Raw, func(key, value []byte) {
		switch string(key) {
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

// showsOthers reports whether a search returns lines around those that it finds, or those
// that it does not.
func (c *Call) showsOthers() (shows bool) {
	eachMember(c.Raw, func(key, value []byte) {
		switch string(value) {
		case "null", "false", "0", `""`, `"0"`, `"false"`:
		default:
			shows = shows || slices.ContainsFunc(tables().Kinds["around"], func(around string) bool { return string(key) == around })
		}
	})
	return shows
}

// eachMember calls do with the members of arguments, by their folded names, and with those
// of objects in them.
func eachMember(arguments string, do func(key, value []byte)) {
	var s jsonscan.Scanner
	s.Reset(jsonscan.View(arguments))
	walk(&s, nil, func(key []byte, s *jsonscan.Scanner) bool {
		if s.Kind() == jsonscan.Object {
			return true
		}
		if key != nil {
			var room [mostKey]byte
			do(foldKey(room[:0], key), s.Raw())
		}
		return false
	})
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

// shows reports whether a tool returns what is in the files that it reads: not
// one that lists or sends them, and not a search that returns names.
func (c *Call) shows() bool {
	if says(c.words, "naming") || says(c.words, "sending") {
		return false
	}
	if !c.searching {
		return true
	}
	switch mode := c.outputMode(); {
	case mode == "" && c.Name == "Grep" && c.RawName == "Grep", mode != "" && mode != "content":
		return false
	}
	return true
}

// outputMode is what a search is asked to return, empty if that is not given.
func (c *Call) outputMode() string {
	if strings.IndexByte(c.Raw, '\\') >= 0 {
		return argumentsOf(c.Raw).first("outputmode")
	}
	raw, _, ok := jsonscan.Get(jsonscan.View(c.Raw), "output_mode")
	if !ok || len(raw) < 2 {
		return ""
	}
	return string(raw[1 : len(raw)-1])
}

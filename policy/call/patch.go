package call

import (
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// patches reads the patches in the arguments and reports whether one names a
// file.
func (c *Call) patches(t *tool, m members) bool {
	found := false
	for i := range m {
		v := &m[i]
		if v.kind != jsonscan.String {
			continue
		}
		switch {
		case v.field == fieldPatch, v.field == fieldInput && t.kind == KindEdit, strings.HasPrefix(strings.TrimSpace(v.text), "*** Begin Patch"):
			found = c.patch(v.text, c.at) || found
		}
	}
	return found
}

// patchHeads begin the lines of a patch that name a file.
var patchHeads = []string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "*** Rename to:"}

// headDelete is that of a deleted file.
const headDelete = 2

// patch adds the files that a patch changes and reports whether there are any.
// It supports the apply_patch format and unified diffs.
func (c *Call) patch(text string, at Place) bool {
	found := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		// An added line may look like a header, but it begins with a sign.
		head := strings.TrimLeft(line, " \t")
		switch {
		case strings.HasPrefix(head, "*** "):
			for i, h := range patchHeads {
				if p, ok := cutFold(head, h); ok && strings.TrimSpace(p) != "" {
					does := writes
					if i == headDelete {
						does |= removes
					}
					c.file(strings.TrimSpace(p), does, at)
					found = true
				}
			}
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			if p := diffPath(line[4:]); p != "" {
				c.file(p, writes, at)
				found = true
			}
		}
	}
	if found {
		c.note(piece{form: formPatch, text: text, at: at})
	}
	return found
}

// diffPath is the file that a line of a diff names after its sign, empty if it
// names none.
func diffPath(p string) string {
	p, _, _ = strings.Cut(p, "\t")
	p = strings.Trim(strings.TrimSpace(p), `"`)
	if p == "" || p == "/dev/null" || strings.ContainsAny(p, "<>") {
		return ""
	}
	if len(p) > 2 && (p[:2] == "a/" || p[:2] == "b/") {
		p = p[2:]
	}
	return p
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

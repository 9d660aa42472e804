package call

import (
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// Content is what a call writes to a file.
type Content struct {
	// Path is the file, as in Writes.
	Path string
	// Text is what is written, Old what it replaces, empty if it is only added.
	Text, Old string
	// Whole says that Text is the whole file.
	Whole bool
}

// MaxContents is how many contents of a call are returned.
const MaxContents = 1000

// Contents returns what tools that write, edit and patch put into files, in
// order: for a Write the whole file, for edits and patches the new parts and
// what they replace. What commands write is not included.
func (c *Call) Contents() []Content { return c.contents }

// put adds a content.
func (c *Call) put(at Place, content Content) {
	if len(c.contents) >= MaxContents || content.Text == "" && content.Old == "" && !content.Whole {
		return
	}
	if content.Path != "" {
		content.Path, _ = at.Resolve(content.Path)
	}
	c.contents = append(c.contents, content)
}

// part is the role of a member of the arguments in a content.
type part string

const (
	partPath  part = "path"
	partWhole part = "whole"
	partNew   part = "new"
	partOld   part = "old"
	partMode  part = "mode"
	partPatch part = "patch"
	partNest  part = "nest"
)

// argumentContents reads an object of arguments, or a list of them, and the edits in it, which
// are those of the file at a path unless they name another one.
func (c *Call) argumentContents(s *jsonscan.Scanner, path string, depth int) {
	if s.Kind() == jsonscan.Array && depth > 0 {
		s.Array()
		for s.Elem() {
			if s.Kind() == jsonscan.Object {
				c.argumentContents(s, path, depth)
			} else {
				s.Skip()
			}
		}
		return
	}
	if depth > maxNest || !s.Object() {
		s.Skip()
		return
	}
	content := Content{Path: path}
	written, appends, diff := false, false, ""
	var nested [][]byte
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		var room [mostKey]byte
		what, kind := tables().parts[string(foldKey(room[:0], key))], s.Kind()
		if what == "" {
			s.Skip()
			continue
		}
		raw := s.Raw()
		text, isText := jsonscan.Unquote(nil, raw)
		composed := kind == jsonscan.Object || kind == jsonscan.Array
		switch {
		case what == partNest && composed:
			nested = append(nested, raw)
		case what == partWhole && composed: // JSON that is written as it is
			content.Text, content.Whole, written = string(raw), true, true
		case what == partMode:
			appends = appends || string(raw) == "true" || strings.EqualFold(string(text), "append") || strings.EqualFold(string(text), "a")
		case !isText:
		case what == partPath:
			content.Path = string(text)
		case what == partWhole:
			content.Text, content.Whole, written = string(text), true, true
		case what == partNew:
			content.Text, written = string(text), true
		case what == partOld:
			content.Old, written = string(text), true
		case what == partPatch:
			diff = string(text)
		}
	}
	if content.Old != "" || appends {
		content.Whole = false
	}
	if written {
		c.put(c.at, content)
	}
	blocks := containsAny(diff, []string{"<<<<<<<", "------- SEARCH"})
	if diff != "" && content.Path != "" && (blocks || !containsAny(diff, []string{"+++ ", "*** "})) { // otherwise it names the files itself
		p := patch{call: c, at: c.at, content: Content{Path: content.Path}}
		p.read(diff)
	}
	for _, raw := range nested {
		var inner jsonscan.Scanner
		inner.Reset(raw)
		c.argumentContents(&inner, content.Path, depth+1)
	}
}

// patches reads the patches in the arguments and reports whether one names a
// file.
func (c *Call) patches(t *tool, m members) bool {
	found := false
	for i := range m {
		if v := &m[i]; v.kind == jsonscan.String && (v.field == fieldPatch || v.field == fieldInput && t.kind == KindEdit || strings.HasPrefix(strings.TrimSpace(v.text), "*** Begin Patch")) {
			found = c.patch(v.text, c.at) || found
		}
	}
	return found
}

// patch adds the files that a patch changes and reports whether there are any.
func (c *Call) patch(text string, at Place) bool {
	p := patch{call: c, at: at, names: true}
	p.read(text)
	return p.found
}

// patch reads a patch: in the format of apply_patch, as a unified diff, or as blocks between
// SEARCH and REPLACE. All lines of a new file are one content, those of a changed one
// a content per hunk.
type patch struct {
	call *Call
	at   Place
	// names: it names the files that it changes. found: it named one.
	names, found bool
	content      Content
	add, old     strings.Builder
}

// patchHeads begin the lines of a patch that name a file.
var patchHeads = []string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "*** Rename to:"}

const (
	headAdd    = 0
	headDelete = 2
)

func (p *patch) read(text string) {
	const none, before, after = 0, 1, 2
	block := none
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		// An added line may look like a header, but it begins with a sign.
		head := strings.TrimLeft(bare, " \t")
		switch {
		case strings.HasPrefix(bare, "<<<<<<<"), strings.HasPrefix(bare, "------- SEARCH"):
			block = before
			p.flush()
		case block == before && strings.HasPrefix(bare, "======="):
			block = after
		case block == after && (strings.HasPrefix(bare, ">>>>>>>") || strings.HasPrefix(bare, "+++++++ REPLACE")):
			block = none
			p.flush()
		case block == before:
			p.old.WriteString(line)
		case block == after:
			p.add.WriteString(line)
		case strings.HasPrefix(head, "*** "):
			p.flush()
			if !p.head(head) && !strings.Contains(head, "End of File") {
				p.content = Content{}
			}
		case strings.HasPrefix(bare, "--- "): // the file as it was
			p.flush()
			p.content = Content{Whole: strings.HasPrefix(bare, "--- /dev/null")}
			p.file(diffPath(bare[4:]), writes)
		case strings.HasPrefix(bare, "+++ "):
			if name := diffPath(bare[4:]); name != "" {
				p.content.Path = name
				p.file(name, writes)
			}
		case strings.HasPrefix(bare, "@@"):
			p.flush()
		case strings.HasPrefix(line, "+"):
			p.add.WriteString(line[1:])
		case strings.HasPrefix(line, "-"):
			p.old.WriteString(line[1:])
		}
	}
	p.flush()
}

// head reads a line that may name a file, and reports whether it does.
func (p *patch) head(line string) bool {
	for i, head := range patchHeads {
		name, ok := cutFold(line, head)
		if name = strings.TrimSpace(name); !ok || name == "" {
			continue
		}
		does := writes
		if i == headDelete {
			does |= removes
		}
		p.file(name, does)
		p.content = Content{Path: name, Whole: i == headAdd}
		return true
	}
	return false
}

func (p *patch) file(name string, does touch) {
	if name != "" && p.names {
		p.call.file(name, does, p.at)
		p.found = true
	}
}

// flush ends a content.
func (p *patch) flush() {
	p.content.Text, p.content.Old = p.add.String(), p.old.String()
	if p.content.Path != "" {
		p.call.put(p.at, p.content)
	}
	p.add.Reset()
	p.old.Reset()
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

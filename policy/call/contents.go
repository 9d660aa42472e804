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

// piece is a part of a call that writes to files.
type piece struct {
	form form
	path string // of a text
	text string
	at   Place
}

// form is the format of a piece.
type form uint8

const (
	formText      form = iota // all of the file
	formArguments             // a JSON object
	formPatch
)

// note records a piece for Contents.
func (c *Call) note(p piece) {
	if c.pieces == nil {
		c.pieces = c.fewPieces[:0]
	}
	if len(c.pieces) < MaxContents {
		c.pieces = append(c.pieces, p)
	}
}

// Contents returns what tools that write, edit and patch put into files, in
// order: for a Write the whole file, for edits and patches the new parts and
// what they replace. What commands write is not included.
func (c *Call) Contents() []Content { return c.contents }

// readContents reads the pieces that were recorded since the last time.
func (c *Call) readContents() {
	for c.told < len(c.pieces) {
		p := &c.pieces[c.told]
		c.told++
		switch p.form {
		case formText:
			c.put(p.at, Content{Path: p.path, Text: p.text, Whole: true})
		case formPatch:
			c.patchContents(p, Content{})
		case formArguments:
			var s jsonscan.Scanner
			s.Reset(jsonscan.View(p.text))
			c.argumentContents(&s, p.at, "", 0)
		}
	}
}

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
	noPart    part = ""
	partPath  part = "path"
	partWhole part = "whole"
	partNew   part = "new"
	partOld   part = "old"
	partMode  part = "mode"
	partPatch part = "patch"
	partNest  part = "nest"
)

// argumentContents reads an object of arguments, and the edits in it.
func (c *Call) argumentContents(s *jsonscan.Scanner, at Place, path string, depth int) {
	if depth > maxNest || !s.Object() {
		s.Skip()
		return
	}
	content := Content{Path: path}
	written, appends, diff := false, false, ""
	var nested [][]byte
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch what, kind := partOf(key), s.Kind(); {
		case what == noPart:
			s.Skip()
		case kind == jsonscan.Object || kind == jsonscan.Array:
			switch raw := s.Raw(); what {
			case partNest:
				nested = append(nested, raw)
			case partWhole: // JSON that is written as it is
				content.Text, content.Whole, written = string(raw), true, true
			default:
			}
		case kind != jsonscan.String:
			if raw := s.Raw(); what == partMode && string(raw) == "true" {
				appends = true
			}
		default:
			text, _ := jsonscan.Unquote(nil, s.Raw())
			switch what {
			case partPath:
				content.Path = string(text)
			case partWhole:
				content.Text, content.Whole, written = string(text), true, true
			case partNew:
				content.Text, written = string(text), true
			case partOld:
				content.Old, written = string(text), true
			case partMode:
				appends = strings.EqualFold(string(text), "append") || strings.EqualFold(string(text), "a")
			case partPatch:
				diff = string(text)
			case noPart, partNest:
			}
		}
	}
	if content.Old != "" || appends {
		content.Whole = false
	}
	if written {
		c.put(at, content)
	}
	if diff != "" && content.Path != "" { // otherwise it names the files itself
		c.searchReplace(diff, at, content.Path)
		if !strings.Contains(diff, "<<<<<<<") && !strings.Contains(diff, "+++ ") && !strings.Contains(diff, "*** ") {
			c.patchContents(&piece{text: diff, at: at}, Content{Path: content.Path})
		}
	}
	for _, raw := range nested {
		c.nestedContents(raw, at, content.Path, depth+1)
	}
}

func (c *Call) nestedContents(raw []byte, at Place, path string, depth int) {
	var s jsonscan.Scanner
	s.Reset(raw)
	if raw[0] == '{' {
		c.argumentContents(&s, at, path, depth)
		return
	}
	s.Array()
	for s.Elem() {
		c.argumentContents(&s, at, path, depth)
	}
}

// searchReplace reads blocks between lines of <<<<<<< SEARCH, ======= and
// >>>>>>> REPLACE.
func (c *Call) searchReplace(text string, at Place, path string) {
	const none, before, after = 0, 1, 2
	where := none
	var old, add strings.Builder
	for line := range strings.Lines(text) {
		switch mark := strings.TrimRight(line, "\r\n"); {
		case strings.HasPrefix(mark, "<<<<<<<") || strings.HasPrefix(mark, "------- SEARCH"):
			where = before
			old.Reset()
			add.Reset()
		case where == before && strings.HasPrefix(mark, "======="):
			where = after
		case where == after && (strings.HasPrefix(mark, ">>>>>>>") || strings.HasPrefix(mark, "+++++++ REPLACE")):
			where = none
			c.put(at, Content{Path: path, Text: add.String(), Old: old.String()})
		case where == before:
			old.WriteString(line)
		case where == after:
			add.WriteString(line)
		}
	}
}

// patchContents reads the lines that a patch adds and removes: all lines of a
// new file at once, those of a changed one per hunk.
func (c *Call) patchContents(p *piece, content Content) {
	var add, old strings.Builder
	flush := func() {
		content.Text, content.Old = add.String(), old.String()
		if content.Path != "" {
			c.put(p.at, content)
		}
		add.Reset()
		old.Reset()
	}
	for line := range strings.Lines(p.text) {
		head := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(strings.TrimLeft(head, " \t"), "*** "):
			flush()
			name, whole, ok := patchHead(strings.TrimLeft(head, " \t"))
			if ok {
				content = Content{Path: name, Whole: whole}
			} else if !strings.Contains(head, "End of File") {
				content = Content{}
			}
		case strings.HasPrefix(head, "--- "): // the file as it was
			flush()
			content = Content{Whole: strings.HasPrefix(head, "--- /dev/null")}
		case strings.HasPrefix(head, "+++ "):
			if name := diffPath(head[4:]); name != "" {
				content.Path = name
			}
		case strings.HasPrefix(head, "@@"):
			flush()
		case strings.HasPrefix(line, "+"):
			add.WriteString(line[1:])
		case strings.HasPrefix(line, "-"):
			old.WriteString(line[1:])
		}
	}
	flush()
}

// patchHead reads the line of a patch that names a file.
func patchHead(head string) (path string, whole, ok bool) {
	for i, h := range patchHeads {
		if p, ok := cutFold(head, h); ok && strings.TrimSpace(p) != "" {
			return strings.TrimSpace(p), i == 0, true
		}
	}
	return "", false, false
}

// partOf returns the role of a member.
func partOf(key []byte) part {
	var room [mostKey]byte
	return tables().parts[string(foldKey(room[:0], key))]
}

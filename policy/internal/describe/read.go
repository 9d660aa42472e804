package describe

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/internal/words"
)

// Error is a mistake in a description.
type Error struct {
	File         string
	Line, Column int
	// Of is what the description is of, such as "program helm", if that is known.
	Of      string
	Message string
}

func (e *Error) Error() string {
	where := fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
	if e.Of != "" {
		where += e.Of + ": "
	}
	return where + e.Message
}

// Reader reads one description.
type Reader struct {
	File string
	// Offset is how many lines of the file stand before the text that was parsed.
	Offset int
	// Of is what the description is of, for messages.
	Of string
}

// Fail is a mistake at a place.
func (r *Reader) Fail(n *yaml.Node, format string, args ...any) error {
	return &Error{File: r.File, Line: n.Line + r.Offset, Column: n.Column, Of: r.Of, Message: fmt.Sprintf(format, args...)}
}

// Pairs calls f with every key of a mapping and its value. Keys that are not known
// are refused with a suggestion, unless known is nil. It goes on after a mistake, so that
// the error names all of them (see Mistakes).
func (r *Reader) Pairs(n *yaml.Node, what string, known []string, f func(key string, at, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return r.Fail(n, "%s must be a mapping", what)
	}
	seen := map[string]bool{}
	var mistakes []error
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		twice := seen[key.Value]
		seen[key.Value] = true
		switch {
		case twice:
			mistakes = append(mistakes, r.Fail(key, "%s has %q twice", what, key.Value))
		case known != nil && !slices.Contains(known, key.Value):
			mistakes = append(mistakes, r.Fail(key, "%s has no key %q%s; the keys are %s", what, key.Value, Suggestion(key.Value, known), strings.Join(known, ", ")))
		default:
			mistakes = append(mistakes, Mistakes(f(key.Value, key, v))...)
		}
	}
	if len(mistakes) == 1 {
		return mistakes[0]
	}
	return errors.Join(mistakes...)
}

// Mistakes are the single mistakes that an error of a Reader names.
func Mistakes(err error) []error {
	if err == nil {
		return nil
	}
	several, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, one := range several.Unwrap() {
		all = append(all, Mistakes(one)...)
	}
	return all
}

// Parse parses the text of one description: its names and what is said of them.
// The lines before it are already in Offset.
func (r *Reader) Parse(text string) (names, described *yaml.Node, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, nil, r.Refused(err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode || len(doc.Content[0].Content) != 2 {
		return nil, nil, &Error{File: r.File, Line: r.Offset + 1, Column: 1, Of: r.Of, Message: "a description is written as names: {...}"}
	}
	root := doc.Content[0]
	return root.Content[0], root.Content[1], nil
}

// Refused says where in the file the parser of YAML stopped.
func (r *Reader) Refused(err error) error {
	line, message := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if n, rest, ok := strings.Cut(strings.TrimPrefix(message, "line "), ": "); ok {
		if at, err := strconv.Atoi(n); err == nil {
			line, message = at, rest
		}
	}
	return &Error{File: r.File, Line: r.Offset + line, Column: 1, Of: r.Of, Message: message}
}

// Suggestion is what an unknown word may have been meant to be, in brackets for the
// end of a message.
func Suggestion(word string, known []string) string {
	if near := words.Nearest(word, known, words.Most(word)); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// List returns the elements of a sequence; a scalar is a list of one.
func List(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// Scalars are the texts of a list.
func Scalars(n *yaml.Node) []string {
	nodes := List(n)
	texts := make([]string, len(nodes))
	for i, e := range nodes {
		texts[i] = e.Value
	}
	return texts
}

// Names are those that a key names, separated by blanks, commas or vertical lines.
func Names(key string) []string {
	return strings.FieldsFunc(key, func(r rune) bool { return strings.ContainsRune(" ,|", r) })
}

// Same are the names among those of a key that a name is separated from by vertical lines,
// and itself: they are names of one thing.
func Same(key, name string) []string {
	for group := range strings.FieldsSeq(strings.ReplaceAll(key, ",", " ")) {
		if names := strings.Split(group, "|"); slices.Contains(names, name) {
			return names
		}
	}
	return []string{name}
}

// Entries calls f with the descriptions of a file: every line that is not indented
// begins one. lines is how many stand before it.
func Entries(data string, f func(names, text string, lines int) error) error {
	line, begin, at, start, names := 0, -1, 0, 0, ""
	for at < len(data) {
		end := strings.IndexByte(data[at:], '\n')
		if end < 0 {
			end = len(data) - at - 1
		}
		text := data[at : at+end+1]
		if first := text[0]; first != ' ' && first != '#' && first != '\n' && first != '\r' {
			if begin >= 0 {
				if err := f(names, data[begin:at], start); err != nil {
					return err
				}
			}
			key, _, _ := strings.Cut(text, ":")
			names, begin, start = strings.Trim(key, `"' `), at, line
		}
		at += end + 1
		line++
	}
	if begin < 0 {
		return nil
	}
	return f(names, data[begin:], start)
}

package connect

import (
	"errors"
	"fmt"
	"strings"
)

// parseTOML reads a TOML document. Strings come back as strings, tables as
// objects, arrays of tables as the object of their last element, and every other
// value as its text in a [literal]: Codex's settings are read for the few words
// that decide where it sends its requests, and are never written back.
func parseTOML(data []byte) (object, error) {
	r := &tomlReader{text: strings.TrimPrefix(string(data), "\ufeff")}
	root := object{}
	table := root
	for {
		r.skipLines()
		if r.done() {
			return root, nil
		}
		var err error
		if r.peek() == '[' {
			table, err = r.header(root)
		} else {
			err = r.pair(table, 0)
		}
		if err == nil {
			err = r.endOfLine()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", 1+strings.Count(r.text[:min(r.at, len(r.text))], "\n"), err)
		}
	}
}

// parseTOMLValue reads one value, as in `-c key=value`. What is no value is
// taken as a string, as Codex does.
func parseTOMLValue(text string) any {
	text = strings.TrimSpace(text)
	r := &tomlReader{text: text}
	if value, err := r.value(0); err == nil && r.done() {
		return value
	}
	return strings.Trim(text, `"'`)
}

// literal is the text of a value that is neither string nor table.
type literal string

// maxTOMLDepth bounds how deep arrays and inline tables nest.
const maxTOMLDepth = 64

type tomlReader struct {
	text string
	at   int
}

func (r *tomlReader) done() bool { return r.at >= len(r.text) }

// peek returns the next byte, 0 at the end.
func (r *tomlReader) peek() byte {
	if r.done() {
		return 0
	}
	return r.text[r.at]
}

func (r *tomlReader) rest() string { return r.text[min(r.at, len(r.text)):] }

// skipBlanks skips blanks on a line.
func (r *tomlReader) skipBlanks() {
	for c := r.peek(); c == ' ' || c == '\t'; c = r.peek() {
		r.at++
	}
}

// skipLines skips white space, line ends and comments.
func (r *tomlReader) skipLines() {
	for !r.done() {
		switch r.peek() {
		case ' ', '\t', '\r', '\n':
			r.at++
		case '#':
			r.skipComment()
		default:
			return
		}
	}
}

func (r *tomlReader) skipComment() {
	n := strings.IndexByte(r.rest(), '\n')
	if n < 0 {
		n = len(r.rest())
	}
	r.at += n
}

func (r *tomlReader) endOfLine() error {
	r.skipBlanks()
	if r.peek() == '#' {
		r.skipComment()
	}
	if r.peek() == '\r' {
		r.at++
	}
	if !r.done() && r.peek() != '\n' {
		return fmt.Errorf("expected the end of the line, found %q", r.peek())
	}
	return nil
}

// header reads [table] or [[table]] and returns that table.
func (r *tomlReader) header(root object) (object, error) {
	double := strings.HasPrefix(r.rest(), "[[")
	closing := "]"
	if double {
		closing = "]]"
	}
	r.at += len(closing)
	path, err := r.path()
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(r.rest(), closing) {
		return nil, fmt.Errorf("expected %q", closing)
	}
	r.at += len(closing)
	if double {
		parent, err := descend(root, path[:len(path)-1])
		if err != nil {
			return nil, err
		}
		element := object{}
		parent[path[len(path)-1]] = element
		return element, nil
	}
	return descend(root, path)
}

// descend returns the table at a path and makes it where it is missing.
func descend(o object, path []string) (object, error) {
	for _, name := range path {
		member, there := o[name]
		next, isTable := member.(object)
		if there && !isTable {
			return nil, fmt.Errorf("%s is a value and not a table", name)
		}
		if !there {
			next = object{}
			o[name] = next
		}
		o = next
	}
	return o, nil
}

// pair reads key = value into a table.
func (r *tomlReader) pair(table object, depth int) error {
	path, err := r.path()
	if err != nil {
		return err
	}
	if r.peek() != '=' {
		return fmt.Errorf("expected = after %s", strings.Join(path, "."))
	}
	r.at++
	r.skipBlanks()
	value, err := r.value(depth)
	if err != nil {
		return err
	}
	return put(table, path, value)
}

// put stores a value at a path.
func put(table object, path []string, value any) error {
	table, err := descend(table, path[:len(path)-1])
	if err != nil {
		return err
	}
	table[path[len(path)-1]] = value
	return nil
}

// path reads a dotted key and the blanks after it.
func (r *tomlReader) path() ([]string, error) {
	var path []string
	for {
		r.skipBlanks()
		name, err := r.name()
		if err != nil {
			return nil, err
		}
		path = append(path, name)
		if len(path) > maxTOMLDepth {
			return nil, fmt.Errorf("a key has more than %d parts", maxTOMLDepth)
		}
		r.skipBlanks()
		if r.peek() != '.' {
			return path, nil
		}
		r.at++
	}
}

// name reads one part of a key.
func (r *tomlReader) name() (string, error) {
	if c := r.peek(); c == '"' || c == '\'' {
		return r.quoted()
	}
	n := strings.IndexFunc(r.rest(), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-'
	})
	if n < 0 {
		n = len(r.rest())
	}
	if n == 0 {
		return "", fmt.Errorf("expected a key, found %q", r.peek())
	}
	name := r.rest()[:n]
	r.at += n
	return name, nil
}

// value reads a value.
func (r *tomlReader) value(depth int) (any, error) {
	if depth > maxTOMLDepth {
		return nil, fmt.Errorf("values nest deeper than %d", maxTOMLDepth)
	}
	switch r.peek() {
	case '"', '\'':
		return r.quoted()
	case '[':
		return r.array(depth)
	case '{':
		return r.inline(depth)
	}
	n := strings.IndexAny(r.rest(), ",]}#\r\n")
	if n < 0 {
		n = len(r.rest())
	}
	text := strings.TrimSpace(r.rest()[:n])
	if text == "" || !strings.ContainsAny(text[:1], "0123456789+-tfin.") || strings.ContainsAny(text, `"'=`) {
		return nil, fmt.Errorf("expected a value, found %q", text)
	}
	if (text[0] == 't' || text[0] == 'f' || text[0] == 'i' || text[0] == 'n') && text != "true" && text != "false" && text != "inf" && text != "nan" {
		return nil, fmt.Errorf("expected a value, found %q", text)
	}
	r.at += n
	return literal(text), nil
}

// array reads [a, b]; its elements are checked and not kept.
func (r *tomlReader) array(depth int) (any, error) {
	start := r.at
	r.at++
	for {
		r.skipLines()
		if r.peek() == ']' {
			r.at++
			return literal(r.text[start:r.at]), nil
		}
		if _, err := r.value(depth + 1); err != nil {
			return nil, err
		}
		r.skipLines()
		switch r.peek() {
		case ',':
			r.at++
		case ']':
		default:
			return nil, errors.New("expected , or ] in an array")
		}
	}
}

// inline reads {a = 1, b = 2}.
func (r *tomlReader) inline(depth int) (any, error) {
	table := object{}
	r.at++
	for {
		r.skipLines() // line ends are allowed since TOML 1.1
		if r.peek() == '}' {
			r.at++
			return table, nil
		}
		if err := r.pair(table, depth+1); err != nil {
			return nil, err
		}
		r.skipLines()
		switch r.peek() {
		case ',':
			r.at++
		case '}':
		default:
			return nil, errors.New("expected , or } in an inline table")
		}
	}
}

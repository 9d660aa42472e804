package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// position says where an offset of a text is, as editors count.
func position(data []byte, at int) string {
	before := data[:max(0, min(at, len(data)))]
	return fmt.Sprintf("%d:%d", 1+bytes.Count(before, []byte("\n")), 1+len(before)-(bytes.LastIndexByte(before, '\n')+1))
}

// jsonPosition is where JSON with comments is broken, "" if that is not known.
func jsonPosition(data []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return position(plainJSON(data), int(syntax.Offset)-1)
	case errors.As(err, &kind):
		return position(plainJSON(data), int(kind.Offset)-1)
	}
	return position(plainJSON(data), len(data)) // it ends too early
}

// jsonMember is a member of an object in a text: the positions of its key and its
// value.
type jsonMember struct {
	name          string
	key, from, to int
}

// jsonMembers lists the members of the object that begins at open, and where it
// ends. The text is valid JSON without comments.
func jsonMembers(text []byte, open int) (list []jsonMember, end int) {
	at := open + 1
	space := func() {
		for at < len(text) && strings.IndexByte(" \t\r\n,:", text[at]) >= 0 {
			at++
		}
	}
	for space(); at < len(text) && text[at] != '}'; space() {
		m := jsonMember{key: at}
		at = jsonEnd(text, at)
		_ = json.Unmarshal(text[m.key:at], &m.name) // it is valid
		space()
		m.from = at
		at = jsonEnd(text, at)
		m.to = at
		list = append(list, m)
	}
	return list, at
}

// jsonEnd returns the end of the value that begins at an offset.
func jsonEnd(text []byte, at int) int {
	depth := 0
	for ; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			for at++; at < len(text) && text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
			if depth == 0 {
				return at + 1
			}
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return at + 1
			}
			if depth < 0 {
				return at
			}
		case depth == 0 && strings.IndexByte(" \t\r\n,", c) >= 0:
			return at
		}
	}
	return at
}

// setJSON sets a member of JSON with comments and leaves everything else as it is,
// byte for byte: comments, order, indentation.
func setJSON(data []byte, path []string, value any) ([]byte, error) {
	text := plainJSON(data)
	open := bytes.IndexByte(text, '{')
	if open < 0 {
		return nil, errors.New("it is not a JSON object")
	}
	indent := ""
	for i, name := range path {
		members, end := jsonMembers(text, open)
		found := -1
		for n, m := range members {
			if m.name == name {
				found = n // of several the last one counts
			}
		}
		switch {
		case found < 0:
			for _, outer := range backward(path[i+1:]) {
				value = map[string]any{outer: value}
			}
			return insertJSON(data, open, end, members, indent, name, value)
		case i == len(path)-1:
			m := members[found]
			written, err := marshalJSON(value, lineIndent(data, m.key))
			if err != nil {
				return nil, err
			}
			return splice(data, m.from, m.to, written), nil
		case text[members[found].from] != '{':
			return nil, fmt.Errorf("%s: %s is not an object, and %s belongs in it", position(data, members[found].from), name, path[i+1])
		}
		open, indent = members[found].from, lineIndent(data, members[found].key)
	}
	return data, nil
}

// insertJSON adds a member at the end of an object in the style of the others.
func insertJSON(data []byte, open, end int, members []jsonMember, indent, name string, value any) ([]byte, error) {
	inner := indent + "  "
	several := len(members) == 0 || bytes.IndexByte(data[open:end], '\n') >= 0
	if len(members) > 0 && several {
		inner = lineIndent(data, members[0].key)
	}
	key, err := marshalJSON(name, "")
	if err != nil {
		return nil, err
	}
	text, err := marshalJSON(value, inner)
	if err != nil {
		return nil, err
	}
	member := string(key) + ": " + string(text)
	newline := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		newline = "\r\n"
		member = strings.ReplaceAll(member, "\n", newline)
	}
	if len(members) == 0 {
		if len(bytes.TrimSpace(data[open+1:end])) == 0 {
			return splice(data, open+1, end, []byte(newline+inner+member+newline+indent)), nil
		}
		return splice(data, open+1, open+1, []byte(newline+inner+member)), nil // before a comment
	}
	last := members[len(members)-1].to
	comma := trailingComma(data, last, end)
	switch {
	case comma >= 0: // the style of the file ends every line with one
		return splice(data, comma+1, comma+1, []byte(newline+inner+member+",")), nil
	case !several:
		return splice(data, last, last, []byte(", "+member)), nil
	}
	at := last
	if n := bytes.IndexByte(data[last:end], '\n'); n >= 0 {
		at = last + len(bytes.TrimRight(data[last:last+n], " \t\r")) // behind a comment about the last member
	}
	data = splice(data, at, at, []byte(newline+inner+member))
	return splice(data, last, last, []byte(",")), nil
}

// trailingComma finds a comma between two offsets, outside of comments; -1 if
// there is none.
func trailingComma(data []byte, from, to int) int {
	for i := from; i < to; i++ {
		switch {
		case data[i] == '/' && i+1 < to && (data[i+1] == '/' || data[i+1] == '*'):
			i = commentEnd(data, i) - 1
		case data[i] == ',':
			return i
		}
	}
	return -1
}

// lineIndent is the white space before an offset on its line, "" if there is
// anything else.
func lineIndent(data []byte, at int) string {
	line := data[bytes.LastIndexByte(data[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func marshalJSON(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(indent, "  ")
	err := encoder.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

func splice(data []byte, from, to int, with []byte) []byte {
	return append(append(bytes.Clone(data[:from]), with...), data[to:]...)
}

// backward returns a list from its end.
func backward(list []string) []string {
	out := make([]string, 0, len(list))
	for _, l := range slices.Backward(list) {
		out = append(out, l)
	}
	return out
}

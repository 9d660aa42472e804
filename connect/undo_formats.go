package connect

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// jsonValues are the members of a JSON file that are not objects.
func jsonValues(body []byte) (values, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return values{}, nil
	}
	o, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	list := values{}
	for _, m := range leaves(o, nil) {
		list[strings.Join(m.path, pathMark)] = written{value: m.value}
	}
	return list, nil
}

func putJSON(body []byte, path []string, to written) ([]byte, error) {
	return setJSON(body, path, to.value)
}

// takeJSON takes a member out, with its comma and, if nothing else is on it, its line.
func takeJSON(body []byte, path []string, empty func(path []string) bool) ([]byte, error) {
	text := plainJSON(body)
	open := bytes.IndexByte(text, '{')
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
			return body, nil
		case i < len(path)-1:
			open = members[found].from
			if text[open] != '{' {
				return body, nil
			}
			continue
		}
		body = cutMember(body, members, found, end)
		if len(members) > 1 || i == 0 || !empty(path[:i]) {
			return body, nil
		}
		if _, end := jsonMembers(plainJSON(body), open); len(bytes.TrimSpace(body[open+1:end])) > 0 {
			return body, nil // a comment is left
		}
		return takeJSON(body, path[:i], empty)
	}
	return body, nil
}

// cutMember takes one member of an object out of a text.
func cutMember(data []byte, members []jsonMember, at, end int) []byte {
	m := members[at]
	next := end
	if at+1 < len(members) {
		next = members[at+1].key
	}
	from, to := m.key, m.to
	if comma := trailingComma(data, m.to, next); comma >= 0 {
		if blank(data[m.to:comma]) {
			to = comma + 1
		} else {
			data = splice(data, comma, comma+1, nil) // behind a comment
		}
	} else if at > 0 {
		before := members[at-1].to
		comma := trailingComma(data, before, m.key)
		if blank(data[comma+1:m.key]) && bytes.IndexByte(data[comma+1:m.key], '\n') < 0 {
			from = comma // on the same line
		} else {
			data = splice(data, comma, comma+1, nil)
			from, to = from-1, to-1
		}
	}
	data = splice(data, from, to, nil)
	start, stop := bytes.LastIndexByte(data[:from], '\n')+1, len(data)
	if n := bytes.IndexByte(data[from:], '\n'); n >= 0 {
		stop = from + n + 1
	}
	switch {
	case start > 0 && blank(data[start:stop]):
		return splice(data, start, stop, nil)
	case from < len(data) && (data[from] == ' ' || data[from] == '\t') && from > 0 && strings.IndexByte("{ \t", data[from-1]) >= 0:
		return splice(data, from, from+1, nil)
	}
	return data
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// tomlValues are the keys of a TOML file.
func tomlValues(body []byte) (values, error) {
	text := string(body)
	statements, err := tomlStatements(text)
	if err != nil {
		return nil, err
	}
	list := values{}
	for _, s := range statements {
		if len(s.key) == 0 {
			continue
		}
		w := written{text: text[s.from:s.to]}
		if w.value, err = (&tomlReader{text: w.text}).value(0); err != nil {
			return nil, err
		}
		name := strings.Join(slices.Concat(s.table, s.key), pathMark)
		if s.double { // of an array: each has its own
			name += pathMark
		}
		list[name] = w
	}
	return list, nil
}

// tomlAt is the statement of a key.
func tomlAt(text string, path []string) (tomlStatement, error) {
	statements, err := tomlStatements(text)
	if err != nil {
		return tomlStatement{}, err
	}
	for _, s := range slices.Backward(statements) {
		if len(s.key) > 0 && slices.Equal(slices.Concat(s.table, s.key), path) {
			return s, nil
		}
	}
	return tomlStatement{}, errors.New(" a key is not where it was")
}

func putTOML(body []byte, path []string, to written) ([]byte, error) {
	text := string(body)
	s, err := tomlAt(text, path)
	if err != nil {
		return nil, err
	}
	return []byte(text[:s.from] + to.text + text[s.to:]), nil
}

// takeTOML takes a key out with its line. Tables stay, which say nothing when they are
// empty.
func takeTOML(body []byte, path []string, _ func(path []string) bool) ([]byte, error) {
	text := string(body)
	s, err := tomlAt(text, path)
	if err != nil {
		return nil, err
	}
	start := strings.LastIndexByte(text[:s.start], '\n') + 1
	stop := len(text)
	if n := strings.IndexByte(text[s.end:], '\n'); n >= 0 {
		stop = s.end + n + 1
	}
	after := text[stop:]
	if start == 0 { // the line was above everything else, and apart from it
		after = strings.TrimPrefix(strings.TrimPrefix(after, "\r"), "\n")
	}
	return []byte(text[:start] + after), nil
}

// dotenvValues are the variables of a file of lines.
func dotenvValues(body []byte) (values, error) {
	list := values{}
	for name, value := range parseDotenv(body) {
		list[name] = written{value: value}
	}
	for line := range strings.Lines(string(body)) {
		if match := dotenvLine.FindStringSubmatch(strings.TrimRight(line, "\r\n")); match != nil {
			w := list[match[1]]
			w.text = strings.TrimRight(line, "\r\n")
			list[match[1]] = w
		}
	}
	return list, nil
}

func putDotenv(body []byte, path []string, to written) ([]byte, error) {
	return replaceLine(body, path[0], to.text, false), nil
}

func takeDotenv(body []byte, path []string, _ func(path []string) bool) ([]byte, error) {
	return replaceLine(body, path[0], "", true), nil
}

// replaceLine replaces the last line of a variable, or takes it out.
func replaceLine(body []byte, name, with string, out bool) []byte {
	lines := strings.SplitAfter(string(body), "\n")
	for i := range slices.Backward(lines) {
		line := strings.TrimRight(lines[i], "\r\n")
		match := dotenvLine.FindStringSubmatch(line)
		switch {
		case len(match) < 2 || match[1] != name:
			continue
		case out:
			lines[i] = ""
		default:
			lines[i] = with + lines[i][len(line):]
		}
		break
	}
	return []byte(strings.Join(lines, ""))
}

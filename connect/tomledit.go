package connect

import (
	"fmt"
	"slices"
	"strings"
)

// tomlStatement is a line of a TOML document: a table's header, or a key with the
// place of its value.
type tomlStatement struct {
	table, key []string // key is empty in a header
	double     bool     // [[table]]
	start, end int      // the statement, without the end of its line
	from, to   int      // the value
}

// tomlStatements lists the statements of a document that can be read.
func tomlStatements(text string) ([]tomlStatement, error) {
	r := &tomlReader{text: text}
	var list []tomlStatement
	var table []string
	for {
		r.skipLines()
		if r.done() {
			return list, nil
		}
		s := tomlStatement{start: r.at}
		var err error
		if r.peek() == '[' {
			s.double = strings.HasPrefix(r.rest(), "[[")
			if _, err = r.header(object{}); err == nil {
				name := &tomlReader{text: strings.Trim(r.text[s.start:r.at], "[]")}
				table, err = name.path()
			}
			s.table = table
		} else {
			s.table = table
			if s.key, err = r.path(); err == nil {
				r.at++ // =
				r.skipBlanks()
				s.from = r.at
				_, err = r.value(0)
				s.to = r.at
			}
		}
		s.end = r.at
		if err == nil {
			err = r.endOfLine()
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
}

// setTOML sets a key of a table, or of the top for no table, to a value as it is
// written in TOML. Everything else stays as it is.
func setTOML(text string, table []string, key, value string) (string, error) {
	list, err := tomlStatements(text)
	if err != nil {
		return "", err
	}
	last, header := -1, -1
	for i, s := range list {
		switch {
		case !slices.Equal(s.table, table) || s.double:
			full := slices.Concat(s.table, s.key)
			if len(table) > 0 && len(s.key) > 0 && len(s.table) < len(table) && slices.Equal(full, table[:min(len(full), len(table))]) ||
				len(s.key) > 0 && len(full) >= len(table) && slices.Equal(full[:len(table)], table) && len(s.table) < len(table) {
				return "", fmt.Errorf("%s: %s is written in another way than as a table [%s]", position([]byte(text), s.start), strings.Join(full, "."), strings.Join(table, "."))
			}
		case len(s.key) == 0:
			header, last = i, i
		case len(s.key) == 1 && s.key[0] == key:
			return text[:s.from] + value + text[s.to:], nil
		default:
			last = i
		}
	}
	line := key + " = " + value
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	switch {
	case last >= 0 && (len(table) == 0 || header >= 0):
		at := list[last].end
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			at += len(strings.TrimRight(text[at:at+n], " \t\r")) // behind a comment
		} else {
			at = len(text)
		}
		return text[:at] + newline + line + text[at:], nil
	case len(table) == 0 && strings.TrimSpace(text) == "":
		return text + line + newline, nil
	case len(table) == 0: // above the first table, and above what is said about that
		return line + newline + newline + text, nil
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += newline
	}
	if text != "" {
		text += newline
	}
	return text + "[" + strings.Join(table, ".") + "]" + newline + line + newline, nil
}

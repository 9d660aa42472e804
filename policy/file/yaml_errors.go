package file

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// yamlMessages are what the parser says, what that means, and what to do.
var yamlMessages = []struct{ begins, message, advice string }{
	{"mapping values are not allowed", "a colon and a space begin a value, where none can be", "put a text with `: ` in it into quotes, or check the indentation"},
	{"did not find expected '-' indicator", "a line of a list is indented differently from the lines before it", "indent it like them"},
	{"did not find expected key", "a line is indented differently from the lines before it, or a quote is missing", "indent it like them, and check the quotes"},
	{"could not find expected ':'", "a key has no colon after it, or a quote is missing", "write KEY: VALUE"},
	{"did not find expected ',' or ']'", "a list in brackets has no end, or a comma is missing", "close it with ]"},
	{"did not find expected ',' or '}'", "a mapping in braces has no end, or a comma is missing", "close it with }, and put texts with { or } in them into quotes"},
	{"did not find expected alphabetic or numeric character", "& and * begin anchors and aliases in YAML", "put the text into quotes"},
	{"unknown anchor", "a text that begins with * is an alias in YAML, and nothing has its name", "put the text into quotes"},
	{"anchor", "an alias is inside its own anchor", "write the value out"},
	{"did not find expected tag URI", "a value that begins with ! is a YAML tag", "put it into quotes, or write it below KEY: |"},
	{"did not find URI escaped octet", "a value that begins with ! is a YAML tag", "put it into quotes, or write it below KEY: |"},
	{"did not find expected '!'", "a value that begins with ! is a YAML tag", "put it into quotes, or write it below KEY: |"},
	{"found undefined tag handle", "a value that begins with ! is a YAML tag", "put it into quotes, or write it below KEY: |"},
	{"did not find expected whitespace", "a value that begins with !, & or * means something else in YAML", "put it into quotes, or write it below KEY: |"},
	{"did not find expected comment or line break", "something follows | or >", "begin the text in the next line, and indent it"},
	{"found an indentation indicator equal to 0", "something follows | or >", "begin the text in the next line, and indent it"},
	{"mapping keys are not allowed", "a text begins with a question mark and a space", "put it into quotes"},
	{"found a tab character", "the line is indented with a tab", "indent with spaces: YAML does not allow tabs"},
	{"found unexpected document indicator", "a line --- or ... stands in a text in quotes", "close the quotes before it"},
	{"did not find expected <document start>", "a line is no part of the list or mapping before it", "indent it like the others"},
	{"found invalid Unicode character escape code", "a text in double quotes has a backslash that means nothing there", "use single quotes, or write \\\\"},
	{"did not find expected hexdecimal number", "a text in double quotes has a backslash that means nothing there", "use single quotes, or write \\\\"},
	{"control characters are not allowed", "the file has control characters", "save it as plain text in UTF-8"},
	{"invalid ", "the file is not UTF-8", "save it as plain text in UTF-8"},
	{"incomplete UTF-", "the file is not UTF-8", "save it as plain text in UTF-8"},
	{"input error", "the file is not UTF-8", "save it as plain text in UTF-8"},
	{"exceeded max depth", "the file nests too deep", "write fewer levels"},
	{"found incompatible YAML document", "the file names another version of YAML", "remove the line with %YAML"},
	{"found unknown directive name", "a line begins with %, which means something else in YAML", "put it into quotes"},
	{"could not find expected directive name", "a line begins with %, which means something else in YAML", "put it into quotes"},
	{"did not find expected node content", "a list or a mapping in brackets has no end, or something in it is no value", "close it with ] or }, or put its texts into quotes"},
	{"found unexpected end of stream", "a text in quotes has no end", "close the quotes"},
	{"found unknown escape character", "a text in double quotes has a backslash that means nothing there", "use single quotes, or write \\\\"},
	{"found character that cannot start any token", "a text begins with a character that means something else in YAML", "put it into quotes"},
	{"block sequence entries are not allowed", "a list begins where none can be", "put it in a line of its own, below its key"},
}

// syntax reports what the YAML parser said.
func (s *source) syntax(err error) {
	where, advice := place{1, 1}, ""
	if second, ok := errors.AsType[*documentError](err); ok {
		s.fail(place{second.line, 1}, "", second.Error(), "put its policies into the first list and remove the line `---`")
		return
	}
	message := err.Error()
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		message = message[len(m[0]):]
		if line, err := strconv.Atoi(m[1]); err == nil {
			where.line = s.firstWrong(min(max(line, 1), len(s.lines)))
		}
	}
	for _, known := range yamlMessages {
		if strings.HasPrefix(message, known.begins) {
			message, advice = known.message, known.advice
			break
		}
	}
	if strings.HasPrefix(message, "a text that begins with *") && where.line == 1 { // the parser names no line
		if i := slices.IndexFunc(s.lines, func(line string) bool { return aliasValue.MatchString(line) }); i >= 0 {
			where.line = i + 1
		}
	}
	if key, value, cut := s.afterQuote(where.line); cut {
		advice = "put the whole expression into single quotes: " + key + ": '" + value + "'"
		if strings.Contains(value, "'") {
			advice = "write the whole expression below " + key + ": |"
		}
		message = "there is text after a closing quote"
	}
	if bracket, open := s.openBracket(); open && strings.HasPrefix(message, "a list or a mapping in brackets") { // the parser names no place
		s.fail(bracket, "", "the file is not YAML: "+message, advice)
		return
	}
	text := s.lines[where.line-1]
	where.column += len(text) - len(strings.TrimLeft(text, " "))
	if tab := strings.Index(text, "\t"); tab >= 0 && strings.TrimSpace(text[:tab]) == "" {
		message, advice = "the line is indented with a tab", "indent with spaces: YAML does not allow tabs"
	}
	s.fail(where, "", "the file is not YAML: "+message, advice)
}

// aliasValue is a value that begins like an alias.
var aliasValue = regexp.MustCompile(`(^|:\s+|-\s+)\*[^\s*]`)

// keyAndValue are the key and the value of a line.
var keyAndValue = regexp.MustCompile(`^\s*(?:- +)*([A-Za-z_][\w.-]*):\s+(.*?)\s*$`)

// afterQuote reports whether the value in a line begins with quotes and goes on after
// them: when: "a" in list.
func (s *source) afterQuote(line int) (key, value string, cut bool) {
	m := keyAndValue.FindStringSubmatch(s.lines[line-1])
	if len(m) < 3 || m[2] == "" || m[2][0] != '"' && m[2][0] != '\'' {
		return "", "", false
	}
	key, value = m[1], m[2]
	for i := 1; i < len(value); i++ {
		switch {
		case value[0] == '"' && value[i] == '\\':
			i++
		case value[i] != value[0]:
		case value[0] == '\'' && i+1 < len(value) && value[i+1] == '\'':
			i++
		default:
			rest := strings.TrimSpace(value[i+1:])
			return key, value, rest != "" && rest[0] != '#'
		}
	}
	return "", "", false
}

// openBracket is where the last bracket or brace of the file begins that has no end.
func (s *source) openBracket() (place, bool) {
	type position struct{ line, column int } // the column in bytes: counting characters for each bracket takes quadratic time
	var open []position
	for i, line := range s.lines {
		quote := byte(0)
		for j := range len(line) {
			switch c := line[j]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '#' && (j == 0 || line[j-1] == ' '):
				line = line[:j]
			case c == '[' || c == '{':
				open = append(open, position{i, j})
			case (c == ']' || c == '}') && len(open) > 0:
				open = open[:len(open)-1]
			}
			if j >= len(line) {
				break
			}
		}
	}
	if len(open) == 0 {
		return place{}, false
	}
	last := open[len(open)-1]
	return place{last.line + 1, utf8.RuneCountInString(s.lines[last.line][:last.column]) + 1}, true
}

// Bounds on the work to find the line in which a file stops being YAML.
const (
	mostWindow = 100     // lines that a text or list in brackets may have
	mostReread = 8 << 20 // bytes
)

// firstWrong is the line in which a file stops being YAML. The parser reports
// the line in which the list or mapping begins that it could not read, or the
// one before; the lines up to the wrong one are valid. The search starts there,
// and skips brackets and quotes that span lines.
func (s *source) firstWrong(from int) int {
	budget := mostReread
	size := 0
	for _, text := range s.lines[:from-1] {
		size += len(text) + 1
	}
	right := from - 1 // the last line up to which the file is valid
	for line := from; line <= len(s.lines) && line <= right+mostWindow; line++ {
		size += len(s.lines[line-1]) + 1
		if budget -= size; budget < 0 {
			return from
		}
		if _, err := decode([]byte(strings.Join(s.lines[:line], "\n"))); err == nil {
			right = line
		}
	}
	return min(right+1, len(s.lines))
}

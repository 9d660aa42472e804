package sql

import "strings"

// token is a word, a quoted name, a string, a number or a sign.
type token struct {
	text string
	// upper is the text in upper case for signs and unquoted words. It is empty
	// for quoted names and strings.
	upper string
	str   bool
}

// Dialect is a way to read SQL. Dialects differ in what is a comment and where a
// string ends: read in the wrong one, a statement that runs can look like either.
type Dialect uint8

const (
	// Standard is the dialect of PostgreSQL, SQLite, SQL Server and most others.
	Standard Dialect = iota
	// MySQL starts comments with #, requires a blank after --, and lets a
	// backslash escape a quote in a string.
	MySQL
)

// Dialects are all dialects, for texts of which nobody knows who will run them.
func Dialects() []Dialect { return []Dialect{Standard, MySQL} }

// maxTokens is how many tokens of a text are read.
const maxTokens = 100_000

// splitStatements splits a text into statements, each a list of tokens. A statement
// ends at a semicolon, or at a line that is GO. Comments are dropped, except for
// those that MySQL runs. all is false if there were more than maxTokens.
func splitStatements(text string, in Dialect) (statements [][]token, all bool) {
	var (
		current []token
		count   int
	)
	flush := func() {
		if len(current) > 0 {
			statements = append(statements, current)
			current = nil
		}
	}
	add := func(t token) {
		count++
		current = append(current, t)
	}
	for i := 0; i < len(text); {
		if count >= maxTokens {
			flush()
			return statements, false
		}
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '\n':
			if n := len(current); n > 0 && current[n-1].upper == "GO" {
				current = current[:n-1]
				flush()
			}
			i++
		case strings.HasPrefix(text[i:], "--") && (in != MySQL || i+2 >= len(text) || text[i+2] <= ' '):
			i = lineEnd(text, i)
		case c == '#' && in == MySQL:
			i = lineEnd(text, i)
		case strings.HasPrefix(text[i:], "/*!"): // MySQL runs these
			i += 3
			for i < len(text) && '0' <= text[i] && text[i] <= '9' {
				i++
			}
		case strings.HasPrefix(text[i:], "*/"):
			i += 2
		case strings.HasPrefix(text[i:], "/*"):
			i = commentEnd(text, i)
		case c == ';':
			flush()
			i++
		case c == '\'':
			escapes := in == MySQL || i > 0 && (text[i-1] == 'E' || text[i-1] == 'e') && len(current) > 0 && current[len(current)-1].upper == "E"
			s, end := quoted(text, i, c, escapes)
			add(token{text: s, str: true})
			i = end
		case c == '"' || c == '`':
			s, end := quoted(text, i, c, false)
			add(token{text: s})
			i = end
		case c == '[' && bracketEnd(text, i) > 0:
			end := bracketEnd(text, i)
			add(token{text: text[i+1 : end]})
			i = end + 1
		case c == '$' && dollarTag(text, i) != "":
			tag := dollarTag(text, i)
			body := text[i+len(tag):]
			end := strings.Index(body, tag)
			if end < 0 {
				end = len(body)
			}
			add(token{text: body[:end], str: true})
			i = min(len(text), i+end+2*len(tag))
		case isWordByte(c):
			end := i
			for end < len(text) && isWordByte(text[end]) {
				end++
			}
			add(token{text: text[i:end], upper: strings.ToUpper(text[i:end])})
			i = end
		default:
			add(token{text: text[i : i+1], upper: text[i : i+1]})
			i++
		}
	}
	if n := len(current); n > 0 && current[n-1].upper == "GO" {
		current = current[:n-1]
	}
	flush()
	return statements, true
}

// isWordByte reports whether c is part of a word: a name, a number, a letter beyond
// ASCII, or a variable that was put into the text and whose value is unknown ($X).
func isWordByte(c byte) bool {
	return isNameByte(c) || c == '$' || c == '@' || c == '{' || c == '}' || c >= 0x80
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// commentEnd returns the end of the comment at i. Comments nest in PostgreSQL and
// not elsewhere. The first end counts, so that nothing that may run is taken for a
// comment.
func commentEnd(text string, i int) int {
	if n := strings.Index(text[i+2:], "*/"); n >= 0 {
		return i + 2 + n + 2
	}
	return len(text)
}

// quoted returns what is between the quote at i and the one that closes it, and the
// index after that. Two quotes stand for one, and with escapes so does one after a
// backslash.
func quoted(text string, i int, quote byte, escapes bool) (string, int) {
	start := i + 1
	for i = start; i < len(text); i++ {
		switch {
		case escapes && text[i] == '\\':
			i++
		case text[i] != quote:
		case i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return text[start:i], i + 1
		}
	}
	return text[min(start, len(text)):], len(text)
}

// bracketEnd returns the end of a name in brackets, or 0 if it is not one.
func bracketEnd(text string, i int) int {
	end := strings.IndexByte(text[i:min(len(text), i+130)], ']')
	if end < 2 {
		return 0
	}
	for _, c := range []byte(text[i+1 : i+end]) {
		if !isNameByte(c) && c != ' ' && c != '-' {
			return 0
		}
	}
	if c := text[i+1]; '0' <= c && c <= '9' {
		return 0
	}
	return i + end
}

// dollarTag returns the tag of the dollar quote at i, $$ or $name$, or "".
func dollarTag(text string, i int) string {
	for end := i + 1; end < len(text) && end-i < 64; end++ {
		if text[end] == '$' {
			return text[i : end+1]
		}
		if !isNameByte(text[end]) {
			break
		}
	}
	return ""
}

// set returns the words of a text as a set.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		m[word] = true
	}
	return m
}

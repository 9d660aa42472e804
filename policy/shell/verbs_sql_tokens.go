package shell

import "strings"

// sqlToken is a word, a quoted name, a string, a number or a sign of SQL.
type sqlToken struct {
	text string
	// upper is the text in capitals for words that are not quoted, and for
	// signs; empty for names in quotes and for strings.
	upper string
	str   bool
}

// sqlDialect is what databases do not agree about. Read wrongly, a comment or a
// string hides what runs.
type sqlDialect struct {
	// hash: # begins a comment, and -- only before a blank.
	hash bool
	// backslash: it keeps a quote in a string.
	backslash bool
}

var (
	standardSQL = sqlDialect{}
	mySQL       = sqlDialect{hash: true, backslash: true}
)

// mostSQLTokens is how much of a SQL text is looked at, in tokens.
const mostSQLTokens = 100_000

// sqlStatements splits a text into statements of tokens. Comments are left out,
// except those that MySQL runs. Each statement ends at a semicolon, or at a line
// that is GO. It is not all if there are too many tokens.
func sqlStatements(text string, in sqlDialect) (statements [][]sqlToken, all bool) {
	var (
		current []sqlToken
		count   int
	)
	flush := func() {
		if len(current) > 0 {
			statements = append(statements, current)
			current = nil
		}
	}
	add := func(t sqlToken) {
		count++
		current = append(current, t)
	}
	for i := 0; i < len(text); {
		if count >= mostSQLTokens {
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
		case strings.HasPrefix(text[i:], "--") && (!in.hash || i+2 >= len(text) || text[i+2] <= ' '):
			i = sqlLineEnd(text, i)
		case c == '#' && in.hash:
			i = sqlLineEnd(text, i)
		case strings.HasPrefix(text[i:], "/*!"): // MySQL runs it
			i += 3
			for i < len(text) && '0' <= text[i] && text[i] <= '9' {
				i++
			}
		case strings.HasPrefix(text[i:], "*/"):
			i += 2
		case strings.HasPrefix(text[i:], "/*"):
			i = sqlCommentEnd(text, i)
		case c == ';':
			flush()
			i++
		case c == '\'':
			escapes := in.backslash || i > 0 && (text[i-1] == 'E' || text[i-1] == 'e') && len(current) > 0 && current[len(current)-1].upper == "E"
			s, end := sqlQuoted(text, i, c, escapes)
			add(sqlToken{text: s, str: true})
			i = end
		case c == '"' || c == '`':
			s, end := sqlQuoted(text, i, c, false)
			add(sqlToken{text: s})
			i = end
		case c == '[' && sqlBracket(text, i) > 0:
			end := sqlBracket(text, i)
			add(sqlToken{text: text[i+1 : end]})
			i = end + 1
		case c == '$' && sqlDollar(text, i) != "":
			tag := sqlDollar(text, i)
			body := text[i+len(tag):]
			end := strings.Index(body, tag)
			if end < 0 {
				end = len(body)
			}
			add(sqlToken{text: body[:end], str: true})
			i = min(len(text), i+end+2*len(tag))
		case isSQLWord(c):
			end := i
			for end < len(text) && isSQLWord(text[end]) {
				end++
			}
			add(sqlToken{text: text[i:end], upper: strings.ToUpper(text[i:end])})
			i = end
		default:
			add(sqlToken{text: text[i : i+1], upper: text[i : i+1]})
			i++
		}
	}
	if n := len(current); n > 0 && current[n-1].upper == "GO" {
		current = current[:n-1]
	}
	flush()
	return statements, true
}

// isSQLWord: names, numbers, variables of the shell that were not known, and
// letters beyond ASCII.
func isSQLWord(c byte) bool {
	return isNameByte(c) || c == '$' || c == '@' || c == '{' || c == '}' || c >= 0x80
}

func sqlLineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// sqlCommentEnd is the end of a comment. Those of PostgreSQL nest, those of
// others do not: the first end counts, so that nothing is taken for a comment
// that may run.
func sqlCommentEnd(text string, i int) int {
	if n := strings.Index(text[i+2:], "*/"); n >= 0 {
		return i + 2 + n + 2
	}
	return len(text)
}

// sqlQuoted reads what is between quotes, in which a doubled quote is one, and,
// if it escapes, one after a backslash too.
func sqlQuoted(text string, i int, quote byte, escapes bool) (string, int) {
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

// sqlBracket is the end of a name in brackets, 0 if it is no such name.
func sqlBracket(text string, i int) int {
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

// sqlDollar is the tag of a dollar quote: $$ or $name$.
func sqlDollar(text string, i int) string {
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

package shell

import (
	"strings"
	"unicode/utf8"
)

// word is one word of a command after quotes are removed.
type word struct {
	text   string
	assign int  // offset of the = in NAME=value, 0 if it is no assignment
	quoted bool // some part was quoted, so that it is no keyword
	// Expansions that it has outside single quotes.
	variable, substitution, glob, brace bool
}

// known reports whether the text is what the command gets.
func (w *word) known() bool { return !w.variable && !w.substitution }

// plain are bytes that stand for themselves and do not end a word.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = !strings.ContainsRune(" \t\r\n;&|()<>\\'\"$`*?[{,", rune(c)) || c >= utf8.RuneSelf
	}
	return t
}()

// ends are bytes that end a word.
var ends = func() (t [256]bool) {
	for _, c := range " \t\n;&|()<>" {
		t[c] = true
	}
	return t
}()

// word reads the word at the cursor, which is not at its end.
func (r *reader) word() word {
	start := r.pos
	for r.pos < len(r.src) && plain[r.src[r.pos]] {
		r.pos++
	}
	if r.pos == len(r.src) || ends[r.src[r.pos]] && r.src[r.pos] != '(' {
		w := word{text: r.src[start:r.pos]}
		w.assign = assignment(w.text)
		return w
	}
	if r.pos == start {
		if text, ok := r.quoted(); ok {
			return word{text: text, quoted: true}
		}
	}
	var w word
	w.assign = assignment(r.src[start:r.pos])
	b := append(make([]byte, 0, r.pos-start+24), r.src[start:r.pos]...)
	braces := false
	equals := strings.IndexByte(r.src[start:r.pos], '=') >= 0 // only the first = can assign
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		switch {
		case c == '(' && w.assign > 0 && w.assign == len(b)-1:
			b = r.array(b, &w)
			continue
		case ends[c], c == '\r' && strings.HasPrefix(r.src[r.pos:], "\r\n"):
			w.text = string(b)
			return w
		case c == '\\':
			r.pos++
			if r.pos == len(r.src) {
				b = append(b, '\\')
				continue
			}
			if r.src[r.pos] != '\n' {
				b = append(b, r.src[r.pos])
				w.quoted = true
			}
		case c == '\'':
			b = r.single(b)
			w.quoted = true
			continue
		case c == '"':
			b = r.double(b, &w)
			w.quoted = true
			continue
		case c == '$':
			b = r.dollar(b, &w, false)
			continue
		case c == '`':
			b = r.backtick(b, &w)
			continue
		case c == '*', c == '?', c == '[':
			w.glob = true
			b = append(b, c)
		case c == '{':
			braces = true
			b = append(b, c)
		case c == ',':
			w.brace = w.brace || braces
			b = append(b, c)
		default:
			b = append(b, c)
			if c == '=' && !equals {
				equals = true
				if !w.quoted {
					w.assign = assignment(string(b))
				}
			}
		}
		r.pos++
	}
	w.text = string(b)
	return w
}

// quoted reads a word that is nothing but one quoted text, in which nothing
// stands for something else. Else the cursor stays.
func (r *reader) quoted() (text string, ok bool) {
	rest := r.src[r.pos:]
	quote := rest[0]
	if quote != '\'' && quote != '"' {
		return "", false
	}
	n := strings.IndexByte(rest[1:], quote) + 1
	if n == 0 || n+1 < len(rest) && !ends[rest[n+1]] {
		return "", false
	}
	if text = rest[1:n]; quote == '"' && strings.ContainsAny(text, "\\$`") {
		return "", false
	}
	r.pos += n + 1
	return text, true
}

// assignment returns the offset of the = if text starts like NAME=, NAME+= or
// NAME[i]=, else 0.
func assignment(text string) int {
	eq := strings.IndexByte(text, '=')
	if eq <= 0 || '0' <= text[0] && text[0] <= '9' {
		return 0
	}
	name := strings.TrimSuffix(text[:eq], "+")
	if open := strings.IndexByte(name, '['); open > 0 && strings.HasSuffix(name, "]") {
		name = name[:open]
	}
	for i := range len(name) {
		if !isNameByte(name[i]) {
			return 0
		}
	}
	if name == "" {
		return 0
	}
	return eq
}

// array reads the (...) of an array assignment.
func (r *reader) array(b []byte, w *word) []byte {
	start := r.pos
	if r.depth >= MaxDepth {
		r.mark(Nesting)
		r.pos = len(r.src)
		return append(b, r.src[start:]...)
	}
	r.depth++
	defer func() { r.depth-- }()
	for r.pos++; r.pos < len(r.src); {
		c := r.src[r.pos]
		switch {
		case c == ')':
			r.pos++
			return append(b, r.src[start:r.pos]...)
		case ends[c], c == '\r' && r.peek(1) == '\n': // where word would stand still
			r.pos++
		default:
			inner := r.word()
			w.variable = w.variable || inner.variable
			w.substitution = w.substitution || inner.substitution
		}
	}
	r.mark(Unbalanced)
	return append(b, r.src[start:]...)
}

// single reads '...'.
func (r *reader) single(b []byte) []byte {
	r.pos++
	n := strings.IndexByte(r.src[r.pos:], '\'')
	if n < 0 {
		r.mark(Unbalanced)
		b = append(b, r.src[r.pos:]...)
		r.pos = len(r.src)
		return b
	}
	b = append(b, r.src[r.pos:r.pos+n]...)
	r.pos += n + 1
	return b
}

// double reads "...".
func (r *reader) double(b []byte, w *word) []byte {
	r.pos++
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; c {
		case '"':
			r.pos++
			return b
		case '\\':
			if r.pos+1 == len(r.src) {
				r.pos++
				continue
			}
			next := r.src[r.pos+1]
			if next != '\n' {
				if strings.IndexByte("$`\"\\", next) < 0 {
					b = append(b, '\\')
				}
				b = append(b, next)
			}
			r.pos += 2
		case '$':
			b = r.dollar(b, w, true)
		case '`':
			b = r.backtick(b, w)
		default:
			b = append(b, c)
			r.pos++
		}
	}
	r.mark(Unbalanced)
	return b
}

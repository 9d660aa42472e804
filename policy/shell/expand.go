package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxArithmetic is how far the end of (( )) is looked for. Longer ones are read
// as commands, which finds more, never less.
const maxArithmetic = 256

// dollar reads what begins with $ and appends it as it is written.
func (r *reader) dollar(b []byte, w *word, inQuotes bool) []byte {
	start := r.pos
	r.pos++
	for strings.HasPrefix(r.src[r.pos:], "\\\n") {
		r.pos += 2 // a line may be continued even here
	}
	if r.pos == len(r.src) {
		return append(b, '$')
	}
	switch c := r.src[r.pos]; {
	case c == '\'' && !inQuotes:
		w.quoted = true
		return r.ansi(b)
	case c == '"' && !inQuotes:
		w.quoted = true
		return r.double(b, w)
	case c == '(':
		if end := r.arithmetic(); end > 0 {
			r.expansions(r.src[r.pos:end], w)
			r.pos = end
			return append(b, r.src[start:end]...)
		}
		r.pos++
		return r.substitution(b, w, start)
	case c == '{':
		w.variable = true
		r.parameter(w, inQuotes)
	case isNameByte(c), strings.IndexByte("@*#?-$!", c) >= 0:
		w.variable = true
		r.pos++
	}
	return append(b, r.src[start:r.pos]...)
}

// arithmetic returns the end of the arithmetic (( )) at the cursor, 0 if there
// is none near.
func (r *reader) arithmetic() int {
	src := r.src[r.pos:min(r.pos+maxArithmetic, len(r.src))]
	if !strings.HasPrefix(src, "((") || !r.pay(len(src)) {
		return 0
	}
	depth := 0
	for i := range len(src) {
		switch src[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 1 && !strings.HasPrefix(src[i:], "))") {
				// ((a); b): the inner one was closed on its own. A
				// parenthesis inside the arithmetic closes at depth 2.
				return 0
			}
			if depth == 0 {
				return r.pos + i + 1
			}
		}
	}
	return 0
}

// substitution reads the commands of $( ) or <( ) after the parenthesis. start
// is where the expansion begins.
func (r *reader) substitution(b []byte, w *word, start int) []byte {
	first, marks := len(r.commands), r.marks
	r.nested(endOfParen)
	// $(cat <<'EOF' ...) is how long texts are written: it is literal.
	if r.marks == marks && len(r.commands) == first+1 && r.literal == first+1 {
		if c := &r.commands[first]; c.Name == "cat" && len(c.Args) == 0 && c.Reads == nil && c.Writes == nil {
			return append(b, strings.TrimRight(c.Input, "\n")...)
		}
	}
	r.mark(Substitution)
	w.substitution = true
	return append(b, r.src[start:r.pos]...)
}

// nested reads a list inside the text at the cursor. What it does to its
// surroundings (cd) ends with it.
func (r *reader) nested(end ending) {
	if r.depth >= MaxDepth {
		r.mark(Nesting)
		r.pos = len(r.src)
		return
	}
	from, pending := r.from, r.pending
	r.pending = nil
	r.depth++
	r.list(end)
	r.depth--
	r.from, r.pending = from, append(pending, r.pending...)
}

// backtick reads `...` and appends it as it is written.
func (r *reader) backtick(b []byte, w *word) []byte {
	start := r.pos
	escaped := false
	for r.pos++; r.pos < len(r.src) && r.src[r.pos] != '`'; r.pos++ {
		if r.src[r.pos] == '\\' {
			escaped = true
			r.pos++
		}
	}
	if r.pos >= len(r.src) {
		r.pos = len(r.src)
		r.mark(Unbalanced)
	}
	script := r.src[min(start+1, r.pos):r.pos]
	if escaped {
		script = strings.NewReplacer("\\`", "`", `\\`, `\`, `\$`, `$`).Replace(script)
	}
	r.text(script, r.depth+1, r.from)
	r.pos = min(r.pos+1, len(r.src))
	r.mark(Substitution)
	w.substitution = true
	return append(b, r.src[start:r.pos]...)
}

// parameter reads ${...} with what it expands, the cursor on the brace.
func (r *reader) parameter(w *word, inQuotes bool) {
	if r.depth >= MaxDepth {
		r.mark(Nesting)
		r.pos = len(r.src)
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	for r.pos++; r.pos < len(r.src); {
		switch c := r.src[r.pos]; {
		case c == '}':
			r.pos++
			return
		case c == '\\':
			r.pos = min(r.pos+2, len(r.src))
		case c == '\'' && !inQuotes:
			r.single(nil)
		case c == '"':
			r.double(nil, w)
		case c == '`':
			r.backtick(nil, w)
		case c == '$':
			r.dollar(nil, w, inQuotes)
		default:
			r.pos++
		}
	}
	r.mark(Unbalanced)
}

// expansions runs the substitutions inside a text that is no command itself:
// arithmetic and here-documents.
func (r *reader) expansions(text string, w *word) {
	if strings.IndexByte(text, '$') < 0 && strings.IndexByte(text, '`') < 0 {
		return
	}
	if !r.pay(len(text)) {
		r.mark(Nesting)
		return
	}
	in := reader{splitter: r.splitter, src: text, depth: r.depth, from: r.from}
	for in.pos < len(text) {
		switch text[in.pos] {
		case '\\':
			in.pos += 2
		case '$':
			in.dollar(nil, w, true)
		case '`':
			in.backtick(nil, w)
		default:
			in.pos++
		}
	}
}

// ansi reads the '...' of $'...' with its escapes.
func (r *reader) ansi(b []byte) []byte {
	for r.pos++; r.pos < len(r.src); {
		c := r.src[r.pos]
		r.pos++
		switch {
		case c == '\'':
			return b
		case c == '\\' && r.pos < len(r.src):
			b = r.escape(b)
		default:
			b = append(b, c)
		}
	}
	r.mark(Unbalanced)
	return b
}

// escape reads one escape of $'...' after its backslash.
func (r *reader) escape(b []byte) []byte {
	c := r.src[r.pos]
	r.pos++
	if i := strings.IndexByte("abeEfnrtv", c); i >= 0 {
		return append(b, "\a\b\x1b\x1b\f\n\r\t\v"[i])
	}
	switch {
	case '0' <= c && c <= '7':
		r.pos--
		return append(b, byte(r.number(8, 3)))
	case c == 'x':
		return append(b, byte(r.number(16, 2)))
	case c == 'u':
		return utf8.AppendRune(b, r.number(16, 4))
	case c == 'U':
		return utf8.AppendRune(b, r.number(16, 8))
	case c == 'c' && r.pos < len(r.src):
		r.pos++
		return append(b, r.src[r.pos-1]&0x1f)
	case strings.IndexByte(`\'"?`, c) >= 0:
		return append(b, c)
	}
	return append(b, '\\', c)
}

// number reads up to n digits.
func (r *reader) number(base, n int) rune {
	end := r.pos
	for end < len(r.src) && end < r.pos+n {
		if _, err := strconv.ParseUint(r.src[end:end+1], base, 8); err != nil {
			break
		}
		end++
	}
	v, _ := strconv.ParseUint(r.src[r.pos:end], base, 32) // no digits mean 0
	r.pos = end
	return rune(v)
}

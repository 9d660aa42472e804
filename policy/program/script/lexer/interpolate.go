package lexer

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/library"
)

// interpolate emits a text between double quotes, cut into what stands as it is
// and what is computed.
func (l *lexer) interpolate(kind kind, raw string) {
	var parts []Part
	start := 0
	for i := 0; i < len(raw); {
		from, to, next := 0, 0, 0
		switch c := raw[i]; {
		case c == '\\':
			i += 2
			continue
		case c == '#' && l.language == library.Ruby && i+1 < len(raw) && raw[i+1] == '{':
			from = i + 2
			to, next = closing(raw, from)
		case (c == '$' || c == '@') && l.language == library.Perl:
			from, to, next = perlVariable(raw, i)
		case c == '$' && l.language == library.PHP && i+1 < len(raw) && IsWordStart(raw[i+1]):
			from, to = i, member(raw, i+1)
			next = to
		case (c == '{' && i+1 < len(raw) && raw[i+1] == '$' || c == '$' && i+1 < len(raw) && raw[i+1] == '{') && l.language == library.PHP:
			from = i + 1
			if c == '$' {
				from++
			}
			to, next = closing(raw, from)
		}
		if next == 0 {
			i++
			continue
		}
		parts = appendText(parts, decode.Escapes(raw[start:i], decode.Usual))
		code := raw[from:to]
		if l.language == library.PHP && code != "" && code[0] != '$' { // "${name}"
			code = "$" + code
		}
		parts = append(parts, Part{Text: code, Code: true})
		i, start = next, next
	}
	l.texts(kind, parts, decode.Escapes(raw[start:], decode.Usual))
}

// closing finds the brace that ends an expression.
func closing(raw string, from int) (to, next int) {
	l := lexer{src: raw, pos: from}
	l.braces()
	if l.pos > from && raw[min(l.pos, len(raw))-1] == '}' {
		return l.pos - 1, l.pos
	}
	return len(raw), len(raw)
}

// perlVariable finds the variable that begins at i. next is 0 if there is none.
func perlVariable(raw string, i int) (from, to, next int) {
	at := i + 1
	switch {
	case at >= len(raw):
	case raw[at] == '{':
		to, next = closing(raw, at+1)
		return at + 1, to, next
	case strings.HasPrefix(raw[i:], "$^") && at+1 < len(raw) && 'A' <= raw[at+1] && raw[at+1] <= 'Z': // $^X
		return i, at + 2, at + 2
	case IsWordStart(raw[at]) || raw[i] == '$' && IsDigit(raw[at]):
		to = member(raw, at)
		return i, to, to
	}
	return 0, 0, 0
}

// member finds the end of a variable with the elements and members after it.
func member(raw string, at int) int {
	for at < len(raw) && (IsWord(raw[at]) || raw[at] == ':' && at+2 < len(raw) && raw[at+1] == ':' && IsWordStart(raw[at+2]) || raw[at] == ':' && raw[at-1] == ':') {
		at++
	}
	for at < len(raw) {
		rest := raw[at:]
		if strings.HasPrefix(rest, "->") && len(rest) > 2 && (IsWordStart(rest[2]) || rest[2] == '{' || rest[2] == '[') {
			at += 2
			for at < len(raw) && IsWord(raw[at]) {
				at++
			}
			continue
		}
		if rest[0] == '[' || rest[0] == '{' {
			end := strings.IndexByte(rest[:min(len(rest), 65)], "]}"[strings.IndexByte("[{", rest[0])])
			if end < 0 || strings.ContainsAny(rest[1:end], " \n") {
				return at
			}
			at += end + 1
			continue
		}
		return at
	}
	return at
}

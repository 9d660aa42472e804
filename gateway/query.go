package gateway

import (
	"iter"
	"net/url"
	"slices"
	"strings"
)

// mostDecoded is how often a part of a query is decoded. No server decodes more than
// once, but one behind a proxy may see what the proxy decoded.
const mostDecoded = 3

// parameters returns the parameters of a query as any server could read them: escapes
// and plus signs decoded, ; like & between them, names in lower case, without the $
// that Google allows and without the brackets that mark a list in PHP and Rails. A check must hold for all of them; the query is forwarded as
// it arrived.
func parameters(query string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		if query == "" {
			return
		}
		for pair := range strings.FieldsFuncSeq(fullyDecoded(query), func(c rune) bool { return c == '&' || c == ';' }) {
			name, value, _ := strings.Cut(pair, "=")
			name, _, _ = strings.Cut(name, "[")
			name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "$")
			if !yield(name, strings.TrimSpace(value)) {
				return
			}
		}
	}
}

// parameter returns all values of a parameter.
func parameter(query, name string) []string {
	var values []string
	for have, value := range parameters(query) {
		if have == name {
			values = append(values, value)
		}
	}
	return values
}

// onlyValue reports whether a parameter has this value and no other, however often it
// is given.
func onlyValue(query, name, value string) bool {
	values := parameter(query, name)
	return len(values) > 0 && !slices.ContainsFunc(values, func(have string) bool { return have != value })
}

// fullyDecoded decodes a text until nothing changes, and leaves what is not an escape.
func fullyDecoded(text string) string {
	anyReading(text, func(reading string) bool { text = reading; return false })
	return text
}

// anyReading reports whether a test holds for a text or for any of its decoded forms.
func anyReading(text string, is func(string) bool) bool {
	for range mostDecoded {
		if is(text) {
			return true
		}
		plain := decodedOnce(text)
		if plain == text {
			return false
		}
		text = plain
	}
	return is(text)
}

func decodedOnce(text string) string {
	if !strings.ContainsAny(text, "%+") {
		return text
	}
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	var b strings.Builder // something in it is not an escape
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '+':
			b.WriteByte(' ')
		case text[i] == '%' && i+2 < len(text):
			if plain, err := url.QueryUnescape(text[i : i+3]); err == nil {
				b.WriteString(plain)
				i += 2
				continue
			}
			b.WriteByte('%')
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

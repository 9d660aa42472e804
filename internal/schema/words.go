package schema

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable makes untrusted text safe for an explanation: it removes invisible
// characters and truncates it to limit characters.
func Printable(text string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n == limit {
			b.WriteString("...")
			break
		}
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			r = '?'
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// maxListed is the maximum number of names or values listed in an explanation.
const maxListed = 12

// Quoted lists names, at most a dozen, each in quotes and Printable.
func Quoted(names []string) string {
	list := make([]string, 0, min(len(names), maxListed+1))
	for _, name := range names[:min(len(names), maxListed)] {
		list = append(list, strconv.Quote(Printable(name, 40)))
	}
	if len(names) > maxListed {
		list = append(list, "...")
	}
	return strings.Join(list, ", ")
}

// excerpt is a text that is made Printable when it is formatted.
type excerpt string

func (e excerpt) String() string { return Printable(string(e), 120) }

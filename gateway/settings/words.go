package settings

import (
	"regexp"
	"strconv"
)

// credential is what a key or token looks like: a known beginning, or a long
// run of letters and digits. It matches more than just secrets.
var credential = regexp.MustCompile(`(?i)slk_|sk-|AIza|gh[a-z]_|xox[a-z]-|eyJ|[A-Za-z0-9+/=_-]{24,}`)

// quote quotes a text for a message, the beginning if it is long. People put
// values in the wrong place, so what could be a secret is not repeated.
func quote(text string) string {
	if credential.MatchString(text) {
		return hidden
	}
	return quotePath(text)
}

// quotePath quotes the name of a file, however long it is.
func quotePath(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return strconv.Quote(text)
}

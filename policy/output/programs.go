package output

import (
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// redisLists is the pattern of the keys that redis-cli lists, empty if it lists
// none or all of them.
func redisLists(a *invocation.Act) string {
	in := Reading(a, "redis-cli", a.Args)
	pattern := in.Value("pattern")
	if words := in.Values("word"); len(words) > 1 && strings.EqualFold(words[0], "KEYS") {
		pattern = words[1]
	}
	if strings.Trim(pattern, "*?[]^-") == "" || invocation.Unknown(pattern) {
		return ""
	}
	return pattern
}

// displays reports whether a program prints what it reads, from files and from
// its input, so that it can be read, and whether it prints its arguments.
func displays(a *invocation.Act) (contents, words bool) {
	if contents, words = describedPrints(a); contents || words {
		return contents, words
	}
	contents = says(a, "contents")
	if words = says(a, "words"); a.Name == "printf" {
		words = len(a.Args) == 0 || a.Args[0] != "-v"
	}
	if contents || words {
		return contents, words
	}
	if a.IsCode() || says(a, "code") {
		shows := codeShows(a)
		return shows, shows
	}
	return false, false
}

// IsCredentialWord reports whether a text that asks for something asks for a
// secret.
func IsCredentialWord(text string) bool {
	text = strings.ToLower(text)
	for i := range len(text) {
		found := false
		switch rest := text[i:]; rest[0] {
		case 'p':
			found = strings.HasPrefix(rest, "pass") || strings.HasPrefix(rest, "pwd") || strings.HasPrefix(rest, "private") || strings.HasPrefix(rest, "parameter")
		case 's':
			found = strings.HasPrefix(rest, "secret")
		case 't':
			found = strings.HasPrefix(rest, "token")
		case 'k':
			found = strings.HasPrefix(rest, "key")
		case 'c':
			found = strings.HasPrefix(rest, "cred")
		case 'a':
			found = strings.HasPrefix(rest, "auth")
		case 'd':
			found = strings.HasPrefix(rest, "data")
		case 'v':
			found = strings.HasPrefix(rest, "value")
		}
		if found {
			return true
		}
	}
	return false
}

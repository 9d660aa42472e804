package secret

import (
	"regexp"
	"slices"
	"strings"
)

// token is a secret that is recognised by its own form, wherever it is. The first
// group of the pattern is the secret, or all of it where it has no group.
//
// Patterns are written for reading text in flight: each begins with characters
// that are rare in other text, since text is held back from where one begins, and
// repeats without a bound where the exact length says nothing.
type token struct{ name, pattern string }

// runEnd follows a token of a fixed length with a short prefix, which a longer
// run of base64 is likely to contain by chance.
const runEnd = `(?:[^\w+/=-]|\z)`

// tokens lists all of them; where two match at the same place the first one wins.
var tokens = slices.Concat(keys, models, clouds, forges, payments, messages)

// checks confirm tokens for which the common check is wrong.
var checks = map[string]func(found string) bool{
	"private-key":           isArmour,
	"pgp-private-key":       isArmour,
	"putty-private-key":     isArmour,
	"private-key-in-base64": isArmour,
	"pkcs12-in-base64":      isArmour,
	"azure-sas-signature":   isNoPretence,
	"slack-webhook":         isRandomPath,
	"zapier-webhook":        isRandomPath,
	"coinbase-key":          isNoPretence,
	"twitter-bearer":        isBearer,
	"gitlab-trigger-token":  isNoPretence,
	"sidekiq-url":           isNoPretence,
}

// isArmour: keys in armour have long runs of the same character.
func isArmour(found string) bool { return len(found) > 70 && entropy(found) > 4 }

func isRandomPath(found string) bool {
	return !isPretence(found) && entropy(found) > 2.5
}

// isBearer: what follows the zeros of the number is random.
func isBearer(found string) bool {
	body := strings.TrimLeft(found, "A")
	return len(body) > 40 && isNoPretence(body) && spread(body)
}

func isNoPretence(found string) bool { return !isPretence(found) }

// confirm makes the check of a token: what varies in it must look random.
func (t token) confirm() func(found string) bool {
	if check, special := checks[t.name]; special {
		return check
	}
	prefix := t.prefix()
	return func(found string) bool {
		if isPretence(found) {
			return false
		}
		body := random(strings.TrimPrefix(found, prefix))
		k := count(body)
		mixed := k.digit > 0 && k.lower+k.upper > 0 || k.lower > 0 && k.upper > 0
		named := k.digit*16 <= len(body) && wordy(body, 8)
		return mixed && !named && spread(body)
	}
}

// random is a token without the words that say which kind of token it is.
func random(body string) string {
	for range 2 {
		at := strings.IndexAny(body, "-_.")
		if at < 0 || at > 12 || len(body)-at < 10 || count(body[:at]).lower < at {
			break
		}
		body = body[at+1:]
	}
	return body
}

// prefix is what every text of the pattern begins with.
func (t token) prefix() string {
	prefix, _ := regexp.MustCompile(strings.TrimPrefix(t.pattern, `\b`)).LiteralPrefix()
	return prefix
}

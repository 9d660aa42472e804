package secret

import (
	"regexp"
	"strings"
)

// isExpression reports that a value is a part of a program or a template, a
// place, or a number: something that refers to a value, or no secret at all.
func isExpression(value string) bool {
	switch {
	case strings.ContainsAny(value[:1], "$%<{(/.~@*#&"),
		strings.Contains(value, "${"), strings.Contains(value, "{{"), strings.Contains(value, "$("),
		strings.Contains(value, "://"), strings.Contains(value, "..."), strings.Contains(value, "**"), strings.Contains(value, "%s"),
		strings.Contains(value, "[secret:"), strings.Contains(value, "()"), strings.Contains(value, "->"),
		strings.HasPrefix(value, "sha256:"), strings.HasPrefix(value, "sha1-"), strings.HasPrefix(value, "sha256-"),
		strings.HasPrefix(value, "sha384-"), strings.HasPrefix(value, "sha512-"), strings.HasPrefix(value, "arn:"),
		strings.HasPrefix(value, "data:"), strings.HasPrefix(value, "vault:"), strings.HasPrefix(value, "op:"):
		return true
	case len(value) > 3 && value[1] == ':' && value[2] == '\\':
		return true
	}
	return plainValue.MatchString(value)
}

// plainValue are numbers, versions, dates, file names, chains of names, and words
// with a number.
var plainValue = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`[+-]?[0-9][0-9_.,:xTZ+-]*`,
	`(?i:v)?[0-9]+(?:\.[0-9A-Za-z]+){1,5}(?:[-+][0-9A-Za-z.-]+)?`,
	`[\w.@/-]+\.(?:json|ya?ml|toml|pem|key|crt|txt|env|ts|js|go|py|rb|java|md|html|css|png|svg|sh|conf|cfg|ini|xml|sql|com|org|io|net|dev|local)(?::[0-9]+)?`,
	`[A-Za-z_$][A-Za-z_$]*[0-9]{0,3}(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+`,
	`[A-Za-z]+[0-9]{0,4}(?:[-_./:@ ](?:[A-Za-z]+[0-9]{0,4}|[0-9]{1,4}))*`,
	`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
}, "|") + `)$`)

// isKey reports that a value can be a key that a machine made. A short one of
// hexadecimal digits is rather a checksum.
func isKey(value string) bool {
	if len(value) < 24 && hexes()(value) {
		return false
	}
	k := count(value)
	letters := k.lower + k.upper
	return letters > 0 && k.digit > 0 && k.other == 0 && k.symbol <= len(value)/4 && !isUUID(value) &&
		randomEnough(value) && !containsAny(strings.ToLower(value), weakPretences)
}

// isPassword reports that a value can be a password: as random as a key, or with
// the mixture that people are asked for.
func isPassword(value string) bool {
	if len(value) < 8 || len(value) > 200 || isUUID(value) || containsAny(strings.ToLower(value), weakPretences) {
		return false
	}
	k := count(value)
	if k.other > 0 || k.lower+k.upper == 0 || k.digit == 0 {
		return false
	}
	if k.symbol > 0 && k.lower > 0 {
		return k.symbol <= len(value)/2
	}
	return randomEnough(value)
}

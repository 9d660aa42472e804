package secret

import "strings"

// context is a way in which secrets without a form of their own are written. The
// first group of the pattern is the value.
type context struct {
	pattern string
	// judge names the rule by which the value is a secret, or says "". before
	// and after are the rest of the match.
	judge func(before, value, after string) string
}

// contexts lists all of them; where two match at the same place the first one
// wins.
var contexts = []context{
	{assignments(), assignment},
	{`--(?:[a-z]+-){0,3}(?:password|passwd|pass|passphrase|token|secret|api-?key|access-?key|secret-?key|auth-?key|private-?key)[ \t]{1,2}` +
		quote + `?(` + mixed(inWord) + `={0,2})` + wordEnd, option},
	{`(?i:passw(?:or)?d|passphrase|secret|token|api-?key|access-?key|secret-?key)>([^<>` + inQuotes + `]{8,})</`, element},
	{`://[^:/?#@<>(){}` + inQuotes + `]*:([^:/@<>` + inQuotes + `]{3,})@[\w.-]{1,6}`, address},
	{`\B(?:-u[ ]|--(?:proxy-)?user[ =])[ ]?` + quote + `?[\w.@+-]+:([^:@` + inQuotes + `]{6,})` + wordEnd, login},
	{`\bsshpass -p[ ]?` + quote + `?([^` + inQuotes + `]{6,})` + wordEnd, login},
	{`\blogin[ \t\r\n]{1,4}[^\s\[\]]+[ \t\r\n]{1,4}password[ \t\r\n]{1,4}([^` + inQuotes + `]{4,})`, netrc},
	{`"auth"\s{0,4}:\s{0,4}"([A-Za-z0-9+/]{12,}={0,2})"`, registryLogin},
}

// contextRules are the names that the judges of contexts give, besides those of
// vendors and generic.
var contextRules = []string{"command-line-secret", "xml-secret", "url-password", "login-password", "netrc-password", "registry-login"}

func assignment(before, value, _ string) string { return judgeAssignment(before, value) }

func option(before, value, _ string) string {
	if isPretence(value) || isExpression(value) {
		return ""
	}
	if strings.Contains(before, "pass") {
		return only("command-line-secret", isPassword(value))
	}
	return only("command-line-secret", len(value) >= 12 && isKey(value))
}

func element(before, value, _ string) string {
	if isPretence(value) || isExpression(value) {
		return ""
	}
	if strings.Contains(strings.ToLower(before), "pass") {
		return only("xml-secret", isPassword(value))
	}
	return only("xml-secret", len(value) >= 12 && isKey(value))
}

// address judges the password in an address, which may be weak: its position
// between a name and a host is enough.
func address(before, value, after string) string {
	user := strings.TrimSuffix(strings.TrimPrefix(before, "://"), ":")
	lower := strings.ToLower(value)
	k := count(value)
	switch {
	case isPretence(value), strings.EqualFold(value, user), strings.HasPrefix(after, "@sha"),
		strings.ContainsAny(value, "${}%*") && !escaped(value), strings.HasPrefix(value, "x-"),
		k.other > 0, k.lower+k.upper == 0, containsAny(lower, weakPretences) && len(value) < 20, len(value) < 5,
		k.digit+k.upper+k.symbol == 0 && (len(value) < 12 || wordy(value, 4)), lower == "pass", lower == "passwort":
		return ""
	}
	return "url-password"
}

// escaped reports that each percent sign of a text begins an escape and that it
// has nothing else that templates are made of.
func escaped(s string) bool {
	if strings.ContainsAny(s, "${}*") {
		return false
	}
	for i := range len(s) {
		if s[i] == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])) {
			return false
		}
	}
	return true
}

func login(_, value, _ string) string {
	if isPretence(value) || isExpression(value) {
		return ""
	}
	return only("login-password", isPassword(value))
}

func netrc(_, value, _ string) string {
	lower := strings.ToLower(value)
	if isPretence(value) || strings.ContainsAny(value, "${}<>") || containsAny(lower, weakPretences) {
		return ""
	}
	return only("netrc-password", len(value) >= 8 && count(value).digit > 0)
}

func registryLogin(_, value, _ string) string {
	return only("registry-login", isBasic(value))
}

package secret

import (
	"slices"
	"strings"
)

// generic are the names of secrets of no particular vendor, in the order in which
// they are tried, with their rule: none for those that only sound like one.
var generic = []struct {
	rule  string
	words []string
}{
	{"", slices.Concat(words("page token"), with("token", "next", "page", "continuation", "sync",
		"client", "cancellation", "csrf", "forward", "backward", "update", "change", "lock", "pagination"))},
	{"password", words("password", "passwd", "passphrase", "passwort", "_pass", "-pass", "pwd", "_pw")},
	{"secret", words("secret")},
	{"encryption-key", with("key", "private", "signing", "encryption", "encrypt", "crypt", "hmac")},
	{"api-key", with("key", "api", "access", "auth", "app", "master", "account", "shared", "client", "service", "storage",
		"session", "license", "admin")},
	{"token", words("token")},
	{"credential", words("credential")},
	{"authorization-header", words("authorization")},
}

// with puts a word behind others, in each way in which two words are joined.
func with(last string, firsts ...string) (list []string) {
	for _, first := range firsts {
		list = append(list, first+last, first+"_"+last, first+"-"+last)
	}
	return list
}

// Parts of the pattern of assignments.
const (
	quote    = "(?:\\\\{0,2}[\"'`])"
	assigned = quote + `?\]?[ \t]*(?::[ \t]?[Ss]tr(?:ing)?[ \t]*=|:=|=>|={1,3}|:)[ \t]*`
	scheme   = `(?:(?i:bearer|basic|token|bot|apikey)[ ])?`

	// inQuotes is all but quotes, blanks and brackets; a word without quotes also
	// ends where it does in programs, settings and addresses.
	inQuotes = "\\s\"'`\\\\\\[\\]"
	inWord   = inQuotes + ",;&<>(){}|="
	wordEnd  = "(?:[\\s\"'`\\\\,;&<>)}|]|\\z)"
)

// mixed is the expression for a value that has a digit and is not just a short
// word or a number: so most of what programs assign is passed over without a
// second look. except is what it does not have.
func mixed(except string) string {
	all, other := "[^"+except+"]", "[^"+except+"0-9]"
	return `(?:[0-9]+` + other + all + `{3,}|` +
		other + `{1,3}[0-9]` + all + `{3,}|` +
		other + `{4,}[0-9]` + all + `{2,}|` +
		other + `{6,}[0-9]` + all + `?)`
}

// assignments is the pattern for a name and its value. A name has an end: encoded
// data that has a keyword by chance is not followed to its own.
func assignments() string {
	return `(?i:(?:` + keywords() + `)[\w-]{0,32}|` + strings.Join(shortWords, "|") + `)` + assigned +
		`(?:` + quote + scheme + `(` + mixed(inQuotes) + `)` + quote +
		`|` + scheme + `(` + mixed(inWord) + `={0,2})` + wordEnd + `)`
}

// keywords is the expression for the words that names of secrets begin with, or
// have in them. It is sorted, so that the expression shares their beginnings.
func keywords() string {
	var list []string
	for _, g := range generic {
		list = append(list, g.words...)
	}
	for _, v := range vendors {
		list = append(list, v.words[0])
	}
	slices.Sort(list)
	list = slices.DeleteFunc(slices.Compact(list), func(w string) bool { return slices.Contains(shortWords, w) })
	return strings.Join(list, "|")
}

// shortWords are keywords that only count at the end of a name: they turn up in
// encoded data by chance, and what follows there would take them for the
// beginning of a long name.
var shortWords = words("_auth", "_pass", "-pass", "_pw", "pwd")

// nameOf is the name that a match of an assignment begins with, in lower case.
func nameOf(match string) string {
	end := 0
	for end < len(match) && (isAlnum(match[end]) || match[end] == '_' || match[end] == '-') {
		end++
	}
	return strings.ToLower(match[:end])
}

// judgeAssignment names the rule by which the value of an assignment is a secret,
// or says "" if it is none. before is the match up to the value.
func judgeAssignment(before, value string) string {
	name := nameOf(before)
	if isPretence(value) || isAbout(name) {
		return ""
	}
	if v := vendorOf(name, value); v != "" {
		return v
	}
	rule := genericOf(name)
	switch {
	case rule == "" || isExpression(value):
		return ""
	case rule == "authorization-header" && name != "authorization":
		return ""
	case rule == "authorization-header":
		return only(rule, isAuthorization(schemeOf(before), value))
	case rule == "password":
		return only(rule, isPassword(value))
	default:
		return only(rule, len(value) >= 12 && isKey(value))
	}
}

// schemeOf is the word between an assignment and its value, in lower case: bearer,
// basic and so on, or "".
func schemeOf(before string) string {
	end := strings.TrimRight(before, " ")
	at := strings.LastIndexAny(end, " \t:=\"'`")
	if len(end) == len(before) || at < 0 {
		return ""
	}
	return strings.ToLower(end[at+1:])
}

// isAuthorization reports that a value can be what an Authorization header has
// behind the scheme.
func isAuthorization(scheme, value string) bool {
	switch {
	case scheme == "basic":
		return isBasic(value)
	case scheme == "" && len(value) < 32, len(value) < 16, count(value).symbol > 0:
		return false
	default:
		return isKey(value)
	}
}

func only(rule string, is bool) string {
	if is {
		return rule
	}
	return ""
}

// vendorOf is the vendor whose secret a value is, "" if it is none.
func vendorOf(name, value string) string {
	for i := range vendors {
		v := &vendors[i]
		if hasAll(name, v.words) && v.shape(value) && randomEnough(value) {
			return v.name
		}
	}
	return ""
}

func hasAll(name string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(name, w) {
			return false
		}
	}
	return true
}

// genericOf is the generic rule of a name, "" if it is not the name of a secret.
func genericOf(name string) string {
	for i := range generic {
		if containsAny(name, generic[i].words) {
			return generic[i].rule
		}
	}
	return ""
}

// about are the last words of names that describe a secret without containing it.
var about = []string{
	"id", "ids", "name", "names", "type", "count", "counts", "url", "uri", "path", "file", "dir", "field", "length", "len", "limit",
	"limits", "expiry", "expires", "ttl", "size", "policy", "hash", "hashes", "hashed", "digest", "checksum", "sha", "sha256", "ref",
	"arn", "version", "label", "regex", "pattern", "hint", "prompt", "prefix", "suffix", "format", "usage", "used", "index", "at",
	"time", "date", "timeout", "age", "min", "max", "tokenizer", "tokens", "tokenize", "tokenized", "class", "selector", "template",
	"env", "var", "key_name", "key_id", "fingerprint", "algorithm", "alg", "issuer", "endpoint", "host", "region", "model", "status",
	"error", "message", "placeholder", "icon", "color", "address", "contract", "mint", "symbol", "username", "user", "kid", "store",
	"manager", "provider", "rotation", "resolver", "validator", "schema", "budget", "cost", "price", "rate", "public", "cache", "reset",
	"integrity", "etag", "revision", "commit", "digests", "signature",
}

// isAbout reports that the last word of a name says that the value is not the
// secret itself.
func isAbout(name string) bool {
	end := len(name)
	for end > 0 && (name[end-1] == '_' || name[end-1] == '-') {
		end--
	}
	start := end
	for start > 0 && name[start-1] != '_' && name[start-1] != '-' {
		start--
	}
	last := name[start:end]
	if slices.Contains(about, last) {
		return true
	}
	// In camel case the last word has no boundary once it is in lower case; it is
	// what follows the keyword.
	for _, k := range []string{"password", "secret", "token", "key", "credential", "credentials"} {
		if at := strings.LastIndex(last, k); at >= 0 && slices.Contains(about, last[at+len(k):]) {
			return true
		}
	}
	return false
}

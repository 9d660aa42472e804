package flow

import "strings"

// collector finds the values in a private text.
type collector struct {
	text string
	// env: it is a file of settings, of which every value counts that is not
	// plainly something else.
	env  bool
	take func(value string)
}

const (
	minNamed = 8
	minToken = 12
	maxValue = 512
)

// named takes the values that have a name: NAME=value, name: value,
// "name": "value".
func (c *collector) named() {
	for i := range len(c.text) {
		if c.text[i] != '=' && c.text[i] != ':' {
			continue
		}
		name := nameBefore(c.text[:i])
		value := valueAfter(c.text[i+1:])
		if name == "" || len(value) < minNamed {
			continue
		}
		switch {
		case isSecretName(name):
			// Elsewhere than in settings, a key may be that of an issue.
			if !isStandIn(value) && (c.env || !isPlain(value) || isChecksum(value)) {
				c.take(value)
			}
		case c.env && hasBoth(value) && !isPlain(value):
			c.take(value)
		}
		if _, rest, ok := strings.Cut(value, "://"); ok { // the password of an address
			if user, _, ok := strings.Cut(rest, "@"); ok {
				if _, password, ok := strings.Cut(user, ":"); ok && len(password) >= minNamed && !isStandIn(password) {
					c.take(password)
				}
			}
		}
	}
}

// nameBefore is the name at the end of a text, before quotes and spaces.
func nameBefore(text string) string {
	text = text[max(0, len(text)-80):]
	text = strings.TrimRight(text, " \t\"'`")
	i := len(text)
	for i > 0 && (isWord(text[i-1]) || text[i-1] == '_' || text[i-1] == '-' || text[i-1] == '.') {
		i--
	}
	return text[i:]
}

// valueAfter is the value at the beginning of a text: what is quoted, or all up
// to a space.
func valueAfter(text string) string {
	text = text[:min(len(text), maxValue)]
	text = strings.TrimLeft(text, " \t")
	if text == "" {
		return ""
	}
	if q := text[0]; q == '"' || q == '\'' || q == '`' {
		if end := strings.IndexByte(text[1:], q); end >= 0 {
			return strings.TrimSpace(text[1 : 1+end])
		}
		text = text[1:]
	}
	if end := strings.IndexAny(text, " \t\r\n\"'`\\"); end >= 0 {
		text = text[:end]
	}
	return strings.TrimRight(text, ",;})]")
}

// tokens takes what looks as if a machine had made it.
func (c *collector) tokens() {
	start := 0
	for i := 0; i <= len(c.text); i++ {
		if i < len(c.text) && inToken(c.text[i]) {
			continue
		}
		if i-start >= minToken {
			c.token(strings.Trim(c.text[start:i], ".-/="))
		}
		start = i + 1
	}
}

func (c *collector) token(token string) {
	if at := strings.LastIndexByte(token, '='); at >= 0 { // behind a name
		token = token[at+1:]
	}
	if len(token) > maxValue {
		token = token[:maxValue]
	}
	if c.isMade(token) {
		c.take(token)
	}
	if strings.IndexByte(token, '/') < 0 {
		return
	}
	for part := range strings.SplitSeq(token, "/") {
		if c.isMade(part) {
			c.take(part)
		}
	}
}

func inToken(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '+' || c == '/' || c == '=' || c == '.' || c == '-'
}

// isMade reports whether a token looks as if a machine had made it: digits among
// letters and capitals among small letters, more often than words and numbers
// have them. Checksums and names that are made by machines too are not secret.
func (c *collector) isMade(token string) bool {
	if len(token) < minToken || !hasBoth(token) || isChecksum(token) || !c.env && len(token) == 32 && isHex(token) {
		return false
	}
	changes := 0
	for i := 1; i < len(token); i++ {
		a, b := sortOf(token[i-1]), sortOf(token[i])
		if a != b && a != other && b != other && (a != capital || b != small) {
			changes++
		}
	}
	return changes*5 >= len(token)
}

// The sorts of bytes.
const (
	other = iota
	digit
	small
	capital
)

func sortOf(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return digit
	case 'a' <= c && c <= 'z':
		return small
	case 'A' <= c && c <= 'Z':
		return capital
	}
	return other
}

func hasBoth(s string) bool {
	letters, digits := false, false
	for i := range len(s) {
		switch sortOf(s[i]) {
		case digit:
			digits = true
		case small, capital:
			letters = true
		}
	}
	return letters && digits
}

// isChecksum reports whether a token is a checksum, a commit or an UUID.
func isChecksum(token string) bool {
	switch n := len(token); {
	case n == 36:
		return token[8] == '-' && token[13] == '-' && token[18] == '-' && token[23] == '-' && isHex(strings.ReplaceAll(token, "-", ""))
	case n < 20, n == 40, n == 64:
		return isHex(token)
	}
	return false
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }

// isPlain reports whether a value of a setting is an address, a path, a version,
// a date, a number or made of words: nothing by which a text could be known.
func isPlain(value string) bool {
	if strings.Contains(value, "://") || strings.ContainsAny(value[:1], "/~.$<{(") || isChecksum(value) && len(value) > 20 {
		return true
	}
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("-_./:@, +", r) }) {
		letters := 0
		for letters < len(part) && sortOf(part[letters]) >= small {
			letters++
		}
		number := part[letters:]
		if strings.Trim(number, "0123456789TZ") != "" || len(number) > 4 && strings.IndexByte(number, 'T') < 0 {
			return false
		}
	}
	return true
}

// isStandIn reports whether a value is what stands everywhere instead of a secret.
func isStandIn(value string) bool {
	if len(value) < minToken && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz") == "" {
		return true // a word
	}
	v := strings.ToLower(value)
	for _, word := range []string{"changeme", "change-me", "change_me", "your_", "your-", "example", "placeholder", "xxxx", "****", "redacted", "process.env", "os.environ", "getenv", "undefined"} {
		if strings.Contains(v, word) {
			return true
		}
	}
	return strings.Contains(value, "://") || strings.ContainsAny(value[:1], "<{(/$")
}

// isSecretName reports whether a name says that what it names is secret.
func isSecretName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"key", "secret", "token", "password", "passwd", "passphrase", "pwd", "credential", "private", "auth_", "dsn"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return strings.HasSuffix(name, "auth") || strings.HasSuffix(name, "pass") || strings.HasSuffix(name, "pin") || strings.HasSuffix(name, "pat")
}

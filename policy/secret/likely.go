package secret

// shortText is the length up to which a text is looked over before it is searched:
// the arguments of calls are mostly short, and a search costs something to begin.
const shortText = 2048

// leastRun is how many characters of a token stand together in any secret that
// has a form of its own.
const leastRun = 16

// hints are the words of which one stands beside every secret that has no form of
// its own, in lower case.
var hints = [...]string{"key", "secret", "token", "pass", "pwd", "_pw", "-pw", "auth", "cred", "login", "user", "-u", "://", "sig", "dsn", "hook", "cookie", "jwt", "bearer", "private", "q~"}

// Likely reports whether there may be a secret in a text. It costs little and says no only
// if there is none.
func Likely(s string) bool {
	run := 0
	for i := range len(s) {
		c := s[i]
		if !isAlnum(c) && c != '_' && c != '-' && c != '+' && c != '=' {
			run = 0
			if c != ':' {
				continue
			}
		} else if run++; run >= leastRun {
			return true
		}
		if hinted(s[i:]) {
			return true
		}
	}
	return false
}

// hinted reports whether a text begins with one of the hints, in any case.
func hinted(s string) bool {
	c := s[0] | 0x20
	if 'A' <= s[0] && s[0] <= 'Z' || 'a' <= s[0] && s[0] <= 'z' {
		switch c {
		case 'k', 's', 't', 'p', 'a', 'c', 'l', 'u', 'd', 'h', 'j', 'b', 'q':
		default:
			return false
		}
	} else if s[0] != '_' && s[0] != '-' && s[0] != ':' {
		return false
	}
	for _, hint := range hints {
		if len(s) >= len(hint) && equalFold(s[:len(hint)], hint) {
			return true
		}
	}
	return false
}

func equalFold(s, lower string) bool {
	for i := range len(lower) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

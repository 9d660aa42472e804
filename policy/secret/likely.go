package secret

// shortText is the length up to which a text is looked over before it is searched:
// the arguments of calls are mostly short, and a search costs something to begin.
const shortText = 512

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

// pairs marks the first two letters of the hints: few places of a text have one.
var pairs = func() (marks [1 << 16 / 64]uint64) {
	for _, hint := range hints {
		at := pair(hint[0], hint[1])
		marks[at/64] |= 1 << (at % 64)
	}
	return marks
}()

func pair(a, b byte) uint { return uint(fold(a))<<8 | uint(fold(b)) }

func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// hinted reports whether a text begins with one of the hints, in any case.
func hinted(s string) bool {
	if len(s) < 2 {
		return false
	}
	if at := pair(s[0], s[1]); pairs[at/64]>>(at%64)&1 == 0 {
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
		if fold(s[i]) != lower[i] {
			return false
		}
	}
	return true
}

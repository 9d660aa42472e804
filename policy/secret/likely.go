package secret

// shortText is the length up to which the prefilter runs before the search: the
// arguments of calls are usually short, and starting a search has a cost.
const shortText = 512

// leastRun is the minimum number of consecutive token characters in any secret
// with a form of its own.
const leastRun = 16

// hints are words of which one is next to every secret without a form of its own,
// in lower case.
var hints = [...]string{"key", "secret", "token", "pass", "pwd", "_pw", "-pw", "auth", "cred", "login", "user", "-u", "://", "sig", "dsn", "hook", "cookie", "jwt", "bearer", "private", "q~"}

// Likely is a prefilter: it reports whether there may be a secret in a text. It is cheap,
// and false is certain.
func Likely(s string) bool {
	run := 0
	second := uint32(0) // the signs that make a hint with the character before
	for i := range len(s) {
		sign := signs[s[i]]
		if second>>(sign%inTokens)&1 != 0 && hinted(s[i-1:]) {
			return true
		}
		second = seconds[sign%inTokens]
		if sign&inTokens == 0 {
			run = 0
		} else if run++; run >= leastRun {
			return true
		}
	}
	return false
}

// inTokens marks the signs of characters of which tokens consist.
const inTokens = 32

// signs are what characters are taken for: those of the hints have one each,
// whatever their case, and all others none.
var signs = func() (list [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		list[c], list[c-'a'+'A'] = uint8(c-'a'+1), uint8(c-'a'+1)
	}
	list['_'], list['-'], list[':'], list['/'], list['~'] = 27, 28, 29, 30, 31
	for c := range list {
		if b := byte(c); isAlnum(b) || b == '_' || b == '-' || b == '+' || b == '=' {
			list[c] |= inTokens
		}
	}
	return list
}()

// seconds are, by the first sign of a hint, the second ones: few places of a text
// have such a pair.
var seconds = func() (marks [inTokens]uint32) {
	for _, hint := range hints {
		marks[signs[hint[0]]%inTokens] |= 1 << (signs[hint[1]] % inTokens)
	}
	return marks
}()

// hinted reports whether a text begins with one of the hints, in any case.
func hinted(s string) bool {
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

func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

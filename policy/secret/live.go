package secret

import "strings"

// Live lists the secrets in a text that are keys in use, as far as a text can say so:
// those with a form of their own that no test keys and no public keys have, and that
// the line they stand on does not call an example.
func Live(s string) []Finding {
	found := Find(s)
	live := found[:0]
	for _, f := range found {
		if secretForms[f.Rule] && !isTrial(s[f.Start:f.End]) && !containsAnyWord(lineAround(s, f), unreal) {
			live = append(live, f)
		}
	}
	return live
}

// secretForms are the rules for tokens that nobody but their owner may have. Signed
// tokens are not among them: those that expire, and those that a page shows to
// everybody, look the same.
var secretForms = func() map[string]bool {
	forms := map[string]bool{}
	for _, t := range tokens {
		forms[t.name] = true
	}
	for _, open := range []string{"jwt", "jwt-encrypted", "jwk-private-part", "gcp-api-key", "newrelic-browser-key", "teamcity-token", "azure-sas-signature", "launchdarkly-key"} {
		delete(forms, open)
	}
	return forms
}()

// isTrial reports whether a token says of itself that it is for trying out.
func isTrial(token string) bool {
	head := strings.ToLower(token[:min(len(token), 24)])
	return containsAny(head, []string{"test", "sandbox", "sdbx", "development", "demo"})
}

// unreal are words by which people say that a key is none.
var unreal = map[string]bool{
	"test": true, "tests": true, "testing": true, "fake": true, "dummy": true, "example": true, "examples": true, "sample": true, "mock": true, "mocked": true, "placeholder": true,
	"redacted": true, "revoked": true, "expired": true, "invalid": true, "fixture": true, "sandbox": true, "bogus": true, "nonexistent": true, "invented": true, "fictional": true,
}

// mostAround is how much of a line is looked at on each side of a token.
const mostAround = 160

// lineAround is the line that a token stands on, without the token.
func lineAround(s string, f Finding) string {
	before, after := s[max(0, f.Start-mostAround):f.Start], s[f.End:min(len(s), f.End+mostAround)]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	if i := strings.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	return before + " " + after
}

// containsAnyWord reports whether a text has one of the words, whatever joins them:
// FAKE_KEY, fake-key, fakeKey.
func containsAnyWord(s string, words map[string]bool) bool {
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && isLetter(s[i]) && (i == 0 || !(s[i] < 'a' && isLetter(s[i-1]) && s[i-1] >= 'a')) {
			continue
		}
		if words[strings.ToLower(s[start:i])] {
			return true
		}
		if start = i; i < len(s) && !isLetter(s[i]) {
			start = i + 1
		}
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

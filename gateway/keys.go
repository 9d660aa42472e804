package gateway

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

// keyPrefix is how Sluice's own keys begin.
const keyPrefix = "slk_"

// ownKeyHeader carries a Sluice key next to a provider's credential.
const ownKeyHeader = "X-Sluice-Key"

// credentialHeaders are where clients put keys.
var credentialHeaders = [...]string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key"}

// takeKey removes Sluice's own keys from a request, wherever they are, so that
// none reaches an upstream, and returns the first; own is the value of
// ownKeyHeader. Anything else is the client's or a provider's and stays. A
// header or a part of the query that contains such a key is removed as a whole,
// however it is written.
func takeKey(h http.Header, own, query string) (key, rest string) {
	key = strings.TrimSpace(own)
	found := func(value string) bool {
		ours := keyIn(value)
		if ours != "" && key == "" {
			key = ours
		}
		return ours != ""
	}
	var names []string // of headers with such a key in them: usually none
	for name, values := range h {
		if slices.ContainsFunc(values, hasKey) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(precedence(a), precedence(b)), strings.Compare(a, b)) })
	for _, name := range names {
		kept := slices.DeleteFunc(slices.Clone(h[name]), func(value string) bool { return found(value) || found(basic(value)) })
		if h[name] = kept; len(kept) == 0 {
			delete(h, name)
		}
	}
	return key, withoutKey(query, found)
}

// hasKey reports whether a header contains a Sluice key.
func hasKey(value string) bool { return keyIn(value) != "" || keyIn(basic(value)) != "" }

// precedence ranks the headers in which a key is looked for.
func precedence(name string) int {
	if at := slices.Index(credentialHeaders[:], name); at >= 0 {
		return at
	}
	return len(credentialHeaders)
}

// keyIn finds a Sluice key in a text, empty if there is none. A part of another
// token is not a key.
func keyIn(text string) string {
	for from := 0; ; {
		at := strings.Index(text[from:], keyPrefix)
		if at < 0 {
			return ""
		}
		at += from
		end := at
		for end < len(text) && isKeyByte(text[end]) {
			end++
		}
		if at == 0 || !isKeyByte(text[at-1]) && text[at-1] != '.' && text[at-1] != '/' && text[at-1] != '+' {
			return text[at:end]
		}
		from = end
	}
}

func isKeyByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-'
}

// basic decodes a header of Basic authentication, empty for any other.
func basic(value string) string {
	scheme, encoded, ok := strings.Cut(strings.TrimSpace(value), " ")
	if !ok || !strings.EqualFold(scheme, "basic") {
		return ""
	}
	plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	if err != nil {
		return ""
	}
	return string(plain)
}

// withoutKey removes Sluice keys from a query and leaves the rest as it is.
func withoutKey(query string, found func(string) bool) string {
	if query == "" {
		return ""
	}
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		if !anyReading(pair, found) {
			kept = append(kept, pair)
		}
	}
	return strings.Join(kept, "&")
}

// bringsAdminToken reports whether the admin token is anywhere in the head of a
// request, so that it would be forwarded.
func (g *Gateway) bringsAdminToken(r *http.Request) bool {
	token := g.config.Admin
	if token == "" {
		return false
	}
	lower := strings.ToLower(token)
	has := func(text string) bool { return strings.Contains(text, token) }
	for name, values := range r.Header {
		if strings.Contains(strings.ToLower(name), lower) { // the capitals of a name are lost on the way
			return true
		}
		for _, value := range values {
			if anyReading(value, has) || has(basic(value)) {
				return true
			}
		}
	}
	return anyReading(r.URL.EscapedPath(), has) || anyReading(r.URL.RawQuery, has)
}

// noted is a part of a request line as it is logged, recorded and shown: nothing of it
// if it has a credential of the gateway in it.
func (g *Gateway) noted(text string) string {
	admin := g.config.Admin
	if namesKey(text) || admin != "" && anyReading(text, func(reading string) bool { return strings.Contains(reading, admin) }) {
		return "(with a credential in it)"
	}
	return short(text)
}

// namesKey reports whether a segment of a path contains a Sluice key.
func namesKey(path string) bool {
	return anyReading(path, func(reading string) bool { return hasKey(strings.ReplaceAll(reading, "/", " ")) })
}

// hasCredential reports whether a request has a provider's credential.
func hasCredential(h http.Header, query string) bool {
	for _, name := range credentialHeaders {
		if len(h[name]) > 0 {
			return true
		}
	}
	return slices.ContainsFunc(parameter(query, "key"), func(value string) bool { return value != "" })
}

// addCredential adds the provider's key to a request.
func addCredential(h http.Header, p provider, key string) {
	switch p {
	case anthropic:
		h.Set("X-Api-Key", key)
	case gemini:
		h.Set("X-Goog-Api-Key", key)
	case openai, chatgpt:
		h.Set("Authorization", "Bearer "+key)
	}
}

// findKey finds a key. It takes the same time for every key. needed reports whether
// requests need one.
func (g *Gateway) findKey(key string) (found *Key, needed bool) {
	var issued []Key
	if g.config.Issued != nil {
		issued, needed = g.config.Issued()
	}
	hash := sha256.Sum256([]byte(key))
	for _, list := range [...][]Key{g.config.Keys, issued} {
		for i := range list {
			if subtle.ConstantTimeCompare(hash[:], list[i].Hash[:]) == 1 {
				found = &list[i]
			}
		}
	}
	return found, needed || len(g.config.Keys) > 0
}

// needsKeys reports whether requests need a key.
func (g *Gateway) needsKeys() bool {
	if len(g.config.Keys) > 0 || g.config.Issued == nil {
		return len(g.config.Keys) > 0
	}
	_, needed := g.config.Issued()
	return needed
}

// keyCount is how many keys there are.
func (g *Gateway) keyCount() int {
	n := len(g.config.Keys)
	if g.config.Issued != nil {
		issued, _ := g.config.Issued()
		n += len(issued)
	}
	return n
}

package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"

	"github.com/sluice-project/sluice/policy"
)

// keyPrefix is how Sluice's own keys begin.
const keyPrefix = "slk_"

// ownKeyHeader is the place for a key of Sluice beside a provider's credential.
const ownKeyHeader = "X-Sluice-Key"

// credentialHeaders are where clients put keys.
var credentialHeaders = [...]string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key"}

// takeKey takes Sluice's own keys out of what a client sent, wherever they
// stand, so that none reaches an upstream, and returns the first; own is what
// stands in the header for it. Anything else in these places is a provider's
// credential and stays.
func takeKey(h http.Header, own, query string) (key, rest string) {
	key = strings.TrimSpace(own)
	found := func(value string) bool {
		if !strings.HasPrefix(value, keyPrefix) {
			return false
		}
		if key == "" {
			key = value
		}
		return true
	}
	for _, name := range credentialHeaders {
		kept := h[name][:0:0]
		for _, value := range h[name] {
			token := strings.TrimSpace(value)
			if scheme, after, ok := strings.Cut(token, " "); ok && strings.EqualFold(scheme, "bearer") {
				token = strings.TrimSpace(after)
			}
			if !found(token) {
				kept = append(kept, value)
			}
		}
		if len(kept) == 0 {
			h.Del(name)
		} else {
			h[name] = kept
		}
	}
	return key, withoutKey(query, found)
}

// withoutKey takes keys of Sluice out of a query, and leaves the rest as it is.
func withoutKey(query string, found func(string) bool) string {
	if !strings.Contains(query, "key=") {
		return query
	}
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil && plain == "key" {
			if plain, err := url.QueryUnescape(value); err == nil && found(plain) {
				continue
			}
		}
		kept = append(kept, pair)
	}
	return strings.Join(kept, "&")
}

// hasCredential reports whether a request brings a provider's credential.
func hasCredential(h http.Header, query string) bool {
	for _, name := range credentialHeaders {
		if len(h[name]) > 0 {
			return true
		}
	}
	values, _ := url.ParseQuery(query)
	return values.Get("key") != ""
}

// addCredential gives a request the provider's key.
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

// whose finds who a key belongs to. It takes the same time for every key.
func (g *Gateway) whose(key string) (who policy.Key, ok bool) {
	hash := sha256.Sum256([]byte(key))
	for i := range g.config.Keys {
		if k := &g.config.Keys[i]; subtle.ConstantTimeCompare(hash[:], k.Hash[:]) == 1 {
			who, ok = k.Key, true
		}
	}
	return who, ok
}

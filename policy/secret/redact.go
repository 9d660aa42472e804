package secret

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/policy/text"
)

// Redactor replaces secrets with placeholders that depend only on its key and
// the secret. It is immutable and safe for concurrent use.
type Redactor struct {
	makers *sync.Pool // of *maker with the key
}

// maker makes placeholders, one at a time, without memory of its own for each.
type maker struct {
	mac  hash.Hash
	room []byte
}

// NewRedactor returns a redactor. Placeholders are stable as long as the key is;
// 32 random bytes make a good key. Whoever knows the key can test guesses of a
// secret against its placeholder.
func NewRedactor(key []byte) *Redactor {
	key = slices.Clone(key)
	return &Redactor{makers: &sync.Pool{New: func() any { return &maker{mac: hmac.New(sha256.New, key)} }}}
}

// Redact replaces the secrets in a text with placeholders and puts them into the
// vault, which may be nil. Placeholders that are already in the text stay as they
// are, so redaction is idempotent. It also returns what it found, with offsets in
// the given text.
func (r *Redactor) Redact(s string, vault *Vault) (string, []Finding) {
	found := Find(s)
	if len(found) == 0 {
		return s, nil
	}
	var out strings.Builder
	out.Grow(len(s) + len(s)/8)
	at := 0
	for _, f := range found {
		out.WriteString(s[at:f.Start])
		p := r.placeholder(labelOf(f.Rule), s[f.Start:f.End])
		vault.put(p, s[f.Start:f.End])
		out.WriteString(p)
		at = f.End
	}
	out.WriteString(s[at:])
	return out.String(), found
}

// Collect puts the secrets in a text into the vault, as Redact does.
func (r *Redactor) Collect(s string, vault *Vault) {
	if len(s) <= shortText && !Likely(s) {
		return
	}
	each(s, func(f Finding) { vault.put(r.placeholder(labelOf(f.Rule), s[f.Start:f.End]), s[f.Start:f.End]) })
}

// Rules are for streaming text: a chain of them gives exactly what Redact gives.
// They are shared, so they store nobody's secrets.
func (r *Redactor) Rules() []text.Rule {
	return rulesFor(func(_, label, secret string) string { return r.placeholder(label, secret) })
}

// labels are the names that placeholders may give to a secret.
var labels = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{credential: true}
	for _, t := range tokens {
		set[t.name] = true
	}
	return set
})

// labelOf is the label in the placeholder of a rule's secret.
func labelOf(rule string) string {
	if labels()[rule] {
		return rule
	}
	return credential
}

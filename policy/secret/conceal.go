package secret

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Conceal is the opposite of Restore: it replaces the secrets that the vault has by
// their placeholders, even where a text has them inside JSON. Secrets that it does not
// have stay; see [Redactor.Redact].
func (v *Vault) Conceal(s string) string {
	if v == nil {
		return s
	}
	return v.concealer().Replace(s)
}

// concealer replaces all secrets of the vault, the longest first. It is made once for
// what is in the vault.
func (v *Vault) concealer() *strings.Replacer {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.conceals != nil {
		return v.conceals
	}
	var pairs [][2]string
	for e := v.first; e != nil; e = e.after {
		pairs = append(pairs, [2]string{e.secret, e.placeholder})
		for _, html := range []bool{false, true} {
			if escaped := inJSON(e.secret, html); escaped != pairs[len(pairs)-1][0] {
				pairs = append(pairs, [2]string{escaped, e.placeholder})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b [2]string) int { return cmp.Compare(len(b[0]), len(a[0])) })
	list := make([]string, 0, 2*len(pairs))
	for _, p := range pairs {
		list = append(list, p[0], p[1])
	}
	v.conceals = strings.NewReplacer(list...)
	return v.conceals
}

// inJSON is a text as it appears in a JSON string, with or without the escapes for
// HTML.
func inJSON(text string, html bool) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(html)
	if err := encoder.Encode(text); err != nil {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(out.String(), "\n"), `"`), `"`)
}

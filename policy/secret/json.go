package secret

import (
	"bytes"
	"encoding/json"
	"strings"
)

// RestoreJSON is Restore for a JSON text, such as the arguments of a call: the
// placeholders in its strings and names are replaced, however they are escaped,
// and nothing else is changed. A string that is not valid JSON and may have a
// placeholder counts as unknown.
func (v *Vault) RestoreJSON(s string) (restored string, allKnown bool) {
	allKnown = true
	var out strings.Builder
	at := 0
	for {
		start := strings.IndexByte(s[at:], '"')
		if start < 0 {
			break
		}
		start += at
		end := stringEnd(s, start)
		out.WriteString(s[at:start])
		literal, known := v.restoreLiteral(s[start:end])
		out.WriteString(literal)
		allKnown = allKnown && known
		at = end
	}
	out.WriteString(s[at:])
	return out.String(), allKnown
}

// stringEnd is the place behind the string that begins at start.
func stringEnd(s string, start int) int {
	for i := start + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// restoreLiteral restores one string in quotes.
func (v *Vault) restoreLiteral(literal string) (restored string, allKnown bool) {
	if !strings.Contains(literal, open) && !strings.Contains(literal, `\`) {
		return literal, true
	}
	var value string
	if err := json.Unmarshal([]byte(literal), &value); err != nil {
		return literal, !strings.Contains(literal, open)
	}
	changed, allKnown := v.Restore(value)
	if changed == value {
		return literal, allKnown
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(changed); err != nil {
		return literal, false
	}
	return strings.TrimSuffix(out.String(), "\n"), allKnown
}

package decisions

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// Key identifies everything that an answer depends on.
type Key [sha256.Size]byte

// KeyOf returns the key of a list of texts. Lists that differ in any way have
// different keys.
func KeyOf(parts ...string) Key {
	h := sha256.New()
	for _, part := range parts {
		sum := sha256.Sum256([]byte(part))
		h.Write(sum[:])
	}
	return Key(h.Sum(nil))
}

// Canonical returns a form of a call's arguments that does not depend on how
// they were written: one line of JSON with sorted keys and every number
// unchanged. It returns false for anything but a single, unambiguous JSON
// object, and for what would lose information: lone surrogates and bytes that
// are not UTF-8.
func Canonical(raw string) (string, bool) {
	view, err := llm.ParseArguments(raw)
	if err != nil {
		return "", false
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(view); err != nil {
		return "", false
	}
	text := strings.TrimSuffix(b.String(), "\n")
	if strings.ContainsRune(text, '\uFFFD') || strings.Contains(text, `\ufffd`) {
		return "", false // that is what lost characters become
	}
	return text, true
}

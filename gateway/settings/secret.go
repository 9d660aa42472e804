package settings

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
)

// hidden is shown instead of a secret.
const hidden = "[hidden]"

// Secret is a text that must not be shown. Whatever prints, logs or encodes it
// shows "[hidden]", or nothing if it is empty; Reveal returns the text.
//
// The text is behind a pointer because fmt does not call the methods of unexported
// fields: it shows an address instead.
type Secret struct{ text *string }

// NewSecret returns a secret. An empty text makes the zero value.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the text.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty reports whether there is no secret.
func (s Secret) Empty() bool { return s.text == nil }

// String hides the text.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return hidden
}

// Format hides the text from all verbs, %#v included.
func (s Secret) Format(f fmt.State, _ rune) {
	io.WriteString(f, s.String()) //nolint:errcheck,gosec // there is nobody to tell
}

// LogValue hides the text from logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the text from JSON and other encodings.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

var (
	_ fmt.Formatter  = Secret{}
	_ slog.LogValuer = Secret{}
)

// IsSecretVariable reports whether a variable holds a secret of the gateway, which
// the programs that it guards must not get: variables that the settings name for the
// admin token and for clients' keys, and Sluice variables that are named like
// secrets. The providers' keys belong to the programs.
func (s *Settings) IsSecretVariable(name string) bool {
	if slices.Contains(s.secrets, name) {
		return true
	}
	name = strings.ToUpper(name) // as Windows reads it
	if !strings.HasPrefix(name, "SLUICE_") || strings.HasSuffix(name, "_ENV") || strings.HasSuffix(name, "_FILE") || name == "SLUICE_TLS_KEY" {
		return false
	}
	return slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD"}, func(word string) bool { return strings.Contains(name, word) })
}

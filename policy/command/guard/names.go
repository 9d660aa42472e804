package guard

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// IsCredentialName reports whether a variable's name says that its value is a
// secret, and not something about one: where it lies, how long it lasts.
func IsCredentialName(name string) bool {
	name = strings.ToUpper(name)
	if !invocation.IsSecretName(name) && !strings.HasSuffix(name, "_KEY") && !strings.HasSuffix(name, "_PASS") && !strings.HasSuffix(name, "_PAT") && !strings.HasSuffix(name, "_PWD") && name != "PGPASSFILE" {
		return false
	}
	if command.Builtin().In("about-secrets", name[strings.LastIndexByte(name, '_')+1:]) || command.Builtin().In("plain-keys", name) {
		return false
	}
	return !strings.Contains(name, "PUBLIC_KEY") && !strings.Contains(name, "PUBLISHABLE") && !strings.HasPrefix(name, "CACHE_")
}

// IsEnvironmentName reports whether a variable is one that programs are told
// things by.
func IsEnvironmentName(name string) bool {
	return len(name) > 3 && strings.ToUpper(name) == name && strings.Contains(name, "_")
}

// Reveals notes that secrets are printed.
func Reveals(a *invocation.Act, whose string) { a.Does(effect.Reveal, whose) }

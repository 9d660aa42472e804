package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/invocation"
)

// IsStrange reports whether a variable is by its name the secret of a vendor to
// which the host does not belong.
func IsStrange(variable, host string) bool {
	known := false
	for word := range strings.SplitSeq(strings.ToLower(variable), "_") {
		if parts, ok := invocation.Vendors()[word]; ok {
			if known = true; invocation.HasAny(host, parts) {
				return false
			}
		}
	}
	return known && !invocation.Unknown(host) && !invocation.IsInside(host)
}

// RevealsVariable notes that a variable is printed whose name says that it holds
// a secret.
func RevealsVariable(a *invocation.Act, name string) {
	if invocation.IsSecretName(name) && !invocation.IsConnectionName(name) || strings.HasSuffix(strings.ToUpper(name), "KEY") {
		guard.Reveals(a, "$"+name)
	}
}

// NamesCredential reports whether what is asked for is a secret by its name.
func NamesCredential(_ *invocation.Act, in *command.Reading) bool {
	return slices.ContainsFunc(in.Values("name"), guard.IsCredentialName)
}

// KubeSecret is kubectl get, which prints secrets only in forms that show what is in
// them.
func KubeSecret(a *invocation.Act, in *command.Reading) {
	out := in.Value("output") + in.Value("template")
	if out == "" || out == "wide" || out == "name" || asksNoData(out) {
		return
	}
	for _, kinds := range in.Values("kind") {
		for kind := range strings.SplitSeq(strings.ToLower(kinds), ",") {
			kind, _, _ = strings.Cut(kind, "/")
			if kind, _, _ = strings.Cut(kind, "."); kind != "secret" && kind != "secrets" {
				continue
			}
			if in.Has("all-namespaces") {
				guard.Reveals(a, "kubernetes secrets of all-namespaces")
			} else {
				guard.Reveals(a, "kubernetes secrets")
			}
			return
		}
	}
}

// asksNoData reports whether a form of output leaves out what is in a secret, or
// is for a certificate.
func asksNoData(form string) bool {
	if form == "yaml" || form == "json" || !strings.ContainsAny(form, "{=") {
		return false
	}
	return !strings.Contains(form, ".data") && !strings.Contains(form, "stringData") && !strings.Contains(form, "'data'") && !strings.Contains(form, `"data"`) && !strings.Contains(form, "..") && !strings.Contains(form, "{@}") && !strings.Contains(form, "{}") && !strings.Contains(form, "{.}") && !strings.Contains(form, "{{.}}") || strings.HasSuffix(strings.TrimRight(form, "}'\" "), `.crt`)
}

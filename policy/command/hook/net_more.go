package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/invocation"
)

// registryLogin is docker login HOST and the like: the password is told to the host.
// One that is for a registry, by its name or by what it was made with, is for it; the
// key of somebody else and the contents of private files are not.
func registryLogin(a *invocation.Act) {
	at := slices.Index(a.Args, "login")
	if at < 0 || a.Sub != "login" && a.Sub != "registry" && a.Sub != "auth" {
		return
	}
	c := invocation.Command{Args: a.Args[at+1:]}
	host := invocation.HostOf(firstOr(c.Operands("u", "username", "p", "password", "authfile", "cert-dir", "creds", "registry-config", "ca-file", "cert-file", "key-file"), ""))
	if !invocation.IsOutside(host) || slices.ContainsFunc(command.Builtin().Set("image-registries"), func(known string) bool { return host == known || strings.HasSuffix(host, "."+known) }) {
		return
	}
	for _, source := range a.Sources() {
		if source == invocation.Secret && !invocation.NamesToken(strings.Join(a.Args, " ")) && !invocation.NamesToken(a.In.By+" ") {
			continue // a password for it, from a store of passwords
		}
		fileops.Tell(a, host, source)
	}
}

package shell

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// A search over a home or a machine reads keys where it looks for their names,
// and not where it looks for others.
func TestSearchesReadWhatTheyLookFor(t *testing.T) {
	keys := effect.NewPaths([]string{"~/.ssh/id_*", "**/id_rsa", "~/.aws/credentials", "~/.gnupg/private*/**", "/run/secrets/**", "~/.ssh/*.pem", "/etc/shadow", "!**/*.pub"})
	at := effect.Place{Cwd: "/home/u/p", Home: "/home/u"}
	for command, want := range map[string]bool{
		`locate id_rsa | xargs cat`:                                    true,
		`cat $(locate -r 'id_ed25519$')`:                               true,
		`plocate .aws/credentials | xargs -n1 cat`:                     true,
		`mdfind -name id_rsa | while read f; do cat "$f"; done`:        true,
		`find / -name id_rsa -exec cat {} +`:                           true,
		`find / -iname ID_RSA -exec cat {} +`:                          true,
		`find ~ -name credentials -path '*aws*' | xargs cat`:           true,
		`find ~ -path '*/.ssh/id_*' -exec cat {} \;`:                   true,
		`find / -name '*.pem' | xargs cat`:                             true,
		`find / -name shadow -exec cat {} \;`:                          true,
		`find ~ -type f -exec cat {} +`:                                true,
		`fd id_rsa / -x cat`:                                           true,
		`fd -H '^id_' ~/.ssh -X cat`:                                   true,
		`locate nginx.conf | xargs cat`:                                false,
		`locate id_rsa`:                                                false,
		`find ~ -name main.go | xargs grep TODO`:                       false,
		`find / -name nginx.conf -exec cat {} \;`:                      false,
		`find ~ -name '*.md' -size +1M -exec head {} \;`:               false,
		`find ~ -name id_rsa.pub -exec cat {} \;`:                      false,
		`fd README.md ~ -x cat`:                                        false,
		`find / -name id_rsa`:                                          false,
		`find ~/src -name '*.go' -path '*/vendor/*' -exec wc -l {} \;`: false,
	} {
		reading := Read(command, invocation.Setting{Place: at})
		got := slices.ContainsFunc(reading.Effects, func(e effect.Effect) bool {
			return e.Verb == effect.Read && keys.Touches(&e, at)
		})
		if got != want {
			t.Errorf("%s: reads keys: %v, want %v: %q", command, got, want, said(reading))
		}
	}
}

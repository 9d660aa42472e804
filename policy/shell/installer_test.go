package shell

import (
	"testing"

	"github.com/sluice-project/sluice/policy/follow"
)

func TestInstallersAreTheirOwnHosts(t *testing.T) {
	for address, want := range map[string]bool{
		"https://sh.rustup.rs":                                           true,
		"https://astral.sh/uv/install.sh":                                true,
		"https://get.docker.com?x":                                       true,
		"https://raw.githubusercontent.com/nvm-sh/nvm/v0.39/install.sh":  true,
		"https://sh.rustup.rs.evil.example/x":                            false,
		"https://get.docker.com@evil.example/x":                          false,
		"https://get.docker.com:443@evil.example/":                       false,
		"https://raw.githubusercontent.com/nvm-sh/nvm/../../evil/x/x.sh": false,
		"https://raw.githubusercontent.com/nvm-sh/nvm/%2e%2e/x.sh":       false,
		"https://raw.githubusercontent.com/evil/nvm-sh/nvm/x.sh":         false,
		"http://sh.rustup.rs":                                            false,
		"sh.rustup.rs":                                                   false,
		"https://fly.io/other.sh":                                        false,
		"":                                                               false,
	} {
		if got := follow.IsInstaller(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

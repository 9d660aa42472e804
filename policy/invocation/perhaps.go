package invocation

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// MayBeElsewhere reports whether a value that is not known may be an address, or a place
// on another machine: "$TARGET", but not "$HOME/a" and "./$NAME".
func MayBeElsewhere(value string) bool {
	if value == "" || value[0] != '$' && value[0] != '`' {
		return false
	}
	for _, local := range localBeginnings {
		if strings.HasPrefix(value, local) && (strings.HasSuffix(local, "(") || len(value) == len(local) || !IsNameByte(value[len(local)])) {
			return false
		}
	}
	return true
}

// localBeginnings are what begins a path of this machine, whatever its value is.
var localBeginnings = []string{"$HOME", "${HOME", "$PWD", "${PWD", "$OLDPWD", "${OLDPWD", "$TMPDIR", "${TMPDIR", "$(pwd", "`pwd", "$(mktemp", "`mktemp", "$(git rev-parse --show-toplevel", "$(dirname", "$(realpath", "$(readlink"}

// MayFetch notes that something is perhaps fetched from a value that is not known.
func (a *Act) MayFetch(value string) {
	if MayBeElsewhere(value) {
		a.Add(effect.Effect{Verb: effect.Fetch, Object: value, Guess: true})
	}
}

// MaySend notes that a file is perhaps sent to a value that is not known.
func (a *Act) MaySend(value, file string, wide bool) {
	if !MayBeElsewhere(value) {
		return
	}
	from := ""
	if !IsNoFile(file) {
		from = a.Path(file)
	}
	a.Add(effect.Effect{Verb: effect.Send, Object: value, From: from, Wide: wide, Guess: true})
}

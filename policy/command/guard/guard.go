package guard

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Disarm notes that something that protects the machine is switched off.
func Disarm(a *invocation.Act, what string) { a.Does(effect.Disarm, what) }

// Otherwise reads a program of which only some uses are described as one that is not
// described: an interpreter, or a stranger.
func Otherwise(a *invocation.Act) {
	if does := follow.CodeVerb(a.Name); does != nil {
		does(a)
		return
	}
	a.R.Shell.Stranger(a)
}

// isGuard reports whether a name is the guard's: its program, service, image,
// module or container.
func isGuard(name string) bool {
	for {
		i := indexFold(name, invocation.GuardName)
		if i < 0 {
			return false
		}
		end := i + len(invocation.GuardName)
		if (i == 0 || !isWordByte(name[i-1])) && (end == len(name) || !isWordByte(name[end])) {
			return true
		}
		name = name[end:]
	}
}

func indexFold(s, name string) int {
	for i := 0; i+len(name) <= len(s); i++ {
		if s[i]|0x20 == name[0] && strings.EqualFold(s[i:i+len(name)], name) {
			return i
		}
	}
	return -1
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// NamesGuard reports whether an argument is the guard's name, or was looked for by
// it.
func NamesGuard(a *invocation.Act) bool {
	for i := range a.Mixture() {
		if isGuard(a.Words()[i].About) {
			return true
		}
	}
	return slices.ContainsFunc(a.Args, isGuard)
}

// BusVariables are the variables that the manager of services is told to forget.
func BusVariables(a *invocation.Act, in *command.Reading) {
	for _, word := range in.Values("word") {
		if name, _, _ := strings.Cut(word, "="); IsEnvironmentName(name) {
			a.Does(effect.UnsetVariable, name)
		}
	}
}

package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Mode notes a change of a file's mode, and what that lets others do.
func Mode(a *invocation.Act, p, mode string, whole bool) { ModeOf(a, p, mode, whole, false) }

// ModeOf is mode for what may be known to be a directory: there, a group's bit says
// whose the files in it will be, and lets nothing run as another.
func ModeOf(a *invocation.Act, p, mode string, whole, directory bool) {
	if invocation.IsNoFile(p) || mode == "" {
		return
	}
	a.Add(effect.Effect{Verb: effect.Mode, Object: a.Path(p), Wide: whole || strings.ContainsAny(p, "*?["), Content: mode})
	if user, group := setsID(mode); user {
		a.Does(effect.Grant, "setuid "+a.Path(p))
	} else if group && !directory {
		a.Does(effect.Grant, "setgid "+a.Path(p))
	}
}

// setsID reports whether a mode makes a program run as its owner or its group.
func setsID(mode string) (user, group bool) {
	mode = strings.TrimPrefix(mode, "$mode|") // what is added to one that is not known
	if strings.Trim(mode, "01234567") == "" {
		mode = strings.TrimLeft(mode, "0")
		if len(mode) < 4 {
			return false, false
		}
		special := mode[len(mode)-4]
		return special&4 != 0, special&2 != 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i < 0 || !strings.Contains(clause[i:], "s") {
			continue
		}
		who := clause[:i]
		user = user || who == "" || strings.ContainsAny(who, "ua")
		group = group || who == "" || strings.ContainsAny(who, "ga")
	}
	return user, group
}

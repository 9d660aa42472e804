package output

import "github.com/sluice-project/sluice/policy/invocation"

// gitFiles says which files of a project git lists: those that it tracks, or also those
// that it ignores, of which there is no other copy. A pattern picks some of them.
func gitFiles(a *invocation.Act) string {
	others := a.Has("o") || a.Has("--others")
	ignored := a.Has("i") || a.Has("--ignored") || !a.Has("--exclude-standard") && !a.Has("--exclude-per-directory") && !a.Has("X") && !a.Has("--exclude-from")
	if words := a.Operands("x", "X", "exclude", "exclude-from", "exclude-per-directory"); others && ignored && (len(words) <= 1 || words[1] == "." && len(words) == 2) {
		return invocation.IgnoredFiles
	}
	return "tracked"
}

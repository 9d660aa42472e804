package output

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
)

// SearchShows reports whether a search prints lines, whatever word it looks for, and not
// only names of files, how many lines there are, or what stands before the equals signs.
func SearchShows(_ *invocation.Act, in *command.Reading) bool {
	if in.Surely("quiet", "count", "files-with-matches", "files-without-match") {
		return false
	}
	patterns := append(in.Values("regexp"), in.Values("pattern")...)
	return len(patterns) == 0 || !in.Surely("only-matching") ||
		slices.ContainsFunc([]string{"invert-match", "after-context", "before-context", "context", "after", "before", "file", "passthru"}, in.Has) ||
		slices.ContainsFunc(patterns, func(p string) bool { return !isNamePattern(p) })
}

// grepShows is searchShows for a command that is a search.
func grepShows(a *invocation.Act) bool {
	in := Reading(a, a.Name, a.Args)
	return in == nil || SearchShows(a, in)
}

// isNamePattern reports whether a pattern matches what stands before the sign
// alone: ^[A-Z_]*=.
func isNamePattern(p string) bool {
	rest, ok := strings.CutPrefix(p, "^")
	if !ok {
		return false
	}
	rest = strings.TrimSuffix(rest, "=")
	bracket := false
	for i := range len(rest) {
		switch rest[i] {
		case '[':
			bracket = true
		case ']':
			bracket = false
		case '=':
			if !bracket || rest[i-1] != '^' {
				return false
			}
		case '.':
			if !bracket {
				return false
			}
		}
	}
	return !strings.Contains(rest, `\K`) && !strings.Contains(rest, "(?")
}

// looksForSecrets reports whether a search is for the names of secrets.
func looksForSecrets(a *invocation.Act) bool {
	switch a.Name {
	case "grep", "egrep", "fgrep", "ggrep", "rg", "ag", "ack", "ugrep":
	default:
		return false
	}
	for _, arg := range a.Args {
		upper := strings.ToUpper(arg)
		for _, word := range []string{"TOKEN", "SECRET", "PASSW", "API_KEY", "APIKEY", "_KEY", "CREDENTIAL"} {
			if strings.Contains(upper, word) || upper == "KEY" || upper == "PASS" {
				return !a.Has("v")
			}
		}
	}
	return false
}

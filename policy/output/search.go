package output

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/invocation"
)

// SearchShows reports whether a search prints more than names and than the value of
// something that is no secret by its name.
func SearchShows(_ *invocation.Act, in *command.Reading) bool {
	if in.Surely("quiet", "count", "files-with-matches", "files-without-match") {
		return false
	}
	patterns := append(in.Values("regexp"), in.Values("pattern")...)
	if slices.ContainsFunc([]string{"invert-match", "after-context", "before-context", "context", "after", "before", "file", "passthru"}, in.Has) {
		return true
	}
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		return !(in.Surely("only-matching") && isNamePattern(p)) && !IsOrdinary(p)
	})
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

// IsOrdinary reports whether all lines that a pattern finds in a file of variables
// are named by words that are not those of secrets: PORT, but not TOKEN or ".".
func IsOrdinary(p string) bool {
	if strings.ContainsAny(p, `\()^$`) {
		p = patternSigns.Replace(p)
	}
	for more := true; more; {
		var alternative string
		alternative, p, more = strings.Cut(p, "|")
		word := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(alternative, ".*"), "="), "*")
		if len(word) < 3 || IsCredentialWord(word) {
			return false
		}
		letters := 0
		for i := range len(word) {
			if invocation.IsNameByte(word[i]) && word[i] != '_' {
				letters++
			} else if strings.IndexByte("_- .:/", word[i]) < 0 {
				return false
			}
		}
		if letters < 3 {
			return false
		}
	}
	return true
}

// patternSigns are left out of a pattern to see its words.
var patternSigns = strings.NewReplacer(`\|`, "|", "(", "", ")", "", `\b`, "", "^", "", "$", "")

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

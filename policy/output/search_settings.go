package output

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// findsSettings reports whether all lines that a command prints of a file of variables are
// those of settings: it is a search, its patterns are [SettingsPattern], and it has no
// options but those that are known to show no other lines.
func findsSettings(a *invocation.Act) bool {
	if a.More || a.Guess || !slices.Contains(searches, a.Name) {
		return false
	}
	folds := false
	for _, arg := range a.Args {
		body, dashes := invocation.CutDashes(arg)
		switch dashes {
		case 0:
		case 1:
			if strings.HasPrefix(body, "m") {
				body = strings.TrimRight(body[1:], "0123456789")
			}
			if strings.Trim(body, "neEFGiywxHhsoabImrRSg") != "" {
				return false
			}
			folds = folds || strings.ContainsAny(body, "iyS")
		default:
			name, _, _ := strings.Cut(body, "=")
			if !slices.Contains(showNoMore, name) {
				return false
			}
			folds = folds || strings.HasSuffix(name, "-case")
		}
	}
	if !slices.ContainsFunc(a.Args, func(arg string) bool { // it costs less to ask this first
		body, _ := invocation.CutDashes(arg)
		return SettingsPattern(arg, folds) || SettingsPattern(body[strings.IndexByte(body, '=')+1:], folds) || body != "" && SettingsPattern(body[1:], folds)
	}) {
		return false
	}
	in := Reading(a, a.Name, a.Args)
	if in == nil {
		return false
	}
	patterns := append(in.Values("regexp"), in.Values("pattern")...)
	return len(patterns) > 0 && !slices.ContainsFunc(patterns, func(p string) bool { return !SettingsPattern(p, folds) })
}

// searches are programs that print lines that match, and nothing around them unless an
// option asks for it.
var searches = strings.Fields("grep ggrep egrep fgrep zgrep zegrep zfgrep rg ripgrep ugrep ag ack")

// showNoMore are the long options with which a search shows no other lines than those that match.
var showNoMore = strings.Fields(`regexp ignore-case smart-case line-number no-line-number max-count color colour with-filename
	no-filename word-regexp line-regexp extended-regexp basic-regexp fixed-strings no-messages only-matching text recursive
	dereference-recursive include exclude exclude-dir glob iglob hidden no-ignore no-heading heading line-buffered`)

// SettingsPattern reports whether a pattern is plainly the name of settings that are no
// secret: what is called like the lines that it finds is known, and what is not known is
// taken for a secret. A name is plain if its last word says what it is for, as PORT and
// LOG_LEVEL do, and no word is that of a secret. A single word that is neither at the
// beginning of the line nor in capitals could also be found in the value of something else.
func SettingsPattern(p string, folds bool) bool {
	if strings.ContainsAny(p, `\`) {
		p = patternSigns.Replace(p)
	}
	grouped := strings.HasPrefix(p, "^(") && (strings.HasSuffix(p, ")") || strings.HasSuffix(p, ")="))
	if strings.ContainsAny(p, "()") {
		p = groupSigns.Replace(p)
	}
	for more := true; more; {
		var name string
		name, p, more = strings.Cut(p, "|")
		name, begins := strings.CutPrefix(name, "^")
		name = strings.TrimPrefix(name, "export ")
		for _, end := range []string{"$", ".*", "="} {
			name = strings.TrimSuffix(name, end)
		}
		if !isSetting(name) || !begins && !grouped && !strings.Contains(name, "_") && (folds || name != strings.ToUpper(name)) {
			return false
		}
	}
	return true
}

// patternSigns and groupSigns are left out of a pattern to see its words.
var (
	patternSigns = strings.NewReplacer(`\|`, "|", `\(`, "(", `\)`, ")", `\b`, "")
	groupSigns   = strings.NewReplacer("(", "", ")", "")
)

// isSetting reports whether a name is that of a setting that is no secret.
func isSetting(name string) bool {
	for i := range len(name) {
		if !invocation.IsNameByte(name[i]) {
			return false
		}
	}
	name = strings.ToLower(name)
	if len(name) < 3 || IsCredentialWord(name) || invocation.IsSecretName(name) {
		return false
	}
	return slices.Contains(builtIn, name) || slices.Contains(settings, name[strings.LastIndexByte(name, '_')+1:])
}

// settings are last words of the names of variables that say how something runs, where it is or
// how much of it there is. Addresses are not among them: passwords stand in them.
var settings = strings.Fields(`port ports host hosts hostname env environment stage mode level verbosity debug region zone
	locale lang language timezone timeout interval retries limit size max min count workers threads concurrency replicas
	enabled disabled version name dir directory path home root bucket domain driver engine dialect adapter level format
	feature features flag flags public protocol scheme charset encoding color theme title prefix`)

// builtIn are beginnings of the names of variables that are built into pages for everybody.
var builtIn = strings.Fields("next_public_ expo_public_ nuxt_public_ gatsby_ react_app_ vite_")

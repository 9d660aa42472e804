package shell

import (
	"slices"
	"strings"
)

// displays reports whether a program prints what it reads, from files and from
// its input, so that it can be read, and whether it prints its arguments.
func (a *act) displays() (contents, words bool) {
	if contents, words = a.describedPrints(); contents || words {
		return contents, words
	}
	switch a.Name {
	case "echo", "print", "expr", "basename", "dirname", "figlet", "cowsay", "banner", "yes":
		return false, true
	case "printf":
		return false, len(a.Args) == 0 || a.Args[0] != "-v"
	case "tr", "ts", "envsubst", "unbuffer", "stdbuf", "busybox", "toybox", "pax", "sqlite3", "duckdb", "psql", "mysql", "mariadb", "ip", "logger", "m4", "gm4", "dc":
		return true, false
	case "curl", "wget", "wget2":
		return slices.ContainsFunc(a.Args, func(s string) bool {
			return strings.HasPrefix(s, "file:") || s == "-i" && a.Name != "curl" || strings.HasPrefix(s, "--input-file")
		}), false
	}
	if a.isCode() || isCodeName(a.Name) {
		shows := a.codeShows()
		return shows, shows
	}
	return false, false
}

// isCodeName reports whether a program is an interpreter that codeVerb does not
// know.
func isCodeName(name string) bool {
	switch name {
	case "julia", "tclsh", "wish", "expect", "jshell", "osascript", "swift", "elixir", "iex", "erl", "guile", "racket", "sbcl", "clojure", "bb", "scala", "groovy", "octave", "Rscript", "R", "ghci", "runghc", "ocaml", "crystal", "nim", "raku":
		return true
	}
	return false
}

// isCredentialWord reports whether a text that asks for something asks for a
// secret.
func isCredentialWord(text string) bool {
	text = strings.ToLower(text)
	for i := range len(text) {
		found := false
		switch rest := text[i:]; rest[0] {
		case 'p':
			found = strings.HasPrefix(rest, "pass") || strings.HasPrefix(rest, "pwd") || strings.HasPrefix(rest, "private") || strings.HasPrefix(rest, "parameter")
		case 's':
			found = strings.HasPrefix(rest, "secret")
		case 't':
			found = strings.HasPrefix(rest, "token")
		case 'k':
			found = strings.HasPrefix(rest, "key")
		case 'c':
			found = strings.HasPrefix(rest, "cred")
		case 'a':
			found = strings.HasPrefix(rest, "auth")
		case 'd':
			found = strings.HasPrefix(rest, "data")
		case 'v':
			found = strings.HasPrefix(rest, "value")
		}
		if found {
			return true
		}
	}
	return false
}

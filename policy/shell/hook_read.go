package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// pagerStarts is a pager that is told what to do first: what follows a ! runs.
func pagerStarts(a *act, in *command.Reading) {
	for _, text := range in.Values("startup") {
		if _, script, runs := strings.Cut(text, "!"); runs {
			a.script(script)
		}
	}
}

// documentFilters are programs that a document is sent through. Those that are named
// without a path come with the program.
func documentFilters(a *act, in *command.Reading) {
	for _, program := range in.Values("filter") {
		if strings.ContainsAny(program, "/.") {
			a.runs(program)
		}
	}
}

// isNothingRead reports whether files, or else the input, are known to be empty.
func isNothingRead(a *act, in *command.Reading) bool {
	return a.nothingFrom(in.Certain("path")) || a.nothingFrom(in.Values("path"))
}

// nothingFrom reports whether files, or else the input, are known to be empty.
func (a *act) nothingFrom(files []string) bool {
	for _, p := range files {
		if p != "/dev/null" {
			return false
		}
	}
	return len(files) > 0 || a.nothingIn()
}

// isGlimpse reports whether so little of a file is shown that it says nothing.
func isGlimpse(_ *act, in *command.Reading) bool {
	n, err := strconv.Atoi(in.Value("bytes"))
	return err == nil && 0 <= n && n <= mostGlimpse && in.Surely("bytes")
}

// cutsValues reports whether cut leaves out what stands behind the names, or most of
// it.
func cutsValues(_ *act, in *command.Reading) bool {
	if fields := in.Value("fields"); fields != "" {
		by := in.Value("delimiter")
		return fields == "1" && (by == "=" || by == ":" || by == " ") && !in.Has("complement") && in.Surely("fields")
	}
	columns := in.Value("characters") + in.Value("bytes")
	_, last, ok := strings.Cut(columns, "-")
	if !ok {
		last = columns
	}
	n, err := strconv.Atoi(last)
	return err == nil && n <= mostGlimpse && in.Surely("characters", "bytes")
}

// searchesEach is the program that a search gives each file to before it looks.
func searchesEach(a *act, in *command.Reading) {
	for _, program := range in.Values("preprocessor") {
		files := in.Values("path")
		if len(files) == 0 {
			files = []string{"."}
		}
		a.argv(append([]string{program}, files...))
	}
}

// searchShows reports whether a search prints more than names and than the value of
// something that is no secret by its name.
func searchShows(_ *act, in *command.Reading) bool {
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
func (a *act) grepShows() bool {
	in := a.reading(a.Name, a.Args)
	return in == nil || searchShows(a, in)
}

// dumpsMemory is gcore: everything in the memory of a process, also of those that keep
// keys for others.
func dumpsMemory(a *act, in *command.Reading) {
	words := in.Values("process")
	for i := range a.words() {
		words = append(words, a.words()[i].about)
	}
	text := strings.ToLower(strings.Join(words, " "))
	for _, keeper := range []string{"ssh-agent", "gpg-agent", "keyring", "keychain", "kwallet", "1password", "bitwarden", "keepass", "vault", "chrome", "firefox", "sshd", "lsass"} {
		if strings.Contains(text, keeper) {
			a.reveals("credentials in the memory of " + keeper)
			return
		}
	}
}

package output

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Loads notes the files that a value was made from as those whose variables are
// set: export $(cat .env), env $(cat .env) program.
func Loads(r *invocation.Reader, v *invocation.Value) {
	for _, source := range v.Sources {
		if isFileSource(source) && !strings.HasPrefix(source, "$") {
			r.Sourced = invocation.With(r.Sourced, source)
		}
	}
}

// Traces reports whether the shell was told to print what it runs: set -x.
func Traces(r *invocation.Reader) bool {
	on := false
	for i := range r.Reading.Commands {
		c := &r.Reading.Commands[i]
		if i > guard.MostLooked {
			break
		}
		if c.Name != "set" {
			continue
		}
		for at, arg := range c.Args {
			body, dashes := invocation.CutDashes(arg)
			switch {
			case dashes == 1 && strings.ContainsAny(body, "xv") && !strings.ContainsAny(body, "="):
				on = true
			case strings.HasPrefix(arg, "+") && strings.ContainsAny(arg, "xv"):
				on = false
			case (arg == "xtrace" || arg == "verbose") && at > 0:
				on = strings.HasPrefix(c.Args[at-1], "-")
			}
		}
	}
	return on
}

// withEnvFiles runs something with the variables that a program loads from files,
// which others do not get.
func withEnvFiles(a *invocation.Act, files []string, run func()) {
	if len(files) == 0 {
		files = []string{".env"}
	}
	before := a.R.Sourced
	a.R.Sourced = slices.Clip(before)
	for _, file := range files {
		a.R.Sourced = invocation.With(a.R.Sourced, a.Path(file))
	}
	run()
	a.R.Sourced = before
}

// RunsWithFiles is dotenv COMMAND, which loads variables from files for another program.
func RunsWithFiles(a *invocation.Act, in *command.Reading) {
	if in.Has("print") {
		ShowsVariables(a, in)
		return
	}
	withEnvFiles(a, in.Values("file"), func() {
		for words := range in.Begins("argv") {
			for in.Name != "dotenv" && len(words) > 0 && strings.Contains(words[0], "@") { // mise exec TOOL@VERSION COMMAND
				words = words[1:]
			}
			if len(words) == 1 && strings.Contains(words[0], " ") {
				a.Script(words[0])
			} else {
				a.Argv(words)
			}
		}
	})
}

// ShowsVariables is for those programs where they say what is in a file.
func ShowsVariables(a *invocation.Act, in *command.Reading) {
	asked := in.Value("key")
	if asked != "" && !guard.IsCredentialName(asked) && !invocation.IsConnectionName(asked) || in.Value("command") == "decrypt" && !in.Has("stdout") {
		return
	}
	files := in.Values("file")
	if len(files) == 0 {
		files = []string{".env"}
	}
	a.Looks(false, files...)
	for _, file := range files {
		a.R.Heard = invocation.With(a.R.Heard, a.Path(file))
	}
}

// Staged are the files with secrets that the text itself has put into the index,
// where git shows what is in them.
func Staged(a *invocation.Act) []string {
	var list []string
	for i := range a.R.Reading.Commands {
		c := &a.R.Reading.Commands[i]
		if i > guard.MostLooked {
			break
		}
		if c.Name != "git" || c.Sub != "add" && c.Sub != "stage" {
			continue
		}
		for _, p := range c.Operands("C", "c", "chmod", "pathspec-from-file") {
			if p != c.Sub && MayBeSecretFile(p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// isHunted reports whether passwords lie in a file among other things: that somebody reads
// it is daily work, that somebody looks for passwords in it is not.
func isHunted(p string) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, "_history") || base == "wp-config.php" || base == "fish_history" || base == "ConsoleHost_history.txt"
}

// huntsSecrets reports whether a search looks for passwords where they lie by
// chance.
func huntsSecrets(a *invocation.Act) bool {
	hunted := slices.ContainsFunc(a.In.Sources, isHunted)
	for i := a.First; i < len(a.R.Reading.Effects) && !hunted; i++ {
		e := &a.R.Reading.Effects[i]
		hunted = e.Verb == effect.Read && e.Command == a.Number && isHunted(e.Object)
	}
	return hunted && looksForSecrets(a) && grepShows(a)
}

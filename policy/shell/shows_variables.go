package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// isConnectionName reports whether a variable's name says that it holds the
// address of a store, in which there is mostly a password.
func isConnectionName(name string) bool {
	name = strings.ToUpper(name)
	if strings.Contains(name, "CONNECTION_STRING") || strings.HasSuffix(name, "_DSN") {
		return true
	}
	if !strings.HasSuffix(name, "_URL") && !strings.HasSuffix(name, "_URI") {
		return false
	}
	for _, store := range []string{"DATABASE", "DB_", "POSTGRES", "MYSQL", "MARIADB", "MONGO", "REDIS", "AMQP", "RABBITMQ", "CLOUDINARY", "JDBC"} {
		if strings.Contains(name, store) {
			return true
		}
	}
	return false
}

// loads notes the files that a value was made from as those whose variables are
// set: export $(cat .env), env $(cat .env) program.
func (r *reader) loads(v *value) {
	for _, source := range v.sources {
		if isFileSource(source) && !strings.HasPrefix(source, "$") {
			r.sourced = with(r.sourced, source)
		}
	}
}

// traces reports whether the shell was told to print what it runs: set -x.
func (r *reader) traces() bool {
	on := false
	for i := range r.reading.Commands {
		c := &r.reading.Commands[i]
		if i > mostLooked {
			break
		}
		if c.Name != "set" {
			continue
		}
		for at, arg := range c.Args {
			body, dashes := cutDashes(arg)
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
func (a *act) withEnvFiles(files []string, run func()) {
	if len(files) == 0 {
		files = []string{".env"}
	}
	before := a.r.sourced
	a.r.sourced = slices.Clip(before)
	for _, file := range files {
		a.r.sourced = with(a.r.sourced, a.path(file))
	}
	run()
	a.r.sourced = before
}

// runsWithFiles is dotenv COMMAND, which loads variables from files for another program.
func runsWithFiles(a *act, in *command.Reading) {
	if in.Has("print") {
		showsVariables(a, in)
		return
	}
	a.withEnvFiles(in.Values("file"), func() {
		for words := range in.Begins("argv") {
			for in.Name != "dotenv" && len(words) > 0 && strings.Contains(words[0], "@") { // mise exec TOOL@VERSION COMMAND
				words = words[1:]
			}
			if len(words) == 1 && strings.Contains(words[0], " ") {
				a.script(words[0])
			} else {
				a.argv(words)
			}
		}
	})
}

// showsVariables is for those programs where they say what is in a file.
func showsVariables(a *act, in *command.Reading) {
	asked := in.Value("key")
	if asked != "" && !isCredentialName(asked) && !isConnectionName(asked) || in.Value("command") == "decrypt" && !in.Has("stdout") {
		return
	}
	files := in.Values("file")
	if len(files) == 0 {
		files = []string{".env"}
	}
	a.looks(false, files...)
	for _, file := range files {
		a.r.heard = with(a.r.heard, a.path(file))
	}
}

// staged are the files with secrets that the text itself has put into the index,
// where git shows what is in them.
func (a *act) staged() []string {
	var list []string
	for i := range a.r.reading.Commands {
		c := &a.r.reading.Commands[i]
		if i > mostLooked {
			break
		}
		if c.Name != "git" || c.Sub != "add" && c.Sub != "stage" {
			continue
		}
		for _, p := range c.Operands("C", "c", "chmod", "pathspec-from-file") {
			if p != c.Sub && mayBeSecretFile(p) {
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
func (a *act) huntsSecrets() bool {
	hunted := slices.ContainsFunc(a.in.sources, isHunted)
	for i := a.first; i < len(a.r.reading.Effects) && !hunted; i++ {
		e := &a.r.reading.Effects[i]
		hunted = e.Verb == effect.Read && e.Command == a.number && isHunted(e.Object)
	}
	return hunted && a.looksForSecrets() && a.grepShows()
}

package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// opensslTakes is what openssl is given by texts of its own: a password in a file, and
// a library by its path.
func opensslTakes(a *act, in *command.Reading) {
	for _, source := range in.Values("password") {
		if file, ok := strings.CutPrefix(source, "file:"); ok {
			a.looks(false, file)
		}
	}
	for _, library := range in.Values("library") {
		if strings.Contains(library, "/") {
			a.runs(library)
		}
	}
}

// isKeyShown: keys are printed unless it is told otherwise.
func isKeyShown(_ *act, in *command.Reading) bool {
	if in.Surely("pubout", "pubin") && !in.Has("text") || in.Surely("out") || in.Surely("nokeys") || in.Surely("check") && in.Surely("noout") {
		return false
	}
	return !in.Surely("noout") || in.Has("text")
}

// keygen makes keys. It shows the public half of one, or changes its passphrase.
func keygen(a *act, in *command.Reading) {
	files := in.Values("file")
	if in.Has("p") && in.Has("N") && in.Value("N") == "" { // whoever has the file has the key
		for _, p := range files {
			a.does(effect.Grant, "use of "+a.path(p)+" without a password")
		}
	}
	switch {
	case in.Surely("l", "y", "B", "L"), in.Surely("e") && !in.Has("p"): // the public half, or its fingerprint
		for _, p := range files {
			a.add(effect.Effect{Verb: effect.Read, Object: a.path(p), How: outline})
		}
	case in.Surely("F", "H"):
		a.looks(false, files...)
	case in.Surely("R"):
		if len(files) == 0 {
			files = []string{"~/.ssh/known_hosts"}
		}
		a.writes(files...)
	case in.Surely("s"):
		a.looks(false, in.Values("path")...)
	default:
		if len(files) == 0 {
			files = []string{"~/.ssh/id_ed25519"}
		}
		a.writes(files...)
		if a.isToldYes() {
			a.deletes(false, files...)
		}
	}
}

// isToldYes reports whether a command that asks before it overwrites is told to do so
// on its input.
func (a *act) isToldYes() bool {
	return a.in.piped && (a.in.by == "yes" || a.in.known && strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.in.text)), "y"))
}

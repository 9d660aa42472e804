package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// Keygen makes keys. It shows the public half of one, or changes its passphrase.
func Keygen(a *invocation.Act, in *command.Reading) {
	files := in.Values("file")
	if in.Has("p") && in.Has("N") && in.Value("N") == "" { // whoever has the file has the key
		for _, p := range files {
			a.Does(effect.Grant, "use of "+a.Path(p)+" without a password")
		}
	}
	switch {
	case in.Surely("l", "y", "B", "L"), in.Surely("e") && !in.Has("p"): // the public half, or its fingerprint
		for _, p := range files {
			a.Add(effect.Effect{Verb: effect.Read, Object: a.Path(p), How: output.Outline, Kind: effect.Outline})
		}
	case in.Surely("F", "H"):
		a.Looks(false, files...)
	case in.Surely("R"):
		if len(files) == 0 {
			files = []string{"~/.ssh/known_hosts"}
		}
		a.WritesFiles(files...)
	case in.Surely("s"):
		a.Looks(false, in.Values("path")...)
	default:
		if len(files) == 0 {
			files = []string{"~/.ssh/id_ed25519"}
		}
		a.WritesFiles(files...)
		if isToldYes(a) {
			a.DeletesFiles(false, files...)
		}
	}
}

// isToldYes reports whether a command that asks before it overwrites is told to do so
// on its input.
func isToldYes(a *invocation.Act) bool {
	return a.In.Piped && (a.In.By == "yes" || a.In.Known && strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.In.Text)), "y"))
}
